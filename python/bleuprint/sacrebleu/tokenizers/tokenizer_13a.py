"""The tokenizer of mteval-v13a."""

from .tokenizer_base import BaseTokenizer


class Tokenizer13a(BaseTokenizer):
    """The tokenizer of mteval-v13a."""

    _NAME = "13a"
