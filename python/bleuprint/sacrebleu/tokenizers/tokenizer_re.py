"""The regular expressions that 13a and zh share, without the steps before them."""

from __future__ import annotations

import re

from .tokenizer_base import BaseTokenizer

#: ASCII punctuation except ' , - . (each mark becomes a token).
_MARKS = re.compile(r"([ -&(-+/:-@[-`{-~])")
#: In this order: a period or comma after a non-digit, one before a non-digit, and a hyphen after a digit.
_AFTER_NO_DIGIT = re.compile(r"([^0-9])([.,])")
_BEFORE_NO_DIGIT = re.compile(r"([.,])([^0-9])")
_HYPHEN = re.compile(r"([0-9])(-)")


class TokenizerRegexp(BaseTokenizer):
    """Tokenizer that separates punctuation as mteval-v13a does, but unescapes no entities.

    Example:
        >>> from bleuprint.sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp
        >>> TokenizerRegexp()("It's 3.5% (of 1-2), &quot;")
        "It's 3.5 % ( of 1 - 2 ) , & quot ;"
    """

    def __init__(self) -> None:
        pass

    def signature(self) -> str:
        """Return the name of the tokenizer in signatures."""
        return "re"

    def __call__(self, line: str) -> str:
        """Return the tokens of the line, joined by spaces."""
        line = _MARKS.sub(r" \1 ", line)
        line = _AFTER_NO_DIGIT.sub(r"\1 \2 ", line)
        line = _BEFORE_NO_DIGIT.sub(r" \1 \2", line)
        return " ".join(_HYPHEN.sub(r"\1 \2 ", line).split())
