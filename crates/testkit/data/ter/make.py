"""Writes golden.jsonl: what sacreBLEU makes of the cases below.

    pip install sacrebleu==2.6.0 numpy==2.4.6       (Python 3.11)
    python3.11 make.py > golden.jsonl

Cases of `cases.json` show one rule each: name, hypotheses, reference streams, options. A row has texts, or names files of examples/data.
"""
import random
import sys
from pathlib import Path

from sacrebleu.metrics import TER

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from write_golden import cases, lines, of_streams, spec, write  # noqa: E402

NORMALIZED = {"normalized": True}
NO_PUNCT = {"no_punct": True}
ASIAN = {"normalized": True, "asian_support": True}
ALL = {"normalized": True, "no_punct": True, "asian_support": True, "case_sensitive": True}
OPTION_SETS = [{}, NORMALIZED, NO_PUNCT, ASIAN, ALL, {"case_sensitive": True}, {"asian_support": True}]


def generated():
    """Random words of small alphabets, where shifts abound; lengths at which the beam and the limits matter."""
    draw = random.Random(20_060_808)
    for index in range(150):
        alphabet = draw.choice([1, 2, 3, 5, 10, 30])
        longest = draw.choice([4, 8, 12, 20, 30, 60])
        sequence = lambda most: [f"w{draw.randrange(alphabet)}" for _ in range(draw.randrange(most + 1))]
        hypotheses, streams = [], [[] for _ in range(draw.randrange(1, 4))]
        for _ in range(draw.randrange(1, 4)):
            reference = sequence(longest)
            for stream in streams:
                stream.append(" ".join(edited(draw, reference, sequence)))
            hypotheses.append(" ".join(edited(draw, reference, sequence)))
        yield f"random-{index}", hypotheses, streams, {}
    # The candidates run out, and the last shift is not applied.
    for index, alphabet in enumerate([2, 4, 8, 16, 40]):
        sequence = lambda: " ".join(f"w{draw.randrange(alphabet)}" for _ in range(110))
        yield f"candidates-run-out-{index}", [sequence()], [[sequence()]], {}


def edited(draw, words, sequence):
    words = list(words)
    for _ in range(draw.randrange(5)):
        a, b = sorted(draw.randrange(len(words) + 1) for _ in range(2))
        kind = draw.randrange(3)
        if kind == 0:
            words[a:b] = words[(a + b) // 2 : b] + words[a : (a + b) // 2]
        elif kind == 1:
            del words[a : min(b, a + 3)]
        else:
            words[a:a] = sequence(4)
    return words


def examples():
    """The example data, under every set of options."""
    for language in ("en", "de", "zh"):
        for options in OPTION_SETS:
            marks = "".join("-" + key.replace("_", "-") for key in options)
            name = f"{language}-examples{marks}"
            yield name, f"{language}.sys-a.txt", [f"{language}.ref1.txt"], options
        yield f"{language}-two-references", f"{language}.sys-b.txt", [f"{language}.ref1.txt", f"{language}.ref2.txt"], {}


def outcome(hypotheses, streams, options):
    metric = TER(**options)
    score = metric.corpus_score(hypotheses, streams)
    signature = metric.get_signature()
    expected = {
        "score": score.score,
        "parts": {"num_edits": score.num_edits, "ref_length": float(score.ref_length)},
        "signature": f"TER|{signature.format()}",
        "short": signature.format(short=True),
    }
    if len(hypotheses) <= 8:
        pairs = zip(hypotheses, zip(*streams))
        present = lambda texts: [text for text in texts if text is not None]
        scores = [metric.sentence_score(hypothesis, present(texts)).score for hypothesis, texts in pairs]
        expected["sentences"] = [[score] for score in scores]
    return expected


def row(name, options, segments, texts, expected):
    # The sum of mean lengths depends on its order, unless each is a multiple of a small power of 1/2.
    exact = len(segments) == 1 or all(len(own) in (1, 2, 4, 8, 16) for own in segments)
    near = {} if exact else {"tolerance": 1e-12}
    return {"name": name, "spec": spec("ter", **options), **texts, "expected": expected, **near}


def main():
    rows = []
    for name, hypotheses, streams, options in [*cases(__file__), *generated()]:
        expected, segments = outcome(hypotheses, streams, options), of_streams(streams)
        texts = {"hypotheses": hypotheses, "references": segments}
        rows.append(row(name, options, segments, texts, expected))
    for name, hypotheses, streams, options in examples():
        references = [lines(stream) for stream in streams]
        expected = outcome(lines(hypotheses), references, options)
        texts = {"files": {"hypotheses": hypotheses, "references": streams}}
        rows.append(row(name, options, of_streams(references), texts, expected))
    write(rows)


if __name__ == "__main__":
    main()
