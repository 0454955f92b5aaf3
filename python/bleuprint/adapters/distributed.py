"""A metric whose state is a row of integers: summed over ranks, it gives the score of all data to the last bit."""

from __future__ import annotations

import sys

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
    """update, compute and reset as in torchmetrics.

    The state is `row`, an int64 array; `compute` sums it over ranks first. `reduce` does that: it takes the array and
    returns the sum over all ranks. The default is `torch.distributed`, if imported and initialized; else there is
    one rank.

    Other libraries average the scores of ranks, which gives a different number; counts add up exactly.

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
        self.reset()

    def reset(self) -> None:
        """Clears the state."""
        numpy = _numpy()
        self.row = numpy.zeros(len(self.metric._engine.zero(self.ids or None).columns()), dtype=numpy.int64)

    def update(self, preds: Any, target: Any = None) -> None:
        """Observes a batch: hypotheses, and the references of each."""
        batch = self.metric.accumulator()
        batch.update(preds, target)
        self._add(batch)

    def _add(self, batch: Accumulator) -> None:
        numpy = _numpy()
        row = batch.row().values()
        both = [int(count) + more for count, more in zip(self.row, row)]
        if max(both) > _LARGEST:
            raise ValueError(f"a count of {max(both)} does not fit 64 bits with a sign")
        self.row = numpy.array(both, dtype=numpy.int64)

    def forward(self, preds: Any, target: Any = None) -> Score:
        """Observes a batch, and returns the score of the batch alone."""
        batch = self.metric.accumulator()
        batch.update(preds, target)
        score = batch.compute()
        self._add(batch)
        return score

    __call__ = forward

    def compute(self) -> Score:
        """The score of the data of all ranks."""
        row = self.reduce(self.row) if self.reduce is not None else _summed(self.row)
        counts = [int(count) for count in row]
        return Accumulator.from_row(self.metric, counts, ids=self.ids).compute()

    def state_dict(self) -> dict[str, Any]:
        """The state, for a checkpoint, with its key."""
        return {"key": self.metric._engine.zero(self.ids or None).key, "row": self.row.copy()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continues from a checkpoint of the same metric."""
        key = self.metric._engine.zero(self.ids or None).key
        if state["key"] != key:
            raise ValueError(f"unlike states: `{key}` and `{state['key']}`")
        counts = [int(count) for count in state["row"]]
        Accumulator.from_row(self.metric, counts, ids=self.ids)
        numpy = _numpy()
        self.row = numpy.array(counts, dtype=numpy.int64)


def _summed(row: Any) -> Any:
    """The sum over the ranks of `torch.distributed`, if there are several."""
    torch: Any = sys.modules.get("torch")
    distributed = getattr(torch, "distributed", None)
    if distributed is None or not distributed.is_available() or not distributed.is_initialized():
        return row
    tensor = torch.from_numpy(row.copy())
    if distributed.get_backend() == "nccl":
        tensor = tensor.cuda()
    distributed.all_reduce(tensor)
    return tensor.cpu().numpy()
