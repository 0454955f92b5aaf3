"""Writes golden.jsonl: what sacreBLEU makes of the cases below.

    pip install sacrebleu==2.6.0 numpy==2.4.6       (Python 3.11)
    python3.11 make.py > golden.jsonl

Cases of `cases.json` show one rule each: name, hypotheses, reference streams, options. A row has texts, or names files of examples/data. `statistics` are three counts for each order (n-grams of the hypotheses, of the references,
matches), those of characters first; `sentences` are the scores of the segments alone.
"""
import random
import sys
from pathlib import Path

from sacrebleu.metrics import CHRF

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from write_golden import cases, lines, of_streams, spec, write  # noqa: E402

PLUS_PLUS = {"word_order": 2}
EPSILON = {"eps_smoothing": True}
OPTION_SETS = [
    {},
    PLUS_PLUS,
    EPSILON,
    {"lowercase": True, "whitespace": True},
    {"char_order": 3, "word_order": 1, "beta": 0.5},
    {"char_order": 0, "word_order": 2, "beta": 3},
    {"char_order": 9, "word_order": 3, "beta": 1, "eps_smoothing": True},
]


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
    for name, hypotheses, streams, options in [*cases(__file__), *generated()]:
        texts = {"hypotheses": hypotheses, "references": of_streams(streams)}
        rows.append({"name": name, "spec": metric(options), **texts, "expected": outcome(hypotheses, streams, options)})
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
