"""Tokenizers of `RougeScorer`."""

from __future__ import annotations

from abc import ABC, abstractmethod

from ... import _native


class Tokenizer(ABC):
    """Base class of tokenizers: `tokenize` returns the tokens of a text."""

    @abstractmethod
    def tokenize(self, text: str) -> list[str]:
        """Return the tokens of a text."""


class DefaultTokenizer(Tokenizer):
    """Tokenizer of ROUGE: runs of ASCII letters and digits, in lower case.

    Args:
        use_stemmer: Whether the Porter stemmer shortens tokens of more than three characters. Default: False.

    Example:
        >>> from bleuprint.adapters.rouge_score.tokenizers import DefaultTokenizer
        >>> DefaultTokenizer(use_stemmer=True).tokenize("The foxes, running!")
        ['the', 'fox', 'run']
    """

    def __init__(self, use_stemmer: bool = False) -> None:
        self._use_stemmer = bool(use_stemmer)
        self._tokenizer = _native.Tokenizer("rouge-stem" if use_stemmer else "rouge")

    def tokenize(self, text: str) -> list[str]:
        """Return the tokens of a text."""
        return list(self._tokenizer(text))
