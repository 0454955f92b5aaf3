"""Labels as people have them: whole numbers, truth values, their arrays and lists of tags, by one rule."""

import json
import warnings

import bleuprint
import numpy
import pytest
from bleuprint import _native


def accuracy(hypotheses, references, **options):
    return bleuprint.metric("labels", score="accuracy", **options).score(hypotheses, references).score


@pytest.mark.parametrize("hypotheses, references, expected", [
    ([1, 0], [1, 0], 1.0),
    ([[1], [0]], [[1], [0]], 1.0),
    (numpy.array([1, 0]), numpy.array([1, 1]), 0.5),
    (numpy.array([True, False]), [True, False], 1.0),
    ([1, 0], ["1", "0"], 1.0),
    ([1.0, 0], ["1", 0], 1.0),
    (["1.0"], [1], 0.0),
    ([True], [1], 0.0),
    ([True], ["true"], 1.0),
])  # fmt: skip
def test_numbers_are_labels(hypotheses, references, expected):
    assert accuracy(hypotheses, references) == expected


@pytest.mark.parametrize("wrong, message", [(0.5, "float \\(0.5\\)"), (None, "NoneType"), (float("nan"), "float \\(nan\\)"), (float("inf"), "float \\(inf\\)")])
def test_what_is_no_label_is_named(wrong, message):
    with pytest.raises(TypeError, match=f"hypotheses\\[1\\] is {message}.*must be a str, a whole number or a bool"):
        accuracy([1, wrong], [1, 1])


def test_lists_of_tags_are_sequences():
    assert accuracy([["O", "B"]], [["O", "I"]], tokens=True) == 0.5
    assert accuracy(numpy.array([[1, 2], [3, 4]]), numpy.array([[1, 2], [3, 5]]), tokens=True) == 0.75
    spans = bleuprint.metric("spans").score
    assert spans([["B-PER", "O"]], [["B-PER", "O"]]).score == spans(["B-PER O"], ["B-PER O"]).score == 1.0
    with pytest.raises(ValueError, match="hypotheses\\[0\\]\\[0\\] is 'New York', but a tag is one word"):
        spans([["New York"]], [["O"]])


def test_every_door_takes_numbers():
    assert bleuprint.metrics("labels:score=accuracy").score([1, 0], [1, 1])["labels:score=accuracy"].score == 0.5
    run = bleuprint.metrics("labels:score=accuracy").run({"a": [1, 0], "b": [1, 1]}, [1, 1])
    assert [scores["labels:score=accuracy"].score for scores in run.scores().values()] == [0.5, 1.0]


def test_columns_of_labels_are_the_same_at_every_interface():
    """Numbers, truths and texts in lists, arrays and columns, at calls, runs, tables, pools and adapters."""
    from bleuprint import tables
    from bleuprint.adapters.evaluate import Evaluation
    from bleuprint.adapters.trl import reward_function

    name = "labels:score=accuracy"
    calls = {
        "score": lambda h, r: bleuprint.metric(name).score(h, r).score,
        "metrics": lambda h, r: bleuprint.metrics(name).score(h, r)[name].score,
        "accumulator": lambda h, r: bleuprint.metric(name).accumulator().update(h, r).compute().score,
        "run": lambda h, r: bleuprint.metrics(name).run({"a": h, "b": h}, r).scores()["b"][name].score,
        "compare": lambda h, r: bleuprint.compare({"a": h, "b": h}, r, metric=name, n=10)["scores"]["a"],
        "state": lambda h, r: tables.score(tables.state(name, h, r)).score,
        "evaluate": lambda h, r: Evaluation(name).compute(predictions=h, references=r)["score"],
    }
    kinds = {"int": [1, 0, 2, 1], "bool": [True, False, True, True], "text": ["1", "0", "2", "1"]}
    makers = [list, tuple, numpy.array, lambda labels: numpy.array(labels, dtype=object), lambda labels: [[label] for label in labels]]
    for library in ("pandas", "polars", "pyarrow"):
        try:
            module = __import__(library)
        except ImportError:
            continue
        makers.append(module.array if library == "pyarrow" else module.Series)
    for kind, labels in kinds.items():
        wrong = [*labels[:3], labels[1]]
        for make in makers:
            for place, call in calls.items():
                assert call(make(labels), make(wrong)) == 0.75, (kind, place, make)
    assert reward_function(name)(completions=[1, 0], reference=[1, 1]) == [1.0, 0.0]


def test_null_labels_leave_rows_out_of_tables():
    from bleuprint import tables

    table = tables.state("labels:score=accuracy", [1, None, 0], [1, 1, 1], nulls="skip")
    assert tables.score(table).score == 0.5
    with pytest.raises(TypeError, match=r"hyp\[1\] is NoneType"):
        tables.state("labels:score=accuracy", [1, None, 0], [1, 1, 1])


RECORDS = [
    ({"id": "1", "prediction_text": "", "no_answer_probability": 0.9}, {"id": "1", "answers": {"text": [], "answer_start": []}}),
    ({"id": "2", "prediction_text": "in York", "no_answer_probability": 0.1}, {"id": "2", "answers": {"text": ["York"], "answer_start": [3]}}),
]


def test_answers_of_squad_are_records_or_texts():
    predictions, references = zip(*RECORDS)
    for score in (bleuprint.metric("squad2").score, lambda *data: bleuprint.metrics("squad2").score(*data)["squad2"]):
        expected = score(["", "in York"], [[""], ["York"]]).to_dict()
        assert expected["exact"] == 50 and expected["NoAns_total"] == 1
        for data in ((list(predictions), list(references)), (["", "in York"], [[], ["York"]]), (["", "in York"], [[], "York"])):
            assert score(*data).to_dict() == expected, data
    run = bleuprint.metrics("squad2").run({"a": list(predictions), "b": ["x", "York"]}, list(references))
    assert [scores["squad2"].parts["exact"] for scores in run.scores().values()] == [50, 50]
    f1 = bleuprint.metric("squad_f1").score([predictions[1]], [references[1]])
    assert f1.score == bleuprint.metric("squad_f1").score(["in York"], ["York"]).score
    with pytest.raises(ValueError, match=r"hypotheses\[0\] has the id '2', but references\[0\] has '1': give both in one order"):
        bleuprint.metric("squad2").score(list(predictions[::-1]), list(references))
    with pytest.raises(ValueError, match="no references"):
        bleuprint.metric("squad_f1").score([predictions[0]], [references[0]])


def answer(text, none=0.1):
    return {"prediction_text": text, "no_answer_probability": none}


def test_statistics_of_the_program_and_of_a_call_compare(tmp_path):
    """The references have the same fingerprints, though they are lists themselves."""
    questions, answers = [answer("a b"), answer("")], [["a b", "b"], []]
    best = bleuprint.metric("squad2_best")
    lines = [json.dumps({"hypothesis": one, "reference": own}) for one, own in zip(questions, answers)]
    (tmp_path / "q.jsonl").write_text("\n".join(lines) + "\n")
    arguments = ["stats", "--segments", tmp_path / "q.jsonl", "-m", "squad2_best", "-o", tmp_path / "q.stats"]
    assert _native.program(["bleuprint", *map(str, arguments)]) == 0
    best.statistics(questions, answers, system="here").write(tmp_path / "here.stats")
    assert bleuprint.Run.read([tmp_path / "q.stats", tmp_path / "here.stats"]).paired(n=10)[1]["score"] == 100.0


def test_references_are_lists():
    best = bleuprint.metric("squad2_best")
    assert best.score([answer("x"), answer("")], [["x", "b"], []]).score == 100.0
    assert bleuprint.metric("labels", multilabel="list").score([["x"], []], [["x"], []]).parts["accuracy"] == 1.0
    assert bleuprint.mbr([answer("x"), answer("y")], [["x"], ["y"], ["y"]], metric=best).best == 1
    assert bleuprint.pairwise([answer("x")], [["x"], ["y"]], metric=best).tolist() == [[100.0, 0.0]]


@pytest.mark.parametrize(
    "metric, hypotheses, references, message",
    [
        ("labels:multilabel=;", ["a;;b"], ["a"], "an empty label"),
        ("labels:labels=a/b", ["c"], ["a"], "the label `c` is not declared"),
        ("labels", ["a"], ["a", "b"], "hypotheses has 1 segment, but references has 2"),
        ("spans", ["B-X"], ["B-X O"], "has 1 tag, but the reference has 2"),
        ("spans:scheme=IOB2", ["Z-X"], ["Z-X"], "`Z-X` has no prefix of IOB2"),
        ("spans:types=PER", ["B-LOC"], ["B-LOC"], "`LOC` is not declared"),
    ],
)
def test_values_that_no_metric_takes_are_errors(metric, hypotheses, references, message):
    with pytest.raises(ValueError, match=message):
        bleuprint.metric(metric).score(hypotheses, references)


def test_many_labels_and_the_empty_one_are_labels():
    labels = [str(label) for label in range(10**5)]
    assert accuracy(labels, labels) == 1.0
    assert bleuprint.metric("labels").score(["", "b"], ["a", "b"]).parts["labels"] == 3


def heard(call, *data):
    """Return the warnings of this package in a call."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call(*data)
    assert all(issubclass(one.category, bleuprint.BleuprintWarning) for one in caught)
    return [str(one.message) for one in caught]


def test_a_declared_label_that_occurs_nowhere_is_a_warning():
    labels, gold = ["a", "b"] * 10, ["a", "a"] * 10
    for call in (
        lambda: bleuprint.metric("labels", only="a/zzz").score(labels, gold),
        lambda: bleuprint.metric("labels", only="a/zzz").sentences(labels, gold),
        lambda: bleuprint.metrics("labels:only=a/zzz").run({"a": labels}, gold),
        lambda: bleuprint.compare({"a": labels, "b": gold}, gold, metric="labels:only=a/zzz", n=10),
    ):
        with pytest.warns(bleuprint.BleuprintWarning, match="labels: `zzz` of only= occurs in no output and in no reference"):
            call()
    # The first segments say nothing about a label, and the score of all says it once.
    accumulator = bleuprint.metric("labels", only="a/zzz").accumulator()
    updates = [heard(accumulator.update, [one], [two]) for one, two in zip(labels, gold)]
    assert not any(updates) and len(heard(accumulator.compute)) == 1 and heard(accumulator.compute) == []
    assert heard(bleuprint.metric("labels", only="a/b").score, labels, gold) == []
