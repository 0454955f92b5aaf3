"""Tokens of any hashable type, and tokenizers in Python: equality is Python's; metrics that keep tokens are refused."""

import collections
import pickle
import random

import pytest

import bleuprint

TOKENS = [["a", "b", "c", "d"], ["e", "f", "g", "h", "i"]]
OTHERS = [["a", "b", "c", "x"], ["e", "f", "y", "h", "i"]]
IDS = [[1, 2, 3, 4], [5, 6, 7, 8, 9]]
OTHER_IDS = [[1, 2, 3, 10], [5, 6, 11, 8, 9]]


def mapped(sequences, make):
    return [[make(token) for token in sequence] for sequence in sequences]


class Word:
    def __init__(self, text):
        self.text = text

    def __eq__(self, other):
        return self.text == other.text

    def __hash__(self):
        return hash(self.text)


@pytest.mark.parametrize("make", [str, str.encode, lambda token: (token, "N"), Word, frozenset])
@pytest.mark.parametrize("name", ["bleu", "bleu:max-order=2", "rougeL", "wer", "error_rate"])
def test_any_hashable_token_counts_as_ids_do(name, make):
    metric = bleuprint.metric(name)
    hyp, ref = mapped(TOKENS, make), mapped(OTHERS, make)
    whole = metric.score(IDS, OTHER_IDS)
    for score in (metric.score(hyp, ref), metric.score(hyp, [[one] for one in ref]), metric.score(hyp, reference_streams=[ref])):
        assert score.score == whole.score
        assert "custom" in score.signature
    assert [one.score for one in metric.sentences(hyp, ref)] == [one.score for one in metric.sentences(IDS, OTHER_IDS)]
    assert metric.statistics(hyp, ref).score().score == whole.score


def test_random_tokens_against_a_naive_twin():
    generator = random.Random(1)
    alphabet = ["a", b"a", 1, ("a", 1), None, 2.5, frozenset("a"), "", -7]
    for _ in range(200):
        hyp, one, two = ([generator.choice(alphabet) for _ in range(generator.randrange(1, 9))] for _ in range(3))
        hyp[0] = "first"
        found = bleuprint.metric("bleu", max_order=2).score([hyp], [[one, two]]).counts
        for order in (1, 2):
            grams = [collections.Counter(zip(*(each[at:] for at in range(order)))) for each in (hyp, one, two)]
            assert found[order - 1] == sum((grams[0] & (grams[1] | grams[2])).values())


def test_equality_is_that_of_python():
    assert bleuprint.metric("bleu", max_order=1).score([["x", 1, True]], [["y", 1.0, 1]]).counts == [2]
    assert bleuprint.metric("bleu", max_order=1).score([[("a", "N")]], [[("a", "V")]]).counts == [0]


def test_the_way_nltk_is_called():
    """Over any tokens: corpora and sentences, several references, weights, and its other metrics of tokens."""
    bleu = pytest.importorskip("nltk.translate.bleu_score")
    gleu = pytest.importorskip("nltk.translate.gleu_score")
    distance = pytest.importorskip("nltk.metrics.distance").edit_distance
    generator = random.Random(3)
    for make in (str, str.encode, lambda token: (token, "N"), Word):
        hyp = mapped([generator.choices("abc", k=generator.randrange(8, 20)) for _ in range(6)], make)
        refs = [mapped([generator.choices("abc", k=generator.randrange(8, 20)) for _ in range(2)], make) for _ in hyp]
        whole = bleuprint.metric("bleu", smooth_method="none").score(hyp, refs).score
        assert whole > 0 and whole == pytest.approx(100 * bleu.corpus_bleu(refs, hyp))
        two = bleuprint.metric("bleu", max_order=2, smooth_method="none").sentences(hyp, refs)
        for one, hypothesis, references in zip(two, hyp, refs):
            assert one.score == pytest.approx(100 * bleu.sentence_bleu(references, hypothesis, weights=(0.5, 0.5)))
        assert bleuprint.metric("gleu").score(hyp, refs).score == pytest.approx(gleu.corpus_gleu(refs, hyp))
        first = [references[0] for references in refs]
        edits = sum(distance(one, other) for one, other in zip(first, hyp))
        assert bleuprint.metric("wer").score(hyp, first).score == pytest.approx(edits / sum(map(len, first)))


def test_batches_merge_though_their_ids_differ():
    bleu = bleuprint.metric("bleu")
    both = bleu.accumulator()
    both.update(TOKENS[:1], OTHERS[:1])
    batch = both.update(TOKENS[1:], OTHERS[1:])
    assert both.compute() == bleu.score(TOKENS, OTHERS)
    again = pickle.loads(pickle.dumps(both))
    again.retract(batch)
    assert again.compute() == bleu.score(TOKENS[:1], OTHERS[:1])
    empty = bleu.accumulator()
    empty.merge(both)
    assert empty.compute() == both.compute()
    for other in (["a b"], ["a b"]), (IDS, OTHER_IDS):
        with pytest.raises(ValueError, match="unlike states: they differ in tok"):
            both.update(*other)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (([["a", ["b"]]], [["a"]]), r"hypotheses\[0\]\[1\] is list, which is no token"),
        (([["a"], "b"], [["a"], ["b"]]), r"hypotheses\[1\] is str, but must be a list of tokens"),
        (([["a"]], ["a"]), r"references\[0\] is str, but must be a list of tokens"),
        (([["a"], ["b"]], [[["a"]], ["b"]]), r"references\[1\] is one reference, but those before it are lists"),
        (([["a"]], [[("a", "b"), ("a",)]]), r"references\[0\]\[0\] is a tuple, which is a token"),
        (([[None]], [["a"]]), r"hypotheses\[0\]\[0\] is "),
        (([[1.5]], [["a"]]), r"hypotheses\[0\]\[0\] is float"),
    ],
)
def test_what_is_no_token(given, message):
    with pytest.raises(TypeError, match=message):
        bleuprint.metric("bleu").score(*given)


def test_empty_sequences():
    bleu = bleuprint.metric("bleu")
    assert bleu.score([[], ["a"]], [["a"], ["a"]]).counts == bleu.score([[], [1]], [[1], [1]]).counts
    assert bleu.score([[]], [["a"]]).score == 0.0
    kept = bleuprint.metric("bleu", empty_references="keep")
    assert kept.score([["a"], []], [[["a"], []], [["b"]]]).counts == [1, 0, 0, 0]


def test_a_function_as_tokenizer():
    metric = bleuprint.metric("bleu", tokenize=str.split)
    texts, others = ["a b c d", "e f g"], [["a b c d", "a b"], ["e f x"]]
    whole = bleuprint.metric("bleu", tokenize="none").score(texts, others)
    assert metric.score(texts, others).counts == whole.counts
    assert "tok:custom" in metric.signature and "tok:custom" in metric.score(texts, others).signature
    assert "tok:spaces" in bleuprint.metric("bleu", tokenize=str.split, token_space="spaces").signature
    assert pickle.loads(pickle.dumps(metric)).score(texts, others) == metric.score(texts, others)
    assert metric.accumulator().update(texts, others).compute() == metric.score(texts, others)
    with pytest.raises(TypeError, match=r"hypotheses\[0\]\[0\] is int, but must be a str"):
        metric.score([[1]], ["a"])


def test_a_tokenizer_of_the_library_tokenizers():
    tokenizers = pytest.importorskip("tokenizers")
    model = tokenizers.models.WordLevel({"a": 0, "b": 1, "c": 2, "?": 3}, unk_token="?")
    own = tokenizers.Tokenizer(model)
    own.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    metric = bleuprint.metric("bleu", max_order=2, tokenize=own)
    assert metric.score(["a b c"], ["a b d"]).counts == [2, 1]
    assert "tok:hf:" in metric.signature


@pytest.mark.parametrize("name", ["nist", "nist:dialect=mteval", "meteor", "distinct", "cider_d"])
def test_metrics_that_keep_tokens_take_words(name):
    """Lists of words are the text that is cut at spaces, so states of several calls merge."""
    metric, cut = bleuprint.metric(name), bleuprint.metric(name, tokenize="none")
    texts, others = ["the cats sat on a mat", "a dog ran"], [["the cat sat on the mat", "cats sit"], ["a dog ran off", ""]]
    words = lambda text: text.split()
    hyp, refs = [words(text) for text in texts], [[words(text) for text in own if text] for own in others]
    others = [[text for text in own if text] for own in others]
    assert metric.score(hyp, refs) == cut.score(texts, others)
    assert metric.sentences(hyp, refs) == cut.sentences(texts, others)
    if metric.info()["two_passes"]:
        assert cut.learn(others).score(hyp, refs) == cut.learn(others).score(texts, others)
        with pytest.raises(ValueError, match="learned from the tokens of a tokenizer"):
            metric.learn(others).score(hyp, refs)
    else:
        both, text = metric.accumulator(), cut.accumulator()
        both.update(hyp[:1], refs[:1])
        both = pickle.loads(pickle.dumps(both))
        text.update(texts[1:], others[1:])
        both.merge(text)
        assert both.compute() == cut.score(texts, others)
    for token in ("a b", "", ("a", "N"), b"a", "a\u00a0b"):
        with pytest.raises(ValueError, match="which must be words"):
            metric.score([["x", token]], [[["a"]]])
    separator = "," if ":" in name else ":"
    for other in (bleuprint.metric(name, tokenize="zh"), bleuprint.metric(f"{name}{separator}tokenize=zh")):
        with pytest.raises(ValueError, match="the tokenizer has no effect"):
            other.score(hyp, refs)
    for refused in (lambda: bleuprint.metric(name, tokenize=str.split), lambda: bleuprint.metrics(name, "bleu").score(hyp, refs)):
        with pytest.raises(ValueError, match="remembers tokens"):
            refused()
