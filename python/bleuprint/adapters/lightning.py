"""A callback for Lightning: the score of the validation data, of all batches and all ranks, at the end of each epoch."""

from __future__ import annotations

from .distributed import SummedMetric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Optional, Union

    from .._metric import Metric
    from .._native import Score


class ValidationScore:
    """The callback without its base class: `validation_callback` makes one that is also a `Callback` of Lightning.

    Batches are added as counts, and counts are summed over ranks, so the score is that of all data to the last bit.
    """

    def __init__(
        self,
        metric: Union[str, Metric] = "bleu",
        select: Optional[Callable[[Any, Any], tuple[Any, Any]]] = None,
        *,
        name: Optional[str] = None,
        reduce: Optional[Callable[[Any], Any]] = None,
        ids: bool = False,
    ) -> None:
        super().__init__()
        self.state = SummedMetric(metric, reduce=reduce, ids=ids)
        self.select = select
        self.name = f"val_{self.state.metric.name}" if name is None else name
        self.score: Optional[Score] = None

    def on_validation_epoch_start(self, trainer: Any, pl_module: Any) -> None:
        self.state.reset()

    def on_validation_batch_end(
        self, trainer: Any, pl_module: Any, outputs: Any, batch: Any, batch_idx: int, dataloader_idx: int = 0
    ) -> None:
        if self.select is not None:
            hypotheses, references = self.select(outputs, batch)
        else:
            hypotheses, references = outputs["hypotheses"], outputs["references"]
        self.state.update(hypotheses, references)

    def on_validation_epoch_end(self, trainer: Any, pl_module: Any) -> None:
        self.score = self.state.compute()
        # Every rank has the same number, so there is nothing to average.
        pl_module.log(self.name, self.score.score, sync_dist=False)


def validation_callback(
    metric: Union[str, Metric] = "bleu",
    select: Optional[Callable[[Any, Any], tuple[Any, Any]]] = None,
    *,
    name: Optional[str] = None,
    reduce: Optional[Callable[[Any], Any]] = None,
    ids: bool = False,
) -> Any:
    """A callback for `Trainer(callbacks=[..])`. `select(outputs, batch)` returns the hypotheses and references of a batch
    from the output and the input of `validation_step`; without it `validation_step` must return a dict with `hypotheses`
    and `references`. The number is logged as `name` (`val_bleu` for `bleu`); the score itself is `score`.
    """
    try:
        from lightning.pytorch import Callback  # type: ignore
    except ImportError:
        from pytorch_lightning import Callback  # type: ignore

    made = type("ValidationScore", (ValidationScore, Callback), {"__doc__": ValidationScore.__doc__})
    return made(metric, select, name=name, reduce=reduce, ids=ids)
