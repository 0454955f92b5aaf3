"""Scores by groups of a Spark data frame: `mapInArrow` computes states where the data is, then they merge. No text is shuffled."""

from __future__ import annotations

from ._partial import Partial, require

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Union

    from .._metric import Metric

_RESULT = "metric string, score double, segments bigint, signature string, state binary"


def score(
    frame: Any,
    hyp: str,
    ref: Any = None,
    source: Any = None,
    *,
    by: Union[str, Sequence[str]] = (),
    metric: Union[str, Metric, Sequence[Union[str, Metric]]] = "bleu",
    nulls: str = "error",
) -> Any:
    """Score the groups of a Spark data frame.

    Each task sends one state of a few hundred bytes for each group and metric. States merge exactly, so the result depends neither on the
    partitions nor on repeated tasks. The workers need this package: set `PYSPARK_PYTHON` to an interpreter that has it.

    Args:
        frame: A data frame of Spark.
        hyp, ref, source: Names of the columns: strings, or lists of ids. A segment has one reference or a list of references.
        by: Name of the column to group by, or a list of names. Default: one group.
        metric: A metric, its name, or a list of them.
        nulls: `error` or `skip`: whether a null is an error or leaves its row out.

    Returns:
        A data frame with the columns of `by`, then `metric`, `score`, `segments`, `signature` and `state`, the merged state as bytes.

    Raises:
        ValueError: if a column is missing, or has a dot in its name, which `mapInArrow` does not accept.
    """
    partial = Partial(metric, hyp, ref, source, by=by, nulls=nulls)
    require(frame, "mapInArrow", "a data frame of Spark")
    partial._require(frame.columns)
    dotted = [name for name in partial.needed if "." in name]
    if dotted:
        raise ValueError(f"Spark's mapInArrow takes no column with a dot in its name: rename `{dotted[0]}`, as by `withColumnRenamed`")
    fields = {field.name: field.dataType.simpleString() for field in frame.schema.fields}
    keys = "".join(f"{_quoted(name)} {fields[name]}, " for name in partial.by)
    states = frame.select(*map(_quoted, partial.needed)).mapInArrow(
        _on_workers(partial, "_stream"), f"{keys}metric string, state binary"
    )
    groups = states.groupBy(*map(_quoted, partial.by), "metric")
    return groups.applyInArrow(_on_workers(partial, "_group"), f"{keys}{_RESULT}")


def _quoted(name: str) -> str:
    """Return the name as a quoted identifier of Spark's SQL."""
    return f"`{name.replace('`', '``')}`"


def _on_workers(partial: Partial, method: str) -> Any:
    """Return a function that calls the method of `partial` on a worker.

    A worker can load the function without this package, so that a missing package is reported with a remedy.
    """
    import pickle
    import sys

    pickled, wanted = pickle.dumps(partial), sys.executable

    def work(given: Any) -> Any:
        import pickle
        import sys

        try:
            partial = pickle.loads(pickled)
        except ImportError as error:
            raise ImportError(
                f"{error}: the workers run {sys.executable}, without this package; the driver runs {wanted}. Set PYSPARK_PYTHON (or "
                "spark.pyspark.python) to an interpreter that has it, before the session is made"
            ) from None
        return getattr(partial, method)(given)

    # Sent as code, not by name: a worker without this package could not look it up.
    work.__module__ = "__main__"
    return work
