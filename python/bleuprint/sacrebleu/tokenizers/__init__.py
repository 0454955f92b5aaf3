"""The tokenizers as callables: a line in, its tokens with spaces between out."""

from .tokenizer_base import BaseTokenizer

__all__ = ["BaseTokenizer"]
