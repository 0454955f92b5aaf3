"""`bertscore` and `cosine`: metrics over vectors that your own model computed."""

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
    """Return the BERTScore statistics of a system, from vectors of hypothesis and reference pieces.

    No model runs here. The statistics give scores, intervals, tests, groups and files, and the gate takes them.

    `vectors` and `references` have one of these forms:

    * a matrix of all pieces of all texts (NumPy, PyTorch; float32, float16 or float64) of shape (pieces, dimensions), which
      `offsets` cuts into texts: text `k` has the rows `offsets[k]` to `offsets[k + 1]`, the latter excluded;
    * a list of matrices, one for each text;
    * an Arrow list of fixed-size lists of float32, whose memory is used without a copy.

    Args:
        vectors: Vectors of the hypotheses.
        references: Vectors of the references.
        offsets, reference_offsets: Offsets of the texts in a matrix: integers, one more than there are texts.
        weights, reference_weights: One weight for each row; 0 for special pieces. Default: all rows weigh the same.
        ids, reference_ids: The id of each row's piece; `idf` and `specials` need ids.
        reference_groups: Index of the segment of each reference, for several references a segment. Default: one reference each.
        idf: Whether to weight pieces by their inverse document frequency in the references. Default: False.
        learned: Path of a file with such weights from other references, written by `Statistics.save_learned` or by the
            program's `--save-learned`.
        specials: Ids of special pieces, which then weigh 0.
        baseline: Precision, recall and F of unrelated texts, for rescaling. Default: no rescaling.
        producer: Name of the model and the layer; scores of two producers are never compared.
        labels: Labels of the segments: a dict from a name to one value for each segment.
        system: Name of the system.
        threads: Number of threads; it never changes the result. Default: all cores.
        progress: True for a tqdm bar, or a callable with `(done, total)`.

    Returns:
        The statistics of the segments; `statistics.score()` has `f1`, `precision` and `recall` as headline numbers.

    Example:
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
    """Return the statistics of the cosine similarity between vectors of hypotheses and of references.

    No model runs here. The arguments that are not listed are those of `bertscore`.

    Args:
        vectors, references: Vectors in the forms of `bertscore`. Without `offsets` each row is the vector of one text.
        offsets, reference_offsets: Offsets of the texts in a matrix; the vector of a text is then the weighted mean of its rows.
        weights, reference_weights: One weight for each row.
        over_references: `max` or `mean`: how the cosines with several references of a segment are combined. Default: `max`.

    Returns:
        The statistics of the segments.

    Example:
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
    """Run a native metric; `hypotheses` and `references` are pairs: vectors, and a list of offsets, groups, weights, ids."""
    named = [_option(key, value) for key, value in options.items() if value is not None]
    own = list((labels or {}).items())
    return _native.vectors(metric, named, hypotheses, references, own, system, threads, progress, learned)
