"""On paper: controls are gone, tables are complete, the first segments follow."""

from support import corpus, lines

SHOWN = "['.bar', '#segments', '.skip', '#by', '#print', '#scores', '#why', '#slices', '#grams'].map(name => !!document.querySelector(name).getClientRects().length)"


def test_print(report):
    # More groups than the window shows at once.
    files = corpus(5, 90) | {"document": lines(f"document {segment // 2}" for segment in range(90))}
    arguments = ["r1", "-i", "s1", "s2", "s3", "-m", "bleu", "chrf", "--label", "document=document"]
    report.open(report.make(files, *arguments), 1000, 900)
    assert report.js(SHOWN) == [True] * 4 + [False] + [True] * 4
    report.page.emulate_media(media="print")
    report.js("dispatchEvent(new Event('beforeprint'))")
    assert report.js(SHOWN) == [False] * 4 + [True] * 5
    # Nothing lies beyond the edge of a box that would scroll, and every metric has its table.
    assert not report.js(
        "[...document.querySelectorAll('main .scroll')].filter(e => e.getClientRects().length && e.scrollHeight > e.clientHeight + 1).map(e => e.getAttribute('aria-label'))"
    )
    counts = report.js(
        "[[...document.querySelectorAll('table.matrix')].filter(e => e.getClientRects().length).length, document.querySelectorAll('#slices tbody tr').length, document.querySelectorAll('#print .item').length]"
    )
    assert counts == [2, 45, 20], "tables, groups, segments"
    report.page.emulate_media(media="screen")
    assert report.page.pdf(format="A4").startswith(b"%PDF")
