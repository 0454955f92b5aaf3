"""`given`: numbers that other programs computed."""

from __future__ import annotations

from . import _native
from ._metric import _option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Literal, Optional

    from ._data import Column
    from ._native import Statistics


def given(
    name: str,
    values: Column,
    *,
    producer: Optional[str] = None,
    over: Optional[Column] = None,
    better: Literal["higher", "lower"] = "higher",
    scale: Optional[tuple[float, float]] = None,
    missing: Literal["error", "skip", "worst"] = "error",
    spread: bool = False,
    ids: Optional[Column] = None,
    clusters: Optional[Column] = None,
    labels: Optional[Mapping[str, Column]] = None,
    system: str = "system",
) -> Statistics:
    """Numbers that another program computed of the segments of a system, as statistics: for intervals, tests, comparisons,
    groups, files and the gate, as if they were computed here.

    `values` is a list, an array of one dimension (NumPy, PyTorch), a column of a data frame, or any Arrow array of numbers
    or truths; `None`, null and NaN are missing. The score is their mean, with `over` the quotient of both sums. `producer`
    is the signature of the program, verbatim: numbers of two producers, scales or directions are never compared.

    * `better` is the good direction, `higher` or `lower`; `scale` are the limits of a value.
    * `missing` is the treatment of a segment without a number: `error`; `skip` leaves it out of all systems that are
      compared; `worst` takes the worst end of the scale.
    * `spread` keeps squares too, so that a total alone has a standard error.
    * `ids` name the segments in files, which then fit later outputs in the same order.
    * `clusters` name the units of resampling, such as documents or users; they are the label `document`.
    * `labels` are further labels of the segments, by name, for groups.

    >>> import bleuprint
    >>> producer = "Python3.11.4|Comet2.2.6|fp32|Unbabel/wmt22-comet-da|r1"
    >>> comet = bleuprint.given("comet", [0.75, 0.5, 1.0, 0.25], scale=(0, 1), producer=producer, labels={"domain": list("abab")})
    >>> comet.score().score, {label: score.score for label, score in comet.slices("domain").items()}
    (0.625, {'a': 0.875, 'b': 0.375})
    >>> other = bleuprint.given("comet", [0.5, 0.5, 0.75, 0.25], scale=(0, 1), producer=producer)
    >>> bleuprint.paired_test({"one": comet, "other": other}, n=100)[1]["score"]
    0.5
    """
    columns: list[tuple[str, Any]] = [(name, values)]
    options: dict[str, Any] = {"producer": producer}
    if scale is not None:
        low, high = scale
        options["scale"] = f"{low}..{high}"
    # Defaults are left out, so that the metric has the same name everywhere.
    for option, chosen, default in (("better", better, "higher"), ("missing", missing, "error"), ("spread", spread, False)):
        if chosen != default:
            options[option] = chosen
    if over is not None:
        options["over"] = "denominator" if name != "denominator" else "denominators"
        columns.append((options["over"], over))
    named = [_option(key, value) for key, value in {"name": name, **options}.items() if value is not None]
    own = list((labels or {}).items())
    if clusters is not None:
        own.append(("document", clusters))
    return _native.given(named, columns, ids, own, system)
