"""`Accumulator`: takes batches, merges with others, and gives the score of all data."""

from __future__ import annotations

from _thread import RLock

from . import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

    from ._metric import Metric
    from ._native import Score


class Accumulator:
    """The statistics of all observed data.

    The statistics are integers, so the score depends neither on the order nor on the cut of the data.

    Example:
        >>> import bleuprint, pickle
        >>> bleu = bleuprint.metric("bleu")
        >>> here, there = bleu.accumulator(), bleu.accumulator()
        >>> batch = here.update(["The dog bit the man."], ["The dog had bit the man."])
        >>> _ = there.update(["It was a surprise to him."], ["It was not a surprise to him."])
        >>> both = here + pickle.loads(pickle.dumps(there))
        >>> both.segments, both.compute() == bleu.score(
        ...     ["The dog bit the man.", "It was a surprise to him."],
        ...     ["The dog had bit the man.", "It was not a surprise to him."])
        (2, True)
        >>> both.retract(batch)
        >>> both.compute() == there.compute()
        True
    """

    __slots__ = ("_lock", "_metric", "_signs", "_state", "__weakref__")

    def __init__(self, metric: Metric, _state: Any = None, _signs: Any = None) -> None:
        self._metric = metric
        # Signs of likely mistakes in all batches, each of which is reported once.
        self._signs = _signs
        # States never change. An update derives a new state from the old one, so copies can share a state.
        self._state = _state
        self._lock = RLock()

    @property
    def metric(self) -> Metric:
        """Return the metric of these statistics."""
        return self._metric

    @property
    def segments(self) -> int:
        """Return the number of observed segments."""
        return 0 if self._state is None else self._state.segments

    @property
    def state_key(self) -> str:
        """Return the state key. Only states with equal keys merge."""
        return self._metric.state_key if self._state is None else self._state.key

    def update(
        self,
        hypotheses: Any,
        references: Any = None,
        *,
        reference_streams: Any = None,
        sources: Any = None,
        threads: Optional[int] = None,
        progress: Any = None,
    ) -> Accumulator:
        """Observe a batch.

        The arguments are those of `Metric.score`. After an error, nothing of the batch is observed.

        Args:
            hypotheses, references, reference_streams, sources (iterable): The segments of the batch.
            threads (int, default 1): The number of threads; 0 means every core.
            progress (bool or callable, optional): See `Metric.score`.

        Returns:
            Accumulator: The batch alone. `retract` can remove it later, as in a sliding window.
        """
        of, state = self._metric, None
        if self._signs is None:
            self._signs = _native.Signs()
        plain = of._plain
        if plain is not None and reference_streams is None and sources is None and threads is None and progress is None:
            engine, several = plain
            state = _native.observe_plain(engine, hypotheses, references, of.empty_references, several, self._signs)
        if state is None:
            metric, data = of._given(hypotheses, references, reference_streams, sources)
            (state,) = metric.observe(data, once=False, signs=self._signs, threads=threads, progress=progress)
        self._merge_state(state)
        return Accumulator(self._metric, state)

    def _merge_state(self, state: Any) -> None:
        with self._lock:
            self._state = state if self._state is None else self._state.merge(state)

    def merge(self, other: Accumulator) -> None:
        """Add the statistics of another accumulator.

        Args:
            other (Accumulator): An accumulator with the same state key; it stays unchanged.

        Raises:
            TypeError: If `other` is not an accumulator.
            ValueError: If `other` has another state key.
        """
        if not isinstance(other, Accumulator):
            raise TypeError(f"an accumulator merges with another, not with {type(other).__name__}")
        # Another thread may update `other` meanwhile. Its state at this moment is what is added.
        added = other._state
        self._require_like(other)
        if added is not None:
            self._merge_state(added)

    def _require_like(self, other: Accumulator) -> None:
        """Reject an accumulator of another metric, even if nothing was observed yet."""
        if self._state is None and other._state is None:
            if self.state_key != other.state_key:
                self._metric._engine.zero().merge(other._metric._engine.zero())
        elif self._state is None:
            self._metric._require(other._state)
        elif other._state is None:
            other._metric._require(self._state)

    def __add__(self, other: Accumulator) -> Accumulator:
        if not isinstance(other, Accumulator):
            return NotImplemented
        both = self.copy()
        both.merge(other)
        return both

    def __radd__(self, other: Any) -> Accumulator:
        # `sum(accumulators)` starts with 0.
        if other == 0:
            return self.copy()
        return NotImplemented

    def retract(self, other: Accumulator) -> None:
        """Remove statistics that were observed or merged before.

        Args:
            other (Accumulator): The statistics to remove, such as the result of `update`.

        Raises:
            TypeError: If `other` is not an accumulator.
            ValueError: If `other` has another state key, or if nothing was observed yet.
        """
        if not isinstance(other, Accumulator):
            raise TypeError(f"an accumulator is taken out of another, not {type(other).__name__}")
        self._require_like(other)
        removed = other._state
        if removed is None:
            return
        with self._lock:
            if self._state is None:
                raise ValueError("nothing was observed yet, so nothing can be taken out")
            self._state = self._state.retract(removed)

    def compute(self) -> Score:
        """Return the score of all observed data. The statistics stay unchanged."""
        if self._signs is not None:
            self._signs.finish()
        score: Score = self._present().score()
        return score

    def reset(self) -> None:
        """Clear all statistics."""
        self._state = None

    def copy(self) -> Accumulator:
        """Return a new accumulator with the same statistics."""
        return Accumulator(self._metric, self._state, self._signs)

    def row(self) -> dict[str, int]:
        """Return the counts by name, if the statistics are a row of counts."""
        state = self._present()
        return dict(zip(state.columns(), state.row()))

    def to_bytes(self) -> bytes:
        """Return the state as bytes, in the format of `bleuprint.tables.state`.

        The bytes are text that ends in a checksum. Weights from `learn` are not part of them.
        """
        return self._metric._engine.write(self._present())

    def _present(self) -> Any:
        return self._metric._engine.zero() if self._state is None else self._state

    @classmethod
    def from_bytes(cls, metric: Metric, data: bytes) -> Accumulator:
        """Create an accumulator from the output of `to_bytes`.

        Args:
            metric (Metric): The metric of the state.
            data (bytes): The output of `to_bytes`.

        Returns:
            Accumulator: An accumulator with the stored statistics.

        Raises:
            ValueError: If the bytes were changed, if the state is of another metric, or if the state is impossible.
        """
        return cls(metric, metric._read(bytes(data)))

    @classmethod
    def from_row(cls, metric: Metric, row: Any, *, ids: bool = False) -> Accumulator:
        """Create an accumulator from the output of `row`.

        Args:
            metric (Metric): The metric of the counts.
            row (dict or sequence of int): The counts by name, or their values in order; each from 0 to 2**64 - 1.
            ids (bool, default False): Whether these are counts of ids instead of text.

        Returns:
            Accumulator: An accumulator with these counts.

        Raises:
            ValueError: If the columns differ from the columns of the metric, or if a count is outside of its range.
        """
        zero = metric._engine.zero(ids or None)
        if isinstance(row, dict):
            columns = zero.columns()
            if set(row) != set(columns):
                raise ValueError(f"a row of {metric.name} has the columns {', '.join(columns)}")
            row = [row[column] for column in columns]
        counts = [int(count) for count in row]
        for column, count in zip(zero.columns(), counts):
            if not 0 <= count < 2**64:
                raise ValueError(f"the count of {column} is {count}, but must be from 0 to {2**64 - 1}")
        return cls(metric, metric._engine.read_row(counts[: len(zero.columns()) + 1], ids or None))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Accumulator):
            return NotImplemented
        return bool(self._present() == other._present())

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        if self._state is None:
            return Accumulator, (self._metric,)
        return Accumulator.from_bytes, (self._metric, self.to_bytes())

    def __repr__(self) -> str:
        return f"<Accumulator of {self.segments} segment{'s' * (self.segments != 1)}, {self.state_key}>"
