"""Warnings of likely mistakes: every kind is heard at every interface, once, and correct data are quiet."""

import copy
import pickle
import subprocess
import sys
import unicodedata
import warnings

import bleuprint
import pytest
from bleuprint import tables
from bleuprint.adapters.distributed import SummedMetric
from bleuprint.adapters.evaluate import Evaluation
from bleuprint.adapters.trl import reward_function

HAN = ["今天天气很不错。"] * 3
PLAIN = [f"the cat sat on the mat {number}" for number in range(20)]


def decomposed(texts):
    return [unicodedata.normalize("NFD", text) for text in texts]


#: The metric, both sides, and the words of the warning.
MISTAKES = {
    "script": ("bleu", HAN, HAN, "Han, which has no spaces between words"),
    "emptied": ("rouge1", ["สวัสดีชาวโลก"] * 3, ["สวัสดีชาวโลก"] * 3, "leaves nothing of . texts with letters or digits"),
    "unicode": ("wer", decomposed(["tôi không biết"] * 12), ["tôi không biết"] * 12, "which no reference has: `norm=\"nfc\"`"),
    "apostrophes": ("bleu", ["it’s a dog now"] * 12, ["it's a dog now"] * 12, "`’` \\(U\\+2019\\).*ascii-punct"),
    "invisible": ("chrf", ["a d\u200bog ran"] * 12, ["a dog ran"] * 12, "the invisible U\\+200B.*visible"),
    "pieces": ("bleu", ["ein Haus@@ tier ist da"], ["ein Haus@@ tier ist da"], "subword pieces such as `Haus@@`"),
    "special": ("bleu", ["a b c d </s>"], ["a b c d"], "special tokens such as `</s>`.* none of the references"),
    "periods": ("bleu", ["a b c d ."] * 100, ["a b c d ."] * 100, "100 hypotheses end in a tokenized period"),
}

REFERENCES = {
    "tabs": (["a b c d"], ["a b c d\tb c d e"], "1 of 1 references have a tab"),
    "equal": (["a b c d"], [["a b c d", "a b c d"]], "reference 2 is equal to reference 1"),
    "words": (["the cat sat on it", "a dog ran"], ["the cat sat on a mat".split(), "a dog ran off".split()], "every reference is one word"),
}

CALLS = {
    "score": lambda metric, h, r: bleuprint.metric(metric).score(h, r),
    "sentences": lambda metric, h, r: bleuprint.metric(metric).sentences(h, r),
    "statistics": lambda metric, h, r: bleuprint.metric(metric).statistics(h, r),
    "accumulator": lambda metric, h, r: bleuprint.metric(metric).accumulator().update(h, r),
    "metrics": lambda metric, h, r: bleuprint.metrics(metric, "exact_match").score(h, r),
    "run": lambda metric, h, r: bleuprint.metrics(metric).run({"a": h, "b": h}, r),
    "compare": lambda metric, h, r: bleuprint.compare({"a": h, "b": h}, r, metric=metric, n=10),
    "rewards": lambda metric, h, r: bleuprint.rewards(h, r, metric=bleuprint.metric(metric)),
    "counts": lambda metric, h, r: tables.counts(metric, h, r),
    "state": lambda metric, h, r: tables.state(metric, h, r),
    "evaluate": lambda metric, h, r: Evaluation(metric).add_batch(predictions=h, references=r),
    "distributed": lambda metric, h, r: SummedMetric(metric).update(h, r),
    "trl": lambda metric, h, r: reward_function(metric, scale=-1.0)(completions=h, reference=r),
}

POOLS = {
    "pairwise": lambda metric, texts: bleuprint.pairwise(texts, texts, metric=metric),
    "mbr": lambda metric, texts: bleuprint.mbr(texts, metric=metric),
    "self_bleu": lambda metric, texts: bleuprint.self_bleu(texts, metric=metric),
}


def heard(call, *data):
    """Return the warnings of this package in a call."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call(*data)
    assert all(issubclass(one.category, bleuprint.BleuprintWarning) for one in caught)
    return [str(one.message) for one in caught]


@pytest.mark.parametrize("mistake", MISTAKES)
@pytest.mark.parametrize("call", CALLS)
def test_every_interface_warns_of_every_mistake_once(call, mistake):
    metric, hypotheses, references, words = MISTAKES[mistake]
    if call in ("counts", "distributed") and metric == "rouge1":
        pytest.skip("ROUGE has no row of counts")
    with pytest.warns(bleuprint.BleuprintWarning, match=words):
        CALLS[call](metric, hypotheses, references)
    messages = heard(CALLS[call], metric, hypotheses, references)
    assert len(messages) == len(set(messages))


@pytest.mark.parametrize("mistake", REFERENCES)
@pytest.mark.parametrize("call", CALLS)
def test_every_interface_looks_at_references(call, mistake):
    hypotheses, references, words = REFERENCES[mistake]
    with pytest.warns(bleuprint.BleuprintWarning, match=words):
        CALLS[call]("bleu", hypotheses, references)


@pytest.mark.parametrize("call", CALLS)
def test_plain_texts_are_quiet_at_every_interface(call):
    assert heard(CALLS[call], "bleu", PLAIN, PLAIN[::-1]) == []


@pytest.mark.parametrize("pool", POOLS)
def test_pools_warn(pool):
    with pytest.warns(bleuprint.BleuprintWarning, match="Han"):
        POOLS[pool]("bleu", HAN)
    with pytest.warns(bleuprint.BleuprintWarning, match="subword pieces"):
        POOLS[pool]("bleu", ["ein Haus@@ tier", "ein Haus@@ tor"])
    assert heard(POOLS[pool], "bleu", PLAIN[:4]) == []


def test_metrics_of_answers_have_references_of_one_word():
    hypotheses, references, _ = REFERENCES["words"]
    for metric in ("squad_f1", "exact_match", "anls"):
        messages = heard(bleuprint.metric(metric).score, hypotheses, references)
        assert not any("every reference" in message for message in messages)


def test_scores_of_0_that_say_nothing_are_explained():
    for call in (
        lambda: bleuprint.metric("bleu").score(["a b c"], ["a b c"]),
        lambda: bleuprint.metrics("bleu", "wer").score(["a b c"], ["a b c"]),
        lambda: bleuprint.metrics("bleu").run({"a": ["a b c"]}, ["a b c"]),
    ):
        with pytest.warns(bleuprint.BleuprintWarning, match="BLEU is 0 because no hypothesis has 4 tokens.*max_order=3"):
            call()
    for call in (
        lambda: bleuprint.metric("cider_d").score(["a cat"], ["a cat"]),
        lambda: bleuprint.metric("cider_d").sentences(["a cat"], ["a cat"]),
        lambda: bleuprint.metrics("cider_d").run({"a": ["a cat"] * 3}, ["a cat"] * 3),
    ):
        with pytest.warns(bleuprint.BleuprintWarning, match="CIDEr-D learned weights that are all 0, from . segment"):
            call()
    assert heard(bleuprint.metric("cider_d").score, ["a cat", "two dogs"], ["a cat", "two dogs"]) == []
    assert heard(bleuprint.metric("bleu").score, ["a b c d"], ["a b c x"]) == []


def test_error_rates_hear_of_case_and_of_empty_texts():
    messages = heard(bleuprint.metric("wer").score, ["hello you"] * 30, ["Hello, you."] * 30)
    assert len(messages) == 2 and "upper-case" in messages[0] and "punctuation" in messages[1]
    assert heard(bleuprint.metric("wer", norm="lower+punct").score, ["hello you"] * 30, ["Hello, you."] * 30) == []
    with pytest.warns(bleuprint.BleuprintWarning, match="1 reference is without words"):
        bleuprint.metric("wer").score(["a", "b"], ["a", ""])


def test_batches_are_one_run():
    accumulator = bleuprint.metric("bleu").accumulator()
    assert len(heard(accumulator.update, HAN, HAN)) == 1
    assert heard(accumulator.update, HAN, HAN) == []
    summed = SummedMetric("bleu")
    assert len(heard(summed.update, HAN, HAN)) == 1
    assert heard(summed.update, HAN, HAN) == []
    for copied in (copy.deepcopy(summed), pickle.loads(pickle.dumps(summed))):
        assert list(copied.row) == list(summed.row)
    # Texts with a sign may be spread over batches.
    accumulator = bleuprint.metric("bleu").accumulator()
    batches = [heard(accumulator.update, ["it’s so"], ["it's so"]) for _ in range(12)]
    assert [len(batch) for batch in batches] == [0] * 9 + [1, 0, 0]


def test_rewards_are_examined_in_the_first_batch():
    reward = reward_function("bleu")
    assert len(heard(lambda: reward(completions=HAN, reference=HAN))) == 1
    assert heard(lambda: reward(completions=HAN, reference=HAN)) == []
    # A name means one training run of a process, which other tests have begun here.
    code = "import bleuprint, sys; h = ['今天天气很不错。'] * 3; [bleuprint.rewards(h, h, metric='bleu') for _ in range(3)]"
    done = subprocess.run([sys.executable, "-W", "always", "-c", code], capture_output=True, text=True, encoding="utf-8", check=True)
    assert done.stderr.count("BleuprintWarning") == 1, done.stderr


def test_one_class_turns_all_warnings_off():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", bleuprint.BleuprintWarning)
        for metric, hypotheses, references, _ in MISTAKES.values():
            bleuprint.metric(metric).score(hypotheses, references)
    assert issubclass(bleuprint.BleuprintWarning, UserWarning)


def test_small_batches_warn_at_the_latest_with_the_score():
    accumulator, heard_at = bleuprint.metric("bleu").accumulator(), []
    for number in range(120):
        sides = ["a light@@ house"] if number >= 70 else ["a light house"], ["a light house"]
        heard_at += [number] * len(heard(accumulator.update, *sides))
    messages = heard(accumulator.compute)
    assert len(heard_at) + len(messages) == 1
    assert all(at >= 70 for at in heard_at) and heard(accumulator.compute) == []
