"""Writes the cases of ../tests/rows/golden.jsonl: turns of our own, asked of the programs behind `cargo xtask parity`.

    python3.11 make.py > ../tests/rows/golden.jsonl
"""
import json
from pathlib import Path

PARITY = Path(__file__).parents[4] / "checks" / "src" / "parity"
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


def metric(name, *options):
    """Returns a metric with its options that are set."""
    return ":".join([name, ",".join(option for option in options if option)])


def rows(why, case, found):
    """Returns the lines of a case, as the runner of crates/testkit reads them: exact rates, and the rounded seconds of md-eval."""
    uem = "" if case["uem"] else "uem=extent"
    collar = f"collar={case['collar']}"
    skip = "overlap=skip" if case["skip"] else ""
    der, jer, detection, purity, coverage = found["pyannote"]
    expected = {
        metric("der", "like=pyannote", uem, collar, skip): der,
        metric("jer", "like=pyannote", uem, collar): jer,
        metric("detection", "like=pyannote", uem, collar): detection,
        metric("purity", "like=pyannote", "uem=extent"): {"purity": purity, "coverage": coverage},
        metric("der", "like=simpleder", "uem=extent", collar): found["simpleder"][0],
    }
    for overlap, rate in zip(("keep", "single", "only", "nonoverlap"), found["spyder"]):
        if rate is not None:
            expected[metric("der", "like=spyder", uem, collar, f"overlap={overlap}")] = rate
    segment = {"hypothesis": case["hyp"], "reference": case["ref"], "source": case["uem"]}
    programs = "pyannote.metrics 4.2.0, simpleder 0.0.8, spy-der 0.4.1"
    yield {"why": why, "program": programs, "segments": [segment], "expected": expected, "tolerance": 1e-6}
    if found["md_eval"]:
        times = dict(zip(("total", "miss", "false_alarm", "confusion"), found["md_eval"]))
        expected = {metric("der", "like=md-eval", uem, collar, skip): times}
        program = "md-eval 22 (Debian's sctk 2.4.10)"
        yield {"why": f"{why}, in seconds", "program": program, "segments": [segment], "expected": expected, "tolerance": 0.0101}


def reason(place, case):
    """Returns the reason of the case at a place in the list: the session and the choices."""
    session = ("two speakers in turn", "overlapping speakers", "one speaker in two turns", "one speaker heard as two")[place // 9]
    regions = {0: "the extent of the turns", 1: "one region", 2: "two regions"}[len(case["uem"] or [])]
    return f"{session}: {regions}, a collar of {case['collar']}, overlap {'skipped' if case['skip'] else 'kept'}"


for place, (case, found) in enumerate(zip(cases, oracle["answer"](cases), strict=True)):
    for row in rows(reason(place, case), case, found):
        print(json.dumps(row))
