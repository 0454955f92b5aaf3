# The oracle behind the comparison of ROUGE: Google's rouge_score, and for S, SU and W rouge-metric, which has the arithmetic of
# ROUGE-1.5.5.
#
# It is asked with `stem`, `over` and `cases` of a hypothesis and its references, and of the tokens of their sentences or null. It
# answers with the bits of F, precision and recall of every kind of ROUGE for each rotation of the references; with S4, SU4, S, SU
# and W of weight 1.2 by tokens, or null; and with the tokens of the hypothesis.
import functools

from rouge_metric import PyRouge
from rouge_score.rouge_scorer import RougeScorer
from rouge_score.tokenizers import DefaultTokenizer


class OnceScorer(RougeScorer):
    """Each pair of texts is scored once, however many rotations it is in."""

    @functools.lru_cache(16)
    def score(self, target, prediction):
        return super().score(target, prediction)


KINDS = [f"rouge{n}" for n in range(1, 10)] + ["rougeL", "rougeLsum"]
SCORERS = {stem: OnceScorer(KINDS, use_stemmer=stem) for stem in (False, True)}
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


def rotations(scorer, hypothesis, references):
    rotated = [references[at:] + references[:at] for at in range(len(references))]
    found = [scorer.score_multi(own, hypothesis) for own in rotated]
    return [[numbers(score[kind]) for kind in KINDS] for score in found]


def skips(over, hypothesis, references):
    found = {}
    for scorer in GAPS[over]:
        found |= scorer.evaluate_tokenized([hypothesis], [references])
    kinds = ("rouge-s4", "rouge-su4", "rouge-s*", "rouge-su*", "rouge-w-1.2")
    return [[found[kind][part] for part in "fpr"] for kind in kinds]


def answer(question):
    stem, over = question["stem"], question["over"]

    def one(hypothesis, references, sentences):
        tokens = " ".join(TOKENIZERS[stem].tokenize(hypothesis))
        return [rotations(SCORERS[stem], hypothesis, references), sentences and skips(over, *sentences), tokens]

    return [one(*case) for case in question["cases"]]


serve(
    {"rouge_score": version("rouge_score"), "kinds": KINDS},
    answer,
)
