"""A metric for `mlflow.models.evaluate`: a score for each row, and the score of the corpus."""

from __future__ import annotations

from .._pools import _of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Union

    from .._metric import Metric


def evaluation_metric(metric: Union[str, Metric] = "bleu") -> Any:
    """An `EvaluationMetric` for `extra_metrics`. The rows have their own scores; the aggregate is the score of the corpus,
    from counts, under the metric's name. A target is a reference, or a list of them. It needs mlflow.
    """
    from mlflow.metrics import MetricValue, make_metric

    chosen = _of(metric)

    def compute(predictions: Any, targets: Any, metrics: Any = None) -> Any:
        hypotheses, references = list(predictions), list(targets)
        rows = [row.score for row in chosen.sentences(hypotheses, references)]
        return MetricValue(scores=rows, aggregate_results={"corpus": chosen.score(hypotheses, references).score})

    return make_metric(eval_fn=compute, greater_is_better=chosen.higher_is_better, name=chosen.name)
