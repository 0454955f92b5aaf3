"""Tokenizer that separates Chinese characters and tokenizes the rest as 13a does."""

from .tokenizer_base import BaseTokenizer


class TokenizerZh(BaseTokenizer):
    """Tokenizer that separates Chinese characters and tokenizes the rest as 13a does."""

    _NAME = "zh"
