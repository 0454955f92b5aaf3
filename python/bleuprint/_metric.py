"""`Metric`: the type that `metric` builds by name, and the base class of metrics written in Python."""

from __future__ import annotations

from . import _native
from ._accumulator import Accumulator
from ._data import Scoring
from ._tokens import SPACE, Cut, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Optional

    from ._data import Progress
    from ._native import Score, Statistics


def _option(name: str, value: object) -> tuple[str, str]:
    if isinstance(value, bool):
        text = "yes" if value else "no"
    elif isinstance(value, (list, tuple)):
        text = ",".join(str(item) for item in value)
    elif isinstance(value, (str, int, float)):
        text = str(value)
    else:
        raise TypeError(f"the option {name} is {type(value).__name__}, but must be a str, a number, a bool or a list")
    return name.replace("_", "-"), text


class Metric(Scoring["list[Score]", "Statistics"]):
    """A metric: configuration without state, which scores corpora and makes accumulators.

    `bleuprint.metric` builds those of the package. Your own is a subclass:

    >>> import bleuprint
    >>> class Exact(bleuprint.Metric):
    ...     name = "exact"
    ...     columns = ("equal",)
    ...     range = (0.0, 1.0)
    ...
    ...     def observe(self, state, hypothesis, references):
    ...         return [state[0] + (hypothesis in references)]
    ...
    ...     def finalize(self, state, segments):
    ...         return state[0] / segments
    >>> exact = Exact()
    >>> exact.score(["a", "b"], ["a", "c"]).score
    0.5
    >>> exact.check_laws()

    With `columns` a state is a list of counts, one per column; `zero` and `merge` are provided, and the metric can be
    resampled and subtracted. Without `columns` it is any value that `json` can write; then define `zero` and `merge` too.

    A metric that is faster on batches, such as one that runs a model, defines `observe_each` instead of `observe`:

    >>> class Longest(bleuprint.Metric):
    ...     name = "longest"
    ...     columns = ("longer",)
    ...     batch_size = 32
    ...
    ...     def observe_each(self, states, hypotheses, references):
    ...         model = [len(text) > max(map(len, own)) for text, own in zip(hypotheses, references)]
    ...         return [[state[0] + longer] for state, longer in zip(states, model)]
    ...
    ...     def finalize(self, state, segments):
    ...         return state[0] / segments
    >>> Longest().score(["a b", "c"], ["a", "d"]).score
    0.5
    """

    #: The name, one word; also that of the state key.
    name: str = ""
    #: Raise it when the statistics change their meaning: states of other versions do not merge.
    version: int = 1
    #: The names of the counts, if the statistics are a row of counts.
    columns: Optional[Sequence[str]] = None
    #: The least and the greatest score; `None` for no limit.
    range: tuple[Optional[float], Optional[float]] = (None, None)
    #: True if a higher score is better.
    higher_is_better: bool = True
    #: `text`, or `tokens` (lists of str, made by the tokenizer 13a).
    looks_at: str = "text"
    needs_references: bool = True
    needs_sources: bool = False
    #: The maximum number of segments per call of `observe_each`.
    batch_size: int = 64
    #: The meaning of an empty reference next to others of its segment: `error`, `missing` or `keep`.
    empty_references: str = "error"

    _native_engine: Any = None
    _arguments: Any = None
    #: A tokenizer in Python.
    _cut: Any = None

    # -- To be defined by your metric ----------------------------------------------------------------------------

    def options(self) -> dict[str, Any]:
        """The options that affect counts; part of the state key and of the signature."""
        return {}

    def zero(self) -> Any:
        """The empty state."""
        if self.columns is None:
            raise NotImplementedError(f"{type(self).__name__} has no columns, so it must define zero()")
        return [0] * len(self.columns)

    def observe(self, state: Any, hypothesis: Any, references: Any) -> Any:
        """The state after one more segment. A metric with `needs_sources` also gets the source."""
        raise NotImplementedError(f"{type(self).__name__} must define observe() or observe_each()")

    def observe_each(self, states: Any, hypotheses: Any, references: Any, *sources: Any) -> Any:
        """The states after one more segment each. A metric that defines it gets batches, and its `observe` is not
        called."""
        each = zip(states, hypotheses, references, *sources)
        after = [(state, self.observe(state, *segment)) for state, *segment in each]
        return [state if new is None else new for state, new in after]

    def merge(self, state: Any, other: Any) -> Any:
        """The merged state."""
        if self.columns is None:
            raise NotImplementedError(f"{type(self).__name__} has no columns, so it must define merge()")
        return [one + two for one, two in zip(state, other)]

    def finalize(self, state: Any, segments: int) -> Any:
        """The score: a number, or a dict with `score` and parts."""
        raise NotImplementedError(f"{type(self).__name__} must define finalize()")

    # -- Common to all metrics -----------------------------------------------------------------------------------

    @property
    def _engine(self) -> Any:
        if self._native_engine is None:
            if self.columns is not None and type(self).merge is not Metric.merge:
                name = type(self).__name__
                raise TypeError(f"{name} has columns, which are added up, so its merge would not be called: leave one of them out")
            self._native_engine = _native.Engine.of_python(self)
        return self._native_engine

    def _given(self, *data: Any) -> tuple[Any, Any]:
        """The metric for these data, as an evaluation of one, and the data."""
        read_once, tokens = read(data, self._cut, self.empty_references)
        return _native.Evaluation.of_engine(self._of_tokens() if tokens else self._engine), read_once

    def _of_each(self, results: list[Any]) -> Any:
        (result,) = results
        return result

    def _owners(self) -> list[Any]:
        return [self]

    def _of_tokens(self) -> Any:
        raise TypeError(f"hypotheses are lists of tokens, but {type(self).__name__} takes text or ids")

    def _read(self, data: bytes) -> Any:
        return self._of_state(lambda engine: engine.read(data), data)

    def _require(self, state: Any) -> None:
        """Refuses a state of another metric."""
        self._of_state(lambda engine: engine.require(state), state.key.encode())

    def _of_state(self, take: Callable[[Any], Any], names_tokens: bytes) -> Any:
        return take(self._engine)

    def info(self) -> dict[str, Any]:
        """The description of the metric: name, state key, signature, range, requirements."""
        return self._engine.info()

    @property
    def signature(self) -> str:
        """The signature: everything but the data that a score depends on."""
        return self.info()["signature"]

    @property
    def state_key(self) -> str:
        """The state key: only states with equal keys merge."""
        return self.info()["state_key"]

    def score(
        self,
        hypotheses: Any,
        references: Any = None,
        *,
        reference_streams: Any = None,
        sources: Any = None,
        threads: Optional[int] = None,
        progress: Progress = None,
    ) -> Score:
        """The score of a corpus.

        `references` has one entry for each segment: a reference, or a list of them. `reference_streams` is transposed, as in
        sacreBLEU: each stream is a list as long as the hypotheses. All are lists, generators or `dict.values()`, and hold

        * text: `str`;
        * ids: lists of int, integer arrays of two dimensions, `bleuprint.ids(..)`, Arrow arrays;
        * tokens of any hashable type, in lists; tokens are compared by Python's `==`.

        `threads` is 1 by default, and 0 means every core; the score does not depend on it. `progress` is called with the number
        of pieces done and the number known so far: segments, pairs of a pool, resamples. True shows a bar of tqdm.

        >>> import bleuprint
        >>> bleuprint.metric("bleu", max_order=2).score([[1, 2, 3]], [[[1, 2, 4], [1, 2]]]).counts
        [2, 1]
        >>> bleuprint.metric("bleu", max_order=2).score([["a", b"b", (1, 2)]], [["a", b"b", "c"]]).counts
        [2, 1]
        """
        metric, data = self._given(hypotheses, references, reference_streams, sources)
        return metric.observe(data, threads=threads, progress=progress)[0].score()

    def read_statistics(self, path: Any) -> Statistics:
        """Reads a file of statistics, written for this metric by `Statistics.write` or the program."""
        return _native.read_statistics(self._engine, path, self)

    def learn(
        self,
        references: Any = None,
        *,
        reference_streams: Any = None,
        threads: Optional[int] = None,
        progress: Progress = None,
    ) -> Metric:
        """The same metric with weights learned from these references, for metrics of two passes: `nist`, `cider`,
        `cider_d`.

        Without it they learn from the references of each call of `score`. With it the weights are fixed: they serve for
        other data and for batches, and states with the same weights merge. The state key and the signature name
        the weights.

        >>> import bleuprint
        >>> references = [["a cat sat", "the cat sat"], ["two dogs ran"]]
        >>> cider = bleuprint.metric("cider_d").learn(references)
        >>> one, two = cider.accumulator(), cider.accumulator()
        >>> _ = one.update(["a cat sat"], references[:1])
        >>> _ = two.update(["two dogs"], references[1:])
        >>> (one + two).compute() == bleuprint.metric("cider_d").score(["a cat sat", "two dogs"], references)
        True
        """
        data = _native.Data.of_references(references, reference_streams, self.empty_references)
        return self._with_engine(self._engine.learn(data, threads=threads, progress=progress))

    def save_learned(self, path: Any, *, overwrite: bool = False) -> None:
        """Writes the learned weights to a file, as the program's `--save-learned` does; `metric(.., learned=path)`
        and the program's `--learned` read it. A file that is there is replaced only with `overwrite`."""
        self._engine.write_learned(path, overwrite)

    def _with_engine(self, engine: Any) -> Metric:
        raise TypeError(f"{type(self).__name__} learns nothing")

    def accumulator(self) -> Accumulator:
        """An accumulator of this metric: takes batches, and gives the score of all of them."""
        return Accumulator(self)

    def check_laws(self) -> None:
        """Proves the laws that make states merge: any cut of the data, any order, storing, purity.

        Raises AssertionError with the name of the broken law.
        """
        _native.check_laws(self._engine)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.state_key}>"

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        state.pop("_native_engine", None)
        return state


def require_no_memory(info: dict[str, Any]) -> None:
    """Refuses metrics that keep tokens from one call to the next, or look at their letters."""
    if info["columns"] is None or info["two_passes"]:
        raise ValueError(
            f"{info['metric']} remembers tokens, but tokens of Python are known for one call: give text, or ids with `token_space`"
        )
    if info["metric"] == "meteor":
        raise ValueError("meteor looks into its tokens, for stems: give text, with tokenize=\"none\" if it is cut already")


class _Named(Metric):
    """A metric of the registry."""

    _tokens_engine: Any = None

    def __init__(self, arguments: Any, engine: Any = None) -> None:
        self._arguments = arguments
        self._native_engine = _native.Engine(*arguments) if engine is None else engine
        info = self._native_engine.info()
        self.name = info["metric"]
        self.columns = info["columns"]
        self.range = (info["min"], info["max"])
        self.higher_is_better = info["higher_is_better"]
        self.needs_references = info["needs_references"]
        self.needs_sources = info["needs_sources"]

    def __repr__(self) -> str:
        return f"<Metric {self.state_key}>"

    def _of_tokens(self) -> Any:
        if self._tokens_engine is None:
            require_no_memory(self.info())
            *arguments, space, norm = self._arguments
            try:
                self._tokens_engine = _native.Engine(*arguments, space or SPACE, norm)
            except ValueError as error:
                raise ValueError(f"the data are tokens, which are taken as ids: {error}") from None
        return self._tokens_engine

    def _of_state(self, take: Callable[[Any], Any], names_tokens: bytes) -> Any:
        """Takes the engine over text and ids first, then the one over tokens of Python."""
        try:
            return take(self._engine)
        except ValueError as error:
            if f"tok:{SPACE}".encode() not in names_tokens:
                raise
            try:
                return take(self._of_tokens())
            except ValueError:
                raise error from None

    def _with_engine(self, engine: Any) -> Metric:
        named = _Named(self._arguments, engine)
        named.empty_references = self.empty_references
        return named

    def __reduce__(self) -> Any:
        return _restored, (self._arguments, self._native_engine.learned()), {"empty_references": self.empty_references}


class _OverCut(_Named):
    """A metric of the registry over the tokens of a tokenizer in Python."""

    def __init__(self, arguments: Any, cut: Cut) -> None:
        super().__init__(arguments)
        self._cut = cut
        self._of_tokens()

    def __reduce__(self) -> Any:
        return _OverCut, (self._arguments, self._cut), {"empty_references": self.empty_references}


def _restored(arguments: Any, learned: Optional[bytes]) -> Metric:
    named = _Named(tuple(arguments))
    return named if learned is None else _Named(tuple(arguments), named._engine.restore_learned(learned))


def metric(
    name: str,
    *,
    tokenize: Any = None,
    lowercase: Optional[bool] = None,
    norm: Optional[str] = None,
    tokenizer_model: Optional[str] = None,
    dictionary: Optional[str] = None,
    token_space: Optional[str] = None,
    learned: Any = None,
    empty_references: str = "error",
    **options: Any,
) -> Metric:
    """Builds a metric by name: `bleu`, `chrf++`, `rougeL`, `wer`; see `list_metrics` for all names and options.

    `tokenize` names the tokenizer; the default is the metric's own, else 13a. A function from a text to its tokens is written
    `tok:custom` in signatures, a `tokenizers.Tokenizer` by its hash; `token_space` replaces either name. Ids are not tokenized.
    `token_space` names their vocabulary, as in `hf:3f2a`; counts of different token spaces do not merge. `norm` names normalizers,
    joined by `+`, as in `whisper-en` or `nfkc+lower`: see `list_normalizers`. They rewrite hypotheses, references and sources
    before the tokenizer. `learned` is a file with the weights of a metric of two passes, from `Metric.save_learned` or the program's `--save-learned`; weights learned under
    other settings are refused. An empty reference next to others of its segment is an `error`; `empty_references` makes it `missing`, or
    `keep`s it as one without tokens, as sacreBLEU does.

    >>> import bleuprint
    >>> bleuprint.metric("bleu", tokenize="char", smooth_method="floor", smooth_value=0.5).signature.split("|")[1:5]
    ['case:mixed', 'eff:no', 'tok:char', 'smooth:floor[0.50]']
    >>> bleuprint.metric("bleu", tokenize=str.split, token_space="spaces").score(["a b c d"], ["a b c d"]).signature.split("|")[4]
    'tok:spaces'
    >>> bleuprint.metric("blue")
    Traceback (most recent call last):
    ValueError: unknown metric `blue`; expected one of: bleu, chrf, ...
    """
    if not isinstance(name, str):
        raise TypeError(f"the metric's name is {type(name).__name__}, but must be a str")
    named = [_option(key, value) for key, value in options.items() if value is not None]
    if tokenize is not None and not isinstance(tokenize, str):
        if learned is not None:
            raise ValueError("learned weights are of tokens that are remembered, which those of a tokenizer in Python are not")
        cut = Cut(tokenize)
        made: _Named = _OverCut((name, named, None, lowercase, tokenizer_model, dictionary, token_space or cut.name(), norm), cut)
    else:
        made = _Named((name, named, tokenize, lowercase, tokenizer_model, dictionary, token_space, norm))
    made.empty_references = empty_references
    return made if learned is None else made._with_engine(made._engine.read_learned(learned))


def list_metrics() -> list[dict[str, Any]]:
    """Every metric: name, meaning, reference program, and options.

    >>> import bleuprint
    >>> [entry["name"] for entry in bleuprint.list_metrics()][:3]
    ['bleu', 'chrf', 'ter']
    """
    return _native.list_metrics()


def cite(*metrics: str, form: str = "bibtex") -> str:
    """The papers to cite for metrics, and this program: as BibTeX, or with `form="text"` a line each.

    >>> import bleuprint
    >>> print(bleuprint.cite("ter", form="text").splitlines()[0][:58])
    Matthew Snover, Bonnie Dorr, Rich Schwartz, Linnea Micciul
    """
    if form not in ("bibtex", "text"):
        raise ValueError(f"form must be 'bibtex' or 'text', not {form!r}")
    return _native.cite(list(metrics), form == "bibtex")


def list_tokenizers() -> list[str]:
    """The names of all tokenizers in this build.

    >>> import bleuprint
    >>> "13a" in bleuprint.list_tokenizers()
    True
    """
    return _native.list_tokenizers()


def list_normalizers() -> list[str]:
    """The names of all normalizers, for `norm=`.

    >>> import bleuprint
    >>> "whisper-en" in bleuprint.list_normalizers()
    True
    >>> bleuprint.metric("wer", norm="whisper-en").score(["It's 20 dollars."], ["it is twenty dollars"]).score
    0.0
    """
    return _native.list_normalizers()
