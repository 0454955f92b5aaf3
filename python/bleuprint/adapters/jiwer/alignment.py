"""The texts and tables of errors, under the name of jiwer's module."""

from bleuprint.adapters.jiwer import collect_error_counts, visualize_alignment, visualize_error_counts

__all__ = ["collect_error_counts", "visualize_alignment", "visualize_error_counts"]
