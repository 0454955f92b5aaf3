"""A metric in the shape of the results of `evaluate.load`."""

from __future__ import annotations

from .._pools import _of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Union

    from .._metric import Metric


class Evaluation:
    """add, add_batch and compute.

    >>> from bleuprint.adapters.evaluate import Evaluation
    >>> bleu = Evaluation("bleu")
    >>> bleu.compute(predictions=["a b c d"], references=[["a b c d", "a b"]])["counts"]
    [4, 3, 2, 1]
    """

    def __init__(self, metric: Union[str, Metric] = "bleu") -> None:
        self.metric = _of(metric)
        self.name = self.metric.name
        self._accumulator = self.metric.accumulator()

    def add(self, *, prediction: Any, reference: Any = None) -> None:
        """Observes one segment."""
        self.add_batch(predictions=[prediction], references=None if reference is None else [reference])

    def add_batch(self, *, predictions: Any, references: Any = None) -> None:
        """Observes a batch."""
        self._accumulator.update(predictions, references)

    def compute(self, *, predictions: Any = None, references: Any = None) -> dict[str, Any]:
        """The score of all added data and of the arguments; then clears the data."""
        if predictions is not None:
            self.add_batch(predictions=predictions, references=references)
        score = self._accumulator.compute()
        self._accumulator.reset()
        return score.to_dict()
