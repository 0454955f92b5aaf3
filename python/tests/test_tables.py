"""Statistics as columns and as bytes: the same bits through tables, engines and cuts of the data; and refusals."""

import datetime
import decimal
import json
import pickle
import random
import sys

import pytest
from test_evaluation import Longer

import bleuprint
from bleuprint import tables

arrow = pytest.importorskip("arro3.core")

WORDS = "the dog had just bitten a man who wasn't surprised , again 12 times .".split()


def lines(seed, count=60):
    generator = random.Random(seed)
    return [" ".join(generator.choices(WORDS, k=generator.randrange(4, 14))) for _ in range(count)]


HYP, REF = lines(1), lines(2)
LANG = ["abc"[at % 3] for at in range(len(HYP))]
ROWS = ["bleu", "bleu:max-order=2,tokenize=char", "chrf", "chrf:word-order=2", "ter", "rougeL", "wer"]
IDS = [[WORDS.index(word) for word in line.split()] for line in HYP], [[WORDS.index(word) for word in line.split()] for line in REF]


def cuts(parts):
    """The rows of `parts` parts, none of them alike."""
    ends = [len(HYP) * (part + 1) ** 2 // parts**2 for part in range(parts)]
    return [slice(start, end) for start, end in zip([0, *ends], ends)]


def summed(rows):
    """The sum of every column, as any engine makes it."""
    table = arrow.Table.from_arrow(rows)
    return {name: sum(table.column(name).to_pylist()) for name in table.column_names}


def one_row(sums):
    return arrow.Table.from_pydict({name: arrow.Array([count], type=arrow.DataType.int64()) for name, count in sums.items()})


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("parts", [1, 2, 7])
def test_sums_and_merges_are_the_score(name, parts):
    whole = bleuprint.metric(name).score(HYP, REF)
    sums = [summed(tables.counts(name, HYP[cut], REF[cut])) for cut in cuts(parts)]
    total = {column: sum(part[column] for part in sums) for column in tables.columns(name)}
    assert tables.score(one_row(total), name) == whole
    state = tables.merge(tables.state(name, HYP[cut], REF[cut]) for cut in cuts(parts))
    assert state == tables.state(name, HYP, REF) == tables.encode(tables.counts(name, HYP, REF))
    assert tables.score(state) == whole and tables.segments(state) == len(HYP)
    assert tables.encode(tables.decode(state)) == state


@pytest.mark.parametrize("name", ["bleu", "rougeL", "chrf"])
def test_subtraction_takes_back_what_was_merged(name):
    parts = [tables.state(name, HYP[cut], REF[cut]) for cut in cuts(7)]
    assert tables.subtract(parts, parts[2:]) == tables.merge(parts[:2])
    with pytest.raises(ValueError, match="out of range in column `segments`: 1 - 60"):
        tables.subtract(parts[0], parts)
    with pytest.raises(ValueError, match="differ in order|unlike"):
        tables.subtract(parts[0], tables.state("bleu:max-order=2", HYP[:1], REF[:1]))
    with pytest.raises(ValueError, match="not a row of counts|subtract"):
        tables.subtract(tables.state("distinct", HYP), tables.state("distinct", HYP[:1]))


def test_groups_of_dates_and_decimals():
    pa = pytest.importorskip("pyarrow")
    table = pa.table(tables.counts("bleu", HYP, REF))
    days = [datetime.date(2026, 1, 1 + at % 3) for at in range(len(HYP))]
    prices = [decimal.Decimal(at % 2) / 4 for at in range(len(HYP))]
    table = table.append_column("day", pa.array(days)).append_column("price", pa.array(prices, pa.decimal128(9, 2)))
    whole = bleuprint.metric("bleu").statistics(HYP, REF)
    assert {str(day): score for day, score in tables.score(table, by="day").items()} == whole.slices([str(day) for day in days])
    assert tables.score(table, by=["day", "price"]).keys() == set(zip(days, prices))


@pytest.mark.parametrize("name", ["distinct", "bleu", "cider_d"])
def test_states_of_sets_and_of_learned_weights(name):
    metric = bleuprint.metric(name)
    metric = metric.learn(REF) if name == "cider_d" else metric
    given = (HYP,) if name == "distinct" else (HYP, REF)
    state = tables.merge([tables.state(metric, *(column[cut] for column in given)) for cut in cuts(7)])
    # The state names its metric, with what it learned.
    assert tables.score(state) == metric.score(*given)


def test_ids_and_several_references():
    whole = bleuprint.metric("bleu").score(*IDS)
    assert tables.score(tables.counts("bleu", *IDS)) == whole == tables.score(tables.state("bleu", *IDS))
    assert tables.score(one_row(summed(tables.counts("bleu", *IDS))), "bleu") == whole
    several = [[ref, hyp[:10]] for ref, hyp in zip(REF, HYP)]
    whole = bleuprint.metric("bleu").score(HYP, several)
    assert tables.score(tables.counts("bleu", arrow.Array(HYP, arrow.DataType.utf8()), several)) == whole


def test_groups_and_intervals():
    table = arrow.Table.from_arrow(tables.counts("bleu", HYP, REF)).append_column("lang", arrow.ChunkedArray([arrow.Array(LANG, arrow.DataType.utf8())]))
    statistics = bleuprint.metric("bleu").statistics(HYP, REF)
    assert tables.score(table, by="lang") == statistics.slices(LANG)
    assert tables.score(table, by=["lang", "segments"]) == {(lang, 1): score for lang, score in statistics.slices(LANG).items()}
    assert tables.score(table, confidence=100) == (statistics.score(), statistics.confidence(100))
    assert tables.statistics(table).rows() == statistics.rows()


def test_other_settings_finish_the_same_counts():
    rows = tables.counts("bleu", HYP, REF)
    floor = bleuprint.metric("bleu", smooth_method="floor")
    assert tables.score(rows, floor) == floor.score(HYP, REF) == tables.score(tables.encode(rows), floor)


def test_nulls():
    text = arrow.DataType.utf8()
    hyp, ref = arrow.Array(["a b", None, "c d"], text), arrow.Array(["a b", "x", None], text)
    for call in (tables.counts, tables.state):
        with pytest.raises(ValueError, match=r"answer\[1\] is null, but must be there"):
            call("bleu", hyp, ref, names=("answer", "truth", "question"))
        with pytest.raises(ValueError, match="unknown nulls `drop`; expected one of: error, skip"):
            call("bleu", hyp, ref, nulls="drop")
    rows = tables.counts("bleu", hyp, ref, nulls="skip")
    assert arrow.Table.from_arrow(rows).column("segments").to_pylist() == [1, None, None]
    whole = bleuprint.metric("bleu").score(["a b"], ["a b"])
    assert tables.score(rows, nulls="skip") == whole == tables.score(tables.state("bleu", hyp, ref, nulls="skip"))
    assert tables.score(tables.counts("bleu", ["a b", None, "c d"], ["a b", "x", None], nulls="skip"), nulls="skip") == whole
    with pytest.raises(ValueError, match=r"key\[1\] is null, but must be there"):
        tables.score(rows)


def poisoned(**changes):
    """For `data/refusals.txt`."""
    sums = {**summed(tables.counts("bleu", HYP, REF)), **changes}
    return arrow.Table.from_pydict({name: arrow.Array([0, count], type=arrow.DataType.int64()) for name, count in sums.items()})


@pytest.mark.parametrize("name", ROWS)
def test_a_column_that_was_not_summed_alike_is_refused(name):
    """Left out, doubled, averaged, the least, the greatest, and that of another metric: for every column."""
    columns = arrow.Table.from_arrow(tables.counts(name, HYP, REF))
    columns = {column: columns.column(column).to_pylist() for column in columns.column_names}
    sums = {column: sum(counts) for column, counts in columns.items()}
    assert tables.score(one_row(sums), name) == bleuprint.metric(name).score(HYP, REF)
    other = summed(tables.counts(f"{name},norm=lower" if ":" in name else f"{name}:norm=lower", HYP, REF))
    for column, counts in columns.items():
        total = sums[column]
        for wrong in {0, 2 * total, total // len(counts), min(counts), max(counts), total + 1, total - counts[7]} - {total}:
            if wrong >= 0:
                with pytest.raises(ValueError, match="malformed state|column `check`"):
                    tables.score(one_row({**sums, column: wrong}), name)
    for column in ("key", "check"):
        with pytest.raises(ValueError, match="malformed state"):
            tables.score(one_row({**sums, column: other[column]}), name)


def test_a_table_of_an_earlier_version_is_read_and_said_to_be_unchecked():
    sums = summed(tables.counts("bleu", HYP, REF))
    del sums["check"]
    with pytest.warns(UserWarning, match="no column `check`"):
        assert tables.score(one_row(sums), "bleu") == bleuprint.metric("bleu").score(HYP, REF)
    with pytest.warns(UserWarning, match="no column `check`"), pytest.raises(ValueError, match="have the state key"):
        tables.score(one_row({**sums, "key": 7}), "bleu")


def test_unlike_metrics_are_refused_by_name():
    rows = tables.counts("bleu", HYP, REF)
    with pytest.raises(ValueError, match="unlike states: they differ in order"):
        tables.score(rows, "bleu:max-order=2")
    with pytest.raises(ValueError, match="the table has no column `char_1_hyp`"):
        tables.score(one_row(summed(rows)), "chrf")
    # The same columns, another tokenizer: the sum of the keys tells.
    with pytest.raises(ValueError, match=r"not all have the state key `bleu/1\|.*tok:char`"):
        tables.score(one_row(summed(rows)), "bleu:tokenize=char")
    mixed = {name: count + summed(tables.counts("bleu:tokenize=char", HYP, REF))[name] for name, count in summed(rows).items()}
    for name in ("bleu", "bleu:tokenize=char"):
        with pytest.raises(ValueError, match="not all have the state key"):
            tables.score(one_row(mixed), name)
    with pytest.raises(ValueError, match="does not say which metric counted it"):
        tables.score(one_row(summed(rows)))


def test_counts_are_integers():
    sums = summed(tables.counts("bleu", HYP, REF))
    table = arrow.Table.from_pydict({name: arrow.Array([count + 0.5], type=arrow.DataType.float64()) for name, count in sums.items()})
    with pytest.raises(TypeError, match="key is a column of Float64, but counts are integers"):
        tables.score(table, "bleu")


def test_metrics_written_in_python():
    metric = Longer()
    whole = metric.score(HYP, REF)
    assert tables.score(tables.counts(metric, HYP, REF), metric) == whole
    assert tables.score(tables.merge([tables.state(metric, HYP[cut], REF[cut]) for cut in cuts(2)], metric), metric) == whole


# -- Recipes: five lines for each engine -----------------------------------------------------------------------------


def test_recipe_pyarrow():
    pa = pytest.importorskip("pyarrow")
    whole = bleuprint.metric("bleu").score(HYP, REF)
    for kind in (pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())):
        table = pa.table(tables.counts("bleu", pa.array(HYP).cast(kind), pa.chunked_array([REF[:5], REF[5:]])))
        sums = pa.table({name: [pa.compute.sum(table[name])] for name in table.column_names})
        assert tables.score(sums, "bleu") == tables.score(table) == whole
    for kind in (pa.list_(pa.int32()), pa.large_list(pa.int64())):
        ids = [pa.array([[0], *column], kind)[1:] for column in IDS]
        assert tables.score(tables.counts("bleu", *ids)) == bleuprint.metric("bleu").score(*IDS)
    nested = pa.array([[ref, hyp[:10]] for ref, hyp in zip(REF, HYP)])
    expected = bleuprint.metric("bleu").score(HYP[3:], [[ref, hyp[:10]] for ref, hyp in zip(REF, HYP)][3:])
    assert tables.score(tables.counts("bleu", HYP[3:], nested[3:])) == expected
    lists = pa.array([["a b"], None, ["c", None]])
    with pytest.raises(ValueError, match=r"ref\[2\]\[1\] is null"):
        tables.counts("bleu", ["a b"] * 3, lists, nulls="skip")
    with pytest.raises(ValueError, match=r"ref\[1\] is null"):
        tables.counts("bleu", ["a b"] * 3, lists)
    rows = pa.table(tables.counts("bleu", ["a b"] * 2, lists[:2], nulls="skip"))
    assert rows["references"].to_pylist() == [1, None]
    with pytest.raises(TypeError, match="hyp is a column of text, but ref one of ids"):
        tables.counts("bleu", ["a"], pa.array([[1, 2]]))
    invalid = pa.Array.from_buffers(pa.string(), 1, [None, pa.py_buffer(b"\0\0\0\0\2\0\0\0"), pa.py_buffer(b"\xff\xff")])
    with pytest.raises(ValueError, match="hyp is no valid Arrow array.*UTF"):
        tables.counts("bleu", invalid, ["a"])


def test_recipe_duckdb():
    duckdb, pa = pytest.importorskip("duckdb"), pytest.importorskip("pyarrow")
    con, t = duckdb.connect(), pa.table({"lang": LANG, "hyp": HYP, "ref": REF})
    con.register("t", t)
    tables.register(con, "bleu")
    scores = dict(con.execute("SELECT lang, bleu(hyp, ref) FROM t GROUP BY lang").fetchall())
    sums = con.sql("SELECT lang, unnest(bleu_sum(bleu_counts(hyp, ref))) FROM t GROUP BY lang")
    expected = bleuprint.metric("bleu").statistics(HYP, REF).slices(LANG)
    assert tables.score(sums, "bleu", by="lang") == expected
    assert scores == {lang: score.score for lang, score in expected.items()}
    with pytest.raises(duckdb.Error, match="bleu_counts takes hyp, ref, but 1 columns are given"):
        con.execute("SELECT bleu_counts(hyp) FROM t").fetchall()
    # A null is an error, or left out; several references are a list, and a group without segments has no score.
    con.execute("CREATE TABLE n AS SELECT * FROM (VALUES ('a b', ['a b', 'a']), (NULL, ['x'])) v(hyp, ref)")
    whole = bleuprint.metric("bleu").score(["a b"], [["a b", "a"]]).score
    with pytest.raises(duckdb.Error, match=r"hyp\[1\] is null, but must be there \(counted from 0 in a chunk of DuckDB; .*skip"):
        con.execute("SELECT bleu(hyp, ref) FROM n").fetchall()
    tables.register(con, "bleu", "bleu_there", nulls="skip")
    assert con.execute("SELECT bleu_there(hyp, ref) FROM n").fetchall() == [(whole,)]
    assert con.execute("SELECT bleu_there(hyp, ref) FROM n WHERE hyp IS NULL").fetchall() == [(None,)]
    query = "SELECT bleu_there(CASE WHEN lang = 'a' THEN hyp END, ref) FROM t"
    assert con.execute(query).fetchall() == [(scores["a"],)]
    # Once more in a cell or on a cursor, another metric of the family, one that must learn.
    for again in (con, con, con.cursor()):
        assert tables.register(again, "bleu") == "bleu"
        again.register("t", t)
        assert dict(again.execute("SELECT lang, bleu(hyp, ref) FROM t GROUP BY lang").fetchall()) == scores
    with pytest.raises(ValueError, match=r"`bleu` is another metric in this connection, BLEU\|.*tok:13a.*: give `name=`"):
        tables.register(con, "bleu:tokenize=char")
    with pytest.raises(ValueError, match=r"BLEU\|.*tok:13a.* in the connection of this cursor: replace it there"):
        tables.register(con.cursor(), "bleu:tokenize=char", replace=True)
    tables.register(con, "bleu:tokenize=char", replace=True)
    assert con.execute("SELECT bleu(hyp, ref) FROM t").fetchall() == [(bleuprint.metric("bleu:tokenize=char").score(HYP, REF).score,)]
    tables.register(con, "bleu", replace=True)
    with pytest.raises(ValueError, match=r'nist learns from all references first: give bleuprint.metric\("nist"\).learn\(references\)'):
        tables.register(con, "nist")
    learned = bleuprint.metric("nist").learn(REF)
    tables.register(con, learned)
    assert con.execute("SELECT nist(hyp, ref) FROM t").fetchall() == [(learned.score(HYP, REF).score,)]
    # Warnings come once a query.
    tables.register(con, "rougeL", "rl")
    con.execute("CREATE TABLE w AS SELECT 'नमस्ते दुनिया' AS hyp FROM range(9000)")
    with pytest.warns(UserWarning, match="leaves nothing of 18000 texts") as told:
        con.execute("SELECT rl(hyp, hyp) FROM w").fetchall()
    assert len(told) == 1
    # A poisoned row and another metric's sum, in the engine.
    tables.register(con, "bleu:tokenize=char", "bleu_char")
    with pytest.raises(duckdb.Error, match="not all have the state key"):
        con.execute("SELECT bleu_char_score(bleu_sum(bleu_counts(hyp, ref))) FROM t").fetchall()
    from bleuprint.adapters.duckdb import score

    table = score(con.sql("SELECT *, 1 AS other FROM t"), "hyp", "ref", by="lang", metric=["bleu", "distinct"], batch_size=7, threads=2)
    found = {row["lang"]: row["score"] for row in table.to_pylist() if row["metric"] == "bleu"}
    assert found == scores and len(table) == 6
    with pytest.raises(ValueError, match="the data has 0 columns `answer`; it has: lang, hyp, ref"):
        score(con.sql("SELECT * FROM t"), "answer", "ref")
    with pytest.raises(ValueError, match="0 columns `Hyp`; it has: lang, hyp, ref; did you mean `hyp`"):
        score(con.sql("SELECT * FROM t"), "Hyp", "ref")
    with pytest.raises(TypeError, match="pyarrow.lib.Table is given, but must be a relation of DuckDB"):
        score(t, "hyp", "ref")
    dotted = con.sql('SELECT lang AS "a.b", hyp AS "h ""y", ref FROM t')
    assert {row["a.b"]: row["score"] for row in score(dotted, 'h "y', "ref", by="a.b").to_pylist()} == scores
    nothing = score(con.sql("SELECT * FROM t WHERE lang = 'z'"), "hyp", "ref", by="lang")
    assert len(nothing) == 0 and nothing.column_names == ["lang", "metric", "score", "segments", "signature", "state"]
    assert nothing.schema.field("lang").type == pa.string()
    # Sets travel as states of batches.
    batches = con.sql("SELECT hyp FROM t").to_arrow_reader(16)
    state = tables.merge(tables.state("distinct", batch["hyp"]) for batch in batches)
    assert tables.score(state) == bleuprint.metric("distinct").score(HYP)


def test_recipe_polars():
    pl = pytest.importorskip("polars")
    frame = pl.LazyFrame({"lang": LANG, "hyp": HYP, "ref": REF})
    schema = {"lang": pl.String, **dict.fromkeys(tables.columns("bleu"), pl.Int64)}
    count = lambda part: part.select("lang").hstack(pl.DataFrame(tables.counts("bleu", part["hyp"], part["ref"])))
    sums = frame.map_batches(count, schema=schema, streamable=True).group_by("lang").sum().collect(engine="streaming")
    assert tables.score(sums, "bleu", by="lang") == bleuprint.metric("bleu").statistics(HYP, REF).slices(LANG)
    pytest.importorskip("pyarrow")
    from bleuprint.adapters.polars import score

    for given in (frame, frame.collect(), frame.collect().with_columns(pl.col("lang").cast(pl.Categorical))):
        found = score(given, "hyp", "ref", by="lang", metric=["bleu", "distinct"], batch_size=7)
        wanted = {lang: one.score for lang, one in bleuprint.metric("bleu").statistics(HYP, REF).slices(LANG).items()}
        assert dict(found.filter(pl.col("metric") == "bleu").select("lang", "score").iter_rows()) == wanted and found.height == 6
    assert score(frame.clear(), "hyp", "ref", by="lang").schema["lang"] == pl.String
    with pytest.raises(ValueError, match="0 columns `reference`; it has: lang, hyp, ref"):
        score(frame, "hyp", "reference")
    with pytest.raises(TypeError, match="builtins.list is given, but must be a frame of Polars"):
        score(HYP, "hyp", "ref")


def test_recipe_pandas():
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"lang": [None if one == "c" else one for one in LANG], "hyp": HYP, "ref": REF})
    rows = pd.DataFrame.from_arrow(tables.counts("bleu", frame["hyp"], frame["ref"]))
    sums = rows.groupby(frame["lang"], dropna=False).sum().reset_index()
    slices = bleuprint.metric("bleu").statistics(HYP, REF).slices(LANG)
    assert tables.score(sums, "bleu", by="lang") == {None if lang == "c" else lang: score for lang, score in slices.items()}


# -- Partial states of batches, as Spark and Ray have them -----------------------------------------------------------


@pytest.mark.parametrize("parts", [1, 2, 7])
def test_partial_states_of_groups(parts):
    pa = pytest.importorskip("pyarrow")
    from bleuprint.adapters._partial import Partial

    table = pa.table({"lang": LANG, "hyp": HYP, "ref": REF})
    partial = pickle.loads(pickle.dumps(Partial(["bleu", "chrf:word-order=2", "distinct"], "hyp", "ref", by="lang")))
    streams = [partial.stream(table[cut].to_batches(max_chunksize=5)) for cut in cuts(parts)]
    merged = partial.merged(batch for stream in streams for batch in stream)
    found = {(row["lang"], row["metric"]): (row["score"], row["segments"], row["signature"]) for row in merged.to_pylist()}
    for name in partial.metrics:
        for lang, score in bleuprint.metric(name).statistics(HYP, REF).slices(LANG).items():
            assert found[lang, name] == (score.score, LANG.count(lang), score.signature)
    with pytest.raises(ValueError, match=r"ref\[2\] is null, but must be there \(counted from 0 in rows 0 to 2 of the partition\)"):
        partial(pa.table({"lang": list("aba"), "hyp": ["x"] * 3, "ref": ["x", "x", None]}))
    with pytest.raises(ValueError, match="the data has 0 columns `ref`; it has: lang, hyp"):
        partial(table.drop_columns("ref"))
    both = Partial("bleu", "hyp", "ref", by=["lang", "part"])
    part = [None if at % 2 else 1 for at in range(len(HYP))]
    rows = both.merged(both.stream(table.append_column("part", pa.array(part)).to_batches(max_chunksize=7))).to_pylist()
    pairs = bleuprint.metric("bleu").statistics(HYP, REF).slices([f"{lang} {own}" for lang, own in zip(LANG, part)])
    assert {f"{row['lang']} {row['part']}": row["score"] for row in rows} == {pair: score.score for pair, score in pairs.items()}
    coded = Partial("bleu", "hyp", "ref", by="lang")(table.set_column(0, "lang", table["lang"].dictionary_encode()))
    assert {row["lang"]: row["state"] for row in coded.to_pylist()} == {
        lang: tables.state("bleu", *([text for text, own in zip(side, LANG) if own == lang] for side in (HYP, REF))) for lang in "abc"
    }
    left_out = Partial("bleu", "hyp", "ref", by="lang", nulls="skip")
    nulls = pa.table({"lang": list("aab"), "hyp": ["a b"] * 3, "ref": ["a b", None, None]})
    rows = left_out.merged([left_out(nulls)]).to_pylist()
    assert [(row["lang"], row["score"], row["segments"]) for row in rows] == [("a", bleuprint.metric("bleu").score(["a b"], ["a b"]).score, 1), ("b", None, 0)]
    empty = pa.table({"hyp": pa.chunked_array([], pa.list_(pa.int64())), "ref": pa.chunked_array([], pa.list_(pa.int64()))})
    assert "tok:13a" not in tables.state("bleu", empty["hyp"], empty["ref"]).decode()


def keys_of_every_kind(pa):
    import decimal

    nan = float("nan")
    yield "float64", pa.array([nan, -0.0, nan, 0.0, 1.5, None]), [[0, 2], [1, 3], [4], [5]]
    yield "float32 of other bits", pa.array([nan, 2.0, -nan, 2.0, 3.0, nan], "float32"), [[0, 2, 5], [1, 3], [4]]
    yield "struct", pa.array([{"a": nan, "b": "x"}, {"a": 0.0, "b": None}, {"a": nan, "b": "x"}, {"a": -0.0, "b": None}, None, None]), [[0, 2], [1, 3], [4, 5]]
    yield "list", pa.array([["a"], [], ["a"], [], ["a", "a"], None]), [[0, 2], [1, 3], [4], [5]]
    yield "decimal", pa.array([decimal.Decimal("1.10"), None, decimal.Decimal("1.10"), decimal.Decimal("2.00"), None, None]), [[0, 2], [1, 4, 5], [3]]
    days = pa.array([4_000_000, 0, 4_000_000, 1, 1, -4_000_000], "int32").cast("date32")
    yield "far dates", days, [[0, 2], [1], [3, 4], [5]]
    when = pa.array([0, 1, 0, 1, 2, None], pa.timestamp("us", "Asia/Kolkata"))
    yield "time zones", when, [[0, 2], [1, 3], [4], [5]]
    yield "categories", pa.array(["x", "y", "x", "y", None, None]).dictionary_encode(), [[0, 2], [1, 3], [4, 5]]


def test_groups_are_told_apart_by_bits():
    """Over batches, partitions and the merge, and in `tables.score`: NaN is one group, and so are both zeros."""
    pa = pytest.importorskip("pyarrow")
    from bleuprint.adapters._partial import Partial

    metric = bleuprint.metric("bleu")
    for kind, keys, groups in keys_of_every_kind(pa):
        table = pa.table({"key of": keys, "hyp": HYP[:6], "ref": REF[:6]})
        partial = Partial("bleu", "hyp", "ref", by="key of")
        parts = [part for cut in (slice(0, 2), slice(2, 6)) for part in partial.stream(table[cut].to_batches(max_chunksize=1))]
        merged = partial.merged(parts)
        expected = [metric.score([HYP[at] for at in rows], [REF[at] for at in rows]) for rows in groups]
        assert merged["score"].to_pylist() == [score.score for score in expected], kind
        found, wanted = merged["key of"], keys.cast(keys.type.value_type) if kind == "categories" else keys
        assert found.type == wanted.type, kind
        shown = {"float64": "nan 0.0 1.5 None", "float32 of other bits": "nan 2.0 3.0", "struct": "{'a': nan, 'b': 'x'} {'a': 0.0, 'b': None} None"}
        if kind in shown:
            assert " ".join(map(str, found.to_pylist())) == shown[kind]
        else:
            assert found.combine_chunks().equals(wanted.take(pa.array([rows[0] for rows in groups]))), kind
        rows = pa.table(tables.counts("bleu", HYP[:6], REF[:6])).append_column("key of", keys)
        assert list(tables.score(rows, by="key of").values()) == expected, kind
    with pytest.raises(TypeError, match="the columns key of are Utf8, but were Int64 before"):
        partial.merged([partial(table.set_column(0, "key of", [column])) for column in (pa.array(range(6)), pa.array(list("abcdef")))])


def test_what_was_learned_travels_with_the_task_and_not_with_states():
    pa = pytest.importorskip("pyarrow")
    from bleuprint.adapters._partial import Partial

    table = pa.table({"lang": LANG, "hyp": HYP, "ref": REF})
    with pytest.raises(ValueError, match=r"cider_d learns from all references first: give bleuprint.metric\(\"cider_d\"\).learn"):
        Partial("cider_d", "hyp", "ref")
    learned = bleuprint.metric("cider_d").learn(REF)
    partial = pickle.loads(pickle.dumps(Partial(learned, "hyp", "ref", by="lang")))
    merged = partial.merged(partial.stream(table.to_batches(max_chunksize=7)))
    slices = learned.statistics(HYP, REF).slices(LANG)
    for lang, score, state in zip(*(merged[name].to_pylist() for name in ("lang", "score", "state"))):
        assert score == slices[lang].score and len(state) < 2000 and tables.score(state, learned) == slices[lang]
        with pytest.raises(ValueError, match="they differ in df: .* if the metric learned weights, give it as `metric=`"):
            tables.score(state)
        with pytest.raises(ValueError, match="unlike states"):
            tables.score(state, bleuprint.metric("cider_d").learn(REF[:9]))
    one = Partial("bleu", "hyp", "ref")
    assert len(one.merged([])) == len(one.merged([one(table[:0])])) == 0 < len(one.merged([one(table)]))


def test_workers_without_the_package_say_what_to_set(monkeypatch):
    from bleuprint.adapters import _partial
    from bleuprint.adapters.spark import _on_workers

    work = _on_workers(_partial.Partial("bleu", "hyp", "ref"), "stream")
    assert work.__module__ == "__main__"
    monkeypatch.setitem(sys.modules, "bleuprint.adapters._partial", None)
    with pytest.raises(ImportError, match="without this package; the driver runs .*Set PYSPARK_PYTHON"):
        work([])


def test_a_table_of_the_program_is_read_by_its_header():
    pa = pytest.importorskip("pyarrow")
    rows = {name: pa.table(tables.counts(name, HYP, REF)) for name in ("bleu", "ter")}
    headers = [json.loads(table.schema.metadata[b"bleuprint"]) for table in rows.values()]
    header = {**headers[0], "labels": ["lang"], "metrics": [one["metrics"][0] for one in headers]}
    columns = {f"{name}.{column}": table[column] for name, table in rows.items() for column in table.column_names}
    table = pa.table({"lang": LANG, **columns}).replace_schema_metadata({"bleuprint": json.dumps(header)})
    for name in rows:
        assert tables.score(table, name, by="lang") == bleuprint.metric(name).statistics(HYP, REF).slices(LANG)
    with pytest.raises(ValueError, match="several metrics: name one of bleu, ter by `metric=`"):
        tables.score(table)
    with pytest.raises(ValueError, match="no metric with the state key of `chrf`; it has: bleu, ter"):
        tables.score(table, "chrf")
