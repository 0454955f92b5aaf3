"""Writes golden.jsonl: what sacreBLEU makes of the cases below.

    pip install sacrebleu==2.6.0 numpy==2.4.6       (Python 3.11)
    python3.11 make.py > golden.jsonl

A row has texts, or names files of examples/data. `statistics` are three counts for each order (n-grams of the hypotheses, of the references,
matches), those of characters first; `sentences` are the scores of the segments alone.
"""
import random
import sys
from pathlib import Path

from sacrebleu.metrics import CHRF

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from write_golden import of_streams, spec, write  # noqa: E402

EXAMPLES = Path(__file__).resolve().parents[4] / "examples" / "data"
PLUS_PLUS = {"word_order": 2}
EPSILON = {"eps_smoothing": True}
WHITESPACE = {"whitespace": True}
OPTION_SETS = [
    {},
    PLUS_PLUS,
    EPSILON,
    {"lowercase": True, "whitespace": True},
    {"char_order": 3, "word_order": 1, "beta": 0.5},
    {"char_order": 0, "word_order": 2, "beta": 3},
    {"char_order": 9, "word_order": 3, "beta": 1, "eps_smoothing": True},
]


def written():
    """Cases that show one rule each: name, hypotheses, reference streams, options."""
    one = lambda name, hypothesis, *references, **options: (
        name, [hypothesis], [[reference] for reference in references], options)
    for mark, options in (("", {}), ("-with-epsilon", EPSILON), ("-with-words", PLUS_PLUS)):
        yield one("equal" + mark, "the cat sat.", "the cat sat.", **options)
        yield one("one-character" + mark, "a", "a", **options)
        yield one("one-other-character" + mark, "a", "b", **options)
        yield one("empty-hypothesis" + mark, "", "b", **options)
        yield one("empty-reference" + mark, "a", "", **options)
        yield one("both-empty" + mark, "", "", **options)
        yield one("blank-hypothesis" + mark, " \t\u3000", "ab", **options)
        yield one("a-prefix" + mark, "ab", "abc", **options)
        yield one("the-hypothesis-is-longer" + mark, "abcdefgh", "abc", **options)
        yield one("whitespace-does-not-count" + mark, "a b c", "abc", **options)
        yield one("matches-are-clipped" + mark, "aaaa aaaa", "aa", **options)
    for order in (0, 1, 2, 3):
        yield one(f"words-up-to-{order}", "the cat sat.", "the cat sits.", word_order=order)
    for order in (1, 2, 6, 7, 8, 9, 20):
        yield one(f"characters-up-to-{order}", "the cat sat on a mat.", "the cat sits on the mat.", char_order=order)
    for beta in (0, 0.5, 1, 2, 3, 1.6798658679413716, 1000):
        yield one(f"beta-{beta}", "the cat sat.", "the cat sits.", beta=beta)
        yield one(f"beta-{beta}-with-epsilon", "the cat sat.", "the cat sits.", beta=beta, **EPSILON)
    yield one("words-alone", "the cat sat.", "the cat sits.", char_order=0, word_order=2)
    yield one("the-line-end-is-whitespace", "ab\n", "ab", **WHITESPACE)
    yield one("whitespace-counts", "a b  c", "a b c", **WHITESPACE)
    for code in (0x1C, 0x85, 0xA0, 0x1680, 0x2003, 0x2028, 0x200B, 0x202F, 0x205F, 0x3000, 0xFEFF, 0x180E):
        text = f"ab{chr(code)}cd"
        yield one(f"u{code:04x}", text, "abcd", **PLUS_PLUS)
        yield one(f"u{code:04x}-as-a-character", text, "ab cd", whitespace=True, word_order=2)
    yield one("case-matters", "The CAT", "the cat")
    yield one("case-is-lowered", "The CAT İST ὈΔΥΣΣΕΎΣ", "the cat i̇st ὀδυσσεύς", lowercase=True)
    words = '(hi) "hi ... x)! “hi” U.S. don\'t $5 a, ,a , é! ¡é ---'
    yield one("punctuation-is-split-off", words, "( hi ) hi . x ! “hi” U.S don't $ 5 a , é ! ¡é - --", **PLUS_PLUS)
    yield one("code-points-not-graphemes", "e\u0301 👨‍👩‍👧 한국", "é 👨 👩 한글", **PLUS_PLUS)
    yield one("beyond-the-basic-plane", "𠀀𠀁𠀂", "𠀀𠀁𠀃")
    yield one("the-best-of-three-references", "abc", "abd", "abe", "abc")
    yield one("the-first-of-equal-references", "abc", "abd", "abe", "abc", "abcabc")
    yield one("the-first-where-none-matches", "q", "abc", "defgh")
    yield one("the-first-where-none-matches-turned", "q", "defgh", "abc")
    yield one("an-empty-reference-among-others", "abc", "", "abd")
    yield "a-missing-reference", ["abc", "de"], [["abd", "def"], [None, "de"]], {}
    yield "segments-are-summed", ["abcdef", "x", ""], [["abcdez", "y", "abc"]], {}
    yield "segments-are-summed-with-words", ["a b c d", "x", ""], [["a b d c", "y.", "a b"]], PLUS_PLUS
    # More distinct characters than a byte can number, and long repetition.
    han = "".join(chr(0x4E00 + 7 * i) for i in range(300))
    yield one("three-hundred-characters", han + han[:40], han[20:] + han[:60])
    yield one("a-hundred-and-twenty-one-letters", "".join(map(chr, range(0x400, 0x479))), "".join(map(chr, range(0x401, 0x47A))))
    yield one("repetition", "a" * 500, "a" * 400 + "b")
    yield one("repetition-of-two", "ab" * 300, "a" * 30 + "ab" * 200, word_order=1)


def generated():
    """Random texts over small alphabets, edited, with several references."""
    draw = random.Random(20_150_917)
    alphabets = ["ab", "ab ", "abcde .,(", "aeiou \u00a0éß中文。", "abcdefghijklmnopqrstuvwxyz     .,"]
    for index in range(150):
        alphabet = draw.choice(alphabets)
        longest = draw.choice([4, 10, 40, 150])
        text = lambda most: [draw.choice(alphabet) for _ in range(draw.randrange(most + 1))]
        hypotheses, streams = [], [[] for _ in range(draw.randrange(1, 4))]
        for _ in range(draw.randrange(1, 4)):
            source = text(longest)
            for stream in streams:
                stream.append("".join(edited(draw, source, text)))
            hypotheses.append("".join(edited(draw, source, text)))
        options = draw.choice(OPTION_SETS + [{}, PLUS_PLUS])
        yield f"random-{index}", hypotheses, streams, options


def edited(draw, characters, text):
    characters = list(characters)
    for _ in range(draw.randrange(6)):
        at = draw.randrange(len(characters) + 1)
        if draw.randrange(2):
            del characters[at : at + draw.randrange(4)]
        else:
            characters[at:at] = text(3)
    return characters


def examples():
    """The example data, under every set of options."""
    for language in ("en", "de", "zh"):
        for index, options in enumerate(OPTION_SETS):
            name = f"{language}-examples-{index}"
            yield name, f"{language}.sys-a.txt", [f"{language}.ref1.txt"], options
            files = [f"{language}.ref1.txt", f"{language}.ref2.txt"]
            yield f"{name}-two-references", f"{language}.sys-b.txt", files, options


def outcome(hypotheses, streams, options):
    metric = CHRF(**options)
    score = metric.corpus_score(hypotheses, streams)
    signature = metric.get_signature()
    rows = metric._extract_corpus_statistics(hypotheses, streams)
    outcome = {
        "score": score.score,
        "statistics": [sum(column) for column in zip(*rows)],
        "signature": f"{score.name}|{signature.format()}",
        "short": signature.format(short=True),
    }
    if len(hypotheses) < 10:
        segments = zip(hypotheses, zip(*streams))
        sentence = lambda hypothesis, references: metric.sentence_score(
            hypothesis, [text for text in references if text is not None]).score
        outcome["sentences"] = [[sentence(*segment)] for segment in segments]
    return outcome


def main():
    rows = []
    for name, hypotheses, streams, options in [*written(), *generated()]:
        texts = {"hypotheses": hypotheses, "references": of_streams(streams)}
        rows.append({"name": name, "spec": metric(options), **texts, "expected": outcome(hypotheses, streams, options)})
    lines = lambda name: (EXAMPLES / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")
    for name, hypotheses, streams, options in examples():
        expected = outcome(lines(hypotheses), [lines(stream) for stream in streams], options)
        files = {"hypotheses": hypotheses, "references": streams}
        rows.append({"name": name, "spec": metric(options), "files": files, "expected": expected})
    write(rows)


def metric(options):
    # `lowercase` alone is an option of every metric.
    own = {"chrf_lowercase" if name == "lowercase" else name: value for name, value in options.items()}
    return spec("chrf", **own)


if __name__ == "__main__":
    main()
