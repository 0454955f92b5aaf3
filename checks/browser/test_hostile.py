"""Texts, names and labels that would like to be more than texts: nothing runs, nothing is loaded, nothing is lost."""

import json

from support import lines, number

# Each would set a mark, open a dialog or load something, were it taken for markup or script.
HOSTILE = [
    "</script><script>window.bad = 1; alert(1)</script>",
    '<img src=http://127.0.0.1:9/x.png onerror="window.bad = 2">',
    "<!--<script>window.bad = 3</script>",
    '"><svg onload=window.bad=4>',
    "'-alert(1)-'",
    "javascript:alert(1)",
    "{{constructor.constructor('window.bad = 5')()}}",
    ";\u2028\u2029window.bad = 6",
    "<style>@import 'http://127.0.0.1:9/x.css'; * { display: none }</style>",
    "</title></head><body onload=alert(1)><iframe src=http://127.0.0.1:9/></iframe>",
    "=cmd|' /C calc'!A0",
    "__proto__ constructor toString \0\ufeff\u202eabc",
]
COUNT = len(HOSTILE)


def turned(turn):
    return lines(HOSTILE[turn:] + HOSTILE[:turn])


def test_texts(report):
    # Names of files may hold most of it, too.
    systems = ["<img onerror=alert(1)>", "a' onmouseover='alert(1)", "__proto__"]
    files = {"h-ref": turned(0), "h-src": turned(5), "h-label": turned(0)}
    files |= {name: turned(turn) for turn, name in enumerate(systems)}
    label = HOSTILE[3].replace("=", ":")
    arguments = ["h-ref", "-i", *systems, "--source", "h-src", "--label", f"{label}=h-label", "--by", label]
    open_and_press(report, report.make(files, *arguments, "--title", HOSTILE[0]), HOSTILE[0])
    # What is saved is rectangular, and no text of it is a formula to a spreadsheet.
    report.search("")
    report.js("document.querySelectorAll('#chips button').forEach(chip => chip.click())")
    rows = report.saved()
    assert len(rows) == COUNT + 1
    for row in rows:
        assert len(row) == len(rows[0])
        assert not any(cell.startswith(tuple("=+@-")) and number(cell) is None for cell in row), row


def test_records(report):
    """One file with everything: systems, ids, documents and domains are hostile, too."""
    def text(at):
        return HOSTILE[at % COUNT]

    records = lines(
        json.dumps({
            "system": text(system), "id": text(at + 1), "document": text(at + 2), "domain": text(at + 3),
            "hypothesis": text(at + system), "references": [text(at), text(at + 7)],
        })
        for system in range(2)
        for at in range(COUNT)
    )
    arguments = ["--segments", "h-records.jsonl", "--by", "domain,document", "--title", HOSTILE[9]]
    open_and_press(report, report.make({"h-records.jsonl": records}, *arguments), HOSTILE[9])


# What spreadsheets compute, behind the quotes, spaces and marks that they drop, and in the wide forms that some take.
FORMULAS = [
    '"=1+1"', "'=1+1", "''+1+1", '" \'=1+1', "  =1+1", "\u00a0@SUM(A1)", "\u3000-1+1", "\ufeff=1+1", "\uff1d1+1", '"\uff0b1', "\uff20A1",
    "\t=1+1", "=1\t=2", "-1+cmd|' /C calc'!A0",
]
# What they show as it is.
PLAIN = ['"a" = b', "a=1", "1-1", "(=1)", "it's +1", "\u200b"]


def test_formulas(report):
    texts = FORMULAS + PLAIN
    labels = {"f-label": lines(text.replace("\t", " ").strip() for text in texts)}
    files = {"f-ref": lines(texts), "f-one": lines(texts), "f-two": lines(reversed(texts)), **labels}
    report.open(report.make(files, "f-ref", "-i", "f-one", "f-two", "--label", "domain=f-label", "--by", "domain"))
    assert report.listed() == len(texts)
    head, *rows = report.saved()
    assert len(rows) == len(texts) and all(len(row) == len(head) for row in rows)
    dropped = " \t\u00a0\u3000\ufeff\"'"
    for row in rows:
        for cell in row:
            begins = cell.lstrip(dropped)
            formula = begins.startswith(tuple("=+-@\uff1d\uff0b\uff0d\uff20")) and number(cell) is None
            assert not formula or cell.startswith("'"), repr(cell)
    # Whatever else becomes of whitespace.
    plain = lambda text: " ".join(text.split())
    kept = {plain(cell) for row in rows for cell in row}
    for text in FORMULAS:
        assert {plain("'" + text), plain("' " + text), "'" + plain(text)} & kept, (text, kept)
    assert all(plain(text) in kept for text in PLAIN), kept


def open_and_press(report, address, title):
    """Opens a page, presses everything, and looks at what came of it."""
    report.open(address)
    # Every segment is shown in both views, is searched for, and is saved.
    shown = report.js(
        """() => {
          let shown = 0;
          for (const row of [...document.querySelectorAll('#size [data-segment]')].map(r => r.dataset.segment)) {
            document.querySelector(`#size [data-segment='${row}']`).click();
            for (const value of ['aligned', 'matches']) document.querySelector(`#pane input[value=${value}]`).click();
            shown++;
          }
          for (const button of document.querySelectorAll('#grams button, #slices button')) button.click();
          return shown;
        }"""
    )
    assert shown == COUNT
    for text in ("<img", "/(/", "/script/"):
        report.choose("q", text)
    report.js("document.querySelectorAll('#chips button').forEach(chip => chip.click())")
    assert not report.dialogs
    made = report.js(
        "[window.bad ?? null, document.images.length, document.querySelectorAll('iframe, svg, link').length, document.scripts.length, document.styleSheets.length]"
    )
    assert made == [None, 0, 0, 2, 1]
    assert report.page.title().startswith(title)
    assert all(url.startswith(("file:", "about:", "data:", "blob:")) for url in report.requests), report.requests
    assert not report.console
