"""Metrics of a data frame of Spark: states by `mapInArrow` next to the data, and a merge. Text is never shuffled."""

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
    """The scores of a data frame's groups: a data frame with the columns of `by`, then `metric`, `score`, `segments`, `signature`
    and `state`, the merged state as bytes.

    `hyp`, `ref` and `source` are names of columns: strings, or lists of ids; a segment has one reference or a list of them.
    Each task sends one state of some hundred bytes for each group, so the bits depend neither on the partitions nor on tasks that
    are tried again. The workers need this package: set `PYSPARK_PYTHON` to an interpreter that has it.
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
    return f"`{name.replace('`', '``')}`"


def _on_workers(partial: Partial, method: str) -> Any:
    """A function of the method that a worker can read without this package, and that says so where the package is missing."""
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
