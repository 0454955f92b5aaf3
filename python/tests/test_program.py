"""The program in the wheel has the exit codes, streams and signals of the program."""

import os
import random
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import bleuprint
import pytest

HYPOTHESES = ["The dog bit the man.", "It was a surprise."]
REFERENCES = ["The dog had bit the man.", "It was not a surprise."]


def program(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "bleuprint", *map(str, arguments)], capture_output=True, text=True, timeout=120, **options
    )


@pytest.fixture
def files(tmp_path):
    paths = tmp_path / "hypotheses.txt", tmp_path / "references.txt"
    for path, lines in zip(paths, (HYPOTHESES, REFERENCES)):
        path.write_text("".join(f"{line}\n" for line in lines))
    return paths


def test_a_score_is_that_of_the_library(files):
    hypotheses, references = files
    ran = program("score", references, "-i", hypotheses, "-m", "bleu", "-b", "-w", "4")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.strip() == f"{bleuprint.metric('bleu').score(HYPOTHESES, REFERENCES).score:.4f}"


def test_the_wheel_installs_the_command(files):
    command = Path(sysconfig.get_path("scripts")) / ("bleuprint.exe" if os.name == "nt" else "bleuprint")
    ran = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == f"bleuprint {bleuprint.__version__}"
    assert ran.stdout == program("--version").stdout


def test_standard_input_is_read(files):
    hypotheses, references = files
    ran = program("score", references, "-b", stdin=hypotheses.open())
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == program("score", references, "-i", hypotheses, "-b").stdout


@pytest.mark.parametrize(
    "arguments, code, message",
    [
        (["scor"], 2, "did you mean `score`"),
        (["score", "absent.txt", "-i", "absent.txt"], 2, "absent.txt"),
        (["list", "metrics", "--no-such-option"], 2, "--no-such-option"),
        (["--help"], 0, ""),
    ],
)
def test_exit_codes_and_messages(arguments, code, message, tmp_path):
    ran = program(*arguments, cwd=tmp_path)
    assert ran.returncode == code
    assert message in ran.stderr and "Traceback" not in ran.stderr


def test_a_verdict_is_the_exit_code(files):
    hypotheses, references = files
    ran = program("explain", references, "-i", hypotheses, "--target", "12.345678")
    assert ran.returncode == 1


def test_a_reader_that_leaves_is_no_error(files):
    process = subprocess.Popen(
        [sys.executable, "-m", "bleuprint", "list", "metrics", "--format", "json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.close()
    assert (process.wait(timeout=60), process.stderr.read()) == (0, b"")
    process.stderr.close()


@pytest.mark.skipif(shutil.which("sh") is None or os.name == "nt", reason="takes a shell")
def test_a_closed_output_is_an_error():
    ran = subprocess.run(["sh", "-c", f"'{sys.executable}' -m bleuprint list metrics >&-"], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (2, "bleuprint: error: standard output is closed\n")


@pytest.mark.skipif(os.name == "nt", reason="signals are sent differently there")
def test_an_interrupt_ends_it(tmp_path):
    words = [f"w{at}" for at in range(50)]
    for seed, name in enumerate(("one.txt", "two.txt")):
        (tmp_path / name).write_text(" ".join(random.Random(seed).choices(words, k=200_000)) + "\n")
    code = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); from bleuprint.__main__ import main; print('go', flush=True); main()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "score", "one.txt", "-i", "two.txt", "-m", "cer"], cwd=tmp_path, stdout=subprocess.PIPE
    )
    assert process.stdout.readline() == b"go\n"
    time.sleep(0.5)
    assert process.poll() is None, "the work is too short to be interrupted"
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == -signal.SIGINT
    process.stdout.close()
