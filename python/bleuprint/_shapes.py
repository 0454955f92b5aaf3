"""Checks of the nesting of texts and tokens, whose mistakes give a wrong score instead of an error.

A list in a list is a list of tokens. A text in a list too many is then one token with white space, and words in place of a text are
references of one word each.
"""

from __future__ import annotations

import warnings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, Optional

_SEQUENCES = (list, tuple)

#: Metrics whose references are answers, of which one word is usual.
_ANSWERS = ("squad", "exact_match", "quasi_exact_match", "anls", "drop", "labels", "maj", "edit_similarity")

#: The fewest references of a segment that may be the words of one text.
_MANY = 3


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


def _plain(given: Any) -> Any:
    """Return the items of a list of a class of its own as a plain list, without asking its methods."""
    return list.__getitem__(given, slice(None)) if isinstance(given, list) and type(given) is not list else given


def warn_of_words(hypotheses: Any, references: Any, metrics: Sequence[str]) -> None:
    """Warn if each text has several references of one word each, which look like the words of one reference."""
    hypotheses, references = _plain(hypotheses), _plain(references)
    if not isinstance(hypotheses, _SEQUENCES) or not isinstance(references, _SEQUENCES) or not references:
        return
    if any(name.startswith(_ANSWERS) for name in metrics):
        return
    counts = set()
    for one in references:
        if not isinstance(one, _SEQUENCES) or len(one) < _MANY or not all(isinstance(word, str) and len(word.split()) == 1 for word in one):
            return
        counts.add(len(one))
    many = sum(map(_has_space, hypotheses))
    if len(counts) > 1 and 2 * many > len(hypotheses):
        warnings.warn(
            f"every reference is one word, such as {_shown(references[0][0])}, and the hypotheses are of several words: a list in "
            "`references` is a list of references, so give each reference as a text, or all texts as lists of tokens",
            UserWarning,
            stacklevel=5,
        )
