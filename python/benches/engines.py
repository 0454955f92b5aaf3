"""Runs the engines of `bleuprint.tables` and its adapters, and compares their states with those of the program, bit by bit.

Run by `cargo xtask engines`, as PROGRAM FOLDER ROWS [engine..]. Each engine reads 1, 2 and 7 files of Parquet; Spark and Ray also
lose a task and an executor. Then: segments a second and core at each door, and memory from 10^5 to 10^7 rows.
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import time

import pyarrow as pa
import pyarrow.parquet as parquet

import bleuprint
from bleuprint import tables

METRICS = ["bleu", "chrf", "ter", "rougeL", "wer", "distinct"]
SUMMED = METRICS[:-1]
PARTS = [1, 2, 7]
LANGS = "abc"


def corpus(count):
    """Lines of about 20 words, of a vocabulary like that of a language, and references that differ from them."""
    generator = random.Random(1)
    words = ["".join(generator.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(generator.randrange(2, 10))) for _ in range(4000)]
    weights = [1 / (rank + 1) for rank in range(len(words))]
    hyps, refs = [], []
    for _ in range(count):
        line = generator.choices(words, weights, k=generator.randrange(8, 32))
        other = [word if generator.random() < 0.7 else generator.choice(words) for word in line]
        hyps.append(" ".join(line).capitalize() + ", he said.")
        refs.append(" ".join(other).capitalize() + ", said he.")
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


#: What the program calls the metrics.
NAMES = {name: json.loads(tables.state(name, *[["a b"]] * (1 if name == "distinct" else 2)).splitlines()[0])["metrics"][0]["spec"] for name in METRICS}


# -- The engines: states by language and metric from a folder of files -----------------------------------------------


def grouped(sums, metric):
    """The states of sums of columns, a row for each language."""
    sums = pa.table(sums)
    return {(sums["lang"][at].as_py(), metric): tables.encode(sums.slice(at, 1), metric) for at in range(len(sums))}


def duckdb(folder, metrics=SUMMED):
    import duckdb

    con, found = duckdb.connect(), {}
    for metric in metrics:
        tables.register(con, metric)
        name = bleuprint.metric(metric).name if metric == "rougeL" else metric
        query = f"SELECT lang, unnest({name}_sum({name}_counts(hyp, ref))) FROM read_parquet('{folder}/*.parquet') GROUP BY lang"
        found.update(grouped(con.sql(query), metric))
    for batch in con.sql(f"SELECT lang, hyp, ref FROM read_parquet('{folder}/*.parquet')").to_arrow_reader(5000) if metrics is SUMMED else ():
        for lang in LANGS:
            part = batch.filter(pa.compute.equal(batch["lang"], lang))
            kept = found.setdefault((lang, "distinct"), [])
            kept.append(tables.state("distinct", part["hyp"], part["ref"]))
            kept[:] = [tables.merge(kept)]
    return {key: state[0] if isinstance(state, list) else state for key, state in found.items()}


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
        found.update(grouped(rows.groupby(frame["lang"]).sum().reset_index(), metric))
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
            # A task that takes longer than the others is started a second time.
            "spark.speculation": "true",
            "spark.speculation.interval": "200ms",
            "spark.speculation.quantile": "0.5",
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


def sleep_once(batches):
    """The first attempt of the first partition is slow, so that it is started a second time beside the first."""
    from pyspark import TaskContext

    context = TaskContext.get()
    if context.attemptNumber() == 0 and context.partitionId() == 0:
        time.sleep(20)
    yield from batches


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
        for spoil in (lose_a_task, lose_an_executor, sleep_once):
            require(f"spark, {spoil.__name__}", spark(folder / "7", spoil=spoil), expected, METRICS)
    if name == "ray":
        mark = folder / "died"
        mark.unlink(missing_ok=True)
        require("ray, a worker dies", ray(folder / "7", spoil=DieOnce(mark)), expected, METRICS)
        assert mark.exists()


def best(work, runs=3):
    least = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        work()
        least = min(least, time.perf_counter() - start)
    return least


def rates(names, folder, rows):
    """Segments a second and core at each door, beside one batch of the library in one thread."""
    table = parquet.read_table(folder / "7")
    cores = {"duckdb": 2, "polars": 1, "pandas": 1, "spark": 2, "ray": 2}
    for metric in ("bleu", "wer"):
        library = rows / best(lambda: tables.state(metric, table["hyp"], table["ref"]))
        counts = rows / best(lambda: tables.counts(metric, table["hyp"], table["ref"]))
        print(f"  {metric}: the library {library:,.0f} segments/s and core; as columns {counts:,.0f} ({counts / library:.0%})", flush=True)
        for name in names:
            rate = rows / best(lambda: globals()[name](folder / "7", [metric])) / min(cores[name], os.cpu_count() or 1)
            print(f"  {metric}: {name} {rate:,.0f} segments/s and core ({rate / library:.0%})", flush=True)


def memory(name, folder):
    """The peak of memory of one engine, in a process of its own."""
    found = globals()[name](folder, ["bleu"])
    size = max(len(state) for state in found.values())
    # Of this process since it began; `getrusage` would count what it was forked from.
    peak = next(line for line in open("/proc/self/status", encoding="ascii") if line.startswith("VmHWM"))
    print(f"    {name} {folder.name} rows: state of {size} bytes, peak {int(peak.split()[1]) // 1024} MB", flush=True)


def memories(names, folder, table):
    part = table.slice(0, 100_000)
    for count in (1, 10, 100):
        below = folder / f"{count}00000"
        below.mkdir(exist_ok=True)
        with parquet.ParquetWriter(below / "all.parquet", part.schema) as writer:
            for _ in range(count):
                writer.write_table(part)
    for name in names:
        for count in (1, 10, 100):
            below = folder / f"{count}00000"
            subprocess.run([sys.executable, __file__, "--memory", name, below], check=True)


def main():
    if sys.argv[1] == "--memory":
        return memory(sys.argv[2], pathlib.Path(sys.argv[3]))
    program, folder, rows = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
    names = sys.argv[4:] or ["duckdb", "polars", "pandas", "spark", "ray"]
    folder.mkdir(parents=True, exist_ok=True)
    small, large = corpus(2000), corpus(rows)
    write_parts(small, folder / "small")
    write_parts(large, folder / "large")
    expected = of_program(program, small, folder)
    for name in names:
        print(name, flush=True)
        check(name, folder / "small", expected)
    print("rates", flush=True)
    rates(names, folder / "large", rows)
    print("memory", flush=True)
    memories([name for name in names if name in ("duckdb", "polars")], folder, large)
    if SESSION:
        SESSION[0].stop()


if __name__ == "__main__":
    main()
