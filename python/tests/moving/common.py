"""The common part of the tests of rows: texts, our scores, programs and other libraries."""

import subprocess
import sys
from pathlib import Path

import bleuprint

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT / "examples" / "data"
#: Tests by page and first cell.
TESTS = {}


def row(page, cell):
    def keep(function):
        assert (page, cell) not in TESTS, cell
        TESTS[page, cell] = function
        return function

    return keep


def lines(name, count=40):
    return (DATA / name).read_text(encoding="utf-8").splitlines()[:count]


HYPS, REFS, MORE = lines("en.sys-a.txt"), lines("en.ref1.txt"), lines("en.ref2.txt")
BOTH = [list(pair) for pair in zip(REFS, MORE)]
STREAMS = [REFS, MORE]


def score(spec, references=REFS, hypotheses=HYPS, **options):
    return bleuprint.metric(spec, **options).score(hypotheses, references).score


def library(name):
    """The module of another library, or None if it is not installed."""
    try:
        return __import__(name, fromlist=["x"])
    except ImportError:
        return None


def program(*arguments):
    done = subprocess.run([sys.executable, "-m", "bleuprint", *map(str, arguments)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def files(folder, **texts):
    paths = []
    for name, rows in texts.items():
        paths.append(folder / f"{name}.txt")
        paths[-1].write_text("".join(f"{line}\n" for line in rows), encoding="utf-8")
    return paths
