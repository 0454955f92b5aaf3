"""BLEU over token lists, with NLTK's smoothing methods and warnings."""

from __future__ import annotations

import warnings

from ._read import TokenCorpus, named_metric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, Union

    from ._read import Tokens

    Weights = Union[Sequence[float], Sequence[Sequence[float]]]

#: Weights of four orders, with which `auto_reweigh` acts.
_FOUR = (0.25, 0.25, 0.25, 0.25)


class _Smoothing:
    """A smoothing method of NLTK, by its name."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        raise TypeError(f"{self.__name__} is computed with the score: give it as smoothing_function")

    def __repr__(self) -> str:
        return f"<smoothing {self.__name__}>"


class SmoothingFunction:
    """The smoothing methods `method0` to `method7` of NLTK, for `smoothing_function`.

    Args:
        epsilon, alpha, k: Parameters of the methods; there are only NLTK's defaults.

    Raises:
        ValueError: if a parameter differs from its default.
    """

    def __init__(self, epsilon: float = 0.1, alpha: float = 5, k: float = 5) -> None:
        _require_defaults(epsilon, alpha, k)
        self.epsilon, self.alpha, self.k = epsilon, alpha, k
        self.method0 = _Smoothing("method0")
        self.method1 = _Smoothing("method1")
        self.method2 = _Smoothing("method2")
        self.method3 = _Smoothing("method3")
        self.method4 = _Smoothing("method4")
        self.method5 = _Smoothing("method5")
        self.method6 = _Smoothing("method6")
        self.method7 = _Smoothing("method7")


def _require_defaults(epsilon: float, alpha: float, k: float) -> None:
    if (epsilon, alpha, k) != (0.1, 5, 5):
        raise ValueError(
            f"epsilon={epsilon}, alpha={alpha}, k={k} are given, but the smoothing methods have NLTK's defaults 0.1, 5, 5 only; "
            "`bleu:smooth-method=floor,smooth-value=..` has an epsilon of its own"
        )


def _method(smoothing_function: Any) -> str:
    """Return the name of a smoothing method of this module or of NLTK."""
    if smoothing_function is None:
        return "method0"
    if isinstance(smoothing_function, _Smoothing):
        return smoothing_function.__name__
    owner: Any = getattr(smoothing_function, "__self__", None)
    if type(owner).__name__ != "SmoothingFunction":
        raise TypeError(f"smoothing_function is {smoothing_function!r}, but must be a method of SmoothingFunction")
    _require_defaults(owner.epsilon, owner.alpha, owner.k)
    return str(smoothing_function.__name__)


def corpus_bleu(
    list_of_references: Iterable[Iterable[Tokens]],
    hypotheses: Iterable[Tokens],
    weights: Weights = _FOUR,
    smoothing_function: Any = None,
    auto_reweigh: bool = False,
) -> Any:
    """Return BLEU of a corpus, from 0 to 1.

    A warning says if orders have no match and the method does not smooth them.

    Args:
        list_of_references: The references of each hypothesis.
        hypotheses: The hypotheses.
        weights: Weights of the orders from 1, with the sum 1, or a list of such weights.
        smoothing_function: Method of `SmoothingFunction`. Default: `method0`.
        auto_reweigh: Whether fewer than 4 tokens are scored up to their own length, if the weights are the default.

    Returns:
        A float; a list of floats for a list of weights.
    """
    return _bleu_scores(list_of_references, hypotheses, weights, smoothing_function, auto_reweigh)


def _bleu_scores(list_of_references: Any, hypotheses: Any, weights: Any, smoothing_function: Any, auto_reweigh: bool) -> Any:
    """Return BLEU for one list of weights, or for each of several."""
    corpus = TokenCorpus(list_of_references, hypotheses)
    every = list(weights)
    several = bool(every) and hasattr(every[0], "__len__")
    scores = []
    for one in every if several else [every]:
        scores.append(_bleu(corpus, one, smoothing_function, auto_reweigh))
    return scores if several else scores[0]


def _bleu(corpus: TokenCorpus, given: Any, smoothing: Any, auto_reweigh: bool) -> float:
    """Return BLEU of a corpus with one list of weights."""
    method, weights = _method(smoothing), tuple(float(weight) for weight in given)
    if not weights:
        raise ValueError("weights is empty, but must have a weight for order 1")
    dialect = f"nltk:{method}"
    length = sum(map(len, corpus.as_ids()[0])) if auto_reweigh and weights == _FOUR else 0
    if 0 < length < 4:
        if method in ("method5", "method6", "method7"):
            raise ValueError(f"auto_reweigh is not offered with {method}: leave one of them out")
        if method in ("method0", "method1"):
            dialect = "nltk:auto-reweigh" if method == "method0" else "nltk:auto-reweigh:method1"
        else:
            weights = (1 / length,) * length
    spec = f"bleu:dialect={dialect},max-order={len(weights)}"
    if any(weight != 1 / len(weights) for weight in weights):
        spec += ",weights=" + "/".join(map(repr, weights))
    result = corpus.score(named_metric(spec))
    if result is None:
        raise ValueError("there are no hypotheses, so there is no score")
    if method == "method0":
        _warn_of_zeros(result.counts)
    # NLTK's zero is an int, which its users' tests print.
    return result.score or 0


def _warn_of_zeros(counts: list[int]) -> None:
    """Warn of orders without a match, unless there is no match at all."""
    zeros = [str(order) for order, count in enumerate(counts, 1) if not count]
    if zeros and counts[0]:
        warnings.warn(
            f"no n-gram of order {', '.join(zeros)} matches a reference, so BLEU is 0 or nearly 0: use a smoothing function or fewer orders",
            UserWarning,
            # The caller of `corpus_bleu` or `sentence_bleu`.
            stacklevel=5,
        )


def sentence_bleu(
    references: Iterable[Tokens],
    hypothesis: Tokens,
    weights: Weights = _FOUR,
    smoothing_function: Any = None,
    auto_reweigh: bool = False,
) -> Any:
    """Return BLEU of a sentence, from 0 to 1; the arguments are those of `corpus_bleu`."""
    return _bleu_scores([references], [hypothesis], weights, smoothing_function, auto_reweigh)
