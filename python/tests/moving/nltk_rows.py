"""The rows of `docs/from-nltk.md`."""

import random

import pytest
import bleuprint

from .common import BOTH, HYPS, library, REFS, ROOT, row, score


TOKENS = [text.split() for text in HYPS]
OTHERS = [[text.split() for text in pair] for pair in BOTH]


def of_nltk(module, name):
    """The function of the adapter, and NLTK's where it is installed."""
    from bleuprint.adapters import nltk as ours

    theirs = library(f"nltk.translate.{module}_score")
    return [getattr(ours, name)] + ([getattr(theirs, name)] if theirs else [])


def smoothing(module, method):
    from bleuprint.adapters import nltk as ours

    return getattr((ours if module == "ours" else library("nltk.translate.bleu_score")).SmoothingFunction(), method)


@row("nltk", "`corpus_bleu`, `sentence_bleu`")
def _():
    for function in of_nltk("bleu", "corpus_bleu"):
        assert function(OTHERS, TOKENS) == score("bleu:dialect=nltk", OTHERS, TOKENS)
    for function in of_nltk("bleu", "sentence_bleu"):
        assert function(OTHERS[3], TOKENS[3]) == bleuprint.metric("bleu:dialect=nltk").score(TOKENS[3:4], OTHERS[3:4]).score


@row("nltk", "`SmoothingFunction().method1` .. `method7`")
def _():
    for at, function in enumerate(of_nltk("bleu", "sentence_bleu")):
        for method in ("method1", "method2", "method3", "method4", "method5", "method7"):
            own = bleuprint.metric(f"bleu:dialect=nltk:{method}").score(TOKENS[3:4], OTHERS[3:4]).score
            assert function(OTHERS[3], TOKENS[3], smoothing_function=smoothing(("ours", "theirs")[at], method)) == own, method


@row("nltk", "`auto_reweigh=True`")
def _():
    for function in of_nltk("bleu", "sentence_bleu"):
        own = bleuprint.metric("bleu:dialect=nltk:auto-reweigh").score([["a", "b"]], [[["a", "b", "c"]]]).score
        assert function([["a", "b", "c"]], ["a", "b"], auto_reweigh=True) == own > 0.5


@row("nltk", "`weights=(0.1, 0.3, 0.5, 0.1)`")
def _():
    for function in of_nltk("bleu", "corpus_bleu"):
        assert function(OTHERS, TOKENS, (0.1, 0.3, 0.5, 0.1)) == score("bleu:dialect=nltk,weights=0.1/0.3/0.5/0.1", OTHERS, TOKENS)


@row("nltk", "`corpus_gleu`, `sentence_gleu`")
def _():
    for function in of_nltk("gleu", "corpus_gleu"):
        assert function(OTHERS, TOKENS) == score("gleu:ties=first", OTHERS, TOKENS)


@row("nltk", "`corpus_nist`, `sentence_nist`")
def _():
    for function in of_nltk("nist", "corpus_nist"):
        assert function(OTHERS, TOKENS) == pytest.approx(score("nist:dialect=nltk", OTHERS, TOKENS), abs=1e-12)


@row("nltk", "`sentence_chrf`")
def _():
    for function in of_nltk("chrf", "sentence_chrf"):
        for hyp, ref in zip(HYPS[:10], REFS):
            assert function(ref, hyp) == pytest.approx(score("chrf:beta=3,eps-smoothing", [ref], [hyp]) / 100, abs=1e-12)


@row("nltk", "`corpus_chrf`")
def _():
    for function in of_nltk("chrf", "corpus_chrf"):
        each = bleuprint.metric("chrf:beta=3,eps-smoothing").sentences(HYPS, REFS)
        assert function(REFS, HYPS) == pytest.approx(sum(one.score for one in each) / 100 / len(each), abs=1e-12)


@row("nltk", "`sentence_ribes`")
def _():
    for function in of_nltk("ribes", "sentence_ribes"):
        assert function(OTHERS[2], TOKENS[2]) == score("ribes", OTHERS[2:3], TOKENS[2:3])


@row("nltk", "`corpus_ribes`")
def _():
    for function in of_nltk("ribes", "corpus_ribes"):
        assert function(OTHERS, TOKENS) == pytest.approx(score("ribes", OTHERS, TOKENS), abs=1e-12)


@row("nltk", "`meteor_score`, `single_meteor_score`")
def _():
    folder = ROOT / "crates/testkit/data/meteor/wordnet"

    class Nothing:
        def synsets(self, word):
            return []

    for at, function in enumerate(of_nltk("meteor", "meteor_score")):
        expected = bleuprint.metric("meteor", tokenize="none").score(HYPS[2:3], BOTH[2:3]).score
        assert function(OTHERS[2], TOKENS[2], wordnet=Nothing() if at else None) == expected
    own = of_nltk("meteor", "meteor_score")[0](OTHERS[2], TOKENS[2], wordnet=folder)
    assert own == bleuprint.metric("meteor", wordnet=str(folder), tokenize="none").score(HYPS[2:3], BOTH[2:3]).score


@row("nltk", "`edit_distance`")
def _():
    distance = library("nltk.metrics.distance")
    for hyp, ref in zip(HYPS[:10], REFS):
        parts = bleuprint.metric("error_rate").score([list(hyp)], [[list(ref)]])
        edits = parts.substitutions + parts.insertions + parts.deletions
        assert 0 < edits <= max(len(hyp), len(ref))
        if distance:
            assert edits == distance.edit_distance(ref, hyp)


def random_words(count):
    rng = random.Random(5)
    return [("".join(rng.choices("abcd\u00e9 x", k=rng.randint(1, 9))), "".join(rng.choices("abcd\u00e9 x", k=rng.randint(1, 9)))) for _ in range(count)]


@row("nltk", "`jaro_similarity`")
@row("nltk", "`jaro_winkler_similarity`")
def _():
    distance = library("nltk.metrics.distance")
    assert score("jaro", ["abc"], ["abc"]) == score("jaro_winkler", ["abc"], ["abc"]) == 1.0
    above = 0
    for one, other in random_words(300) if distance else []:
        jaro = distance.jaro_similarity(one, other)
        assert score("jaro", [one], [other]) == pytest.approx(jaro, abs=1e-12)
        if jaro > 0.7:
            above += 1
            assert score("jaro_winkler", [one], [other]) == pytest.approx(distance.jaro_winkler_similarity(one, other), abs=1e-12)
        else:
            assert score("jaro_winkler", [one], [other]) == pytest.approx(jaro, abs=1e-12)
    assert above or not distance


@row("nltk", "`corpus_lepor`, `sentence_lepor`")
def _():
    assert not any("lepor" in entry["name"] for entry in bleuprint.list_metrics())
