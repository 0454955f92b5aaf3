"""Writes the cases of ../tests/rows/golden.jsonl: the values of the functions in programs.py for texts of our own.

    pip install rapidfuzz==3.14.6 thefuzz==0.22.1 anls==0.0.2 cer==1.2.0 nltk==3.10.4
    pip install --no-deps torchmetrics==1.9.0
    python make.py > ../tests/rows/golden.jsonl         (CPython 3.11)
"""
import json
import struct
from pathlib import Path

CASES = [
    ("", [""]),
    ("", ["abc"]),
    ("a", ["a"]),
    ("a", ["b"]),
    ("ab", ["ba"]),
    ("the cat sat on the mat", ["a cat sat on the mat", "the dog sat"]),
    ("  kept  spaces\t", ["kept spaces", " kept  spaces"]),
    ("MARTHA", ["MARHTA"]),
    ("DIXON", ["DICKSONX"]),
    ("return x + 1;", ["return y + 1;", "return 1 + x;"]),
    ("for i in range(10):\n    print(i)", ["for j in range(10):\n    print(j)"]),
    ("Straße 12", ["STRASSE 12", "strasse  12"]),
    ("ΣΊΣΥΦΟΣ", ["Σίσυφος"]),
    ("abcd", ["abxy"]),
    ("Dr. Jones, e.g. at 3. 5 p.m. in the U. S. !", ["Dr Jones at 3.5, i. e. now?"]),
    ("yesterday they arrived at the old house", ["they arrived yesterday at the house"]),
    ("a b a c a d a", ["a c a b a d b"]),
    ("the the the cat", ["the cat the the", "cat the"]),
    ("one two three four five six", ["six five four three two one"]),
    ("ｶﾞｷﾞ　東京 タワー", ["ガギ 東京タワー"]),
    ("def f(x):\n    return x\n" * 10, ["def g(y):\n    return y\n" * 10]),
    ("abcabcabd" * 24, ["abdabcabc" * 23 + "xyz"]),
    ("word " * 40, ["word " * 41 + "end"]),
]


#: The metric of each function of programs.py.
METRICS = {
    "levenshtein": "edit_similarity:kind=levenshtein",
    "indel": "edit_similarity:kind=indel",
    "jaro": "edit_similarity:kind=jaro",
    "jaro_winkler": "edit_similarity:kind=jaro_winkler",
    "difflib": "edit_similarity:kind=difflib",
    "difflib-all": "edit_similarity:kind=difflib,autojunk=no",
    "percent": "edit_similarity:kind=indel,round=percent",
    "ned": "ned",
    "anls": "anls",
    "eed": "eed",
    "eed-ja": "eed:language=ja",
    "character": "character",
    "ribes": "ribes:tokenize=none",
}
PROGRAMS = "rapidfuzz 3.14.6, difflib of CPython 3.11.7, thefuzz 0.22.1, anls 0.0.2, torchmetrics 1.9.0, NLTK 3.10.4"


def written(found):
    """Returns the lines of all texts, as the runner of crates/testkit reads them. `found` has the values of each function."""
    for place, (hypothesis, references) in enumerate(CASES):
        values = {program: all[place] for program, all in found.items()}
        # cer compares with one reference.
        alone = {"character": values.pop("character")}
        for program, why, references, values in (
            (PROGRAMS, "similarities of", references, values), ("cer 1.2.0", "CharacTER of", references[:1], alone),
        ):
            yield {
                "why": f"{why} {json.dumps(hypothesis[:60], ensure_ascii=False)} and {json.dumps(references[0][:60], ensure_ascii=False)}",
                "program": program,
                "segments": [{"hypothesis": hypothesis, "references": references}],
                "expected": {METRICS[name]: value for name, value in values.items()},
            }


def rows(about, answer):
    found = {}
    for program in similarities:
        cases = [(hypothesis, references[:1]) for hypothesis, references in CASES] if program == "character" else CASES
        values = answer({"program": program, "cases": cases})
        found[program] = [value if value is None else struct.unpack("<d", struct.pack("<Q", value))[0] for value in values]
    assert all(about["programs"].values()), about["programs"]
    for row in written(found):
        print(json.dumps(row, ensure_ascii=False))


driver = Path(__file__).resolve().parents[4] / "checks" / "src" / "parity" / "programs.py"
functions = Path(__file__).with_name("programs.py")
parts = driver.read_text(encoding="utf-8") + "\nserve = rows\n" + functions.read_text(encoding="utf-8")
exec(compile(parts, "programs.py", "exec"))
