"""The base class of all tokenizers."""

from __future__ import annotations

from ... import _native


class BaseTokenizer:
    """Base class of the tokenizers: a call with a line returns its tokens, joined by spaces.

    Example:
        >>> from bleuprint.sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
        >>> Tokenizer13a()("Hello, world!")
        'Hello , world !'
    """

    #: Name of the tokenizer in bleuprint's registry.
    _NAME = "none"

    def __init__(self) -> None:
        self._tokenizer = _native.Tokenizer(self._NAME)

    def signature(self) -> str:
        """Return the name of the tokenizer in signatures."""
        return self._tokenizer.label

    def __call__(self, line: str) -> str:
        """Return the tokens of the line, joined by spaces."""
        return " ".join(self._tokenizer(line))
