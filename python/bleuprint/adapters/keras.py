"""A callback for Keras: the score of the validation data at the end of each epoch, from one state of all batches."""

from __future__ import annotations

from .._pools import _of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Optional, Union

    from .._metric import Metric


def validation_callback(
    metric: Union[str, Metric],
    batches: Iterable[tuple[Any, Any]],
    generate: Callable[[Any, Any], Any],
    *,
    name: Optional[str] = None,
) -> Any:
    """A `keras.callbacks.Callback`. `batches` are pairs of inputs and references, iterated in each epoch;
    `generate(model, inputs)` returns the hypotheses: text, or ids. The number goes to the logs as `name` (`val_bleu` for
    `bleu`), where History and, behind it in the list, EarlyStopping find it; the scores themselves are in `scores`.

    Keras averages the scores of batches; here their counts are added, so the score does not depend on the batch size.
    """
    import keras  # type: ignore

    chosen = _of(metric)
    if iter(batches) is batches:
        raise TypeError("batches can be gone over once only, but are needed in each epoch: give a list")

    class ValidationScore(keras.callbacks.Callback):
        """Scores the validation data at the end of each epoch."""

        def __init__(self) -> None:
            super().__init__()
            self.name = f"val_{chosen.name}" if name is None else name
            self.scores: list[Any] = []

        def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
            state = chosen.accumulator()
            for inputs, references in batches:
                state.update(generate(self.model, inputs), references)
            self.scores.append(state.compute())
            if logs is not None:
                logs[self.name] = self.scores[-1].score

    return ValidationScore()
