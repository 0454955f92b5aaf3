"""The tokens of a text, with a stemmer of the caller."""

from __future__ import annotations

from .tokenizers import DefaultTokenizer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_DEFAULT = DefaultTokenizer()


def tokenize(text: str, stemmer: Any) -> list[str]:
    """Return the runs of ASCII letters and digits of a text, in lower case.

    Args:
        text: The text.
        stemmer: Object with a method `stem`, which shortens tokens of more than three characters, or None.

    Example:
        >>> from bleuprint.adapters.rouge_score.tokenize import tokenize
        >>> tokenize("The foxes, running!", None)
        ['the', 'foxes', 'running']
    """
    tokens = _DEFAULT.tokenize(text)
    if not stemmer:
        return tokens
    return [stemmer.stem(token) if len(token) > 3 else token for token in tokens]
