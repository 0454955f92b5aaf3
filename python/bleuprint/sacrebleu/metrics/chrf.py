"""chrF and chrF++: F-scores of character and word n-grams."""

from __future__ import annotations

from .base import Score, Signature, engine_of
from .segments import ChrfStatistics

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Optional


class CHRFSignature(Signature):
    """Signature of chrF."""

    _ABBREVIATIONS = {"case": "c", "eff": "e", "nc": "nc", "nw": "nw", "space": "s"}

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self.info.update(
            {
                "case": "lc" if args["lowercase"] else "mixed",
                "eff": "yes" if not args["eps_smoothing"] else "no",
                "nc": args["char_order"],
                "nw": args["word_order"],
                "space": "yes" if args["whitespace"] else "no",
            }
        )


class CHRFScore(Score):
    """chrF score from 0 to 100; its name states `beta`, with one `+` for each word order."""

    def __init__(self, score: float, char_order: int, word_order: int, beta: int) -> None:
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order
        super().__init__(f"chrF{beta}" + "+" * word_order, score)


class CHRF(ChrfStatistics):
    """Compute chrF (Popović 2015), or chrF++ with a word order of 2.

    Args:
        char_order: Highest order of character n-grams. Default: 6.
        word_order: Highest order of word n-grams; 2 is chrF++. Default: 0.
        beta: Weight of recall relative to precision. Default: 2.
        lowercase: Whether to lowercase the texts first. Default: False.
        whitespace: Whether character n-grams include whitespace. Default: False.
        eps_smoothing: Whether to smooth with a small constant instead of using the effective order. Default: False.
        references: Streams of references for all calls, which are then called with None. Default: none.
        strict: Whether to refuse input that sacreBLEU cuts off or misreads. Default: True, or that of `install`.

    Example:
        >>> from bleuprint.sacrebleu.metrics import CHRF
        >>> print(CHRF(word_order=2).corpus_score(["the cat sat."], [["the cat sits."]]))
        chrF2++ = 54.98
    """

    CHAR_ORDER = 6
    WORD_ORDER = 0
    BETA = 2
    _SIGNATURE_TYPE = CHRFSignature
    _NO_REFERENCES = IndexError

    def __init__(
        self,
        char_order: int = CHAR_ORDER,
        word_order: int = WORD_ORDER,
        beta: int = BETA,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
        references: Optional[Sequence[Sequence[str]]] = None,
        *,
        strict: Optional[bool] = None,
    ) -> None:
        super().__init__(strict)
        self._force = True
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order
        self.order = char_order + word_order
        self.lowercase = lowercase
        self.whitespace = whitespace
        self.eps_smoothing = eps_smoothing
        if self.order:
            self._engine()
        if references is not None:
            self._kept = self._kept_streams(references)

    def _engine(self) -> Any:
        options = [
            # If both orders are 0, the engine still needs an order to count, but `_score_of` returns 0.
            ("chrf-char-order", str(self.char_order if self.order else 1)),
            ("chrf-word-order", str(self.word_order)),
            ("chrf-beta", repr(float(self.beta))),
        ]
        if self.whitespace:
            options.append(("chrf-whitespace", "yes"))
        if self.eps_smoothing:
            options.append(("chrf-eps-smoothing", "yes"))
        return engine_of("chrf", tuple(options), None, bool(self.lowercase))

    def _without_references(self, hypothesis: str) -> None:
        raise ValueError(f"not enough values to unpack (expected {max(self.order, 1) and 3}, got 0)")

    def _interval(self, each: Any, n_bootstrap: int) -> tuple[float, float]:
        return super()._interval(each, n_bootstrap) if self.order else (0.0, 0.0)

    def _statistics(self, system: str, hypotheses: Any, references: Any) -> Any:
        if not self.order:
            raise ValueError("chrF without any order is 0 for all systems: there is nothing to test")
        return super()._statistics(system, hypotheses, references)

    def _score_of(self, state: Any, missing: int) -> CHRFScore:
        if self.order == 0:
            if self.eps_smoothing:
                raise ZeroDivisionError("float division by zero")
            return CHRFScore(0.0, self.char_order, self.word_order, self.beta)
        return CHRFScore(state.value(), self.char_order, self.word_order, self.beta)


__all__ = ["CHRF", "CHRFScore", "CHRFSignature"]
