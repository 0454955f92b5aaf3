"""The golden rows of intervals, at all their levels."""

import json
from pathlib import Path

import bleuprint

ROWS = Path(__file__).resolve().parents[2] / "crates/testkit/data/intervals/golden.jsonl"
METRIC = "given:name=x,scale=0..1,producer=p"


def close(found, expected):
    assert len(found) == len(expected)
    for one, other in zip(found, expected):
        assert one is None or abs(one - other) <= 1e-12, (found, expected)


def pair(first, second, level, unit=None):
    compared = bleuprint.compare(
        {"a": first, "b": second}, metric=METRIC, significance=1 - level, unit=unit
    )
    return compared["pairs"][0]


def test_golden_rows():
    kinds = {"paired": 0, "units": 0}
    for line in ROWS.read_text().splitlines():
        row = json.loads(line)
        if row["kind"] == "paired":
            n, b, c = row["n"], row["only_first"], row["only_second"]
            if n > 2000:  # left to the library
                continue
            first = [float(at < b) for at in range(n)]
            second = [float(b <= at < b + c) for at in range(n)]
            found, p_value = pair(first, second, row["level"]), row["p_exact"]
        elif row["kind"] == "units":
            first, second, unit = [], [], []
            for number, (size, one, other) in enumerate(row["units"]):
                first += [float(at < one) for at in range(size)]
                second += [float(at < other) for at in range(size)]
                unit += [f"u{number}"] * size
            found, p_value = pair(first, second, row["level"], unit), row["p"]
        else:
            continue
        kinds[row["kind"]] += 1
        ends = [found["interval"]["lower"], found["interval"]["upper"]]
        # 1 - level is rounded, so that the quantile is another by a few units in the last place.
        close(ends + [found["difference"], found["p_value"]], row["interval"] + [row["difference"], p_value])
    assert kinds == {"paired": 165, "units": 60}
