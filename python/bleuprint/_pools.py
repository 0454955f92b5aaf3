"""Batches and pools: rewards, all pairs, minimum Bayes risk, each text with the others."""

from __future__ import annotations

from . import _native
from ._metric import Metric, chosen
from ._objects import read_pools

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Optional, Union

    import numpy
    from numpy.typing import NDArray

    from ._data import Column, Progress
    from ._metric import Asked
    from ._native import Ids, Score


#: Names of metrics of which `rewards` has examined a batch.
_HEARD: set[str] = set()

#: Metrics by name, kept because training loops ask for rewards in every step.
_KEPT: dict[str, Metric] = {}


def _of(metric: Asked) -> Metric:
    if not isinstance(metric, str):
        return chosen(metric, "metric")
    kept = _KEPT.get(metric)
    if kept is None:
        kept = chosen(metric, "metric")
        # Options can name files, which can change.
        if ":" not in metric and len(_KEPT) < 64:
            _KEPT[metric] = kept
    return kept


def _numpy() -> Any:
    try:
        import numpy
    except ImportError:
        raise ImportError("this gives a NumPy array, but NumPy is not installed") from None
    return numpy


def ids(
    array: Column,
    *,
    offsets: Optional[Iterable[int]] = None,
    lengths: Optional[Iterable[int]] = None,
    pad_id: Union[int, Iterable[int], None] = None,
    eos_id: Union[int, Iterable[int], None] = None,
) -> Ids:
    """Create sequences of ids from an array, for use as hypotheses, references or sources.

    Args:
        array (array or list): Any object with the buffer protocol or `__dlpack__`, of any integer type and memory order,
            or a list.

            * One dimension: sequence `i` extends from `offsets[i]` to `offsets[i + 1]`.
            * Two dimensions: each row is a sequence; `lengths` gives the number of its ids that count.
            * A list of lists or of arrays: each item is a sequence.
        offsets (iterable of int, optional): The bounds of the sequences in an array of one dimension.
        lengths (iterable of int, optional): The length of each row of an array of two dimensions.
        pad_id (int or iterable of int, optional): Ids that do not count, at any position.
        eos_id (int or iterable of int, optional): Ids that end a sequence. The first of them in a sequence ends it, and
            does not count.

    Returns:
        Ids: The sequences.

    Raises:
        TypeError: If an item is not an integer; the message names its position.

    Example:
        >>> import bleuprint
        >>> list(bleuprint.ids([[5, 6, 2, 9], [0, 7, 0, 0]], pad_id=0, eos_id=2))
        [[5, 6], [7]]
    """
    return _native.ids(array, offsets, lengths, pad_id, eos_id)


def rewards(
    hypotheses: Column,
    references: Optional[Column] = None,
    *,
    reference_streams: Optional[Iterable[Column]] = None,
    metric: Asked = "bleu",
    pad_id: Union[int, Iterable[int], None] = None,
    eos_id: Union[int, Iterable[int], None] = None,
    group_size: int = 1,
    threads: Optional[int] = None,
    progress: Progress = None,
    out: Any = None,
) -> NDArray[numpy.float32]:
    """Return the score of each hypothesis, such as a reward for reinforcement learning.

    After an error, nothing is written to `out`.

    Args:
        hypotheses (iterable): Texts, tokens or ids, as for `Metric.score`. Ids may be arrays of two dimensions.
        references, reference_streams (iterable, optional): As for `Metric.score`, with one entry for each group.
        metric (str or Metric, default "bleu"): The metric, as for `bleuprint.metric`.
        pad_id, eos_id (int or iterable of int, optional): As for `ids`; they apply to hypotheses and references.
        group_size (int, default 1): The number of consecutive hypotheses that share the references of their group.
        threads (int, default 1): The number of threads; 0 means every core.
        progress (bool or callable, optional): See `Metric.score`.
        out (array of floats, optional): An array of shape `(len(hypotheses),)` that receives the scores.

    Returns:
        numpy.ndarray of float32, shape (len(hypotheses),), or `out`: The scores, on the scale of the metric: BLEU is 0 to
            100.

    Raises:
        TypeError: If the metric needs references and there are none, or if `out` is not an array of floats.
        ValueError: If `out` has another shape.
        ImportError: If NumPy is not installed.

    Example:
        >>> import bleuprint
        >>> bleuprint.rewards([[5, 6, 7, 8], [5, 6, 0, 0]], [[5, 6, 7, 8]], pad_id=0, group_size=2).round(1).tolist()
        [100.0, 36.79999923706055]
    """
    filters = pad_id is not None or eos_id is not None
    if not filters and references is not None and reference_streams is None and group_size == 1 and threads is None and progress is None:
        of = _of(metric)
        if of._plain is not None:
            engine, several = of._plain
            heard = isinstance(metric, str) and metric in _HEARD
            plain = _native.reward_plain(engine, hypotheses, references, of.empty_references, several, heard)
            if plain is not None:
                if isinstance(metric, str):
                    _HEARD.add(metric)
                return _filled(plain, out)
    hypotheses, references, streams = map(_native.held, (hypotheses, references, reference_streams))
    if filters:
        hypotheses = _native.ids(hypotheses, None, None, pad_id, eos_id, "hypotheses")
        references = None if references is None else _filtered(references, pad_id, eos_id)
        if streams is not None:
            names = (f"reference_streams[{at}]" for at in range(len(streams)))
            streams = [_native.ids(one, None, None, pad_id, eos_id, name) for one, name in zip(streams, names)]
    of = _of(metric)
    if references is None and streams is None and of.needs_references:
        raise TypeError("references is None, and reference_streams is too")
    engine, data = of._read_data((hypotheses, references, streams, None), group_size=group_size)
    # Only the first batch of a training run is examined: a metric that is given by name can be a new object in each call.
    heard = isinstance(metric, str) and metric in _HEARD
    if isinstance(metric, str):
        _HEARD.add(metric)
    # An array over `bytes` would be read-only.
    return _filled(bytearray(_native.rewards(engine, data, heard, threads, progress)), out)


def _filled(made: bytearray, out: Any) -> NDArray[Any]:
    """Return the rewards as an array, or `out` with the rewards in it."""
    numpy = _numpy()
    scores: NDArray[Any] = numpy.frombuffer(made, dtype=numpy.float32)
    if out is None:
        return scores
    shape = tuple(getattr(out, "shape", ())) or (len(out),)
    if shape != scores.shape:
        raise ValueError(f"out has {' x '.join(map(str, shape))} places, but there are {len(scores)} rewards")
    if getattr(getattr(out, "dtype", None), "kind", "f") != "f":
        raise TypeError(f"out is an array of {out.dtype}, but rewards are floats")
    out[:] = scores
    filled: NDArray[Any] = out
    return filled


def _is_sequence(item: Any) -> bool:
    return isinstance(item, (list, tuple)) or getattr(item, "ndim", 0) > 0


def _filtered(references: Any, pad_id: Any, eos_id: Any) -> Any:
    """Return references, single or several for each segment, without the ids that do not count."""
    # An array of one dimension has one sequence, or none, for each segment.
    if isinstance(references, (list, tuple)) or getattr(references, "dtype", None) == object:
        if any(_is_sequence(item) and len(item) > 0 and _is_sequence(item[0]) for item in references):
            return [
                _native.ids(item, None, None, pad_id, eos_id, f"references[{at}]") for at, item in enumerate(references)
            ]
    return _native.ids(references, None, None, pad_id, eos_id, "references")


def pairwise(
    hypotheses: Column,
    references: Column,
    *,
    metric: Asked = "bleu",
    threads: Optional[int] = None,
    progress: Progress = None,
) -> NDArray[numpy.float64]:
    """Return the score of every hypothesis with every reference alone.

    Args:
        hypotheses, references (iterable): Texts, tokens or ids, as for `Metric.score`; their numbers may differ.
        metric (str or Metric, default "bleu"): The metric, as for `bleuprint.metric`.
        threads (int, default 1): The number of threads; 0 means every core.
        progress (bool or callable, optional): See `Metric.score`.

    Returns:
        numpy.ndarray of float64, shape (len(hypotheses), len(references)): The scores, on the scale of the metric.

    Raises:
        ImportError: If NumPy is not installed.

    Example:
        >>> import bleuprint
        >>> bleuprint.pairwise(["a b", "a c"], ["a b", "c"], metric="chrf").round(1).tolist()
        [[100.0, 0.0], [25.0, 83.3]]
    """
    # Engines hold metrics and objects weakly, so that both must live as long as the call.
    of = _of(metric)
    engine, (own, others), _held = read_pools(of, {"hypotheses": hypotheses, "references": references})
    data, rows, columns = _native.pairwise(engine, own, others, threads, progress)
    numpy = _numpy()
    scores: NDArray[Any] = numpy.frombuffer(bytearray(data), dtype=numpy.float64).reshape(rows, columns)
    return scores


class MbrResult:
    """The result of minimum Bayes risk decoding.

    Attributes:
        best (int): The index of the best hypothesis.
        order (list of int): The indices of all hypotheses, from the best to the worst.
        utilities (list of float): The expected score of each hypothesis.
    """

    __slots__ = ("best", "order", "utilities")

    def __init__(self, utilities: list[float], order: list[int]) -> None:
        self.utilities = utilities
        self.order = order
        self.best = order[0]

    def __repr__(self) -> str:
        return f"MbrResult(best={self.best}, utility={self.utilities[self.best]})"


def mbr(
    candidates: Column,
    samples: Optional[Column] = None,
    *,
    metric: Asked = "chrf",
    weights: Optional[Iterable[float]] = None,
    log_weights: Optional[Iterable[float]] = None,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> MbrResult:
    """Return the candidate with the best expected score over pseudo-references (minimum Bayes risk decoding).

    Args:
        candidates (iterable): The hypotheses to choose from.
        samples (iterable, optional): The pseudo-references; by default the candidates.
        metric (str or Metric, default "chrf"): The metric, as for `bleuprint.metric`.
        weights (iterable of float, optional): One weight for each pseudo-reference: finite, not negative, not all zero.
        log_weights (iterable of float, optional): The logarithms of the weights; minus infinity is a weight of 0.
        threads (int, default 1): The number of threads; 0 means every core.
        progress (bool or callable, optional): See `Metric.score`.

    Returns:
        MbrResult: The best candidate, the order of all candidates, and the expected score of each.

    Raises:
        ValueError: If the number of weights differs from the number of pseudo-references, or if a weight is invalid.

    Example:
        >>> import bleuprint
        >>> bleuprint.mbr(["the cat sat", "the cat sits", "a dog ran"]).best
        1
    """
    given = {"candidates": candidates} if samples is None else {"candidates": candidates, "samples": samples}
    of = _of(metric)
    engine, pools, _held = read_pools(of, given)
    weights = None if weights is None else [float(weight) for weight in weights]
    log_weights = None if log_weights is None else [float(weight) for weight in log_weights]
    # Without samples, the candidates are compared with each other.
    return MbrResult(*_native.mbr(engine, pools[0], pools[-1], weights, log_weights, threads, progress))


def self_bleu(
    texts: Column, *, metric: Asked = "bleu", threads: Optional[int] = None, progress: Progress = None
) -> list[Score]:
    """Return the score of each text with all other texts as its references: the similarity of samples.

    Self-BLEU in the literature is the mean of these numbers.

    Args:
        texts (iterable): The samples.
        metric (str or Metric, default "bleu"): The metric, as for `bleuprint.metric`.
        threads (int, default 1): The number of threads; 0 means every core.
        progress (bool or callable, optional): See `Metric.score`.

    Returns:
        list of Score: One score for each text, in the same order.

    Raises:
        ValueError: If there is only one text, which then has no references.

    Example:
        >>> import bleuprint
        >>> [round(score.score, 1) for score in bleuprint.self_bleu(["a b c d", "a b c d", "x y z"])]
        [100.0, 100.0, 0.0]
    """
    of = _of(metric)
    engine, (pool,), _held = read_pools(of, {"texts": texts})
    return _native.self_scores(engine, pool, threads, progress)
