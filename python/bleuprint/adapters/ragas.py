"""A scorer in Ragas's shape."""

from __future__ import annotations

from .._pools import _of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Union

    from .._metric import Metric


class Scorer:
    """`score` and `ascore` of a response and its reference, whole, times `scale`; `single_turn_score` of a sample.
    The score of the corpus is `Metric.score` of the columns, not a mean of these.

    >>> from bleuprint.adapters.ragas import Scorer
    >>> bleu = Scorer("bleu", scale=0.01)
    >>> round(bleu.score(response="The cat sat on the mat. Dogs barked.", reference="The cat sat on the mat. It was a sunny day."), 2)
    0.49
    """

    def __init__(self, metric: Union[str, Metric] = "bleu", *, scale: float = 1.0) -> None:
        self.metric, self.scale = _of(metric), scale
        self.name = self.metric.name

    def score(self, *, response: str, reference: Any) -> float:
        """The score of one response."""
        references = [reference] if isinstance(reference, str) else list(reference)
        return self.metric.sentences([response], [references])[0].score * self.scale

    async def ascore(self, *, response: str, reference: Any) -> float:
        return self.score(response=response, reference=reference)

    def single_turn_score(self, sample: Any) -> float:
        """The score of a sample with `response` and `reference`."""
        return self.score(response=sample.response, reference=sample.reference)
