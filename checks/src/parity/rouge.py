# The oracle behind the comparison of ROUGE: Google's rouge_score.
#
# It is asked with `stem` and `cases` of a hypothesis and its references for the bits of F, precision and recall of every case
# and every kind of ROUGE; with `texts` for their tokens.
from rouge_score.rouge_scorer import RougeScorer
from rouge_score.tokenizers import DefaultTokenizer

KINDS = [f"rouge{n}" for n in range(1, 10)] + ["rougeL", "rougeLsum"]
SCORERS = {stem: RougeScorer(KINDS, use_stemmer=stem) for stem in (False, True)}
TOKENIZERS = {stem: DefaultTokenizer(use_stemmer=stem) for stem in (False, True)}


def numbers(score):
    return [bits(score.fmeasure), bits(score.precision), bits(score.recall)]


def scores(question):
    scorer = SCORERS[question["stem"]]
    found = [scorer.score_multi(references, hypothesis) for hypothesis, references in question["cases"]]
    return [[numbers(score[kind]) for kind in KINDS] for score in found]


def tokens(question):
    return [" ".join(TOKENIZERS[question["stem"]].tokenize(text)) for text in question["texts"]]


serve(
    {"rouge_score": version("rouge_score"), "kinds": KINDS},
    lambda question: tokens(question) if "texts" in question else scores(question),
)
