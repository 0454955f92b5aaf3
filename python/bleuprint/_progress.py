"""Progress: a callback, or a tqdm bar if tqdm is installed. The native side asks for it, with the argument of any call."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def shown(progress: Any) -> Any:
    """The callback for `progress`: nothing for None and False, a tqdm bar for True."""
    if progress is None or progress is False:
        return None
    if progress is not True:
        if not callable(progress):
            raise TypeError(f"progress is {type(progress).__name__}, but must be True or be callable with (done, total)")
        return progress
    try:
        from tqdm.auto import tqdm
    except ImportError:
        raise ImportError("progress=True shows a bar of tqdm, which is not installed") from None
    bar = None

    def update(done: int, total: int) -> None:
        nonlocal bar
        if bar is None:
            bar = tqdm(total=total)
        # Further parts of the work are announced as they begin.
        bar.total = total
        bar.update(done - bar.n)
        if done == total:
            bar.close()

    return update
