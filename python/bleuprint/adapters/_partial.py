"""Partial states of Arrow batches by groups: the common part of DuckDB, Polars, Spark and Ray. No text leaves its task."""

from __future__ import annotations

from .. import _native, _tables
from .._metric import Metric
from .._pools import _of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, Optional, Union


class _Summed:
    """States by group and metric; they stay in memory until all batches are counted."""

    def __init__(self, partial: Partial) -> None:
        self.groups = _native.Groups(partial.by)
        self.states = {name: _native.States(metric._engine) for name, metric in partial.metrics.items()}

    def number(self, batch: Any, by: Sequence[str]) -> Any:
        """Return the group of each row of a batch; two rows share a group if their values are equal bit for bit."""
        return self.groups.number([_whole(batch.column(name)) for name in by], batch.num_rows)


def _whole(column: Any) -> Any:
    """Return the column in one chunk, with categories replaced by their values."""
    import pyarrow

    if pyarrow.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    return column.combine_chunks() if isinstance(column, pyarrow.ChunkedArray) else column


class Partial:
    """Compute the states of Arrow batches, by group and metric.

    `partial(batch)` returns a table with one row for each group of the batch and each metric: the metric's name and the state as bytes.
    `partial.stream(batches)` does so for a whole partition. `merged` merges the states of groups that occur in many batches or
    partitions. What a metric has learned is sent to every task once, and not with every state.

    Args:
        metric: A metric, its name, or a list of them.
        hyp, ref, source: Names of the columns with the data.
        by: Name of the column to group by, or a list of names.
        nulls: `error` or `skip`: whether a null is an error or leaves its row out.
        threads: Number of threads. Default: all cores.
    """

    def __init__(
        self,
        metric: Union[str, Metric, Sequence[Union[str, Metric]]],
        hyp: str,
        ref: Any = None,
        source: Any = None,
        *,
        by: Union[str, Sequence[str]] = (),
        nulls: str = "error",
        threads: Optional[int] = None,
    ) -> None:
        listed = [metric] if isinstance(metric, (str, type, Metric)) else list(metric)
        self.metrics = {one if isinstance(one, str) else one.signature: _of(one) for one in listed}
        if not self.metrics:
            raise ValueError("no metric is given")
        for one in self.metrics.values():
            _tables._require_learned(one)
        self.columns = [hyp, ref, source]
        self.by = [by] if isinstance(by, str) else list(by)
        self.nulls = nulls
        self.threads = threads
        #: Names of the columns to read, without repetition.
        self.needed = [name for name in dict.fromkeys([*self.columns, *self.by]) if name is not None]
        taken = {"metric", "segments", "state", "score", "signature"}.intersection(self.by)
        if taken:
            raise ValueError(f"the column `{taken.pop()}` of `by` has the name of one of the result: rename it")

    def _require(self, names: Sequence[str]) -> None:
        """Check that the data has each column exactly once."""
        for name in (*self.columns, *self.by):
            if name is not None and list(names).count(name) != 1:
                meant = [there for there in names if there != name and there.lower() == str(name).lower()]
                hint = f"; did you mean `{meant[0]}`?" if meant else ""
                raise ValueError(f"the data has {list(names).count(name)} columns `{name}`; it has: {', '.join(names)}{hint}")

    def _add(self, summed: _Summed, batch: Any, before: int) -> None:
        """Add the states of a batch; `before` is the number of rows in earlier batches of the partition."""
        self._require(batch.schema.names)
        given = [None if name is None else batch.column(name) for name in self.columns]
        groups = summed.number(batch, self.by)
        read: dict[str, Any] = {}
        for name, metric in self.metrics.items():
            try:
                meaning = metric.empty_references
                if meaning not in read:
                    read[meaning] = _tables._data(metric, given, self.columns, self.nulls)
                summed.states[name].add(read[meaning], groups, self.threads)
            except (ValueError, TypeError) as error:
                # The message counts rows within the batch, so the batch's place in the partition is added.
                rows = f"rows {before} to {before + batch.num_rows - 1} of the partition"
                raise type(error)(f"{error} (counted from 0 in {rows})") from None

    def _table(self, summed: _Summed, like: Any, finished: bool = False) -> Any:
        """Return a table with a row for each metric and group; if there are no groups, `like` gives the types of their columns."""
        import pyarrow

        count = len(summed.groups)
        keys = pyarrow.table(summed.groups.table()).columns
        if not count:
            kinds = [pyarrow.null() if like is None else like.field(name).type for name in self.by]
            keys = [_whole(pyarrow.array([], kind)) for kind in kinds]
        tables = []
        for name, states in summed.states.items():
            columns = dict(zip(self.by, keys))
            columns["metric"] = pyarrow.array([name] * count, "string")
            if finished:
                score, segments, signature = list(zip(*states.scores(count))) or ((), (), ())
                columns["score"] = pyarrow.array(score, "float64")
                columns["segments"] = pyarrow.array(segments, "int64")
                columns["signature"] = pyarrow.array(signature, "string")
            columns["state"] = pyarrow.array(states.to_bytes(count), "binary")
            tables.append(pyarrow.table(columns))
        return pyarrow.concat_tables(tables)

    def __call__(self, batch: Any) -> Any:
        """Return the states of one batch, as a table."""
        summed = _Summed(self)
        self._add(summed, batch, 0)
        return self._table(summed, batch.schema)

    def stream(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Yield the states of all batches together, as record batches; yields nothing if there are no batches."""
        summed = _Summed(self)
        before, schema = 0, None
        for batch in batches:
            schema = batch.schema
            self._add(summed, batch, before)
            before += batch.num_rows
        if schema is not None:
            yield from self._table(summed, schema).to_batches()

    def merged(self, parts: Iterable[Any], like: Any = None) -> Any:
        """Merge tables of states, and return the score of every group and metric.

        Args:
            parts: Tables of states, from `partial(batch)` or `stream`.
            like: A schema that gives the types of the group columns if there are no rows.

        Returns:
            A table with the columns of the group, then `metric`, `score`, `segments`, `signature` and the merged `state`. The score is null
            for a group without a score, such as a group whose rows were all left out.
        """
        from pyarrow import compute

        summed = _Summed(self)
        for part in parts:
            like = part.schema
            for name, states in summed.states.items():
                own = part.filter(compute.equal(part.column("metric"), name))
                states.merge(_whole(own.column("state")), summed.number(own, self.by))
        return self._table(summed, like, finished=True)

    def _stream(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Run `stream` for Spark's `mapInArrow`, with times in UTC."""
        return map(_utc, self.stream(batches))

    def _group(self, table: Any) -> Any:
        """Return the scores of one group's states, for Spark's `applyInArrow`."""
        return _utc(self.merged([table]))


def _utc(table: Any) -> Any:
    """Convert times to UTC: Spark sends times in the zone of its session, but accepts only UTC."""
    import pyarrow

    for at, field in enumerate(table.schema):
        if pyarrow.types.is_timestamp(field.type) and field.type.tz:
            kind = pyarrow.timestamp(field.type.unit, "UTC")
            table = table.set_column(at, field.name, table.column(at).cast(kind))
    return table


def require(given: Any, method: str, wanted: str) -> None:
    """Check that the data is of the expected library: it must have the method `method`."""
    if not hasattr(given, method):
        raise TypeError(f"{type(given).__module__}.{type(given).__name__} is given, but must be {wanted}")
