"""Steps of the site's build: formulas become MathML, examples of Python's documentation are code, moved pages lead on."""

import html
import pathlib
import re

import griffe
import ziamath
from fontTools import subset
from latex2mathml.converter import convert

#: Code, in which a dollar is a dollar, or a formula within a sentence.
INLINE = re.compile(r"^```.*?^```$|`[^`\n]+`|\$([^$\n]+)\$", re.MULTILINE | re.DOTALL)
FORMULA = re.compile(r"^```math\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: The parser reads examples as code only under the plural.
SECTION = re.compile(r"^Example:$", re.MULTILINE)
EXAMPLE = re.compile(r"(?:^>>> .*\n?(?:^(?!>>> )\S.*\n?)*)+", re.MULTILINE)


#: The font of formulas; a system without one with tables for mathematics sets subscripts on the line.
FONT = pathlib.Path(ziamath.__file__).with_name("fonts") / "STIXTwoMath-Regular.ttf"
#: Browsers show the letters of variables as these: the mathematical italic alphabets, whose h is elsewhere.
ITALICS = [0x210E, *range(0x1D434, 0x1D468), *range(0x1D6E2, 0x1D71C)]

#: All characters of formulas.
characters = set()


def on_page_markdown(markdown, **_):
    """A page loads no script for its formulas: blocks of LaTeX named `math` are MathML when it is built."""
    return INLINE.sub(inline, FORMULA.sub(formula, markdown))


TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
CELL = re.compile(r"<td([^>]*)>")
HEAD = re.compile(r"<th[^>]*>(.*?)</th>", re.DOTALL)
TAG = re.compile(r"<[^>]+>")


def on_page_content(text, **_):
    """Cells of wide tables get the names of their columns, with which a phone shows a row as a list."""
    return TABLE.sub(labelled, text)


def labelled(table):
    """A table of three columns or more, whose cells have the names of their columns."""
    names = [TAG.sub("", name).strip() for name in HEAD.findall(table[0])]
    if len(names) < 3:
        return table[0]
    rows = table[0].split("<tr>")
    for at, row in enumerate(rows):
        columns = iter(names)
        rows[at] = CELL.sub(lambda cell: f'<td{cell[1]} data-label="{html.escape(html.unescape(next(columns, "")))}">', row)
    return "<tr>".join(rows).replace("<table>", "<table data-cards>", 1)


def formula(block):
    """The MathML of a block."""
    text = convert(block[1].strip(), display="block")
    characters.update(html.unescape(text))
    return f'<div class="formula">{text}</div>'


def inline(found):
    """The MathML of a formula within a sentence; code stays as it is."""
    if found[1] is None:
        return found[0]
    text = convert(found[1].strip(), display="inline")
    characters.update(html.unescape(text))
    return text


def write_font(place):
    """Writes the font with these characters alone."""
    options = subset.Options(flavor="woff2", layout_features=["*"])
    font = subset.load_font(str(FONT), options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[*map(ord, characters), *ITALICS])
    subsetter.subset(font)
    subset.save_font(font, str(place), options)


class Examples(griffe.Extension):
    """Marks the examples of docstrings: sections for the parser, and fences around those outside of sections."""

    def on_object(self, *, obj, **_):
        """Marks the examples of one object; the package itself comes in `on_package`."""
        if obj.docstring:
            text = SECTION.sub("Examples:", obj.docstring.value)
            obj.docstring.value = EXAMPLE.sub(lambda lines: f"```python\n{lines[0].rstrip()}\n```\n", text)

    def on_package(self, *, pkg, **_):
        self.on_object(obj=pkg)


#: Pages that were elsewhere, so that links to them lead on.
MOVED = {"metrics/speakers.html": "meetings.html"}


def on_post_build(config, **_):
    """Writes the font, and a page that leads on for each that has moved."""
    write_font(pathlib.Path(config["site_dir"], "formulas.woff2"))
    for old, new in MOVED.items():
        place = pathlib.Path(config["site_dir"], old)
        if not (place.parent / new).exists() or place.exists():
            raise SystemExit(f"{old} leads to {new}, which is not there, or is a page itself")
        place.write_text(f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={new}">\n<a href="{new}">Moved</a>\n')
