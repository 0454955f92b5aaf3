"""Writes golden.jsonl: what pycocoevalcap's Cider gives for the corpora of ../corpora_of_words.py.

    pip install pycocoevalcap==1.2 numpy==2.4.6      (Python 3.11)
    python3.11 make.py > golden.jsonl

Plain CIDEr is in no program on PyPI; its cases are computed here, from the definition.
"""
import math
import sys
from collections import Counter
from pathlib import Path

from pycocoevalcap.cider.cider import Cider

sys.path.insert(0, str(Path(__file__).parent.parent))
from corpora_of_words import CORPORA
from write_golden import write


def ngrams(text, order):
    words = text.split()
    return [tuple(words[i : i + order]) for i in range(len(words) - order + 1)]


def plain(segments):
    """The cosine, as the paper has it."""
    frequency = Counter()
    for _, references in segments:
        frequency.update({g for text in references for n in range(1, 5) for g in ngrams(text, n)})

    def vector(text, order):
        counts = Counter(ngrams(text, order))
        return {g: c * (math.log(len(segments)) - math.log(max(1, frequency[g]))) for g, c in counts.items()}

    def norm(vector):
        return math.sqrt(math.fsum(w * w for w in vector.values()))

    def cosine(left, right):
        norms = norm(left) * norm(right)
        return math.fsum(w * right.get(g, 0.0) for g, w in left.items()) / norms if norms else 0.0

    scores = []
    for hypothesis, references in segments:
        each = [cosine(vector(hypothesis, n), vector(text, n)) for n in range(1, 5) for text in references]
        scores.append(10 * math.fsum(each) / len(each))
    return scores


def clipped(segments):
    references = {i: given for i, (_, given) in enumerate(segments)}
    hypotheses = {i: [hypothesis] for i, (hypothesis, _) in enumerate(segments)}
    return [float(score) for score in Cider().compute_score(references, hypotheses)[1]]


cases = []
for name, segments in CORPORA.items():
    for metric, program in (("cider_d", clipped), ("cider", plain)):
        try:
            scores = program(segments)
        except ValueError:
            scores = None
        if scores is None and metric == "cider":
            continue
        cases.append({
            "name": f"{name}, {metric}",
            "spec": f"{metric}:tokenize=none",
            "hypotheses": [hypothesis for hypothesis, _ in segments],
            "references": [given for _, given in segments],
            "expected": {"score": math.fsum(scores) / len(scores)} if scores else {"error": "no-score"},
            "tolerance": 1e-12,
        })
write(cases)
