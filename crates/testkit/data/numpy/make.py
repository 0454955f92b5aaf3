# Writes random.json: draws of NumPy's default_rng, call after call, so that halves of words left over are seen.
# Run with NumPy 2: python make.py
import json
import pathlib

import numpy

SEEDS = [0, 1, 12345, 2**32 - 1, 2**32, 2**64 - 1, 2**64 + 12345, 2**128 - 1]
CALLS = [
    ("indices", 10, 21),
    ("booleans", 2, 37),
    ("indices", 1, 3),
    ("indices", 2074, 8),
    ("booleans", 2, 64),
    ("booleans", 2, 1),
    ("indices", 3_000_000_000, 9),
    ("indices", 2**31 + 1, 9),
]


def draw(random, kind, bound, count):
    if kind == "indices":
        return random.choice(bound, size=count, replace=True).tolist()
    return random.integers(2, size=count, dtype=bool).astype(int).tolist()


def case(seed):
    random = numpy.random.default_rng(seed)
    calls = [
        {"kind": kind, "bound": bound, "values": draw(random, kind, bound, count)} for kind, bound, count in CALLS
    ]
    return {"seed": str(seed), "calls": calls}


def main():
    data = {"source": f"NumPy {numpy.__version__}, default_rng", "cases": [case(seed) for seed in SEEDS]}
    text = json.dumps(data, indent=None, separators=(",", ":")).replace('{"kind"', '\n{"kind"')
    pathlib.Path(__file__).with_name("random.json").write_text(text + "\n")


main()
