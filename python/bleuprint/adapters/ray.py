"""Scores by groups of a Ray dataset: tasks compute states where the data is, and the caller merges them. No text is shuffled."""

from __future__ import annotations

from ._partial import Partial, require

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Union

    from .._metric import Metric


def score(
    dataset: Any,
    hyp: str,
    ref: Any = None,
    source: Any = None,
    *,
    by: Union[str, Sequence[str]] = (),
    metric: Union[str, Metric, Sequence[Union[str, Metric]]] = "bleu",
    nulls: str = "error",
    **options: Any,
) -> Any:
    """Score the groups of a Ray dataset.

    The tasks return the states of their batches, and the caller merges each state as it arrives. This needs neither an aggregate, which
    would see only one column, nor a shuffle.

    Args:
        dataset: A dataset, such as `ray.data.read_parquet(..)`.
        hyp, ref, source: Names of the columns: strings, or lists of ids. A segment has one reference or a list of references.
        by: Name of the column to group by, or a list of names. Default: one group.
        metric: A metric, its name, or a list of them.
        nulls: `error` or `skip`: whether a null is an error or leaves its row out.
        **options: Options of `Dataset.map_batches`.

    Returns:
        A pyarrow table with the columns of `by`, then `metric`, `score`, `segments`, `signature` and `state`, the merged state as bytes.
    """
    partial = Partial(metric, hyp, ref, source, by=by, nulls=nulls)
    require(dataset, "map_batches", "a dataset of Ray, such as ray.data.read_parquet(..)")
    # To fetch unknown names would run the plan; each task checks the names of its own batches instead.
    names = dataset.columns(fetch_if_missing=False)
    if names is not None:
        partial._require(names)
        dataset = dataset.select_columns(partial.needed)
    options = {"batch_size": None, **options}
    states = dataset.map_batches(partial, batch_format="pyarrow", **options)
    return partial.merged(states.iter_batches(batch_format="pyarrow"))
