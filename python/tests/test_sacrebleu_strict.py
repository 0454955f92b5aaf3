"""Inputs that sacreBLEU cuts off or misreads: `bleuprint.sacrebleu` refuses them, unless `strict=False`."""

import pytest

import bleuprint.sacrebleu as sacrebleu
from bleuprint.sacrebleu.metrics import BLEU, CHRF, TER

LOOSE = [
    (["a b c d", "e f"], [["a b c d"]]),
    (["a b c d"], [["a b c d", "e f"]]),
    (["a b c d", "e f"], [["a b c d", "e f"], ["a b"]]),
    (["a b c d"], ["a b c d"]),
    ("ab", [["a", "b"]]),
    ("ab", ["ab"]),
]


@pytest.mark.parametrize("metric", [BLEU, CHRF, TER])
@pytest.mark.parametrize("hyps, refs", LOOSE)
def test_what_is_cut_off_is_refused(metric, hyps, refs):
    with pytest.raises((ValueError, TypeError)):
        metric().corpus_score(hyps, refs)


@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
@pytest.mark.parametrize("hyps, refs", LOOSE)
def test_and_accepted_without_strictness(name, hyps, refs):
    metrics = pytest.importorskip("sacrebleu.metrics")
    mine = {"BLEU": BLEU, "CHRF": CHRF, "TER": TER}[name](strict=False)
    theirs = getattr(metrics, name)()
    assert mine.corpus_score(hyps, refs).score == theirs.corpus_score(hyps, refs).score


def test_streams_without_end():
    class Endless:
        def __getitem__(self, at):
            return "a b c d"

    for metric in (BLEU, CHRF, TER):
        expected = metric().corpus_score(["a b c d", "e"], [["a b c d", "e"], ["a b c d"] * 2]).score
        assert metric(strict=False).corpus_score(["a b c d", "e"], [["a b c d", "e"], Endless()]).score == expected
        with pytest.raises(ValueError, match="hypotheses has 2 segments, but reference stream 2 has 3"):
            metric().corpus_score(["a b c d", "e"], [["a b c d", "e"], Endless()])


def sacrebleu_error(function, *arguments):
    """The type of the error that sacreBLEU itself raises."""
    oracle = pytest.importorskip("sacrebleu")
    with pytest.raises(Exception) as raised:
        getattr(oracle, function)(*arguments)
    return raised.type


def test_a_segment_without_any_reference():
    # With the place, but also of the type of sacreBLEU's own error.
    for metric in ("bleu", "chrf", "ter"):
        theirs = sacrebleu_error(f"corpus_{metric}", ["a", "b"], [["a", None]])
        with pytest.raises(theirs, match="segment 2: no references"):
            getattr(sacrebleu, f"corpus_{metric}")(["a", "b"], [["a", None]])
    score = sacrebleu.corpus_bleu([""], [[None]], strict=False)
    assert (score.score, score.bp, score.ref_len) == (0.0, 1.0, -1)


def test_both_ways_to_finish_agree():
    """Scores of corpora and sentences come from the native part, `compute_bleu` is Python: the same to the last bit."""
    import random

    generator = random.Random(3)
    words = "a b c d e f".split()
    for _ in range(300):
        hyp, ref = (" ".join(generator.choices(words, k=generator.randrange(9))) for _ in range(2))
        method, value = generator.choice([("exp", None), ("none", None), ("floor", None), ("floor", 0.0), ("floor", 0.3), ("floor", 2)])
        order, effective = generator.randrange(1, 6), generator.random() < 0.5
        bleu = BLEU(smooth_method=method, smooth_value=value, max_ngram_order=order, effective_order=effective, tokenize="none")
        score = bleu.corpus_score([hyp], [[ref]])
        twin = BLEU.compute_bleu(
            list(score.counts), list(score.totals), score.sys_len, score.ref_len, method, value, effective, order
        )
        assert vars(score) == vars(twin)
        types = lambda one: {name: type(part) for name, part in vars(one).items()}
        assert types(score) == types(twin)


def test_one_sentence_at_a_time_with_other_types():
    assert sacrebleu.sentence_bleu("a b x", ["a b c"], "add-k", 1).totals == [3, 3, 2, 1]
    assert all(type(total) is int for total in sacrebleu.sentence_bleu("a b x", ["a b c"], "add-k", 1).totals)
    assert type(sacrebleu.sentence_bleu("a b x", ["a b c"], "add-k", 1.0).totals[1]) is float


def test_metrics_are_pickled():
    import pickle

    bleu = pickle.loads(pickle.dumps(BLEU(references=[["a b c d"]])))
    assert bleu.corpus_score(["a b c d"], None).score > 99
