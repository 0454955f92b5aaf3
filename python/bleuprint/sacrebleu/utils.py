"""Files and arithmetic that sacreBLEU's metrics share."""

from __future__ import annotations

import gzip

from .. import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def smart_open(file: str, mode: str = "rt", encoding: str = "utf-8") -> Any:
    """Open a text file whose lines end in LF; a name that ends in `.gz` is decompressed."""
    if file.endswith(".gz"):
        return gzip.open(file, mode=mode, encoding=encoding, newline="\n")
    return open(file, mode=mode, encoding=encoding, newline="\n")


def my_log(num: float) -> float:
    """Return the natural logarithm of `num`, or for 0 the number -9999999999, whose exponential is 0."""
    return -9999999999 if num == 0.0 else _native.ln(num)


def sum_of_lists(lists: Any) -> Any:
    """Return the item-by-item sum of lists of equal length; a single list is returned itself."""
    if len(lists) == 1:
        return lists[0]
    zero = type(lists[0][0])(0.0)
    # Add from the left: the rounding of a sum of floats depends on the order, and sacreBLEU's order is this one.
    total = [zero] * len(lists[0])
    for one in lists:
        total = [sum_ + one[at] for at, sum_ in enumerate(total)]
    return total


def get_source_file(test_set: str, langpair: str) -> str:
    """Return the path of the source file of a test set that is already on this machine; nothing is downloaded.

    Args:
        test_set: Name of the test set, such as `wmt20`.
        langpair: Language pair, such as `en-de`.
    """
    from .._native import TestSet

    return str(TestSet(test_set, langpair)._file("src"))


def get_reference_files(test_set: str, langpair: str) -> list[str]:
    """Return the paths of the reference files of a test set that is already on this machine; nothing is downloaded.

    Args:
        test_set: Name of the test set, such as `wmt20`.
        langpair: Language pair, such as `en-de`.
    """
    from .._native import TestSet

    return [str(path) for path in TestSet(test_set, langpair)._reference_files()]


def __getattr__(name: str) -> Any:
    from ._absent import TEST_SETS, absent

    if name in TEST_SETS:
        raise AttributeError(absent(name))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
