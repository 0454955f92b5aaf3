"""The corpus level of a metric for lighteval."""

from __future__ import annotations

from .._pools import _of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Union

    from .._metric import Metric


class CorpusLevel:
    """`corpus_level_fn` of a `CorpusLevelMetric` whose items have `golds` and `preds`, as `GenerativePreparator` makes them.
    Of several predictions of an item the first counts; the golds of an item are its references.

    >>> from types import SimpleNamespace
    >>> from bleuprint.adapters.lighteval import CorpusLevel
    >>> items = [SimpleNamespace(golds=["GOOD"], preds=["GOOD"]), SimpleNamespace(golds=["REF2"], preds=["PRED2"])]
    >>> round(CorpusLevel("chrf").compute_corpus(items), 2)
    60.86
    """

    def __init__(self, metric: Union[str, Metric] = "bleu") -> None:
        self.metric = _of(metric)

    def compute_corpus(self, items: Sequence[Any]) -> float:
        """The score of all items."""
        first = [one.preds if isinstance(one.preds, str) else one.preds[0] for one in items]
        return self.metric.score(first, [one.golds if isinstance(one.golds, str) else list(one.golds) for one in items]).score

    __call__ = compute_corpus

    def __str__(self) -> str:
        return self.metric.name
