"""The rows of `docs/from-rouge-score.md`."""

import subprocess
import sys

import pytest
import bleuprint

from .common import BOTH, HYPS, library, REFS, row, score


def scorers(names, **options):
    from bleuprint.adapters.rouge_score import rouge_scorer

    theirs = library("rouge_score.rouge_scorer")
    made = [rouge_scorer.RougeScorer(names, **options)]
    return made + ([theirs.RougeScorer(names, **options)] if theirs else [])


@row("rouge-score", "`from rouge_score import rouge_scorer, scoring`")
def _():
    code = "import bleuprint.adapters.rouge_score as ours; ours.install(); from rouge_score import rouge_scorer, scoring; print(scoring is ours.scoring)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "True\n"


@row("rouge-score", '`RougeScorer(["rouge1", "rougeL"]).score(target, prediction)`')
@row("rouge-score", "`.fmeasure`, `.precision`, `.recall`")
def _():
    for scorer in scorers(["rouge1", "rougeL"]):
        for name in ("rouge1", "rougeL"):
            for hyp, ref, one in zip(HYPS, REFS, bleuprint.metric(name).sentences(HYPS, REFS)):
                theirs = scorer.score(ref, hyp)[name]
                assert (theirs.fmeasure, theirs.precision, theirs.recall) == (one.score, one.precision, one.recall)


@row("rouge-score", "`use_stemmer=True`")
def _():
    for scorer in scorers(["rouge1"], use_stemmer=True):
        own = bleuprint.metric("rouge1:stemmer").sentences(HYPS, REFS)
        assert [scorer.score(ref, hyp)["rouge1"].fmeasure for hyp, ref in zip(HYPS, REFS)] == [one.score for one in own]


@row("rouge-score", "`score_multi(targets, prediction)`")
def _():
    for scorer in scorers(["rouge2"]):
        own = bleuprint.metric("rouge2").sentences(HYPS, BOTH)
        assert [scorer.score_multi(refs, hyp)["rouge2"].fmeasure for hyp, refs in zip(HYPS, BOTH)] == [one.score for one in own]


@row("rouge-score", "`rougeLsum`")
def _():
    texts = ["\n".join(HYPS[at : at + 3]) for at in range(0, 30, 3)]
    others = ["\n".join(REFS[at : at + 3]) for at in range(0, 30, 3)]
    for scorer in scorers(["rougeLsum"]):
        own = bleuprint.metric("rougeLsum").sentences(texts, others)
        assert [scorer.score(ref, hyp)["rougeLsum"].fmeasure for hyp, ref in zip(texts, others)] == [one.score for one in own]


@row("rouge-score", "`split_summaries=True`")
def _():
    from bleuprint.adapters.rouge_score import rouge_scorer

    cut = lambda text: text.split(". ")
    one = rouge_scorer.RougeScorer(["rougeLsum"], split_summaries=cut).score("a b. c d", "c d. a b")
    assert one == rouge_scorer.RougeScorer(["rougeLsum"]).score("a b\nc d", "c d\na b")
    # `test_rouge_score_names.py` compares with rouge_score over the same sentences.


@row("rouge-score", "`tokenizer=`")
def _():
    class Words:
        def tokenize(self, text):
            return text.split()

    for scorer in scorers(["rouge1"], tokenizer=Words()):
        own = bleuprint.metric("rouge1", tokenize=str.split).sentences(HYPS, REFS)
        assert [scorer.score(ref, hyp)["rouge1"].fmeasure for hyp, ref in zip(HYPS, REFS)] == [one.score for one in own]


@row("rouge-score", "`BootstrapAggregator`")
def _():
    numpy = pytest.importorskip("numpy")
    from bleuprint.adapters.rouge_score import scoring

    rows = [scorers(["rouge1"])[0].score(ref, hyp) for hyp, ref in zip(HYPS, REFS)]
    made = []
    for module in filter(None, (scoring, library("rouge_score.scoring"))):
        aggregator = module.BootstrapAggregator()
        for one in rows:
            aggregator.add_scores(one)
        numpy.random.seed(3)
        made.append(aggregator.aggregate()["rouge1"])
    assert all(one == made[0] for one in made)
    assert made[0].low.fmeasure < score("rouge1") < made[0].high.fmeasure and made[0].mid.fmeasure == pytest.approx(score("rouge1"), abs=0.01)
