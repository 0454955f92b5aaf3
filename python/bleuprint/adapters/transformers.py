"""`compute_metrics` for the trainers of transformers."""

from __future__ import annotations

from .. import _pools

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Union

    from .._metric import Metric


def compute_metrics(*metrics: Union[str, Metric], tokenizer: Any = None, drop: Any = (-100,), eos_id: Any = None) -> Callable[[Any], dict[str, float]]:
    """A function of predictions and labels, both ids, to the scores of the corpus. The ids of `drop`, by which trainers pad,
    never count; `eos_id` ends a text. With a `tokenizer` the ids are decoded without special tokens, and text is scored.

    >>> from bleuprint.adapters.transformers import compute_metrics
    >>> compute = compute_metrics("bleu", drop=(-100, 0))
    >>> round(compute(([[5, 6, 7, 8, -100]], [[5, 6, 7, 8, 9]]))["bleu"], 2)
    77.88
    """
    chosen = [_pools._of(metric) for metric in metrics or ("bleu",)]
    drop = set(drop)

    def sequences(side: Any) -> Any:
        rows = side.tolist() if hasattr(side, "tolist") else side
        return _pools.ids([[token for token in row if token not in drop] for row in rows], eos_id=eos_id)

    def compute(prediction: Any) -> dict[str, float]:
        predictions, labels = prediction[0], prediction[1]
        # Some models give their predictions with more behind them.
        predictions = predictions[0] if isinstance(predictions, tuple) else predictions
        sides = [sequences(predictions), sequences(labels)]
        if tokenizer is not None:
            sides = [[tokenizer.decode(list(row), skip_special_tokens=True) for row in side] for side in sides]
        return {metric.name: metric.score(*sides).score for metric in chosen}

    return compute
