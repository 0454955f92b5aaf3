"""The list by keyboard, its filters, the address that a link carries, and the page without scripts."""

import re

import pytest

from support import corpus

ARGUMENTS = ["r1", "r2", "-i", "s1", "s2", "s3"]
SELECTED = "Number(document.querySelector('#size [aria-selected=true]')?.dataset.segment ?? -1) + 1"


@pytest.fixture
def address(report):
    return report.make(corpus(7, 400), *ARGUMENTS, "--label", "domain=domain")


def test_keys_and_search(report, address):
    report.open(f"{address}#sort=number", 1200, 900)
    report.js("document.getElementById('view').focus()")
    assert report.js(SELECTED) == 1
    steps = [("ArrowDown ArrowDown j", 4), ("ArrowUp k", 2), ("End", 400), ("ArrowUp", 399), ("Home", 1)]
    for keys, segment in steps:
        for key in keys.split():
            report.page.keyboard.press(key)
        assert report.js(SELECTED) == segment, keys
    report.page.keyboard.press("PageDown")
    assert report.js(SELECTED) > 5
    # What is selected is in sight, and few rows exist whatever the number of segments.
    assert report.js(
        """() => {
          const r = document.querySelector('#size [aria-selected=true]').getBoundingClientRect();
          const v = document.getElementById('view').getBoundingClientRect();
          return r.top >= v.top && r.bottom <= v.bottom + 1 && document.querySelectorAll('#size [data-segment]').length < 60;
        }"""
    )
    report.page.keyboard.press("/")
    assert report.js("document.activeElement.id") == "q"
    # A text, a regular expression, and one that is none.
    for query, kept in (("zzz", [0]), ("/^the/", range(1, 400)), ("", [400])):
        report.search(query)
        assert report.listed() in kept, query
    report.search("/(/")
    assert "not a regular expression" in report.js("document.getElementById('problem').textContent")


def test_link(report, address):
    """A link restores pair, order, filter, segment and view; one with impossible values falls back."""
    def state():
        shown = report.js(
            "[...['pick-a', 'pick-b', 'sort'].map(id => document.getElementById(id).value), document.querySelector('#pane h3').textContent, !!document.querySelector('#pane .cols'), document.documentElement.dataset.theme]"
        )
        return [*shown, report.listed()]

    wanted = ["2", "0", "-size", "Segment 4", True, "dark", 134]
    report.open(f"{address}#a=s3&b=s1&sort=-size&in.domain=news&segment=4&view=aligned&theme=dark")
    assert state() == wanted
    report.open(report.js("location.href"))
    assert state() == wanted
    report.open(f"{address}#a=none&sort=odd&segment=1e9&in.domain=x&in.none=y&view=z&box=1..2&difference=a..b&metric=q")
    assert report.listed() == 400 and not report.console


def test_without_scripts(report, address):
    """The tables are complete: every score, pair, group and n-gram is in the markup."""
    markup = (report.folder / "page.html").read_text(encoding="utf-8").partition("<script")[0]
    scores = report.program("score", *ARGUMENTS, "-q", "-w", "2", "-f", "text")
    numbers = re.findall(r"(?<![^│ \n])\d+\.\d+(?![^│ \n])", scores)
    assert len(numbers) >= 3
    for number in numbers:
        assert f'<td class="num">{number}</td>' in markup
    for words in ("BLEU by domain", "BLEU by length", "chat \u202ex", "has more often, of s1 and s2", 'data-a="2" data-b="1"'):
        assert words in markup
