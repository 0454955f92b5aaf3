"""Runs the engines of `bleuprint.tables` and its adapters, and compares their states with those of the program, bit by bit.

Run by `cargo xtask engines`, as PROGRAM LOOP SQL FOLDER ROWS [engine..]. Each engine reads 1, 2 and 7 files of Parquet; Spark and Ray also
lose a task and an executor. Mistakes are refused, by column and row. Then: the processor time of a segment at each
door, next to LOOP, the library alone; and memory from 10^5 to 10^7 rows.
"""

import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import threading
import time

import pyarrow as pa
import pyarrow.parquet as parquet

import processes
import texts

import bleuprint
from bleuprint import tables

METRICS = ["bleu", "chrf", "ter", "rougeL", "wer", "distinct"]
SUMMED = METRICS[:-1]
PARTS = [1, 2, 7]
LANGS = "abc"


def corpus(count):
    hyps, refs = texts.corpus(count)
    return pa.table({"lang": [LANGS[at % 3] for at in range(count)], "hyp": hyps, "ref": refs})


def write_parts(table, folder):
    """The table as 1, 2 and 7 files of unequal sizes."""
    for parts in PARTS:
        below = folder / str(parts)
        below.mkdir(parents=True, exist_ok=True)
        ends = [len(table) * (part + 1) ** 2 // parts**2 for part in range(parts)]
        for part, (start, end) in enumerate(zip([0, *ends], ends)):
            parquet.write_table(table.slice(start, end - start), below / f"{part}.parquet")


def of_program(program, table, folder):
    """The totals of the program, by language and metric."""
    totals = {}
    for lang in LANGS:
        rows = table.filter(pa.compute.equal(table["lang"], lang))
        for side in ("hyp", "ref"):
            (folder / side).write_text("".join(line + "\n" for line in rows[side].to_pylist()), encoding="utf-8")
        out = folder / f"{lang}.stats"
        arguments = ["stats", "ref", "-i", "hyp", "-m", *METRICS, "--total", "--overwrite", "-o", out.name]
        subprocess.run([program, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        header, end = map(json.loads, out.read_text(encoding="utf-8").splitlines())
        for metric, total in zip(header["metrics"], end["total"]):
            totals[lang, metric["spec"]] = (metric["key"], total)
    return totals


def total_of(state):
    header, end = map(json.loads, state.splitlines())
    return header["metrics"][0]["key"], end["total"][0]


def require(name, found, expected, metrics):
    """The states that an engine found, by language and metric, are those of the program."""
    for lang in LANGS:
        for metric in metrics:
            assert total_of(found[lang, metric]) == expected[lang, NAMES[metric]], (name, lang, metric)
    print(f"  {name}: {len(metrics)} metrics, {len(LANGS)} groups: the bits of the program", flush=True)


#: The program's names of the metrics.
NAMES = {name: json.loads(tables.state(name, *[["a b"]] * (1 if name == "distinct" else 2)).splitlines()[0])["metrics"][0]["spec"] for name in METRICS}


# -- The engines: states by language and metric from a folder of files -----------------------------------------------


def datafusion(folder, metrics=METRICS):
    """SQL alone: the program `bleuprint-sql`."""
    found = {}
    for metric in metrics:
        query = f"SELECT lang, metric_state('{metric}', hyp, ref) AS state FROM '{folder}/*.parquet' GROUP BY lang"
        rows = subprocess.run([SQL, "-f", "json", query], check=True, capture_output=True, text=True).stdout
        for row in map(json.loads, rows.splitlines()):
            found[row["lang"], metric] = bytes.fromhex(row["state"])
    return found


def grouped(sums, metric):
    """The states of sums of columns, a row for each language."""
    sums = pa.table(sums)
    return {(sums["lang"][at].as_py(), metric): tables.encode(sums.slice(at, 1), metric) for at in range(len(sums))}


def duckdb(folder, metrics=METRICS):
    """Batches of a relation, as in Spark and Ray."""
    import duckdb

    from bleuprint.adapters.duckdb import score

    relation = duckdb.connect().sql(f"SELECT * FROM read_parquet('{folder}/*.parquet')")
    return by_group(score(relation, "hyp", "ref", by="lang", metric=metrics))


def duckdb_sum(folder, metrics=SUMMED):
    """SQL alone: sums of DuckDB's own."""
    import duckdb

    con, found = duckdb.connect(), {}
    for metric in metrics:
        tables.register(con, metric)
        name = bleuprint.metric(metric).name if metric == "rougeL" else metric
        query = f"SELECT lang, unnest({name}_sum({name}_counts(hyp, ref))) FROM read_parquet('{folder}/*.parquet') GROUP BY lang"
        found.update(grouped(con.sql(query), metric))
    return found


def polars(folder, metrics=SUMMED):
    import polars

    found = {}
    for metric in metrics:
        schema = {"lang": polars.String, **dict.fromkeys(tables.columns(metric), polars.Int64)}

        def count(part):
            return part.select("lang").hstack(polars.DataFrame(tables.counts(metric, part["hyp"], part["ref"])))

        frame = polars.scan_parquet(f"{folder}/*.parquet")
        sums = frame.map_batches(count, schema=schema, streamable=True).group_by("lang").sum().collect(engine="streaming")
        found.update(grouped(sums, metric))
    return found


def pandas(folder, metrics=SUMMED):
    import pandas

    frame, found = pandas.read_parquet(folder), {}
    for metric in metrics:
        rows = pandas.DataFrame.from_arrow(tables.counts(metric, frame["hyp"], frame["ref"]))
        found.update(grouped(rows.groupby(frame["lang"], dropna=False).sum().reset_index(), metric))
    return found


def by_group(table):
    return {(row["lang"], row["metric"]): row["state"] for row in table.to_pylist()}


SESSION = []


def session():
    if not SESSION:
        os.environ["PYSPARK_PYTHON"] = sys.executable
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("engines")
        options = {
            "spark.ui.enabled": "false",
            "spark.driver.memory": "2g",
            "spark.sql.shuffle.partitions": "4",
            # Every file is a partition, of whatever size.
            "spark.sql.files.openCostInBytes": str(1 << 40),
        }
        for name, setting in options.items():
            builder = builder.config(name, setting)
        SESSION.append(builder.getOrCreate())
        SESSION[0].sparkContext.setLogLevel("OFF")
    return SESSION[0]


def spark(folder, metrics=METRICS, spoil=None):
    from bleuprint.adapters.spark import score

    frame = session().read.parquet(str(folder))
    if spoil is not None:
        frame = frame.mapInArrow(spoil, frame.schema)
    return by_group(score(frame, "hyp", "ref", by="lang", metric=metrics).toArrow())


def spark_sum(folder, metrics=SUMMED):
    """A plain SUM of Spark's own over columns of counts."""
    from pyspark.sql import functions

    found = {}
    for metric in metrics:
        columns = tables.columns(metric)

        def count(batches):
            for batch in batches:
                rows = pa.RecordBatch.from_struct_array(pa.array(tables.counts(metric, batch["hyp"], batch["ref"])))
                yield pa.RecordBatch.from_arrays([batch["lang"], *rows.columns], ["lang", *columns])

        frame = session().read.parquet(str(folder)).mapInArrow(count, "lang string, " + ", ".join(f"`{name}` bigint" for name in columns))
        sums = frame.groupBy("lang").agg(*[functions.sum(f"`{name}`").alias(name) for name in columns])
        found.update(grouped(sums.toArrow(), metric))
    return found


def lose_a_task(batches):
    """The Python worker of the first attempt is killed in the middle of its partition."""
    from pyspark import TaskContext

    for batch in batches:
        yield batch
        if TaskContext.get().attemptNumber() == 0:
            os.kill(os.getpid(), 9)


def lose_an_executor(batches):
    """The process of the executor of the first attempt of the first partition is killed."""
    from pyspark import TaskContext

    context = TaskContext.get()
    for batch in batches:
        yield batch
        if context.attemptNumber() == 0 and context.partitionId() == 0:
            daemon = os.getppid()
            executor = int(pathlib.Path(f"/proc/{daemon}/stat").read_text().rsplit(")", 1)[1].split()[1])
            os.kill(executor, 9)


def ray(folder, metrics=METRICS, spoil=None):
    import ray as theirs

    from bleuprint.adapters.ray import score

    if not theirs.is_initialized():
        theirs.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
        theirs.data.DataContext.get_current().enable_progress_bars = False
    files = sorted(str(path) for path in pathlib.Path(folder).glob("*.parquet"))
    dataset = theirs.data.read_parquet(files, override_num_blocks=len(files))
    if spoil is not None:
        dataset = dataset.map_batches(spoil, batch_format="pyarrow", batch_size=None)
    return by_group(score(dataset, "hyp", "ref", by="lang", metric=metrics))


class DieOnce:
    """Kills the first worker that meets it."""

    def __init__(self, mark):
        self.mark = str(mark)

    def __call__(self, batch):
        try:
            os.close(os.open(self.mark, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return batch
        os.kill(os.getpid(), 9)


# -- Checks, rates, memory -------------------------------------------------------------------------------------------


def check(name, folder, expected):
    engine = globals()[name]
    for parts in PARTS:
        found = engine(folder / str(parts))
        require(f"{name}, {parts} partitions", found, expected, sorted({metric for _, metric in found}))
    if name == "spark":
        require("spark, plain SUM, 7 partitions", spark_sum(folder / "7"), expected, SUMMED)
        for spoil in (lose_a_task, lose_an_executor):
            require(f"spark, {spoil.__name__}", spark(folder / "7", spoil=spoil), expected, METRICS)
    if name == "ray":
        mark = folder / "died"
        mark.unlink(missing_ok=True)
        require("ray, a worker dies", ray(folder / "7", spoil=DieOnce(mark)), expected, METRICS)
        assert mark.exists()


#: Tables that cannot be counted, and the message of the error in every engine.
MISTAKES = {
    "a null": (pa.table({"lang": ["a"] * 3, "hyp": ["x"] * 3, "ref": ["x", None, "x"]}), r"ref\[1\] is null, but must be there"),
    "bytes": (pa.table({"lang": ["a"], "hyp": ["x"], "ref": [b"\xff"]}), "ref is .*Binary|key .*Binary"),
    "a missing column": (pa.table({"lang": ["a"], "hyp": ["x"]}), "0 columns `ref`; it has: lang, hyp"),
    "text and ids": (pa.table({"lang": ["a"], "hyp": ["x"], "ref": [[1, 2]]}), "hyp is a column of text, but ref one of ids"),
    "a null among references": (pa.table({"lang": ["a"], "hyp": ["x"], "ref": [["x", None]]}), r"ref\[0\]\[1\] is null"),
}


def refusals(name, folder):
    """Every mistake is an error that names the column and the row."""
    for mistake, (table, message) in MISTAKES.items():
        below = folder / mistake.replace(" ", "-")
        below.mkdir(parents=True, exist_ok=True)
        parquet.write_table(table, below / "all.parquet")
        try:
            globals()[name](below, ["bleu"])
        except Exception as error:
            assert re.search(message, str(error)), (name, mistake, str(error)[-2000:])
        else:
            raise AssertionError(f"{name} counted {mistake}")
    print(f"  {name}: refused, by column and row: {', '.join(MISTAKES)}", flush=True)


def least(clock, works, runs=3):
    """The least time of each of some works, which take turns: other work of the machine only adds to it."""
    times = [float("inf")] * len(works)
    for _ in range(runs):
        for at, work in enumerate(works):
            start = clock()
            work()
            times[at] = min(times[at], clock() - start)
    return times


def of_loop(loop, metric, table, folder):
    """Seconds of one thread of the library for all rows, with the lines in memory."""
    folder.mkdir(exist_ok=True)
    for file, side in (("hyp", "hyp"), ("ref0", "ref")):
        (folder / file).write_text("".join(line + "\n" for line in table[side].to_pylist()), encoding="utf-8")
    answer = subprocess.run([loop, f"metric:{metric}", folder, "5"], check=True, capture_output=True, text=True).stdout
    return min(json.loads(answer)["seconds"])


def repeated(part, times, folder):
    """Seven files, each with a seventh of the part, repeated."""
    folder.mkdir(parents=True, exist_ok=True)
    ends = [len(part) * number // 7 for number in range(8)]
    for number, (start, end) in enumerate(zip(ends, ends[1:])):
        with parquet.ParquetWriter(folder / f"{number}.parquet", part.schema) as writer:
            for _ in range(times):
                writer.write_table(part.slice(start, end - start))


#: How often the large run has the rows of the small one.
TIMES = 10


def rates(names, loop, folder, part):
    """Processor time of a segment, in all threads and processes. Engines: the difference of a large run and a small one, so that their
    start does not count."""
    small, large, rows = folder / "once", folder / "often", len(part)
    repeated(part, 1, small)
    repeated(part, TIMES, large)
    for metric in ("bleu", "wer"):
        alone = of_loop(loop, metric, part, folder / "lines") / rows
        print(f"  {metric}: the library alone {alone * 1e6:.2f} us of a segment, {1 / alone:,.0f} a second and core", flush=True)
        doors = [lambda call=call: call(metric, part["hyp"], part["ref"]) for call in (tables.state, tables.counts)]
        state, counts = least(time.process_time, doors)
        print(f"  {metric}: tables.state {state / rows * 1e6:.2f} us ({alone * rows / state:.0%}), tables.counts {counts / rows * 1e6:.2f} us ({counts / state:.2f} of state)", flush=True)
        for name in [*names, *["duckdb_sum"] * ("duckdb" in names)]:
            one, many = least(processes.processor_seconds, [lambda of=of: globals()[name](of, [metric]) for of in (small, large)])
            each = (many - one) / (rows * (TIMES - 1))
            print(f"  {metric}: {name} {each * 1e6:.2f} us ({alone / each:.0%} of the library, {state / rows / each:.0%} of tables.state), start {one - each * rows:.1f} s", flush=True)


def resident():
    """The resident memory of this process in MB, without the pages of files."""
    fields = dict(line.split(":", 1) for line in open("/proc/self/status", encoding="ascii"))
    return int(fields["RssAnon"].split()[0]) // 1024


def memory(name, folder):
    """The most memory of one engine, in a process of its own."""
    globals()[name](folder / "warm", ["bleu"])
    before, peak, done = resident(), [0], threading.Event()

    def watch():
        while not done.wait(0.02):
            peak[0] = max(peak[0], resident())

    watcher = threading.Thread(target=watch)
    watcher.start()
    found = globals()[name](folder, ["bleu"])
    done.set()
    watcher.join()
    if name == "datafusion":
        before, peak[0] = 0, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    size = max(len(state) for state in found.values())
    print(f"    {name}, {int(folder.name):,} rows: state of {size} bytes, {before} MB before, {peak[0]} MB at most", flush=True)


def memories(names, folder, part):
    for count in (1, 10, 100):
        below = folder / str(count * len(part))
        (below / "warm").mkdir(parents=True, exist_ok=True)
        parquet.write_table(part.slice(0, 1000), below / "warm" / "all.parquet")
        # Groups of rows as engines write them: each is read whole.
        with parquet.ParquetWriter(below / "all.parquet", part.schema) as writer:
            for _ in range(count):
                writer.write_table(part)
        for name in names:
            subprocess.run([sys.executable, __file__, "--memory", name, SQL, below], check=True)
        (below / "all.parquet").unlink()


def main():
    if sys.argv[1] == "--memory":
        return memory(sys.argv[2], pathlib.Path(sys.argv[4]))
    program, loop, folder, rows = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[4]), int(sys.argv[5])
    names = sys.argv[6:]
    folder.mkdir(parents=True, exist_ok=True)
    small, part = corpus(2000), corpus(rows)
    write_parts(small, folder / "small")
    expected = of_program(program, small, folder)
    for name in names:
        print(name, flush=True)
        check(name, folder / "small", expected)
        if name == "duckdb":
            check("duckdb_sum", folder / "small", expected)
        if name in ("duckdb", "spark", "ray"):
            refusals(name, folder / "mistakes")
    print("rates", flush=True)
    rates(names, loop, folder / "rates", part)
    print("memory", flush=True)
    memories([name for name in ("datafusion", "duckdb", "duckdb_sum", "polars") if name.split("_")[0] in names], folder / "memory", part)
    if SESSION:
        SESSION[0].stop()


#: The program `bleuprint-sql`.
SQL = sys.argv[3]

if __name__ == "__main__":
    main()
