"""The rows of `docs/from-torchmetrics.md`."""

import math

import pytest
import bleuprint

from .common import BOTH, HYPS, library, REFS, row, score


def of_torch(name, *data, **options):
    """The number of a class of torchmetrics, or None if it is not installed."""
    text = library("torchmetrics.text")
    if text is None:
        return None
    metric = getattr(text, name)(**options)
    metric.update(*data)
    return metric.compute()


SINGLE = [[one] for one in REFS]
#: Segments with a match, without which torchmetrics drops their references (its issue 3480).
MATCHED = [at for at, one in enumerate(bleuprint.metric("chrf++").sentences(HYPS, REFS)) if one.score > 0]


def same_number(theirs, ours, tolerance=1e-6):
    assert math.isfinite(ours)
    assert theirs is None or float(theirs) == pytest.approx(ours, abs=tolerance)


@row("torchmetrics", "`SacreBLEUScore()`")
def _():
    same_number(of_torch("SacreBLEUScore", HYPS, SINGLE), score("bleu") / 100)


@row("torchmetrics", "`BLEUScore()`")
@row("torchmetrics", "`BLEUScore(smooth=True)`")
def _():
    for smooth, spec in ((False, "bleu:dialect=torchmetrics"), (True, "bleu:dialect=torchmetrics:smooth")):
        same_number(of_torch("BLEUScore", HYPS, SINGLE, smooth=smooth), score(spec))


@row("torchmetrics", "`CHRFScore()`")
@row("torchmetrics", "`CHRFScore(n_word_order=0)`")
def _():
    hyps, refs = [HYPS[at] for at in MATCHED], [SINGLE[at] for at in MATCHED]
    for options, spec in (({}, "chrf++:eps-smoothing"), ({"n_word_order": 0}, "chrf:eps-smoothing")):
        same_number(of_torch("CHRFScore", hyps, refs, **options), score(spec, refs, hyps) / 100)
    dropped = of_torch("CHRFScore", ["ab", "xy"], [["ab"], ["cd"]])
    assert dropped is None or float(dropped) > score("chrf++:eps-smoothing", ["ab", "cd"], ["ab", "xy"]) / 100 + 0.01


@row("torchmetrics", "`TranslationEditRate()`")
def _():
    empty = of_torch("TranslationEditRate", ["", "a b"], [["c d"], ["a b"]])
    assert score("ter", ["c d", "a b"], ["", "a b"]) == 50.0
    assert empty is None or float(empty) == 0.0
    theirs = of_torch("TranslationEditRate", HYPS, SINGLE)
    assert theirs is None or abs(float(theirs) - score("ter") / 100) < 0.02


@row("torchmetrics", "`ROUGEScore()`")
@row("torchmetrics", "`ROUGEScore(use_stemmer=True)`")
def _():
    rouge = library("torchmetrics.functional.text.rouge")
    with pytest.MonkeyPatch.context() as patch:
        if rouge:
            patch.setattr(rouge, "_split_sentence", str.splitlines)
        for stemmer in (False, True) if library("nltk") or not rouge else (False,):
            keys = ("rouge1", "rouge2", "rougeL", "rougeLsum")
            theirs = of_torch("ROUGEScore", HYPS, REFS, use_stemmer=stemmer, rouge_keys=keys)
            for name in keys:
                same_number(theirs and theirs[f"{name}_fmeasure"], score(f"{name}:stemmer" if stemmer else name))


@row("torchmetrics", "`WordErrorRate()`")
@row("torchmetrics", "`CharErrorRate()`")
def _():
    for name, spec in (("WordErrorRate", "wer"), ("CharErrorRate", "cer")):
        same_number(of_torch(name, HYPS, REFS), score(spec))
    assert score("wer", [""], ["a b"]) == 2.0 and score("wer", ["a b"], ["a\tb"]) == 1.0
    theirs = of_torch("WordErrorRate", ["a b"], [""]), of_torch("CharErrorRate", ["a  b "], [" a b"])
    assert theirs[0] is None or math.isinf(float(theirs[0])) and float(theirs[1]) == 0.75
    assert score("cer", [" a b"], ["a  b "]) == pytest.approx(1 / 3)


@row("torchmetrics", "`MatchErrorRate()`")
@row("torchmetrics", "`WordInfoLost()`")
@row("torchmetrics", "`WordInfoPreserved()`")
def _():
    # Edits and lengths are small enough for an exact definition of what torchmetrics computes instead.
    edits = longest = 0
    for hyp, ref in zip(HYPS, REFS):
        parts = bleuprint.metric("error_rate").score([hyp.split()], [[ref.split()]])
        edits += parts.substitutions + parts.insertions + parts.deletions
        longest += max(len(hyp.split()), len(ref.split()))
    same_number(of_torch("MatchErrorRate", HYPS, REFS), edits / longest)
    assert abs(score("mer") - edits / longest) > 0.01
    for name, spec in (("WordInfoLost", "wil"), ("WordInfoPreserved", "wip")):
        theirs = of_torch(name, HYPS, REFS)
        assert theirs is None or abs(float(theirs) - score(spec)) > 0.01


@row("torchmetrics", '`EditDistance(reduction="sum")`')
def _():
    hyps = [list(hyp) for hyp in HYPS]
    parts = bleuprint.metric("error_rate").score(hyps, [[list(ref)] for ref in REFS])
    edits = parts.substitutions + parts.insertions + parts.deletions
    theirs = of_torch("EditDistance", HYPS, REFS, reduction="sum")
    assert theirs is None or edits <= float(theirs) < 1.05 * edits
    exact = of_torch("EditDistance", ["sitting", "rain"], ["kitten", "shine"], reduction="sum")
    assert exact is None or float(exact) == 6.0


@row("torchmetrics", "`ExtendedEditDistance()`")
def _():
    same_number(of_torch("ExtendedEditDistance", HYPS, BOTH), score("eed", BOTH))


@row("torchmetrics", "`Perplexity(ignore_index=-100)`")
def _():
    rows = [[-0.5, -2.25, -1.0], [-3.0, -0.25]]
    ours = bleuprint.metric("perplexity:per=token").score([{"loglik": one} for one in rows]).score
    assert ours == pytest.approx(math.exp(7.0 / 5))
    torch = library("torch")
    if torch and library("torchmetrics.text"):
        torch.manual_seed(1)
        logits, target = torch.randn(2, 7, 11), torch.randint(0, 11, (2, 7))
        target[0, 5:] = -100
        chosen = torch.log_softmax(logits.double(), -1)
        model = [{"loglik": [float(chosen[i, j, target[i, j]]) for j in range(7) if target[i, j] != -100]} for i in range(2)]
        theirs = float(of_torch("Perplexity", logits, target, ignore_index=-100))
        assert theirs == pytest.approx(bleuprint.metric("perplexity:per=token").score(model).score, rel=1e-5)


@row("torchmetrics", "`SQuAD()`")
def _():
    answers = [["cat", "dog"], ["y z"]]
    predictions = [{"prediction_text": text, "id": str(at)} for at, text in enumerate(("The Cat", "x y"))]
    targets = [{"answers": {"answer_start": [0], "text": own}, "id": str(at)} for at, own in enumerate(answers)]
    theirs = of_torch("SQuAD", predictions, targets)
    for key, spec, expected in (("exact_match", "squad_em", 50.0), ("f1", "squad_f1", 75.0)):
        assert score(spec, answers, ["The Cat", "x y"]) == expected
        assert theirs is None or float(theirs[key]) == expected


@row("torchmetrics", "`update`, `compute`, `reset`, `sync` over ranks")
def _():
    pytest.importorskip("numpy")
    from bleuprint.adapters.distributed import SummedMetric

    metric = SummedMetric("bleu")
    for at in range(0, len(HYPS), 7):
        metric.update(HYPS[at : at + 7], BOTH[at : at + 7])
    assert metric.compute().score == score("bleu", BOTH)
    metric.reset()
    metric.update(HYPS[:5], BOTH[:5])
    assert metric.compute().score == score("bleu", BOTH[:5], HYPS[:5])


@row("torchmetrics", "`MetricCollection`")
def _():
    both = bleuprint.Evaluation(["bleu", "chrf"]).score(HYPS, BOTH)
    assert both["bleu"].score == score("bleu", BOTH) and both["chrf"].score == score("chrf", BOTH)
