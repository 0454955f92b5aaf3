"""The tokenizers as callables, from a line to its tokens joined by spaces."""

from .tokenizer_base import BaseTokenizer

__all__ = ["BaseTokenizer"]
