"""Writes the small logs of this folder by running the programs themselves, without a network or a model.

    python write_logs.py FOLDER      # inspect-ai 0.3.285, mlflow 3.17.2, lm_eval 0.4.13

The records are those of the programs. Left out are the events of inspect's samples, which nothing scores, and paths.
"""

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

FOLDER = Path(sys.argv[1]).resolve()
QUESTIONS = [("2 + 2?", "4"), ("3 + 5?", "8"), ("7 - 4?", "3"), ("6 x 7?", "42")]
#: What two systems answer, in two epochs where a program repeats.
ANSWERS = {
    "alpha": [["4", "8", "3", "42"], ["4", "9", "3", "41"]],
    "beta": [["4", "7", "3", "40"], ["5", "8", "1", "42"]],
}


def inspect_logs():
    """One log of each system, of two epochs, in JSON."""
    from inspect_ai import Epochs, Task, eval
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import match

    samples = [Sample(id=f"q{n}", input=text, target=target) for n, (text, target) in enumerate(QUESTIONS, 1)]
    for system, epochs in ANSWERS.items():
        # Samples of all epochs are asked one after the other.
        outputs = [ModelOutput.from_content("mockllm/model", text) for answers in epochs for text in answers]
        for output in outputs:
            output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        task = Task(dataset=samples, scorer=match(), epochs=Epochs(2), name="sums")
        with tempfile.TemporaryDirectory() as folder:
            model = get_model("mockllm/model", custom_outputs=outputs)
            eval(task, model=model, log_dir=folder, log_format="json", max_samples=1, max_connections=1, display="none",
                 log_realtime=False)
            [log] = Path(folder).glob("*.json")
            document = json.loads(log.read_text())
        # Events tell of the machine, and of nothing that is scored.
        for sample in document["samples"]:
            sample["events"] = []
        document["eval"].pop("revision", None)
        document["eval"]["model_args"] = {}
        (FOLDER / f"inspect-{system}.json").write_text(json.dumps(document, indent=1) + "\n")


def mlflow_tables():
    """The table of each system, with a metric of one row."""
    os.environ["MLFLOW_DISABLE_TELEMETRY"] = "true"
    import mlflow
    import pandas
    from mlflow.metrics import MetricValue, make_metric

    def closeness(predictions, targets):
        scores = [1 / (1 + abs(int(one) - int(other))) for one, other in zip(predictions, targets)]
        return MetricValue(scores=scores, aggregate_results={"mean": sum(scores) / len(scores)})

    metric = make_metric(eval_fn=closeness, greater_is_better=True, name="closeness")
    for system, (answers, _) in ANSWERS.items():
        rows = {"inputs": [text for text, _ in QUESTIONS], "targets": [target for _, target in QUESTIONS], "outputs": answers}
        folder = tempfile.mkdtemp()
        os.chdir(folder)
        mlflow.set_tracking_uri(f"sqlite:///{folder}/runs.db")
        with mlflow.start_run():
            mlflow.models.evaluate(
                data=pandas.DataFrame(rows), predictions="outputs", targets="targets", extra_metrics=[metric],
                evaluators="default",
            )
        [table] = Path(folder).rglob("eval_results_table.json")
        shutil.copy(table, FOLDER / f"mlflow-{system}.json")


def lm_eval_samples():
    """The samples of each system, of a task with two filters."""
    from lm_eval import simple_evaluate
    from lm_eval.api.model import LM
    from lm_eval.loggers import EvaluationTracker
    from lm_eval.tasks import TaskManager

    class Said(LM):
        def __init__(self, answers):
            super().__init__()
            self.answers = answers

        def generate_until(self, requests, disable_tqdm=False):
            return [f"The answer is {self.answers[request.doc_id]}." for request in requests]

        def loglikelihood(self, requests, disable_tqdm=False):
            raise NotImplementedError

        def loglikelihood_rolling(self, requests, disable_tqdm=False):
            raise NotImplementedError

    folder = Path(tempfile.mkdtemp())
    with open(folder / "sums.jsonl", "w") as file:
        for text, target in QUESTIONS:
            file.write(json.dumps({"question": text, "answer": target}) + "\n")
    (folder / "sums.yaml").write_text(
        f"""task: sums
dataset_path: json
dataset_kwargs: {{data_files: {{test: {folder}/sums.jsonl}}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{question}}}}"
doc_to_target: "{{{{answer}}}}"
generation_kwargs: {{until: ["\\n"]}}
metric_list:
  - {{metric: exact_match, aggregation: mean, higher_is_better: true}}
filter_list:
  - name: strict-match
    filter: [{{function: regex, regex_pattern: "is (\\\\d+)"}}, {{function: take_first}}]
  - name: flexible-extract
    filter: [{{function: regex, regex_pattern: "(\\\\d)"}}, {{function: take_first}}]
"""
    )
    for system, (answers, _) in ANSWERS.items():
        out = folder / system
        tracker = EvaluationTracker(output_path=str(out))
        results = simple_evaluate(
            Said(answers), tasks=["sums"], task_manager=TaskManager(include_path=str(folder), include_defaults=False),
            log_samples=True, bootstrap_iters=0,
        )
        samples = results.pop("samples")
        tracker.general_config_tracker.model_name_sanitized = system
        tracker.save_results_aggregated(results=results, samples=samples)
        tracker.save_results_samples(task_name="sums", samples=samples["sums"])
        [file] = out.rglob("samples_*.jsonl")
        (FOLDER / f"lm-eval-{system}.jsonl").write_text(file.read_text().replace(str(folder), "data"))


for write in {"inspect": [inspect_logs], "mlflow": [mlflow_tables], "lm-eval": [lm_eval_samples]}.get(
    sys.argv[2] if len(sys.argv) > 2 else "", [inspect_logs, mlflow_tables, lm_eval_samples]
):
    write()
