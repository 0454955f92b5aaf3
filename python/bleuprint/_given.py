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
    """Return numbers that another program computed as statistics, as if they were computed here.

    They are then available for intervals, tests, comparisons, groups, files and the gate. The score is the mean of the
    values or, with `over`, the quotient of both sums.

    Args:
        name (str): The name of the metric.
        values (iterable): One number or truth value for each segment: a list, an array of one dimension (NumPy, PyTorch),
            a column of a data frame, or an Arrow array. `None`, null and NaN are missing.
        producer (str, optional): The signature of the program, verbatim. Without it, you get a warning. Numbers of
            different producers, scales or directions are never compared.
        over (iterable, optional): The denominator of each segment.
        better ({"higher", "lower"}, default "higher"): The good direction.
        scale (tuple of two floats, optional): The least and the greatest value that a segment can have.
        missing ({"error", "skip", "worst"}, default "error"): The treatment of a segment without a number: reject it,
            leave it out of all systems that are compared, or count it as the worst end of the scale.
        spread (bool, default False): Whether to keep squares too, so that a total alone has a standard error.
        ids (iterable, optional): The names of the segments in files, which then fit later outputs in the same order.
        clusters (iterable, optional): The names of the units of resampling, such as documents or users. They become the
            label `document`.
        labels (dict of str to iterable, optional): Further labels of the segments, by name, for groups.
        system (str, default "system"): The name of the system.

    Returns:
        Statistics: The statistics of every segment.

    Raises:
        TypeError: If a value is not a number.
        ValueError: If a value is outside of `scale`, or is missing under `missing="error"`.

    Example:
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
