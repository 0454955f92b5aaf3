"""Scores by groups of a Polars frame, which is read in slices."""

from __future__ import annotations

from ._partial import Partial, require

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Optional, Union

    from .._metric import Metric


def score(
    frame: Any,
    hyp: str,
    ref: Any = None,
    source: Any = None,
    *,
    by: Union[str, Sequence[str]] = (),
    metric: Union[str, Metric, Sequence[Union[str, Metric]]] = "bleu",
    nulls: str = "error",
    threads: Optional[int] = None,
    batch_size: int = 50_000,
) -> Any:
    """Score the groups of a Polars frame.

    Only the columns that are needed are collected, by Polars' own threads.

    Args:
        frame: A `DataFrame` or `LazyFrame`.
        hyp, ref, source: Names of the columns: strings, or lists of ids. A segment has one reference or a list of references.
        by: Name of the column to group by, or a list of names. Default: one group.
        metric: A metric, its name, or a list of them.
        nulls: `error` or `skip`: whether a null is an error or leaves its row out.
        threads: Number of threads for counting; it never changes the result. Default: all cores.
        batch_size: Number of rows in a slice.

    Returns:
        A frame with the columns of `by`, then `metric`, `score`, `segments`, `signature` and `state`, the merged state as bytes.
    """
    import polars

    require(frame, "lazy", "a frame of Polars, such as pl.scan_parquet(..) or pl.DataFrame(..)")
    partial = Partial(metric, hyp, ref, source, by=by, nulls=nulls, threads=threads)
    lazy = frame.lazy()
    partial._require(lazy.collect_schema().names())
    collected = lazy.select(partial.needed).collect()
    slices = (part.to_arrow() for part in collected.iter_slices(batch_size))
    return polars.from_arrow(partial.merged(partial.stream(slices), collected.head(0).to_arrow().schema))
