"""Tokenizer that makes every character a token."""

from .tokenizer_base import BaseTokenizer


class TokenizerChar(BaseTokenizer):
    """Tokenizer that makes every character a token."""

    _NAME = "char"
