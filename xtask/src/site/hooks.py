"""Steps of the site's build: formulas become MathML, examples of Python's documentation are code, moved pages lead on."""

import pathlib
import re

import griffe
from latex2mathml.converter import convert

FORMULA = re.compile(r"^```math\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"(?:^>>> .*\n?(?:^(?!>>> )\S.*\n?)*)+", re.MULTILINE)


def on_page_markdown(markdown, **_):
    """A page loads no script for its formulas: blocks of LaTeX named `math` are MathML when it is built."""
    return FORMULA.sub(lambda block: f'<div class="formula">{convert(block[1].strip(), display="block")}</div>', markdown)


class Examples(griffe.Extension):
    """Puts fences around the examples of docstrings, which are no Markdown."""

    def on_object(self, *, obj, **_):
        """Fences the examples of one object; the package itself comes in `on_package`."""
        if obj.docstring:
            obj.docstring.value = EXAMPLE.sub(lambda lines: f"```python\n{lines[0].rstrip()}\n```\n", obj.docstring.value)

    def on_package(self, *, pkg, **_):
        self.on_object(obj=pkg)


#: Pages that were elsewhere, so that links to them lead on.
MOVED = {"metrics/speakers.html": "meetings.html"}


def on_post_build(config, **_):
    """Writes a page that leads on for each that has moved."""
    for old, new in MOVED.items():
        place = pathlib.Path(config["site_dir"], old)
        if not (place.parent / new).exists() or place.exists():
            raise SystemExit(f"{old} leads to {new}, which is not there, or is a page itself")
        place.write_text(f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={new}">\n<a href="{new}">Moved</a>\n')
