"""Every row of the tables of `docs/from-*.md` has a test: both sides where the other library is installed, our side everywhere.

A row is named by the text of its first cell. `EVALUATE` names a checkout of evaluate, whose package has no metrics; without it, evaluate's
side is the number of its documentation.
"""

import pytest
from moving import LATER
from moving.common import ROOT, TESTS


def cells():
    """Pairs of a page and the first cell of a row."""
    for path in sorted((ROOT / "docs").glob("from-*.md")):
        lines = path.read_text(encoding="utf-8").splitlines()
        for before, line in zip(lines, lines[1:]):
            # A row has a line of the table before it that is not the header.
            if line.startswith("| ") and before.startswith("|"):
                yield path.stem.removeprefix("from-"), line.split(" | ")[0].removeprefix("| ").strip()


CELLS = list(cells())


def test_every_row_has_a_test():
    assert len(CELLS) == len(set(CELLS)) > 90
    assert set(CELLS) <= set(TESTS), set(CELLS) - set(TESTS)
    assert set(TESTS) <= set(CELLS) | LATER, set(TESTS) - set(CELLS)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("page, cell", [pytest.param(*key, id=f"{key[0]}-{at}") for at, key in enumerate(CELLS)])
def test_the_row_is_right(page, cell):
    TESTS[page, cell]()


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
