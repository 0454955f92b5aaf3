# The oracle behind the comparison of ROUGE: Google's rouge_score, and for S, SU and W rouge-metric, which has the arithmetic of
# ROUGE-1.5.5.
#
# It is asked with `stem` and `cases` of a hypothesis and its references for the bits of F, precision and recall of every case
# and every kind of ROUGE; with `sentences` of the same for S4, SU4, S and W of weight 1.2 by tokens; with `texts` for their tokens.
from rouge_metric import PyRouge
from rouge_score.rouge_scorer import RougeScorer
from rouge_score.tokenizers import DefaultTokenizer

KINDS = [f"rouge{n}" for n in range(1, 10)] + ["rougeL", "rougeLsum"]
SCORERS = {stem: RougeScorer(KINDS, use_stemmer=stem) for stem in (False, True)}
TOKENIZERS = {stem: DefaultTokenizer(use_stemmer=stem) for stem in (False, True)}


MODES = {"sum": "average", "best-recall": "best"}
GAPS = {
    mode: [
        PyRouge(rouge_n=False, rouge_l=False, rouge_s=True, rouge_su=True, rouge_w=gap == 4, skip_gap=gap, multi_ref_mode=other)
        for gap in (4, None)
    ]
    for mode, other in MODES.items()
}


def numbers(score):
    return [bits(score.fmeasure), bits(score.precision), bits(score.recall)]


def scores(question):
    scorer = SCORERS[question["stem"]]
    found = [scorer.score_multi(references, hypothesis) for hypothesis, references in question["cases"]]
    return [[numbers(score[kind]) for kind in KINDS] for score in found]


def tokens(question):
    return [" ".join(TOKENIZERS[question["stem"]].tokenize(text)) for text in question["texts"]]


def skips(question):
    def one(hypothesis, references):
        found = {}
        for scorer in GAPS[question["over"]]:
            found |= scorer.evaluate_tokenized([hypothesis], [references])
        kinds = ("rouge-s4", "rouge-su4", "rouge-s*", "rouge-su*", "rouge-w-1.2")
        return [[found[kind][part] for part in "fpr"] for kind in kinds]

    return [one(*case) for case in question["sentences"]]


def answer(question):
    if "texts" in question:
        return tokens(question)
    return skips(question) if "sentences" in question else scores(question)


serve(
    {"rouge_score": version("rouge_score"), "kinds": KINDS},
    answer,
)
