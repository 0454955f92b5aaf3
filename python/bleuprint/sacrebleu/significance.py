"""Paired tests of systems against a baseline."""

from __future__ import annotations

from .. import _native
from .metrics.base import _drawn_seed, _seed_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Optional

    from .metrics.base import Metric, Signature


def estimate_ci(scores: Any) -> tuple[float, float]:
    """The mean of scores, and half the width of their 95 % interval."""
    ordered = sorted(scores)
    low = len(ordered) // 40
    high = len(ordered) - low - 1
    mean = scores.mean() if hasattr(scores, "mean") else sum(ordered) / len(ordered)
    return mean, 0.5 * (ordered[high] - ordered[low])


class Result:
    """The score of a system, and what the test says of it."""

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
    """Tests systems against the first of them, by bootstrap (`bs`) or approximate randomization (`ar`).

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
        if test_type == "ar" and n_ar_confidence != -1:
            raise NotImplementedError("intervals beside approximate randomization are not there: use the bootstrap")
        self.named_systems = named_systems
        self.metrics = metrics
        self.references = references
        self.test_type = test_type
        self.n_samples = n_samples if n_samples > 0 else self._DEFAULT_SAMPLES[test_type]
        self.n_ar_confidence = n_ar_confidence
        self.n_jobs = n_jobs

    def __call__(self) -> tuple[dict[str, Signature], dict[str, list[Any]]]:
        signatures: dict[str, Any] = {}
        scores: dict[str, list[Any]] = {"System": [name for name, _ in self.named_systems]}
        test = "bootstrap" if self.test_type == "bs" else "randomization"
        for metric in self.metrics.values():
            counted = [metric._statistics(name, hyps, self.references) for name, hyps in self.named_systems]
            rows = _native.paired_test(counted, test, self.n_samples, _drawn_seed(), threads=max(1, self.n_jobs))
            results = []
            for row in rows:
                interval = row["interval"] or {"mean": None, "half_width": None}
                results.append(Result(row["score"], row["p_value"], interval["mean"], interval["half_width"]))
            signature = metric.get_signature()
            signature.update("bs" if self.test_type == "bs" else "ar", self.n_samples)
            signature.update("seed", _seed_text())
            name = metric._score_of(counted[0]._total(), 0).name
            signatures[name] = signature
            scores[name] = results
        return signatures, scores
