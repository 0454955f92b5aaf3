"""Partial states of batches of Arrow, by groups: the work of DuckDB, Polars, Spark and Ray. Text never leaves its task."""

from __future__ import annotations

from .. import _native, _tables
from .._metric import Metric
from .._pools import _of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, Optional, Union


class _Summed:
    """The states of groups, by metric: in memory until all batches are counted."""

    def __init__(self, partial: Partial) -> None:
        self.groups = _native.Groups(partial.by)
        self.states = {name: _native.States(metric._engine) for name, metric in partial.metrics.items()}

    def number(self, batch: Any, by: Sequence[str]) -> Any:
        """The group of each row of a batch: by the bits of its values."""
        return self.groups.number([_whole(batch.column(name)) for name in by], batch.num_rows)


def _whole(column: Any) -> Any:
    """A column of one chunk, without categories."""
    import pyarrow

    if pyarrow.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    return column.combine_chunks() if isinstance(column, pyarrow.ChunkedArray) else column


class Partial:
    """The states of batches, by group and metric.

    `partial(batch)` gives a table of the groups of a batch, with a row for each metric: its name and the state as bytes.
    `partial.stream(batches)` gives one batch for all of a partition. States of groups that occur in many batches or
    partitions merge: `merged`. What a metric learned travels with it to every task, and not with every state.
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
        #: The columns that are read, each once.
        self.needed = [name for name in dict.fromkeys([*self.columns, *self.by]) if name is not None]
        taken = {"metric", "segments", "state", "score", "signature"}.intersection(self.by)
        if taken:
            raise ValueError(f"the column `{taken.pop()}` of `by` has the name of one of the result: rename it")

    def _require(self, names: Sequence[str]) -> None:
        for name in (*self.columns, *self.by):
            if name is not None and list(names).count(name) != 1:
                meant = [there for there in names if there != name and there.lower() == str(name).lower()]
                hint = f"; did you mean `{meant[0]}`?" if meant else ""
                raise ValueError(f"the data has {list(names).count(name)} columns `{name}`; it has: {', '.join(names)}{hint}")

    def _add(self, summed: _Summed, batch: Any, before: int) -> None:
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
                # Rows are those of a batch.
                rows = f"rows {before} to {before + batch.num_rows - 1} of the partition"
                raise type(error)(f"{error} (counted from 0 in {rows})") from None

    def _table(self, summed: _Summed, like: Any, finished: bool = False) -> Any:
        """A row for each metric and group; without groups the types of their columns are those of `like`."""
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
        """The states of a batch, as a table."""
        summed = _Summed(self)
        self._add(summed, batch, 0)
        return self._table(summed, batch.schema)

    def stream(self, batches: Iterable[Any]) -> Iterator[Any]:
        """The states of all batches together, as record batches; none where there are no batches."""
        summed = _Summed(self)
        before, schema = 0, None
        for batch in batches:
            schema = batch.schema
            self._add(summed, batch, before)
            before += batch.num_rows
        if schema is not None:
            yield from self._table(summed, schema).to_batches()

    def merged(self, parts: Iterable[Any], like: Any = None) -> Any:
        """The score of every group and metric, from tables of states: `metric`, `score`, `segments`, `signature` and the merged
        `state`, behind the columns of the group. A group without a score, such as one whose rows were all left out, has null.
        Without rows the table is empty; the types of its columns are then those of `like`."""
        from pyarrow import compute

        summed = _Summed(self)
        for part in parts:
            like = part.schema
            for name, states in summed.states.items():
                own = part.filter(compute.equal(part.column("metric"), name))
                states.merge(_whole(own.column("state")), summed.number(own, self.by))
        return self._table(summed, like, finished=True)

    def _stream(self, batches: Iterable[Any]) -> Iterator[Any]:
        """The same for `mapInArrow`."""
        return map(_utc, self.stream(batches))

    def _group(self, table: Any) -> Any:
        """The scores of the states of one group, for `applyInArrow`."""
        return _utc(self.merged([table]))


def _utc(table: Any) -> Any:
    """Spark gives times in the zone of its session, and takes them in UTC: the same instants."""
    import pyarrow

    for at, field in enumerate(table.schema):
        if pyarrow.types.is_timestamp(field.type) and field.type.tz:
            kind = pyarrow.timestamp(field.type.unit, "UTC")
            table = table.set_column(at, field.name, table.column(at).cast(kind))
    return table


def require(given: Any, method: str, wanted: str) -> None:
    """Refuses data of another library."""
    if not hasattr(given, method):
        raise TypeError(f"{type(given).__module__}.{type(given).__name__} is given, but must be {wanted}")
