"""Translation edit rate (TER)."""

from __future__ import annotations

from .base import Score, Signature, engine_of
from .segments import TerStatistics

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Optional


class TERSignature(Signature):
    """Signature of TER."""

    _ABBREVIATIONS = {"case": "c", "tok": "t", "norm": "nr", "punct": "pn", "asian": "as"}

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self.info.update(
            {
                "case": "mixed" if args["case_sensitive"] else "lc",
                "tok": args["tokenizer_signature"],
                "norm": args["normalized"],
                "punct": not args["no_punct"],
                "asian": args["asian_support"],
            }
        )


class TERScore(Score):
    """TER score in percent: 100 times `num_edits` divided by `ref_length`, the number of reference words."""

    def __init__(self, score: float, num_edits: float, ref_length: float) -> None:
        super().__init__("TER", score)
        self.num_edits = num_edits
        self.ref_length = ref_length


class TER(TerStatistics):
    """Compute the translation edit rate (Snover et al. 2006).

    Args:
        normalized: Whether to apply tercom's normalization. Default: False.
        no_punct: Whether to remove punctuation. Default: False.
        asian_support: Whether the two steps above cover Asian characters and punctuation too. Default: False.
        case_sensitive: Whether words that differ only in case are different. Default: False.
        references: Streams of references for all calls, which are then called with None. Default: none.
        strict: Whether to refuse input that sacreBLEU cuts off or misreads. Default: True, or that of `install`.

    Example:
        >>> from bleuprint.sacrebleu.metrics import TER
        >>> print(TER().corpus_score(["d e f g h a b c"], [["a b c d e f g h"]]))
        TER = 12.50
    """

    _SIGNATURE_TYPE = TERSignature
    _NO_REFERENCES = ZeroDivisionError

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
        references: Optional[Sequence[Sequence[str]]] = None,
        *,
        strict: Optional[bool] = None,
    ) -> None:
        super().__init__(strict)
        self._force = True
        self.no_punct = no_punct
        self.normalized = normalized
        self.asian_support = asian_support
        self.case_sensitive = case_sensitive
        self.tokenizer_signature = "tercom"
        self._engine()
        if references is not None:
            self._kept = self._kept_streams(references)

    @property
    def tokenizer(self) -> Any:
        """Tokenizer: called with a line, it returns the tokens joined by spaces."""
        from ..tokenizers.tokenizer_ter import TercomTokenizer

        return TercomTokenizer(self.normalized, self.no_punct, self.asian_support, self.case_sensitive)

    def _engine(self) -> Any:
        flags = {
            "ter-normalized": self.normalized,
            "ter-no-punct": self.no_punct,
            "ter-asian-support": self.asian_support,
            "ter-case-sensitive": self.case_sensitive,
        }
        return engine_of("ter", tuple((name, "yes") for name, given in flags.items() if given), None, None)

    def _without_references(self, hypothesis: str) -> None:
        raise ZeroDivisionError("division by zero")

    def _score_of(self, state: Any, missing: int) -> TERScore:
        score = state.score()
        return TERScore(score.score, score.num_edits, score.ref_length)


__all__ = ["TER", "TERScore", "TERSignature"]
