"""Metrics with the interface of `evaluate.load`."""

from __future__ import annotations

from .._evaluation import metrics
from .._pools import _of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Optional, Union

    from .._metric import Metric


class Evaluation:
    """Score data with add, add_batch and compute, as a metric of `evaluate.load` does.

    Args:
        metric: A metric or its name.

    Example:
        >>> from bleuprint.adapters.evaluate import Evaluation
        >>> bleu = Evaluation("bleu")
        >>> bleu.compute(predictions=["a b c d"], references=[["a b c d", "a b"]])["counts"]
        [4, 3, 2, 1]
    """

    def __init__(self, metric: Union[str, Metric] = "bleu") -> None:
        self.metric = _of(metric)
        self.name = self.metric.name
        self._accumulator = self.metric.accumulator()

    def add(self, *, prediction: Any, reference: Any = None, source: Any = None) -> None:
        """Add one segment: a prediction, its reference or list of references, and its source."""
        references = None if reference is None else [reference]
        self.add_batch(predictions=[prediction], references=references, sources=None if source is None else [source])

    def add_batch(self, *, predictions: Any, references: Any = None, sources: Any = None) -> None:
        """Add a batch of segments."""
        self._accumulator.update(predictions, references, sources=sources)

    def compute(self, *, predictions: Any = None, references: Any = None, sources: Any = None) -> dict[str, Any]:
        """Return the score of all added segments and of the arguments, then clear the data.

        Args:
            predictions: Further predictions. Default: none.
            references: One reference or a list of references for each of these predictions.
            sources: A source for each of these predictions, for metrics such as SARI.

        Returns:
            The score and its parts, as a dict.
        """
        if predictions is not None:
            self.add_batch(predictions=predictions, references=references, sources=sources)
        score = self._accumulator.compute()
        self._accumulator.reset()
        return score.to_dict()


class Rouge:
    """Score ROUGE as `evaluate.load("rouge")` does: a dict of four scores from 0 to 1.

    The scores are exact means. Those of evaluate are medians of resampled means, drawn anew with each call.

    Example:
        >>> from bleuprint.adapters.evaluate import Rouge
        >>> rouge, data = Rouge(), {"predictions": ["a cat sat", "dogs ran"], "references": ["the cat sat", ["dogs ran", "a dog ran"]]}
        >>> {name: round(score, 3) for name, score in rouge.compute(**data).items()}
        {'rouge1': 0.833, 'rouge2': 0.75, 'rougeL': 0.833, 'rougeLsum': 0.833}
        >>> rouge.compute(**data, rouge_types=["rouge2"], use_aggregator=False)
        {'rouge2': [0.5, 1.0]}
    """

    name = "rouge"

    def __init__(self) -> None:
        self._data: tuple[list[Any], list[Any]] = ([], [])

    def add(self, *, prediction: Any, reference: Any) -> None:
        """Add one segment: a prediction and its reference or list of references."""
        self.add_batch(predictions=[prediction], references=[reference])

    def add_batch(self, *, predictions: Iterable[Any], references: Iterable[Any]) -> None:
        """Add a batch of segments.

        Raises:
            ValueError: if there are not as many references as predictions.
        """
        kept, given = self._data, (list(predictions), list(references))
        if len(given[0]) != len(given[1]):
            segments = "segment" if len(given[0]) == 1 else "segments"
            raise ValueError(f"predictions has {len(given[0])} {segments}, but references has {len(given[1])}")
        kept[0].extend(given[0])
        kept[1].extend(given[1])

    def compute(
        self,
        *,
        predictions: Any = None,
        references: Any = None,
        rouge_types: Optional[Iterable[str]] = None,
        use_aggregator: bool = True,
        use_stemmer: bool = False,
        tokenizer: Any = None,
    ) -> dict[str, Any]:
        """Return the ROUGE scores of all added segments and of the arguments, then clear the data.

        Args:
            predictions: Further predictions. Default: none.
            references: One reference or a list of references for each of these predictions.
            rouge_types: Names of the scores. Default: `rouge1`, `rouge2`, `rougeL` and `rougeLsum`.
            use_aggregator: Whether to return means instead of lists. Default: True.
            use_stemmer: Whether to apply the Porter stemmer. Default: False.
            tokenizer: A tokenizer, as `tokenize` of `bleuprint.metrics`.

        Returns:
            A dict from each type to its mean F, or to the list of the segments' F if `use_aggregator` is False.
        """
        if predictions is not None:
            self.add_batch(predictions=predictions, references=references)
        names = ["rouge1", "rouge2", "rougeL", "rougeLsum"] if rouge_types is None else list(rouge_types)
        panel = metrics(*(f"{name}:stemmer" if use_stemmer else name for name in names), tokenize=tokenizer)
        if use_aggregator:
            of_types: Any = [score.score for score in panel.score(*self._data).values()]
        else:
            of_types = [[score.score for score in scores] for scores in panel.sentences(*self._data).values()]
        self._data = ([], [])
        return dict(zip(names, of_types))
