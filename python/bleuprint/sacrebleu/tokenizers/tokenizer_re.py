"""The steps of 13a behind the cleaning of the line."""

from .tokenizer_base import BaseTokenizer


class TokenizerRegexp(BaseTokenizer):
    """Splits off punctuation as 13a does."""

    _NAME = "13a"

    def signature(self) -> str:
        return "re"
