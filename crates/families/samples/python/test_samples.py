"""Samples of prompts as any objects of Python: in every call, with the numbers and the errors of the program's JSON Lines."""

import collections
import dataclasses
import json
import math
import pickle
from typing import NamedTuple

import numpy
import pytest

import bleuprint
from bleuprint import _native, tables


@dataclasses.dataclass
class Prompt:
    n: int
    c: int


class Pair(NamedTuple):
    n: int
    c: int


class Model:
    """As models of pydantic are written out."""

    def __init__(self, **fields):
        self.fields = fields

    def model_dump(self):
        return dict(self.fields)


PASS = bleuprint.metric("pass", k=4)
#: One prompt in every way.
ALIKE = [
    {"n": 4, "c": 2}, Prompt(4, 2), Pair(4, 2), Model(n=4, c=2), collections.UserDict(n=4, c=2),
    [True, False, 1, 0], (1, 0.0, 1.0, False), numpy.array([1, 0, 0, 1]), numpy.array([True, True, False, False]),
    iter([1, 1, 0, 0]), [numpy.float64(1), numpy.int64(1), numpy.bool_(False), 0],
]  # fmt: skip
PROMPTS = [Prompt(10, 3), Prompt(10, 0), [1, 0, 0, 1], Prompt(8, 8)]
OTHERS = [Prompt(10, 5), Prompt(10, 1), [1, 1, 0, 1], Prompt(8, 2)]


def program(capfd, *arguments):
    capfd.readouterr()
    code = _native.program(["bleuprint", *map(str, arguments)])
    return code, *capfd.readouterr()


@pytest.mark.parametrize("prompt", ALIKE, ids=lambda prompt: type(prompt).__name__)
def test_every_object_with_the_fields_is_the_same(prompt):
    assert bleuprint.metric("pass", k=2).score([prompt]).score == 0.8333333333333333


def test_columns_are_lists_iterators_and_arrays():
    rows = numpy.array([[1, 0, 0, 1], [0, 0, 0, 0]])
    expected = PASS.score([list(row) for row in rows])
    assert PASS.score(rows) == PASS.score(iter(rows)) == PASS.score(tuple(rows)) == expected == 0.5


def test_every_call_takes_the_data():
    score = PASS.score(PROMPTS)
    assert PASS.score(PROMPTS, threads=2) == score and pickle.loads(pickle.dumps(PASS)).score(PROMPTS) == score
    assert sum(one.score for one in PASS.sentences(PROMPTS)) / 4 == pytest.approx(score.score)
    one, other = PASS.accumulator(), PASS.accumulator()
    one.update(PROMPTS[:1])
    other.update(PROMPTS[1:])
    both = pickle.loads(pickle.dumps(one)) + bleuprint.Accumulator.from_bytes(PASS, other.to_bytes())
    assert both.compute() == score and both.segments == 4
    assert bleuprint.rewards(PROMPTS, metric=PASS).tolist() == pytest.approx([one.score for one in PASS.sentences(PROMPTS)])
    panel = bleuprint.metrics("pass:k=4", "avg")
    assert panel.score(PROMPTS)["pass:k=4"] == score
    first, interval = panel.score(PROMPTS, confidence=100)["avg"]
    assert interval["lower"] <= first.score <= interval["upper"]


def test_systems_are_tested_compared_and_gated(tmp_path):
    run = bleuprint.Evaluation(["pass:k=4", "avg"]).run({"a": PROMPTS, "b": OTHERS}, labels={"kind": ["x", "y", "x", "y"]})
    assert run.scores()["a"]["pass:k=4"] == PASS.score(PROMPTS)
    assert run.groups("kind")["x"]["b"]["pass:k=4"] == PASS.score(OTHERS[::2])
    assert 0 < run.paired("avg", n=100)[1]["p_value"] <= 1
    again = bleuprint.compare({"a": PROMPTS, "b": OTHERS}, metric="avg", n=100)
    assert again["pairs"][0]["difference"] == run.compare(n=100)["avg"]["pairs"][0]["difference"]
    run.report(tmp_path / "report.html", n=50)
    # A gate resamples rows of counts.
    prompts = [Prompt(10, 3), Prompt(10, 0)] * 5
    baseline = tmp_path / "base.stats"
    bleuprint.metric("pass", n=10, k=4).statistics(prompts).write(baseline)
    policy = tmp_path / "gate.toml"
    policy.write_text(
        'format = "bleuprint-gate/1"\nbaseline = "base.stats"\n'
        '[[rule]]\nmetric = "pass:n=10,k=4"\nmax-drop = 0.05\n'
    )
    evaluation = bleuprint.Evaluation(bleuprint.Policy(policy).metrics)
    assert bleuprint.gate(policy, evaluation.run({"new": prompts})).outcome == "pass"
    assert bleuprint.gate(policy, evaluation.run({"new": [Prompt(10, 0)] * 8})).outcome != "pass"


def test_statistics_are_those_of_the_program(tmp_path, capfd):
    records = [{"n": 10, "c": 3}, {"n": 10, "c": 0}]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    code, _, said = program(capfd, "stats", "--segments", tmp_path / "a.jsonl", "-m", "pass:k=4", "-o", tmp_path / "a.stats")
    assert code == 0, said
    assert PASS.read_statistics(tmp_path / "a.stats").score() == PASS.score(records)


def test_counts_go_to_tables_and_ledgers(tmp_path):
    fixed = bleuprint.metric("pass", n=10, k=2)
    table = tables.counts(fixed, PROMPTS[:2])
    assert tables.score(table) == fixed.score(PROMPTS[:2]) == tables.score(tables.state(fixed, PROMPTS[:2]))
    ledger, hour = bleuprint.Ledger(tmp_path / "scores.db"), fixed.accumulator()
    hour.update(PROMPTS[:2])
    assert ledger.add(hour, key="one", stream="s", version="v") and not ledger.add(hour, key="one", stream="s", version="v")
    assert ledger.show("24h")[0]["score"] == hour.compute()
    with pytest.raises(ValueError, match="rows|row"):
        ledger.add(PASS.accumulator(), key="two", stream="s", version="v")


def test_references_are_one_or_several():
    vote = bleuprint.metric("maj", k=3)
    answers = [["a", "b", "a"], ["1", None, "2"]]
    single, several = vote.score(answers, ["a", "2"]), vote.score(answers, [["a"], ["2", "3"]])
    assert single.score == several.score == 0.5
    assert vote.score(answers, reference_streams=[["a", "2"], [None, "3"]]).score == 0.5


@pytest.mark.parametrize(
    "prompts, error, message",
    [
        ([Prompt(3, 4)], ValueError, "segment 1: the number c of right samples is 4"),
        ([Prompt(1, 1), {"n": 1, "C": 2}], ValueError, r"hypotheses\[1\] is no `prompt` data \(n, c\): unknown field `C`"),
        ([{"n": "1", "c": 1}], ValueError, r"hypotheses\[0\] is no `prompt` data \(n, c\): `n`: invalid type"),
        ([{"n": 1}], ValueError, "missing field `c`"),
        ([{"n": 1.5, "c": 1}], ValueError, "`n`: invalid type: floating point"),
        ([{"n": 2**70, "c": 1}], ValueError, "`n`: invalid"),
        ([{"n": 10**400, "c": 1}], ValueError, r"hypotheses\[0\] is no `prompt` data \(n, c\): `n`: invalid type"),
        (["x"], ValueError, "expected a list of samples"),
        ([{1: 2}], TypeError, r"hypotheses\[0\]: a key is int"),
        ([[1, {2}]], TypeError, r"hypotheses\[0\]\[1\] is set, but must be"),
        ([Prompt], TypeError, r"hypotheses\[0\] is type"),
        (["\ud800"], ValueError, "lone surrogate"),
        (5, TypeError, "hypotheses is int, but must be a list"),
        ([[10**6 * [1]]], ValueError, r"`0`: invalid type: sequence"),
    ],
    ids=str,
)
def test_errors_name_the_segment_and_the_field(prompts, error, message):
    with pytest.raises(error, match=message):
        PASS.score(prompts)


@pytest.mark.parametrize(
    "metric, prompt, message",
    [
        ("pass", Prompt(2**32, 1), "`n`: invalid value"),
        ("gpass:t=0.5,k=2", Prompt(10**6, 1), "is 1000000, but must be at most 10000"),
        ("best", [0.5, math.nan], "has no value here; missing=skip"),
    ],
)
def test_values_that_no_metric_takes_are_errors(metric, prompt, message):
    with pytest.raises(ValueError, match=message):
        bleuprint.metric(metric).score([prompt])


def test_a_million_samples_are_a_number():
    assert bleuprint.metric("pass", k=10000).score([Prompt(10**6, 1)]).score == pytest.approx(0.01, rel=1e-12)


def test_hostile_objects_are_errors():
    circle = []
    circle.append(circle)
    with pytest.raises(ValueError, match="more than 127 levels"):
        PASS.score([circle])

    class Raises:
        def tolist(self):
            raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        PASS.score([Raises()])
    accumulator = PASS.accumulator()
    accumulator.update(PROMPTS)
    with pytest.raises(ValueError):
        accumulator.update([*PROMPTS, Prompt(1, 2)])
    assert accumulator.segments == 4


def test_other_data_are_refused():
    for call, message in [
        (lambda: bleuprint.Evaluation(["pass", "bleu"]), "score them apart"),
        (lambda: bleuprint.Evaluation(["pass", "nll"]), "`likelihood` data"),
        (lambda: bleuprint.metric("pass", tokenize="char"), "takes no tokenizer"),
        (lambda: bleuprint.metric("pass", token_space="t"), "no token space"),
        (lambda: PASS.check_laws(), "`prompt` data"),
        (lambda: bleuprint.self_bleu(PROMPTS, metric=PASS), "`prompt` data"),
        (lambda: PASS.score(PROMPTS, [1]), "hypotheses has 4 segments, but references has 1"),
        (lambda: bleuprint.Evaluation("pass").run({"a": PROMPTS, "b": PROMPTS[:1]}), "4"),
        (lambda: bleuprint.metric("bleu").score(PROMPTS, ["a"] * 4), "must be"),
    ]:
        with pytest.raises((TypeError, ValueError), match=message):
            call()


def test_laws_hold_of_the_data_of_a_user():
    PASS.check_laws(PROMPTS)
    with pytest.raises(ValueError, match="no segments"):
        PASS.check_laws([])


def test_samples_that_are_texts_are_scored_by_any_metric():
    samples, references = [["a b c d", "a b x d", None], ["e f", "x", "e"]], [["a b c d"], ["e f", "e g"]]
    best = bleuprint.metric("best", of="chrf:word-order=2", k=[1, 2], missing="skip")
    each = [[one for one in own if one is not None] for own in samples]
    chrf = bleuprint.metric("chrf:word-order=2")
    numbers = [[one.score for one in chrf.sentences(own, [refs] * len(own))] for own, refs in zip(each, references)]
    expected = bleuprint.metric("best", k=[1, 2]).score(numbers)
    assert best.score(samples, references).headlines == expected.headlines
    # The same without a metric of samples.
    rewards = bleuprint.rewards(sum(([one] * 1 for one in each[1]), []), [references[1]], group_size=3, metric="chrf:word-order=2")
    assert rewards.tolist() == pytest.approx(numbers[1])
    assert bleuprint.Recipe(best.signature).metric().signature == best.signature


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_votes_without_numbers_are_errors(word):
    """`missing=skip` leaves out the prompt, and counts the number."""
    votes = [["a", None, float(word)], ["b", None, "b"]]
    with pytest.raises(ValueError, match="sample 3 is .*missing=skip leaves out such prompts"):
        bleuprint.metric("maj:k=3").score(votes, ["a", "b"])
    skipped = bleuprint.metric("maj:k=3", missing="skip").score(votes, ["a", "b"])
    assert (skipped.score, skipped.prompts, skipped.nulls) == (1.0, 1, 1)


def test_whole_numbers_and_their_digits_are_one_answer():
    large = 10**32 + 1
    maj = bleuprint.metric("maj")
    for answer, gold, right in [
        ([2**53 + 1], 2**53, 0.0),
        ([str(2**53 + 1)], 2**53 + 1, 1.0),
        ([large], str(large), 1.0),
        ([large], large + 1, 0.0),
        ([-0.0], 0, 1.0),
        ([1.0], "1", 1.0),
        (["1.0"], 1, 0.0),
        ([True], 1, 0.0),
    ]:
        assert maj.score([answer], [[gold]]).score == right, (answer, gold)


def test_columns_of_arrow_are_prompts():
    pyarrow = pytest.importorskip("pyarrow")
    prompts = [{"n": 10, "c": 3}]
    assert PASS.score(pyarrow.array(prompts)).score == PASS.score(prompts).score
