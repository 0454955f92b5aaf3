"""The tokenizer of TER."""

from ... import _native
from .tokenizer_base import BaseTokenizer


class TercomTokenizer(BaseTokenizer):
    """The tokenizer of tercom."""

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
        return "tercom"

    def __call__(self, sent: str) -> str:
        return " ".join(self._tokenizer(sent.lower() if self._lower else sent))
