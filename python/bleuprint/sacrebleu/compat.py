"""The functions of sacreBLEU's interface: `corpus_bleu`, `sentence_bleu` and those of chrF and TER."""

from __future__ import annotations

from .metrics import BLEU, CHRF, TER, BLEUScore, CHRFScore, TERScore
from .metrics.base import is_strict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Optional


#: Metrics of `sentence_bleu` by its arguments, kept because programs call it for one sentence after another.
_SENTENCES: dict[Any, Any] = {}


def corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    smooth_method: str = "exp",
    smooth_value: Optional[float] = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: Optional[str] = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = False,
    *,
    strict: Optional[bool] = None,
) -> BLEUScore:
    """Return the BLEU of a corpus, from 0 to 100.

    Args:
        hypotheses: The hypotheses, one for each segment.
        references: Streams of references: `references[k][i]` is the k-th reference of segment `i`; None if there is none.
        smooth_method: Smoothing of zero matches: `exp`, `floor`, `add-k` or `none`.
        smooth_value: Value for `floor` (default 0.1) or `add-k` (default 1).
        force: Whether to suppress the warning that hypotheses look tokenized. Default: False.
        lowercase: Whether to lowercase the texts first. Default: False.
        tokenize: Name of the tokenizer. Default: `13a`.
        use_effective_order: Whether to ignore orders without any n-gram. Default: False.
        strict: Whether to refuse input that sacreBLEU cuts off or misreads. Default: True, or that of `install`.
    """
    metric = BLEU(lowercase, force, tokenize, smooth_method, smooth_value, effective_order=use_effective_order, strict=strict)
    score: BLEUScore = metric.corpus_score(hypotheses, references)
    return score


def raw_corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    smooth_value: Optional[float] = BLEU.SMOOTH_DEFAULTS["floor"],
    *,
    strict: Optional[bool] = None,
) -> BLEUScore:
    """Return the BLEU of a corpus that is already tokenized, with effective order and floor smoothing.

    Tokens are separated by spaces.

    Args:
        hypotheses: The hypotheses, one for each segment.
        references: Streams of references: `references[k][i]` is the k-th reference of segment `i`; None if there is none.
        smooth_value: Value for orders without a match. Default: 0.1.
        strict: Whether to refuse input that sacreBLEU cuts off or misreads. Default: True, or that of `install`.
    """
    floor: Any = {"smooth_method": "floor", "smooth_value": smooth_value}
    return corpus_bleu(hypotheses, references, **floor, force=True, tokenize="none", use_effective_order=True, strict=strict)


def sentence_bleu(
    hypothesis: str,
    references: Sequence[str],
    smooth_method: str = "exp",
    smooth_value: Optional[float] = None,
    lowercase: bool = False,
    tokenize: Optional[str] = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = True,
    *,
    strict: Optional[bool] = None,
) -> BLEUScore:
    """Return the BLEU of one sentence, from 0 to 100.

    Args:
        hypothesis: The hypothesis.
        references: Its references.
        smooth_method: Smoothing of zero matches: `exp`, `floor`, `add-k` or `none`.
        smooth_value: Value for `floor` (default 0.1) or `add-k` (default 1).
        lowercase: Whether to lowercase the texts first. Default: False.
        tokenize: Name of the tokenizer. Default: `13a`.
        use_effective_order: Whether to ignore orders without any n-gram. Default: True.
        strict: Whether to refuse input that sacreBLEU cuts off or misreads. Default: True, or that of `install`.
    """
    strict = is_strict(strict)
    # The type of the value is part of the key: 1 and 1.0 are equal, but give counts of different types.
    key: Any = (lowercase, tokenize, smooth_method, smooth_value, use_effective_order, strict, type(smooth_value))
    try:
        metric = _SENTENCES.get(key)
    except TypeError:
        # The arguments are not hashable, so the metric is not kept; its constructor checks them.
        metric = key = None
    if metric is None:
        metric = BLEU(lowercase, False, tokenize, smooth_method, smooth_value, effective_order=use_effective_order, strict=strict)
        if key is not None and len(_SENTENCES) < 64:
            _SENTENCES[key] = metric
    score: BLEUScore = metric.sentence_score(hypothesis, references)
    return score


def corpus_chrf(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    char_order: int = CHRF.CHAR_ORDER,
    word_order: int = CHRF.WORD_ORDER,
    beta: int = CHRF.BETA,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
    *,
    strict: Optional[bool] = None,
) -> CHRFScore:
    """Return the chrF of a corpus, from 0 to 100.

    Args:
        hypotheses: The hypotheses, one for each segment.
        references: Streams of references: `references[k][i]` is the k-th reference of segment `i`; None if there is none.
        char_order: Highest order of character n-grams. Default: 6.
        word_order: Highest order of word n-grams; 2 is chrF++. Default: 0.
        beta: Weight of recall relative to precision. Default: 2.
        remove_whitespace: Whether to remove whitespace before character n-grams are counted. Default: True.
        eps_smoothing: Whether to smooth with a small constant instead of using the effective order. Default: False.
        strict: Whether to refuse input that sacreBLEU cuts off or misreads. Default: True, or that of `install`.
    """
    metric = CHRF(char_order, word_order, beta, False, not remove_whitespace, eps_smoothing, strict=strict)
    score: CHRFScore = metric.corpus_score(hypotheses, references)
    return score


def sentence_chrf(
    hypothesis: str,
    references: Sequence[str],
    char_order: int = CHRF.CHAR_ORDER,
    word_order: int = CHRF.WORD_ORDER,
    beta: int = CHRF.BETA,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
    *,
    strict: Optional[bool] = None,
) -> CHRFScore:
    """Return the chrF of one sentence, from 0 to 100.

    Args:
        hypothesis: The hypothesis.
        references: Its references.
        char_order: Highest order of character n-grams. Default: 6.
        word_order: Highest order of word n-grams; 2 is chrF++. Default: 0.
        beta: Weight of recall relative to precision. Default: 2.
        remove_whitespace: Whether to remove whitespace before character n-grams are counted. Default: True.
        eps_smoothing: Whether to smooth with a small constant instead of using the effective order. Default: False.
        strict: Whether to refuse input that sacreBLEU cuts off or misreads. Default: True, or that of `install`.
    """
    metric = CHRF(char_order, word_order, beta, False, not remove_whitespace, eps_smoothing, strict=strict)
    score: CHRFScore = metric.sentence_score(hypothesis, references)
    return score


def corpus_ter(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
    *,
    strict: Optional[bool] = None,
) -> TERScore:
    """Return the TER of a corpus, in percent: 0 is best, and it can exceed 100.

    Args:
        hypotheses: The hypotheses, one for each segment.
        references: Streams of references: `references[k][i]` is the k-th reference of segment `i`; None if there is none.
        normalized: Whether to apply tercom's normalization. Default: False.
        no_punct: Whether to remove punctuation. Default: False.
        asian_support: Whether the two steps above cover Asian characters and punctuation too. Default: False.
        case_sensitive: Whether words that differ only in case are different. Default: False.
        strict: Whether to refuse input that sacreBLEU cuts off or misreads. Default: True, or that of `install`.
    """
    metric = TER(normalized, no_punct, asian_support, case_sensitive, strict=strict)
    score: TERScore = metric.corpus_score(hypotheses, references)
    return score


def sentence_ter(
    hypothesis: str,
    references: Sequence[str],
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
    *,
    strict: Optional[bool] = None,
) -> TERScore:
    """Return the TER of one sentence, in percent: 0 is best, and it can exceed 100.

    Args:
        hypothesis: The hypothesis.
        references: Its references.
        normalized: Whether to apply tercom's normalization. Default: False.
        no_punct: Whether to remove punctuation. Default: False.
        asian_support: Whether the two steps above cover Asian characters and punctuation too. Default: False.
        case_sensitive: Whether words that differ only in case are different. Default: False.
        strict: Whether to refuse input that sacreBLEU cuts off or misreads. Default: True, or that of `install`.
    """
    metric = TER(normalized, no_punct, asian_support, case_sensitive, strict=strict)
    score: TERScore = metric.sentence_score(hypothesis, references)
    return score
