"""BLEU."""

from __future__ import annotations

import sys

from ... import _native
from .base import Score, Signature, engine_of
from .segments import BleuStatistics

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Optional

MAX_NGRAM_ORDER = 4

#: The tokenizers by name, as (module, class) below `bleuprint.sacrebleu.tokenizers`.
_TOKENIZERS = {
    "none": "tokenizer_none.NoneTokenizer",
    "zh": "tokenizer_zh.TokenizerZh",
    "13a": "tokenizer_13a.Tokenizer13a",
    "intl": "tokenizer_intl.TokenizerV14International",
    "char": "tokenizer_char.TokenizerChar",
    "ja-mecab": "tokenizer_ja_mecab.TokenizerJaMecab",
    "ko-mecab": "tokenizer_ko_mecab.TokenizerKoMecab",
    "spm": "tokenizer_spm.TokenizerSPM",
    "flores101": "tokenizer_spm.Flores101Tokenizer",
    "flores200": "tokenizer_spm.Flores200Tokenizer",
    "spBLEU-1K": "tokenizer_spm.spBLEU1KTokenizer",
}


def _get_tokenizer(name: str) -> Any:
    """Return the class of the tokenizer with this name."""
    from importlib import import_module

    module, _, of_module = _TOKENIZERS[name].partition(".")
    return getattr(import_module(f"...tokenizers.{module}", __name__), of_module)


class BLEUSignature(Signature):
    """Signature of BLEU."""

    _ABBREVIATIONS = {"case": "c", "eff": "e", "tok": "tok", "smooth": "s"}

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        smooth = args["smooth_method"]
        value = args["smooth_value"]
        default = BLEU.SMOOTH_DEFAULTS[smooth]
        if default is not None:
            smooth += f"[{default if value is None else value:.2f}]"
        self.info.update(
            {
                "case": "lc" if args["lowercase"] else "mixed",
                "eff": "yes" if args["effective_order"] else "no",
                "tok": args["tokenizer_signature"],
                "smooth": smooth,
            }
        )


class BLEUScore(Score):
    """BLEU score from 0 to 100, with its parts.

    Args:
        score: BLEU.
        counts: Number of matched n-grams for each order from 1.
        totals: Number of hypothesis n-grams for each order.
        precisions: Smoothed precision of each order, in percent.
        bp: Brevity penalty, from 0 to 1.
        sys_len: Number of hypothesis tokens.
        ref_len: Number of reference tokens; each segment adds its reference length closest to the hypothesis.
    """

    def __init__(
        self,
        score: float,
        counts: list[int],
        totals: list[int],
        precisions: list[float],
        bp: float,
        sys_len: int,
        ref_len: int,
    ) -> None:
        self.name = "BLEU"
        self.score = score
        self._mean = -1.0
        self._ci = -1.0
        self.bp = bp
        self.counts = counts
        self.totals = totals
        self.sys_len = sys_len
        self.ref_len = ref_len
        self.precisions = precisions
        self.ratio = sys_len / ref_len if ref_len else 0
        self.prec_str = "/".join(f"{precision:.1f}" for precision in precisions)
        self._verbose = (
            f"{self.prec_str} (BP = {bp:.3f} ratio = {self.ratio:.3f} hyp_len = {sys_len:d} ref_len = {ref_len:d})"
        )


def _finished(parts: tuple[Any, ...]) -> BLEUScore:
    """Return the score for the parts and texts that the native side computed."""
    score = BLEUScore.__new__(BLEUScore)
    score.name, score._mean, score._ci = "BLEU", -1.0, -1.0
    (
        score.score,
        score.counts,
        score.totals,
        score.precisions,
        score.bp,
        score.sys_len,
        score.ref_len,
        score.ratio,
        score.prec_str,
        score._verbose,
    ) = parts
    if score.ref_len == 0:
        score.ratio = 0
    return score


#: Languages with their own tokenizer.
_LANGUAGES = {"zh": "Chinese", "ja": "Japanese", "ko": "Korean"}

#: Engines by the options of counting, labels by tokenizer, finishers by options. The functions of `compat` build a metric for each
#: call, so what is costly to build is kept here.
_COUNTERS: dict[Any, Any] = {}
_LABELS: dict[str, str] = {}
_FINISHERS: dict[Any, Any] = {}

#: The logarithm of a precision of 0, as in sacreBLEU; its exponential is 0.
_NOTHING = -9999999999


class BLEU(BleuStatistics):
    """Compute BLEU (Papineni et al. 2002).

    Args:
        lowercase: Whether to lowercase the texts first. Default: False.
        force: Whether to suppress the warning that hypotheses look tokenized. Default: False.
        tokenize: Name of the tokenizer. Default: that of `trg_lang`, otherwise `13a`.
        smooth_method: Smoothing of zero matches: `exp`, `floor`, `add-k` or `none`.
        smooth_value: Value for `floor` (default 0.1) or `add-k` (default 1).
        max_ngram_order: Highest order of n-grams. Default: 4.
        effective_order: Whether to ignore orders without any n-gram. Default: False.
        trg_lang: Target language; `zh`, `ja` and `ko` have their own tokenizers.
        references: Streams of references for all calls, which are then called with None. Default: none.
        strict: Whether to refuse input that sacreBLEU cuts off or misreads. Default: True, or that of `install`.

    Raises:
        AssertionError: if the smoothing method is unknown, as in sacreBLEU.
        KeyError: if the tokenizer is unknown.

    Example:
        >>> from bleuprint.sacrebleu.metrics import BLEU
        >>> bleu = BLEU(references=[["a b c d", "e f g h"]])
        >>> print(bleu.corpus_score(["a b c d", "e f g x"], None))
        BLEU = 72.31 87.5/83.3/75.0/50.0 (BP = 1.000 ratio = 1.000 hyp_len = 8 ref_len = 8)
    """

    SMOOTH_DEFAULTS: dict[str, Optional[float]] = {"none": None, "floor": 0.1, "add-k": 1, "exp": None}
    TOKENIZERS = _TOKENIZERS.keys()
    TOKENIZER_DEFAULT = "13a"
    _TOKENIZER_MAP = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
    _SIGNATURE_TYPE = BLEUSignature

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,
        tokenize: Optional[str] = None,
        smooth_method: str = "exp",
        smooth_value: Optional[float] = None,
        max_ngram_order: int = MAX_NGRAM_ORDER,
        effective_order: bool = False,
        trg_lang: str = "",
        references: Optional[Sequence[Sequence[str]]] = None,
        *,
        strict: Optional[bool] = None,
    ) -> None:
        super().__init__(strict)
        self._force = force
        self.trg_lang = trg_lang
        self.lowercase = lowercase
        self.smooth_value = smooth_value
        self.smooth_method = smooth_method
        self.max_ngram_order = max_ngram_order
        self.effective_order = effective_order
        if smooth_method not in self.SMOOTH_DEFAULTS:
            raise AssertionError(
                f"Unknown smooth_method {{self.smooth_method!r}}: `{smooth_method}`; "
                f"expected one of: {', '.join(self.SMOOTH_DEFAULTS)}"
            )
        best = self._TOKENIZER_MAP.get(trg_lang)
        if tokenize is None:
            tokenize = best or self.TOKENIZER_DEFAULT
        elif best and tokenize != best:
            _log().warning(f"Consider using the '{best}' or 'spm' tokenizer for {_LANGUAGES[trg_lang]}.")
        if tokenize not in _TOKENIZERS:
            raise KeyError(tokenize)
        self._tokenize = tokenize
        # Build the engine now, so that a missing tokenizer is an error in the constructor.
        self._counter()
        label = _LABELS.get(tokenize)
        if label is None:
            label = _LABELS[tokenize] = self.tokenizer.signature()
        self.tokenizer_signature = label
        if references is not None:
            self._kept = self._kept_streams(references)

    @property
    def tokenizer(self) -> Any:
        """Tokenizer: called with a line, it returns the tokens joined by spaces."""
        return _get_tokenizer(self._tokenize)()

    def _counter(self) -> Any:
        key = (self.max_ngram_order, self._tokenize, self.lowercase)
        engine = _COUNTERS.get(key)
        if engine is None:
            options = (("max-order", str(max(1, self.max_ngram_order))),)
            engine = _COUNTERS[key] = engine_of("bleu", options, self._tokenize, bool(self.lowercase))
        return engine

    def _engine(self) -> Any:
        method = self.smooth_method
        options = [("smooth-method", method), ("max-order", str(max(1, self.max_ngram_order)))]
        if self.SMOOTH_DEFAULTS[method] is not None and self.smooth_value is not None:
            options.append(("smooth-value", repr(float(self.smooth_value))))
        if self.effective_order:
            options.append(("effective-order", "yes"))
        if sys.version_info >= (3, 12):
            # Python's `sum` of floats is compensated from 3.12 on, so sacreBLEU's numbers there differ in the last bits.
            options.append(("summation", "compensated"))
        return engine_of("bleu", tuple(options), self._tokenize, bool(self.lowercase))

    def _look_at(self, hypotheses: Any) -> None:
        if self._force:
            return
        count = 0
        for line in hypotheses:
            if line.endswith(" ."):
                count += 1
        if count >= 100:
            log = _log()
            log.warning("That's 100 lines that end in a tokenized period ('.')")
            log.warning("It looks like you forgot to detokenize your test data, which may hurt your score.")
            log.warning("If you insist your data is detokenized, or don't care, you can suppress this message with the `force` parameter.")

    def _without_references(self, hypothesis: str) -> None:
        if hypothesis.strip():
            raise TypeError("argument of type 'NoneType' is not iterable")

    def _interval(self, each: Any, n_bootstrap: int) -> tuple[float, float]:
        return super()._interval(each, n_bootstrap) if self.max_ngram_order >= 1 else (0.0, 0.0)

    def _statistics(self, system: str, hypotheses: Any, references: Any) -> Any:
        if self.max_ngram_order < 1:
            raise ValueError("BLEU without any order is 0 for all systems: there is nothing to test")
        return super()._statistics(system, hypotheses, references)

    def _finisher(self) -> Any:
        """Return the native implementation of `compute_bleu`, or None if it does not apply.

        Python finishes the score with add-k, which changes the counts, and with numbers out of the native range.
        """
        method, value = self.smooth_method, self.smooth_value
        key = (method, value, self.max_ngram_order, self.effective_order)
        if key in _FINISHERS:
            return _FINISHERS[key]
        finisher = None
        if method in ("none", "exp", "floor") and self.max_ngram_order >= 1:
            given = value if method == "floor" and isinstance(value, (int, float)) else None
            if given == value or method != "floor":
                try:
                    # Python's `sum` of floats is compensated from 3.12 on, and sacreBLEU uses it.
                    finisher = _native.BleuFinisher(
                        method, given, self.max_ngram_order, bool(self.effective_order), sys.version_info >= (3, 12)
                    )
                except (ValueError, OverflowError):
                    finisher = None
        if len(_FINISHERS) < 256:
            _FINISHERS[key] = finisher
        return finisher

    def _score_of(self, state: Any, missing: int) -> BLEUScore:
        if not missing:
            finisher = self._finisher()
            if finisher is not None:
                return _finished(finisher(state))
        row = state.row()
        orders = self.max_ngram_order
        # Columns 0 to 2 count segments and references, 3 to 6 are reference lengths, of which the closest is 3.
        correct, total = row[7::3][:orders], row[8::3][:orders]
        return self.compute_bleu(
            correct,
            total,
            sys_len=row[8],
            # As in sacreBLEU, a segment without a reference has a reference length of -1.
            ref_len=row[3] - missing,
            smooth_method=self.smooth_method,
            smooth_value=self.smooth_value,
            effective_order=self.effective_order,
            max_ngram_order=orders,
        )

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> BLEUScore:
        """Return the score of one sentence against its references; warn if `effective_order` is off."""
        if not self.effective_order:
            _log().warning("It is recommended to enable `effective_order` for sentence-level BLEU.")
        finisher = self._finisher() if self.strict else None
        if finisher is not None:
            parts = _native.bleu_sentence(self._counter(), finisher, hypothesis, references)
            if parts is not None:
                self.num_refs = len(references)
                return _finished(parts)
        score: BLEUScore = super().sentence_score(hypothesis, references)
        return score

    @staticmethod
    def compute_bleu(
        correct: list[Any],
        total: list[Any],
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: Optional[float] = None,
        effective_order: bool = False,
        max_ngram_order: int = MAX_NGRAM_ORDER,
    ) -> BLEUScore:
        """Return BLEU from sums of counts.

        Args:
            correct: Number of matched n-grams for each order. The list is used without a copy, and add-k changes it, as in sacreBLEU.
            total: Number of hypothesis n-grams for each order; used without a copy, too.
            sys_len: Number of hypothesis tokens.
            ref_len: Number of reference tokens.
            smooth_method: Smoothing of zero matches: `exp`, `floor`, `add-k` or `none`.
            smooth_value: Value for `floor` (default 0.1) or `add-k` (default 1).
            effective_order: Whether to ignore orders without any n-gram. Default: False.
            max_ngram_order: Highest order of n-grams. Default: 4.
        """
        if smooth_method not in BLEU.SMOOTH_DEFAULTS:
            raise AssertionError(f"Unknown smooth_method {{smooth_method!r}}: `{smooth_method}`")
        if smooth_value is None:
            smooth_value = BLEU.SMOOTH_DEFAULTS[smooth_method]
        added: Any = smooth_value
        penalty = 1.0
        if sys_len < ref_len:
            penalty = _native.exp(1 - ref_len / sys_len) if sys_len > 0 else 0.0
        precisions = [0.0] * max_ngram_order
        if not any(correct):
            return BLEUScore(0.0, correct, total, precisions, penalty, sys_len, ref_len)
        halving, last = 1.0, max_ngram_order
        if smooth_method == "add-k" and total[0] != 0:
            for at in range(1, max_ngram_order):
                correct[at] += added
                total[at] += added
                if total[at] == 0:
                    break
        for at in range(max_ngram_order):
            matched, of = correct[at], total[at]
            if of == 0:
                break
            if effective_order:
                last = at + 1
            if matched:
                precisions[at] = 100.0 * matched / of
            elif smooth_method == "exp":
                halving *= 2
                precisions[at] = 100.0 / (halving * of)
            elif smooth_method == "floor":
                precisions[at] = 100.0 * added / of
        logarithms = [_NOTHING if value == 0.0 else _native.ln(value) for value in precisions[:last]]
        score = penalty * _native.exp(sum(logarithms) / last)
        return BLEUScore(score, correct, total, precisions, penalty, sys_len, ref_len)


def _log() -> Any:
    import logging

    return logging.getLogger("sacrebleu")


__all__ = ["BLEU", "BLEUScore", "BLEUSignature", "MAX_NGRAM_ORDER"]
