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
