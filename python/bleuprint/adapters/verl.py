"""A reward function for verl."""

from __future__ import annotations

from .._pools import _of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Union

    from .._metric import Metric


def reward_function(metric: Union[str, Metric] = "bleu", *, scale: float = 1.0) -> Callable[..., float]:
    """A function for `reward.custom_reward_function`: in a file of your own, `compute_score = reward_function("chrf", scale=0.01)`.
    It scores `solution_str` against `ground_truth`, one reference or a list of them, times `scale`: BLEU is 0 to 100.

    >>> from bleuprint.adapters.verl import reward_function
    >>> compute_score = reward_function("chrf", scale=0.01)
    >>> compute_score(data_source="d", solution_str="a b", ground_truth=["a b", "c"], extra_info=None)
    1.0
    """
    chosen = _of(metric)

    def compute_score(data_source: Any, solution_str: str, ground_truth: Any, extra_info: Any = None, **_: Any) -> float:
        references = [ground_truth] if isinstance(ground_truth, str) else list(ground_truth)
        return chosen.sentences([solution_str], [references])[0].score * scale

    return compute_score
