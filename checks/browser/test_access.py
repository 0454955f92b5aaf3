"""The accessibility checker axe-core in both themes and both views, wide and narrow: it finds nothing."""

import importlib.resources

import pytest

from support import corpus

AXE = importlib.resources.files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
PLACES = [
    (1300, "theme=light"),
    (1300, "theme=dark&view=aligned"),
    (420, "theme=light&by=:words"),
    (420, "theme=dark&in.domain=news"),
]


@pytest.mark.parametrize("width, fragment", PLACES)
def test_accessibility(report, width, fragment):
    arguments = ["r1", "r2", "-i", "s1", "s2", "s3", "--label", "domain=domain", "-m", "bleu", "chrf"]
    report.open(f"{report.make(corpus(3, 120), *arguments)}#{fragment}", width)
    report.js(AXE)
    found = report.js("axe.run(document, { resultTypes: ['violations'] }).then(result => result.violations)")
    told = [f"{rule['id']}: {node['html'][:160]}" for rule in found for node in rule["nodes"][:3]]
    assert not found, "\n".join(told)
