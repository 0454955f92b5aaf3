"""SentencePiece tokenizers.

The model is a file, which is never downloaded: `bleuprint.metric("bleu", tokenize="flores101", tokenizer_model=path)` names it. The
documentation of the Rust library lists the places that are searched.
"""

from __future__ import annotations

from ... import _native
from .tokenizer_base import BaseTokenizer

#: Names of the models, and the names that signatures show.
SPM_MODELS = {
    "spm": {"signature": "flores101"},
    "flores101": {"signature": "flores101"},
    "flores200": {"signature": "flores200"},
    "spBLEU-1K": {"signature": "spBLEU-1K"},
}


class TokenizerSPM(BaseTokenizer):
    """Tokenizer with a SentencePiece model.

    Args:
        key: Name of the model: a key of `SPM_MODELS`. `spm` is the model of FLORES-101.
    """

    def __init__(self, key: str = "spm") -> None:
        self.name = SPM_MODELS[key]["signature"]
        self._tokenizer = _native.Tokenizer(key)

    def signature(self) -> str:
        """Return the name of the model in signatures."""
        return self.name


class Flores101Tokenizer(TokenizerSPM):
    """Tokenizer with the model of FLORES-101."""

    def __init__(self) -> None:
        super().__init__("flores101")


class Flores200Tokenizer(TokenizerSPM):
    """Tokenizer with the model of FLORES-200."""

    def __init__(self) -> None:
        super().__init__("flores200")


class spBLEU1KTokenizer(TokenizerSPM):
    """Tokenizer with the model of spBLEU-1K, which covers a thousand languages."""

    def __init__(self) -> None:
        super().__init__("spBLEU-1K")
