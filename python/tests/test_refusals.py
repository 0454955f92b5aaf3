"""Every line of `data/refusals.txt` is refused: an expression of a test module, its errors, and a pattern of the message."""

import builtins
import importlib
from pathlib import Path

import pytest


def refusals():
    module = None
    text = (Path(__file__).parent / "data/refusals.txt").read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("["):
            module = line.strip("[]")
        elif line and not line.startswith("#"):
            expression, refusal = line.split("  => ")
            errors, pattern = refusal.split(":", 1)
            errors = tuple(getattr(builtins, error) for error in errors.split("|"))
            yield pytest.param(module, expression, errors, pattern.strip() or None, id=f"line {number}: {expression[:60]}")


@pytest.mark.parametrize("module, expression, errors, pattern", list(refusals()))
def test_refused(module, expression, errors, pattern):
    names = dict(vars(importlib.import_module(module)))
    if "np." in expression:
        names["np"] = pytest.importorskip("numpy")
    with pytest.raises(errors, match=pattern):
        eval(expression, names)
