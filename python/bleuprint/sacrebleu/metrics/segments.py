"""Statistics of segments, as the underscored methods of sacreBLEU that other libraries call return them.

compare-mt calls `_extract_corpus_statistics`. mbrs calls `_cache_references`, `_preprocess_segment` and the three helpers of chrF. No other
underscored method of sacreBLEU is here.
"""

from __future__ import annotations

import string
from collections import Counter

from ... import _native
from .base import Metric
from .helpers import extract_all_char_ngrams, extract_all_word_ngrams, extract_word_ngrams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Optional


class SegmentStatistics(Metric):
    """The common part: subclasses define `_preprocess_segment`, `_reference_info` and `_statistics_of`."""

    def _preprocess_segment(self, sent: str) -> str:
        """Return the text whose n-grams or words are counted."""
        raise NotImplementedError

    def _reference_info(self, references: list[str]) -> dict[str, Any]:
        """Return what sacreBLEU keeps of the references of a segment."""
        raise NotImplementedError

    def _statistics_of(self, row: list[int]) -> list[Any]:
        """Return sacreBLEU's statistics of a segment for the columns of its state."""
        raise NotImplementedError

    def _cache_references(self, references: Sequence[Sequence[str]]) -> list[dict[str, Any]]:
        """Return what sacreBLEU keeps of the references of each segment, and set `num_refs`.

        Args:
            references: Streams of references, as for `corpus_score`.
        """
        _, streams = self._streams(references[0], references)
        segments = [[one for one in segment if one is not None] for segment in zip(*self._kept_streams(streams))]
        return [self._reference_info([self._preprocess_segment(one) for one in segment]) for segment in segments]

    def _extract_corpus_statistics(self, hypotheses: Sequence[str], references: Optional[Sequence[Sequence[str]]]) -> list[list[Any]]:
        """Return sacreBLEU's statistics of each segment, and set `num_refs`.

        Args:
            hypotheses: The hypotheses.
            references: Streams of references; None uses the references that the constructor was given.
        """
        given = self._cached() if references is None else references
        hyps, streams = self._streams(hypotheses, given)
        if self.strict:
            hyps, streams, _ = self._native_streams(hypotheses, given)
            # This checks the lengths and the texts of all streams.
            _native.Data(hyps, None, streams, missing=True, empty_references="keep")
        streams = self._kept_streams(streams)
        engine = self._counter()
        statistics = []
        for hypothesis, segment in zip(hyps, zip(*streams)):
            own = [one for one in segment if one is not None]
            if own or self.strict:
                state = self._counted(lambda: engine.observe_one(hypothesis, own))
                statistics.append(self._statistics_of(state.row()))
            else:
                self._without_references(hypothesis)
                statistics.append(self._statistics_without_references())
        return statistics

    def _statistics_without_references(self) -> list[Any]:
        """Return the statistics of a segment without references that `_without_references` accepts."""
        raise NotImplementedError


class BleuStatistics(SegmentStatistics):
    """Statistics of BLEU: lengths, then matches and totals of each order."""

    lowercase: bool
    max_ngram_order: int
    tokenizer: Any

    def _preprocess_segment(self, sent: str) -> str:
        text = sent.lower() if self.lowercase else sent
        return str(self.tokenizer(text.rstrip()))

    def _reference_info(self, references: list[str]) -> dict[str, Any]:
        ngrams: Counter[tuple[str, ...]] = Counter()
        lengths = []
        for reference in references:
            own, length = extract_all_word_ngrams(reference, 1, self.max_ngram_order)
            ngrams |= own
            lengths.append(length)
        return {"ref_ngrams": ngrams, "ref_lens": lengths}

    def _statistics_of(self, row: list[int]) -> list[Any]:
        # Columns 0 to 2 count segments and references, 3 to 6 are reference lengths, of which the closest is 3.
        orders = self.max_ngram_order
        return [row[8], row[3], *row[7::3][:orders], *row[8::3][:orders]]

    def _statistics_without_references(self) -> list[Any]:
        # As in sacreBLEU, a segment without a reference has a reference length of -1.
        return [0, -1, *[0] * (2 * self.max_ngram_order)]


class ChrfStatistics(SegmentStatistics):
    """Statistics of chrF: n-grams of the hypothesis, of the best reference and of both, for each order."""

    lowercase: bool
    char_order: int
    word_order: int
    order: int
    beta: int
    whitespace: bool
    eps_smoothing: bool

    def _preprocess_segment(self, sent: str) -> str:
        return sent.lower() if self.lowercase else sent

    def _reference_info(self, references: list[str]) -> dict[str, Any]:
        return {"ref_ngrams": [self._ngrams(reference) for reference in references]}

    def _ngrams(self, text: str) -> list[Counter[str]]:
        """Return the n-grams of each order: first of characters, then of words."""
        ngrams = extract_all_char_ngrams(text, self.char_order, self.whitespace)
        words = self._remove_punctuation(text)
        return ngrams + [extract_word_ngrams(words, order) for order in range(1, self.word_order + 1)]

    def _statistics_of(self, row: list[int]) -> list[Any]:
        return row[3 : 3 + 3 * self.order]

    def _remove_punctuation(self, sent: str) -> list[str]:
        """Return the words of a text; a punctuation mark at the end of a word, or else at its start, is a word of its own."""
        words = []
        for word in sent.split():
            if len(word) > 1 and word[-1] in string.punctuation:
                words += [word[:-1], word[-1]]
            elif len(word) > 1 and word[0] in string.punctuation:
                words += [word[0], word[1:]]
            else:
                words.append(word)
        return words

    @staticmethod
    def _get_match_statistics(hyp_ngrams: Counter[str], ref_ngrams: Counter[str]) -> list[Any]:
        """Return the number of n-grams of the hypothesis, of the reference and of both; without a reference, the first is 0."""
        matches = sum(min(count, ref_ngrams[ngram]) for ngram, count in hyp_ngrams.items() if ngram in ref_ngrams)
        return [sum(hyp_ngrams.values()) if ref_ngrams else 0, sum(ref_ngrams.values()), matches]

    def _compute_f_score(self, statistics: list[Any]) -> float:
        """Return chrF, from 0 to 100, of the statistics of all orders; they may be fractions."""
        epsilon = 1e-16
        square = self.beta**2
        smoothed, precisions, recalls, orders = 0.0, 0.0, 0.0, 0
        for at in range(0, 3 * self.order, 3):
            hypothesis, reference, both = statistics[at : at + 3]
            precision = both / hypothesis if hypothesis > 0 else epsilon
            recall = both / reference if reference > 0 else epsilon
            weighted = square * precision + recall
            smoothed += (1 + square) * precision * recall / weighted if weighted > 0 else epsilon
            if hypothesis > 0 and reference > 0:
                precisions, recalls, orders = precisions + precision, recalls + recall, orders + 1
        if self.eps_smoothing:
            return 100 * smoothed / self.order
        precision, recall = (precisions / orders, recalls / orders) if orders else (0.0, 0.0)
        if not precision + recall:
            return 0.0
        return 100 * ((1 + square) * precision * recall / (square * precision + recall))


class TerStatistics(SegmentStatistics):
    """Statistics of TER: edits and the mean length of the references."""

    tokenizer: Any

    def _preprocess_segment(self, sent: str) -> str:
        return str(self.tokenizer(sent.rstrip()))

    def _reference_info(self, references: list[str]) -> dict[str, Any]:
        return {"ref_words": [reference.split() for reference in references]}

    def _statistics_of(self, row: list[int]) -> list[Any]:
        # The mean length of the references is kept in units of 1/720720 word.
        return [row[3], row[4] / 720720]
