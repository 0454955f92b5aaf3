"""The query of docs/warehouses.md in SQLite, ClickHouse and Postgres, each where it is installed."""

import csv
import io
import os
import random
import shutil
import sqlite3
import subprocess
import tempfile
from pathlib import Path

import pytest

import bleuprint
from bleuprint import tables

arrow = pytest.importorskip("arro3.core")

METRICS = ["bleu", "ter", "rougeL"]
WORDS = "the dog had just bitten a man again 12 times .".split()
#: More than one would count of, in two rows: their sum needs 65 bits.
LARGE = 2**62 + 2**61


class SQLite:
    """A sum is an integer of 64 bits, or an error."""

    integer, cast, overflows = "INTEGER", "{}", "overflow"

    def __init__(self):
        self.connection = sqlite3.connect(":memory:")

    def run(self, *statements):
        cursor = None
        for statement in statements:
            cursor = self.connection.execute(statement)
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row)) for row in cursor.fetchall()]

    def close(self):
        self.connection.close()


class ClickHouse:
    """A sum of `Int64` wraps around."""

    integer, cast, overflows = "Int64", "{}", None

    def __init__(self):
        self.session = pytest.importorskip("chdb.session").Session()

    def run(self, *statements):
        for statement in statements:
            engine = " ENGINE = Memory" if statement.startswith("CREATE") else ""
            answer = self.session.query(statement + engine, "CSVWithNames")
        return list(csv.DictReader(io.StringIO(str(answer))))

    def close(self):
        self.session.close()


class Postgres:
    """A sum of `bigint` is `numeric`, and too large for a cast beyond 64 bits."""

    integer, cast, overflows = "bigint", "{}::bigint", "out of range"

    def __init__(self):
        programs = [shutil.which("initdb"), *map(str, sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb")))]
        initdb = next((program for program in programs if program), None)
        if initdb is None or shutil.which("psql") is None:
            pytest.skip("no Postgres here")
        # A server refuses to be root's.
        self.user = {"user": "postgres"} if os.name == "posix" and os.getuid() == 0 else {}
        self.folder = Path(tempfile.mkdtemp())
        if self.user:
            shutil.chown(self.folder, "postgres")
        self.control = [str(Path(initdb).with_name("pg_ctl")), "-D", f"{self.folder}/data", "-w"]
        self.call([initdb, "-D", f"{self.folder}/data", "-A", "trust", "-U", "tester", "-E", "UTF8", "--locale", "C", "-N"])
        self.call([*self.control, "-l", f"{self.folder}/log", "-o", f"-k {self.folder} -c listen_addresses= -F", "start"])

    def call(self, command, **options):
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, timeout=120, **self.user, **options)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return done.stdout

    def run(self, *statements):
        psql = ["psql", "-X", "-q", "--csv", "-v", "ON_ERROR_STOP=1", "-h", str(self.folder), "-U", "tester", "postgres"]
        return list(csv.DictReader(io.StringIO(self.call(psql, input=";\n".join(statements) + ";\n"))))

    def close(self):
        # Without its pipes, which the server would keep open.
        subprocess.run([*self.control, "-m", "immediate", "stop"], stdout=subprocess.DEVNULL, cwd="/", timeout=120, **self.user)
        shutil.rmtree(self.folder, ignore_errors=True)


@pytest.fixture(scope="module", params=[SQLite, ClickHouse, Postgres], ids=lambda engine: engine.__name__)
def warehouse(request):
    warehouse = request.param()
    yield warehouse
    warehouse.close()


def filled(warehouse, metric, rows):
    """Statements that keep rows of counts behind a label."""
    names = tables.columns(metric)
    typed = ", ".join(f'"{name}" {warehouse.integer} NOT NULL' for name in names)
    text = "String" if warehouse.integer == "Int64" else "text"
    values = ", ".join(f"('{label}', {', '.join(map(str, row))})" for label, row in rows)
    return ["DROP TABLE IF EXISTS counts", f"CREATE TABLE counts (lang {text}, {typed})", f"INSERT INTO counts VALUES {values}"]


def query(warehouse, metric):
    sums = ", ".join(f'{warehouse.cast.format(f"""SUM("{name}")""")} AS "{name}"' for name in tables.columns(metric))
    return f"SELECT lang, {sums} FROM counts GROUP BY lang"


def table_of(answer):
    """The few rows of an answer as columns of Arrow."""
    int64, text = arrow.DataType.int64(), arrow.DataType.utf8()
    columns = {name: [row[name] if name == "lang" else int(row[name]) for row in answer] for name in answer[0]}
    return arrow.Table.from_pydict({name: arrow.Array(column, type=text if name == "lang" else int64) for name, column in columns.items()})


@pytest.mark.parametrize("metric", METRICS)
def test_a_plain_sum_of_groups_has_the_scores_of_the_program(warehouse, metric):
    generator = random.Random(7)
    hyp, ref = ([" ".join(generator.choices(WORDS, k=generator.randrange(4, 14))) for _ in range(50)] for _ in range(2))
    lang = ["abc"[at % 3] for at in range(50)]
    counts = arrow.Table.from_arrow(tables.counts(metric, hyp, ref))
    rows = zip(*(counts.column(name).to_pylist() for name in tables.columns(metric)))
    answer = warehouse.run(*filled(warehouse, metric, zip(lang, rows)), query(warehouse, metric))
    scores = tables.score(table_of(answer), metric, by="lang")
    assert scores == bleuprint.metric(metric).statistics(hyp, ref).slices(lang)


def test_a_sum_beyond_64_bits_is_refused(warehouse):
    large = [LARGE] * len(tables.columns("bleu"))
    statements = [*filled(warehouse, "bleu", [("a", large), ("a", large)]), query(warehouse, "bleu")]
    if warehouse.overflows is None:
        with pytest.raises(ValueError, match="counts are from 0"):
            tables.score(table_of(warehouse.run(*statements)), "bleu", by="lang")
    else:
        with pytest.raises(Exception, match=warehouse.overflows):
            warehouse.run(*statements)
