"""SentencePiece models. The model is a file, which is never downloaded: `bleuprint.metric("bleu", tokenize="flores101",
tokenizer_model=path)` names it, and the Rust library documents the places searched."""

from __future__ import annotations

from ... import _native
from .tokenizer_base import BaseTokenizer

#: The models, and their names in signatures.
SPM_MODELS = {
    "spm": {"signature": "flores101"},
    "flores101": {"signature": "flores101"},
    "flores200": {"signature": "flores200"},
    "spBLEU-1K": {"signature": "spBLEU-1K"},
}


class TokenizerSPM(BaseTokenizer):
    """A model by name; `spm` is that of FLORES-101."""

    def __init__(self, key: str = "spm") -> None:
        self.name = SPM_MODELS[key]["signature"]
        self._tokenizer = _native.Tokenizer(key)

    def signature(self) -> str:
        return self.name


class Flores101Tokenizer(TokenizerSPM):
    """The model of FLORES-101."""

    def __init__(self) -> None:
        super().__init__("flores101")


class Flores200Tokenizer(TokenizerSPM):
    """The model of FLORES-200."""

    def __init__(self) -> None:
        super().__init__("flores200")


class spBLEU1KTokenizer(TokenizerSPM):
    """The model of a thousand languages."""

    def __init__(self) -> None:
        super().__init__("spBLEU-1K")
