"""Writes golden.jsonl: what NLTK's corpus_nist gives for the corpora of ../corpora_of_words.py.

    pip install nltk==3.10.4      (Python 3.11)
    python3.11 make.py > golden.jsonl

mteval is a Perl script that PyPI does not have; its numbers are not here.
"""
import sys
from pathlib import Path

from nltk.translate.nist_score import corpus_nist

sys.path.insert(0, str(Path(__file__).parent.parent))
from corpora_of_words import CORPORA
from write_golden import write

cases = []
for name, segments in CORPORA.items():
    for order in (5, 4, 2, 1):
        hypotheses = [hypothesis.split() for hypothesis, _ in segments]
        references = [[reference.split() for reference in given] for _, given in segments]
        try:
            expected = {"score": corpus_nist(references, hypotheses, order)}
        except ZeroDivisionError:
            expected = {"error": "no-score"}
        cases.append({
            "name": f"{name}, order {order}",
            "spec": f"nist:order={order},dialect=nltk,tokenize=none",
            "hypotheses": [hypothesis for hypothesis, _ in segments],
            "references": [given for _, given in segments],
            "expected": expected,
            "tolerance": 1e-12,
        })
write(cases)
