"""Each against each, the parts of a difference and the intervals of groups, against the library."""

import math

import pytest

from support import close, corpus

SYSTEMS = ["s1", "s2", "s3"]
METRICS = ["bleu", "chrf", "ter"]
FILES = corpus(21, 130)


@pytest.fixture
def address(report):
    return report.make(FILES, "r1", "r2", "-i", *SYSTEMS, "-m", *METRICS, "--label", "domain=domain")


def test_each_against_each(report, address):
    """Differences, intervals and corrected p-values of all pairs in both directions."""
    report.open(address, 1300)
    metrics = report.json("compare", "r1", "r2", "-i", *SYSTEMS, "-m", *METRICS)["metrics"]
    tables = report.js(
        "[...document.querySelectorAll('table.matrix')].map(t => [...t.querySelectorAll('td[data-a]')].map(td => [Number(td.dataset.a), Number(td.dataset.b), ...[...td.querySelectorAll('span, small')].map(e => e.textContent.replaceAll('\\u2212', '-'))]))"
    )
    assert len(tables) == len(metrics)
    for table, metric in zip(tables, metrics):
        pairs = {(pair["first"], pair["second"]): pair for pair in metric["pairs"]}
        for row, column, difference, ends, told in table:
            turned = (row, column) not in pairs
            pair = pairs[(column, row) if turned else (row, column)]
            low, high = pair["interval"]["lower"], pair["interval"]["upper"]
            shown(difference, -pair["difference"] if turned else pair["difference"])
            for end, expected in zip(ends.split(" to "), (-high, -low) if turned else (low, high), strict=True):
                shown(end, expected)
            shown(told.replace(",", " ").split(" ")[2], pair["corrected"])
            assert ("not sure" in told) == (pair["corrected"] > 0.05), told


def shown(text, expected):
    """A number as it is shown is the one given, rounded to the decimals it has."""
    decimals = len(text.partition(".")[2])
    assert decimals > 0 and abs(float(text) - expected) <= 0.5 * 10**-decimals + 1e-9, f"{text} stands for {expected}"


@pytest.mark.parametrize("first, second", [(0, 1), (2, 0)])
def test_a_pair(report, address, first, second):
    report.open(f"{address}#a={SYSTEMS[first]}&b={SYSTEMS[second]}", 1300)
    parts(report, first, second)
    for place, metric in enumerate(METRICS):
        groups(report, first, second, place, metric)


def parts(report, first, second):
    """Points per order and brevity: each by the logarithmic mean of the two scores, and together their difference."""
    rows = report.js(
        "[...document.querySelectorAll('#why tbody tr')].map(r => [...r.querySelectorAll('[data-value]')].map(e => Number(e.dataset.value)))"
    )
    close(sum(row[2] for row in rows[:5]), rows[5][2], "the sum of the parts")
    one, other = (report.json("score", "r1", "r2", "-i", SYSTEMS[system]) for system in (first, second))
    difference = one["score"] - other["score"]
    mean = difference / math.log(one["score"] / other["score"])
    close(rows[5][2], difference, "the difference")
    for order, (left, right, points) in enumerate(rows[:4]):
        close(left, one["precisions"][order], f"precision of order {order + 1}")
        close(right, other["precisions"][order], f"precision of order {order + 1}")
        close(points, mean / 4 * math.log(left / right), f"points of order {order + 1}")
    close(rows[4][2], mean * math.log(rows[4][0] / rows[4][1]), "points of brevity")


def groups(report, first, second, place, metric):
    """The difference of a group and its interval, as `compare` has them for the lines of the group alone."""
    report.choose("pick-metric", place)
    report.js("document.querySelector('#by input[value=domain]').click()")
    rows = report.js(
        "[...document.querySelectorAll('#slices tbody tr')].map(r => [r.dataset.label, [...r.querySelectorAll('[data-value]')].at(-1).dataset.value, r.querySelector('[data-low]').dataset.low, r.querySelector('[data-low]').dataset.high])"
    )
    labels = FILES["domain"].splitlines()
    assert {label for label, *_ in rows} == set(labels)
    for label, *found in rows:
        names = ["r1", "r2", SYSTEMS[first], SYSTEMS[second]]
        kept = [segment for segment, own in enumerate(labels) if own == label]
        part = report.part(FILES, names, kept)
        pair = report.json("compare", *part[:2], "-i", *part[2:], "-m", metric)["metrics"][0]["pairs"][0]
        # With at most six systems, the interval is that of the test on the resamples, not the jackknife's.
        ends = pair["interval"]["lower"], pair["interval"]["upper"]
        for name, shown, expected in zip(("difference", "lower end", "upper end"), found, (pair["difference"], *ends), strict=True):
            close(shown, expected, name)
