"""Right-to-left and unspaced texts: each is shown in its own direction, whole, and isolated from what stands around it."""

import pytest

from support import lines

HEBREW = ["הכלב נשך את האיש.", "\u202eזה לא היה (צפוי)!", "שלום world 2,000 פעמים"]
OTHER = ["האיש נשך את הכלב.", "זה היה צפוי!", "שלום שלום"]
CHINESE = ["狗咬了那个人。", "这并不意外！", "他有2,000本书。"]
THERE = ["那个人咬了狗。", "这很意外！", "他有2,000本书。"]
ENGLISH = ["The dog bit the man.", "It was not (expected)!", "Hello 2,000 times"]


def runs(text):
    """The direction of the first letter."""
    letter = next(char for char in text if char.isalpha())
    return "rtl" if "\u0590" <= letter < "\u0600" else "ltr"


# A Hebrew output beside an English source, and the other way round; Chinese cut into words of one character.
@pytest.mark.parametrize(
    "references, output, source, direction, options",
    [(HEBREW, OTHER, ENGLISH, "rtl", []), (CHINESE, THERE, HEBREW, "ltr", ["--tokenize", "zh"])],
)
def test_directions(report, references, output, source, direction, options):
    files = {"d-ref": references, "d-ref2": references, "d-one": output, "d-source": source}
    files = {name: lines(texts) for name, texts in files.items()}
    address = report.make(files, "d-ref", "-i", "d-ref2", "d-one", "--source", "d-source", *options)
    for segment in range(3):
        place = f"sort=number&segment={segment + 1}"
        report.open(f"{address}#{place}")
        shown = report.js(
            "[...document.querySelectorAll('#pane .text p')].map(p => [p.textContent, p.dir, getComputedStyle(p).direction, getComputedStyle(p).unicodeBidi])"
        )
        # As it was written, in its direction.
        assert [text for text, *_ in shown] == [texts[segment] for texts in (source, references, references, output)]
        for text, dir, runs_to, isolation in shown:
            assert dir == "auto" and isolation in ("plaintext", "isolate") and runs_to == runs(text), text
        row = report.js(
            f"(cell => [cell.dir, cell.textContent, getComputedStyle(cell).direction])(document.querySelector('#row-{segment} .t'))"
        )
        assert row == ["auto", references[segment], direction]
        # Words one below the other run that way, too.
        report.open(f"{address}#{place}&view=aligned")
        assert report.js("document.querySelector('#pane .cols').dir") == direction
    # Names and labels stand in elements that end their own overrides.
    assert not report.js(
        "[...document.querySelectorAll('#grams button, #chips button, .who > span, #slices .name button')].filter(e => !['isolate', 'isolate-override', 'plaintext'].includes(getComputedStyle(e).unicodeBidi) && getComputedStyle(e).display === 'inline').map(e => e.outerHTML.slice(0, 80))"
    )
