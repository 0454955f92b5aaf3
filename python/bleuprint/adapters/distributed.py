"""A metric whose state is a row of integers: summed over ranks, it gives the exact score of all data."""

from __future__ import annotations

import sys

from .. import _native
from .._accumulator import Accumulator
from .._pools import _numpy, _of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Optional, Union

    from .._metric import Metric
    from .._native import Score

_LARGEST = 2**63 - 1


class SummedMetric:
    """Score data that is spread over ranks, with update, compute and reset as in torchmetrics.

    The state is `row`, an int64 array of counts, which `compute` sums over the ranks first. Libraries that average the scores of
    ranks get another number; counts add up exactly.

    Args:
        metric: A metric or its name; its statistics must be a row of counts.
        reduce: A function from the array to its sum over all ranks. Default: `torch.distributed` if it is imported and
            initialized; otherwise there is one rank.
        ids: Whether the data is token ids, or lists of tokens, and never text. Default: False, the kind of the first batch. A rank
            that may get no data needs it, as it cannot know the kind.

    Raises:
        ValueError: if the statistics of the metric are not a row of counts.

    Example:
        >>> from bleuprint.adapters.distributed import SummedMetric
        >>> ranks = [SummedMetric("bleu"), SummedMetric("bleu")]
        >>> ranks[0].update(["a b c d"], [["a b c d"]])
        >>> ranks[1].update(["a b c x"], [["a b c d"]])
        >>> rows = sum(rank.row for rank in ranks)
        >>> ranks[0].reduce = lambda row: rows
        >>> ranks[0].compute().counts
        [7, 5, 3, 1]
    """

    def __init__(
        self,
        metric: Union[str, Metric] = "bleu",
        *,
        reduce: Optional[Callable[[Any], Any]] = None,
        ids: bool = False,
    ) -> None:
        self.metric = _of(metric)
        self.reduce = reduce
        self.ids = ids
        if self.metric.columns is None:
            raise ValueError(f"the statistics of {self.metric.name} are not a row of counts, so they cannot be summed")
        self.row: Any = None
        self._key: Optional[str] = None
        # Signs of likely mistakes in all batches, each of which is reported once.
        self._signs = _native.Signs()
        self.reset()

    @property
    def state_key(self) -> str:
        """Return the state key of the data. Before the first batch it is the key of text, or of ids with `ids=True`."""
        return self._key_of(self.ids) if self._key is None else self._key

    def _key_of(self, ids: bool) -> str:
        key: str = self.metric._engine.zero(ids or None).key
        return key

    def _state(self, counts: list[int], key: str) -> Accumulator:
        """Return the counts as a state with this key, which is that of text or that of ids."""
        if key == self._key_of(self.ids):
            return Accumulator.from_row(self.metric, counts, ids=self.ids)
        own = self._key_of(self.ids)
        try:
            over_ids = self._key_of(True)
        except ValueError:
            # A metric that reads text, such as chrF, has no key over ids.
            over_ids = own
        if key == over_ids:
            return Accumulator.from_row(self.metric, counts, ids=True)
        raise ValueError(f"unlike states: `{own}` and `{key}`")

    def reset(self) -> None:
        """Clear the state, and forget whether the data was text or ids."""
        numpy = _numpy()
        self._key = self._key_of(True) if self.ids else None
        self.row = numpy.zeros(len(self.metric._engine.zero(self.ids or None).columns()), dtype=numpy.int64)

    def update(self, preds: Any, target: Any = None, *, sources: Any = None) -> None:
        """Add a batch.

        Args:
            preds: The hypotheses.
            target: One reference or a list of references for each hypothesis.
            sources: A source for each hypothesis, for metrics that read the source.

        Raises:
            ValueError: if a count exceeds 2^63 - 1, if the data does not fit the metric, or if it is text where earlier batches
                were ids or lists of tokens, or the reverse: such statistics have unlike state keys.
        """
        self._add(self._batch(preds, target, sources))

    def _batch(self, preds: Any, target: Any, sources: Any) -> Accumulator:
        batch = Accumulator(self.metric, _signs=self._signs)
        batch.update(preds, target, sources=sources)
        return batch

    def _add(self, batch: Accumulator) -> None:
        """Add the counts of a batch to the row."""
        numpy = _numpy()
        if batch.segments == 0:
            return
        if self._key is not None and batch.state_key != self._key:
            hint = "; with ids=True it takes ids or lists of tokens alone" if self.ids else ""
            raise ValueError(f"unlike states: `{self._key}` and `{batch.state_key}`{hint}")
        row = batch.row().values()
        both = [int(count) + more for count, more in zip(self.row, row)]
        if max(both) > _LARGEST:
            raise ValueError(f"a count of {max(both)} does not fit 64 bits with a sign")
        self._key = batch.state_key
        self.row = numpy.array(both, dtype=numpy.int64)

    def forward(self, preds: Any, target: Any = None, *, sources: Any = None) -> Score:
        """Add a batch as `update` does, and return the score of this batch alone."""
        batch = self._batch(preds, target, sources)
        score = batch.compute()
        self._add(batch)
        return score

    __call__ = forward

    def compute(self) -> Score:
        """Return the score of the data of all ranks."""
        row = self.reduce(self.row) if self.reduce is not None else _summed(self.row)
        return self._state([int(count) for count in row], self.state_key).compute()

    def state_dict(self) -> dict[str, Any]:
        """Return the state for a checkpoint: a dict with the state `key` and the `row` as a list of int.

        `torch.load` reads it with its default, `weights_only=True`.
        """
        return {"key": self.state_key, "row": [int(count) for count in self.row]}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Replace the state by a checkpoint of the same metric.

        Args:
            state: A dict from `state_dict`.

        Raises:
            ValueError: if the checkpoint has another state key, or its row is not a valid row of counts.
        """
        counts = [int(count) for count in state["row"]]
        loaded = self._state(counts, state["key"])
        numpy = _numpy()
        self.reset()
        if loaded.segments > 0:
            self._key = state["key"]
        self.row = numpy.array(counts, dtype=numpy.int64)


def _summed(row: Any) -> Any:
    """Return the sum over the ranks of `torch.distributed`, or the row itself if there is one rank."""
    torch: Any = sys.modules.get("torch")
    distributed = getattr(torch, "distributed", None)
    if distributed is None or not distributed.is_available() or not distributed.is_initialized():
        return row
    tensor = torch.from_numpy(row.copy())
    # NCCL reduces only tensors in GPU memory.
    if distributed.get_backend() == "nccl":
        tensor = tensor.cuda()
    distributed.all_reduce(tensor)
    return tensor.cpu().numpy()
