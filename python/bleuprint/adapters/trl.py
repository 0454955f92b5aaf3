"""Reward functions for TRL's trainers."""

from __future__ import annotations

from .. import _native
from .._pools import _of
from .._shapes import as_lists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Optional, Union

    from .._metric import Metric


def reward_function(
    metric: Union[str, Metric] = "bleu", *, column: str = "reference", scale: float = 1.0
) -> Callable[..., list[Optional[float]]]:
    """Return a reward function for a TRL trainer.

    The trainer calls it with `completions` and the columns of the data set, and gets one reward for each completion. A completion is a
    text, or a conversation. The last message of the assistant is scored; of a message with parts, the parts that are text. A row whose
    reference is None, as rows of another task have it, gets the reward None, which the trainer leaves out.

    Warnings of likely mistakes are about the first batch alone.

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

    # The function is called for every batch, and later batches would repeat the warnings of the first.
    signs = _native.Signs(True)

    def reward(*, completions: Any, **columns: Any) -> list[Optional[float]]:
        if column not in columns:
            raise ValueError(f"the data have no column `{column}`; they have: {', '.join(sorted(columns)) or 'none'}")
        completions, references = (as_lists(_native.held(given)) for given in (completions, columns[column]))
        texts = [_text(completion, f"completions[{at}]") for at, completion in enumerate(completions)]
        references = list(references)
        if len(texts) != len(references):
            raise ValueError(f"there are {len(texts)} completions, but {len(references)} rows of `{column}`")
        rows = [at for at, reference in enumerate(references) if reference is not None]
        rewards: list[Optional[float]] = [None] * len(references)
        if rows:
            metrics, data = chosen._given([texts[at] for at in rows], [references[at] for at in rows], None, None)
            (scores,) = metrics.sentences(data, signs=signs)
            for at, score in zip(rows, scores):
                rewards[at] = score.score * scale
        return rewards

    reward.__name__ = f"{chosen.name}_reward"
    return reward


def _text(completion: Any, place: str) -> Any:
    """Return the text of a completion: the completion itself, or the last message of the assistant in a conversation."""
    if not (isinstance(completion, (list, tuple)) and completion and isinstance(completion[-1], dict)):
        return completion
    # A conversation may end in the answer of a tool, which the model did not write.
    spoken = [message for message in completion if message.get("role", "assistant") == "assistant"]
    content = (spoken or completion)[-1].get("content")
    if isinstance(content, (list, tuple)):
        content = "".join(part if isinstance(part, str) else part.get("text") or "" for part in content)
    if not isinstance(content, str):
        given = "no content" if content is None else f"a content of {type(content).__name__}"
        raise TypeError(f"{place}: the last message of the assistant has {given}, but must have a text")
    return content
