"""The functions of sacreBLEU's first interface, the most used ones."""

from __future__ import annotations

from .metrics import BLEU, CHRF, TER, BLEUScore, CHRFScore, TERScore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Optional


#: Metrics of `sentence_bleu` by its arguments: it is called one sentence at a time.
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
    strict: bool = True,
) -> BLEUScore:
    """BLEU of a corpus against streams of references."""
    metric = BLEU(lowercase, force, tokenize, smooth_method, smooth_value, effective_order=use_effective_order, strict=strict)
    score: BLEUScore = metric.corpus_score(hypotheses, references)
    return score


def raw_corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    smooth_value: Optional[float] = BLEU.SMOOTH_DEFAULTS["floor"],
    *,
    strict: bool = True,
) -> BLEUScore:
    """BLEU of tokens between spaces, with effective order, smoothed by a floor."""
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
    strict: bool = True,
) -> BLEUScore:
    """BLEU of one sentence against its references."""
    # As types too: 1 and 1.0 make counts of other types.
    key: Any = (lowercase, tokenize, smooth_method, smooth_value, use_effective_order, strict, type(smooth_value))
    try:
        metric = _SENTENCES.get(key)
    except TypeError:
        # Of no use as a key.
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
    strict: bool = True,
) -> CHRFScore:
    """chrF of a corpus against streams of references."""
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
    strict: bool = True,
) -> CHRFScore:
    """chrF of one sentence against its references."""
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
    strict: bool = True,
) -> TERScore:
    """TER of a corpus against streams of references."""
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
    strict: bool = True,
) -> TERScore:
    """TER of one sentence against its references."""
    metric = TER(normalized, no_punct, asian_support, case_sensitive, strict=strict)
    score: TERScore = metric.sentence_score(hypothesis, references)
    return score
