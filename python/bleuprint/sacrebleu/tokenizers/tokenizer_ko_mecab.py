"""Tokenizer of Korean words, by MeCab."""

from .tokenizer_base import BaseTokenizer


class TokenizerKoMecab(BaseTokenizer):
    """Tokenizer of Korean words, by MeCab."""

    _NAME = "ko-mecab"
