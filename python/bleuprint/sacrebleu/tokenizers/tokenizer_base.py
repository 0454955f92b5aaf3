"""The base class of all tokenizers."""

from __future__ import annotations

from ... import _native


class BaseTokenizer:
    """A call with a line returns the tokens, joined by spaces.

    >>> from bleuprint.sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
    >>> Tokenizer13a()("Hello, world!")
    'Hello , world !'
    """

    #: The name in the registry.
    _NAME = "none"

    def __init__(self) -> None:
        self._tokenizer = _native.Tokenizer(self._NAME)

    def signature(self) -> str:
        """Its name in signatures."""
        return self._tokenizer.label

    def __call__(self, line: str) -> str:
        return " ".join(self._tokenizer(line))
