"""States in the layout of docs/state.md: the library, the reader in plain Python and the one in JavaScript."""

import importlib.util
import json
import math
import pathlib
import shutil
import subprocess

import pytest

import bleuprint

ROOT = pathlib.Path(__file__).parents[2]
VECTORS = [
    json.loads(line)
    for line in (ROOT / "crates/testkit/data/state-vectors.jsonl").read_text(encoding="utf-8").splitlines()
]
BLEU = [vector for vector in VECTORS if vector["key"].startswith("bleu/1|")]


def plain():
    spec = importlib.util.spec_from_file_location("plain_state", ROOT / "python/examples/plain_state.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PLAIN = plain()


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_plain_reader_reads_and_refuses(vector):
    text = vector["file"].encode()
    read = PLAIN.read(text, "f")
    assert read["header"]["metrics"][0]["key"] == vector["key"]
    for end in range(len(text)):
        with pytest.raises(PLAIN.Refused):
            PLAIN.read(text[:end], "f")
    for at in range(0, len(text), 7):
        flipped = text[:at] + bytes([text[at] ^ 1]) + text[at + 1 :]
        with pytest.raises(PLAIN.Refused):
            PLAIN.read(flipped, "f")


@pytest.mark.parametrize("vector", BLEU, ids=lambda vector: vector["name"])
def test_plain_reader_adds_and_finishes_bleu(vector):
    read = PLAIN.read(vector["file"].encode(), "f")
    columns = vector["columns"]
    assert math.isclose(PLAIN.bleu(columns, read["total"][0]), vector["score"], rel_tol=1e-14)
    twice = PLAIN.add(read, read, 0)
    assert twice == [2 * count for count in read["total"][0]]
    assert math.isclose(PLAIN.bleu(columns, twice), vector["score"], rel_tol=1e-14)


def test_plain_reader_refuses_unlike_states():
    one, other = (PLAIN.read(BLEU[at]["file"].encode(), "f") for at in (0, 2))
    with pytest.raises(PLAIN.Refused, match="unlike states"):
        PLAIN.add(one, other, 0)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_library_reads_the_same_states(vector, tmp_path):
    path = tmp_path / "a.stats"
    path.write_text(vector["file"], encoding="utf-8", newline="")
    scores = bleuprint.Run.read([path]).scores()
    assert [score.score for one in scores.values() for score in one.values()] == [vector["score"]]


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_javascript_reader_adds_and_finishes_bleu(tmp_path):
    script = ROOT / "integrations/web/page/state.mjs"
    for vector in BLEU:
        path = tmp_path / "a.stats"
        path.write_text(vector["file"], encoding="utf-8", newline="")
        said = subprocess.run(["node", script, path, path], capture_output=True, text=True, check=True).stdout
        key, score = said.rsplit(maxsplit=1)
        assert key == vector["key"] and math.isclose(float(score), vector["score"], rel_tol=1e-13)
    path.write_text(vector["file"].replace('"segments":4', '"segments":5'), encoding="utf-8", newline="")
    failed = subprocess.run(["node", script, path], capture_output=True, text=True)
    assert failed.returncode != 0 and "SHA-256" in failed.stderr
