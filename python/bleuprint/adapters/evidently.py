"""A descriptor for Evidently: the score of each row."""

from __future__ import annotations

from .._pools import _of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Union

    from .._metric import Metric


def rows(metric: Union[str, Metric] = "bleu", *, hypothesis: str, reference: str) -> Callable[[Any], Any]:
    """A function for `CustomDescriptor`: a dataset in, a column of numbers out. The mean of the column is no score of the corpus,
    which is `Metric.score(frame[hypothesis], frame[reference])`. It needs evidently.
    """
    chosen = _of(metric)

    def describe(dataset: Any) -> Any:
        import pandas
        from evidently.core.datasets import ColumnType, DatasetColumn

        frame = dataset.as_dataframe()
        scores = [row.score for row in chosen.sentences(list(frame[hypothesis]), list(frame[reference]))]
        return DatasetColumn(type=ColumnType.Numerical, data=pandas.Series(scores, index=frame.index))

    return describe
