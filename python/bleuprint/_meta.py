"""`meta`: the agreement of metrics with human ratings."""

from __future__ import annotations

from . import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Literal, Optional, Union

    from ._data import Progress


def meta(
    human: Any,
    metrics: Mapping[str, Any],
    *,
    statistic: Union[str, Sequence[str]] = ("spa", "acc-eq"),
    level: Literal["segment", "system"] = "segment",
    group: Literal["item", "system", "none"] = "item",
    swap: Literal["items", "systems", "cells", "pairs"] = "items",
    trials: int = 1000,
    seed: int = 4,
    alpha: float = 0.05,
    holm: bool = False,
    williams: bool = False,
    lower: Sequence[str] = (),
    epsilon: Union[None, float, Mapping[str, float]] = None,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> dict[str, Any]:
    """Measure the agreement of metrics with human ratings, and compare the metrics by it.

    Args:
        human (dict, data frame or array): The ratings: a dict of systems and columns, a data frame with a column for each
            system, or an array with a row for each system. A missing rating is `None`, null or NaN.
        metrics (dict of str to scores): The name of each metric with its scores, in the same form as `human`, or with a
            dict of systems and `Statistics`, which are scored as corpora.
        statistic (str or sequence of str, default ("spa", "acc-eq")): Statistics of systems: `spa`, `spa-symmetric`,
            `accuracy`. Statistics of items, grouped by `group`: `acc-eq`, `acc-23`, `tau-23`, `pearson`, `spearman`,
            `tau-b`, `tau-c`, `kendall-like=25`, `pairwise-pearson`.
        level ({"segment", "system"}, default "segment"): With `system`, the statistics of items are computed over
            systems.
        group ({"item", "system", "none"}, default "item"): The grouping of ratings for statistics of items.
        swap ({"items", "systems", "cells", "pairs"}, default "items"): The scores that the permutation tests swap between
            two metrics.
        trials (int, default 1000): The number of permutations.
        seed (int, default 4): The seed of the permutations.
        alpha (float, default 0.05): The greatest p-value that counts as a difference; between 0 and 1.
        holm (bool, default False): Whether to correct the p-values by Holm's method.
        williams (bool, default False): Whether to use Williams' test in place of swapping, for the Pearson correlation of
            systems.
        lower (sequence of str, optional): The metrics for which lower is better; for all others higher is better.
            Statistics know their direction.
        epsilon (float or dict of str to float, optional): The difference of scores up to which they tie, for all metrics or for
            each metric by name. By default it is calibrated.
        threads (int, default 1): The number of threads; 0 means every core.
        progress (bool or callable, optional): See `Metric.score`.

    Returns:
        dict: For one statistic, `metrics` from the best to the worst with `value`, `epsilon` and counts, their `ranks`,
            and `p`: for each metric, the p-value of being no better than each metric below it. For a sequence of
            statistics, a dict of these by statistic.

    Raises:
        TypeError: If `metrics` is not a dict, or if ratings or scores have another form.
        ValueError: If a statistic is unknown, or if `alpha` is not between 0 and 1.

    Example:
        >>> import bleuprint
        >>> human = {"a": [1, 2, None], "b": [3, 1, 2], "c": [5, 5, 4]}
        >>> good = {"a": [0.1, 0.2, 0.3], "b": [0.3, 0.1, 0.2], "c": [0.5, 0.5, 0.5]}
        >>> bad = {"a": [0.5, 0.2, 0.1], "b": [0.3, 0.1, 0.2], "c": [0.1, 0.0, 0.3]}
        >>> found = bleuprint.meta(human, {"bad": bad, "good": good}, statistic="acc-eq", trials=100)
        >>> [(metric["name"], metric["value"]) for metric in found["metrics"]]
        [('good', 1.0), ('bad', 0.4444444444444444)]
    """
    if not hasattr(metrics, "items"):
        raise TypeError("metrics must be a dict of names and scores")
    names = [statistic] if isinstance(statistic, str) else list(statistic)
    if epsilon is None:
        epsilons = []
    elif hasattr(epsilon, "items"):
        epsilons = [(str(name), float(ties)) for name, ties in epsilon.items()]
    else:
        epsilons = [("", float(epsilon))]
    answers = _native.meta(
        _columns("human", human),
        [(str(name), _columns(str(name), scores)) for name, scores in metrics.items()],
        names,
        level,
        group,
        swap,
        trials=trials,
        seed=seed,
        alpha=alpha,
        holm=holm,
        williams=williams,
        lower=list(lower),
        epsilons=epsilons,
        threads=threads,
        progress=progress,
    )
    return answers[0] if isinstance(statistic, str) else dict(zip(names, answers))


def _columns(place: str, scores: Any) -> list[tuple[str, Any]]:
    """Return the column of every system of a dict, a data frame or an array of two dimensions."""
    if hasattr(scores, "items") and hasattr(scores, "keys") and not hasattr(scores, "columns"):
        return [(str(system), column) for system, column in scores.items()]
    for attribute in ("column_names", "columns"):
        names = getattr(scores, attribute, None)
        if names is not None and hasattr(scores, "__getitem__"):
            return [(str(name), scores[name]) for name in names]
    if getattr(scores, "ndim", None) == 2 or isinstance(scores, (list, tuple)) and scores and isinstance(scores[0], (list, tuple)):
        return [(str(number), row) for number, row in enumerate(scores, 1)]
    raise TypeError(
        f"{place} is {type(scores).__name__}, but must be a dict of systems and columns, a data frame, or an array with a row "
        "for each system"
    )
