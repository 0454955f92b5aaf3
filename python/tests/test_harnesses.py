"""Metrics in other people's harnesses: with the real library if it is installed, else with its shape."""

import asyncio
import os
import types

import pytest

import bleuprint
from bleuprint.adapters.lighteval import CorpusLevel
from bleuprint.adapters.ragas import Scorer
from bleuprint.adapters.transformers import compute_metrics
from bleuprint.adapters.verl import reward_function

HYPS = ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."]
REFS = [["The dog had bit the man.", "x"], ["It was not unexpected.", "y"], ["The man bit him first.", "z"]]
ONE = [refs[0] for refs in REFS]


def corpus(name, references=REFS):
    return bleuprint.metric(name).score(HYPS, references).score


@pytest.mark.parametrize("name", ["bleu", "chrf", "ter"])
def test_lighteval_in_shape(name):
    items = [types.SimpleNamespace(golds=refs, preds=[hyp, "another"]) for hyp, refs in zip(HYPS, REFS)]
    assert CorpusLevel(name).compute_corpus(items) == CorpusLevel(name)(items) == corpus(name)
    single = [types.SimpleNamespace(golds=ref, preds=hyp) for hyp, ref in zip(HYPS, ONE)]
    assert CorpusLevel(name).compute_corpus(single) == corpus(name, ONE)


def test_lighteval_itself():
    pytest.importorskip("torch")
    metrics = pytest.importorskip("lighteval.metrics.utils.metric_utils")
    preparator = pytest.importorskip("lighteval.metrics.sample_preparator")
    requests = pytest.importorskip("lighteval.tasks.requests")
    metric = metrics.CorpusLevelMetric(
        metric_name="chrf",
        higher_is_better=True,
        category=requests.SamplingMethod.GENERATIVE,
        sample_level_fn=preparator.GenerativePreparator(),
        corpus_level_fn=CorpusLevel("chrf"),
    )
    items = [preparator.GenerativeCorpusMetricInput(golds=refs, preds=[hyp]) for hyp, refs in zip(HYPS, REFS)]
    aggregate = metric.get_corpus_aggregations()["chrf"]
    assert aggregate(items) == corpus("chrf")


def test_verl_in_shape():
    compute_score = reward_function("chrf", scale=0.01)
    whole = bleuprint.metric("chrf").sentences(HYPS, REFS)
    for hyp, refs, score in zip(HYPS, REFS, whole):
        given = {"data_source": "d", "solution_str": hyp, "ground_truth": refs, "extra_info": {}}
        assert compute_score(**given) == score.score * 0.01
    assert compute_score("d", "a b", "a b") == 1.0


def test_ids_of_trainers():
    numpy = pytest.importorskip("numpy")
    ids, labels = [[5, 6, 7, 8], [9, 4]], [[5, 6, 7, 8, 3], [9]]
    wanted = bleuprint.metric("bleu").score(ids, labels).score
    padded = numpy.array([[5, 6, 7, 8, -100], [0, 9, 4, -100, -100]])
    of_labels = numpy.array([[5, 6, 7, 8, 3], [9, -100, -100, -100, -100]])
    compute = compute_metrics("bleu", "ter", drop=(-100, 0))
    assert compute((padded, of_labels))["bleu"] == wanted
    # Predictions with more behind them.
    assert compute(((padded, None), of_labels))["bleu"] == wanted
    with pytest.raises(ValueError, match="-100"):
        compute_metrics("bleu", drop=())((padded, of_labels))
    words = types.SimpleNamespace(decode=lambda row, skip_special_tokens: " ".join(f"w{token}" for token in row))
    text = compute_metrics("bleu:tokenize=none", tokenizer=words)((ids, labels))
    assert text == {"bleu": wanted}


def test_transformers_itself():
    numpy, trainer = pytest.importorskip("numpy"), pytest.importorskip("transformers.trainer_utils")
    prediction = trainer.EvalPrediction(predictions=numpy.array([[5, 6, 7, 8, -100]]), label_ids=numpy.array([[5, 6, 7, 8, 9]]))
    assert compute_metrics()(prediction) == {"bleu": bleuprint.metric("bleu").score([[5, 6, 7, 8]], [[5, 6, 7, 8, 9]]).score}


def test_a_response_is_scored_whole():
    reference, response = "The cat sat on the mat. It was a sunny day.", "The cat sat on the mat. Dogs barked."
    scorer = Scorer("bleu", scale=0.01)
    wanted = bleuprint.metric("bleu").sentences([response], [reference])[0].score * 0.01
    assert scorer.score(response=response, reference=reference) == wanted < 0.6
    assert asyncio.run(scorer.ascore(response=response, reference=[reference])) == wanted
    assert scorer.single_turn_score(types.SimpleNamespace(response=response, reference=reference)) == wanted


def test_ragas_itself():
    schema = pytest.importorskip("ragas.dataset_schema")
    sample = schema.SingleTurnSample(response=HYPS[0], reference=ONE[0])
    assert Scorer("chrf").single_turn_score(sample) == bleuprint.metric("chrf").sentences(HYPS[:1], ONE[:1])[0].score


def test_inspect_itself(tmp_path, monkeypatch):
    inspect_ai = pytest.importorskip("inspect_ai")
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput
    from inspect_ai.solver import solver

    from bleuprint.adapters.inspect_ai import scorer

    @solver
    def given():
        async def solve(state, generate):
            # Another output in the second epoch.
            state.output = ModelOutput.from_content("none", HYPS[int(state.input_text)] + " Yes." * (state.epoch - 1))
            return state

        return solve

    monkeypatch.chdir(tmp_path)
    samples = [Sample(input=str(at), target=refs) for at, refs in enumerate(REFS)]
    task = inspect_ai.Task(dataset=samples, solver=given(), scorer=scorer("bleu"), epochs=2)
    (log,) = inspect_ai.eval(task, model="mockllm/model", display="none", log_dir=str(tmp_path))
    assert log.status == "success", log.error
    (score,) = log.results.scores
    both = HYPS + [hyp + " Yes." for hyp in HYPS]
    assert score.metrics["bleu"].value == bleuprint.metric("bleu").score(both, REFS + REFS).score
    first = {int(sample.input): sample.scores["bleu"].value for sample in log.samples if sample.epoch == 1}
    assert [first[at] for at in range(3)] == [one.score for one in bleuprint.metric("bleu").sentences(HYPS, REFS)]


def test_mlflow_itself(tmp_path, monkeypatch):
    mlflow, pandas = pytest.importorskip("mlflow"), pytest.importorskip("pandas")
    pytest.importorskip("mlflow.metrics")
    from bleuprint.adapters.mlflow import evaluation_metric

    metric = evaluation_metric("bleu")
    value = metric.eval_fn(pandas.Series(HYPS), pandas.Series(ONE), {})
    assert value.aggregate_results == {"corpus": corpus("bleu", ONE)}
    assert value.scores == [one.score for one in bleuprint.metric("bleu").sentences(HYPS, ONE)]
    monkeypatch.chdir(tmp_path)
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/runs.db")
    frame = pandas.DataFrame({"out": HYPS, "target": ONE})
    result = mlflow.models.evaluate(
        data=frame, predictions="out", targets="target", extra_metrics=[metric], evaluators="default"
    )
    assert result.metrics["bleu/corpus"] == corpus("bleu", ONE)


def test_evidently_itself():
    datasets, pandas = pytest.importorskip("evidently.core.datasets"), pytest.importorskip("pandas")
    from evidently.descriptors import CustomDescriptor

    from bleuprint.adapters.evidently import rows

    describe = rows("chrf", hypothesis="out", reference="target")
    frame = pandas.DataFrame({"out": HYPS, "target": ONE})
    dataset = datasets.Dataset.from_pandas(
        frame, data_definition=datasets.DataDefinition(), descriptors=[CustomDescriptor(describe, alias="chrf")]
    )
    wanted = [one.score for one in bleuprint.metric("chrf").sentences(HYPS, ONE)]
    assert list(dataset.as_dataframe()["chrf"]) == wanted
