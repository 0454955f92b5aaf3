"""Metrics of a relation of DuckDB, by batches; and metrics in its SQL."""

from __future__ import annotations

import re

from .. import _native
from .._pools import _of
from .._tables import _NAMES, _data, _require_learned, _skips, columns
from ._partial import Partial, require

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
    require(relation, "to_arrow_reader", "a relation of DuckDB, such as con.sql('SELECT ..') or con.table('t')")
    partial = Partial(metric, hyp, ref, source, by=by, nulls=nulls, threads=threads)
    partial._require(relation.columns)
    reader = relation.project(", ".join(map(_quoted, partial.needed))).to_arrow_reader(batch_size)
    return partial.merged(partial.stream(reader), reader.schema)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def register(connection: Any, metric: Union[str, Metric], name: Optional[str] = None, *, nulls: str = "error", replace: bool = False) -> str:
    """Adds a metric whose statistics are a row of counts to a connection of DuckDB, and returns its name in SQL.

    * `NAME_counts(hyp, ref)`: the counts of a segment, a struct. `ref` may be a list. A null in either is an error; with
      `nulls="skip"` it gives nulls, which no sum counts.
    * `NAME_sum(counts)`: their sum, an aggregate of plain sums.
    * `NAME_score(sum)`: the score, checked.
    * `NAME(hyp, ref)`: all of it, an aggregate: `SELECT lang, bleu(hyp, ref) FROM t GROUP BY lang`.

    Another metric of that name is an error; with `replace` it gives way, but not from a cursor, whose connection has it.

    Metrics with a source take it as the third argument; those without references take `hyp` alone. `NAME_sum` and `NAME` are macros:
    a cursor needs a `register` of its own, and DuckDB gives them neither FILTER nor OVER. For a filter write WHERE, or with
    `nulls="skip"` `bleu(CASE WHEN .. THEN hyp END, ref)`; for a window, sums of the fields of `NAME_counts` in a struct for
    `NAME_score`.
    """
    import duckdb
    import pyarrow

    metric = _of(metric)
    _require_learned(metric)
    name = metric.name if name is None else name
    if not re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", name):
        raise ValueError(f"`{name}` is no name of a function in SQL: give `name=`, of letters, digits and _")
    _skips(nulls)
    own = columns(metric)
    names = ["hyp", *["ref"] * metric.needs_references, *["source"] * metric.needs_sources]
    meaning = f"{metric.signature}|{metric.state_key}|nulls:{nulls}|empty:{metric.empty_references}"

    # Without annotations, which DuckDB evaluates.
    def count(*given):  # type: ignore[no-untyped-def]
        if len(given) != len(names):
            raise ValueError(f"{name}_counts takes {', '.join(names)}, but {len(given)} columns are given")
        try:
            named = dict(zip(names, given))
            data = _data(metric, [named.get(column) for column in _NAMES], _NAMES, nulls)
            rows = _native.table_counts(metric._engine, data, quiet=True)
        except ValueError as error:
            where = "counted from 0 in a chunk of DuckDB; register(.., nulls=\"skip\") leaves rows with a null out"
            raise ValueError(f"{error} ({where})") from None
        return pyarrow.RecordBatch.from_struct_array(pyarrow.array(rows)).to_struct_array()

    def finish(sums):  # type: ignore[no-untyped-def]
        rows = pyarrow.Table.from_struct_array(sums)
        scores = _native.table_each(rows, metric._engine, skip=True)
        return pyarrow.array([None if one is None else one.score for one in scores], pyarrow.float64())

    functions = [f"{name}_counts", f"{name}_score", f"{name}_metric"]
    query = f"SELECT count(*) FROM duckdb_functions() WHERE function_name = '{functions[2].lower()}'"
    there = connection.execute(query).fetchall()[0][0] > 0
    if there:
        ((known,),) = connection.execute(f"SELECT {functions[2]}()").fetchall()
        if known != meaning and not replace:
            raise ValueError(f"`{name}` is another metric in this connection, {known}: give `name=`, or `replace=True`")
        try:
            for function in functions:
                connection.remove_function(function)
            there = False
        except duckdb.Error:
            # A cursor has the functions of its connection.
            if known != meaning:
                raise ValueError(f"`{name}` is {known} in the connection of this cursor: replace it there, or give `name=`") from None
    if not there:
        fields = ", ".join(f'"{column}" {_INTEGER}' for column in own)
        options = {"type": "arrow", "null_handling": "special"}
        connection.create_function(functions[0], count, None, f"STRUCT({fields})", **options)
        connection.create_function(functions[1], finish, None, "DOUBLE", **options)
        connection.create_function(functions[2], lambda: meaning, [], "VARCHAR")
    # Sums are those of the engine; of 64 bits, so that they go on as they came: beyond, DuckDB says so.
    sums = ", ".join(f"'{column}': sum(c.\"{column}\")::{_INTEGER}" for column in own)
    connection.execute(f"CREATE OR REPLACE TEMP MACRO {name}_sum(c) AS {{{sums}}}")
    given = ", ".join(names)
    connection.execute(f"CREATE OR REPLACE TEMP MACRO {name}({given}) AS {name}_score({name}_sum({name}_counts({given})))")
    return name
