"""Chinese characters apart, the rest as 13a has it."""

from .tokenizer_base import BaseTokenizer


class TokenizerZh(BaseTokenizer):
    """Chinese characters apart, the rest as 13a has it."""

    _NAME = "zh"
