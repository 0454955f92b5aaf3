"""Scores the repository's example data, merges the counts of two halves, and compares two systems."""

from pathlib import Path

import bleuprint
import bleuprint.sacrebleu as sacrebleu

DATA = Path(__file__).resolve().parents[2] / "examples" / "data"


def lines(name: str) -> list[str]:
    """Return the lines of a file of the example data."""
    return (DATA / name).read_text(encoding="utf-8").splitlines()


hypotheses = lines("en.sys-a.txt")
streams = [lines("en.ref1.txt"), lines("en.ref2.txt")]

bleu = bleuprint.metric("bleu")
score = bleu.score(hypotheses, reference_streams=streams)
print(score)

# sacreBLEU's function returns the same score.
assert sacrebleu.corpus_bleu(hypotheses, streams).score == score.score

# Two halves, counted separately and merged, give the same score bit for bit.
half = len(hypotheses) // 2
first, second = bleu.accumulator(), bleu.accumulator()
first.update(hypotheses[:half], reference_streams=[stream[:half] for stream in streams])
second.update(hypotheses[half:], reference_streams=[stream[half:] for stream in streams])
assert (first + second).compute() == score

# Test whether the difference between the two systems could be chance.
systems = {"a": hypotheses, "b": lines("en.sys-b.txt")}
for row in bleuprint.paired_test(systems, reference_streams=streams):
    print(row["system"], round(row["score"], 1), row["p_value"])
