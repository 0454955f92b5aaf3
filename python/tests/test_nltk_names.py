"""`bleuprint.adapters.nltk` and NLTK itself, where it is installed: NLTK's doctests run with our functions, random tokens, and errors."""

import doctest
import importlib
import inspect
import random
import sys
import warnings
from pathlib import Path

import pytest

from bleuprint.adapters import nltk as ours

WORDNET = Path(__file__).resolve().parents[2] / "crates/testkit/data/meteor/wordnet"
MODULES = ["bleu_score", "gleu_score", "nist_score", "chrf_score", "ribes_score", "meteor_score"]
#: Names of NLTK's modules that are not scores, so their own functions run in the doctests.
NO_SCORES = {
    "Fraction", "brevity_penalty", "closest_ref_length", "modified_precision", "nist_length_penalty", "chrf_precision_recall_fscore_support",
    "find_increasing_sequences", "kendall_tau", "position_of_ngram", "spearman_rho", "word_rank_alignment", "align_words", "exact_match",
    "stem_match", "wordnetsyn_match",
}


def public(module):
    return {name for name, thing in vars(module).items() if not name.startswith("_") and getattr(thing, "__module__", "") == module.__name__}


@pytest.mark.parametrize("name", MODULES)
def test_the_doctests_of_nltk(name):
    module = pytest.importorskip(f"nltk.translate.{name}")
    scores = public(module) - NO_SCORES
    assert scores and scores <= set(ours.__all__)
    own = {score: getattr(ours, score) for score in scores}
    if name == "meteor_score":
        own = {score: lambda *sides, score=score: getattr(ours, score)(*sides, wordnet=None) for score in scores}
    tried = 0
    for score in sorted(public(module)):
        thing = getattr(module, score)
        for test in doctest.DocTestFinder().find(thing, score, module=module, globs={**vars(module), **own}):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE, verbose=False)
                runner.run(test, clear_globs=False)
            assert runner.failures == 0, score
            tried += runner.tries
    assert tried or name == "nist_score"


def sentences(generator, words="abcdefg", low=1, high=14, make=str):
    return [make(word) for word in generator.choices(words, k=generator.randint(low, high))]


def corpora(count, seed, **options):
    generator = random.Random(seed)
    for _ in range(count):
        size = generator.randint(1, 4)
        hypotheses = [sentences(generator, **options) for _ in range(size)]
        yield [[sentences(generator, **options) for _ in range(generator.randint(1, 3))] for _ in range(size)], hypotheses


def quiet(function, *arguments, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*arguments, **options)


@pytest.mark.parametrize("make", [str, str.encode, lambda word: (word, "N"), ord])
def test_bleu_of_random_tokens(make):
    theirs = pytest.importorskip("nltk.translate.bleu_score")
    four = (0.25,) * 4
    for references, hypotheses in corpora(12, 1, make=make):
        for weights in (four, (0.5, 0.5), (0.1, 0.3, 0.5, 0.1), (1 / 3,) * 3, (0, 0, 1), (1.0,), (0.4, 0.6, 0.0), [(0.5, 0.5), four]):
            for number in range(5):
                options = {"smoothing_function": getattr(theirs.SmoothingFunction(), f"method{number}")}
                own = {"smoothing_function": getattr(ours.SmoothingFunction(), f"method{number}")}
                for reweigh in (False, True):
                    expected = quiet(theirs.corpus_bleu, references, hypotheses, weights, auto_reweigh=reweigh, **options)
                    assert quiet(ours.corpus_bleu, references, hypotheses, weights, auto_reweigh=reweigh, **own) == expected
                    assert quiet(ours.corpus_bleu, references, hypotheses, weights, auto_reweigh=reweigh, **options) == expected


def test_smoothing_of_sentences():
    theirs = pytest.importorskip("nltk.translate.bleu_score")
    for references, hypotheses in corpora(120, 2, words="abcd", low=1):
        for number in range(8):
            method = f"method{number}"
            sides = (references[0], hypotheses[0])
            try:
                expected = quiet(theirs.sentence_bleu, *sides, smoothing_function=getattr(theirs.SmoothingFunction(), method))
            except AssertionError:
                # NLTK's method 6 needs bigrams; it is an error here too.
                with pytest.raises(ValueError):
                    quiet(ours.sentence_bleu, *sides, smoothing_function=getattr(ours.SmoothingFunction(), method))
                continue
            except (ZeroDivisionError, ValueError):
                continue
            assert quiet(ours.sentence_bleu, *sides, smoothing_function=getattr(ours.SmoothingFunction(), method)) == expected, method


def test_other_scores_of_random_tokens():
    gleu, nist, ribes = (pytest.importorskip(f"nltk.translate.{name}_score") for name in ("gleu", "nist", "ribes"))
    for references, hypotheses in corpora(150, 3):
        for low, high in ((1, 4), (2, 3), (1, 1)):
            assert ours.corpus_gleu(references, hypotheses, low, high) == gleu.corpus_gleu(references, hypotheses, low, high)
        assert ours.corpus_ribes(references, hypotheses) == pytest.approx(ribes.corpus_ribes(references, hypotheses), abs=1e-12)
        assert ours.sentence_ribes(references[0], hypotheses[0]) == ribes.sentence_ribes(references[0], hypotheses[0])
        for order in (1, 5):
            try:
                expected = nist.corpus_nist(references, hypotheses, order)
            except ZeroDivisionError:
                continue
            assert ours.corpus_nist(references, hypotheses, order) == pytest.approx(expected, abs=1e-12)


def test_chrf_of_random_texts():
    theirs = pytest.importorskip("nltk.translate.chrf_score")
    generator = random.Random(4)
    words = ["the", "cat", "on", "a", "mat", "of", "commands", "\u00e9t\u00e9"]
    for _ in range(150):
        pair = [sentences(generator, words, 0, 9) for _ in range(2)]
        for options in ({}, {"beta": 1.0}, {"min_len": 2, "max_len": 3}, {"max_len": 2}, {"ignore_whitespace": False}):
            expected = theirs.sentence_chrf(*pair, **options)
            assert ours.sentence_chrf(*pair, **options) == pytest.approx(expected, abs=1e-12), (pair, options)
            assert ours.sentence_chrf(*map(" ".join, pair), **options) == pytest.approx(expected, abs=1e-12)
    corpus = [[sentences(generator, words) for _ in range(9)] for _ in range(2)]
    assert ours.corpus_chrf(*corpus) == pytest.approx(theirs.corpus_chrf(*corpus), abs=1e-12)


def test_meteor_of_random_words():
    """Without WordNet in both, and with WordNet's files here."""
    theirs = pytest.importorskip("nltk.translate.meteor_score")

    class Nothing:
        def synsets(self, word):
            return []

    generator = random.Random(5)
    words = ["The", "foxes", "fox", "jumping", "jumped", "over", "dogs", "dog", "lazily", "Lazy", "it's"]
    for _ in range(150):
        references, hypothesis = [sentences(generator, words) for _ in range(2)], sentences(generator, words, 0)
        for options in ({}, {"alpha": 0.8, "beta": 2.0, "gamma": 0.4}):
            expected = theirs.meteor_score(references, hypothesis, wordnet=Nothing(), **options)
            assert ours.meteor_score(references, hypothesis, wordnet=None, **options) == expected
        assert ours.single_meteor_score(references[0], hypothesis, wordnet=None) == theirs.single_meteor_score(
            references[0], hypothesis, wordnet=Nothing()
        )

    class Reader:
        root = str(WORDNET)

    assert ours.meteor_score([["a"]], ["a"], wordnet=WORDNET) == ours.meteor_score([["a"]], ["a"], wordnet=Reader()) == 0.5


def test_wordnet_is_not_left_out_silently(monkeypatch):
    monkeypatch.setitem(sys.modules, "nltk", None)
    monkeypatch.setitem(sys.modules, "nltk.data", None)
    with pytest.raises(LookupError, match="not installed: give wordnet=FOLDER"):
        ours.meteor_score([["a"]], ["a"])


def test_warnings_of_orders_without_a_match():
    for call in (ours.sentence_bleu, lambda *sides: ours.corpus_bleu([sides[0]], [sides[1]], weights=[(0.25,) * 4])):
        with pytest.warns(UserWarning, match="order 2, 3, 4 matches") as caught:
            call([["a", "b", "c", "d", "e"]], ["a", "x", "b", "y"])
        assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ours.sentence_bleu([["a", "b"]], ["x", "y"])
        ours.sentence_bleu([list("abcde")], list("axby"), smoothing_function=ours.SmoothingFunction().method1)
        assert ours.sentence_bleu([list("abcde")], list("abcde")) == 1.0


def test_empty_data():
    assert ours.corpus_ribes([], []) == ours.corpus_gleu([], []) == 0.0
    assert ours.sentence_bleu([list("abc")], []) == ours.sentence_bleu([[]], list("abc")) == ours.sentence_bleu([[]], []) == 0.0
    assert ours.corpus_ribes([[["a"]]], [[]]) == ours.corpus_ribes([[]], [["a"]]) == 0.0 and ours.sentence_gleu([[]], ["a"]) == 0.0
    assert ours.meteor_score([["a"]], [], wordnet=None) == ours.meteor_score([[]], ["a"], wordnet=None) == 0.0
    for function in (ours.corpus_bleu, ours.corpus_nist, ours.corpus_chrf):
        with pytest.raises(ValueError):
            function([], [])


@pytest.mark.parametrize(
    ("function", "arguments", "error", "message"),
    [
        (ours.sentence_bleu, ([["a"]], "a b"), TypeError, r"hypotheses\[0\] is str, but must be a list of tokens; split it"),
        (ours.sentence_bleu, (["a b"], ["a"]), TypeError, r"list_of_references\[0\]\[0\] is str"),
        (ours.sentence_bleu, ("ab", ["a"]), TypeError, r"list_of_references\[0\] is str"),
        (ours.sentence_bleu, ([], ["a"]), ValueError, r"list_of_references\[0\] is empty"),
        (ours.corpus_ribes, ([[["a"]]], [["a"], ["b"]]), ValueError, "the number of reference sets is 1, but there are 2 hypotheses"),
        (ours.corpus_bleu, ([[["a"]]], [["a"]], []), ValueError, "weights is empty"),
        (ours.corpus_bleu, ([[["a"]]], [["a"]], (0.5, 0.6)), ValueError, "must be 1"),
        (ours.corpus_bleu, ([[["a"]]], [["a"]], (0.5, 0.5), len), TypeError, "must be a method of SmoothingFunction"),
        (ours.SmoothingFunction, (0.2,), ValueError, "epsilon=0.2"),
        (ours.SmoothingFunction().method1, ([1],), TypeError, "give it as smoothing_function"),
        (ours.sentence_ribes, ([["a"]], ["a"], 1.0), ValueError, "alpha=1.0"),
        (ours.sentence_chrf, ("a", "a", 3, 2), ValueError, "min_len is 3 and max_len is 2"),
        (ours.sentence_chrf, ([["a"]], "a"), TypeError, r"references\[0\]\[0\] is list"),
        (ours.corpus_chrf, (["a"], ["a", "b"]), ValueError, "the number of references is 1, but there are 2"),
        (ours.meteor_score, ([["a"]], ["a b"], str.lower, None, None), ValueError, "no white space"),
        (ours.meteor_score, ([["a"]], ["A"], str, None, None), ValueError, "words in lower case"),
        (ours.meteor_score, ([["a"]], ["a"], str.lower, object(), None), ValueError, "Porter stemmer only"),
        (ours.meteor_score, ([[1]], ["a"], str.lower, None, None), TypeError, r"references\[0\]\[0\] is int"),
        (ours.sentence_nist, ([["a"]], [["b"]]), TypeError, "which is no token"),
    ],
)
def test_what_is_refused(function, arguments, error, message):
    with pytest.raises(error, match=message):
        function(*arguments)


def test_the_names_of_nltk_are_here():
    translate = pytest.importorskip("nltk.translate")
    for short in ("bleu", "gleu", "nist", "ribes", "meteor"):
        assert getattr(ours, short).__name__ == getattr(translate, short).__name__
    for name in MODULES:
        module = importlib.import_module(f"nltk.translate.{name}")
        for score in public(module) - NO_SCORES:
            expected = list(inspect.signature(getattr(module, score)).parameters)
            assert list(inspect.signature(getattr(ours, score)).parameters) == expected, score


def test_scores_are_quiet_and_leave_the_filters_of_warnings_alone():
    pieces, four = ["a", "light@@", "house", "is", "here"], ["a", "lighthouse", "is", "here"]
    filters = list(warnings.filters)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ours.sentence_nist([["a", "b"]], ["a", "b"], n=1) >= 0 and ours.sentence_chrf(["x"], ["天"]) < 1e-9
        assert 0 < ours.sentence_gleu([four], pieces) < 1 and 0 < ours.meteor_score([four], pieces, wordnet=None) < 1
        inside = list(warnings.filters)
    # `catch_warnings` would swap the list of filters under other threads.
    assert inside[1:] == filters and list(warnings.filters) == filters
    assert "catch_warnings" not in "".join(path.read_text() for path in Path(ours.__file__).parent.glob("*.py"))
