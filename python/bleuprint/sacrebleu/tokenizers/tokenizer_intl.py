"""The international tokenizer of mteval-v14."""

from .tokenizer_base import BaseTokenizer


class TokenizerV14International(BaseTokenizer):
    """The international tokenizer of mteval-v14."""

    _NAME = "intl"
