"""Writes golden.jsonl: what jiwer makes of the cases below.

    pip install jiwer==4.0.0 rapidfuzz==3.14.6      (Python 3.11)
    python3.11 make.py > golden.jsonl
    python3.11 make.py alignments > alignments.jsonl

Cases of `cases.json` show one rule each: name, hypotheses, references. A row has texts, or names files of examples/data. An alignment is a list of chunks: the kind and the half-open ranges of
the reference and of the hypothesis. `lines` are those of visualize_alignment, for the words of the first segment.
"""
import json
import random
import sys
from pathlib import Path

import jiwer

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from write_golden import cases, lines, write  # noqa: E402



def generated():
    """Random words of small alphabets, where many alignments are equal, past 64 and 128 words."""
    draw = random.Random(19_660_218)
    for index in range(160):
        alphabet = draw.choice([1, 2, 3, 4, 10])
        longest = draw.choice([3, 6, 10, 20, 40, 70, 130, 200])
        sequence = lambda most: ["abcdefghij"[draw.randrange(alphabet)] for _ in range(draw.randrange(most + 1))]
        pairs = []
        for _ in range(draw.randrange(1, 4)):
            reference = sequence(longest)
            hypothesis = sequence(longest) if draw.random() < 0.4 else edited(draw, reference, sequence)
            pairs.append((" ".join(hypothesis), " ".join(reference)))
        yield f"random-{index}", [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def edited(draw, words, sequence):
    words = list(words)
    for _ in range(draw.randrange(12)):
        at = draw.randrange(len(words) + 1)
        words[at : at + draw.randrange(4)] = sequence(3)
    return words


def examples():
    for language in ("en", "de", "zh"):
        for system in ("sys-a", "sys-b"):
            yield f"{language}-{system}", f"{language}.{system}.txt", f"{language}.ref1.txt"
    # The whole text as one segment: tables that are cut in halves.
    yield "en-in-one-segment", "en.sys-a.txt", "en.ref1.txt"


def alignments(hypotheses, references):
    words = jiwer.process_words(references, hypotheses)
    chunk = lambda c: [c.type, c.ref_start_idx, c.ref_end_idx, c.hyp_start_idx, c.hyp_end_idx]
    shown = jiwer.visualize_alignment(words, show_measures=False, skip_correct=False).split("\n")
    return {
        "alignments": [[chunk(c) for c in alignment] for alignment in words.alignments],
        "lines": "".join(line + "\n" for line in shown[2:5]),
    }


def rates(name, texts, hypotheses, references):
    """A row for each rate, with the counts behind it."""
    words = jiwer.process_words(references, hypotheses)
    characters = jiwer.process_characters(references, hypotheses)
    for metric in ("wer", "mer", "wil", "wip", "cer"):
        output = characters if metric == "cer" else words
        counts = {part: getattr(output, part) for part in ("hits", "substitutions", "deletions", "insertions")}
        expected = {"score": float(getattr(output, metric)), "parts": counts}
        if metric != "cer":
            expected["signature"] = f"{metric.upper()}|nrefs:1|case:mixed|tok:jiwer|version:2.6.0"
        yield {"name": f"{name}, {metric}", "spec": metric, **texts, "expected": expected}


def main():
    given = [*cases(__file__), *generated()]
    if sys.argv[1:] == ["alignments"]:
        for name, hypotheses, references in given:
            texts = {"name": name, "hypotheses": hypotheses, "references": references}
            print(json.dumps(texts | alignments(hypotheses, references), ensure_ascii=False))
        return
    rows = []
    for name, hypotheses, references in given:
        texts = {"hypotheses": hypotheses, "references": [[reference] for reference in references]}
        rows.extend(rates(name, texts, hypotheses, references))
    for name, hypotheses, references in examples():
        texts = {"files": {"hypotheses": hypotheses, "references": [references]}}
        sides = [lines(hypotheses), lines(references)]
        if name.endswith("one-segment"):
            sides = [[" ".join(text)] for text in sides]
            texts = {"hypotheses": sides[0], "references": [sides[1]]}
        rows.extend(rates(name, texts, *sides))
    write(rows)


if __name__ == "__main__":
    main()
