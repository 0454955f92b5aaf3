"""Scores of ROUGE, and their aggregation by bootstrap resamples."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class Score(NamedTuple):
    """Precision, recall and F of a text, each from 0 to 1."""

    precision: float
    recall: float
    fmeasure: float


class AggregateScore(NamedTuple):
    """Lower end, median and upper end of an interval of resampled means."""

    low: Score
    mid: Score
    high: Score


class BaseScorer(ABC):
    """Base class of objects that score a text against a reference."""

    @abstractmethod
    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """Return the scores by type.

        Args:
            target: The reference.
            prediction: The text to score.
        """


class BootstrapAggregator:
    """Collect the scores of texts, and return the interval of their mean.

    The draws are those of rouge_score 0.1.2, from NumPy's global generator, so `numpy.random.seed` gives rouge_score's numbers bit for
    bit. `bleuprint.metric("rouge1").score(..)` gives the exact mean instead.

    Args:
        confidence_interval: Level of the interval, from 0 to 1. Default: 0.95.
        n_samples: Number of resamples. Default: 1000.

    Raises:
        ValueError: if the level is outside its range, or the number is not positive.
        ImportError: if NumPy is not installed.

    Example:
        >>> from bleuprint.adapters.rouge_score import scoring
        >>> aggregator = scoring.BootstrapAggregator(confidence_interval=0.9)
        >>> for fmeasure in (0.5, 0.0, 1.0):
        ...     aggregator.add_scores({"rouge1": scoring.Score(precision=1.0, recall=0.5, fmeasure=fmeasure)})
        >>> aggregator.aggregate()["rouge1"].mid
        Score(precision=1.0, recall=0.5, fmeasure=0.5)
    """

    def __init__(self, confidence_interval: float = 0.95, n_samples: int = 1000) -> None:
        if not 0 <= confidence_interval <= 1:
            raise ValueError(f"confidence_interval must be in range [0, 1], not {confidence_interval}")
        if n_samples <= 0:
            raise ValueError(f"n_samples must be positive, not {n_samples}")
        self._level = confidence_interval
        self._n_samples = n_samples
        self._scores: dict[str, list[tuple[float, ...]]] = {}
        self._texts = 0

    def add_scores(self, scores: Mapping[str, Any]) -> None:
        """Add the scores of one text, by type.

        Raises:
            ValueError: if a text before it has other types.
            TypeError: if a score is not a tuple of three numbers.
        """
        for name, score in scores.items():
            if not isinstance(score, tuple) or len(score) != 3:
                raise TypeError(f"the score of {name} is {score!r}, but must be a Score of precision, recall and fmeasure")
        if self._texts and set(scores) != set(self._scores):
            before, now = (", ".join(sorted(names)) or "none" for names in (self._scores, scores))
            raise ValueError(f"the scores of text {self._texts} are of {now}, but those before it are of {before}")
        for name, score in scores.items():
            self._scores.setdefault(name, []).append(tuple(score))
        self._texts += 1

    def aggregate(self) -> dict[str, AggregateScore]:
        """Return the interval of each type; an empty dict without scores."""
        return {name: self._interval(rows) for name, rows in self._scores.items()}

    def _interval(self, rows: list[tuple[float, ...]]) -> AggregateScore:
        try:
            import numpy
        except ImportError:
            raise ImportError("BootstrapAggregator draws with NumPy, but NumPy is not installed") from None
        table = numpy.array(rows)
        drawn = numpy.random.randint(0, len(rows), size=(self._n_samples, len(rows)))
        # Each mean is taken of a copy of the drawn rows: the order of the sum decides its last bit.
        means = numpy.array([table[sample].mean(axis=0) for sample in drawn])
        tail = (1 - self._level) / 2
        ends = numpy.percentile(means, 100 * numpy.array([tail, 0.5, 1 - tail]), axis=0)
        low, mid, high = (Score(*end) for end in ends.tolist())
        return AggregateScore(low, mid, high)


def fmeasure(precision: float, recall: float) -> float:
    """Return the harmonic mean of precision and recall, 0 if both are 0."""
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
