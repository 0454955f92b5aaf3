"""METEOR over lists of words, with NLTK's arguments."""

from __future__ import annotations

from functools import lru_cache

from ..._metric import metric
from ._read import quiet_score, tokens_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Optional

    from ..._metric import Metric

#: Stands for the WordNet that NLTK would load.
_OF_NLTK = "nltk"



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
    others = [_words(one, f"references[{at}]", preprocess) for at, one in enumerate(tokens_of(references, "references"))]
    if not others:
        raise ValueError("references is empty, but must have at least one reference")
    folder = _folder(wordnet)
    spec = f"meteor:alpha={float(alpha)!r},beta={float(beta)!r},gamma={float(gamma)!r},tokenize=none"
    if not output:
        return 0.0
    chosen = _meteor(spec, folder)
    score: float = quiet_score(chosen, [output], [others]).score
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
    for at, token in enumerate(tokens_of(given, place)):
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
