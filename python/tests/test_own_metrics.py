"""Metrics in Python over numbers, ids, tokens and objects: every door, the declarations, and the laws with planted bugs."""

import gc
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import bleuprint


class SquaredError(bleuprint.Metric):
    name, looks_at, one_reference, sums = "mse", "numbers", True, ("loss",)
    score_range, higher_is_better = (0.0, None), False

    def observe(self, state, hypothesis, reference):
        return [state[0] + (hypothesis - reference) ** 2]

    def finalize(self, state, segments):
        return state[0] / segments


class PassAtK(bleuprint.Metric):
    """Columns n and c of each problem; no references."""

    name, looks_at, needs_references, sums, score_range = "pass-at", "numbers", False, ("passed",), (0.0, 1.0)

    def __init__(self, k=1):
        self.k = k

    def options(self):
        return {"k": self.k}

    def observe(self, state, hypothesis, references):
        n, c = hypothesis
        failing = 1.0
        for i in range(int(c)):
            failing *= max(n - self.k - i, 0.0) / (n - i)
        return [state[0] + 1.0 - failing]

    def finalize(self, state, segments):
        return state[0] / segments


class Labels(bleuprint.Metric):
    """Accuracy and macro F1 over dicts with a label."""

    name, looks_at, one_reference, score_range = "labels", "objects", True, (0.0, 1.0)
    columns, parts = ("equal", "segments_seen"), ("errors",)

    def observe(self, state, hypothesis, reference):
        return [state[0] + (hypothesis["label"] == reference["label"]), state[1] + 1]

    def finalize(self, state, segments):
        return {"score": state[0] / segments, "errors": state[1] - state[0]}


class Overlap(bleuprint.Metric):
    """Tokens of any type, several references, a state of any kind."""

    name, looks_at, score_range = "overlap", "tokens", (0.0, 1.0)

    def zero(self):
        return [0, 0]

    def observe(self, state, hypothesis, references):
        return [state[0] + max(len(set(hypothesis) & set(one)) for one in references), state[1] + len(set(hypothesis))]

    def merge(self, state, other):
        return [one + two for one, two in zip(state, other)]

    def finalize(self, state, segments):
        return state[0] / state[1] if state[1] else 0.0


class EvenIds(bleuprint.Metric):
    name, looks_at, columns, one_reference, score_range = "even", "ids", ("even", "all"), True, (0.0, 1.0)

    def observe(self, state, hypothesis, reference):
        assert all(isinstance(one, int) for one in hypothesis + reference)
        return [state[0] + sum(one % 2 == 0 for one in hypothesis), state[1] + len(hypothesis)]

    def finalize(self, state, segments):
        return state[0] / state[1] if state[1] else 0.0


class Batched(SquaredError):
    name, batch_size = "batched", 32
    calls = 0

    def observe_each(self, states, hypotheses, references):
        type(self).calls += 1
        return [[state[0] + (one - other) ** 2] for state, one, other in zip(states, hypotheses, references)]


YES, NO = {"label": "yes", "why": [1, 2]}, {"label": "no"}

#: The metric, hypotheses, references, and the score.
CASES = [
    (SquaredError(), [1.0, 2.5, 4], [1.0, 2.0, 2], 4.25 / 3),
    (PassAtK(2), [[5, 1], [4, 4], [3, 0]], None, (0.4 + 1.0) / 3),
    (Labels(), [YES, NO, YES], [YES, YES, YES], 2 / 3),
    (Overlap(), [["a", (1, 2)], ["b"], []], [[["a"], ["c", (1, 2), "a"]], [["c"]], [["x"], ["y"]]], 2 / 3),
    (Overlap(), ["a b", "c", "d"], [["a", "b a"], ["c"], "e"], 3 / 4),
    (EvenIds(), [[2, 3], [4], [1]], [[2], [4, 5], [6]], 0.5),
    (Batched(), [1.0, 2.5, 4], [1.0, 2.0, 2], 4.25 / 3),
]


@pytest.mark.parametrize("metric, hypotheses, references, expected", CASES)
def test_every_door(metric, hypotheses, references, expected, tmp_path):
    part = lambda of, *cut: None if of is None else of[slice(*cut)]
    score = metric.score(hypotheses, references)
    assert score.score == pytest.approx(expected, rel=1e-15)
    one, two = metric.accumulator(), metric.accumulator()
    one.update(part(hypotheses, 2, None), part(references, 2, None))
    two.update(part(hypotheses, 0, 2), part(references, 0, 2))
    assert (one + two).compute() == score
    assert pickle.loads(pickle.dumps(one)) == one
    assert (bleuprint.Accumulator.from_bytes(metric, one.to_bytes()) + two).compute() == score
    each = metric.statistics(hypotheses, references)
    assert each.score() == score and len(metric.sentences(hypotheses, references)) == 3
    by_name = bleuprint.Evaluation([metric])
    assert by_name.score(hypotheses, references) == {metric.name: score}
    rewards = bleuprint.rewards(hypotheses, references, metric=metric)
    assert len(rewards) == 3
    if metric.name != "overlap" or isinstance(hypotheses[0], str):
        if metric.needs_references:
            assert bleuprint.pairwise(hypotheses, hypotheses, metric=metric).shape == (3, 3)
    if metric.columns or metric.sums:
        path = tmp_path / "own.stats"
        each.write(path)
        assert metric.read_statistics(path).score() == score
        assert each.confidence(n=50)["lower"] <= score.score
        rows = bleuprint.paired_test({"a": hypotheses, "b": hypotheses[::-1]}, references, metric=metric, n=50)
        assert [row["system"] for row in rows] == ["a", "b"]
        both = one + two
        both.retract(one)
        assert both.compute() == two.compute()


def test_scores_of_segments_outlive_their_metric():
    texts, numbers = (["a b", "a c"], ["a b", "a b"]), ([1.0, 2.5], [1.0, 2.0])
    for make, data in ((lambda: bleuprint.metric("bleu"), texts), (SquaredError, numbers)):
        expected = [score.to_dict() for score in make().sentences(*data)]
        kept = make().sentences(*data)
        gc.collect()
        assert [score.to_dict() for score in pickle.loads(pickle.dumps(kept))] == expected


def test_runs_over_objects(tmp_path):
    systems = {"a": [YES, NO, YES], "b": [NO, NO, YES]}
    run = bleuprint.Evaluation(Labels).run(systems, [YES, YES, YES], labels={"domain": ["x", "x", "y"]})
    gc.collect()
    assert {name: scores["labels"].score for name, scores in run.scores().items()} == {"a": 2 / 3, "b": 1 / 3}
    assert run.groups("domain")["y"]["b"]["labels"].score == 1.0
    assert run.paired(n=50)[1]["p_value"] <= 1.0
    run.report(tmp_path / "report.html")
    assert "\ufdd0" not in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_class_or_a_metric_stands_for_a_name():
    hypotheses, references = [1.0, 2.5], [1.0, 2.0]
    assert bleuprint.metric(SquaredError).score(hypotheses, references).score == 0.125
    own = SquaredError()
    assert bleuprint.metric(own) is own
    assert bleuprint.metric(PassAtK, k=2).state_key == bleuprint.metric("pass-at" and PassAtK(2)).state_key
    assert "k:2" in bleuprint.metric(PassAtK, k=2).signature
    assert bleuprint.metrics(SquaredError).score(hypotheses, references)["mse"].score == 0.125
    assert bleuprint.rewards(hypotheses, references, metric=SquaredError).tolist() == [0.0, 0.25]
    assert bleuprint.mbr([1.0, 2.0, 9.0], metric=SquaredError).best == 1


def test_the_sum_is_exact_in_any_order():
    first, second = SquaredError().accumulator(), SquaredError().accumulator()
    for value in (0.1, 1e4, 0.2):
        first.update([value], [0.0])
    for value in (0.2, 0.1, 1e4):
        second.update([value], [0.0])
    assert first == second and first.compute() == second.compute()
    assert (0.1**2 + 1e4**2) + 0.2**2 != (0.2**2 + 0.1**2) + 1e4**2, "sums of floats depend on the order"


def test_batches_are_lists_of_segments():
    Batched.calls = 0
    Batched().score([1.0] * 100, [2.0] * 100)
    assert Batched.calls == 4


def test_references_by_fingerprint_and_not_by_name():
    """Statistics of other references are not compared."""
    metric = SquaredError()
    one = metric.statistics([1.0, 2.0], [1.0, 2.0])
    assert bleuprint.compare({"a": one, "b": metric.statistics([2.0, 2.0], [1.0, 2.0])}, n=10)["scores"]["b"] == 0.5
    with pytest.raises(ValueError, match="references"):
        bleuprint.compare({"a": one, "b": metric.statistics([2.0, 2.0], [1.0, 3.0])}, n=10)


class Ranged(SquaredError):
    score_range = (0.0, 1.0)


class Parted(Labels):
    parts = ("mistakes",)


def refused(error, message):
    return pytest.raises(error, match=message)


def test_refusals():
    mse, labels = SquaredError(), Labels()
    with refused(ValueError, r"the score of mse is 4, but its `score_range` is from 0 to 1"):
        Ranged().score([1.0], [3.0])
    assert Ranged().score([1.0], [2.0]).score == 1.0
    with refused(TypeError, "the score of labels has these parts: errors, but `parts` names: mistakes"):
        Parted().score([YES], [YES])
    with refused(TypeError, r"hypotheses\[1\] is str, but must be a number"):
        mse.score([1.0, "2"], [1.0, 2.0])
    with refused(ValueError, r"references\[0\] is nan, but must be finite"):
        mse.score([1.0], [float("nan")])
    with refused(ValueError, r"the sum `loss`: .*below 2\^"):
        mse.score([1e100], [0.0])
    with refused(TypeError, "hypotheses is dict, but must be a list"):
        labels.score(YES, [YES])
    with refused(ValueError, "hypotheses has 2 segments, but references has 1"):
        labels.score([YES, NO], [YES])
    with refused(TypeError, r"mse takes numbers.*, but labels takes objects.*: score them apart"):
        bleuprint.Evaluation([mse, labels]).score([1.0], [1.0])
    with refused(TypeError, "bleu takes text, tokens or ids, but mse takes numbers"):
        bleuprint.Evaluation(["bleu", mse]).score([1.0], [1.0])
    with refused(TypeError, r"references\[0\] is dict, but must be a list of references"):
        type("Several", (Labels,), {"one_reference": False})().score([YES], [YES])
    with refused(ValueError, "even takes ids, but the data are text"):
        EvenIds().score(["a"], ["b"])
    with refused(TypeError, "mse takes numbers, but the data are something else"):
        bleuprint.tables.counts(mse, ["a"], ["b"])
    with refused(ValueError, "defined for one reference, but the segment has 2"):
        mse.score([1.0], reference_streams=[[1.0], [2.0]])
    with refused(ValueError, "looks_at is `pictures`"):
        type("Pictures", (Labels,), {"looks_at": "pictures"})().info()
    with refused(ValueError, "the column `loss` is named twice"):
        type("Twice", (SquaredError,), {"columns": ("loss",)})().info()
    with refused(TypeError, "the options k have no effect"):
        bleuprint.metric(mse, k=2)
    with refused(TypeError, "are for metrics by name"):
        bleuprint.metric(SquaredError, tokenize="char")
    with refused(TypeError, "is int, but must be a name or a Metric"):
        bleuprint.metric(3)


LAWFUL = [
    (SquaredError(), ()),
    (PassAtK(2), ([[5, 1], [4, 4], [3, 0], [6, 2]],)),
    (Labels(), ([YES, NO, YES], [YES, YES, NO])),
    (Overlap(), ()),
    (Overlap(), ([["a", 1], ["b", "a"], []], [[["a"], ["c", 1]], [["b"]], [["x"], ["y"]]])),
    (EvenIds(), ()),
    (Batched(), ()),
]


@pytest.mark.parametrize("metric, data", LAWFUL)
def test_the_laws_hold(metric, data):
    metric.check_laws(*data)


def planted(base, **verbs):
    return type("Planted", (base,), verbs)()


NUMBERS = ([1.0, 2.0, 5.0], [1.0, 1.0, 1.0])
TOKENS = ([["a", "b"], ["b"], ["c"]], [[["a"], ["a", "b"]], [["b"]], [["x"], ["y"]]])

#: A wrong metric, data, and the law that it breaks.
PLANTED = [
    (planted(SquaredError, observe=lambda self, state, one, other: [1.0]), (), "no segment changes the statistics"),
    (planted(SquaredError, finalize=lambda self, state, segments: 0.5), (), "no segment changes the score"),
    (planted(SquaredError), ([1.0, 1.0], [1.0, 1.0]), "no segment changes the statistics"),
    (planted(SquaredError, score_range=(0.0, 1.0)), NUMBERS, "`score_range` is from 0 to 1"),
    (planted(Overlap, merge=lambda self, state, other: state), (), "identity|homomorphism|commutativity|merg"),
    (planted(Overlap, score_range=(0.0, None), observe=lambda self, state, one, others: [state[0] + len(others[0]), state[1] + 1]), TOKENS, "reference order"),
    (planted(Batched, observe_each=lambda self, states, ones, others: [[state[0] + len(ones)] for state in states]), NUMBERS, "batch"),
    (planted(SquaredError, seen=[], observe=lambda self, state, one, other: self.seen.append(1) or [float(len(self.seen))]), (), "scratch|fresh|homomorphism"),
]


@pytest.mark.parametrize("metric, data, message", PLANTED)
def test_planted_bugs_are_found(metric, data, message):
    with pytest.raises(AssertionError, match=message):
        metric.check_laws(*data)


def test_laws_need_data_that_fit():
    with pytest.raises(TypeError, match="labels looks at objects, which are not drawn"):
        Labels().check_laws()
    with pytest.raises(ValueError, match="no segments"):
        Labels().check_laws([], [])
    with pytest.raises(ValueError, match="hypotheses has 2 segments, but references has 1"):
        Labels().check_laws([YES, NO], [YES])


def test_a_metric_that_is_made_stays_as_it_is():
    made = Overlap()
    assert bleuprint.metric(made) is made
    kept = bleuprint.metric(made, empty_references="keep")
    assert (made.empty_references, kept.empty_references) == ("error", "keep")
    assert kept.state_key == made.state_key
    named = bleuprint.metric("bleu")
    assert bleuprint.metric(named, empty_references="keep").empty_references == "keep"
    assert named.empty_references == "error"


@pytest.mark.parametrize("name", ["segments", "references", "references_squared"])
def test_columns_of_every_state_are_taken(name):
    class Mine(bleuprint.Metric):
        name = "mine"
        columns = ("right",)

        def observe(self, state, hypothesis, references):
            return [state[0] + 1]

        def finalize(self, state, segments):
            return state[0]

    Mine.columns = ("right", name)
    with pytest.raises(ValueError, match=f"a column is called `{name}`"):
        Mine().score(["a"], ["a"])
    Mine.columns, Mine.sums = None, (name,)
    with pytest.raises(ValueError, match=f"a column is called `{name}`"):
        Mine().score(["a"], ["a"])


def test_a_method_that_forgets_to_return_is_refused():
    class Forgets(bleuprint.Metric):
        name = "forgets"
        columns = ("right",)
        score_range = (0.0, 1.0)

        def observe(self, state, hypothesis, references):
            [state[0] + (hypothesis in references)]

        def finalize(self, state, segments):
            return state[0] / segments

    class InBatches(Forgets):
        name = "batches"

        def observe_each(self, states, hypotheses, references):
            return [None for _ in states]

    for metric, method in ((Forgets, "observe"), (InBatches, "observe_each")):
        with pytest.raises(TypeError, match=f"{method} of {metric.name} returned None, but must return the new state"):
            metric().score(["a", "b"], ["a", "c"])


@pytest.mark.parametrize("kind, form, data", [("numbers", "number", [1.0, 2.0]), ("objects", "object", [{"a": 1}, {"a": 2}])])
def test_keys_name_numbers_and_objects(kind, form, data):
    class Equal(bleuprint.Metric):
        name = "equal"
        looks_at = kind
        one_reference = True
        columns = ("equal",)

        def observe(self, state, hypothesis, reference):
            return [state[0] + (hypothesis == reference)]

        def finalize(self, state, segments):
            return state[0] / segments

    metric = Equal()
    state = metric.accumulator()
    state.update(data, data)
    assert state.state_key == metric.state_key == f"equal/1|data:{form}"
    assert "case" not in str(state.compute().signature)
    again = bleuprint.Accumulator.from_bytes(metric, state.to_bytes())
    assert again.compute() == state.compute() and again.compute().score == 1.0


class Registered(bleuprint.Metric):
    """Longest prefix of equal letters."""

    name, columns, score_range = "own_prefix", ("equal", "letters"), (0.0, 1.0)

    def observe(self, state, hypothesis, references):
        equal = max(sum(a == b for a, b in zip(hypothesis, one)) for one in references)
        return [state[0] + equal, state[1] + max(1, len(hypothesis))]

    def finalize(self, state, segments):
        return state[0] / max(1, state[1])


class RegisteredWords(bleuprint.Metric):
    """Distinct words, whose state is a list."""

    name, needs_references, composition = "own_words", False, "repeats"

    def zero(self):
        return []

    def observe(self, state, hypothesis, references):
        return sorted(set(state) | set(hypothesis.split()))

    def merge(self, state, other):
        return sorted(set(state) | set(other))

    def finalize(self, state, segments):
        return float(len(state))


def registered_everywhere(tmp_path):
    assert bleuprint.register(Registered) is Registered
    bleuprint.register(RegisteredWords())
    bleuprint.register(Registered)  # a cell that runs again
    hypotheses, references = ["abc", "abd", "x"], ["abc", "abc", "y"]
    assert isinstance(bleuprint.metric("own_prefix"), Registered)
    expected = Registered().score(hypotheses, references).score
    run = bleuprint.Evaluation(["own_prefix", "own_words", "bleu"]).run({"new": hypotheses, "old": references}, references)
    assert run.scores()["new"]["own_prefix"].score == expected
    assert set(run.compare(n=50)) == {"own_prefix", "own_words", "bleu"}
    for name in ("own_prefix", "own_words"):
        path = tmp_path / f"{name}.stats"
        bleuprint.metric(name).statistics(hypotheses, references).write(path)
        read = bleuprint.Run.read([path])
        (scores,) = read.scores().values()
        assert scores[name].score == bleuprint.metric(name).score(hypotheses, references).score
        policy = tmp_path / f"{name}.toml"
        policy.write_text(f'format = "bleuprint-gate/1"\nbaseline = "{name}.stats"\n[[rule]]\nmetric = "{name}"\nmin = 0.1\n')
        verdict = bleuprint.gate(policy, bleuprint.Evaluation(bleuprint.Policy(policy).metrics).run({"new": hypotheses}, references))
        assert verdict.outcome == "pass", verdict.text()
    with pytest.raises(ValueError, match="the metric name `bleu` is taken by `bleu`"):
        bleuprint.register(planted(Registered, name="bleu"))
    for other in (bleuprint.metric("bleu"), "bleu", 3):
        with pytest.raises(TypeError, match="register takes a metric written in Python"):
            bleuprint.register(other)


def test_registered_metrics_have_names_everywhere(tmp_path):
    # In a process of its own: registered names stay, and other tests list all names.
    code = "import pathlib, sys; sys.path.insert(0, sys.argv[1]); import test_own_metrics as own; own.registered_everywhere(pathlib.Path(sys.argv[2]))"
    subprocess.run([sys.executable, "-c", code, str(Path(__file__).parent), str(tmp_path)], check=True)


def test_the_old_name_of_the_range_is_an_error():
    with pytest.raises(ValueError, match="the attribute `range` is called `score_range`"):
        planted(Registered, range=(0.0, 1.0)).score(["a"], ["a"])


def test_laws_of_metrics_over_tokens_take_texts():
    class Equal(bleuprint.Metric):
        name, looks_at, columns = "equal_tokens", "tokens", ("equal",)

        def observe(self, state, hypothesis, references):
            return [state[0] + (hypothesis in references)]

        def finalize(self, state, segments):
            return state[0] / segments

    Equal().check_laws(["a cat", "a dog.", "x"], ["a cat", ["a dog .", "b"], "y"])
