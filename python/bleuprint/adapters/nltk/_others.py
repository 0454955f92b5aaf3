"""GLEU, NIST, chrF and RIBES over token lists, with NLTK's arguments."""

from __future__ import annotations

import math

from ._read import TokenCorpus, corpus_of, ids_of, named_metric, quiet_score, tokens_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, Union

    from ._read import Tokens


def corpus_gleu(
    list_of_references: Iterable[Iterable[Tokens]], hypotheses: Iterable[Tokens], min_len: int = 1, max_len: int = 4
) -> float:
    """Return Google BLEU of a corpus, from 0 to 1; 0 for an empty corpus.

    Args:
        list_of_references: The references of each hypothesis.
        hypotheses: The hypotheses.
        min_len, max_len: Least and greatest order of n-grams.
    """
    score = TokenCorpus(list_of_references, hypotheses).score(named_metric(f"gleu:min-order={min_len},max-order={max_len},ties=first"))
    return 0.0 if score is None else score.score


def sentence_gleu(references: Iterable[Tokens], hypothesis: Tokens, min_len: int = 1, max_len: int = 4) -> float:
    """Return Google BLEU of a sentence, from 0 to 1; the arguments are those of `corpus_gleu`."""
    return corpus_gleu([references], [hypothesis], min_len, max_len)


def corpus_nist(list_of_references: Iterable[Iterable[Tokens]], hypotheses: Iterable[Tokens], n: int = 5) -> float:
    """Return NIST of a corpus.

    Args:
        list_of_references: The references of each hypothesis.
        hypotheses: The hypotheses.
        n: Greatest order of n-grams.
    """
    output, references = ids_of(*corpus_of(list_of_references, hypotheses))
    # NIST remembers its tokens, so the ids are words here; equal tokens are equal words.
    words: Callable[[list[int]], str] = lambda ids: " ".join(f"t{number}" for number in ids)
    spec = f"nist:dialect=nltk,order={n},tokenize=none"
    texts = [words(one) for one in output], [[words(one) for one in several] for several in references]
    score: float = quiet_score(named_metric(spec), *texts).score
    return score


def sentence_nist(references: Iterable[Tokens], hypothesis: Tokens, n: int = 5) -> float:
    """Return NIST of a sentence, with weights of its own references; the arguments are those of `corpus_nist`."""
    return corpus_nist([references], [hypothesis], n)


def sentence_chrf(
    reference: Union[str, Sequence[str]],
    hypothesis: Union[str, Sequence[str]],
    min_len: int = 1,
    max_len: int = 6,
    beta: float = 3.0,
    ignore_whitespace: bool = True,
) -> float:
    """Return chrF of a sentence, from 0 to 1.

    Args:
        reference: A reference: a text, or words that are joined by spaces.
        hypothesis: The hypothesis, likewise.
        min_len, max_len: Least and greatest order of character n-grams.
        beta: Weight of recall relative to precision.
        ignore_whitespace: Whether to remove white space first. Default: True.
    """
    return corpus_chrf([reference], [hypothesis], min_len, max_len, beta, ignore_whitespace)


def corpus_chrf(
    references: Iterable[Union[str, Sequence[str]]],
    hypotheses: Iterable[Union[str, Sequence[str]]],
    min_len: int = 1,
    max_len: int = 6,
    beta: float = 3.0,
    ignore_whitespace: bool = True,
) -> float:
    """Return the mean chrF of sentences, from 0 to 1; the arguments are those of `sentence_chrf`.

    Raises:
        ValueError: if there is no sentence, no order, or another number of references than of hypotheses.
    """
    texts = [_text(one, f"hypotheses[{at}]") for at, one in enumerate(hypotheses)]
    others = [_text(one, f"references[{at}]") for at, one in enumerate(references)]
    if len(texts) != len(others):
        raise ValueError(f"the number of references is {len(others)}, but there are {len(texts)} hypotheses")
    if not texts:
        raise ValueError("there are no hypotheses, so there is no score")
    if not 1 <= min_len <= max_len:
        raise ValueError(f"min_len is {min_len} and max_len is {max_len}, but must be 1 <= min_len <= max_len")

    def summed(order: int) -> float:
        """Return the sum of the F of all orders up to this one, over all sentences."""
        if not order:
            return 0.0
        spec = f"chrf:char-order={order},beta={float(beta)!r},eps-smoothing" + ("" if ignore_whitespace else ",whitespace")
        one = named_metric(spec)
        return order * math.fsum(quiet_score(one, [text], [other]).score / 100 for text, other in zip(texts, others))

    return (summed(max_len) - summed(min_len - 1)) / (max_len - min_len + 1) / len(texts)


def _text(given: Any, place: str) -> str:
    """Return a text, or the text of words that are joined by spaces."""
    if isinstance(given, str):
        return given
    words = tokens_of(given, place)
    for at, word in enumerate(words):
        if not isinstance(word, str):
            raise TypeError(f"{place}[{at}] is {type(word).__name__}, but must be a str")
    return " ".join(words)


def corpus_ribes(
    list_of_references: Iterable[Iterable[Tokens]], hypotheses: Iterable[Tokens], alpha: float = 0.25, beta: float = 0.10
) -> float:
    """Return the mean RIBES of sentences, from 0 to 1; 0 for an empty corpus.

    Args:
        list_of_references: The references of each hypothesis.
        hypotheses: The hypotheses.
        alpha, beta: Exponents of unigram precision and brevity penalty; there are only the defaults.

    Raises:
        ValueError: if `alpha` or `beta` is not the default.
    """
    if (alpha, beta) != (0.25, 0.10):
        raise ValueError(f"alpha={alpha} and beta={beta} are given, but RIBES has the exponents 0.25 and 0.10 only")
    score = TokenCorpus(list_of_references, hypotheses, without=True).score(named_metric("ribes"))
    return 0.0 if score is None else score.score


def sentence_ribes(references: Iterable[Tokens], hypothesis: Tokens, alpha: float = 0.25, beta: float = 0.10) -> float:
    """Return RIBES of a sentence, from 0 to 1; the arguments are those of `corpus_ribes`."""
    return corpus_ribes([references], [hypothesis], alpha, beta)
