"""No tokenizer: the line as it is."""

from .tokenizer_base import BaseTokenizer


class NoneTokenizer(BaseTokenizer):
    """No tokenizer: the line as it is."""

    _NAME = "none"

    def __call__(self, line: str) -> str:
        return line
