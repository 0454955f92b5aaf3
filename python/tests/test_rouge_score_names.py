"""`bleuprint.adapters.rouge_score` and rouge_score itself, where it is installed: scores, aggregates and errors."""

import random
import subprocess
import sys
import types

import pytest

from bleuprint.adapters import rouge_score as ours
from bleuprint.adapters.rouge_score import rouge_scorer, scoring, tokenize, tokenizers

TYPES = [f"rouge{order}" for order in range(1, 10)] + ["rougeL", "rougeLsum"]


def texts(count, seed=3):
    rng = random.Random(seed)
    pieces = ["the", "foxes", "jumped", "running", "cat", "Cat", "3", "a", "\u00e9t\u00e9", "it's", "\n", "\n\n", ".", "!", "sat", "mats", "-", "generalization"]
    return [" ".join(rng.choices(pieces, k=rng.randint(0, 25))) for _ in range(count)] + ["", "\n", "\u4f60\u597d", "..."]


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:
        return type(error)


@pytest.mark.filterwarnings("ignore:the tokenizer")
@pytest.mark.parametrize("stemmer", [False, True])
def test_scores_are_equal(stemmer):
    theirs = pytest.importorskip("rouge_score.rouge_scorer").RougeScorer(TYPES, use_stemmer=stemmer)
    mine = rouge_scorer.RougeScorer(TYPES, use_stemmer=stemmer)
    given = texts(120)
    for target, prediction in zip(given, given[1:] + given[:1]):
        assert mine.score(target, prediction) == theirs.score(target, prediction)
    for at in range(0, 100, 4):
        assert mine.score_multi(given[at : at + 3], given[at + 3]) == theirs.score_multi(given[at : at + 3], given[at + 3])


class Characters:
    def tokenize(self, text):
        return list(text)


class Bars:
    def tokenize(self, text):
        return [part.lower() for part in text.split(" ")]


@pytest.mark.parametrize("tokenizer", [Characters(), Bars()])
@pytest.mark.parametrize("split", [False, True])
def test_scores_of_other_tokenizers_are_equal(tokenizer, split, monkeypatch):
    theirs = pytest.importorskip("rouge_score.rouge_scorer")
    monkeypatch.setattr(theirs.nltk, "sent_tokenize", str.splitlines)
    kinds = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    mine = rouge_scorer.RougeScorer(kinds, split_summaries=str.splitlines if split else False, tokenizer=tokenizer)
    other = theirs.RougeScorer(kinds, split_summaries=split, tokenizer=tokenizer)
    given = texts(60, 5)
    for target, prediction in zip(given, given[1:]):
        assert mine.score(target, prediction) == other.score(target, prediction), (target, prediction)


def test_sentences_of_nltk(monkeypatch):
    """`split_summaries` asks NLTK, whose data may not be there; here it is a function of two sentences."""
    theirs = pytest.importorskip("rouge_score.rouge_scorer")
    nltk = pytest.importorskip("nltk")
    cut = lambda text: [one + "." for one in text.split(".") if one]
    monkeypatch.setattr(nltk, "sent_tokenize", cut)
    given = ["First sentence.\nSecond Sentence.", "Second sentence. First\nSentence.", "a. b. c d. e f", "e f. a b\nc. d", "."]
    scorers = [module.RougeScorer(["rouge1", "rougeL", "rougeLsum"], True, True) for module in (rouge_scorer, theirs)]
    for target in given:
        for prediction in given:
            mine, other = (scorer.score(target, prediction) for scorer in scorers)
            assert mine == other, (target, prediction)
    assert rouge_scorer.RougeScorer(["rougeLsum"], split_summaries=cut).score(*given[:2]) == theirs.RougeScorer(["rougeLsum"], False, True).score(*given[:2])


def test_sentences_need_nltk(monkeypatch):
    monkeypatch.setitem(sys.modules, "nltk", None)
    with pytest.raises(ImportError, match="NLTK, which is not installed"):
        rouge_scorer.RougeScorer(["rougeLsum"], split_summaries=True).score("a", "b")


def test_aggregates_are_those_of_rouge_score():
    numpy = pytest.importorskip("numpy")
    theirs = pytest.importorskip("rouge_score.scoring")
    rng = random.Random(9)
    for rows in (1, 2, 7, 60):
        for level in (0.0, 0.5, 0.95, 1.0):
            drawn = [[rng.random() for _ in range(6)] for _ in range(rows)]
            made = []
            for module in (scoring, theirs):
                aggregator = module.BootstrapAggregator(level, 200)
                for row in drawn:
                    aggregator.add_scores({"rouge1": module.Score(*row[:3]), "rougeL": module.Score(*row[3:])})
                numpy.random.seed(11)
                made.append(aggregator.aggregate())
            assert made[0] == made[1]
            assert type(made[0]["rouge1"].mid.fmeasure) is float and made[0]["rouge1"]._fields == made[1]["rouge1"]._fields
    assert scoring.BootstrapAggregator().aggregate() == {}
    for pair in ((1, 2), (0, 0), (0.25, 0.5)):
        assert scoring.fmeasure(*pair) == theirs.fmeasure(*pair)


def test_what_is_refused():
    for name in ("rougen", "rouge0", "rouge10", "rouge", "rougel", "rouge1a", "x", ""):
        with pytest.raises(ValueError, match="Invalid rouge type"):
            rouge_scorer.RougeScorer([name])
    with pytest.raises(ValueError, match="give a list of names"):
        rouge_scorer.RougeScorer("rouge1")
    scorer = rouge_scorer.RougeScorer(["rouge1"])
    for given, error in ((([], "a"), ValueError), (("abc", "a"), TypeError), (([None], "a"), TypeError), ((["a"], 3), TypeError)):
        with pytest.raises(error, match="targets|prediction"):
            scorer.score_multi(*given)
    for level in (-0.1, 1.1):
        with pytest.raises(ValueError, match="confidence_interval"):
            scoring.BootstrapAggregator(level)
    with pytest.raises(ValueError, match="n_samples"):
        scoring.BootstrapAggregator(n_samples=0)
    aggregator = scoring.BootstrapAggregator()
    aggregator.add_scores({"rouge1": scoring.Score(1, 1, 1)})
    with pytest.raises(ValueError, match="the scores of text 1 are of rougeL, but those before it are of rouge1"):
        aggregator.add_scores({"rougeL": scoring.Score(1, 1, 1)})
    with pytest.raises(TypeError, match="must be a Score"):
        aggregator.add_scores({"rouge1": 0.5})
    assert rouge_scorer.RougeScorer([]).score("a", "a") == {}
    with pytest.raises(TypeError):
        tokenizers.Tokenizer()


def test_tokens_are_equal():
    theirs = pytest.importorskip("rouge_score.tokenize")
    default = pytest.importorskip("rouge_score.tokenizers").DefaultTokenizer
    stem = types.SimpleNamespace(stem=lambda token: token[:3])
    for text in texts(80, 8):
        assert tokenize.tokenize(text, None) == theirs.tokenize(text, None)
        assert tokenize.tokenize(text, stem) == theirs.tokenize(text, stem)
        for use in (False, True):
            assert tokenizers.DefaultTokenizer(use).tokenize(text) == default(use).tokenize(text)


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


def test_install_gives_this_package_to_other_libraries():
    code = '''
import bleuprint.adapters.rouge_score as ours
ours.install()
from rouge_score import rouge_scorer, scoring
from rouge_score.tokenizers import DefaultTokenizer
import rouge_score.tokenize
assert rouge_scorer is ours.rouge_scorer and scoring is ours.scoring
print(rouge_scorer.RougeScorer(["rouge1"], tokenizer=DefaultTokenizer()).score("a b", "a"))
'''
    assert run(code).stdout == "{'rouge1': Score(precision=1.0, recall=0.5, fmeasure=0.6666666666666666)}\n", run(code).stderr
    assert ours.install.__doc__
