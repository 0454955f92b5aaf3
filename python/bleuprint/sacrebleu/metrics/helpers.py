"""Extraction of n-grams, with the functions of sacreBLEU's helpers."""

from __future__ import annotations

from collections import Counter


def extract_all_word_ngrams(line: str, min_order: int, max_order: int) -> tuple[Counter[tuple[str, ...]], int]:
    """Return the counts of word n-grams, as tuples, of orders `min_order` to `max_order`, and the number of words."""
    tokens = line.split()
    ngrams: Counter[tuple[str, ...]] = Counter()
    for order in range(min_order, max_order + 1):
        ngrams.update(tuple(tokens[at : at + order]) for at in range(len(tokens) - order + 1))
    return ngrams, len(tokens)


def extract_word_ngrams(tokens: list[str], n: int) -> Counter[str]:
    """Return the counts of word n-grams of order `n`, each joined by spaces."""
    return Counter(" ".join(tokens[at : at + n]) for at in range(len(tokens) - n + 1))


def extract_char_ngrams(line: str, n: int, include_whitespace: bool = False) -> Counter[str]:
    """Return the counts of character n-grams of order `n`; whitespace is removed first unless `include_whitespace`."""
    if not include_whitespace:
        line = "".join(line.split())
    return Counter(line[at : at + n] for at in range(len(line) - n + 1))


def extract_all_char_ngrams(line: str, max_order: int, include_whitespace: bool = False) -> list[Counter[str]]:
    """Return the counts of character n-grams for each order from 1 to `max_order`."""
    return [extract_char_ngrams(line, order, include_whitespace) for order in range(1, max_order + 1)]
