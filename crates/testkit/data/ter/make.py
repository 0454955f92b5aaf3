"""Writes golden.jsonl: what sacreBLEU makes of the cases below.

    pip install sacrebleu==2.6.0 numpy==2.4.6       (Python 3.11)
    python3.11 make.py > golden.jsonl

A row has texts, or names files of examples/data.
"""
import random
import sys
from pathlib import Path

from sacrebleu.metrics import TER

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from write_golden import of_streams, spec, write  # noqa: E402

EXAMPLES = Path(__file__).resolve().parents[4] / "examples" / "data"
NORMALIZED = {"normalized": True}
NO_PUNCT = {"no_punct": True}
ASIAN = {"normalized": True, "asian_support": True}
ALL = {"normalized": True, "no_punct": True, "asian_support": True, "case_sensitive": True}
OPTION_SETS = [{}, NORMALIZED, NO_PUNCT, ASIAN, ALL, {"case_sensitive": True}, {"asian_support": True}]


def written():
    """Cases that show one rule each: name, hypotheses, reference streams, options."""
    one = lambda name, hypothesis, *references, **options: (
        name, [hypothesis], [[reference] for reference in references], options)
    yield one("a-block-moves-in-one-edit", "d e f g h a b c", "a b c d e f g h")
    yield one("two-words-change-places", "b a c", "a b c")
    yield one("not-capped", "a b c d e", "x")
    yield one("equal", "a b c", "a b c")
    yield one("one-word", "a", "a")
    yield one("one-other-word", "a", "b")
    yield one("empty-hypothesis", "", "a b")
    yield one("empty-reference", "a b", "")
    yield one("both-empty", "", "")
    yield one("blank-hypothesis", " \t ", "a b")
    yield "empty-reference-in-a-corpus", ["a b", "c"], [["", "c"]], {}
    yield "empty-references-throughout", ["a b", "", "c"], [["", "", ""]], {}
    yield one("the-mean-length-of-three-references", "a b c d", "a b c x", "a b", "a b c d e")
    yield one("an-empty-reference-is-in-the-mean", "a b c", "a b c d", "")
    yield "a-missing-reference-is-not", ["a b c", "d e"], [["a b c d", "d e f"], [None, "d"]], {}
    yield one("the-nearest-of-three-references", "a b c d e f", "f a b c d e", "a b x d e f", "a c b d f e")
    yield "sixteen-references", ["a b c d", "c d"], [["a b " + "c " * i, "c d " * i] for i in range(16)], {}
    yield one("a-reference-is-tokenized-twice", "x's.", "x's.", **NORMALIZED)
    yield one("possessives", "It is John's, not Mary's.", "It is John's, not Mary's.", **NORMALIZED)
    yield one("points-before-a-digit", ",,1 a", ",,1 b", **NORMALIZED)
    yield one("case-is-lowered", "The CAT", "the cat")
    yield one("case-is-kept", "The CAT", "the cat", case_sensitive=True)
    yield one("punctuation-is-deleted", 'Hello, World! (a) "b"; c: d? e.', "hello world b c a", **NO_PUNCT)
    yield one("han-is-isolated", "美众院公布。りの拳銃を持、カタカナ・ｱ", "众院公布美。の拳銃持、カタカナ", **ASIAN)
    yield one("asian-support-alone-does-nothing", "美众院公布。", "众院公布美。", asian_support=True)
    # Blocks of 10 words may move, and of 11 only in parts.
    words = [f"w{i}" for i in range(40)]
    for length in (10, 11, 12):
        moved = words[length:] + words[:length]
        yield one(f"a-block-of-{length}", " ".join(moved), " ".join(words))
    # By 50 words, and no further.
    words = [f"w{i}" for i in range(70)]
    for distance in (24, 25, 26, 49, 50, 51, 52):
        moved = words[1 : distance + 1] + words[:1] + words[distance + 1 :]
        yield one(f"a-word-moves-by-{distance}", " ".join(moved), " ".join(words))
    # Best paths that leave the beam.
    for ahead in (20, 24, 25, 26, 40):
        yield one(f"the-beam-and-{ahead}-words-ahead", " ".join(words[ahead:] + words[:ahead]), " ".join(words))
    yield one("a-reference-many-times-as-long", "a b c d", " ".join("abcdxyz"[i % 7] for i in range(90)))
    yield one("a-reference-sixty-times-as-long", "c a b", " ".join("abcxyz"[i * i % 6] for i in range(180)))
    yield one("a-hypothesis-many-times-as-long", " ".join("abcdxyz"[i % 7] for i in range(90)), "a b c d")


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
    for name, hypotheses, streams, options in [*written(), *generated()]:
        expected, segments = outcome(hypotheses, streams, options), of_streams(streams)
        texts = {"hypotheses": hypotheses, "references": segments}
        rows.append(row(name, options, segments, texts, expected))
    lines = lambda name: (EXAMPLES / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")
    for name, hypotheses, streams, options in examples():
        references = [lines(stream) for stream in streams]
        expected = outcome(lines(hypotheses), references, options)
        texts = {"files": {"hypotheses": hypotheses, "references": streams}}
        rows.append(row(name, options, of_streams(references), texts, expected))
    write(rows)


if __name__ == "__main__":
    main()
