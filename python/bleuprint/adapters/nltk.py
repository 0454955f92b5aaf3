"""NLTK's scores of translations over lists of tokens, with NLTK's names and arguments: only the import changes.

References come first, as in NLTK. A token is any hashable value; METEOR and chrF need `str`. The numbers are those of NLTK 3.10.4: BLEU,
GLEU and METEOR bit for bit, and so is RIBES of a sentence; NIST, chrF and corpora of RIBES within 1e-12. `docs/from-nltk.md` has the
metrics behind these functions, which also take text, merge and have intervals.

Four differences are deliberate:

* A text in place of a list of tokens is an error; NLTK reads its characters.
* An empty corpus is an error where NLTK divides by zero, and unequal numbers of hypotheses and references are a `ValueError`.
* Weights must sum to 1. `SmoothingFunction` has NLTK's default parameters only, and smoothing functions of your own are refused.
* `meteor_score` needs WordNet's files, or `wordnet=None` for equal words and stems alone.

>>> from bleuprint.adapters.nltk import SmoothingFunction, sentence_bleu
>>> references = ["the cat sat on the mat".split(), "there is a cat on the mat".split()]
>>> hypothesis = "the cat is on the mat".split()
>>> round(sentence_bleu(references, hypothesis, smoothing_function=SmoothingFunction().method1), 4)
0.2659
"""

from __future__ import annotations

import math
import warnings
from functools import lru_cache

from .._metric import metric
from .._native import BleuprintWarning
from .._tokens import Ids

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, Optional, Union

    from .._metric import Metric
    from .._native import Score

    Tokens = Sequence[Any]
    Weights = Union[Sequence[float], Sequence[Sequence[float]]]

__all__ = [
    "SmoothingFunction",
    "bleu",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_gleu",
    "corpus_nist",
    "corpus_ribes",
    "gleu",
    "meteor",
    "meteor_score",
    "nist",
    "ribes",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_gleu",
    "sentence_nist",
    "sentence_ribes",
    "single_meteor_score",
]

#: Weights of four orders, with which `auto_reweigh` acts.
_FOUR = (0.25, 0.25, 0.25, 0.25)

#: Stands for the WordNet that NLTK would load.
_OF_NLTK = "nltk"


@lru_cache(maxsize=256)
def _named(spec: str) -> Metric:
    # An empty reference next to others counts in NLTK.
    return metric(spec, empty_references="keep")


def _scored(named: Metric, *data: Any) -> Score:
    """Return the score of the data without warnings about likely mistakes, since NLTK gives none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BleuprintWarning)
        return named.score(*data)


def _tokens(given: Any, place: str) -> list[Any]:
    """Return the tokens of one sentence as a list."""
    if isinstance(given, (str, bytes, dict)) or not hasattr(given, "__iter__"):
        hint = "; split it, as NLTK would read its characters" if isinstance(given, str) else ""
        raise TypeError(f"{place} is {type(given).__name__}, but must be a list of tokens{hint}")
    return list(given)


def _corpus(list_of_references: Any, hypotheses: Any, without: bool = False) -> tuple[list[list[list[Any]]], list[list[Any]]]:
    """Return the tokens of references and hypotheses; `without` gives a hypothesis without references an empty reference.

    Raises:
        TypeError: if a sentence is not a list of tokens.
        ValueError: if the numbers differ, or a hypothesis has no reference.
    """
    output = [_tokens(one, f"hypotheses[{at}]") for at, one in enumerate(_tokens(hypotheses, "hypotheses"))]
    references = []
    for at, several in enumerate(_tokens(list_of_references, "list_of_references")):
        place = f"list_of_references[{at}]"
        references.append([_tokens(one, f"{place}[{number}]") for number, one in enumerate(_tokens(several, place))])
        if not references[-1] and without:
            references[-1].append([])
        if not references[-1]:
            raise ValueError(f"{place} is empty, but every hypothesis needs at least one reference")
    if len(references) != len(output):
        raise ValueError(f"the number of reference sets is {len(references)}, but there are {len(output)} hypotheses")
    return references, output


def _ids(references: list[list[list[Any]]], hypotheses: list[list[Any]]) -> tuple[Any, Any]:
    """Return hypotheses and references with their tokens replaced by ids."""
    ids = Ids()
    output = ids.column(hypotheses, "hypotheses")
    return output, [ids.column(several, f"list_of_references[{at}]") for at, several in enumerate(references)]


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
    references, output = _corpus(list_of_references, hypotheses)
    length = sum(map(len, output))
    output, counted = _ids(references, output)
    every = list(weights)
    several = bool(every) and hasattr(every[0], "__len__")
    scores = []
    for one in every if several else [every]:
        scores.append(_bleu(counted, output, one, smoothing_function, auto_reweigh, length))
    return scores if several else scores[0]


def _bleu(references: Any, hypotheses: Any, given: Any, smoothing: Any, auto_reweigh: bool, length: int) -> float:
    """Return BLEU of ids with one list of weights."""
    method, weights = _method(smoothing), tuple(float(weight) for weight in given)
    if not weights:
        raise ValueError("weights is empty, but must have a weight for order 1")
    dialect = f"nltk:{method}"
    if auto_reweigh and weights == _FOUR and 0 < length < 4:
        if method in ("method5", "method6", "method7"):
            raise ValueError(f"auto_reweigh is not offered with {method}: leave one of them out")
        if method in ("method0", "method1"):
            dialect = "nltk:auto-reweigh" if method == "method0" else "nltk:auto-reweigh:method1"
        else:
            weights = (1 / length,) * length
    spec = f"bleu:dialect={dialect},max-order={len(weights)}"
    if any(weight != 1 / len(weights) for weight in weights):
        spec += ",weights=" + "/".join(map(repr, weights))
    result = _scored(_named(spec), hypotheses, references)
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


def corpus_gleu(
    list_of_references: Iterable[Iterable[Tokens]], hypotheses: Iterable[Tokens], min_len: int = 1, max_len: int = 4
) -> float:
    """Return Google BLEU of a corpus, from 0 to 1; 0 for an empty corpus.

    Args:
        list_of_references: The references of each hypothesis.
        hypotheses: The hypotheses.
        min_len, max_len: Least and greatest order of n-grams.
    """
    references, output = _corpus(list_of_references, hypotheses)
    if not output:
        return 0.0
    score: float = _scored(_named(f"gleu:min-order={min_len},max-order={max_len},ties=first"), *_ids(references, output)).score
    return score


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
    output, references = _ids(*_corpus(list_of_references, hypotheses))
    # NIST remembers its tokens, so the ids are words here; equal tokens are equal words.
    words: Callable[[list[int]], str] = lambda ids: " ".join(f"t{number}" for number in ids)
    spec = f"nist:dialect=nltk,order={n},tokenize=none"
    texts = [words(one) for one in output], [[words(one) for one in several] for several in references]
    score: float = _scored(_named(spec), *texts).score
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
        one = _named(spec)
        return order * math.fsum(_scored(one, [text], [other]).score / 100 for text, other in zip(texts, others))

    return (summed(max_len) - summed(min_len - 1)) / (max_len - min_len + 1) / len(texts)


def _text(given: Any, place: str) -> str:
    """Return a text, or the text of words that are joined by spaces."""
    if isinstance(given, str):
        return given
    words = _tokens(given, place)
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
    references, output = _corpus(list_of_references, hypotheses, without=True)
    if not output:
        return 0.0
    score: float = _scored(_named("ribes"), *_ids(references, output)).score
    return score


def sentence_ribes(references: Iterable[Tokens], hypothesis: Tokens, alpha: float = 0.25, beta: float = 0.10) -> float:
    """Return RIBES of a sentence, from 0 to 1; the arguments are those of `corpus_ribes`."""
    return corpus_ribes([references], [hypothesis], alpha, beta)


def meteor_score(
    references: Iterable[Iterable[str]],
    hypothesis: Iterable[str],
    preprocess: Callable[[str], str] = str.lower,
    stemmer: Any = None,
    wordnet: Any = _OF_NLTK,
    alpha: float = 0.9,
    beta: float = 3.0,
    gamma: float = 0.5,
) -> float:
    """Return METEOR of a sentence with its best reference, from 0 to 1.

    Args:
        references: The references.
        hypothesis: The hypothesis.
        preprocess: Function that is applied to each word; its words must be in lower case.
        stemmer: None, or a `PorterStemmer` of NLTK.
        wordnet: Folder with WordNet's files, NLTK's `wordnet` reader, or None for equal words and stems alone. Default: the WordNet that
            NLTK finds.
        alpha, beta, gamma: Parameters of the score.

    Raises:
        LookupError: if `wordnet` is the default, but NLTK or its WordNet is not there.
        ValueError: if a word of `preprocess` is not in lower case, or has white space or no characters.
    """
    if stemmer is not None and type(stemmer).__name__ != "PorterStemmer":
        raise ValueError(f"stemmer is {type(stemmer).__name__}, but METEOR has the Porter stemmer only")
    output = _words(hypothesis, "hypothesis", preprocess)
    others = [_words(one, f"references[{at}]", preprocess) for at, one in enumerate(_tokens(references, "references"))]
    if not others:
        raise ValueError("references is empty, but must have at least one reference")
    folder = _folder(wordnet)
    spec = f"meteor:alpha={float(alpha)!r},beta={float(beta)!r},gamma={float(gamma)!r},tokenize=none"
    if not output:
        return 0.0
    chosen = _meteor(spec, folder)
    score: float = _scored(chosen, [output], [others]).score
    return score


def single_meteor_score(
    reference: Iterable[str],
    hypothesis: Iterable[str],
    preprocess: Callable[[str], str] = str.lower,
    stemmer: Any = None,
    wordnet: Any = _OF_NLTK,
    alpha: float = 0.9,
    beta: float = 3.0,
    gamma: float = 0.5,
) -> float:
    """Return METEOR of a sentence with one reference, from 0 to 1; the arguments are those of `meteor_score`."""
    return meteor_score([reference], hypothesis, preprocess, stemmer, wordnet, alpha, beta, gamma)


@lru_cache(maxsize=16)
def _meteor(spec: str, folder: Optional[str]) -> Metric:
    # The folder is an option of its own, because a path may have a comma.
    options: dict[str, Any] = {} if folder is None else {"wordnet": folder}
    return metric(spec, empty_references="keep", **options)


def _words(given: Any, place: str, preprocess: Callable[[str], str]) -> str:
    """Return the words of a sentence after `preprocess`, joined by spaces."""
    words = []
    for at, token in enumerate(_tokens(given, place)):
        if not isinstance(token, str):
            raise TypeError(f"{place}[{at}] is {type(token).__name__}, but must be a str")
        word = preprocess(token)
        if word.split() != [word]:
            raise ValueError(f"{place}[{at}] is {word!r}, but a word has no white space and at least one character")
        if word != word.lower():
            raise ValueError(f"{place}[{at}] is {word!r} after preprocess, but METEOR compares words in lower case")
        words.append(word)
    return " ".join(words)


def _folder(wordnet: Any) -> Optional[str]:
    """Return the folder of WordNet's files, or None for no synonyms."""
    if wordnet is None:
        return None
    advice = "give wordnet=FOLDER with WordNet's files, or wordnet=None for equal words and stems alone"
    if isinstance(wordnet, str) and wordnet == _OF_NLTK:
        try:
            from nltk.data import find
        except ImportError:
            raise LookupError(f"NLTK, which finds WordNet, is not installed: {advice}") from None
        try:
            wordnet = find("corpora/wordnet")
        except LookupError:
            raise LookupError(f"NLTK finds no folder corpora/wordnet: {advice}") from None
    # NLTK's reader of a corpus has its folder in `root`; a path of `pathlib` has another `root`.
    root = wordnet if isinstance(wordnet, str) or hasattr(wordnet, "__fspath__") else getattr(wordnet, "root", wordnet)
    return str(getattr(root, "path", root))


bleu, gleu, nist, ribes, meteor = sentence_bleu, sentence_gleu, sentence_nist, sentence_ribes, meteor_score
