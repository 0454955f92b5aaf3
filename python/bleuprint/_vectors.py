"""`bertscore` and `cosine`: over vectors of your own model."""

from __future__ import annotations

from . import _native
from ._metric import _option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Optional

    from ._data import Progress
    from ._native import Statistics


def bertscore(
    vectors: Any,
    references: Any,
    *,
    offsets: Any = None,
    weights: Any = None,
    ids: Any = None,
    reference_offsets: Any = None,
    reference_groups: Any = None,
    reference_weights: Any = None,
    reference_ids: Any = None,
    idf: bool = False,
    learned: Any = None,
    specials: Optional[Iterable[int]] = None,
    baseline: Optional[tuple[float, float, float]] = None,
    producer: Optional[str] = None,
    labels: Optional[Mapping[str, Any]] = None,
    system: str = "system",
    threads: Optional[int] = None,
    progress: Progress = None,
) -> Statistics:
    """BERTScore of a system from the vectors of its pieces and those of the references, as statistics: for intervals, tests,
    groups, files and the gate. No model runs here.

    `vectors` and `references` are

    * matrices of all pieces (NumPy, PyTorch; float32, float16 or float64), whose rows `offsets` cut into texts: text `k` has
      the rows `offsets[k]` to `offsets[k + 1]`;
    * lists of matrices, one of each text;
    * Arrow lists of fixed-size lists of float32, whose memory is used as it is and not copied.

    `reference_groups` has the segment of each reference. `weights` are those of the rows, 0 for special pieces; `specials` names
    these by their `ids` instead. `idf` learns the weights of rare pieces from the references; `learned` is a file with such weights
    from other references, of `Statistics.save_learned` or the program's `--save-learned`. `baseline` has P, R and F of unrelated
    texts. `producer` names the model and the layer: scores of two producers are never compared. `threads` and `progress` are
    those of `Metric.score`.

    >>> import bleuprint
    >>> import numpy as np
    >>> cat, dog = [1.0, 0.0], [0.6, 0.8]
    >>> one = bleuprint.bertscore([np.array([cat])], [np.array([cat, dog])], producer="mine")
    >>> {name: round(value, 3) for name, value in one.score().headlines.items()}
    {'f1': 0.889, 'precision': 1.0, 'recall': 0.8}
    """
    options: dict[str, Any] = {"producer": producer}
    if idf:
        options["idf"] = True
    if specials is not None:
        options["specials"] = list(specials)
    if baseline is not None:
        options["baseline"] = list(baseline)
    return _run(
        "bertscore",
        options,
        (vectors, [offsets, None, weights, ids]),
        (references, [reference_offsets, reference_groups, reference_weights, reference_ids]),
        labels,
        system,
        threads,
        progress,
        learned,
    )


def cosine(
    vectors: Any,
    references: Any,
    *,
    offsets: Any = None,
    weights: Any = None,
    reference_offsets: Any = None,
    reference_groups: Any = None,
    reference_weights: Any = None,
    over_references: str = "max",
    producer: Optional[str] = None,
    labels: Optional[Mapping[str, Any]] = None,
    system: str = "system",
    threads: Optional[int] = None,
    progress: Progress = None,
) -> Statistics:
    """Cosine of the vectors of a system's texts and those of the references, as statistics. No model runs here.

    Without `offsets` the vector of a text is its row; with `offsets` it is the weighted mean of its rows. `over_references` is
    `max` or `mean`, the choice among several references of a segment. All else is that of `bertscore`.

    >>> import bleuprint
    >>> import numpy as np
    >>> bleuprint.cosine(np.array([[3.0, 4.0]]), np.array([[4.0, 3.0]]), producer="mine").score().score
    0.96
    """
    options = {"producer": producer}
    if over_references != "max":
        options["references"] = over_references
    return _run(
        "cosine",
        options,
        (vectors, [offsets, None, weights, None]),
        (references, [reference_offsets, reference_groups, reference_weights, None]),
        labels,
        system,
        threads,
        progress,
    )


def _run(
    metric: str,
    options: dict[str, Any],
    hypotheses: tuple[Any, list[Any]],
    references: tuple[Any, list[Any]],
    labels: Optional[Mapping[str, Any]],
    system: str,
    threads: Optional[int],
    progress: Progress,
    learned: Any = None,
) -> Statistics:
    named = [_option(key, value) for key, value in options.items() if value is not None]
    own = list((labels or {}).items())
    return _native.vectors(metric, named, hypotheses, references, own, system, threads, progress, learned)
