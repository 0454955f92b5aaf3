"""The wheel `my_metrics` beside `bleuprint`: names, keys, panels, other processes, and a state that was made in Rust.

`MY_METRICS_STATE` names the file with the bytes that `cargo run --bin state` prints.
"""

import math
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


TEXTS = (HYPS, REFS, None)
TAGS = (["B-PER I-PER O", "O O B-LOC"], ["B-PER I-PER O", "B-LOC O B-LOC"], None)
# Each metric with hypotheses, references and sources, and its score.
PLUGINS = [
    ("unigram_f", *TEXTS, 2 * 4 / 12),
    ("copy_rate", HYPS, None, ["a c", "", "g"], 100 * 4 / 6),
    ("distinct_tokens", HYPS, None, None, pytest.approx(5, abs=0.1)),
    ("rare_recall", *TEXTS, 100 * 4 / 6),
    ("entities", *TAGS, 2 * 2 / 5),
    ("judge", *TEXTS, (2 / 3 + 1 + 1) / 3),
    ("log_prob", [{"log_probs": [-0.5, -1.5]}, {"log_probs": [-1.0]}], None, None, -1.0),
    ("timed_words", [{"words": [("a", 0.0), ("b", 1.0)]}], [{"words": [("a", 0.1), ("b", 1.5)]}], None, 0.5),
    ("pass_at_k", [{"n": 4, "c": 1}, {"n": 4, "c": 3}], None, None, 50.0),
    ("model_perplexity", [{"log_probs": [-0.5, -1.5], "bytes": 8}], None, None, math.e),
    ("calibration", [{"confidence": 0.75, "right": True}, {"confidence": 0.75, "right": False}], None, None, 0.25),
    ("auc", [{"score": 0.9, "positive": True}, {"score": 0.1, "positive": False}], None, None, 1.0),
    ("mse", [2.0, 1.0], [2.5, 2.0], None, 0.625),
    ("ndcg", [{"docs": ["b", "a"]}], [{"a": 1}], ["query"], 1 / math.log2(3)),
    ("classes", ["positive", "neutral"], ["positive", "negative"], None, 0.5),
]


@pytest.mark.parametrize(("name", "hypotheses", "references", "sources", "score"), PLUGINS)
def test_every_metric(name, hypotheses, references, sources, score, tmp_path):
    metric = bleuprint.metric(name)
    given = {"references": references, "sources": sources}
    given = {key: value for key, value in given.items() if value is not None}
    scored = metric.score(hypotheses, **given)
    assert scored.score == (score if not isinstance(score, float) else pytest.approx(score))
    statistics = metric.statistics(hypotheses, **given)
    assert statistics.score() == scored
    statistics.write(tmp_path / "own.stats")
    assert bleuprint.Run.read([str(tmp_path / "own.stats")]).scores()["system"][name] == scored
    if name != "rare_recall":  # It learns from the corpus.
        accumulator = metric.accumulator()
        accumulator.update(hypotheses, **given)
        assert accumulator.compute() == scored
        assert bleuprint.Accumulator.from_bytes(metric, accumulator.to_bytes()).compute() == scored
    if name != "auc":  # One example alone has no area.
        assert len(metric.sentences(hypotheses, **given)) == len(hypotheses)
    assert pickle.loads(pickle.dumps(metric)).signature == metric.signature


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
