"""The numbers of the page against those of the program: scores, intervals, groups, shares, segments."""

import pytest

from support import close, corpus, interval, number

LABEL = ["--label", "domain=domain"]
ARGUMENTS = [
    (["r1", "-i", "s1", "s2", "s3"], LABEL),
    (["r1", "r2", "-i", "s1", "s2", "s3", "-m", "bleu", "chrf", "exact_match", "ter"], LABEL),
    (["r1", "-i", "s1", "s2", "-m", "gleu", "wer", "distinct", "chrf", "--tokenize", "zh"], []),
]


@pytest.mark.parametrize("arguments, label", ARGUMENTS)
@pytest.mark.parametrize("seed, segments", [(1, 40), (2, 11), (3, 3), (4, 150)])
def test_numbers(report, seed, segments, arguments, label):
    report.open(report.make(corpus(seed, segments), *arguments, *label))
    assert not report.console
    metrics = report.js("Array.from(document.getElementById('pick-metric').options, o => o.textContent)")
    printed = report.json("score", *arguments)
    # Of the statistics of some metrics nothing can be resampled.
    compared = report.json("compare", *(word for word in arguments if word != "distinct"))["metrics"]
    by = "domain" if label else "length"
    groups = [group for group in report.json("score", "--by", by, *arguments, *label) if group["by"] == by]
    for place, name in enumerate(metrics):
        report.choose("pick-metric", place)
        scores(report, [system["scores"][place]["score"] for system in printed])
        group_scores(report, by, groups, place)
        if name in ("BLEU", "chrF2"):
            segment_scores(report, arguments, name)
        if "s3" not in arguments:
            for metric in (metric for metric in compared if metric["metric"] == name):
                shares(report, metric)


def scores(report, printed):
    """The scores of all systems, and the live difference of everything."""
    page = report.js("Array.from(document.querySelectorAll('#scores td[data-value]'), e => e.dataset.value)")
    assert len(page) == len(printed)
    for ours, score in zip(page, printed):
        close(ours, score, "score")
    live = report.js("document.querySelector('#live b')?.dataset.value ?? null")
    first, second = map(number, page[:2])
    if None not in (first, second, number(live)):
        close(live, first - second, "live difference")


def group_scores(report, by, groups, place):
    """The scores of groups, as `score --by` has them."""
    report.js(f"document.querySelector('#by input[value={by}]').click()")
    page = report.js(
        "Array.from(document.querySelectorAll('#slices tbody tr'), r => [r.dataset.label, Array.from(r.querySelectorAll('td[data-value]'), e => e.dataset.value)])"
    )
    page = dict(page)
    for group in groups:
        for system in range(2):
            close(page[group["group"]][system], group["systems"][system]["scores"][place]["score"], group["group"])


def segment_scores(report, arguments, name):
    """The scores of segments, as `score --sentence-level` has them; BLEU alone has a setting of its own for segments there."""
    references = arguments[: arguments.index("-i")]
    tokens = ["--tokenize", "zh"] if "zh" in arguments and name == "BLEU" else []
    metric = {"BLEU": "bleu", "chrF2": "chrf"}[name]
    printed = report.jsonl("score", *references, "-i", "s1", "-sl", "-m", metric, *tokens)
    report.choose("sort", "number")
    rows = report.js(
        "Array.from(document.querySelectorAll('#size [data-segment]'), r => [Number(r.dataset.segment), r.querySelectorAll('[data-value]')[1].dataset.value])"
    )
    assert rows
    for segment, score in rows:
        close(score, printed[segment]["score"], f"segment {segment + 1}")


def shares(report, metric):
    """Shares of segments, and the interval of two systems, as `compare` has them."""
    rows = report.js(
        "Array.from(document.querySelectorAll('#size [data-segment]'), r => [Number(r.dataset.segment) + 1, r.querySelector('[data-value]').dataset.value])"
    )
    points = {segment["segment"]: segment["points"] for segment in metric["segments"]}
    for segment, share in rows:
        if segment in points:
            close(share, points[segment], f"share of segment {segment}")
    live = report.js("(e => [e.dataset.value, e.dataset.low, e.dataset.high])(document.querySelector('#live b'))")
    interval(live, metric["pairs"][0])
