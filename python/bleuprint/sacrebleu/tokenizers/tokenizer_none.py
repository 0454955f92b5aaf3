"""Tokenizer that returns the line unchanged."""

from .tokenizer_base import BaseTokenizer


class NoneTokenizer(BaseTokenizer):
    """Tokenizer that returns the line unchanged."""

    _NAME = "none"

    def __call__(self, line: str) -> str:
        return line
