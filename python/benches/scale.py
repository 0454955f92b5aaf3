"""BLEU of 10^5 to ROWS segments from Parquet by the program, DataFusion, DuckDB and Spark, on one core and on two: one score, time of a segment, peak memory.

Run by `cargo xtask engines --scale ROWS`, as PROGRAM SQL FOLDER ROWS. The table is written in pieces of 10^5 rows, each from a seed of its own, so
that each size begins with the rows of the smaller one; 10^8 rows are those of 10^7 ten times. The program reads lines of text: this process unpacks the
columns and writes them to two pipes. Processor times are those of the child alone. The column `cores` is the
number of cores on which a child may run, and so of its threads.
"""

import json
import os
import pathlib
import subprocess
import sys
import threading
import time

import numpy
import pyarrow as pa
import pyarrow.compute as compute
import pyarrow.parquet as parquet

import processes

#: Rows of a piece, and of a group of rows in the files.
PIECE = 100_000

#: Rows of a file.
FILE = 1_000_000

#: Files that differ: 10^8 rows are those of 10^7, ten times.
FILES = 10

VOCABULARY = 4_000


def words():
    """A vocabulary whose frequent words are short, and the cumulated frequencies of it by the law of Zipf."""
    generator = numpy.random.default_rng(1)
    letters = generator.integers(ord("a"), ord("z") + 1, (VOCABULARY, 9), dtype="u1")
    lengths = numpy.minimum(2 + generator.integers(0, 8, VOCABULARY), 3 + numpy.arange(VOCABULARY) // 40)
    vocabulary = [bytes(row[:length]).decode("ascii") for row, length in zip(letters, lengths)]
    return pa.array(vocabulary), numpy.cumsum(1 / numpy.arange(1, VOCABULARY + 1))


def piece(number, vocabulary, frequencies):
    """Lines of 8 to 31 words, and references that have other words in three of ten places."""
    generator = numpy.random.default_rng([7, number])
    ends = numpy.concatenate([[0], numpy.cumsum(generator.integers(8, 32, PIECE))]).astype("i4")

    def draw():
        return numpy.searchsorted(frequencies, generator.random(ends[-1]) * frequencies[-1])

    hypothesis = draw()
    reference = numpy.where(generator.random(ends[-1]) < 0.7, hypothesis, draw())

    def lines(codes, end):
        joined = compute.binary_join(pa.ListArray.from_arrays(ends, vocabulary.take(pa.array(codes))), " ")
        return compute.binary_join_element_wise(compute.utf8_capitalize(joined), end, "")

    return pa.table({"hyp": lines(hypothesis, ", he said."), "ref": lines(reference, ", said he.")})


def write(folder, rows):
    """The files of the first `rows` rows, those of a smaller size by links."""
    below = folder / str(rows)
    below.mkdir(parents=True, exist_ok=True)
    made = words()
    for number, start in enumerate(range(0, rows, FILE)):
        own = min(FILE, rows - start)
        first = number % FILES * FILE
        kept = folder / f"{first}-{own}.parquet"
        if not kept.exists():
            partial = kept.with_suffix(".partial")
            with parquet.ParquetWriter(partial, pa.schema({"hyp": pa.string(), "ref": pa.string()})) as writer:
                for at in range(first, first + own, PIECE):
                    writer.write_table(piece(at // PIECE, *made))
            partial.rename(kept)
        link = below / f"{number:03}.parquet"
        link.unlink(missing_ok=True)
        os.link(kept, link)
    return below


def high_water(process):
    """Its most resident memory so far in MB; none once it has ended."""
    try:
        status = pathlib.Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except OSError:
        return None
    marks = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")]
    return int(marks[0]) / 1024 if marks else None


def measured(command, cores):
    """Runs a command that may use `cores` cores. Returns its output, its processor time and the clock's in seconds, and its peak memory in MB."""
    own = sorted(os.sched_getaffinity(0))[:cores]
    start, marks = time.monotonic(), []
    child = subprocess.Popen(command, stdout=subprocess.PIPE, preexec_fn=lambda: os.sched_setaffinity(0, own))

    # The resources that `wait4` tells have the memory of this process, from which the child was forked.
    def watch():
        while (mark := high_water(child.pid)) is not None:
            marks.append(mark)
            time.sleep(0.01)

    watcher = threading.Thread(target=watch)
    watcher.start()
    answer = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    watcher.join()
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{command[0]} ended with {child.returncode}")
    return answer, usage.ru_utime + usage.ru_stime, time.monotonic() - start, max(marks, default=0)


def by_program(below, cores):
    """Two pipes, as the shell makes them, with the lines of a column each."""
    pipes = [below / side for side in ("ref", "hyp")]
    for pipe in pipes:
        pipe.unlink(missing_ok=True)
        os.mkfifo(pipe)

    def feed(pipe):
        with open(pipe, "wb") as out:
            for file in sorted(below.glob("*.parquet")):
                for batch in parquet.ParquetFile(file).iter_batches(PIECE, columns=[pipe.name]):
                    out.write(memoryview(compute.binary_join_element_wise(batch.column(0), "", "\n").buffers()[2]))

    feeders = [threading.Thread(target=feed, args=(pipe,)) for pipe in pipes]
    for feeder in feeders:
        feeder.start()
    answer, *figures = measured([PROGRAM, "score", *pipes[:1], "-i", *pipes[1:], "-m", "bleu", "-f", "json", "-w", "17", "-q"], cores)
    for feeder in feeders:
        feeder.join()
    return json.loads(answer)["score"], figures


def by_datafusion(below, cores):
    answer, *figures = measured([SQL, "-f", "json", f"SELECT bleu(hyp, ref) AS score FROM '{below}/*.parquet'"], cores)
    return json.loads(answer)["score"], figures


def by_duckdb(below, cores):
    answer, *figures = measured([sys.executable, __file__, "--duckdb", below], cores)
    return json.loads(answer), figures


def duckdb(below):
    import duckdb

    from bleuprint.adapters.duckdb import score

    relation = duckdb.connect().sql(f"SELECT * FROM read_parquet('{below}/*.parquet')")
    print(json.dumps(score(relation, "hyp", "ref", metric="bleu")["score"][0].as_py()))


def by_spark(below, cores):
    answer, _, clock, _ = measured([sys.executable, __file__, "--spark", below], cores)
    told = json.loads(answer)
    return told["score"], [told["processor"], clock, told["memory"]]


def spark(below):
    """Prints the score, with the processor time and the peak memory of this process and all that it started."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    from bleuprint.adapters.spark import score

    builder = SparkSession.builder.master(f"local[{len(os.sched_getaffinity(0))}]").appName("scale")
    options = {"spark.ui.enabled": "false", "spark.driver.memory": "2g", "spark.sql.shuffle.partitions": "4"}
    for name, setting in options.items():
        builder = builder.config(name, setting)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    done, marks = threading.Event(), []

    def watch():
        while not done.wait(0.2):
            marks.append(processes.resident_megabytes())

    watcher = threading.Thread(target=watch)
    watcher.start()
    found = score(session.read.parquet(str(below)), "hyp", "ref", metric="bleu").toArrow()["score"][0].as_py()
    done.set()
    watcher.join()
    print(json.dumps({"score": found, "processor": processes.processor_seconds(), "memory": max(marks, default=0)}))
    session.stop()


#: Most rows of an interface, where more would take too long.
MOST = {"Spark, `adapters.spark.score`": 10**7}

INTERFACES = {"the program, two pipes of lines": by_program, "DataFusion, `bleuprint-sql`": by_datafusion, "DuckDB, `adapters.duckdb.score`": by_duckdb, "Spark, `adapters.spark.score`": by_spark}


def main():
    folder, rows = pathlib.Path(sys.argv[3]), int(sys.argv[4])
    folder.mkdir(parents=True, exist_ok=True)
    sizes = [size for size in (10**5, 10**6, 10**7, 10**8) if size <= rows]
    counts = [cores for cores in (1, 2) if cores <= len(os.sched_getaffinity(0))]
    print("| segments | interface | cores | processor µs per segment | wall-clock µs | most memory, MB |\n|--:|---|--:|--:|--:|--:|", flush=True)
    for size in sizes:
        below, scores = write(folder, size), {}
        for name, cores in ((name, cores) for name in INTERFACES for cores in counts if size <= MOST.get(name, size)):
            scores[name, cores], (seconds, clock, memory) = INTERFACES[name](below, cores)
            print(f"| {size:,} | {name} | {cores} | {seconds / size * 1e6:.2f} | {clock / size * 1e6:.2f} | {memory:.0f} |", flush=True)
        if len(set(scores.values())) != 1:
            raise SystemExit(f"unlike scores of {size} segments: {scores}")


if __name__ == "__main__":
    if sys.argv[1] in ("--duckdb", "--spark"):
        {"--duckdb": duckdb, "--spark": spark}[sys.argv[1]](pathlib.Path(sys.argv[2]))
    else:
        PROGRAM, SQL = sys.argv[1:3]
        main()
