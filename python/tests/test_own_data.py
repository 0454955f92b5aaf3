"""Metrics over data of their own, of any objects of Python: one way and one strictness with the program's JSON Lines."""

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


def answer(text, none=0.1):
    return {"prediction_text": text, "no_answer_probability": none}


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
    # References have the same fingerprints, so that their files compare.
    questions, answers = [answer("a b"), answer("")], [["a b", "b"], []]
    best = bleuprint.metric("squad2_best")
    lines = [json.dumps({"hypothesis": one, "reference": own}) for one, own in zip(questions, answers)]
    (tmp_path / "q.jsonl").write_text("\n".join(lines) + "\n")
    code, _, said = program(capfd, "stats", "--segments", tmp_path / "q.jsonl", "-m", "squad2_best", "-o", tmp_path / "q.stats")
    assert code == 0, said
    best.statistics(questions, answers, system="here").write(tmp_path / "here.stats")
    assert bleuprint.Run.read([tmp_path / "q.stats", tmp_path / "here.stats"]).paired(n=10)[1]["score"] == 100.0


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
    best = bleuprint.metric("squad2_best")
    # The reference is a list itself.
    assert best.score([answer("x"), answer("")], [["x", "b"], []]).score == 100.0
    assert bleuprint.metric("labels", multilabel="list").score([["x"], []], [["x"], []]).parts["accuracy"] == 1.0
    assert bleuprint.mbr([answer("x"), answer("y")], [["x"], ["y"], ["y"]], metric=best).best == 1
    assert bleuprint.pairwise([answer("x")], [["x"], ["y"]], metric=best).tolist() == [[100.0, 0.0]]


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_words_without_numbers_are_errors_as_in_files(word, tmp_path, capfd):
    """In log-likelihoods and votes; `missing=skip` leaves out what they belong to, and counts it."""
    number, file = float(word), tmp_path / "a.jsonl"
    file.write_text(f'{{"loglik": [{word}, -1.5, -0.5]}}\n{{"loglik": [null, -2]}}\n')
    records = [{"loglik": [number, -1.5, -0.5]}, {"loglik": [None, -2]}]
    code, _, said = program(capfd, "score", "-q", "--segments", file, "-m", "nll")
    assert code == 2 and "missing=skip leaves such segments out" in said
    with pytest.raises(ValueError, match="missing=skip leaves such segments out"):
        bleuprint.metric("nll").score(records)
    code, out, said = program(capfd, "score", "-q", "-f", "json", "--segments", file, "-m", "nll:missing=skip")
    assert code == 0, said
    here = bleuprint.metric("nll", missing="skip").score(records)
    assert here.score == json.loads(out)["score"] == 2.0 and (here.nulls, here.missing) == (1, 1)
    votes = [["a", None, number], ["b", None, "b"]]
    with pytest.raises(ValueError, match="sample 3 is .*missing=skip leaves out such prompts"):
        bleuprint.metric("maj:k=3").score(votes, ["a", "b"])
    skipped = bleuprint.metric("maj:k=3", missing="skip").score(votes, ["a", "b"])
    assert (skipped.score, skipped.prompts, skipped.nulls) == (1.0, 1, 1)
    with pytest.raises(ValueError, match="expected a string"):
        bleuprint.metric("bits", per="byte").score([{"loglik": -1, "text": number}])


def test_choices_without_an_effect_are_refused(tmp_path):
    """By the words of the program, in every function that takes them."""
    stm, ctm = tmp_path / "p.stm", tmp_path / "p.ctm"
    stm.write_text("s1 1 A 0 2 hello, world\n")
    ctm.write_text("s1 1 0 1 hello 0.9\ns1 1 1 1 world 0.8\n")
    for choice, said in [({"norm": "punct"}, "norm=punct"), ({"lowercase": True}, "lowercase=yes"), ({"tokenize": "char"}, "tokenize=char")]:
        with pytest.raises(ValueError, match=f"{said} is given for all metrics, but nce looks at"):
            bleuprint.from_files("heard", stm, ctm, metrics="nce", **choice)
        bleuprint.from_files("transcripts", stm, ctm, metrics="wer", **choice)
    with pytest.raises(ValueError, match="tokenize=char is given for all metrics, but chrf looks at text"):
        bleuprint.Evaluation(["chrf"], tokenize="char")
    with pytest.raises(ValueError, match="lowercase=yes is given for all metrics, but the definition of ter has its own case"):
        bleuprint.metrics("ter", lowercase=True)
    assert set(bleuprint.metrics("bleu", "chrf", tokenize="char").score(["a"], ["a"])) == {"bleu", "chrf"}


def test_a_score_has_the_name_of_its_signature(tmp_path, capfd):
    records = [("squad2", "York", ["York"]), ("spans", "B-X", ["B-X"]), ("labels", "a", ["a"])]
    for metric, hypothesis, references in records:
        file = tmp_path / "a.jsonl"
        file.write_text(json.dumps({"hypothesis": hypothesis, "references": references}) + "\n")
        code, out, said = program(capfd, "score", "-q", "-f", "text", "--segments", file, "-m", metric)
        assert code == 0, said
        score = bleuprint.metric(metric).score([hypothesis], [references])
        assert str(score).split("|")[0] == out.split("|")[0] == score.signature.split("|")[0] == metric


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
    "metric, hypotheses, references, message",
    [
        ("pass", [Prompt(2**32, 1)], None, "`n`: invalid value"),
        ("gpass:t=0.5,k=2", [Prompt(10**6, 1)], None, "is 1000000, but must be at most 10000"),
        ("best", [[0.5, math.nan]], None, "has no value here; missing=skip"),
        ("nll", [{"loglik": math.nan, "tokens": 1}], None, "missing=skip"),
        ("labels:multilabel=;", ["a;;b"], ["a"], "an empty label"),
        ("labels:labels=a/b", ["c"], ["a"], "the label `c` is not declared"),
        ("labels", ["a"], ["a", "b"], "hypotheses has 1 segment, but references has 2"),
        ("spans", ["B-X"], ["B-X O"], "has 1 tag, but the reference has 2"),
        ("spans:scheme=IOB2", ["Z-X"], ["Z-X"], "`Z-X` has no prefix of IOB2"),
        ("spans:types=PER", ["B-LOC"], ["B-LOC"], "`LOC` is not declared"),
    ],
)
def test_values_that_no_metric_takes_are_errors(metric, hypotheses, references, message):
    given = {} if references is None else {"references": references}
    with pytest.raises(ValueError, match=message):
        bleuprint.metric(metric).score(hypotheses, **given)


def test_large_counts_and_many_labels_are_numbers():
    assert bleuprint.metric("pass", k=10000).score([Prompt(10**6, 1)]).score == pytest.approx(0.01)
    labels = [str(label) for label in range(10**5)]
    assert bleuprint.metric("labels", score="accuracy").score(labels, labels).score == 1.0
    # The empty label is one of its own.
    assert bleuprint.metric("labels").score(["", "b"], ["a", "b"]).parts["labels"] == 3


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
    films = [[{"start": 0, "end": at, "text": "a b c"[:at]}] for at in range(1, 6)]
    bleuprint.metric("suber").check_laws(films, [[film] for film in films[::-1]])
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
