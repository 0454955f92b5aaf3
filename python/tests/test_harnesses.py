"""The recipes of `docs/harnesses.md` inside the real libraries, if these are installed; their numbers are tested on the page."""

import doctest
import os
from pathlib import Path

import pytest

import bleuprint

HYPS = ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."]
REFS = [["The dog had bit the man.", "x"], ["It was not unexpected.", "y"], ["The man bit him first.", "z"]]
ONE = [refs[0] for refs in REFS]


@pytest.fixture(scope="module")
def page():
    """The names that the page defines."""
    text = (Path(__file__).parents[2] / "docs/harnesses.md").read_text(encoding="utf-8")
    names = {}
    for example in doctest.DocTestParser().get_examples(text):
        if example.source.startswith(("import", "from", "def", "class", "bleu")):
            exec(example.source, names)
    return names


def corpus(name, references=REFS):
    return bleuprint.metric(name).score(HYPS, references).score


def each(name, references=ONE):
    return [one.score for one in bleuprint.metric(name).sentences(HYPS, references)]


def test_lighteval(page):
    pytest.importorskip("torch")
    metrics = pytest.importorskip("lighteval.metrics.utils.metric_utils")
    preparator = pytest.importorskip("lighteval.metrics.sample_preparator")
    requests = pytest.importorskip("lighteval.tasks.requests")
    metric = metrics.CorpusLevelMetric(
        metric_name="chrf",
        higher_is_better=True,
        category=requests.SamplingMethod.GENERATIVE,
        sample_level_fn=preparator.GenerativePreparator(),
        corpus_level_fn=page["corpus_level"],
    )
    items = [preparator.GenerativeCorpusMetricInput(golds=refs, preds=[hyp, "another"]) for hyp, refs in zip(HYPS, REFS)]
    assert metric.get_corpus_aggregations()["chrf"](items) == corpus("chrf")


def test_lm_eval(page):
    metrics, registry = pytest.importorskip("lm_eval.api.metrics"), pytest.importorskip("lm_eval.api.registry")
    items = [(refs, [hyp]) for refs, hyp in zip(REFS, HYPS)]
    assert page["aggregation"](items) == pytest.approx(metrics.bleu(items), rel=1e-14)
    registry.register_aggregation("bleuprint_bleu")(page["aggregation"])
    assert registry.get_aggregation("bleuprint_bleu") is page["aggregation"]


def test_transformers(page):
    numpy, trainer = pytest.importorskip("numpy"), pytest.importorskip("transformers.trainer_utils")
    prediction = trainer.EvalPrediction(predictions=numpy.array([[5, 6, 7, 8, -100]]), label_ids=numpy.array([[5, 6, 7, 8, 9]]))
    assert page["compute_metrics"](prediction) == {"bleu": bleuprint.metric("bleu").score([[5, 6, 7, 8]], [[5, 6, 7, 8, 9]]).score}


def test_ragas(page):
    schema = pytest.importorskip("ragas.dataset_schema")
    sample = schema.SingleTurnSample(response=HYPS[0], reference=ONE[0])
    assert page["response_score"](response=sample.response, reference=sample.reference) == each("bleu")[0] / 100


def test_inspect(page, tmp_path, monkeypatch):
    inspect_ai = pytest.importorskip("inspect_ai")
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput
    from inspect_ai.solver import solver

    @solver
    def given():
        async def solve(state, generate):
            # Another output in the second epoch.
            state.output = ModelOutput.from_content("none", HYPS[int(state.input_text)] + " Yes." * (state.epoch - 1))
            return state

        return solve

    monkeypatch.chdir(tmp_path)
    samples = [Sample(input=str(at), target=refs) for at, refs in enumerate(REFS)]
    task = inspect_ai.Task(dataset=samples, solver=given(), scorer=page["of_task"](), epochs=2)
    (log,) = inspect_ai.eval(task, model="mockllm/model", display="none", log_dir=str(tmp_path))
    assert log.status == "success", log.error
    both = HYPS + [hyp + " Yes." for hyp in HYPS]
    assert log.results.scores[0].metrics["bleu"].value == bleuprint.metric("bleu").score(both, REFS + REFS).score
    first = {int(sample.input): sample.scores["bleu"].value for sample in log.samples if sample.epoch == 1}
    assert [first[at] for at in range(3)] == each("bleu", REFS)


def test_mlflow(page, tmp_path, monkeypatch):
    mlflow, pandas = pytest.importorskip("mlflow"), pytest.importorskip("pandas")
    pytest.importorskip("mlflow.metrics")
    metric = page["evaluation_metric"]()
    value = metric.eval_fn(pandas.Series(HYPS), pandas.Series(ONE), {})
    assert value.aggregate_results == {"corpus": corpus("bleu", ONE)} and value.scores == each("bleu")
    monkeypatch.chdir(tmp_path)
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/runs.db")
    frame = pandas.DataFrame({"out": HYPS, "target": ONE})
    result = mlflow.models.evaluate(data=frame, predictions="out", targets="target", extra_metrics=[metric], evaluators="default")
    assert result.metrics["bleu/corpus"] == corpus("bleu", ONE)


def test_evidently(page):
    datasets, pandas = pytest.importorskip("evidently.core.datasets"), pytest.importorskip("pandas")
    from evidently.descriptors import CustomDescriptor

    frame = pandas.DataFrame({"out": HYPS, "target": ONE})
    descriptors = [CustomDescriptor(page["rows"], alias="chrf")]
    dataset = datasets.Dataset.from_pandas(frame, data_definition=datasets.DataDefinition(), descriptors=descriptors)
    assert list(dataset.as_dataframe()["chrf"]) == each("chrf")


def test_keras(page, monkeypatch):
    numpy = pytest.importorskip("numpy")
    monkeypatch.setenv("KERAS_BACKEND", os.environ.get("KERAS_BACKEND", "jax"))
    keras = pytest.importorskip("keras")
    model = keras.Sequential([keras.layers.Dense(4)])
    model.compile(loss="mse")
    batches = [([0], REFS[:1]), ([1, 2], REFS[1:])]
    callback = page["validation_callback"](batches, lambda model, inputs: [HYPS[at] for at in inputs])
    stop = keras.callbacks.EarlyStopping(monitor="val_bleu", mode="max", patience=0)
    history = model.fit(numpy.zeros((4, 3)), numpy.zeros((4, 4)), epochs=5, verbose=0, callbacks=[callback, stop])
    assert history.history["val_bleu"] == [corpus("bleu")] * 2
