"""Scores by groups of a DuckDB relation, and metrics as SQL functions."""

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
    """Score the groups of a DuckDB relation.

    The relation is read once, in batches, for all metrics. This is faster than the SQL functions of `register`, which DuckDB calls for
    every 2,048 rows.

    Args:
        relation: A relation, such as `con.sql("SELECT ..")` or `con.table("t")`.
        hyp, ref, source: Names of the columns: strings, or lists of ids. A segment has one reference or a list of references.
        by: Name of the column to group by, or a list of names. Default: one group.
        metric: A metric, its name, or a list of them.
        nulls: `error` or `skip`: whether a null is an error or leaves its row out.
        threads: Number of threads; it never changes the result. Default: all cores.
        batch_size: Number of rows in a batch.

    Returns:
        A pyarrow table with the columns of `by`, then `metric`, `score`, `segments`, `signature` and `state`, the merged state as bytes.
    """
    require(relation, "to_arrow_reader", "a relation of DuckDB, such as con.sql('SELECT ..') or con.table('t')")
    partial = Partial(metric, hyp, ref, source, by=by, nulls=nulls, threads=threads)
    partial._require(relation.columns)
    reader = relation.project(", ".join(map(_quoted, partial.needed))).to_arrow_reader(batch_size)
    return partial.merged(partial.stream(reader), reader.schema)


def _quoted(name: str) -> str:
    """Return the name as a quoted SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def register(connection: Any, metric: Union[str, Metric], name: Optional[str] = None, *, nulls: str = "error", replace: bool = False) -> str:
    """Register a metric as SQL functions of a DuckDB connection.

    The statistics of the metric must be a row of counts. With the name NAME, the functions are:

    * `NAME_counts(hyp, ref)`: the counts of one segment, as a struct. `ref` may be a list.
    * `NAME_sum(counts)`: an aggregate, the sum of each field.
    * `NAME_score(sum)`: the score of a sum, which is checked first.
    * `NAME(hyp, ref)`: all three together, an aggregate: `SELECT lang, bleu(hyp, ref) FROM t GROUP BY lang`.

    Metrics with a source take it as the third argument; metrics without references take `hyp` alone.

    `NAME_sum` and `NAME` are macros, so each cursor needs its own call of `register`, and DuckDB allows neither FILTER nor OVER on
    them. Instead of a filter write WHERE, or `bleu(CASE WHEN .. THEN hyp END, ref)` with `nulls="skip"`. Instead of a window, sum the
    fields of `NAME_counts` into a struct for `NAME_score`.

    Args:
        connection: A connection or cursor of DuckDB.
        metric: A metric or its name.
        name: Name in SQL: letters, digits and `_`, not a digit first. Default: the name of the metric.
        nulls: `error`, or `skip`: a segment with a null then has null counts, which no sum includes.
        replace: Whether to replace another metric that has the name. A cursor cannot replace a metric of its connection.
            Default: False.

    Returns:
        The name in SQL.

    Raises:
        ValueError: if the name is invalid, is taken by another metric, or the statistics are not a row of counts.
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

    # The functions have no annotations, because DuckDB would evaluate them.
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
            # A cursor sees the functions of its connection, but cannot remove them.
            if known != meaning:
                raise ValueError(f"`{name}` is {known} in the connection of this cursor: replace it there, or give `name=`") from None
    if not there:
        fields = ", ".join(f'"{column}" {_INTEGER}' for column in own)
        options = {"type": "arrow", "null_handling": "special"}
        connection.create_function(functions[0], count, None, f"STRUCT({fields})", **options)
        connection.create_function(functions[1], finish, None, "DOUBLE", **options)
        connection.create_function(functions[2], lambda: meaning, [], "VARCHAR")
    # DuckDB sums BIGINT to HUGEINT; the cast back keeps sums in the type of the counts and fails on overflow.
    sums = ", ".join(f"'{column}': sum(c.\"{column}\")::{_INTEGER}" for column in own)
    connection.execute(f"CREATE OR REPLACE TEMP MACRO {name}_sum(c) AS {{{sums}}}")
    given = ", ".join(names)
    connection.execute(f"CREATE OR REPLACE TEMP MACRO {name}({given}) AS {name}_score({name}_sum({name}_counts({given})))")
    return name
