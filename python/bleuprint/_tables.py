"""Statistics as columns and as bytes: see `bleuprint.tables`."""

from __future__ import annotations

from . import _native
from ._metric import Metric
from ._pools import _of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, Optional, Union

    from ._data import Progress
    from ._native import Statistics, Table

    MetricLike = Union[str, Metric]

#: The names of the columns in errors.
_NAMES = ("hyp", "ref", "source")


def _skips(nulls: str) -> bool:
    if nulls not in ("error", "skip"):
        raise ValueError(f"unknown nulls `{nulls}`; expected one of: error, skip")
    return nulls == "skip"


def _engine(metric: Optional[MetricLike]) -> Any:
    return None if metric is None else _of(metric)._engine


def _data(metric: MetricLike, given: Sequence[Any], names: Sequence[str], nulls: str) -> Any:
    of, skips = _of(metric), _skips(nulls)
    if of._form is not None:
        if skips:
            raise ValueError(f"{of.name} takes {of._form}, in which null is a value: nulls=\"error\" is for them")
        hypotheses, references, sources = given
        return of._form.data(hypotheses, references, None, sources, name=names[0])
    named: list[Any] = [None if column is None else (name, column) for name, column in zip(names, given)]
    hypotheses, references, sources = named
    return _native.Data.of_columns(hypotheses, references, sources, skips, of.empty_references)


def columns(metric: MetricLike) -> list[str]:
    """The names of the columns of `counts`: `key`, `check`, those of segments and references, and the metric's own.

    >>> from bleuprint import tables
    >>> tables.columns("wer")
    ['key', 'check', 'segments', 'references', 'references_squared', ...]
    """
    named = _of(metric)
    own = named.info()["columns"]
    if own is None:
        raise ValueError(f"the statistics of {named.name} are not a row of counts: use `state` and `merge`")
    return ["key", "check", *own]


def counts(
    metric: MetricLike,
    hyp: Any,
    ref: Any = None,
    source: Any = None,
    *,
    nulls: str = "error",
    names: Sequence[str] = _NAMES,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> Table:
    """The counts of each segment, as columns of int64.

    `hyp`, `ref` and `source` are columns of Arrow (of pyarrow, Polars, pandas, DuckDB) or lists: strings, or lists of ids. A
    segment has one reference, or a list of them. `nulls` is `error`, or `skip`: the rows of a segment with a null are null, and
    no SUM counts them. `names` are the names of the columns in errors.
    """
    data = _data(metric, (hyp, ref, source), names, nulls)
    return _native.table_counts(_engine(metric), data, threads=threads, progress=progress)


def state(
    metric: MetricLike,
    hyp: Any,
    ref: Any = None,
    source: Any = None,
    *,
    nulls: str = "error",
    names: Sequence[str] = _NAMES,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> bytes:
    """The state of all segments, as bytes: a file of statistics with the total alone, which `bleuprint show` and
    `bleuprint merge` read. The arguments are those of `counts`; `skip` leaves segments with a null out.
    """
    data = _data(metric, (hyp, ref, source), names, nulls)
    return _native.table_state(_engine(metric), data, threads=threads, progress=progress)


def _require_learned(metric: Metric) -> None:
    """Refuses a metric that would learn from every batch anew."""
    if metric.info()["two_passes"]:
        raise ValueError(f"{metric.name} learns from all references first: give bleuprint.metric(\"{metric.name}\").learn(references)")


def merge(states: Union[bytes, Iterable[bytes], Any], metric: Optional[MetricLike] = None) -> bytes:
    """The merge of states: an iterable of bytes, or an Arrow column of them. States with another key are refused, by the field that
    differs. `metric` is needed for metrics written in Python only.

    >>> from bleuprint import tables
    >>> one, other = tables.state("bleu", ["a b"], ["a b"]), tables.state("bleu:max-order=2", ["a b"], ["a b"])
    >>> tables.merge([one, other])
    Traceback (most recent call last):
    ValueError: states[1]: unlike states: they differ in order: ...
    """
    return _native.table_merge(states, _engine(metric))


def subtract(states: Union[bytes, Iterable[bytes], Any], part: Union[bytes, Iterable[bytes], Any], metric: Optional[MetricLike] = None) -> bytes:
    """The merge of states without a part of it, such as the days that have left a window; each is what `merge` takes. Only states
    that are rows of counts subtract, and what was no part of them is refused.

    >>> from bleuprint import tables
    >>> hyp, ref = ["The dog bit the man.", "It was late."], ["The dog had bit the man.", "It was late."]
    >>> whole, first = tables.state("bleu", hyp, ref), tables.state("bleu", hyp[:1], ref[:1])
    >>> tables.subtract(whole, first) == tables.state("bleu", hyp[1:], ref[1:])
    True
    >>> tables.subtract(first, whole)
    Traceback (most recent call last):
    ValueError: ...
    """
    return _native.table_subtract(states, part, _engine(metric))


def decode(state: bytes, metric: Optional[MetricLike] = None) -> Table:
    """A state of bytes as a table of one row."""
    return _native.table_decode(state, _engine(metric))


def encode(rows: Any, metric: Optional[MetricLike] = None, *, nulls: str = "error") -> bytes:
    """The sum of rows as a state of bytes; the arguments are those of `score`."""
    return _native.table_encode(rows, _engine(metric), skip=_skips(nulls))


def score(
    given: Any,
    metric: Optional[MetricLike] = None,
    *,
    by: Union[str, Sequence[str], None] = None,
    confidence: Optional[int] = None,
    seed: int = 12345,
    nulls: str = "error",
    threads: Optional[int] = None,
    progress: Progress = None,
) -> Any:
    """The score of a state of bytes, or of a table of rows: those of `counts`, or sums of them.

    Every row is checked: counts that no segments can have given are an error with the row and the columns. `metric` is needed if
    the table lost its metadata; it may also finish by other settings than those of the counts, such as another smoothing.

    With `by`, the name of a column or several, the result is a dict from their values to scores; lists and structs become tuples.
    Groups are told apart by the bits of the values, but all NaN are one, and both zeros. With `confidence`, a number of
    resamples, each score is a pair with its interval (mean, lower, upper, half_width), and a row is one segment.

    >>> from bleuprint import tables
    >>> rows = tables.counts("bleu", ["a b c d", "a b c x"], ["a b c d", "a b c d"])
    >>> score, interval = tables.score(rows, confidence=100)
    >>> score.counts, interval["lower"] <= score.score <= interval["upper"]
    ([7, 5, 3, 1], True)
    """
    names = [by] if isinstance(by, str) else list(by or ())
    groups, scored = _native.table_score(
        given, _engine(metric), names, confidence, seed, skip=_skips(nulls), threads=threads, progress=progress
    )
    results = [score if confidence is None else (score, interval) for score, interval in scored]
    if by is None:
        return results[0]
    return {labels[0] if isinstance(by, str) else labels: result for labels, result in zip(_labels(groups), results)}


def _labels(groups: Table) -> list[tuple[Any, ...]]:
    try:
        return groups.cells()
    except TypeError as error:
        try:
            import pyarrow
        except ImportError:
            raise TypeError(f"{error}; other columns need pyarrow") from None

    def values(column: Any) -> list[Any]:
        try:
            return [_hashable(one) for one in column.to_pylist()]
        except (ValueError, OverflowError):
            # Beyond what Python's types have, such as the year 10000.
            return list(column.cast(pyarrow.string()).to_pylist())

    return list(zip(*map(values, pyarrow.table(groups).columns)))


def _hashable(label: Any) -> Any:
    if isinstance(label, dict):
        return tuple((name, _hashable(part)) for name, part in label.items())
    return tuple(map(_hashable, label)) if isinstance(label, list) else label


def segments(state: bytes, metric: Optional[MetricLike] = None) -> int:
    """The number of segments of a state of bytes."""
    return _native.table_segments(state, _engine(metric))


def statistics(rows: Any, metric: Optional[MetricLike] = None, *, nulls: str = "error") -> Statistics:
    """Rows of single segments as statistics: for intervals, tests, slices and files."""
    return _native.table_statistics(
        rows, _engine(metric), skip=_skips(nulls), owner=None if metric is None else _of(metric)
    )
