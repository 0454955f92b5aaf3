"""The example of every metric in columns and in DuckDB: the recorded score, or the reason why tables do not have the metric."""

import pytest

import bleuprint
import examples
from bleuprint import tables

pytest.importorskip("arro3.core")

#: Metrics of two passes over the data, which a table gives once.
LEARN = [example for example in examples.ALL if bleuprint.metric(example.metric).info()["two_passes"]]
OTHERS = [example for example in examples.ALL if example not in LEARN]


def columns_of(example):
    """The columns of two segments that are equal to the example."""
    hypotheses, given = example.call(2)
    return {"hyp": hypotheses, "ref": given.get("references"), "source": given.get("sources")}


def recorded(example):
    """The score of two segments, which for sums over a corpus is the recorded score of one."""
    hypotheses, given = example.call(2)
    return bleuprint.metric(example.metric).score(hypotheses, **given).score


def is_unlike(value):
    """Whether a list in the value has items of several types, which no column has."""
    if isinstance(value, dict):
        return any(map(is_unlike, value.values()))
    if not isinstance(value, list):
        return False
    kinds = {float if isinstance(item, (int, float)) else type(item) for item in value}
    return len(kinds) > 1 or any(map(is_unlike, value))


@pytest.mark.parametrize("example", OTHERS, ids=str)
def test_every_metric_has_its_recorded_score_from_columns(example):
    hypotheses, given = example.call(1)
    state = tables.state(example.metric, hypotheses, given.get("references"), given.get("sources"))
    assert tables.score(state).score == examples.RECORDED[example.metric]
    assert tables.segments(tables.merge([state, state])) == 2
    assert tables.score(tables.merge([state, state])).score == recorded(example)


@pytest.mark.parametrize("example", LEARN, ids=str)
def test_metrics_learn_before_tables_have_them(example):
    hypotheses, given = example.call(1)
    data = hypotheses, given.get("references"), given.get("sources")
    with pytest.raises(ValueError, match="it needs a first pass over the data"):
        tables.state(example.metric, *data)
    learned = bleuprint.metric(example.metric).learn(given["references"])
    assert tables.score(tables.state(learned, *data), learned).score == examples.RECORDED[example.metric]


@pytest.mark.parametrize("example", OTHERS, ids=str)
def test_every_metric_has_its_recorded_score_in_duckdb(example):
    duckdb, pa = pytest.importorskip("duckdb"), pytest.importorskip("pyarrow")
    from bleuprint.adapters.duckdb import score

    columns = {name: column for name, column in columns_of(example).items() if column is not None}
    if is_unlike(example.record):
        with pytest.raises(pa.ArrowException):
            pa.table(columns)
        return
    connection = duckdb.connect()
    connection.register("t", pa.table(columns))
    names = {name: name for name in columns}
    (row,) = score(connection.sql("SELECT * FROM t"), **names, metric=example.metric).to_pylist()
    assert row["score"] == recorded(example) and row["segments"] == 2
