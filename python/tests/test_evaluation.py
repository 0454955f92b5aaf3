"""Evaluations, runs, the gate and recipes: with the numbers of the other doors."""

import gc
import json

import pytest

import bleuprint

HYPS = ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him.", "He ran."]
OTHER = ["A dog bit a man.", "It was unsurprising.", "The man bit it.", "He ran away."]
REFS = [["The dog bit the man.", "The dog had bit the man."], ["It was not unexpected."], ["The man bit him first."], ["He ran."]]
DOMAINS = ["news", "chat", "news", None]


@pytest.fixture
def run():
    evaluation = bleuprint.Evaluation(["bleu", "chrf:word-order=2", bleuprint.metric("wer", tokenize="char")])
    return evaluation.run({"one": HYPS, "two": OTHER}, REFS, labels={"domain": ["news", "chat", "news", "chat"]})


def test_a_run_has_the_scores_of_its_metrics(run):
    assert run.systems == ["one", "two"] and len(run) == 4
    assert run.metrics == ["bleu", "chrf:word-order=2", "wer:tokenize=char"]
    scores = run.scores()
    for system, hypotheses in (("one", HYPS), ("two", OTHER)):
        assert scores[system]["bleu"] == bleuprint.metric("bleu").score(hypotheses, REFS)
        assert scores[system]["chrf:word-order=2"] == bleuprint.metric("chrf++").score(hypotheses, REFS)
        assert scores[system]["wer:tokenize=char"] == bleuprint.metric("wer", tokenize="char").score(hypotheses, REFS)
    each = run.sentence_scores("two", "chrf:word-order=2")
    assert [score.score for score in each] == [score.score for score in bleuprint.metric("chrf++").sentences(OTHER, REFS)]


def test_groups_are_the_scores_of_their_segments(run):
    assert set(run.labels) == {"domain", "length"} and run.labels["length"] == ["6", "5", "6", "3"]
    chat = run.groups("domain")["chat"]["one"]["bleu"]
    assert chat == bleuprint.metric("bleu").score(HYPS[1::2], REFS[1::2])
    with pytest.raises(ValueError, match="no label `topic`; they have: domain, length"):
        run.groups("topic")
    missing = bleuprint.Evaluation("bleu").run({"one": HYPS}, REFS, labels={"domain": DOMAINS})
    with pytest.raises(ValueError, match="segment 4 has no `domain`"):
        missing.groups("domain")


def test_tests_are_those_of_the_functions(run):
    systems = {"one": HYPS, "two": OTHER}
    assert run.paired("bleu", n=50) == bleuprint.paired_test(systems, REFS, n=50)
    drawn = dict(test="randomization", n=50, confidence=20)
    assert run.paired("bleu", **drawn) == bleuprint.paired_test(systems, REFS, **drawn)
    each = bleuprint.metric("bleu").statistics(OTHER, REFS)
    assert run.confidence("bleu", n=50)["two"] == each.confidence(n=50)
    of_function = bleuprint.compare(systems, REFS, metric="chrf++", n=50)
    of_run = run.compare(n=50, by=["domain"])["chrf:word-order=2"]
    assert {key: of_run[key] for key in ("scores", "pairs", "ranks")} == {
        key: of_function[key] for key in ("scores", "pairs", "ranks")
    }
    assert {group["group"] for group in of_run["groups"]} == {"news", "chat"}
    assert sorted(segment["segment"] for segment in of_run["segments"]) == [1, 2, 3, 4]
    with pytest.raises(ValueError, match="which metric\\? There are: bleu, chrf:word-order=2, wer:tokenize=char"):
        run.paired()
    with pytest.raises(ValueError, match="no metric `ter`"):
        run.confidence("ter")


def test_runs_are_stored_and_read(tmp_path):
    files = []
    for name, hypotheses in (("one", HYPS), ("two", OTHER)):
        files.append(tmp_path / f"{name}.stats")
        bleuprint.Evaluation(["bleu", "chrf"]).run({name: hypotheses}, REFS).write(files[-1])
    read = bleuprint.Run.read(files)
    run = bleuprint.Evaluation(["bleu", "chrf"]).run({"one": HYPS, "two": OTHER}, REFS)
    assert read.scores() == run.scores() and read.labels["length"] == run.labels["length"]
    assert read.paired("chrf", n=20) == run.paired("chrf", n=20)
    with pytest.raises(ValueError, match="a file holds one system, but 2 were given"):
        run.write(tmp_path / "both.stats")


def test_the_report_holds_the_scores(run, tmp_path):
    page = tmp_path / "report.html"
    run.report(page, title="Two <systems>", n=50)
    text = page.read_text(encoding="utf-8")
    assert "Two &lt;systems&gt;" in text and f"{run.scores()['one']['bleu']:.2f}" in text
    run.report(page, n=50, texts=False, compress=True)
    other = tmp_path / "notes.txt"
    other.write_text("mine")
    with pytest.raises(ValueError, match="is no report: overwrite=True replaces it"):
        run.report(other, n=50)
    assert other.read_text() == "mine"
    run.report(other, n=50, overwrite=True)
    with pytest.raises(ValueError, match="no label `topic`"):
        run.report(page, by=["topic"], n=50)


def test_the_gate_judges_a_run(tmp_path):
    # Below ten segments every verdict on a drop is inconclusive.
    hyps, refs = HYPS * 3, REFS * 3
    bleuprint.Evaluation("bleu").run({"main": hyps}, refs).write(tmp_path / "main.stats")
    policy = tmp_path / "gate.toml"
    policy.write_text(
        'format = "bleuprint-gate/1"\nbaseline = "main.stats"\n[[rule]]\nmetric = "bleu"\nmax-drop = 0.5\n'
        '[[rule]]\nmetric = "chrf"\nmin = 90.0\n'
    )
    metrics = bleuprint.Policy(policy).metrics
    assert metrics == ["bleu", "chrf"]
    same = bleuprint.gate(policy, bleuprint.Evaluation(metrics).run({"new": hyps}, refs))
    told = same.to_dict()
    assert (same.outcome, same.exit_code) == ("fail", 1) and "chrf" in str(same)
    assert [rule["verdict"] for rule in told["rules"]] == ["pass", "fail"]
    assert "<testsuite" in same.junit() and same.summary()
    without = bleuprint.gate(policy, bleuprint.Evaluation("bleu").run({"new": hyps}, refs))
    assert without.outcome == "error" and "the metric `chrf` was not counted" in without.text()
    with pytest.raises(ValueError, match="nothing.toml"):
        bleuprint.Policy(tmp_path / "nothing.toml")


def test_recipes_build_what_they_say():
    for made in (
        bleuprint.metric("bleu", tokenize="intl", lowercase=True, smooth_method="floor", smooth_value=0.25),
        bleuprint.metric("chrf++"),
        bleuprint.metric("ter", normalized=True),
        bleuprint.metric("rougeL"),
    ):
        recipe = bleuprint.Recipe(made.score(HYPS, REFS).signature)
        again = recipe.metric()
        assert again.state_key == made.state_key and again.signature == made.signature
        recipe.check(again.score(HYPS, REFS))
        with pytest.raises(ValueError, match="it says `nrefs:var`"):
            recipe.check(again.score(HYPS[1:], REFS[1:]))
    old = bleuprint.Recipe("chrF2+numchars.6+space.false+version.1.5.1")
    assert (old.name, old.scale) == ("chrF2", 0.01) and old.notes


class Longer(bleuprint.Metric):
    """The share of hypotheses longer than their first reference."""

    name = "longer"
    columns = ("longer",)

    def observe(self, state, hypothesis, references):
        return [state[0] + (len(hypothesis) > len(references[0]))]

    def finalize(self, state, segments):
        return state[0] / segments


def test_metrics_in_python_are_counted_beside_others(tmp_path):
    longer = Longer()
    run = bleuprint.Evaluation([longer, "bleu"]).run({"one": HYPS, "two": OTHER}, REFS, threads=2)
    assert run.scores()["one"]["longer"].score == 0.25
    assert run.paired("longer", n=20) == bleuprint.paired_test({"one": HYPS, "two": OTHER}, REFS, metric=longer, n=20)

    class Broken(Longer):
        def observe(self, state, hypothesis, references):
            raise KeyError("broken")

    with pytest.raises(KeyError, match="broken"):
        bleuprint.Evaluation(Broken()).run({"one": HYPS}, REFS)


def test_a_run_keeps_its_metrics():
    """The run alone is left of the call: the metric and the evaluation would be gone."""
    run = bleuprint.Evaluation([Longer(), "bleu"]).run({"one": HYPS, "two": OTHER}, REFS, labels={"domain": list("abab")})
    gc.collect()
    assert run.scores()["one"]["longer"].score == 0.25
    assert run.groups("domain")["a"]["one"]["longer"].score in (0.0, 0.5)
    assert run.confidence("longer", n=5)["one"]["lower"] <= 0.25
    assert len(run.sentence_scores("one", "longer")) == len(HYPS)
    each = bleuprint.Evaluation([Longer()]).statistics(HYPS, REFS)["longer"]
    state = Longer().accumulator()
    state.update(HYPS, REFS)
    gc.collect()
    assert each.score().score == state.compute().score == 0.25


def test_what_does_not_fit_is_refused():
    evaluation = bleuprint.Evaluation("bleu")
    for systems, references, options, message in (
        ({}, REFS, {}, "there are no systems"),
        ({"one": HYPS, "two": HYPS[1:]}, REFS, {}, "one has 4 segments, but two has 3"),
        ({"one": HYPS}, REFS[1:], {}, "one has 4 segments, but references has 3"),
        ({"one": HYPS}, REFS, {"labels": {"a": ["x"]}}, "the label a has 1 segment, but one has 4"),
        ({"one": HYPS}, REFS, {"sources": HYPS[1:]}, "one has 4 segments, but sources has 3"),
        ({"one": HYPS}, None, {}, "no references"),
        ({"one": []}, [], {}, "no segments"),
    ):
        with pytest.raises(ValueError, match=message):
            evaluation.run(systems, references, **options)
    with pytest.raises(TypeError, match=r"one\[1\] is int, but must be a str"):
        evaluation.run({"one": ["a", 3]}, ["a", "b"])
    with pytest.raises(TypeError, match=r"references\[0\] is str, but must be a list of int"):
        evaluation.run({"one": [[1, 2]]}, ["a"])
    with pytest.raises(ValueError, match="chrF2 looks at text, but ids are given"):
        bleuprint.Evaluation(["chrf"]).run({"one": [[1, 2]]}, [[1, 2]])
    assert bleuprint.Evaluation(["bleu", "bleu:tokenize=char"]).metrics == ["bleu", "bleu:tokenize=char"]


def test_progress_and_threads_change_nothing():
    seen = []
    systems = {"one": HYPS * 50, "two": OTHER * 50}
    evaluation = bleuprint.Evaluation(["bleu", "ter", "nist"])
    run = evaluation.run(systems, REFS * 50, threads=3, progress=lambda done, of: seen.append((done, of)))
    assert seen[-1] == (200, 200)
    assert run.scores() == evaluation.run(systems, REFS * 50).scores()
    assert json.dumps(run.labels) == json.dumps(evaluation.run(systems, REFS * 50).labels)




def test_ids_have_an_evaluation(tmp_path):
    lists = {"a": [[1, 2, 3, 4, 5], [7, 8]], "b": [[1, 2, 3, 9, 5], [7, 8]]}
    references = [[[1, 2, 3, 4, 5]], [[7, 8], [7]]]
    evaluation = bleuprint.Evaluation(["bleu", "wer", "distinct"], token_space="mine")
    run = evaluation.run(lists, references, labels={"domain": ["news", "chat"]})
    for system, hypotheses in lists.items():
        alone = evaluation.score(hypotheses, references)
        assert {name: score.score for name, score in run.scores()[system].items()} == {name: score.score for name, score in alone.items()}
        assert run.scores()[system]["bleu"].signature == alone["bleu"].signature
    assert "tok:mine" in run.scores()["a"]["bleu"].signature
    assert run.groups("domain")["chat"]["b"]["wer"].score == 0
    assert run.paired("bleu", n=100)[1]["p_value"] <= 1
    assert sorted(run.compare(n=100)) == ["bleu", "distinct", "wer"]
    # A file of a run, and of statistics of ids, are of the same segments.
    for name, hypotheses in lists.items():
        bleuprint.metric("bleu", token_space="mine").statistics(hypotheses, references).write(tmp_path / name)
    read = bleuprint.Run.read([tmp_path / "a", tmp_path / "b"]).scores()
    assert [score["bleu"].score for score in read.values()] == [score["bleu"].score for score in run.scores().values()]
    # Arrays, buffers with padding and flat buffers with offsets are ids too.
    numpy = pytest.importorskip("numpy")
    padded = bleuprint.ids(numpy.array([[1, 2, 3, 4, 5], [7, 8, 0, 0, 0]]), pad_id=0)
    flat = bleuprint.ids(numpy.array([1, 2, 3, 9, 5, 7, 8]), offsets=[0, 5, 7])
    again = evaluation.run({"a": padded, "b": flat}, references)
    assert {name: score["bleu"].score for name, score in again.scores().items()} == {name: score["bleu"].score for name, score in run.scores().items()}
    with pytest.raises(TypeError, match="these metrics are over ids, but the data are text"):
        evaluation.run({"a": ["x"]}, ["x"])
