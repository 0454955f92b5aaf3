"""The rows of `docs/from-evaluate.md`."""

import inspect
import math
import os
import subprocess
import sys
import warnings

import pytest
import bleuprint

from .common import BOTH, HYPS, library, REFS, row, score


def of_evaluate(name, documented, **data):
    """evaluate's number: computed if a checkout is there, else that of its documentation."""
    checkout, evaluate = os.environ.get("EVALUATE"), library("evaluate")
    if not checkout or evaluate is None:
        return documented
    os.environ["HF_ALLOW_CODE_EVAL"] = "1"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return evaluate.load(os.path.join(checkout, "metrics", name)).compute(**data)
        except (ImportError, LookupError, OSError):
            # Some of its metrics need a server, data of NLTK, or more packages.
            return documented


GUIDE = "It is a guide to action which ensures that the military always obeys the commands of the party"
GUIDES = [
    "It is a guide to action that ensures that the military will forever heed Party commands",
    "It is the guiding principle which guarantees the military forces always being under the command of the Party",
    "It is the practical guide for the army always to heed the directions of the party",
]
SAUDI = "this week the saudis denied information published in the new york times"
ARABIA = "saudi arabia denied this week information published in the american new york times"


def peers_of_evaluate(spec, name, key, documented, references, predictions, scale=1.0):
    data = {"predictions": predictions, "references": references}
    theirs = of_evaluate(name, {key: documented}, **data)[key]
    assert theirs == pytest.approx(documented, abs=1e-9)
    assert score(spec, references, predictions) / scale == pytest.approx(documented, abs=1e-9)


@row("evaluate", '`evaluate.load("sacrebleu")`')
def _():
    predictions = ["hello there general kenobi", "foo bar foobar"]
    references = [["hello there general kenobi", "hello there !"], ["foo bar foobar", "foo bar foobar"]]
    peers_of_evaluate("bleu", "sacrebleu", "score", 100.00000000000004, references, predictions)


@row("evaluate", '`evaluate.load("bleu")`')
def _():
    references = [["hello there general kenobi", "hello there !"], ["foo bar foobar"]]
    peers_of_evaluate("bleu:dialect=hf", "bleu", "bleu", 1.0, references, ["hello there general kenobi", "foo bar foobar"])


@row("evaluate", '`evaluate.load("google_bleu")`')
def _():
    one = "It is a guide to action which ensures that the rubber duck always disobeys the commands of the cat"
    other = "It is the guiding principle which guarantees the rubber duck forces never being under the command of the cat"
    theirs = of_evaluate("google_bleu", {"google_bleu": None}, predictions=[one], references=[[other]])["google_bleu"]
    assert 0 < score("gleu", [other], [one]) < 1
    assert theirs is None or theirs == score("gleu", [other], [one])


@row("evaluate", '`evaluate.load("chrf")`, `evaluate.load("chrf", word_order=2)`')
@row("evaluate", '`evaluate.load("ter")`')
def _():
    for name, options, spec in (("chrf", {}, "chrf"), ("chrf", {"word_order": 2}, "chrf++"), ("ter", {"case_sensitive": False}, "ter")):
        theirs = of_evaluate(name, None, predictions=HYPS, references=BOTH, **options)
        assert score(spec, BOTH) > 0
        assert theirs is None or theirs["score"] == pytest.approx(score(spec, BOTH), abs=1e-12)


@row("evaluate", '`evaluate.load("nist_mt")`')
def _():
    peers_of_evaluate("nist:dialect=nltk", "nist_mt", "nist_mt", 3.3709935957649324, [GUIDES], [GUIDE])


@row("evaluate", '`evaluate.load("rouge")`')
def _():
    from bleuprint.adapters.evaluate import Rouge

    ours = Rouge().compute(predictions=HYPS, references=REFS, use_aggregator=False)
    theirs = of_evaluate("rouge", None, predictions=HYPS, references=REFS, use_aggregator=False)
    assert theirs is None or ours == {name: list(map(float, rows)) for name, rows in theirs.items()}
    assert list(ours) == ["rouge1", "rouge2", "rougeL", "rougeLsum"]


@row("evaluate", '`evaluate.load("wer")`, `cer`')
def _():
    predictions, references = ["this is the prediction", "there is an other sample"], ["this is the reference", "there is another one"]
    data = {"predictions": predictions, "references": references}
    for name, documented in (("wer", 0.5), ("cer", 0.34146341463414637)):
        assert of_evaluate(name, documented, **data) == score(name, references, predictions) == documented


@row("evaluate", '`evaluate.load("character")`')
def _():
    peers_of_evaluate("character", "character", "cer_score", 0.36619718309859156, [ARABIA], [SAUDI])


@row("evaluate", '`evaluate.load("meteor")`')
def _():
    # Only equal words and stems match in this example, with or without synonyms.
    assert round(score("meteor", [GUIDES[0]], [GUIDE]), 4) == 0.6944


@row("evaluate", '`evaluate.load("sari")`')
def _():
    from bleuprint.adapters.evaluate import Evaluation

    data = {
        "sources": ["About 95 species are currently accepted ."],
        "predictions": ["About 95 you now get in ."],
        "references": [["About 95 species are currently known .", "About 95 species are now accepted .", "95 species are now accepted ."]],
    }
    ours = bleuprint.metric("sari").score(data["predictions"], data["references"], sources=data["sources"]).score
    assert of_evaluate("sari", {"sari": 26.953601953601954}, **data)["sari"] == pytest.approx(ours, abs=1e-12)
    if "sources" in inspect.signature(Evaluation.compute).parameters:
        assert Evaluation("sari").compute(**data)["score"] == ours


@row("evaluate", '`evaluate.load("squad")`')
def _():
    data = {
        "predictions": [{"prediction_text": "The Cat", "id": "a"}, {"prediction_text": "x y", "id": "b"}],
        "references": [{"answers": {"answer_start": [0, 0], "text": ["cat", "dog"]}, "id": "a"}, {"answers": {"answer_start": [0], "text": ["y z"]}, "id": "b"}],
    }
    theirs = of_evaluate("squad", {"exact_match": 50.0, "f1": 75.0}, **data)
    assert theirs == {"exact_match": 50.0, "f1": 75.0}
    given = [["cat", "dog"], ["y z"]], ["The Cat", "x y"]
    assert (score("squad_em", *given), score("squad_f1", *given)) == (50.0, 75.0)


@row("evaluate", '`evaluate.load("squad_v2")`')
def _():
    answer = lambda text, at: {"prediction_text": text, "id": at, "no_answer_probability": 0.0}
    wanted = lambda texts, at: {"answers": {"answer_start": [0] * len(texts), "text": texts}, "id": at}
    data = {"predictions": [answer("1976", "a"), answer("", "b"), answer("x y", "c")], "references": [wanted(["1976"], "a"), wanted([], "b"), wanted(["y z"], "c")]}
    theirs = of_evaluate("squad_v2", {"exact": 66.66666666666667, "f1": 83.33333333333333}, **data)
    ours = bleuprint.metric("squad2").score(["1976", "", "x y"], [["1976"], [""], ["y z"]])
    assert theirs["f1"] == pytest.approx(ours.score) == 83.33333333333333 and theirs["exact"] == pytest.approx(66.66666666666667)


@row("evaluate", '`evaluate.load("exact_match")`')
def _():
    peers_of_evaluate("exact_match", "exact_match", "exact_match", 0.25, ["the cat", "theater", "YELLING", "agent007"], ["cat?", "theater", "yelling", "agent"], 100.0)


@row("evaluate", '`evaluate.load("code_eval")`')
def _():
    # Its documentation has two candidates, of which one is right.
    for k, documented in ((1, 0.5), (2, 1.0)):
        assert bleuprint.metric("pass", k=k).score([{"n": 2, "c": 1}]).score == documented


@row("evaluate", '`evaluate.load("perplexity")`')
def _():
    model = [{"loglik": [-1.0, -2.0]}, {"loglik": [-0.5]}]
    assert bleuprint.metric("mean_perplexity").score(model).score == pytest.approx((math.exp(1.5) + math.exp(0.5)) / 2)


@row("evaluate", '`evaluate.load("accuracy")`')
def _():
    peers_of_evaluate("labels:score=accuracy", "accuracy", "accuracy", 0.5, [0, 1, 2, 0, 1, 2], [0, 1, 1, 2, 1, 0])


@row("evaluate", '`evaluate.load("f1")`, `precision`, `recall`')
def _():
    predictions, references = [0, 2, 1, 0, 0, 1], [0, 1, 2, 0, 1, 2]
    data = {"predictions": predictions, "references": references, "average": "macro", "zero_division": 0}
    for name, documented in (("f1", 0.26666666666666666), ("precision", 0.2222222222222222), ("recall", 0.3333333333333333)):
        given = {key: value for key, value in data.items() if name != "f1" or key != "zero_division"}
        theirs = of_evaluate(name, {name: documented}, **given)[name]
        assert theirs == pytest.approx(score(f"labels:average=macro,score={name[:1] if name == 'f1' else name}", references, predictions)) == pytest.approx(documented)


@row("evaluate", '`evaluate.load("matthews_correlation")`')
def _():
    predictions, references = [1, 2, 2, 0, 3, 3], [1, 3, 2, 0, 3, 2]
    theirs = of_evaluate("matthews_correlation", {"matthews_correlation": 0.54}, predictions=predictions, references=references)
    assert round(score("labels:score=mcc", references, predictions), 2) == round(theirs["matthews_correlation"], 2) == 0.54


@row("evaluate", '`evaluate.load("seqeval")`')
def _():
    predictions = [["O", "O", "B-MISC", "I-MISC", "I-MISC", "I-MISC", "O"], ["B-PER", "I-PER", "O"]]
    references = [["O", "O", "O", "B-MISC", "I-MISC", "I-MISC", "O"], ["B-PER", "I-PER", "O"]]
    theirs = of_evaluate("seqeval", {"overall_f1": 0.5}, predictions=predictions, references=references)
    assert score("spans", references, predictions) == theirs["overall_f1"] == 0.5


@row("evaluate", '`evaluate.load("bertscore")`')
def _():
    numpy = pytest.importorskip("numpy")
    vectors = [numpy.eye(3, 4)]
    assert bleuprint.bertscore(vectors, vectors).score().score == pytest.approx(1.0)


@row("evaluate", '`evaluate.load("charcut_mt")`')
def _():
    assert not any("charcut" in entry["name"] for entry in bleuprint.list_metrics())


@row("evaluate", "`evaluate.combine([..])`")
def _():
    all_of = bleuprint.metrics("bleu", "chrf", "ter").score(HYPS, BOTH)
    assert {name: one.score for name, one in all_of.items()} == {name: score(name, BOTH) for name in ("bleu", "chrf", "ter")}


@row("evaluate", "`add`, `add_batch`, `compute`")
def _():
    from bleuprint.adapters.evaluate import Evaluation

    metric = Evaluation("bleu")
    metric.add(prediction=HYPS[0], reference=BOTH[0])
    metric.add_batch(predictions=HYPS[1:], references=BOTH[1:])
    assert metric.compute()["score"] == score("bleu", BOTH)


@row("evaluate", "metrics of evaluate that import sacrebleu, jiwer or rouge_score")
def _():
    code = '''
import bleuprint.sacrebleu, bleuprint.adapters.jiwer, bleuprint.adapters.rouge_score
for package in (bleuprint.sacrebleu, bleuprint.adapters.jiwer, bleuprint.adapters.rouge_score):
    package.install()
import jiwer, jiwer.transforms, sacrebleu
from rouge_score import rouge_scorer, scoring
print(jiwer.__name__, sacrebleu.__name__, scoring.__name__, hasattr(jiwer, "compute_measures"))
'''
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "bleuprint.adapters.jiwer bleuprint.sacrebleu bleuprint.adapters.rouge_score.scoring False\n", done.stderr
