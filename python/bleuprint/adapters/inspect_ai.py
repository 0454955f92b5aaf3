"""A scorer for inspect-ai: the score of each sample, and of all samples as one corpus."""

from __future__ import annotations

# inspect-ai looks annotations up when it runs.
from typing import Any

from .._pools import _of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Union

    from .._metric import Metric


def scorer(metric: Union[str, Metric] = "bleu") -> Any:
    """A scorer for a task. Each sample has the score of its completion against its targets; the metric of the task is the
    score of the corpus of all samples and epochs, not a mean. It needs inspect-ai.
    """
    from inspect_ai.scorer import Score
    from inspect_ai.scorer import metric as aggregation
    from inspect_ai.scorer import scorer as of_task

    chosen = _of(metric)

    @aggregation(name=chosen.name, scores="unreduced")
    def corpus() -> Any:
        def compute(scores: list[Any]) -> float:
            samples = [sample.score for sample in scores]
            return chosen.score([one.answer for one in samples], [one.metadata["references"] for one in samples]).score

        return compute

    @of_task(metrics=[corpus()], name=chosen.name)
    def of_samples() -> Any:
        async def score(state: Any, target: Any) -> Any:
            answer, references = state.output.completion, list(target)
            value = chosen.sentences([answer], [references])[0].score
            return Score(value=value, answer=answer, metadata={"references": references})

        return score

    return of_samples()
