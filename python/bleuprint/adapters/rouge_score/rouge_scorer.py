"""`RougeScorer`: precision, recall and F of a text, for several types of ROUGE."""

from __future__ import annotations

import re

from ..._metric import metric
from . import scoring
from .tokenizers import DefaultTokenizer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, Optional, Union

_TYPE = re.compile("rouge([1-9]|L|Lsum)")


class RougeScorer(scoring.BaseScorer):
    """Score texts against references.

    Args:
        rouge_types: Names of the types: `rouge1` to `rouge9`, `rougeL`, `rougeLsum`.
        use_stemmer: Whether to apply the Porter stemmer. Default: False.
        split_summaries: Whether NLTK splits texts into sentences for `rougeLsum`, or a function from a text to the list of its sentences.
            Default: False; each line is a sentence.
        tokenizer: Object with a method `tokenize` from a text to its tokens, instead of the default and of `use_stemmer`.

    Raises:
        ValueError: if there is no such type.

    Example:
        >>> from bleuprint.adapters.rouge_score.rouge_scorer import RougeScorer
        >>> RougeScorer(["rouge2"]).score_multi(["a dog ran", "the cat was found"], "the cat was here")
        {'rouge2': Score(precision=0.6666666666666666, recall=0.6666666666666666, fmeasure=0.6666666666666666)}
    """

    def __init__(
        self,
        rouge_types: Iterable[str],
        use_stemmer: bool = False,
        split_summaries: Union[bool, Callable[[str], Iterable[str]]] = False,
        tokenizer: Any = None,
    ) -> None:
        self.rouge_types = rouge_types
        self._names = list(dict.fromkeys(rouge_types))
        for name in self._names:
            if not isinstance(name, str) or not _TYPE.fullmatch(name):
                hint = ": give a list of names" if isinstance(rouge_types, str) else ""
                raise ValueError(f"Invalid rouge type: {name}{hint}; there are rouge1 to rouge9, rougeL and rougeLsum")
        if isinstance(tokenizer, DefaultTokenizer):
            # The native metric has the same tokenizer.
            use_stemmer, tokenizer = tokenizer._use_stemmer, None
        self._tokenizer = tokenizer
        self._split: Optional[Callable[[str], Iterable[str]]] = None
        if split_summaries:
            self._split = split_summaries if callable(split_summaries) else _split_with_nltk
        self._metrics: dict[str, Any] = {}
        for name in self._names:
            if tokenizer is None:
                self._metrics[name] = metric(f"{name}:stemmer" if use_stemmer else name)
            else:
                # `_words` writes the tokens of this tokenizer as words between spaces.
                self._metrics[name] = metric(name, tokenize="lines:none" if name == "rougeLsum" else "none")

    def score(self, target: str, prediction: str) -> dict[str, scoring.Score]:
        """Return the scores of a text against one reference, by type.

        Args:
            target: The reference.
            prediction: The text to score.
        """
        return self.score_multi([target], prediction)

    def score_multi(self, targets: Sequence[str], prediction: str) -> dict[str, scoring.Score]:
        """Return the scores of a text against its best reference, by type.

        For each type, the reference with the greatest F counts; the first of several equal ones.

        Args:
            targets: The references.
            prediction: The text to score.

        Raises:
            ValueError: if there are no references.
            TypeError: if a text is not a str.
        """
        if isinstance(targets, str):
            raise TypeError("targets is a str, but must be a list of references: give [target], or call score")
        references = list(targets)
        if not references:
            raise ValueError("targets is empty, but must have at least one reference")
        for place, text in [*((f"targets[{at}]", one) for at, one in enumerate(references)), ("prediction", prediction)]:
            if not isinstance(text, str):
                raise TypeError(f"{place} is {type(text).__name__}, but must be a str")
        if self._tokenizer is not None:
            return self._of_tokens(references, prediction)
        if self._split is not None:
            references, prediction = [self._lines(text) for text in references], self._lines(prediction)
        return {name: _best(chosen, references, prediction) for name, chosen in self._metrics.items()}

    def _lines(self, text: str) -> str:
        """Return the text with one sentence on each line."""
        return "\n".join(sentence.replace("\n", " ") for sentence in self._sentences(text))

    def _sentences(self, text: str) -> list[str]:
        return text.split("\n") if self._split is None else list(self._split(text))

    def _of_tokens(self, references: list[str], prediction: str) -> dict[str, scoring.Score]:
        """Return the scores over the tokens of the caller's tokenizer."""
        known: dict[Any, int] = {}
        words: Callable[[str], str] = lambda text: " ".join(
            f"{known.setdefault(token, len(known))}" for token in self._tokenizer.tokenize(text)
        )
        texts = [*references, prediction]
        whole = [words(text) for text in texts]
        scores = {}
        for name, chosen in self._metrics.items():
            forms = whole
            if name == "rougeLsum":
                forms = ["\n".join(words(one) for one in self._sentences(text) if one) for text in texts]
            scores[name] = _best(chosen, forms[:-1], forms[-1])
        return scores


def _best(chosen: Any, references: list[str], prediction: str) -> scoring.Score:
    """Return the score with the reference that gives the greatest F, the first of several equal ones."""
    scores = [chosen.score([prediction], [reference]) for reference in references]
    best = scores[0] if len(scores) == 1 else max(scores, key=lambda score: score.score)
    return scoring.Score(best.precision, best.recall, best.score)


def _split_with_nltk(text: str) -> list[str]:
    """Return the sentences that NLTK finds.

    Raises:
        ImportError: if NLTK is not installed.
        LookupError: if its data is not there.
    """
    try:
        from nltk import sent_tokenize
    except ImportError:
        raise ImportError(
            "split_summaries=True splits texts by NLTK, which is not installed: install it, or give a function from a text to its sentences"
        ) from None
    return list(sent_tokenize(text))
