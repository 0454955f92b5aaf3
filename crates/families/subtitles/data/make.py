"""Writes the cases of ../tests/rows/golden.jsonl: subtitles of our own, asked of the program behind `cargo xtask parity`.

    python3.11 make.py > ../tests/rows/golden.jsonl
"""
import json
from pathlib import Path

PARITY = Path(__file__).parents[4] / "checks" / "src" / "parity"
oracle = {}
exec((PARITY / "programs.py").read_text(), oracle)
oracle["serve"] = lambda *_: None
exec((PARITY / "subtitles.py").read_text(), oracle)


def srt(*blocks):
    def time(ms):
        return f"{ms // 3600000:02}:{ms // 60000 % 60:02}:{ms // 1000 % 60:02},{ms % 1000:03}"

    return "".join(f"{n}\n{time(start)} --> {time(end)}\n{text}\n\n" for n, (start, end, text) in enumerate(blocks, 1))


FILM = srt(
    (500, 2400, "The tide turned at noon,\nand nobody saw it."),
    (2400, 4100, "- Captain?\n- <i>Not now</i>, I'm reading."),
    (5000, 7000, "It's 3.5 miles… or 5,000 steps!"),
    (7200, 9000, "..."),
    (3599000, 3601000, "“Home”, she said."),
)
LONG = " ".join(f"w{number:03}" for number in range(150))
# Each pair has its reason in `WHY`.
PAIRS = [
    (FILM, FILM),
    (FILM, srt((500, 4100, "The tide turned at noon and nobody saw it. Captain?"), (5000, 7000, "or 5,000 steps!\nIt's 3.5 miles..."))),
    (srt((0, 1000, "a b c d"), (1000, 2000, "e f")), srt((0, 900, "b c d a"), (950, 2000, "e\nf"))),
    (srt((0, 1000, "a b"), (500, 1500, "c d")), srt((0, 400, "c d"), (450, 1500, "a b"))),
    (srt((0, 1000, "same words")), srt((1000, 2000, "same words"))),
    (srt((0, 1000, "one")), ""),
    ("", srt((0, 1000, "one"))),
    # Beyond a beam of 25 tokens, of 100, and with many more words than the other side.
    (srt((0, 9000, LONG)), srt((0, 9000, LONG[:200] + LONG[-200:]))),
    (srt((0, 9000, LONG * 5)), srt((0, 9000, LONG[:50] + LONG * 2))),
    (srt((0, 9000, LONG)), srt((0, 9000, "x"))),
    (srt((0, 1000, "<b>Ä</b> ß İ ?! <ii>x</ii>")), srt((0, 1000, "ä SS i̇ !? x"))),
]
CHINESE = (
    srt((0, 1000, "我喜欢你。\n你好，abc!"), (1000, 2000, "、。 2019. $5"), (2000, 3000, "“很 好”")),
    srt((0, 1000, "我 喜欢他\n你好 ABC"), (1000, 2000, "。 2019 5"), (2000, 3000, "很好…")),
)
WHY = (
    "a film against itself",
    "other lines and missing subtitles",
    "words that move and other breaks",
    "subtitles that overlap in time",
    "equal words at other times",
    "a silent hypothesis",
    "a silent reference",
    "beyond a beam of 25 tokens",
    "beyond a beam of 100 tokens",
    "many more words than the other side",
    "marks, tags and letters without case",
    "Chinese, by characters",
)


def case(why, asked, suber, cased, version):
    """Returns the line of a case, as the runner of crates/testkit reads it. The program rounds to three decimals."""
    options = f":language={asked['language']}" if asked["language"] else ""
    return {
        "why": why,
        "program": f"subtitle-edit-rate {version}",
        "segments": [{"hypothesis": asked["hyp"], "reference": asked["ref"]}],
        "expected": {"suber" + options: suber, "suber-cased" + options: cased},
        "tolerance": 5.1e-4,
    }


GIVEN = [*((None, pair) for pair in PAIRS), ("zh", CHINESE)]
for why, (language, (reference, hypothesis)) in zip(WHY, GIVEN, strict=True):
    asked = {"ref": reference, "hyp": hypothesis, "language": language}
    row = case(why, asked, *oracle["numbers"](asked), oracle["version"]("subtitle-edit-rate"))
    print(json.dumps(row, ensure_ascii=False))
