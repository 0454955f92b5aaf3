"""`Ledger`: counts of a running service on disk, and the scores of its time windows."""

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
    """Store counts on disk, each event once, and score any time window.

    The score of a window is the exact corpus score of all its segments. `bleuprint track` reads the same file for alarms,
    comparisons of versions, the page with the trend, and Prometheus. Threads and processes of one machine can share the file.

    Args:
        place: Path of the ledger; the file is created if it does not exist.
        bucket: Length of a bucket, such as `15m`, `1h` or `1d`; windows are multiples of it. Default: one hour.

    Example:
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
        """Length of a bucket, as text such as `1h`."""
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
        """Add the counts of an accumulator, or the total of statistics, as one event.

        Args:
            counted: An accumulator or statistics. A score is refused, because scores do not merge.
            key: Permanent name of the event. The same content under the same key counts once, so a repeated call is harmless.
                Different content under a known key is an error, or a correction if `upsert` is true.
            stream: Name of the service.
            version: Version of the service's model.
            slice: Labels of the event, such as `{"language": "de"}`; choose the values from a fixed list.
            time: Time of the event: a datetime with a time zone, or text such as `2026-11-21T10:00:00Z`. A late event counts in
                the bucket of its time. Default: the time of the first addition under the key.
            retracts: Key of an event that this event replaces.
            upsert: Whether different content under a known key replaces the old content. Default: False.
            reset_clock: Set it for a ledger to which a machine has added while its clock was ahead. Default: False.

        Returns:
            True if the event is new, False if the ledger already has it.

        Raises:
            TypeError: if `counted` or `time` has another type.
            ValueError: if `time` has no time zone.
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
        """Remove the event `target` by adding another event.

        Args:
            target: Key of the event to remove.
            key: Key of the event that removes it.
            time: Time of the removal, as in `add`.

        Returns:
            True if the removal is new, False if the ledger already has it.
        """
        return self._native.retract(target, key, _text(time))

    def show(
        self,
        window: str = "24h",
        *,
        by: Sequence[str] = ("version",),
        stream: Optional[str] = None,
        as_of: Optional[int] = None,
    ) -> list[dict[str, Any]]:
        """Return the scores of each stream over the last hours or days.

        Args:
            window: Length of the window, such as `24h` or `7d`; a multiple of `bucket`.
            by: What to group by, besides the stream and the metric: `version`, `slice`, or names of labels of slices. A list, not
                a single str.
            stream: Name of the only stream to show. Default: all streams.
            as_of: Number of events: show the ledger as it was after that many. Default: all events.

        Returns:
            One dict for each group with `stream`, `metric`, `labels`, `until`, `segments` and `score`. A group without a score has
            `error`, the reason, instead of `score`.
        """
        # A str is passed on unchanged, because the native side refuses it: `list` would split it into characters.
        names: Any = by if isinstance(by, str) else list(by)
        return self._native.show(window, names, stream, as_of)

    def verify(self) -> list[str]:
        """Check the ledger and return the faults found, as sentences; the list is empty if the ledger is sound."""
        return self._native.verify()

    def __reduce__(self) -> Any:
        return Ledger, (self._place,)

    def __repr__(self) -> str:
        return f"<Ledger {self._place}, buckets of {self.bucket}>"


def _text(time: Union[datetime, str, None]) -> Optional[str]:
    """Return the time as ISO 8601 text; refuse a datetime without a time zone."""
    if time is None or isinstance(time, str):
        return time
    if not hasattr(time, "isoformat") or not hasattr(time, "utcoffset"):
        raise TypeError(f"time is {type(time).__name__}, but must be a datetime or a str")
    if time.utcoffset() is None:
        raise ValueError(f"time is {time.isoformat()}, without a time zone")
    return time.isoformat()
