"""Data of metrics written in Python: numbers, lists of tokens, and objects of any type, which stay in Python.

Rust sees only a text for each object, which names it (`_native.Objects`), and passes the object itself to the metric.
"""

from __future__ import annotations

from . import _native
from ._answers import as_answers
from ._labels import as_labels
from ._shapes import as_lists, refuse_wrapped, refuse_wrapped_pool
from ._tokens import Ids, are_tokens, as_ids

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Optional

    from ._tokens import Cut

_LISTS = (list, tuple)


def _items(given: Any, place: str) -> list[Any]:
    """Return the entries of a column, which is any iterable except a text or a dict."""
    if isinstance(given, (str, bytes, bytearray)) or not hasattr(given, "__iter__") or isinstance(given, dict):
        raise TypeError(f"{place} is {type(given).__name__}, but must be a list")
    # The items of a PyArrow array are scalars, and structs of them are no dicts.
    return given.to_pylist() if hasattr(given, "to_pylist") else list(given)


def _any(given: Any, place: str) -> Any:
    return given


def _text(given: Any, place: str) -> str:
    if not isinstance(given, str):
        raise TypeError(f"{place} is {type(given).__name__}, but must be a str")
    return given


def _tokens(given: Any, place: str) -> list[Any]:
    if not isinstance(given, _LISTS):
        raise TypeError(f"{place} is {type(given).__name__}, but must be a list of tokens, as the hypotheses are")
    return list(given)


def _ids(given: Any, place: str) -> list[int]:
    (ids,) = _native.ids([given], None, None, None, None, place)
    return list(ids)


def _scalar(given: Any, place: str) -> float:
    if isinstance(given, (str, bytes)) or not (hasattr(given, "__float__") or hasattr(given, "__index__")):
        raise TypeError(f"{place} is {type(given).__name__}, but must be a number or a list of numbers")
    try:
        number = float(given)
    except OverflowError:
        raise ValueError(f"{place} is {given}, but must be a number of 64 bits") from None
    if number - number != 0.0:
        raise ValueError(f"{place} is {number}, but must be finite")
    return number


def _number(given: Any, place: str) -> Any:
    if isinstance(given, _LISTS) or getattr(given, "ndim", 0) == 1:
        return [_scalar(one, f"{place}[{at}]") for at, one in enumerate(given)]
    return _scalar(given, place)


_CHECKS = {"text": _text, "tokens": _tokens, "ids": _ids, "numbers": _number, "objects": _any}

#: The kinds of data that only metrics written in Python take.
OWN = ("numbers", "objects")


class Reader:
    """Reader of columns of one kind. `keep` converts each item to the value that the column holds."""

    def __init__(self, looks_at: str, one_reference: bool, keep: Any) -> None:
        self._looks_at = looks_at
        self._check = _CHECKS[looks_at]
        self._one = one_reference
        self._keep = keep

    def _item(self, given: Any, place: str) -> Any:
        return self._keep(self._check(given, place))

    def column(self, given: Any, place: str) -> list[Any]:
        return [self._item(one, f"{place}[{at}]") for at, one in enumerate(_items(given, place))]

    def _are_several(self, entries: list[Any]) -> bool:
        """Return whether each entry is a list of references.

        For objects, the class of the metric decides; for other kinds, the first entry that is not empty.
        """
        if self._one or self._looks_at == "objects":
            return not self._one
        first = next((one for one in entries if isinstance(one, _LISTS) and len(one) > 0), None)
        flat = self._looks_at in ("text", "numbers")
        return first is not None and (flat or isinstance(first[0], _LISTS))

    def references(self, given: Any) -> list[list[Any]]:
        entries = _items(given, "references")
        if not self._are_several(entries):
            return [[one] for one in self.column(entries, "references")]
        several = []
        for at, one in enumerate(entries):
            place = f"references[{at}]"
            if self._looks_at == "objects" and not isinstance(one, _LISTS):
                raise TypeError(
                    f"{place} is {type(one).__name__}, but must be a list of references; `one_reference = True` is for metrics with one"
                )
            several.append(self.column(one, place) if isinstance(one, _LISTS) else [self._item(one, place)])
        return several


def _held(looks_at: str, one_reference: bool) -> tuple[Reader, Any]:
    objects = _native.Objects()
    # The empty text stands for an empty list of tokens, so that Rust treats it as an empty reference.
    keep = objects.add if looks_at != "tokens" else lambda tokens: objects.add(tokens) if tokens else ""
    return Reader(looks_at, one_reference, keep), objects


def column(looks_at: str, given: Any, place: str) -> tuple[Any, Any]:
    """Return a column for Rust, and the objects that it names, which must live as long as the column is used."""
    if looks_at not in OWN:
        return given, None
    reader, objects = _held(looks_at, True)
    return reader.column(given, place), objects


def _data(looks_at: str, one_reference: bool, given: Sequence[Any], settings: dict[str, Any]) -> _native.Data:
    hypotheses, references, streams, sources = given
    reader, objects = _held(looks_at, one_reference)
    hypotheses = reader.column(hypotheses, settings.get("name", "hypotheses"))
    if references is not None:
        references = reader.references(references)
    if streams is not None:
        every = enumerate(_items(streams, "reference_streams"))
        streams = [reader.column(stream, f"reference_streams[{at}]") for at, stream in every]
    if sources is not None:
        sources = reader.column(sources, "sources")
    return _native.Data(hypotheses, references, streams, sources, objects=objects, **settings)


def _require_one_kind(metrics: Sequence[Any]) -> str:
    kinds: dict[Any, str] = {}
    for one in metrics:
        own = getattr(one, "looks_at", "text")
        kind = (own, one.one_reference) if own in OWN else ("text, tokens or ids", False)
        kinds.setdefault(kind, one if isinstance(one, str) else one.name)
    if len(kinds) > 1:
        ((one, single), first), ((other, several), second) = list(kinds.items())[:2]
        if one == other:
            one, other = (f"{kind}, {'one reference' if is_one else 'several references'}" for kind, is_one in kinds)
        raise TypeError(f"{first} takes {one}, but {second} takes {other}: score them apart")
    ((kind, _),) = kinds
    return str(kind)


def _asked(metric: Any) -> str:
    """Return the name by which the user chose a metric of the registry, and an empty name for metrics written in Python."""
    if isinstance(metric, str):
        return metric
    return "" if metric._is_own else str(metric.name)


def _takes_labels(metric: Any) -> bool:
    """Return whether the texts of the metric are labels, so that numbers are read as labels too."""
    return _asked(metric).partition(":")[0].lower() in ("labels", "accuracy", "spans")


def takes_answers(metric: Any) -> bool:
    """Return whether the metric compares short answers, which data sets have as records."""
    return _asked(metric).startswith("squad")


def _takes_tags(metric: Any) -> bool:
    """Return whether each text of the metric is a sequence of tags."""
    asked = metric if isinstance(metric, str) else str(metric._facts["state_key"]).replace(":yes", "")
    return asked.startswith("spans") or "tokens" in asked.replace("|", ",").replace(":", ",").split(",")


def takes_tags(metric: Any) -> bool:
    """Return whether a list of texts is one sequence of tags for the metric, and not several references."""
    return _takes_labels(metric) and _takes_tags(metric)


def read(
    metrics: Sequence[Any], given: Sequence[Any], cut: Optional[Cut], form: Optional[_native.Form] = None, **settings: Any
) -> tuple[_native.Data, bool]:
    """Return the data of a call for these metrics, and `True` if the data are lists of tokens.

    `given` holds hypotheses, references, streams and sources. `form` is the data format of metrics that have their own.
    """
    held: Any = [_native.held(one) for one in given]
    if form is not None:
        # These formats have no empty references, so the setting has no meaning for them.
        settings.pop("empty_references", None)
        return form.data(*held, **settings), False
    kind = _require_one_kind(metrics)
    if kind in OWN:
        return _data(kind, metrics[0].one_reference, held, settings), False
    if cut is None and all(_takes_labels(one) for one in metrics):
        return _native.Data(*as_labels(held[0], held[1], held[2], held[3], tags=any(_takes_tags(one) for one in metrics)), **settings), False
    if any(takes_answers(one) for one in metrics):
        held[:2] = as_answers(held[0], held[1], no_answer=all(_asked(one).startswith("squad2") for one in metrics))
    if cut is None:
        held[0] = as_lists(held[0])
        if not are_tokens(*held[:3]):
            return _native.Data(*held, **settings), False
        held[1:] = [_lists(held[1]), _streams(held[2]), _lists(held[3])]
        refuse_wrapped(*held[:3])
    else:
        held = cut(*held)
    own = [one for one in metrics if getattr(one, "_is_own", False)]
    if not own:
        if len(metrics) == 1 and not isinstance(metrics[0], str) and metrics[0]._keeps_tokens():
            from ._tokens import as_texts

            return _native.Data(*as_texts(*held), **settings), True
        return _native.Data(*as_ids(*held), **settings), True
    if len(own) < len(metrics):
        raise TypeError(f"the data are lists of tokens, which {own[0].name} takes in Python and the others as ids: score them apart")
    return _data("tokens", all(one.one_reference for one in own), held, settings), True


def _lists(given: Any) -> Any:
    """Return a side of data whose hypotheses are lists of tokens, with lists in place of columns and arrays."""
    return given if given is None else as_lists(given)


def _streams(given: Any) -> Any:
    return given if given is None else [as_lists(stream) for stream in given]


def read_systems(metrics: Sequence[Any], systems: dict[str, Any], *given: Any) -> tuple[Any, ...]:
    """Return the outputs of systems, references, streams and sources of a run, and the words of tokens, if they are tokens."""
    outputs = {name: as_lists(_native.held(output)) for name, output in systems.items()}
    held: Any = [None if one is None else _native.held(one) for one in given]
    if any(takes_answers(one) for one in metrics):
        no_answer = all(_asked(one).startswith("squad2") for one in metrics)
        pairs = [as_answers(output, held[0], no_answer=no_answer) for output in outputs.values()]
        outputs, held[0] = dict(zip(outputs, (output for output, _ in pairs))), pairs[0][1]
    name, first = next(iter(outputs.items()))
    if all(_takes_labels(one) for one in metrics):
        tags = any(_takes_tags(one) for one in metrics)
        others = as_labels(first, held[0], held[1], held[2], tags=tags)[1:]
        return [as_labels(output, None, None, None, tags=tags)[0] for output in outputs.values()], *others, None
    if not are_tokens(first, *held[:2]):
        return list(outputs.values()), *held, None
    held = [_lists(held[0]), _streams(held[1]), _lists(held[2])]
    refuse_wrapped(first, *held[:2])
    own = next((one for one in metrics if getattr(one, "_is_own", False)), None)
    if own is not None:
        raise TypeError(f"{name} has lists of tokens, but a run keeps them as words, which {own.name} would not get: give texts")
    ids = Ids()
    columns = [ids.column(output, name) for name, output in outputs.items()]
    # The references come after all hypotheses, since a tuple is a token if a hypothesis has one.
    references = ids.references(held[0])
    streams = None if held[1] is None else [ids.column(one, f"reference_streams[{at}]") for at, one in enumerate(held[1])]
    sources = ids.column(held[2], "sources")
    return columns, references, streams, sources, ids.words()


def read_pools(metric: Any, pools: dict[str, Any]) -> tuple[Any, list[Any], list[Any]]:
    """Return the engine for pools of texts, ids, tokens or objects, the pools for Rust, and the objects that they name."""
    held = {name: as_lists(_native.held(given)) for name, given in pools.items()}
    if metric.looks_at in OWN:
        columns = [column(metric.looks_at, given, name) for name, given in held.items()]
        return metric._engine, [one for one, _ in columns], [objects for _, objects in columns]
    if metric._form is None and _takes_labels(metric):
        tags = _takes_tags(metric)
        return metric._engine, [as_labels(given, None, None, None, tags=tags)[0] for given in held.values()], []
    first, *others = held.values()
    if metric._form is not None or getattr(metric, "_is_own", False) or not are_tokens(first, others[0] if others else None, None):
        return metric._engine, list(held.values()), []
    refuse_wrapped_pool(held)
    ids = Ids()
    return metric._of_tokens(), [ids.column(given, name) for name, given in held.items()], []


#: Pairs of numbers and of ids. Many are equal or share items, so that matches occur and the laws have an effect to check.
_NUMBERS = [(one, other) for one in (0.0, 0.25, 0.5, 1.0, 2.0, 3.0) for other in (1.0, 0.5, 2.0)]
_ID_LISTS = [[], [1], [2], [1, 2], [2, 1], [1, 1, 2], [3, 1, 2, 1]]
_IDS = [(one, other) for one in _ID_LISTS for other in _ID_LISTS[1:]]


def _cut_texts(given: Any) -> Any:
    """Return the tokens of texts, as `score` makes them. Lists of tokens stay as they are."""
    if given is None or isinstance(given, (str, dict)):
        return given
    entries = list(given)
    if not all(isinstance(one, str) or (isinstance(one, _LISTS) and all(isinstance(text, str) for text in one)) for one in entries):
        return entries
    if not any(isinstance(one, str) for one in entries):
        return entries
    cut: Callable[[str], list[str]] = lambda text: _native.tokenized([text], "13a")[0]
    return [cut(one) if isinstance(one, str) else [cut(text) for text in one] for one in entries]


def segments(metric: Any, hypotheses: Any, references: Any, sources: Any) -> Optional[_native.Objects]:
    """Return whole segments for the laws, or `None` if the laws draw random texts and tokens."""
    looks_at, one = metric.looks_at, metric.one_reference
    if hypotheses is None:
        if looks_at == "objects":
            raise TypeError(f"{metric.name} looks at objects, which are not drawn: check_laws(hypotheses, references)")
        pairs: Any = {"numbers": _NUMBERS, "ids": _IDS}.get(looks_at)
        if pairs is None:
            return None
        hypotheses, own = zip(*pairs)
        references = own if one else [[first, second] for first, second in zip(own, own[1:] + own[:1])]
        sources = own
    if looks_at == "tokens":
        hypotheses, references, sources = _cut_texts(hypotheses), _cut_texts(references), _cut_texts(sources)
    reader = Reader(looks_at, one, lambda item: item)
    hypotheses = reader.column(hypotheses, "hypotheses")
    references = [[]] * len(hypotheses) if references is None else reader.references(references)
    sources = [None] * len(hypotheses) if sources is None else reader.column(sources, "sources")
    for name, given in (("references", references), ("sources", sources)):
        if len(given) != len(hypotheses):
            raise ValueError(f"hypotheses has {len(hypotheses)} segments, but {name} has {len(given)}")
    objects = _native.Objects()
    for segment in zip(hypotheses, references, sources):
        objects.add(segment)
    return objects
