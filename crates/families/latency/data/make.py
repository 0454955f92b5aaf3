"""Writes the cases of ../tests/rows/golden.jsonl: segments of our own, asked of the programs behind `cargo xtask parity`.

    python3.11 make.py > ../tests/rows/golden.jsonl
"""
import json
import struct
from pathlib import Path

PARITY = Path(__file__).parents[4] / "checks" / "src" / "parity"
oracle = {}
exec((PARITY / "programs.py").read_text(), oracle)
oracle["serve"] = lambda *_: None
exec((PARITY / "latency.py").read_text(), oracle)


def segment(delays, source, reference, end=None, compute=130.0):
    elapsed = [delay + compute * place for place, delay in enumerate(delays, 1)]
    one = {"delays": delays, "elapsed": elapsed, "source_length": source, "reference": reference}
    return one if end is None else {**one, "recording_end": end}


TALK = [
    segment([640.0, 640.0, 1280.0, 2560.0], 2910.0, "the tide turned at noon"),
    segment([900.0, 1800.0, 2700.0, 3600.0, 3610.5], 3610.5, "we sailed"),
    segment([2000.0, 2000.0], 2000.0, "all at once"),
    segment([2500.0], 2000.0, "late"),
    segment([], 700.0, "nothing is written"),
    segment([100.0], 0.0, "no source"),
    segment([320.0, 320.0], 1234.5, ""),
]
LONG = [
    segment([-40.0, 700.0, 3000.0, 9000.0], 2910.0, "a b c", end=5000.0),
    segment([320.0, 960.0, 4000.0], 2000.0, "d e f g"),
    segment([8000.0], 2000.0, "h", end=7000.0),
]
CASES = [{"segments": segments, "long": False} for segments in ([one] for one in TALK)]
CASES += [{"segments": TALK, "long": False}, {"segments": LONG, "long": True}]


def case(asked, expected, program, version):
    """Returns the line of a case, as the runner of crates/testkit reads it."""
    form = {"form=long": asked["long"], "unit=char": asked["unit"] == "char", "times=elapsed": asked["aware"]}
    options = ",".join(option for option, is_set in form.items() if is_set)
    segments = []
    for one in asked["segments"]:
        parts = {key: value for key, value in one.items() if key != "reference"}
        segments.append({"hypothesis": parts, "reference": one["reference"]})
    what = "a long recording" if asked["long"] else f"{len(segments)} segments"
    if len(segments) == 1:
        what = f"`{segments[0]['reference']}`"
    return {
        "why": f"{program}: {what} by {asked['unit']}s{', with the time to compute' if asked['aware'] else ''}",
        "program": f"{program} {version}",
        "segments": segments,
        "expected": {name.lower() + (":" + options if options else ""): value for name, value in expected.items()},
    }


for given in CASES:
    for unit, aware in (("word", False), ("char", False), ("word", True)):
        asked = {**given, "unit": unit, "aware": aware}
        for program, found in oracle["answer"]([asked])[0].items():
            values = {name: value and struct.unpack("<d", struct.pack("<Q", value))[0] for name, value in found.items()}
            if values:
                row = case(asked, values, program, oracle["version"](program.lower()))
                print(json.dumps(row, ensure_ascii=False))
