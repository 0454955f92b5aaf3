"""Statistics as Arrow columns and as bytes: the implementation of `bleuprint.tables`."""

from __future__ import annotations

from . import _native
from ._labels import label_columns
from ._metric import Metric
from ._objects import _takes_labels, _takes_tags
from ._pools import _of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, Optional, Union

    from ._data import Progress
    from ._native import Statistics, Table

    MetricLike = Union[str, Metric]

#: Default names of the columns in error messages.
_NAMES = ("hyp", "ref", "source")


def _skips(nulls: str) -> bool:
    """Return whether segments with a null are skipped; refuse an unknown value of `nulls`."""
    if nulls not in ("error", "skip"):
        raise ValueError(f"unknown nulls `{nulls}`; expected one of: error, skip")
    return nulls == "skip"


def _engine(metric: Optional[MetricLike]) -> Any:
    """Return the native metric, or None if no metric is given."""
    return None if metric is None else _of(metric)._engine


def _data(metric: MetricLike, given: Sequence[Any], names: Sequence[str], nulls: str) -> Any:
    """Return the native data for three columns; `names` are their names in error messages."""
    of, skips = _of(metric), _skips(nulls)
    if of._form is not None:
        if skips:
            raise ValueError(f"{of.name} takes {of._form}, in which null is a value: nulls=\"error\" is for them")
        hypotheses, references, sources = given
        return of._form.data(hypotheses, references, None, sources, name=names[0])
    if _takes_labels(of):
        given = label_columns(given, names, skips, tags=_takes_tags(of))
    named: list[Any] = [None if column is None else (name, column) for name, column in zip(names, given)]
    hypotheses, references, sources = named
    return _native.Data.of_columns(hypotheses, references, sources, skips, of.empty_references)


def columns(metric: MetricLike) -> list[str]:
    """Return the names of the columns of `counts`.

    Args:
        metric: A metric or its name.

    Returns:
        `key` and `check`, then the columns of all metrics (`segments`, `references`, `references_squared`), then those of the metric.

    Raises:
        ValueError: if the statistics of the metric are not a row of counts.

    Example:
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
    """Count every segment, and return the counts as int64 columns.

    Args:
        metric: A metric or its name.
        hyp, ref, source: Arrow columns (of pyarrow, Polars, pandas, DuckDB) or lists, of strings or of lists of ids. A segment
            has one reference or a list of references.
        nulls: `error` or `skip`. With `skip` a segment with a null gives a row of nulls, which no SUM counts.
        names: Names of the three columns in error messages.
        threads: Number of threads; it never changes the result. Default: all cores.
        progress: True for a tqdm bar, or a callable with `(done, total)`.

    Returns:
        A table with one row for each segment and the columns of `columns(metric)`.

    Raises:
        ValueError, TypeError: if the data does not fit the metric; the message names the column and the row.
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
    """Count all segments, and return their merged state as bytes.

    The bytes are a statistics file with only the total, which `bleuprint show` and `bleuprint merge` read.

    Args:
        metric: A metric or its name.
        hyp, ref, source: Arrow columns (of pyarrow, Polars, pandas, DuckDB) or lists, of strings or of lists of ids. A segment
            has one reference or a list of references.
        nulls: `error` or `skip`. With `skip` a segment with a null is left out.
        names: Names of the three columns in error messages.
        threads: Number of threads; it never changes the result. Default: all cores.
        progress: True for a tqdm bar, or a callable with `(done, total)`.

    Returns:
        The state, for `merge`, `score` and `decode`.

    Raises:
        ValueError, TypeError: if the data does not fit the metric; the message names the column and the row.
    """
    data = _data(metric, (hyp, ref, source), names, nulls)
    return _native.table_state(_engine(metric), data, threads=threads, progress=progress)


def _require_learned(metric: Metric) -> None:
    """Refuse a metric that would learn its weights from every batch anew."""
    if metric.info()["two_passes"]:
        raise ValueError(f"{metric.name} learns from all references first: give bleuprint.metric(\"{metric.name}\").learn(references)")


def merge(states: Union[bytes, Iterable[bytes], Any], metric: Optional[MetricLike] = None) -> bytes:
    """Merge states into one.

    Args:
        states: An iterable of bytes, or an Arrow column of bytes.
        metric: A metric or its name; needed only for metrics written in Python.

    Returns:
        The merged state, as bytes.

    Raises:
        ValueError: if the states have different keys; the message names the field that differs.

    Example:
        >>> from bleuprint import tables
        >>> one, other = tables.state("bleu", ["a b"], ["a b"]), tables.state("bleu:max-order=2", ["a b"], ["a b"])
        >>> tables.merge([one, other])
        Traceback (most recent call last):
        ValueError: states[1]: unlike states: they differ in order: ...
    """
    return _native.table_merge(states, _engine(metric))


def subtract(states: Union[bytes, Iterable[bytes], Any], part: Union[bytes, Iterable[bytes], Any], metric: Optional[MetricLike] = None) -> bytes:
    """Remove a part from merged states, such as the days that have left a window.

    Args:
        states: The whole: bytes, an iterable of bytes, or an Arrow column of bytes, which are merged first.
        part: The states to remove, in the same forms.
        metric: A metric or its name; needed only for metrics written in Python.

    Returns:
        The state of the remaining segments, as bytes.

    Raises:
        ValueError: if the states are not rows of counts, or `part` is not a part of `states`.

    Example:
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
    """Decode a state into columns.

    Args:
        state: A state, as bytes.
        metric: A metric or its name; needed only for metrics written in Python.

    Returns:
        A table with one row, and the columns of `columns(metric)`.
    """
    return _native.table_decode(state, _engine(metric))


def encode(rows: Any, metric: Optional[MetricLike] = None, *, nulls: str = "error") -> bytes:
    """Sum rows of counts, and return the sum as a state.

    Args:
        rows: A table of counts, as in `score`.
        metric: A metric or its name; needed if the table has lost its metadata.
        nulls: `error` or `skip`, as in `score`.

    Returns:
        The state, as bytes.
    """
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
    """Return the score of a state or of a table of counts.

    Every row is checked: counts that no segments can have are an error that names the row and the columns.

    Args:
        given: A state as bytes, or a table whose rows are those of `counts` or sums of them.
        metric: A metric or its name. It is needed if the table has lost its metadata. It may differ from the metric of the counts in
            settings that apply only to the final score, such as smoothing.
        by: Name of a column or list of names: score each group of rows. Two values are one group if they are equal bit for bit;
            all NaN are one group, and so are both zeros.
        confidence: Number of resamples for a confidence interval; each row must then be one segment. Default: no interval.
        seed: Seed of the resamples.
        nulls: `error` or `skip`: whether a row with a null is an error or is left out.
        threads: Number of threads; it never changes the result. Default: all cores.
        progress: True for a tqdm bar, or a callable with `(done, total)`.

    Returns:
        The score. With `confidence`, a pair of the score and its interval, a dict with `mean`, `lower`, `upper` and `half_width`.
        With `by`, a dict from the value of the column, or the tuple of values, to that result; lists and structs become tuples.

    Raises:
        ValueError: if a row fails the checks, or is of another metric.

    Example:
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
    """Return the values of the group columns as tuples, one for each group."""
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
            # Python's types cannot hold the value, such as the year 10000: use its text.
            return list(column.cast(pyarrow.string()).to_pylist())

    return list(zip(*map(values, pyarrow.table(groups).columns)))


def _hashable(label: Any) -> Any:
    """Return the label with its lists and dicts as tuples, because labels become keys of a dict."""
    if isinstance(label, dict):
        return tuple((name, _hashable(part)) for name, part in label.items())
    return tuple(map(_hashable, label)) if isinstance(label, list) else label


def segments(state: bytes, metric: Optional[MetricLike] = None) -> int:
    """Return the number of segments of a state.

    Args:
        state: A state, as bytes.
        metric: A metric or its name; needed only for metrics written in Python.
    """
    return _native.table_segments(state, _engine(metric))


def statistics(rows: Any, metric: Optional[MetricLike] = None, *, nulls: str = "error") -> Statistics:
    """Return rows of counts as statistics, for intervals, tests, slices and files.

    Args:
        rows: A table of counts, whose rows are one segment each.
        metric: A metric or its name; needed if the table has lost its metadata.
        nulls: `error` or `skip`, as in `score`.
    """
    return _native.table_statistics(
        rows, _engine(metric), skip=_skips(nulls), owner=None if metric is None else _of(metric)
    )
