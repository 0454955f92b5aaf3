"""`Scoring`: the calls with the data of one system that `Metric` and `Evaluation` share.

A metric scores as an evaluation with one metric.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Generic, Optional, Protocol, TypeVar, Union

    from . import _native

    class _Arrow(Protocol):
        def __arrow_c_array__(self, requested_schema: Any = None) -> Any: ...

    class _Tensor(Protocol):
        def __dlpack__(self) -> Any: ...

    #: The data of a call: texts, ids, tokens, numbers or objects, in lists, arrays or columns of data frames.
    Column = Union[Iterable[Any], _Arrow, _Tensor]

    Progress = Optional[Union[bool, Callable[[int, int], Any]]]
    Sentences = TypeVar("Sentences")
    Kept = TypeVar("Kept")
else:
    Sentences = Kept = None

    class Generic:
        """`typing.Generic` without the import."""

        def __class_getitem__(cls, _):
            return cls


class Scoring(Generic[Sentences, Kept]):
    """Calls that take the data of one system. `_given` returns the evaluation and the data, read once."""

    def _given(self, *data: Any) -> tuple[_native.Evaluation, _native.Data]:
        raise NotImplementedError

    def _of_each(self, results: list[Any]) -> Any:
        """Return the results of all metrics in the form that the call returns."""
        raise NotImplementedError

    def _owners(self) -> list[Any]:
        """Return the metrics that are objects."""
        raise NotImplementedError

    def sentences(
        self,
        hypotheses: Any,
        references: Any = None,
        *,
        reference_streams: Any = None,
        sources: Any = None,
        threads: Optional[int] = None,
        progress: Progress = None,
    ) -> Sentences:
        """Return the score of each segment alone, with the metric's defaults for single segments.

        Args:
            hypotheses, references, reference_streams, sources (iterable): As for `score`.
            threads (int, default 1): The number of threads; 0 means every core.
            progress (bool or callable, optional): See `Metric.score`.

        Returns:
            list of Score, or dict of str to list of Score: One score for each segment; for an `Evaluation`, a dict of such
                lists by the name of the metric.

        Example:
            >>> import bleuprint
            >>> [round(score.score) for score in bleuprint.metric("bleu").sentences(["a b", "a c"], ["a b", "a b"])]
            [100, 50]
            >>> each = bleuprint.metrics("bleu", "ter").sentences(["a b", "a c"], ["a b", "a b"])
            >>> {name: [round(score.score) for score in scores] for name, scores in each.items()}
            {'bleu': [100, 50], 'ter': [0, 50]}
        """
        metrics, data = self._given(hypotheses, references, reference_streams, sources)
        result: Sentences = self._of_each(metrics.sentences(data, threads=threads, progress=progress))
        return result

    def statistics(
        self,
        hypotheses: Any,
        references: Any = None,
        *,
        reference_streams: Any = None,
        sources: Any = None,
        system: str = "system",
        threads: Optional[int] = None,
        progress: Progress = None,
    ) -> Kept:
        """Return the statistics of each segment, for intervals, tests, slices and files.

        Args:
            hypotheses, references, reference_streams, sources (iterable): As for `score`.
            system (str, default "system"): The name of the system.
            threads (int, default 1): The number of threads; 0 means every core.
            progress (bool or callable, optional): See `Metric.score`.

        Returns:
            Statistics, or dict of str to Statistics: The statistics; for an `Evaluation`, a dict of them by the name of the
                metric.

        Example:
            >>> import bleuprint
            >>> each = bleuprint.metric("bleu").statistics(["a b c d", "e f g h"], ["a b c d", "e f g x"])
            >>> len(each), {label: score.counts for label, score in each.slices(["news", "chat"]).items()}
            (2, {'news': [4, 3, 2, 1], 'chat': [3, 2, 1, 0]})
        """
        metrics, data = self._given(hypotheses, references, reference_streams, sources)
        counted = metrics.statistics(self._owners(), data, system=system, threads=threads, progress=progress)
        result: Kept = self._of_each(counted)
        return result
