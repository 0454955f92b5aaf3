"""Writes golden.jsonl: distinct-n of the corpora of ../corpora_of_words.py, from the definition: there is no reference program.

    python3.11 make.py > golden.jsonl
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from corpora_of_words import CORPORA
from write_golden import write


def ngrams(text, order):
    words = text.split()
    return [tuple(words[i : i + order]) for i in range(len(words) - order + 1)]


def ratio(unique, total):
    return unique / total if total else 0.0


cases = []
for name, segments in CORPORA.items():
    texts = [hypothesis for hypothesis, _ in segments]
    tokens = sum(len(text.split()) for text in texts)
    for order in (1, 2, 3):
        grams = [ngrams(text, order) for text in texts]
        every = [g for of_text in grams for g in of_text]
        unique, total = len(set(every)), len(every)
        mean = sum(ratio(len(set(of_text)), len(of_text)) for of_text in grams) / len(grams)
        # A vocabulary with fewer words than the texts have is refused.
        size = 50 if len({word for text in texts for word in text.split()}) <= 50 else 500
        expected = size * (1 - ((size - 1) / size) ** total)
        for option, score in (
            ("", ratio(unique, total)),
            (",per=tokens", ratio(unique, tokens) if total else 0.0),
            (",mean", mean),
            (f",vocabulary={size}", ratio(unique, expected)),
        ):
            metric = f"distinct:order={order}{option}"
            cases.append({
                "name": f"{name}, {metric}",
                "spec": f"{metric},tokenize=none",
                "hypotheses": texts,
                "references": [[] for _ in texts],
                "expected": {"score": score},
                "tolerance": 1e-14,
            })
write(cases)
