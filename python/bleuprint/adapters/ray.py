"""Metrics of a dataset of Ray: states next to the data, merged by the caller. Text is never shuffled."""

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
    """The scores of a dataset's groups: a table of pyarrow with the columns of `by`, then `metric`, `score`, `segments`,
    `signature` and `state`, the merged state as bytes.

    The arguments are those of `adapters.spark.score`; `options` go to `map_batches`. The states of the batches come to the caller
    and merge there as they come: neither an aggregate, which sees one column, nor a shuffle is needed.
    """
    partial = Partial(metric, hyp, ref, source, by=by, nulls=nulls)
    require(dataset, "map_batches", "a dataset of Ray, such as ray.data.read_parquet(..)")
    # Names that are not known yet would cost a run of the plan; the tasks look at theirs.
    names = dataset.columns(fetch_if_missing=False)
    if names is not None:
        partial._require(names)
        dataset = dataset.select_columns(partial.needed)
    options = {"batch_size": None, **options}
    states = dataset.map_batches(partial, batch_format="pyarrow", **options)
    return partial.merged(states.iter_batches(batch_format="pyarrow"))
