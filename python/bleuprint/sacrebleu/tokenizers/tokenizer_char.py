"""Every character is a token."""

from .tokenizer_base import BaseTokenizer


class TokenizerChar(BaseTokenizer):
    """Every character is a token."""

    _NAME = "char"
