# Writes means.json: Python's exact mean and NumPy's pairwise sums of the sorted numbers, as the bits of floats.
# Run with CPython 3.11 and NumPy 2: python make_means.py
import json
import pathlib
import statistics
import struct

import numpy

LENGTHS = [1, 2, 7, 8, 9, 40, 127, 128, 129, 136, 255, 256, 257, 1000, 1041]


def bits(value):
    return struct.unpack("<Q", struct.pack("<d", float(value)))[0]


def case(random, length, spread):
    values = random.normal(30, 5, length) * numpy.exp2(random.integers(-spread, spread + 1, length))
    single = values.astype(numpy.float32)
    return {
        "values": [bits(v) for v in values],
        "mean": bits(statistics.mean(values.tolist())),
        "sum": bits(numpy.sort(values).sum()),
        "single_mean": bits(statistics.mean(list(single))),
        "single_sum": bits(numpy.sort(single).sum()),
    }


def main():
    random = numpy.random.default_rng(5)
    cases = [case(random, length, spread) for length in LENGTHS for spread in (0, 20)]
    data = {"source": f"CPython 3.11 statistics.mean, NumPy {numpy.__version__} sum of the sorted numbers", "cases": cases}
    text = json.dumps(data, separators=(",", ":")).replace('{"values"', '\n{"values"')
    pathlib.Path(__file__).with_name("means.json").write_text(text + "\n")


main()
