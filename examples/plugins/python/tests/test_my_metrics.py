"""The wheel `my_metrics` beside `bleuprint`: names, keys, panels, other processes, and a state that was made in Rust.

`MY_METRICS_STATE` names the file with the bytes that `cargo run --bin state` prints.
"""

import os
import pickle
import subprocess
import sys

import pytest

import bleuprint

REFS = ["a b d", "e f", "g"]
HYPS = ["a b c", "e", "g g"]

assert "my_metrics" in bleuprint.load("my_metrics").__name__


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


def test_names_stand_beside_ours():
    names = [entry["name"] for entry in bleuprint.list_metrics()]
    assert {"bleu", "unigram_f", "distinct_tokens"} <= set(names)
    metric = bleuprint.metric("unigram_f", unigram_beta=2)
    assert metric.state_key == "unigram_f/1|case:mixed|tok:13a"
    assert "|beta:2|" in metric.signature.replace("2.0", "2")
    assert bleuprint.metric("unigram_f").score(HYPS, REFS).score == pytest.approx(2 * 4 / 12)
    both = bleuprint.metrics("bleu", "unigram_f").score(HYPS, REFS)
    assert list(both) == ["bleu", "unigram_f"]
    assert bleuprint.metric("bleu").score(HYPS, REFS) == both["bleu"]


def test_every_door(tmp_path):
    run = bleuprint.Evaluation(["unigram_f", "bleu"]).run({"one": HYPS, "two": HYPS[::-1]}, REFS)
    assert run.paired("unigram_f", n=20)[1]["system"] == "two"
    each = bleuprint.metric("unigram_f").statistics(HYPS, REFS)
    each.write(tmp_path / "own.stats")
    assert bleuprint.Run.read([str(tmp_path / "own.stats")]).scores()["system"]["unigram_f"] == each.score()
    assert isinstance(each, bleuprint.Statistics)
    rows = bleuprint.tables.counts("unigram_f", HYPS, REFS)
    assert bleuprint.tables.score(rows) == each.score()
    assert len(bleuprint.rewards(HYPS, REFS, metric="unigram_f")) == 3
    assert bleuprint.metric(bleuprint.metric("distinct_tokens")).score(HYPS).score > 0
    bleuprint.metric("unigram_f").check_laws()


def test_a_state_made_in_rust_merges():
    metric = bleuprint.metric("unigram_f")
    with open(os.environ["MY_METRICS_STATE"], "rb") as file:
        rust = bleuprint.Accumulator.from_bytes(metric, file.read())
    assert rust.segments == 2
    here = metric.accumulator()
    here.update(HYPS[2:], REFS[2:])
    assert (rust + here).compute() == metric.score(HYPS, REFS)


def test_another_process_loads_the_plug_in():
    metric = pickle.dumps(bleuprint.metric("unigram_f"))
    code = f"import pickle; print(pickle.loads({metric!r}).score({HYPS!r}, {REFS!r}).score)"
    result = run(code)
    assert result.stdout.strip() == str(bleuprint.metric("unigram_f").score(HYPS, REFS).score), result.stderr


def test_refusals(tmp_path, monkeypatch):
    assert bleuprint.load("my_metrics") is sys.modules["my_metrics"]
    late = run("import bleuprint; bleuprint.metric('bleu'); bleuprint.load('my_metrics')")
    assert "RuntimeError: load my_metrics before the first metric is made" in late.stderr
    (tmp_path / "other_metrics.py").write_text("x = 1\n")
    (tmp_path / "old_metrics.py").write_text("__bleuprint__ = '0.0.1'\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))
    alien = run("import bleuprint; bleuprint.load('other_metrics')")
    assert "ImportError: other_metrics is no plug-in of bleuprint" in alien.stderr
    old = run("import bleuprint; bleuprint.load('old_metrics')")
    assert "ImportError: old_metrics was built over bleuprint 0.0.1, but this is 0.1.0: build it again" in old.stderr
    second = run("import bleuprint; bleuprint.load('my_metrics'); bleuprint.load('old_metrics')")
    assert "RuntimeError: my_metrics is loaded, and a process has one plug-in" in second.stderr
