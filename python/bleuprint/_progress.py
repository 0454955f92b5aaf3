"""Progress: a user's callback, or a tqdm bar. The native side calls `shown` with the `progress` argument of any call."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def shown(progress: Any) -> Any:
    """Return the callback for a `progress` argument.

    Args:
        progress: None or False for no progress, True for a tqdm bar, or a callable with `(done, total)`.

    Returns:
        A callable with `(done, total)`, or None.

    Raises:
        TypeError: if `progress` is neither a bool, None nor callable.
        ImportError: if `progress` is True and tqdm is not installed.
    """
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
        # The total can grow: a later part of the work is announced only when it begins.
        bar.total = total
        bar.update(done - bar.n)
        if done == total:
            bar.close()

    return update
