"""Labels as people have them: texts, whole numbers and truth values, and lists of tags, as the texts that metrics compare.

A whole number and its decimal text are one label. The number 1.0 is the label 1, and the text `1.0` is another one. True is the label
`true`, as in JSON, and not 1.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SEQUENCES = (list, tuple)


def _label(given: Any, place: str) -> str:
    if isinstance(given, str):
        return given
    if isinstance(given, bool) or type(given).__name__ in ("bool_", "bool"):
        return "true" if given else "false"
    if hasattr(given, "__index__"):
        return str(given.__index__())
    if hasattr(given, "__float__") and float(given).is_integer():
        return str(int(given))
    shown = f" ({given})" if hasattr(given, "__float__") else ""
    raise TypeError(f"{place} is {type(given).__name__}{shown}, but a label must be a str, a whole number or a bool")


def _items(given: Any) -> Any:
    """Return the items of a column as Python's values, or `given` itself if it is no column."""
    if isinstance(given, _SEQUENCES):
        return given
    for name in ("to_pylist", "tolist", "to_list"):
        if hasattr(given, name):
            items = getattr(given, name)()
            return items if isinstance(items, list) else given
    return given


def _is_of_texts(given: Any) -> bool:
    """Return whether the items of a column that is no list are texts, which Rust reads faster."""
    return not isinstance(given, _SEQUENCES) and all(isinstance(one, str) for one in _items(given))


def _tags(given: Any, place: str) -> str:
    tags = [_label(tag, f"{place}[{at}]") for at, tag in enumerate(given)]
    for at, tag in enumerate(tags):
        if not tag or len(tag.split()) != 1:
            raise ValueError(f"{place}[{at}] is {tag!r}, but a tag is one word without white space")
    return " ".join(tags)


def _column(given: Any, place: str, tags: bool) -> Any:
    items = _items(given)
    if not isinstance(items, _SEQUENCES) or _is_of_texts(given):
        return given
    made = []
    for at, one in enumerate(items):
        one, at_place = _items(one), f"{place}[{at}]"
        if not tags and isinstance(one, _SEQUENCES) and len(one) == 1:
            # A column of one-item rows, as models write it.
            (one,) = one
        made.append(_tags(one, at_place) if tags and isinstance(one, _SEQUENCES) else _label(one, at_place))
    return made


def _references(given: Any, tags: bool) -> Any:
    items = _items(given)
    if not isinstance(items, _SEQUENCES) or _is_of_texts(given):
        return given
    made: list[Any] = []
    for at, one in enumerate(items):
        one, place = _items(one), f"references[{at}]"
        # A list of tags is one reference; a list of lists of tags, or of labels, is several.
        several = isinstance(one, _SEQUENCES) and (not tags or any(isinstance(_items(inner), _SEQUENCES) for inner in one[:1]))
        made.append(_column(one, place, tags) if several else _column([one], place, tags)[0])
    return made


def as_labels(hypotheses: Any, references: Any, streams: Any, sources: Any, tags: bool) -> list[Any]:
    """Return hypotheses, references, streams and sources with texts for labels; with `tags`, a list of tags is one text."""
    hypotheses = _column(hypotheses, "hypotheses", tags)
    if references is not None:
        references = _references(references, tags)
    if streams is not None:
        streams = [_column(stream, f"reference_streams[{at}]", tags) for at, stream in enumerate(streams)]
    return [hypotheses, references, streams, sources]


def label_columns(given: Any, names: Any, skips: bool, tags: bool) -> list[Any]:
    """Return columns of hypotheses, references and sources with texts for labels. With `skips`, a label may be null."""
    hypotheses, references, *others = given

    def column(given: Any, place: str, several: bool) -> Any:
        items = None if given is None else _items(given)
        if not isinstance(items, _SEQUENCES) or all(isinstance(one, str) or one is None for one in items):
            return given
        there = [one for one in items if one is not None or not skips]
        made = iter(_references(there, tags) if several else _column(there, place, tags))
        return [None if one is None and skips else next(made) for one in items]

    return [column(hypotheses, names[0], False), column(references, names[1], True), *others]
