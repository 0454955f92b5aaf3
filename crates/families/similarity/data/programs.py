# The functions whose values ../tests/rows/golden.jsonl has: rapidfuzz, difflib, thefuzz, anls, cer, NLTK, and the functions of
# torchmetrics' EED, of which only that file is run.
#
# It is asked with the name of a function and a list of cases, each a hypothesis and its references, for the bits of the value of
# each. A case that the program refuses is null.
import difflib


def eed_functions():
    """The functions of torchmetrics' extended edit distance, without torch."""
    name = "torchmetrics.functional.text.helper"
    stand_ins = {
        "torch": {"Tensor": object, "stack": None, "tensor": float},
        "typing_extensions": {"Literal": __import__("typing").Literal},
        "torchmetrics": {}, "torchmetrics.functional": {}, "torchmetrics.functional.text": {},
        name: {"_validate_inputs": None},
    }
    kept = {module: sys.modules.get(module) for module in stand_ins}
    for module, values in stand_ins.items():
        sys.modules[module] = types.ModuleType(module)
        sys.modules[module].__dict__.update(values)
    functions = types.ModuleType("eed")
    path = importlib.metadata.distribution("torchmetrics").locate_file("torchmetrics/functional/text/eed.py")
    with open(path, encoding="utf-8") as file:
        exec(file.read(), functions.__dict__)
    for module, value in kept.items():
        if value is None:
            del sys.modules[module]
        else:
            sys.modules[module] = value
    return functions


def similarity_functions():
    import anls
    import cer
    from nltk.translate.ribes_score import sentence_ribes
    from rapidfuzz.distance import Indel, Jaro, JaroWinkler, Levenshtein
    from thefuzz import fuzz

    eed = eed_functions()

    def over(function, best=max):
        return lambda hypothesis, references: best(function(hypothesis, reference) for reference in references)

    def blocks(autojunk):
        return over(lambda a, b: difflib.SequenceMatcher(None, a, b, autojunk).ratio())

    def extended(prepare):
        def value(hypothesis, references):
            score = eed._compute_sentence_statistics(prepare(hypothesis), [prepare(text) for text in references])
            return float(score)

        return value

    return {
        "levenshtein": over(Levenshtein.normalized_similarity),
        "indel": over(Indel.normalized_similarity),
        "jaro": over(Jaro.similarity),
        "jaro_winkler": over(JaroWinkler.similarity),
        "difflib": blocks(True),
        "difflib-all": blocks(False),
        "percent": over(fuzz.ratio),
        "ned": over(Levenshtein.normalized_distance, min),
        "anls": lambda hypothesis, references: anls.anls_score(hypothesis, references),
        "eed": extended(eed._preprocess_en),
        "eed-ja": extended(eed._preprocess_ja),
        "character": over(lambda a, b: cer.calculate_cer(a.split(), b.split())),
        "ribes": lambda hypothesis, references: sentence_ribes([text.split() for text in references], hypothesis.split()),
    }


def answer(question):
    function = similarities[question["program"]]

    def value(case):
        try:
            return bits(function(*case))
        except ZeroDivisionError:
            return None

    return [value(case) for case in question["cases"]]


similarities = similarity_functions()
programs = ["rapidfuzz", "thefuzz", "anls", "cer", "nltk", "torchmetrics"]
serve({"programs": {program: version(program) for program in programs}}, answer)
