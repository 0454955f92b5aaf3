"""The common part of the metrics: score, signature, checks of arguments."""

from __future__ import annotations

import os
from itertools import islice

from ... import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Optional

#: Version in signatures: that of the program that computed the number.
__version__ = "bleuprint-0.1.0"


class Score:
    """Score of a metric, with its name and its text."""

    def __init__(self, name: str, score: float) -> None:
        self.name = name
        self.score = score
        self._mean = -1.0
        self._ci = -1.0
        self._verbose = ""

    def format(self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False) -> str:
        """Return the score as a line of text, as a number or as JSON.

        Args:
            width: Number of decimals.
            score_only: Whether to return only the number, with its interval if there is one.
            signature: Text of the signature; JSON needs it.
            is_json: Whether to return JSON.
        """
        confidence = ""
        if self._mean > 0:
            confidence = f"μ = {self._mean:.{width}f} ± {self._ci:.{width}f}"
        if score_only:
            return f"{self.score:.{width}f}" + (f" ({confidence})" if confidence else "")
        if is_json:
            return self._json(width, signature, confidence)
        name = f"{self.name}|{signature}" if signature else self.name
        line = f"{name} = {self.score:.{width}f}" + (f" ({confidence})" if confidence else "")
        return f"{line} {self._verbose}" if self._verbose else line

    def _json(self, width: int, signature: str, confidence: str) -> str:
        """Return the score, the interval and the entries of the signature as JSON."""
        import json

        fields = {"name": self.name, "score": float(f"{self.score:.{width}f}"), "signature": signature}
        if confidence:
            fields["confidence_mean"] = float(f"{self._mean:.{width}f}")
            fields["confidence_var"] = float(f"{self._ci:.{width}f}")
            fields["confidence"] = confidence
        if self._verbose:
            fields["verbose_score"] = self._verbose
        for part in signature.split("|"):
            key, value = part.split(":")
            fields[key] = value
        return json.dumps(fields, indent=1, ensure_ascii=False)

    def estimate_ci(self, scores: list[Score]) -> None:
        """Set the mean and the half-width of the 95 % interval from resampled scores."""
        import statistics

        numbers = sorted(score.score for score in scores)
        low = len(numbers) // 40
        high = len(numbers) - low - 1
        self._ci = 0.5 * (numbers[high] - numbers[low])
        self._mean = statistics.mean(numbers)

    def __repr__(self) -> str:
        return self.format()


class Signature:
    """Signature: everything that a score depends on, except the data."""

    _ABBREVIATIONS: dict[str, str] = {}
    _COMMON = {
        "version": "v",
        "nrefs": "#",
        "test": "t",
        "lang": "l",
        "subset": "S",
        "origlang": "o",
        "bs": "bs",
        "ar": "ar",
        "seed": "rs",
    }
    _ORDER = ("nrefs", "bs", "ar", "seed", "test", "lang", "origlang", "subset")

    def __init__(self, args: dict[str, Any]) -> None:
        if "num_refs" not in args:
            raise ValueError("Number of references unknown, please evaluate the metric first.")
        nrefs = args["num_refs"]
        self._abbr = {**self._COMMON, **self._ABBREVIATIONS}
        self.info = {
            "version": __version__,
            "nrefs": "var" if nrefs == -1 else nrefs,
            "bs": args.get("n_bootstrap", None),
            "ar": None,
            "seed": args.get("seed", None),
            "test": args.get("test_set", None),
            "lang": args.get("langpair", None),
            "origlang": args.get("origlang", None),
            "subset": args.get("subset", None),
        }

    def format(self, short: bool = False) -> str:
        """Return the signature as text, with long keys or, if `short`, with abbreviated ones."""
        keys = [key for key in self._ORDER if self.info[key] is not None]
        keys += [key for key in self.info if key not in self._ORDER and key != "version" and self.info[key] is not None]
        pairs = []
        for key in [*keys, "version"]:
            value = self.info[key]
            if isinstance(value, bool):
                value = "yes" if value else "no"
            pairs.append(f"{self._abbr.get(key, key) if short else key}:{value}")
        return "|".join(pairs)

    def update(self, key: str, value: Any) -> None:
        """Set the entry `key` to `value`."""
        self.info[key] = value

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        return self.format()


#: Engines by their arguments, kept because the functions of `compat` build a metric for each call.
_ENGINES: dict[Any, Any] = {}


def engine_of(name: str, options: tuple[Any, ...], tokenize: Optional[str], lowercase: Optional[bool]) -> Any:
    """Return the native metric for these arguments; equal arguments share one engine."""
    key = (name, options, tokenize, lowercase)
    engine = _ENGINES.get(key)
    if engine is None:
        if len(_ENGINES) > 256:
            _ENGINES.clear()
        engine = _ENGINES[key] = _native.Engine(name, list(options), tokenize, lowercase)
    return engine


def _is_sequence(value: Any) -> bool:
    """Return whether `value` is a sequence; the abstract class is imported only for rare types."""
    if isinstance(value, (list, tuple, str)):
        return True
    from collections.abc import Sequence

    return isinstance(value, Sequence)


def _listed(value: Any, most: int) -> Any:
    """Return at most `most + 1` items as a list: an endless iterable ends after the item that makes it too long."""
    return value if isinstance(value, (list, tuple)) else list(islice(value, most + 1))


def seed() -> Optional[int]:
    """Return the seed of resamples: `SACREBLEU_SEED`, by default 12345; None if it is `none`, for a random seed."""
    text = os.environ.get("SACREBLEU_SEED", "12345")
    return None if text.lower() == "none" else int(text)


def _seed_text() -> str:
    """Return the seed as signatures show it."""
    return os.environ.get("SACREBLEU_SEED", "12345").lower()


#: Whether input that sacreBLEU cuts off or misreads is refused, if a call does not say so; `install` sets it.
_STRICT = [True]


def is_strict(strict: Optional[bool]) -> bool:
    """Return the argument `strict` of a call, or the default if it is None."""
    return _STRICT[0] if strict is None else strict


class Metric:
    """Base class of the metrics: checks arguments, finds intervals and signatures. Subclasses define the counts and the score.

    `strict` refuses input that sacreBLEU cuts off or misreads.
    """

    _SIGNATURE_TYPE: type[Signature] = Signature
    #: Type of the error that sacreBLEU raises for a segment whose references are all None.
    _NO_REFERENCES: type = TypeError

    def __init__(self, strict: Optional[bool] = None) -> None:
        self.n_bootstrap: Optional[int] = None
        self.seed: Optional[str] = None
        self.strict = is_strict(strict)
        self._kept: Any = None

    # Defined by subclasses.

    def _engine(self) -> Any:
        """Return the native metric."""
        raise NotImplementedError

    def _counter(self) -> Any:
        """Return the engine that only counts; its options leave out what matters only to the final score."""
        return self._engine()

    def _observed(self, hyps: Any, streams: Any) -> Any:
        """Return the state of all segments; a reference that is None is missing."""
        (state,) = _native.Evaluation.of_engine(self._counter()).observe(_native.Data(hyps, None, streams, missing=True, empty_references="keep"))
        return state

    def _each(self, hyps: Any, streams: Any, system: str = "system") -> Any:
        """Return the statistics of each segment."""
        data = _native.Data(hyps, None, streams, missing=True, empty_references="keep")
        (each,) = _native.Evaluation.of_engine(self._engine()).statistics([], data, system=system)
        return each

    def _score_of(self, state: Any, missing: int) -> Any:
        """Return the score of a state; `missing` is the number of segments without references."""
        raise NotImplementedError

    def _without_references(self, hypothesis: str) -> None:
        """Handle a segment without references under `strict=False`: accept it or raise sacreBLEU's error."""
        raise NotImplementedError

    def _counted(self, count: Any) -> Any:
        """Return the result of `count`; its error for a segment without references also gets the type of sacreBLEU's error."""
        try:
            return count()
        except ValueError as error:
            if "no references: every segment needs at least one" not in str(error):
                raise
            refused = type("NoReferencesError", (ValueError, self._NO_REFERENCES), {})
            raise refused(str(error)) from None

    # Arguments.

    def _check_corpus_score_args(self, hyps: Any, refs: Any) -> None:
        prefix = type(self).__name__
        message = None
        if not _is_sequence(hyps):
            message = "`hyps` should be a sequence of strings."
        elif not isinstance(hyps[0], str):
            message = "Each element of `hyps` should be a string."
        elif any(line is None for line in hyps):
            message = "Undefined line in hypotheses stream!"
        if refs is not None:
            if not _is_sequence(refs):
                message = "`refs` should be a sequence of sequence of strings."
            elif not _is_sequence(refs[0]):
                message = "Each element of `refs` should be a sequence of strings."
            elif not isinstance(refs[0][0], str) and refs[0][0] is not None:
                message = "`refs` should be a sequence of sequence of strings."
        if message:
            raise TypeError(f"{prefix}: {message}")

    def _check_sentence_score_args(self, hyp: Any, refs: Any) -> None:
        prefix = type(self).__name__
        message = None
        if not isinstance(hyp, str):
            message = "The argument `hyp` should be a string."
        elif isinstance(refs, str) or not _is_sequence(refs):
            message = "The argument `refs` should be a sequence of strings."
        elif not isinstance(refs[0], str) and refs[0] is not None:
            message = "Each element of `refs` should be a string."
        if message:
            raise TypeError(f"{prefix}: {message}")

    def _streams(self, hyps: Any, refs: Any) -> tuple[Any, Any]:
        """Return hypotheses and streams of references; under `strict=False` they are cut to the shortest."""
        if self.strict:
            return hyps, refs
        # Like `zip`, read no more items than the shortest has, because a stream may be endless.
        streams = [list(islice(stream, len(hyps))) for stream in refs]
        shortest = min(len(hyps), *(len(stream) for stream in streams))
        return list(islice(hyps, shortest)), [stream[:shortest] for stream in streams]

    def _native_streams(self, hyps: Any, refs: Any) -> tuple[Any, Any, int]:
        """Return hypotheses and streams without the segments that have no reference, and the number of these segments."""
        hyps, streams = self._streams(hyps, refs)
        if self.strict:
            named = isinstance(hyps, str) or any(isinstance(stream, str) for stream in streams)
            if named:
                raise TypeError(
                    f"{type(self).__name__}: a str is given where a list of str is meant; "
                    "strict=False reads it as a list of its characters"
                )
            hyps = _listed(hyps, len(hyps))
            return hyps, [_listed(stream, len(hyps)) for stream in streams], 0
        kept = []
        for at, hyp in enumerate(hyps):
            if any(stream[at] is not None for stream in streams):
                kept.append(at)
            else:
                self._without_references(hyp)
        missing = len(hyps) - len(kept)
        if missing:
            hyps = [hyps[at] for at in kept]
            streams = [[stream[at] for at in kept] for stream in streams]
        return hyps, streams, missing

    def _kept_streams(self, references: Any) -> Any:
        """Return the streams as lists, and set `num_refs`: the number of references of every segment, or -1 if it varies."""
        given = list(references)
        sized = [len(stream) for stream in given if hasattr(stream, "__len__")]
        streams = [_listed(stream, max(sized)) if sized else list(stream) for stream in given]
        counts = {sum(reference is not None for reference in segment) for segment in zip(*streams)}
        self.num_refs = counts.pop() if len(counts) == 1 else -1
        return streams

    def _cached(self) -> Any:
        """Return the references that the constructor was given."""
        if not self._kept or not all(self._kept):
            raise RuntimeError("No references provided and the cache is empty.")
        return self._kept

    def _interval(self, each: Any, n_bootstrap: int) -> tuple[float, float]:
        """Return the mean and the half-width of the bootstrap interval."""
        interval = each.confidence(n_bootstrap, _drawn_seed())
        return interval["mean"], interval["half_width"]

    def _set_num_refs(self, state: Any, missing: int) -> None:
        # By Cauchy-Schwarz, `Σr² · n = (Σr)²` if and only if all segments have the same number of references r.
        """Set `num_refs`: the number of references of every segment, or -1 if it varies."""
        segments, references, squares = state.counts
        if missing:
            self.num_refs = -1 if segments else 0
        elif segments and squares * segments == references * references:
            self.num_refs = references // segments
        else:
            self.num_refs = -1

    # Scores.

    def corpus_score(
        self, hypotheses: Sequence[str], references: Optional[Sequence[Sequence[str]]], n_bootstrap: int = 1
    ) -> Any:
        """Return the score of a corpus.

        Args:
            hypotheses: The hypotheses, one for each segment.
            references: Streams of references: `references[k][i]` is the k-th reference of segment `i`. None uses the references that
                the constructor was given.
            n_bootstrap: Number of resamples for a 95 % interval; 1 for no interval.

        Raises:
            TypeError: if the arguments have other types.
            RuntimeError: if `references` is None and the constructor was given none.
            ValueError: if streams have unequal lengths, or a segment has no reference (only with `strict`).
        """
        self._check_corpus_score_args(hypotheses, references)
        if references is None:
            references = self._cached()
        self._look_at(hypotheses)
        hyps, streams, missing = self._native_streams(hypotheses, references)
        if n_bootstrap > 1:
            each = self._counted(lambda: self._each(hyps, streams))
            state = each._total()
        else:
            state = self._counted(lambda: self._observed(hyps, streams))
        self._set_num_refs(state, missing)
        score = self._score_of(state, missing)
        if n_bootstrap > 1:
            self.n_bootstrap = n_bootstrap
            self.seed = _seed_text()
            score._mean, score._ci = self._interval(each, n_bootstrap)
        return score

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> Any:
        """Return the score of one sentence: `hypothesis` is a str, `references` a sequence of str."""
        self._check_sentence_score_args(hypothesis, references)
        if self.strict:
            missing, state = 0, self._counted(lambda: self._counter().observe_one(hypothesis, references))
        else:
            hyps, streams, missing = self._native_streams([hypothesis], [[reference] for reference in references])
            state = self._observed(hyps, streams)
        self._set_num_refs(state, missing)
        return self._score_of(state, missing)

    def _look_at(self, hypotheses: Any) -> None:
        """Warn about suspicious input, such as tokenized hypotheses."""

    def _statistics(self, system: str, hypotheses: Any, references: Any) -> Any:
        """Return the statistics of each segment, for paired tests."""
        self._check_corpus_score_args(hypotheses, references)
        if references is None:
            references = self._cached()
        hyps, streams, missing = self._native_streams(hypotheses, references)
        each = self._counted(lambda: self._each(hyps, streams, system))
        self._set_num_refs(each._total(), missing)
        return each

    def get_signature(self) -> Signature:
        """Return the signature; call it after a score has been computed, because it states the number of references."""
        return self._SIGNATURE_TYPE(self.__dict__)


def _drawn_seed() -> int:
    """Return the seed of resamples, or a random seed if `SACREBLEU_SEED` is `none`."""
    given = seed()
    return int.from_bytes(os.urandom(8), "little") if given is None else given
