"""Tokenizer of Japanese words, by MeCab."""

from .tokenizer_base import BaseTokenizer


class TokenizerJaMecab(BaseTokenizer):
    """Tokenizer of Japanese words, by MeCab."""

    _NAME = "ja-mecab"
