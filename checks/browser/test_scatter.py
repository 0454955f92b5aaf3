"""A box dragged in the scatter: list and saved table hold the segments within it, and the live score is the library's of
these segments."""

import pytest

from support import close, corpus, interval

# The ends of the box, in shares of the axes.
LEFT, RIGHT, LOW, HIGH = 0.1, 0.8, 0.15, 0.7
FILES = corpus(11, 200)


@pytest.mark.parametrize("place, metric", [(0, "bleu"), (1, "chrf")])
def test_a_box(report, place, metric):
    report.open(report.make(FILES, "r1", "-i", "s2", "s3", "-m", "bleu", "chrf"), 1300)
    report.js("document.documentElement.style.scrollBehavior = 'auto'")
    report.choose("pick-metric", place)
    head, *rows = report.saved()
    drag(report)
    box = report.js("new URLSearchParams(location.hash.slice(1)).get('box')").split("..")
    left, right, low, high = map(float, box)
    # The first system is told upward, the second to the right; each cell of a score follows its text.
    first, second = (next(at for at, cell in enumerate(head) if cell.startswith(name)) for name in ("s2 ", "s3 "))
    inside = [row for row in rows if left <= float(row[second]) <= right and low <= float(row[first]) <= high]
    kept = report.saved()[1:]
    assert sorted(kept) == sorted(inside) and 0 < len(kept) < len(rows)
    assert report.listed() == len(kept)
    live(report, sorted(int(row[0]) - 1 for row in kept), metric)
    # Dropped, everything is there again.
    report.js("document.querySelector('#chips button').click()")
    assert len(report.saved()) == len(rows) + 1


def drag(report):
    """From corner to corner of the box, in steps."""
    report.js("document.getElementById('charts').scrollIntoView({ block: 'center' })")
    x, y, width, height = report.js(
        "(r => [r.left, r.top, r.width, r.height])(document.getElementById('scatter').getBoundingClientRect())"
    )
    # The margins of the axes, as in the script.
    across = lambda share: round(x + 34 + share * (width - 34 - 8))
    up = lambda share: round(y + height - 24 - share * (height - 8 - 24))
    mouse = report.page.mouse
    mouse.move(across(LEFT), up(LOW))
    mouse.down()
    mouse.move(across(RIGHT), up(HIGH), steps=3)
    mouse.up()


def live(report, kept, metric):
    """The live scores of what is kept, against the program's of the same lines."""
    shown = report.js(
        "[...document.querySelectorAll('#live [data-value]')].map(e => [e.dataset.value, e.dataset.low ?? null, e.dataset.high ?? null])"
    )
    reference, *systems = report.part(FILES, ["r1", "s2", "s3"], kept)
    for system, found in zip(systems, shown):
        close(found[0], report.json("score", reference, "-i", system, "-m", metric)["score"], "live score")
    interval(shown[2], report.json("compare", reference, "-i", *systems, "-m", metric)["metrics"][0]["pairs"][0])
