"""Writes `overlapping.jsonl`: precision and recall of random spans by nervaluate 1.2.1, for the option `match` of `spans`."""

import json
import random
from pathlib import Path

from nervaluate import Evaluator

RULES = {"strict": "strict", "exact": "exact", "partial": "partial", "type": "ent_type"}
rng = random.Random(20261129)


def spans():
    """Spans of three types over 12 tokens, without overlap on one side."""
    side, at = [], 0
    while at < 12:
        if rng.random() < 0.5:
            last = min(at + rng.randint(1, 4) - 1, 11)
            side.append([rng.choice("ABC"), at, last])
            at = last + 1
        else:
            at += 1
    return side


def numbers(gold, predicted):
    sides = [[[{"label": kind, "start": first, "end": last} for kind, first, last in side]] for side in (gold, predicted)]
    overall = Evaluator(*sides, tags=["A", "B", "C"], loader="default").evaluate()["overall"]
    return {ours: [overall[theirs].precision, overall[theirs].recall] for ours, theirs in RULES.items()}


def main():
    rows = []
    while len(rows) < 80:
        gold, predicted = spans(), spans()
        # nervaluate refuses a first document without spans.
        if gold and predicted:
            rows.append({"gold": gold, "predicted": predicted, **numbers(gold, predicted)})
    path = Path(__file__).with_suffix(".jsonl")
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
