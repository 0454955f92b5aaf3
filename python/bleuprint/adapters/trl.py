"""Reward functions for TRL's trainers."""

from __future__ import annotations

from .._pools import _of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Union

    from .._metric import Metric


def reward_function(
    metric: Union[str, Metric] = "bleu", *, column: str = "reference", scale: float = 1.0
) -> Callable[..., list[float]]:
    """Return a reward function for a TRL trainer.

    The trainer calls it with `completions` and the columns of the data set, and gets one reward for each completion. A completion is a
    text, or a conversation whose last message is scored.

    Args:
        metric: A metric or its name.
        column: Name of the column with the references: one reference or a list of references for each completion.
        scale: Factor of the scores; with 0.01, BLEU's range of 0 to 100 becomes 0 to 1. Error rates need a negative one, such as
            -1: otherwise the trainer would maximize errors.

    Returns:
        The function; it raises ValueError if the data has no such column.

    Raises:
        ValueError: If lower scores of the metric are better and `scale` is not negative.

    Example:
        >>> from bleuprint.adapters.trl import reward_function
        >>> reward = reward_function("chrf", scale=0.01)
        >>> reward(completions=["a b", [{"role": "assistant", "content": "a b"}]], reference=["a b", ["a b", "c"]])
        [1.0, 1.0]
    """
    chosen = _of(metric)
    if not chosen.higher_is_better and not scale < 0:
        raise ValueError(
            f"a lower {chosen.name} is better, but a trainer maximizes its reward: give a negative scale, as in "
            f"reward_function({chosen.name!r}, scale=-1.0)"
        )

    def text(completion: Any) -> Any:
        if isinstance(completion, (list, tuple)) and completion and isinstance(completion[-1], dict):
            return completion[-1].get("content")
        return completion

    def reward(*, completions: Any, **columns: Any) -> list[float]:
        if column not in columns:
            raise ValueError(f"the data have no column `{column}`; they have: {', '.join(sorted(columns)) or 'none'}")
        scores = chosen.sentences([text(completion) for completion in completions], columns[column])
        return [score.score * scale for score in scores]

    reward.__name__ = f"{chosen.name}_reward"
    return reward
