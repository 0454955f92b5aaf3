# The oracle behind the comparison of ROUGE: Google's rouge_score.
#
# One JSON object per line in, `stem` and `cases` of a hypothesis and its references; one list per line out: for every
# case and every kind of ROUGE the bits of F, precision and recall. Without references it is asked for tokens.
import importlib.metadata
import json
import platform
import struct
import sys

from rouge_score.rouge_scorer import RougeScorer
from rouge_score.tokenizers import DefaultTokenizer

KINDS = [f"rouge{n}" for n in range(1, 10)] + ["rougeL", "rougeLsum"]
SCORERS = {stem: RougeScorer(KINDS, use_stemmer=stem) for stem in (False, True)}


def bits(value):
    return struct.unpack("<Q", struct.pack("<d", float(value)))[0]


def numbers(score):
    return [bits(score.fmeasure), bits(score.precision), bits(score.recall)]


def scores(question):
    scorer = SCORERS[question["stem"]]
    found = [scorer.score_multi(references, hypothesis) for hypothesis, references in question["cases"]]
    return [[numbers(score[kind]) for kind in KINDS] for score in found]


TOKENIZERS = {}


def tokens(question):
    stem = question["stem"]
    if stem not in TOKENIZERS:
        TOKENIZERS[stem] = DefaultTokenizer(use_stemmer=stem)
    return [" ".join(TOKENIZERS[stem].tokenize(text)) for text in question["texts"]]


def say(answer):
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def main():
    version = importlib.metadata.version("rouge_score")
    say({"python": platform.python_version(), "rouge_score": version, "kinds": KINDS})
    for line in sys.stdin:
        question = json.loads(line)
        try:
            say({"answer": tokens(question) if "texts" in question else scores(question)})
        except Exception as error:  # The driver must survive, the chore reports.
            say({"error": f"{type(error).__name__}: {error}"})


main()
