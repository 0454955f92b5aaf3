"""Paired significance tests of systems against a baseline."""

from __future__ import annotations

import os
import sys

from .. import _native
from .metrics.base import Metric, Score, Signature, _drawn_seed, seed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Optional

__all__ = ["Metric", "PairedTest", "Result", "Score", "Signature", "estimate_ci"]


def estimate_ci(scores: Any) -> tuple[float, float]:
    """Return the mean of resampled scores and half the width of their 95 % interval.

    Args:
        scores: Scores: a sequence of numbers, or a NumPy array, which is computed in its own precision.

    Raises:
        IndexError: if there are no scores.
    """
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(scores, numpy.ndarray):
        # sacreBLEU computes in the precision of the array, so a float32 array must stay one.
        ordered = numpy.sort(scores)
        low = len(ordered) // 40
        return ordered.mean(), 0.5 * (ordered[len(ordered) - low - 1] - ordered[low])
    numbers = [float(score) for score in scores]
    if not numbers:
        raise IndexError("no scores, so no interval")
    return _native.paired_interval(numbers)


class Result:
    """Score of a system, with the p-value, mean and interval half-width of its test, as far as they were computed."""

    def __init__(
        self,
        score: float,
        p_value: Optional[float] = None,
        mean: Optional[float] = None,
        ci: Optional[float] = None,
    ) -> None:
        self.score = score
        self.p_value = p_value
        self.mean = mean
        self.ci = ci

    def __repr__(self) -> str:
        return ",".join(f"{key}={value}" for key, value in self.__dict__.items())


class PairedTest:
    """Test systems against the first one, the baseline.

    Args:
        named_systems: Pairs of a name and the hypotheses of a system; the baseline comes first.
        metrics: Metrics by name.
        references: Streams of references, or None if the metrics have cached references.
        test_type: `bs` for the paired bootstrap, `ar` for approximate randomization.
        n_samples: Number of resamples or randomizations. Default: 1,000 for `bs`, 10,000 for `ar`.
        n_ar_confidence: With `ar`, the number of resamples for the confidence interval: 0 for 1,000, negative for no interval.
        n_jobs: Number of threads; 0 for half the cores, at most one for each system. It never changes the result.

    Raises:
        AssertionError: if `test_type` is unknown, as in sacreBLEU.

    Example:
        >>> from bleuprint.sacrebleu.metrics import BLEU
        >>> from bleuprint.sacrebleu.significance import PairedTest
        >>> systems = [("base", ["a b c d", "e f g h"]), ("new", ["a b c d", "e f g x"])]
        >>> test = PairedTest(systems, {"BLEU": BLEU()}, [["a b c d", "e f g h"]], test_type="bs", n_samples=100)
        >>> signatures, scores = test()
        >>> scores["System"], round(scores["BLEU"][1].score, 2)
        (['base', 'new'], 72.31)
    """

    _DEFAULT_SAMPLES = {"ar": 10000, "bs": 1000}

    def __init__(
        self,
        named_systems: list[tuple[str, Sequence[str]]],
        metrics: Mapping[str, Metric],
        references: Optional[Sequence[Sequence[str]]],
        test_type: str = "ar",
        n_samples: int = 0,
        n_ar_confidence: int = -1,
        n_jobs: int = 1,
    ) -> None:
        if test_type not in self._DEFAULT_SAMPLES:
            raise AssertionError(f"Unknown test type {test_type!r}")
        self.test_type = test_type
        self._seed = seed()
        self.references = references
        self.named_systems = named_systems
        self.n_samples = n_samples if n_samples > 0 else self._DEFAULT_SAMPLES[test_type]
        self.n_ar_confidence = n_ar_confidence if n_ar_confidence != 0 else self._DEFAULT_SAMPLES["bs"]
        self.n_systems = len(named_systems) - 1
        self.n_jobs = n_jobs if n_jobs != 0 else min(max(1, (os.cpu_count() or 1) // 2), max(1, self.n_systems))
        self.metrics = {}
        self._signatures: dict[str, Signature] = {}
        self._baselines: dict[str, Any] = {}
        name, hypotheses = named_systems[0]
        for metric in metrics.values():
            counted = metric._statistics(name, hypotheses, references)
            shown = metric._score_of(counted._total(), 0).name
            self.metrics[shown], self._baselines[shown] = metric, counted
            signature = self._signatures[shown] = metric.get_signature()
            signature.update("seed", str(self._seed).lower())
            signature.update(test_type, self.n_samples)
            if self.n_ar_confidence > 0:
                # Set for the bootstrap too, whose number of resamples it then hides, as in sacreBLEU's signature.
                signature.update("bs", self.n_ar_confidence)

    def __call__(self) -> tuple[dict[str, Signature], dict[str, list[Any]]]:
        """Run the tests.

        Returns:
            A pair: the signature of each metric, and a dict from each metric to the results of the systems in their order; its key
            `System` has the names of the systems.
        """
        scores: dict[str, list[Any]] = {"System": [name for name, _ in self.named_systems]}
        test: Any = "bootstrap"
        confidence = None
        if self.test_type == "ar":
            test = "randomization"
            confidence = self.n_ar_confidence if self.n_ar_confidence > 0 else None
        drawn = _drawn_seed() if self._seed is None else self._seed
        for shown, metric in self.metrics.items():
            others = [metric._statistics(name, hyps, self.references) for name, hyps in self.named_systems[1:]]
            systems = [self._baselines[shown], *others]
            threads = max(1, self.n_jobs)
            joined = _native.join(systems, None, None)
            rows = joined.paired(test=test, n=self.n_samples, seed=drawn, threads=threads, confidence=confidence)
            scores[shown] = []
            for row in rows:
                interval = row["interval"] or {"mean": None, "half_width": None}
                result = Result(row["score"], row["p_value"], interval["mean"], interval["half_width"])
                scores[shown].append(result)
        return self._signatures, scores
