"""SentencePiece models. The model is a file; see the Rust library for where it is looked for."""

from .tokenizer_base import BaseTokenizer


class TokenizerSPM(BaseTokenizer):
    """The model of spBLEU."""

    _NAME = "spm"


class Flores101Tokenizer(TokenizerSPM):
    """The model of FLORES-101."""

    _NAME = "flores101"


class Flores200Tokenizer(TokenizerSPM):
    """The model of FLORES-200."""

    _NAME = "flores200"


class SpBLEU1KTokenizer(TokenizerSPM):
    """The model of a thousand languages."""

    _NAME = "spBLEU-1K"
