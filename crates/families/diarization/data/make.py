"""Writes golden.jsonl: turns of our own, asked of the programs behind `cargo xtask parity`.

    python3.11 make.py > golden.jsonl
"""
import json
from pathlib import Path

PARITY = Path(__file__).parents[3] / "checks" / "src" / "parity"
oracle = {}
exec((PARITY / "programs.py").read_text(), oracle)
oracle["serve"] = lambda *_: None
exec((PARITY / "diarization.py").read_text(), oracle)

SESSIONS = [
    ([["Ann", 0.5, 4.0], ["Bob", 4.0, 9.5]], [["1", 0.25, 4.75], ["2", 5.0, 10.5]]),
    ([["Ann", 0.5, 6.0], ["Bob", 4.0, 9.5], ["Ann", 9.5, 11.0]], [["1", 0.0, 5.0], ["2", 5.5, 9.0], ["3", 9.0, 11.5]]),
    ([["Ann", 1.0, 3.0], ["Ann", 3.0, 7.25]], [["1", 1.0, 7.5]]),
    ([["Ann", 0.1, 9.9]], [["1", 0.1, 3.3], ["2", 3.3, 6.7], ["1", 6.5, 9.9]]),
]
REGIONS = [None, [[0.0, 8.0]], [[0.0, 5.25], [6.0, 12.0]]]
cases = [
    {"ref": reference, "hyp": hypothesis, "uem": regions, "collar": collar, "skip": skip, "scored": regions is not None}
    for reference, hypothesis in SESSIONS
    for regions in REGIONS
    for collar, skip in ((0.0, False), (0.25, False), (0.5, True))
]
for case, found in zip(cases, oracle["answer"](cases)):
    case.pop("scored")
    print(json.dumps({**case, **found}))
