"""The tokenizer of TER."""

from ... import _native
from .tokenizer_base import BaseTokenizer


class TercomTokenizer(BaseTokenizer):
    """Tokenizer of tercom.

    Args:
        normalized: Whether to apply tercom's normalization. Default: False.
        no_punct: Whether to remove punctuation. Default: False.
        asian_support: Whether the two steps above cover Asian characters and punctuation too. Default: False.
        case_sensitive: Whether words that differ only in case are different. Default: False.
    """

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
    ) -> None:
        self._lower = not case_sensitive
        marks = [(normalized, "-norm"), (no_punct, "-nopunct"), (asian_support, "-asian")]
        self._tokenizer = _native.Tokenizer("tercom" + "".join(mark for on, mark in marks if on))

    def signature(self) -> str:
        """Return the name of the tokenizer in signatures."""
        return "tercom"

    def __call__(self, sent: str) -> str:
        """Return the tokens of the sentence, joined by spaces."""
        return " ".join(self._tokenizer(sent.lower() if self._lower else sent))
