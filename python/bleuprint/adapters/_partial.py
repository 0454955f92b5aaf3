"""Partial states of batches of Arrow, by groups: the work of Spark and Ray next to the data. Text never leaves its task."""

from __future__ import annotations

from .. import _tables
from .._metric import Metric
from .._pools import _of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, Optional, Union

#: States of a group that are kept before they are merged.
_MOST_KEPT = 64


class Partial:
    """The states of batches, by group and metric.

    `partial(batch)` gives a table of the groups of a batch, with a row for each metric: its name, the number of segments and the
    state as bytes. `partial.stream(batches)` gives one batch for all of a partition. States of groups that occur in many batches or
    partitions merge: `merged`.
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
        listed = [metric] if isinstance(metric, (str, Metric)) else list(metric)
        self.metrics = {one if isinstance(one, str) else one.signature: _of(one) for one in listed}
        if not self.metrics:
            raise ValueError("no metric is given")
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
            if name is not None and names.count(name) != 1:
                raise ValueError(f"the data has {names.count(name)} columns `{name}`; it has: {', '.join(names)}")

    def _groups(self, batch: Any) -> tuple[list[tuple[Any, ...]], Any]:
        """The values of the columns of each group, in the order in which they occur, and the number of each row's group."""
        import pyarrow
        from pyarrow import compute

        keys, numbers = [()], None
        for name in self.by:
            column = batch.column(name)
            if pyarrow.types.is_dictionary(column.type):
                column = column.cast(column.type.value_type)
            column = column.combine_chunks() if isinstance(column, pyarrow.ChunkedArray) else column
            own = compute.dictionary_encode(column, null_encoding="encode")
            values = own.dictionary.to_pylist()
            if numbers is None:
                keys, numbers = [(value,) for value in values], own.indices
                continue
            pairs = compute.multiply(numbers.cast(pyarrow.int64()), len(values))
            pairs = compute.dictionary_encode(compute.add(pairs, own.indices.cast(pyarrow.int64())))
            keys = [(*keys[pair // len(values)], values[pair % len(values)]) for pair in pairs.dictionary.to_pylist()]
            numbers = pairs.indices
        return keys, numbers

    def _add(self, states: dict[Any, list[bytes]], batch: Any, before: int) -> None:
        self._require(batch.schema.names)
        given = [None if name is None else batch.column(name) for name in self.columns]
        keys, numbers = self._groups(batch)
        groups = None if numbers is None else (numbers, len(keys))
        settings = {"nulls": self.nulls, "names": self.columns, "threads": self.threads}
        for name, metric in self.metrics.items():
            try:
                added = _tables._states(metric, given, groups, **settings)
            except (ValueError, TypeError) as error:
                # Rows are those of a batch.
                rows = f"rows {before} to {before + batch.num_rows - 1} of the partition"
                raise type(error)(f"{error} (counted from 0 in {rows})") from None
            for key, state in zip(keys, added):
                kept = states.setdefault((*key, name), [])
                kept.append(state)
                if len(kept) > _MOST_KEPT:
                    kept[:] = [_tables.merge(kept, metric)]

    def _table(self, states: dict[Any, list[bytes]], like: Any) -> Any:
        import pyarrow

        keys = list(states)
        columns = [pyarrow.array([key[at] for key in keys], like.field(name).type) for at, name in enumerate(self.by)]
        names = pyarrow.array([key[-1] for key in keys], pyarrow.string())
        merged = pyarrow.array([_tables.merge(kept, self.metrics[key[-1]]) for key, kept in states.items()], pyarrow.binary())
        return pyarrow.Table.from_arrays([*columns, names, merged], [*self.by, "metric", "state"])

    def __call__(self, batch: Any) -> Any:
        """The states of a batch, as a table."""
        states: dict[Any, list[bytes]] = {}
        self._add(states, batch, 0)
        return self._table(states, batch.schema)

    def stream(self, batches: Iterable[Any]) -> Iterator[Any]:
        """The states of all batches together, as record batches; none where there are no batches."""
        states: dict[Any, list[bytes]] = {}
        before, schema = 0, None
        for batch in batches:
            schema = batch.schema
            self._add(states, batch, before)
            before += batch.num_rows
        if schema is not None:
            yield from self._table(states, schema).to_batches()

    def merged(self, parts: Iterable[Any]) -> Any:
        """The score of every group and metric, from tables of states: `metric`, `score`, `segments`, `signature` and the merged
        `state`, behind the columns of the group. A group without a score, such as one whose rows were all left out, has null."""
        import pyarrow

        states: dict[Any, list[bytes]] = {}
        schema = None
        for part in parts:
            schema = part.schema
            for *key, state in zip(*(part.column(name).to_pylist() for name in [*self.by, "metric", "state"])):
                kept = states.setdefault(tuple(key), [])
                kept.append(state)
                if len(kept) > _MOST_KEPT:
                    kept[:] = [_tables.merge(kept, self.metrics[key[-1]])]
        if schema is None:
            raise ValueError("there are no data")
        table = self._table(states, schema)
        finished = [self._finished(*pair) for pair in zip(*(table.column(name).to_pylist() for name in ("metric", "state")))]
        for at, (name, kind) in enumerate((("score", "float64"), ("segments", "int64"), ("signature", "string"))):
            table = table.add_column(len(self.by) + 1 + at, name, pyarrow.array([one[at] for one in finished], kind))
        return table

    def _group(self, table: Any) -> Any:
        """The scores of the states of one group, for `applyInArrow`."""
        return self.merged([table])

    def _finished(self, name: str, state: bytes) -> tuple[Any, int, Any]:
        segments = _tables.segments(state)
        if segments == 0:
            return None, 0, None
        score = _tables.score(state, self.metrics[name])
        return score.score, segments, score.signature
