"""Pages of every kind under every address: they start, list all segments and do not complain, whatever is pressed."""

import pytest

from support import corpus

# What a page is made with, and how many segments it has.
PAGES = {
    "no texts": ("r1 -i s1 s2 --no-texts --label domain=domain", 60),
    "sample": ("r1 r2 -i s1 s2 s3 --sample 7", 60),
    "compressed": ("r1 -i s1 s2 --compress --label domain=domain", 60),
    "stored": ("--stats v1.stats v2.stats", 60),
    "one system": ("r1 -i s1 --label __proto__=domain", 60),
    "one segment": ("o-ref -i o-one o-two", 1),
    "empty": ("e-ref -i e-one e-two -m bleu chrf ter wer", 2),
    "equal": ("r1 -i r1 s1 -m bleu exact_match", 60),
    "names": ("r1 -i s1 s2 --label :words=domain --label __proto__=domain --label words=domain", 60),
    "metrics": ("r1 -i s1 s2 s3 -m ter rougeL gleu distinct repetition cider meteor nist wip", 60),
}

# Addresses that fit no page, some, and none at all.
FRAGMENTS = [
    "",
    "by=:words&q=the&view=aligned&ngram=the",
    "q=/(/&segment=1&box=0..1..0..1&difference=-1..1",
    "in.domain=news&in.__proto__=news&in.:words=news&by=__proto__&sort=-b",
    "%%%=%zz&segment=0x1&segment=1e1&a=s2&b=s2&metric=__proto__&theme=none",
]

# Every metric, every grouping, both views, the other pair, the largest and the last segment.
PRESS_ALL = """() => {
  for (const option of document.getElementById('pick-metric').options) {
    const e = document.getElementById('pick-metric'); e.value = option.value; e.dispatchEvent(new Event('change'));
    for (const radio of document.querySelectorAll('#by input')) radio.click();
    for (const radio of document.querySelectorAll('#pane input')) radio.click();
    document.getElementById('swap').click();
  }
  document.querySelectorAll('#histogram button').forEach(bar => bar.click());
  document.querySelectorAll('#slices button').forEach(name => name.click());
  document.querySelectorAll('#grams button').forEach(ngram => ngram.click());
  while (document.querySelector('#chips button')) document.querySelector('#chips button').click();
  document.getElementById('theme').click();
  dispatchEvent(new Event('beforeprint'));
}"""


@pytest.mark.parametrize("kind", PAGES)
def test_kind(report, kind):
    arguments, segments = PAGES[kind]
    files = corpus(13, 60) | {"o-ref": "one segment\n", "o-one": "one segment\n", "o-two": "two\n"}
    files |= {"e-ref": "\n\n", "e-one": "\n\n", "e-two": "a\n\n"}
    report.write(files)
    if kind == "stored":
        for system, place in (("s1", "v1.stats"), ("s2", "v2.stats")):
            report.program("stats", "r1", "-i", system, "-q", "--overwrite", "-o", place)
    address = report.make({}, *arguments.split())
    for fragment in FRAGMENTS:
        report.open(f"{address}#{fragment}")
        # The script of a compressed page is not done when the page is.
        report.page.wait_for_function("document.documentElement.dataset.ready", timeout=20_000)
        root = "document.documentElement.classList.contains('scripted')"
        assert report.js(f"[{root}, document.querySelector('header .problem')?.textContent ?? null]") == [True, None]
        report.js(PRESS_ALL)
        assert not report.console, fragment
        assert report.listed() == segments, fragment


def test_a_rate_has_outcomes_in_place_of_charts(report):
    """Segments that are right or wrong are four points in a chart; the list filters those that flipped."""
    files = corpus(13, 60)
    report.open(report.make(files, "r1", "-i", "r1", "s1", "-m", "exact_match", "bleu"))
    shown = "[!document.getElementById('charts').hidden, !document.getElementById('outcomes').hidden]"
    report.choose("pick-metric", "1")
    first = report.js(shown)
    report.choose("pick-metric", "0")
    assert sorted([first, report.js(shown)]) == [[False, True], [True, False]]
