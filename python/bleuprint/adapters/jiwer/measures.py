"""The error rates, under the name of jiwer's module."""

from bleuprint.adapters.jiwer import cer, mer, wer, wil, wip

__all__ = ["cer", "mer", "wer", "wil", "wip"]
