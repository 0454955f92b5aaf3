"""Metrics of a relation of DuckDB, by batches; and metrics in its SQL."""

from __future__ import annotations

import re

from .. import _native
from .._pools import _of
from .._tables import columns, counts
from ._partial import Partial

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Optional, Union

    from .._metric import Metric

_INTEGER = "BIGINT"


def score(
    relation: Any,
    hyp: str,
    ref: Any = None,
    source: Any = None,
    *,
    by: Union[str, Sequence[str]] = (),
    metric: Union[str, Metric, Sequence[Union[str, Metric]]] = "bleu",
    nulls: str = "error",
    threads: Optional[int] = None,
    batch_size: int = 50_000,
) -> Any:
    """The scores of a relation's groups: a table of pyarrow with the columns of `by`, then `metric`, `score`, `segments`,
    `signature` and `state`, the merged state as bytes.

    The arguments are those of `adapters.spark.score`. The relation is read once, in batches, for all metrics: faster than a function
    in SQL, which DuckDB calls for each 2,048 rows.
    """
    import duckdb

    partial = Partial(metric, hyp, ref, source, by=by, nulls=nulls, threads=threads)
    partial._require(relation.columns)
    needed = [duckdb.ColumnExpression(name) for name in partial.needed]
    return partial.merged(partial.stream(relation.select(*needed).to_arrow_reader(batch_size)))


def register(connection: Any, metric: Union[str, Metric], name: Optional[str] = None) -> str:
    """Adds a metric whose statistics are a row of counts to a connection of DuckDB, and returns its name in SQL.

    * `NAME_counts(hyp, ref)`: the counts of a segment, a struct. `ref` may be a list. A null in either gives nulls, which no
      sum counts.
    * `NAME_sum(counts)`: their sum, an aggregate of plain sums.
    * `NAME_score(sum)`: the score, checked.
    * `NAME(hyp, ref)`: all of it, an aggregate: `SELECT lang, bleu(hyp, ref) FROM t GROUP BY lang`.

    Metrics with a source take it as the third argument; those without references take `hyp` alone.
    """
    import pyarrow

    metric = _of(metric)
    name = metric.name if name is None else name
    if not re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", name):
        raise ValueError(f"`{name}` is no name of a function in SQL: give `name=`, of letters, digits and _")
    own = columns(metric)
    names = ["hyp", *["ref"] * metric.needs_references, *["source"] * metric.needs_sources]

    # Without annotations, which DuckDB evaluates.
    def count(*given):  # type: ignore[no-untyped-def]
        if len(given) != len(names):
            raise ValueError(f"{name}_counts takes {', '.join(names)}, but {len(given)} columns are given")
        rows = counts(metric, **dict(zip(names, given)), nulls="skip")
        return pyarrow.RecordBatch.from_struct_array(pyarrow.array(rows)).to_struct_array()

    def finish(sums):  # type: ignore[no-untyped-def]
        rows = pyarrow.Table.from_struct_array(sums)
        scores = _native.table_each(rows, metric._engine, skip=True)
        return pyarrow.array([None if one is None else one.score for one in scores], pyarrow.float64())

    fields = ", ".join(f'"{column}" {_INTEGER}' for column in own)
    options = {"type": "arrow", "null_handling": "special"}
    connection.create_function(f"{name}_counts", count, None, f"STRUCT({fields})", **options)
    connection.create_function(f"{name}_score", finish, None, "DOUBLE", **options)
    # Sums are those of the engine; of 64 bits, so that they go on as they came: beyond, DuckDB says so.
    sums = ", ".join(f"'{column}': sum(c.\"{column}\")::{_INTEGER}" for column in own)
    connection.execute(f"CREATE OR REPLACE TEMP MACRO {name}_sum(c) AS {{{sums}}}")
    given = ", ".join(names)
    connection.execute(f"CREATE OR REPLACE TEMP MACRO {name}({given}) AS {name}_score({name}_sum({name}_counts({given})))")
    return name
