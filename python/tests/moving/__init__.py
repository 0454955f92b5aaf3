"""Tests of the rows of `docs/from-*.md`, one module for each page; importing this package collects them."""

from . import evaluate_rows, jiwer_rows, meeteval_rows, nltk_rows, pyannote_rows, rouge_score_rows, sacrebleu_rows, torchmetrics_rows

#: Rows that a page may not have yet.
LATER = pyannote_rows.LATER

__all__ = [
    "LATER", "evaluate_rows", "jiwer_rows", "meeteval_rows", "nltk_rows", "pyannote_rows", "rouge_score_rows", "sacrebleu_rows", "torchmetrics_rows",
]
