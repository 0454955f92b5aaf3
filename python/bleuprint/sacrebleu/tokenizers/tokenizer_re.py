"""The common regular expressions of 13a and zh, without the preceding steps."""

from __future__ import annotations

import re

from .tokenizer_base import BaseTokenizer

#: ASCII marks but ' , - . each by itself.
_MARKS = re.compile(r"([ -&(-+/:-@[-`{-~])")
#: A period or comma that no digit precedes, that no digit follows; a hyphen behind a digit.
_AFTER_NO_DIGIT = re.compile(r"([^0-9])([.,])")
_BEFORE_NO_DIGIT = re.compile(r"([.,])([^0-9])")
_HYPHEN = re.compile(r"([0-9])(-)")


class TokenizerRegexp(BaseTokenizer):
    """Splits off punctuation as mteval-v13a does, without its unescaping.

    >>> from bleuprint.sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp
    >>> TokenizerRegexp()("It's 3.5% (of 1-2), &quot;")
    "It's 3.5 % ( of 1 - 2 ) , & quot ;"
    """

    def __init__(self) -> None:
        pass

    def signature(self) -> str:
        return "re"

    def __call__(self, line: str) -> str:
        line = _MARKS.sub(r" \1 ", line)
        line = _AFTER_NO_DIGIT.sub(r"\1 \2 ", line)
        line = _BEFORE_NO_DIGIT.sub(r" \1 \2", line)
        return " ".join(_HYPHEN.sub(r"\1 \2 ", line).split())
