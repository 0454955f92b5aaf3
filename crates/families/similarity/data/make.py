"""Writes golden.jsonl: the values of the functions in programs.py for texts of our own.

    pip install rapidfuzz==3.14.6 thefuzz==0.22.1 anls==0.0.2 cer==1.2.0 nltk==3.10.4
    pip install --no-deps torchmetrics==1.9.0
    python make.py > golden.jsonl         (CPython 3.11)
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


def rows(about, answer):
    versions = about["programs"]
    for program in similarities:
        values = answer({"program": program, "cases": CASES})
        for (hypothesis, references), value in zip(CASES, values):
            if program == "character":
                references = references[:1]
                value = answer({"program": program, "cases": [(hypothesis, references)]})[0]
            row = {"program": program, "hypothesis": hypothesis, "references": references}
            row["value"] = None if value is None else struct.unpack("<d", struct.pack("<Q", value))[0]
            print(json.dumps(row, ensure_ascii=False))
    assert all(versions.values()), versions


driver = Path(__file__).resolve().parents[3] / "checks" / "src" / "parity" / "programs.py"
functions = Path(__file__).with_name("programs.py")
parts = driver.read_text(encoding="utf-8") + "\nserve = rows\n" + functions.read_text(encoding="utf-8")
exec(compile(parts, "programs.py", "exec"))
