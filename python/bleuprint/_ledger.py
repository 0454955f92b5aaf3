"""`Ledger`: the scores of a running service, from the counts that it adds."""

from __future__ import annotations

from . import _native
from ._accumulator import Accumulator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from os import PathLike
    from typing import Any, Optional, Union

    from ._native import Statistics


class Ledger:
    """Counts on disk: every event counts once, and the score of a window is that of all its segments.

    `bleuprint track` reads the same file: alarms, comparisons of versions, the page with the trend, Prometheus. A file that
    is not there is made, with buckets of length `bucket` (`15m`, `1h`, `1d`; an hour by default): windows are multiples of it.
    Threads and processes of one machine share it.

    >>> import bleuprint, os, tempfile
    >>> track = bleuprint.Ledger(os.path.join(tempfile.mkdtemp(), "scores.db"))
    >>> hour = bleuprint.metric("bleu").accumulator()
    >>> _ = hour.update(["The dog bit the man."], ["The dog had bit the man."])
    >>> event = {"key": "pod3-0007", "stream": "support", "version": "m1", "time": "2026-11-21T10:00:00Z"}
    >>> track.add(hour, **event), track.add(hour, **event)
    (True, False)
    >>> [(group["metric"], group["labels"], group["segments"], group["score"] == hour.compute()) for group in track.show("24h")]
    [('bleu', {'version': 'm1'}, 1, True)]
    >>> track.verify()
    []
    """

    __slots__ = ("_native", "_place")

    def __init__(self, place: Union[str, PathLike[str]], *, bucket: Optional[str] = None) -> None:
        self._native = _native.Ledger(place, bucket)
        self._place = place

    @property
    def bucket(self) -> str:
        """The length of a bucket."""
        return self._native.bucket

    def add(
        self,
        counted: Union[Accumulator, Statistics],
        *,
        key: str,
        stream: str,
        version: str,
        slice: Optional[Mapping[str, str]] = None,
        time: Union[datetime, str, None] = None,
        retracts: Optional[str] = None,
        upsert: bool = False,
        reset_clock: bool = False,
    ) -> bool:
        """Adds the counts of an accumulator, or the total of statistics, as an event. Returns True if the event is new.

        `key` names the event for ever: the same content under it counts once, so that a repetition is harmless. Other
        content is an error, or a correction with `upsert`. `stream` is the service, `version` that of its model, `slice` are
        labels of a fixed list. `time` is a datetime with a time zone or a text as in `2026-11-21T10:00:00Z`, by default that of
        the first addition under the key; a late event counts in the bucket of its time. `retracts` is the key of an event that
        this one replaces. `reset_clock` is for a ledger to which a machine has added with a clock that was ahead.
        """
        source: Any
        if isinstance(counted, Accumulator):
            engine, state = counted.metric._engine, counted._state
            source, state = engine, engine.zero() if state is None else state
        elif isinstance(counted, _native.Statistics):
            source, state = counted, counted._total()
        elif isinstance(counted, _native.Score):
            raise TypeError("a score does not merge: add the accumulator or the statistics that it was made of")
        else:
            raise TypeError(f"{type(counted).__name__} is given, but an event is of an accumulator or of statistics")
        labels = [(str(name), str(value)) for name, value in (slice or {}).items()]
        return self._native.add(source, state, key, stream, version, labels, _text(time), retracts, upsert, reset_clock)

    def retract(self, target: str, *, key: str, time: Union[datetime, str, None] = None) -> bool:
        """Takes the event `target` out again, by another event with the key `key`. Returns True if that is new."""
        return self._native.retract(target, key, _text(time))

    def show(
        self,
        window: str = "24h",
        *,
        by: Sequence[str] = ("version",),
        stream: Optional[str] = None,
        as_of: Optional[int] = None,
    ) -> list[dict[str, Any]]:
        """The scores of the last hours or days of each stream, by metric and by `version`, `slice` or labels of slices.

        A group has `stream`, `metric`, `labels`, `until`, `segments`, and `score`, or instead of it `error`, the reason. `as_of` is
        a number of events: the ledger as it was after these.
        """
        # A text alone is refused there.
        names: Any = by if isinstance(by, str) else list(by)
        return self._native.show(window, names, stream, as_of)

    def verify(self) -> list[str]:
        """The faults of the ledger, in words; an empty list for a sound one."""
        return self._native.verify()

    def __reduce__(self) -> Any:
        return Ledger, (self._place,)

    def __repr__(self) -> str:
        return f"<Ledger {self._place}, buckets of {self.bucket}>"


def _text(time: Union[datetime, str, None]) -> Optional[str]:
    if time is None or isinstance(time, str):
        return time
    if not hasattr(time, "isoformat") or not hasattr(time, "utcoffset"):
        raise TypeError(f"time is {type(time).__name__}, but must be a datetime or a str")
    if time.utcoffset() is None:
        raise ValueError(f"time is {time.isoformat()}, without a time zone")
    return time.isoformat()
