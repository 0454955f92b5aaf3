"""Conversion of sequences of any hashable tokens to ids: `str`, `bytes`, tuples, objects.

Equality and hash are Python's, as in NLTK: 1 == 1.0 == True. A list is a sequence and every other value in it is a token, so a tuple
inside a sequence is a token too. One dict maps tokens to ids for one call, and its ids mean nothing in another call. Metrics that
remember tokens between calls are therefore refused.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

#: Name of the tokens in state keys and signatures, unless `token_space` gives another name.
SPACE = "custom"

_SEQUENCES = (list, tuple)


class _Interner(dict):  # type: ignore[type-arg]
    """Map from tokens to ids, which numbers a token when it is first seen."""
    def __missing__(self, token: Any) -> int:
        self[token] = number = len(self)
        return number


def _is_token(item: Any) -> bool:
    """Return whether an item is a token. Numbers are ids or mistakes, and `None` is a mistake."""
    return item is not None and not isinstance(item, list) and not any(hasattr(item, name) for name in ("__index__", "__float__"))


def are_tokens(hypotheses: Any, references: Any, streams: Any) -> bool:
    """Return whether the hypotheses are lists of tokens.

    The first hypothesis that is not empty decides. If all are empty, the first reference that is not empty decides.
    """
    if not isinstance(hypotheses, _SEQUENCES) or not all(isinstance(one, _SEQUENCES) for one in hypotheses[:1]):
        return False
    first = next((one for one in hypotheses if not isinstance(one, _SEQUENCES) or one), None)
    if first is not None:
        return isinstance(first, _SEQUENCES) and _is_token(first[0])
    of = references if streams is None else streams
    while len(hypotheses) and isinstance(of, _SEQUENCES):
        of = next((one for one in of if not isinstance(one, _SEQUENCES) or one), None)
    return of is not None and len(hypotheses) > 0 and _is_token(of) and not hasattr(of, "__array__")


class _Ids:
    """The ids of one call: all sides share one map, so that equal tokens have equal ids."""
    def __init__(self) -> None:
        self.interner = _Interner()

    def sequence(self, given: Any, place: str) -> list[int]:
        """Return the ids of one sequence; `place` names it in error messages."""
        if not isinstance(given, _SEQUENCES):
            raise TypeError(f"{place} is {type(given).__name__}, but must be a list of tokens, as the hypotheses are")
        try:
            return list(map(self.interner.__getitem__, given))
        except TypeError:
            for at, token in enumerate(given):
                try:
                    hash(token)
                except TypeError as error:
                    raise TypeError(f"{place}[{at}] is {type(token).__name__}, which is no token: {error}") from None
            raise

    def column(self, given: Any, place: str) -> Any:
        """Return the ids of each sequence of a column, or None for None."""
        if given is None:
            return None
        return [self.sequence(one, f"{place}[{at}]") for at, one in enumerate(given)]

    def references(self, given: Any) -> Any:
        """Return the ids of the references, as a list of references for each segment.

        A segment has one reference or a list of references; the first segment that is not empty decides which.
        """
        if given is None:
            return None
        known = {type(token) for token in self.interner}
        columns: list[Any] = []
        several = None
        for at, one in enumerate(given):
            place = f"references[{at}]"
            if isinstance(one, _SEQUENCES) and one:
                lists = isinstance(one[0], list)
                if several is not None and lists != several:
                    is_, others = ("a list of references", "single ones") if lists else ("one reference", "lists of them")
                    raise TypeError(f"{place} is {is_}, but those before it are {others}")
                if known and isinstance(one[0], tuple) and tuple not in known:
                    raise TypeError(f"{place}[0] is a tuple, which is a token, but no token of the hypotheses is one: a reference is a list")
                several = lists
            columns.append(self.column(one, place) if several and isinstance(one, _SEQUENCES) else self.sequence(one, place))
        return columns if several else [[one] for one in columns]


def as_ids(hypotheses: Any, references: Any, streams: Any, sources: Any) -> tuple[Any, ...]:
    """Return hypotheses, references, streams and sources with their tokens replaced by ids."""
    ids = _Ids()
    hypotheses = ids.column(hypotheses, "hypotheses")
    if streams is not None:
        streams = [ids.column(stream, f"reference_streams[{at}]") for at, stream in enumerate(streams)]
    return hypotheses, ids.references(references), streams, ids.column(sources, "sources")


def systems_as_ids(outputs: dict[str, Any], references: Any, streams: Any, sources: Any) -> tuple[Any, ...]:
    """Return the outputs of several systems, references, streams and sources with their tokens replaced by ids."""
    ids = _Ids()
    columns = [ids.column(output, name) for name, output in outputs.items()]
    if streams is not None:
        streams = [ids.column(stream, f"reference_streams[{at}]") for at, stream in enumerate(streams)]
    return columns, ids.references(references), streams, ids.column(sources, "sources")


class Cut:
    """A user's tokenizer: a function from a text to its tokens, or a `tokenizers.Tokenizer`.

    Raises:
        TypeError: if the tokenizer is neither.
    """

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer
        self.is_library = hasattr(tokenizer, "encode") and hasattr(tokenizer, "to_str")
        if not self.is_library and not callable(tokenizer):
            raise TypeError(f"tokenize is {type(tokenizer).__name__}, but must be a name, a function or a tokenizers.Tokenizer")

    def name(self) -> str:
        """Return the name of the tokenizer for signatures and state keys.

        A `tokenizers.Tokenizer` is named by the hash of its file; a function has no identity to compare, so it is named `custom`.
        """
        if not self.is_library:
            return SPACE
        import hashlib

        return f"hf:{hashlib.sha256(self.tokenizer.to_str().encode()).hexdigest()[:12]}"

    def _text(self, text: Any, place: str) -> list[Any]:
        """Return the tokens of one text; `place` names the text in error messages."""
        if not isinstance(text, str):
            raise TypeError(f"{place} is {type(text).__name__}, but must be a str for the tokenizer")
        if self.is_library:
            return list(self.tokenizer.encode(text, add_special_tokens=False).tokens)
        tokens = self.tokenizer(text)
        if isinstance(tokens, (str, bytes, dict)) or not hasattr(tokens, "__iter__") or hasattr(tokens, "keys"):
            raise TypeError(f"the tokenizer made {type(tokens).__name__} of {place}, but must make a list of tokens")
        return list(tokens)

    def _column(self, given: Any, place: str) -> Any:
        """Return the tokens of each text of a column, whose items may be lists of texts."""
        if given is None:
            return None
        if isinstance(given, str):
            raise TypeError(f"{place} is str, but must be a list of str")
        cut: Callable[[Any, str], Any] = lambda one, at: self._text(one, at) if not isinstance(one, _SEQUENCES) else self._column(one, at)
        return [cut(one, f"{place}[{at}]") for at, one in enumerate(given)]

    def __call__(self, hypotheses: Any, references: Any, streams: Any, sources: Any) -> tuple[Any, ...]:
        """Return hypotheses, references, streams and sources with their texts replaced by tokens."""
        names = ("hypotheses", "references", "reference_streams", "sources")
        given = (hypotheses, references, streams, sources)
        return tuple(self._column(one, name) for one, name in zip(given, names))
