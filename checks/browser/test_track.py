"""The page of `bleuprint track` with an alarm, bare and with a policy: axe-core finds nothing, and nothing is loaded or run."""

import datetime
import json

import pytest

from support import corpus, lines
from test_access import AXE

NOW = "2026-12-31T00:00:00Z"
POLICY = """format = "bleuprint-track/1"
[[watch]]
name = "<b>support</b> & more"
stream = "support"
metric = "bleu"
baseline = "main.stats"
drop = 2
false-alarms = "1 per 365d"
"""


def ledger(report):
    """Forty days of two versions in two languages, the last ten days worse; made of the outputs of a corpus."""
    report.write(corpus(7, 60))
    report.program("stats", "r1", "-i", "s1", "-o", "main.stats")

    def event(system, version, lang):
        options = ["--event", "KEY", "--stream", "support", "--model-version", version, "--slice", f"lang={lang}"]
        return report.program("stats", "r1", "-i", system, "--total", *options, "--time", "2026-11-01T00:00:00Z", "-o", "-")

    good = [event("s1", version, lang) for version in ("m1", "m<2>") for lang in ("de", 'a"b')]
    bad = [event("s3", "m1", "de")]
    start = datetime.datetime(2026, 11, 1)
    events = []
    for hour in range(0, 960, 4):
        time = (start + datetime.timedelta(hours=hour)).isoformat() + "Z"
        for at, line in enumerate(bad if hour > 720 else good):
            events.append(line.strip().replace("KEY", f"{hour}-{at}").replace("2026-11-01T00:00:00Z", time))
    report.write({"events.jsonl": lines(events), "track.toml": POLICY})
    report.program("track", "add", "live.db", "events.jsonl", "--now", NOW)


@pytest.mark.parametrize("policy", [[], ["--policy", "track.toml"]], ids=["bare", "policy"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 420])
def test_accessibility(report, policy, theme, width):
    ledger(report)
    report.program("track", "page", "live.db", *policy, "-o", "trend.html", "--now", NOW)
    report.page.emulate_media(color_scheme=theme)
    address = (report.folder / "trend.html").as_uri()
    report.open(address, width)
    assert report.js("document.querySelectorAll('svg').length") >= 1
    assert report.js("document.querySelectorAll('script, link, img, iframe').length") == 0
    if policy:
        assert "<b>support</b> & more" in report.js("document.body.innerText")
    report.js(AXE)
    found = report.js("axe.run(document, { resultTypes: ['violations'] }).then(result => result.violations)")
    told = [f"{rule['id']}: {node['html'][:160]}" for rule in found for node in rule["nodes"][:3]]
    assert not found, json.dumps(told, indent=1)
    assert (report.console, [url for url in report.requests if url not in ("about:blank", address)]) == ([], [])
