"""Labels as people have them: whole numbers, truth values, their arrays and lists of tags, by one rule."""

import bleuprint
import numpy
import pytest


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
