"""Aggregation functions for lm-evaluation-harness: the items of a task in, a number out."""

from __future__ import annotations

from .._pools import _of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Union

    from .._metric import Metric


def aggregation(metric: Union[str, Metric]) -> Callable[[Iterable[Any]], float]:
    """A function of items in the harness's form: pairs of a reference, or a list of references, and a prediction.
    It returns the score of the corpus, not a mean.

    >>> from bleuprint.adapters.lm_eval import aggregation
    >>> round(aggregation("bleu")([("a b c d", "a b c d"), (["a b c d"], "a b c x")]), 2)
    72.31
    """
    chosen = _of(metric)

    def aggregate(items: Iterable[Any]) -> float:
        pairs = list(items)
        for at, pair in enumerate(pairs):
            if not isinstance(pair, (list, tuple)) or len(pair) != 2:
                raise TypeError(f"items[{at}] is no pair of references and prediction")
        references = [pair[0] for pair in pairs]
        # Some tasks give a list of one prediction.
        predictions = [pair[1][0] if isinstance(pair[1], (list, tuple)) and len(pair[1]) == 1 else pair[1] for pair in pairs]
        return chosen.score(predictions, references).score

    aggregate.__name__ = chosen.name
    return aggregate
