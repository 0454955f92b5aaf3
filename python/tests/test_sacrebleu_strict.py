"""Where `bleuprint.sacrebleu` refuses what sacreBLEU cuts off or reads otherwise than meant, and `strict=False` does not."""

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


def test_the_message_says_where():
    with pytest.raises(ValueError, match="hypotheses has 2 segments, but reference stream 2 has 1"):
        sacrebleu.corpus_bleu(["a", "b"], [["a", "b"], ["a"]])


def test_a_segment_without_any_reference():
    with pytest.raises(ValueError, match="segment 2: no references"):
        sacrebleu.corpus_bleu(["a", "b"], [["a", None]])
    with pytest.raises(ValueError, match="no references"):
        sacrebleu.sentence_bleu("a", [None])
    score = sacrebleu.corpus_bleu([""], [[None]], strict=False)
    assert (score.score, score.bp, score.ref_len) == (0.0, 1.0, -1)
    for function, error in (
        (sacrebleu.corpus_bleu, TypeError),
        (sacrebleu.corpus_chrf, ValueError),
        (sacrebleu.corpus_ter, ZeroDivisionError),
    ):
        with pytest.raises(error):
            function(["a"], [[None]], strict=False)


def test_wrong_items_behind_the_first():
    with pytest.raises(TypeError, match=r"hypotheses\[1\] is int, but must be a str"):
        sacrebleu.corpus_chrf(["a", 5], [["a", "b"]])
    with pytest.raises(TypeError, match=r"reference_streams\[0\]\[1\] is int, but must be a str"):
        sacrebleu.corpus_bleu(["a", "b"], [["a", 5]])


def test_lone_surrogates_are_refused():
    with pytest.raises(ValueError, match=r"hypotheses\[0\] is no text: it has a lone surrogate U\+D800 at character 2"):
        sacrebleu.corpus_bleu(["ab\ud800"], [["a"]])


def test_there_are_no_test_sets():
    with pytest.raises(AttributeError, match="no test sets"):
        sacrebleu.download_test_set


def test_metrics_are_pickled():
    import pickle

    bleu = pickle.loads(pickle.dumps(BLEU(references=[["a b c d"]])))
    assert bleu.corpus_score(["a b c d"], None).score > 99
