"""`Scoring`: the calls with the data of one system, which `Metric` and `Evaluation` have in common. An evaluation of one is a metric."""

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

    #: The data of a call: texts, ids, tokens, numbers or objects, in lists, arrays and columns.
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
    """Calls that need an evaluation and the data of the call, read once: `_given` makes both."""

    def _given(self, *data: Any) -> tuple[_native.Evaluation, _native.Data]:
        raise NotImplementedError

    def _of_each(self, results: list[Any]) -> Any:
        """The results of all metrics, as the call gives them."""
        raise NotImplementedError

    def _owners(self) -> list[Any]:
        """The metrics that are objects."""
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
        """The score of each segment alone, with the defaults of the metric for single segments; of several metrics a dict of
        their lists. The arguments are those of `score`.

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
        """The statistics of each segment, for intervals, tests, slices and files; of several metrics a dict. The arguments are
        those of `score`.

        >>> import bleuprint
        >>> each = bleuprint.metric("bleu").statistics(["a b c d", "e f g h"], ["a b c d", "e f g x"])
        >>> len(each), {label: score.counts for label, score in each.slices(["news", "chat"]).items()}
        (2, {'news': [4, 3, 2, 1], 'chat': [3, 2, 1, 0]})
        """
        metrics, data = self._given(hypotheses, references, reference_streams, sources)
        counted = metrics.statistics(self._owners(), data, system=system, threads=threads, progress=progress)
        result: Kept = self._of_each(counted)
        return result
