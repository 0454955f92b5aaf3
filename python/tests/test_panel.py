"""Several metrics in one pass: each score is that of its metric alone, for every form of data, in any number of threads."""

import pytest

import bleuprint

HYP = ["The dog bit the man.", "It wasn't surprising.", "He ran away today."]
REF = [["The dog bit the man.", "The dog had bit the man."], ["It was not unexpected."], ["He ran away today."]]
NAMES = ["bleu", "chrf:word-order=2", "ter", "rougeL", "cider_d", "wer:norm=nfkc+lower"]
IDS = ([[1, 2, 3, 4, 5], [6, 7]], [[1, 2, 3, 4, 9], [6, 8]])
TOKENS = ([list("abcde"), [b"f", ("g", 1)]], [list("abcdx"), [b"f", "y"]])
OF_IDS = ["bleu", "rougeL", "wer"]


def test_scores_are_those_of_each_metric_alone():
    panel = bleuprint.metrics(*NAMES)
    for threads in (None, 2):
        scores = panel.score(HYP, REF, threads=threads)
        each = panel.sentences(HYP, REF, threads=threads)
        statistics = panel.statistics(HYP, REF, threads=threads, system="mine")
        assert list(scores) == list(each) == list(statistics) == panel.metrics == NAMES
        for name in NAMES:
            alone = bleuprint.metric(name)
            assert scores[name] == statistics[name].score() == alone.score(HYP, REF)
            assert each[name] == alone.sentences(HYP, REF)
            assert statistics[name].system == "mine"


@pytest.mark.parametrize("data", [IDS, TOKENS])
def test_ids_and_tokens(data):
    panel = bleuprint.metrics(*OF_IDS)
    for name, score in panel.score(*data).items():
        assert score == bleuprint.metric(name).score(*data)
    for name, scores in panel.sentences(*data).items():
        assert scores == bleuprint.metric(name).sentences(*data)
    score, interval = panel.score(*data, confidence=20)["bleu"]
    assert interval == bleuprint.metric("bleu").statistics(*data).confidence(20)
    with pytest.raises(ValueError, match="chrF2 looks at text"):
        bleuprint.metrics("bleu", "chrf").score(*data)


def test_settings_are_those_of_one_metric():
    panel = bleuprint.metrics("bleu", "ter", tokenize=str.split, token_space="spaces")
    assert panel.score(HYP, REF)["bleu"] == bleuprint.metric("bleu", tokenize=str.split, token_space="spaces").score(HYP, REF)
    panel = bleuprint.metrics("bleu", bleuprint.metric("wer", tokenize="char"), tokenize="intl", lowercase=True)
    scores = panel.score(HYP, REF)
    assert scores["bleu"] == bleuprint.metric("bleu", tokenize="intl", lowercase=True).score(HYP, REF)
    assert scores["wer:tokenize=char"] == bleuprint.metric("wer", tokenize="char").score(HYP, REF)
    assert "tok:mine" in bleuprint.metrics("bleu", token_space="mine").score(*IDS)["bleu"].signature


def test_own_metrics_go_along():
    class Equal(bleuprint.Metric):
        name, columns, score_range = "equal", ("equal",), (0.0, 1.0)

        def observe(self, state, hypothesis, references):
            return [state[0] + (hypothesis in references)]

        def finalize(self, state, segments):
            return state[0] / segments

    own = Equal()
    panel = bleuprint.metrics("bleu", own)
    assert panel.score(HYP, REF, threads=2)["equal"].score == 2 / 3
    statistics = panel.statistics(HYP, REF)["equal"]
    assert statistics.score().score == 2 / 3 and len(statistics) == 3


def test_intervals_are_those_of_statistics():
    for name, (score, interval) in bleuprint.metrics("bleu", "ter").score(HYP, REF, confidence=50, seed=7).items():
        each = bleuprint.metric(name).statistics(HYP, REF)
        assert score == each.score() and interval == each.confidence(50, 7)


def test_progress_and_streams():
    seen = []
    streams = [[one[0] for one in REF], [one[-1] for one in REF]]
    scores = bleuprint.metrics("bleu", "ter").score(HYP, reference_streams=streams, progress=lambda *at: seen.append(at))
    assert scores["ter"] == bleuprint.metric("ter").score(HYP, reference_streams=streams)
    assert seen[-1] == (3, 3)
    learned = []
    cider = bleuprint.metric("cider_d")
    assert cider.learn(REF, threads=2, progress=lambda *at: learned.append(at)).score(HYP, REF) == cider.score(HYP, REF, threads=2)
    assert learned[-1] == (3, 3)
    rewards = bleuprint.rewards(HYP, reference_streams=streams, progress=lambda *at: seen.append(at), metric="chrf")
    assert rewards.tolist() == bleuprint.rewards(HYP, [list(one) for one in zip(*streams)], metric="chrf").tolist()
    with pytest.raises(ValueError, match="references are given twice"):
        bleuprint.rewards(HYP, REF, reference_streams=streams)


def test_a_set_is_its_metrics():
    panel = bleuprint.metrics("coco", "ter")
    assert len(panel.metrics) > 4 and panel.metrics[-1] == "ter"
    assert bleuprint.Evaluation("coco").metrics == panel.metrics[:-1]


# -- What can be read once -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("once", [iter, lambda data: (one for one in data), lambda data: dict(enumerate(data)).values()])
def test_iterators_and_views_are_lists(once):
    bleu = bleuprint.metric("bleu")
    whole = bleu.score(HYP, REF)
    streams = [[one[0] for one in REF], [one[-1] for one in REF]]
    assert bleu.score(once(HYP), once(REF)) == whole
    assert bleu.score(once(HYP), once([once(one) for one in REF])) == whole
    assert bleu.sentences(once(HYP), once(REF)) == bleu.sentences(HYP, REF)
    of_streams = bleu.score(HYP, reference_streams=streams)
    assert bleu.score(once(HYP), reference_streams=once([once(stream) for stream in streams])) == of_streams
    assert bleu.statistics(once(HYP), once(REF)).score() == whole
    assert bleu.accumulator().update(once(HYP), once(REF)).compute() == whole
    for data in (IDS, TOKENS):
        assert bleu.score(*map(once, data)) == bleu.score(*data)
        single = [[one] for one in data[1]]
        assert bleu.score(once(data[0]), once([once(one) for one in single])) == bleu.score(data[0], single)
    cider = bleuprint.metric("cider_d")
    assert cider.learn(once([once(one) for one in REF])).score(HYP, REF) == cider.learn(REF).score(HYP, REF)
    assert bleuprint.Evaluation("bleu").run({"a": once(HYP)}, once(REF)).scores()["a"]["bleu"] == whole
    assert bleuprint.rewards(once(HYP), once(REF)).tolist() == bleuprint.rewards(HYP, REF).tolist()
    assert bleuprint.self_bleu(once(HYP)) == bleuprint.self_bleu(HYP)
    assert bleuprint.mbr(once(HYP)).utilities == bleuprint.mbr(HYP).utilities
    systems = {"a": HYP, "b": HYP[::-1]}
    for both in (bleuprint.paired_test, bleuprint.compare):
        assert both({name: once(one) for name, one in systems.items()}, once([once(one) for one in REF]), n=9) == both(systems, REF, n=9)
        assert both(systems, reference_streams=once([once(one) for one in streams]), n=9) == both(systems, reference_streams=streams, n=9)
    each = bleuprint.explain(once(HYP), once([one[0] for one in REF]))
    assert each == bleuprint.explain(HYP, [one[0] for one in REF])


def test_an_error_of_a_generator_is_raised():
    def broken():
        yield "a"
        raise RuntimeError("the file ended")

    with pytest.raises(RuntimeError, match="the file ended"):
        bleuprint.metric("bleu").score(broken(), ["a", "b"])


