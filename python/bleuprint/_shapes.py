"""Nesting of texts and tokens: lists of tokens in columns and arrays, and checks of mistakes that would give a wrong score.

A list in a list is a list of tokens. A text in a list too many is then one token with white space.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, Optional

_SEQUENCES = (list, tuple)

#: The first letters of the types of columns and arrays whose items may be lists: those of PyArrow and Polars.
_LISTS = ("list<", "large_list<", "fixed_size_list<", "list_view<", "large_list_view<", "List(", "Array(")

#: The ways to make a list of a column or an array: PyArrow's, NumPy's and pandas', and Polars'.
_LISTED = ("to_pylist", "tolist", "to_list")


def _listed(given: Any) -> Any:
    """Return the items of a column or an array as a list, with lists in place of arrays in it; other data stays unchanged."""
    if isinstance(given, str):
        return given
    if not isinstance(given, _SEQUENCES):
        made = next((getattr(given, name)() for name in _LISTED if hasattr(given, name)), given)
        if not isinstance(made, list):
            return given
        given = made
    if any(not isinstance(one, (str, list)) and hasattr(one, "__len__") for one in given):
        return type(given)(map(_listed, given)) if type(given) in _SEQUENCES else [_listed(one) for one in given]
    return given


def _first(given: Any) -> Any:
    """Return the first item of a column that is there and not empty."""
    for one in given:
        if one is not None and not (hasattr(one, "__len__") and not isinstance(one, str) and len(one) == 0):
            return one
    return None


def _holds_tokens(given: Any) -> bool:
    """Return whether a column or an array of one dimension has lists of texts as its items."""
    kind = str(getattr(given, "type", None) or getattr(given, "dtype", None) or "")
    if kind.startswith(_LISTS):
        return "str" in kind.lower()
    # A table of texts, such as the values of a data frame, is refused: its rows need not be lists of tokens.
    if getattr(given, "ndim", 1) != 1:
        return False
    if kind != "object" and (kind or not hasattr(given, "__getitem__") or hasattr(given, "keys")):
        return False
    first = _first(given)
    if first is None or isinstance(first, (str, bytes)) or not hasattr(first, "__len__") or not hasattr(first, "__getitem__"):
        return False
    return len(first) > 0 and not hasattr(first, "keys") and isinstance(first[0], str)


def as_lists(given: Any) -> Any:
    """Return a column or an array of lists of tokens as lists; other data stays unchanged."""
    if given is None or isinstance(given, (str, bytes)):
        return given
    if isinstance(given, _SEQUENCES):
        # Most data are lists of texts or lists of lists, which need no look at each item.
        first = list.__getitem__(given, 0) if isinstance(given, list) and given else given[0] if given else None
        if first is None or isinstance(first, (str, list, tuple, int)) or not _holds_tokens([first]):
            return given
        return _listed(given)
    return _listed(given) if _holds_tokens(given) else given


def _has_space(token: Any) -> bool:
    return isinstance(token, str) and len(token.split()) > 1


def _is_wrapped(sequences: Iterable[Any]) -> Optional[str]:
    """Return a token with white space, if all sequences have at most one token, and `None` otherwise."""
    found = None
    for sequence in sequences:
        if not isinstance(sequence, _SEQUENCES) or len(sequence) > 1:
            return None
        if sequence and found is None and _has_space(sequence[0]):
            found = sequence[0]
    return found


def _sequences(references: Any) -> Iterator[Any]:
    """Return the sequences of tokens of references, single or several for each segment."""
    for one in references:
        if isinstance(one, _SEQUENCES) and one and isinstance(one[0], list):
            yield from one
        else:
            yield one


def _shown(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:40]}..")


def refuse_wrapped(hypotheses: Any, references: Any, streams: Any) -> None:
    """Reject lists of tokens that are whole texts, each in a list too many."""
    sides = [("hypotheses", hypotheses, "a text for each segment")]
    if isinstance(references, _SEQUENCES):
        sides.append(("references", list(_sequences(references)), "a text or a list of texts for each segment"))
    if isinstance(streams, _SEQUENCES):
        sides += [(f"reference_streams[{at}]", one, "a text for each segment") for at, one in enumerate(streams)]
    for name, given, meant in sides:
        token = _is_wrapped(given) if isinstance(given, _SEQUENCES) else None
        if token is None:
            continue
        advice = f"give {meant}, without the list around it"
        if name != "hypotheses" and _is_wrapped(hypotheses) is None:
            advice = "the hypotheses are lists of tokens, so split the references too, or give the hypotheses as texts"
        raise TypeError(f"{name} has lists of one token with white space in it, as [{_shown(token)}], where a list is a list of tokens: {advice}")


def refuse_wrapped_pool(pools: dict[str, Any]) -> None:
    """Reject pools of texts that are each in a list too many."""
    for name, given in pools.items():
        token = _is_wrapped(given) if isinstance(given, _SEQUENCES) else None
        if token is not None:
            raise TypeError(
                f"{name} has lists of one token with white space in it, as [{_shown(token)}], where a list is a list of tokens: "
                "give texts, without the list around each"
            )
