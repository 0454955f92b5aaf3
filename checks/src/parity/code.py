# The oracle behind the comparison of CodeBLEU. The program's sets of names have no order, so its answers vary from run to run;
# here they keep the order of first occurrence. It is asked with a list of programs: language, hypothesis, references.
# Ruby's grammar asks the C library what a letter is: here, as in programs that set no locale, none beyond ASCII.
import locale

PARTS = ("ngram_match_score", "weighted_ngram_match_score", "syntax_match_score", "dataflow_match_score")


class Ordered(dict):
    def __init__(self, items=()):
        super().__init__(dict.fromkeys(items))

    def add(self, item):
        self[item] = None


try:
    from codebleu import codebleu, dataflow_match, syntax_match
    from codebleu.parser import DFG

    dataflow_match.set = DFG.set = Ordered
    language, known = codebleu.get_tree_sitter_language, {}
    codebleu.get_tree_sitter_language = lambda name: known.get(name) or known.setdefault(name, language(name))
    locale.setlocale(locale.LC_CTYPE, "C")
    installed = version("codebleu")
except ImportError:
    installed = None


def parts(questions):
    def ask(name, hypothesis, references):
        scores = codebleu.calc_codebleu([references], [hypothesis], name)
        return [bits(scores[part]) for part in PARTS]

    return [ask(*question) for question in questions]


serve({"programs": {"codebleu": installed}}, parts)
