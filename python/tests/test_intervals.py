"""The golden rows of intervals, at all their levels."""

import json
from pathlib import Path

import bleuprint
import pytest

ROWS = Path(__file__).resolve().parents[2] / "crates/testkit/data/intervals/golden.jsonl"


def close(found, expected):
    assert len(found) == len(expected)
    for one, other in zip(found, expected):
        assert one is None or abs(one - other) <= 1e-12, (found, expected)


def given(values):
    return bleuprint.given("x", values, scale=(0, 1), producer="p")


def pair(first, second, level, unit=None):
    systems = {"a": given(first), "b": given(second)}
    return bleuprint.compare(systems, significance=1 - level, unit=unit)["pairs"][0]


def rate(right, n):
    return given([1.0] * right + [0.0] * (n - right))


def test_golden_rows():
    kinds = {"paired": 0, "unpaired": 0, "units": 0}
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
            sizes = [row[side][1] for side in ("first", "second")]
            # A side of one number is refused; the largest rows are left to the library.
            if min(sizes) < 2 or max(sizes) > 2000:
                continue
            systems = {"a": rate(*row["first"]), "b": rate(*row["second"])}
            compared = bleuprint.compare(systems, unpaired=True, significance=1 - row["level"])
            found, p_value = compared["pairs"][0], row["p"]
            assert found["method"] == "miettinen-nurminen"
        kinds[row["kind"]] += 1
        ends = [found["interval"]["lower"], found["interval"]["upper"]]
        # 1 - level is rounded, so that the quantile is another by a few units in the last place.
        close(ends + [found["difference"], found["p_value"]], row["interval"] + [row["difference"], p_value])
    assert kinds == {"paired": 165, "unpaired": 173, "units": 60}


# The second system has longer outputs: the same recall and a lower precision.
REFS = [f"w{at} one two three" for at in range(20)]
OUTPUTS = {"short": REFS, "long": [f"{text} four five six seven" for text in REFS]}


def scores(compared):
    return {name: compared["scores"][name] for name in OUTPUTS}


def test_headline_numbers():
    run = bleuprint.metrics("rouge1", "exact_match").run(OUTPUTS, REFS)
    every = run.compare(headline=["all"], n=100)
    # The first number keeps the metric's name, and so does a metric with one number.
    assert list(every) == ["rouge1", "rouge1 precision", "rouge1 recall", "exact_match"]
    found = run.scores()
    for key, name in [("rouge1", "f1"), ("rouge1 precision", "precision"), ("rouge1 recall", "recall")]:
        expected = {system: found[system]["rouge1"].headlines[name] for system in OUTPUTS}
        assert scores(every[key]) == expected
        alone = bleuprint.compare(OUTPUTS, REFS, metric="rouge1", headline=name, n=100)
        assert scores(alone) == expected
        assert alone["pairs"][0]["interval"] == every[key]["pairs"][0]["interval"]
    assert scores(every["rouge1 precision"]) == {"short": 1.0, "long": 0.5}
    assert list(run.compare(headline=["recall"], n=100)) == ["rouge1 recall", "exact_match"]
    assert run.compare(n=100)["exact_match"] == every["exact_match"]
    assert "ROUGE-1 precision" not in str(run.report(n=100))
    assert "ROUGE-1 precision" in str(run.report(headline=["precision"], n=100))


def test_parts_as_headline_numbers():
    gold = ["common"] * 18 + ["rare"] * 2
    systems = {"right": gold, "majority": ["common"] * 20}
    compared = bleuprint.compare(systems, gold, metric="labels", headline="accuracy", n=100)
    assert compared["scores"] == {"right": 1.0, "majority": 0.9}


@pytest.mark.filterwarnings("ignore:.*the same references")
def test_headline_numbers_of_unpaired_systems():
    systems = {name: bleuprint.metric("rouge1").statistics(texts, REFS) for name, texts in OUTPUTS.items()}
    compared = bleuprint.compare(systems, unpaired=True, headline="precision", n=100)
    assert scores(compared) == {"short": 1.0, "long": 0.5}


@pytest.mark.parametrize("unpaired", [False, True])
def test_headline_numbers_that_are_refused(unpaired):
    systems = {name: bleuprint.metric("rouge1").statistics(texts, REFS) for name, texts in OUTPUTS.items()}
    with pytest.raises(ValueError, match="no metric has a headline number or part `presicion`"):
        bleuprint.compare(systems, headline="presicion", unpaired=unpaired)
    with pytest.raises(ValueError, match="Run.compare takes"):
        bleuprint.compare(systems, headline="all", unpaired=unpaired)
