"""Reading files, and the common arithmetic of sacreBLEU's metrics."""

from __future__ import annotations

import gzip

from .. import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def smart_open(file: str, mode: str = "rt", encoding: str = "utf-8") -> Any:
    """Opens a file of lines that end in LF, unpacking `.gz`."""
    if file.endswith(".gz"):
        return gzip.open(file, mode=mode, encoding=encoding, newline="\n")
    return open(file, mode=mode, encoding=encoding, newline="\n")


def my_log(num: float) -> float:
    """The logarithm; of 0 a number so small that its exponential is 0."""
    return -9999999999 if num == 0.0 else _native.ln(num)


def sum_of_lists(lists: Any) -> Any:
    """Lists of equal length, added item by item; of a single one itself."""
    if len(lists) == 1:
        return lists[0]
    zero = type(lists[0][0])(0.0)
    # From the left: the order in which floats are added is part of the result.
    total = [zero] * len(lists[0])
    for one in lists:
        total = [sum_ + one[at] for at, sum_ in enumerate(total)]
    return total


def get_source_file(test_set: str, langpair: str) -> str:
    """The file of the source of a test set that is there: nothing is downloaded."""
    from .._native import TestSet

    return str(TestSet(test_set, langpair)._file("src"))


def get_reference_files(test_set: str, langpair: str) -> list[str]:
    """The files of the references of a test set that is there: nothing is downloaded."""
    from .._native import TestSet

    return [str(path) for path in TestSet(test_set, langpair)._reference_files()]


def __getattr__(name: str) -> Any:
    from ._absent import TEST_SETS, absent

    if name in TEST_SETS:
        raise AttributeError(absent(name))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
