"""Agreement with people: forms of input, results, refusals."""

import pytest

import bleuprint

HUMAN = {"a": [1, 2, None, 2], "b": [3, 1, 2, 2], "c": [5, 5, 4, 3]}
GOOD = {"a": [0.1, 0.2, 0.3, 0.2], "b": [0.3, 0.1, 0.2, 0.2], "c": [0.5, 0.5, 0.5, 0.4]}
BAD = {"a": [0.5, 0.2, 0.1, 0.4], "b": [0.3, 0.1, 0.2, 0.3], "c": [0.1, 0.0, 0.3, 0.2]}
METRICS = {"bad": BAD, "good": GOOD}


def test_several_statistics_of_several_metrics():
    found = bleuprint.meta(HUMAN, METRICS, statistic=["spa", "acc-eq", "pearson"], trials=100)
    assert list(found) == ["spa", "acc-eq", "pearson"]
    for name, one in found.items():
        assert one == bleuprint.meta(HUMAN, METRICS, statistic=name, trials=100)
        assert [metric["name"] for metric in one["metrics"]] == ["good", "bad"] and len(one["ranks"]) == 2
        assert (one["systems"], one["items"], one["missing"]) == (3, 4, 1)
    assert found["acc-eq"]["metrics"][0]["value"] > 0.9 and "epsilon" in found["acc-eq"]["metrics"][0]
    again = bleuprint.meta(HUMAN, METRICS, statistic="spa", trials=100, threads=2)
    assert again == found["spa"]


def test_what_is_lower_is_better_is_turned_round():
    negated = {system: [-score for score in scores] for system, scores in GOOD.items()}
    turned = bleuprint.meta(HUMAN, {"good": negated}, statistic="tau-b", lower=["good"])
    assert turned == bleuprint.meta(HUMAN, {"good": GOOD}, statistic="tau-b")


def test_arrays_and_frames():
    numpy = pytest.importorskip("numpy")
    expected = bleuprint.meta({str(at): row for at, row in enumerate(GOOD.values(), 1)},
                              {"bad": {str(at): row for at, row in enumerate(BAD.values(), 1)}}, statistic="pearson", trials=50)
    rows = [list(GOOD.values()), tuple(GOOD.values()), numpy.array(list(GOOD.values())), numpy.array(list(GOOD.values())).T.copy().T]
    for human in rows:
        assert bleuprint.meta(human, {"bad": numpy.array(list(BAD.values()))}, statistic="pearson", trials=50) == expected

    class Frame:
        """As pandas and polars have it."""

        columns = list(GOOD)

        def __getitem__(self, name):
            return numpy.array(GOOD[name])

        def items(self):
            return ((name, self[name]) for name in self.columns)

        keys = columns.__iter__

    assert bleuprint.meta(Frame(), METRICS, statistic="tau-b") == bleuprint.meta(GOOD, METRICS, statistic="tau-b")


def test_statistics_are_scored_as_corpora():
    refs = ["the dog bit the man", "it was late", "he ran home", "so be it"]
    texts = {"a": ["a dog bit a man", "it was", "he ran", "be it"], "b": ["the dog bit a man", "it was late", "he ran", "be it"], "c": refs}
    bleu, ter = bleuprint.metric("chrf"), bleuprint.metric("ter")
    metrics = {
        "chrF": {name: bleu.statistics(text, refs) for name, text in texts.items()},
        "TER": {name: ter.statistics(text, refs) for name, text in texts.items()},
    }
    human = {"a": [1, 1, 1, 1], "b": [2, 3, 1, 1], "c": [3, 3, 2, 2]}
    found = bleuprint.meta(human, metrics, statistic="accuracy", trials=50)
    # Fewer edits are better without a word.
    assert {metric["name"]: metric["value"] for metric in found["metrics"]} == {"chrF": 1.0, "TER": 1.0}
    assert found["metrics"][0]["signature"]
    with pytest.raises(ValueError, match="TER says itself which direction is better"):
        bleuprint.meta(human, metrics, lower=["TER"])
    mixed = {"chrF": {**metrics["chrF"], "c": [1, 2, 3, 4]}}
    with pytest.raises(ValueError, match="chrF has statistics of some systems, and scores of others"):
        bleuprint.meta(human, mixed)


def test_soft_accuracy_of_people_who_rate_all_systems_alike_is_undefined():
    alike = {system: [3, 3, 3, 3] for system in HUMAN}
    for scores in (GOOD, {system: [-score for score in scores] for system, scores in GOOD.items()}):
        (found,) = bleuprint.meta(alike, {"m": scores}, statistic="spa", trials=100)["metrics"]
        assert found["value"] is None
