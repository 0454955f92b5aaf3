"""`Metric`: the type that `metric` builds by name, and the base class of metrics written in Python."""

from __future__ import annotations

from . import _native
from ._accumulator import Accumulator
from ._data import Scoring
from ._objects import read, segments, takes_answers, takes_tags
from ._plugins import load, loaded
from ._tokens import SPACE, Cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Optional, Union

    from ._data import Progress
    from ._native import Score, Statistics

    from ._registry import MetricName

    Asked = Union[MetricName, str, "Metric", type["Metric"]]


def _option(name: str, value: object) -> tuple[str, str]:
    # A bool is also an int, so it comes first.
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
    """A metric: a configuration without state that scores corpora and creates accumulators.

    `bleuprint.metric` builds the metrics of the package. You write your own metric as a subclass:

    >>> import bleuprint
    >>> class Exact(bleuprint.Metric):
    ...     name = "exact"
    ...     columns = ("equal",)
    ...     score_range = (0.0, 1.0)
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

    The class attributes are:

    ====================  ========  ================================================================================
    attribute             default   meaning
    ====================  ========  ================================================================================
    `name`                          one word, with which the state key begins
    `version`             1         the version of the statistics; raise it when their meaning changes
    `columns`             None      the names of the counts of a state
    `sums`                None      the names of the sums of floats of a state, after the counts
    `parts`               None      the names of the parts of the score, if `finalize` returns a dict
    `score_range`         no limit  the least and the greatest score; a score outside is an error
    `higher_is_better`    True      whether a higher score is better
    `looks_at`            "text"    the kind of data: `text`, `tokens`, `ids`, `numbers` or `objects`
    `one_reference`       False     whether each segment has exactly one reference
    `needs_references`    True      whether the metric needs references
    `needs_sources`       False     whether the metric needs sources, which `observe` then gets too
    `composition`         "other"   how the score follows from segments, for intervals and tests
    `batch_size`          64        the maximum number of segments per call of `observe_each`
    `empty_references`    "error"   the treatment of an empty reference next to others of its segment
    ====================  ========  ================================================================================

    `register` gives the metric its name in every call, in policies of gates and in files of statistics.

    `looks_at` names the kind of data: `text`, `tokens`, `ids`, `numbers` or `objects`. With `one_reference`, each segment
    has exactly one reference, and `observe` gets this reference instead of a list.

    With `columns` and `sums` a state is a list: a count for each column, then a number for each sum. `zero` and `merge` are
    provided, and the metric can be resampled and subtracted. The numbers that segments add to a sum are added exactly, so
    the score depends neither on the order nor on the cut of the data:

    >>> class SquaredError(bleuprint.Metric):
    ...     name = "mse"
    ...     looks_at = "numbers"
    ...     one_reference = True
    ...     sums = ("loss",)
    ...     score_range = (0.0, None)
    ...     higher_is_better = False
    ...
    ...     def observe(self, state, hypothesis, reference):
    ...         return [state[0] + (hypothesis - reference) ** 2]
    ...
    ...     def finalize(self, state, segments):
    ...         return state[0] / segments
    >>> bleuprint.metric(SquaredError).score([1.0, 2.5], [1.0, 2.0]).score
    0.125
    >>> SquaredError().check_laws()

    Without `columns` and `sums`, a state is any value that `json` can write. You must then define `zero` and `merge` too.

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

    #: The name, one word. The state key begins with it.
    name: str = ""
    #: The version of the statistics. Raise it when they change their meaning: states of different versions do not merge.
    version: int = 1
    #: The names of the counts, if the statistics are a row of counts. `segments`, `references` and `references_squared` are
    #: taken: every state has these columns.
    columns: Optional[Sequence[str]] = None
    #: The names of sums of floats, after the counts in a state. Each segment adds one number to each sum, exactly.
    sums: Optional[Sequence[str]] = None
    #: The names of the parts of the score, if `finalize` returns a dict. A part with another name is then an error.
    parts: Optional[Sequence[str]] = None
    #: The least and the greatest score; `None` for no limit. A score outside is an error, apart from rounding (1e-9).
    score_range: tuple[Optional[float], Optional[float]] = (None, None)
    #: True if a higher score is better.
    higher_is_better: bool = True
    #: `text` (str), `tokens` (lists of str, made by the tokenizer 13a, or lists of any tokens that the call gives), `ids` (lists
    #: of int), `numbers` (a float or a list of them), or `objects` (dicts, or values of any type, as the call gives them).
    looks_at: str = "text"
    #: True if a segment has one reference: `observe` gets it instead of a list. More references are an error.
    one_reference: bool = False
    #: True if the metric needs references.
    needs_references: bool = True
    #: True if the metric needs sources, which `observe` then gets too.
    needs_sources: bool = False
    #: How the score follows from segments, for intervals and tests; part of neither key nor signature. `mean`: it is the mean of
    #: the scores of segments. `rate`: it is such a mean, and each segment scores 0 or the end of the range. `mean-or-rate`: it is
    #: a mean, and a rate if all segments of all systems score 0 or the end of the range. `repeats`: a repeated segment is not new
    #: evidence, as in sets and vocabularies, so resamples give no interval. `other`: anything else.
    composition: str = "other"
    #: The maximum number of segments per call of `observe_each`.
    batch_size: int = 64
    #: The treatment of an empty reference next to others of its segment: `error`, `missing` or `keep`.
    empty_references: str = "error"

    #: True for a metric written in Python.
    _is_own: bool = True
    _native_engine: Optional[_native.Engine] = None
    _tokens_engine: Optional[_native.Engine] = None
    _words_engine: Optional[_native.Engine] = None
    _keeps: Optional[bool] = None
    _arguments: Any = None
    #: The tokenizer, if it is written in Python.
    _cut: Any = None
    #: The data format, for metrics of the registry that have their own.
    _form: Any = None
    #: The engine for calls with plain texts, and whether a list within `references` is a list of references. `None` if the
    #: general reader must look at the data of each call.
    _plain: Any = None

    # -- To be defined by your metric ----------------------------------------------------------------------------

    def options(self) -> dict[str, Any]:
        """Return the options that affect counts.

        Returns:
            dict: Names and values of the options; the default is empty. They are part of the state key and of the signature.
        """
        return {}

    def zero(self) -> Any:
        """Return the empty state.

        Returns:
            list or object: With `columns` or `sums`, a list with a zero for each of them; otherwise the value that your
                metric defines.

        Raises:
            NotImplementedError: If the metric has neither `columns` nor `sums` and does not define `zero`.
        """
        if self.columns is None and self.sums is None:
            raise NotImplementedError(f"{type(self).__name__} has no columns, so it must define zero()")
        return [0] * len(self.columns or ()) + [0.0] * len(self.sums or ())

    def observe(self, state: Any, hypothesis: Any, references: Any) -> Any:
        """Return the state after one more segment.

        A metric with `needs_sources` also gets the source, as a fourth argument.

        Args:
            state (list or object): The state before the segment.
            hypothesis (object): The hypothesis, of the kind that `looks_at` names.
            references (list or object): The references of the segment; with `one_reference`, the reference itself.

        Returns:
            list or object: The new state. A method that changes `state` in place returns it, too: None is an error.

        Raises:
            NotImplementedError: If the metric defines neither `observe` nor `observe_each`.
        """
        raise NotImplementedError(f"{type(self).__name__} must define observe() or observe_each()")

    def observe_each(self, states: Any, hypotheses: Any, references: Any, *sources: Any) -> Any:
        """Return each state after one more segment.

        A metric that defines this method gets batches of up to `batch_size` segments, and its `observe` is not called.

        Args:
            states (sequence): The states before the segments.
            hypotheses, references (sequence): One entry for each state, as for `observe`.
            *sources (sequence): The sources, if the metric has `needs_sources`.

        Returns:
            list: The new states, in the same order.
        """
        each = zip(states, hypotheses, references, *sources)
        return [self.observe(state, *segment) for state, *segment in each]

    def merge(self, state: Any, other: Any) -> Any:
        """Return the merged state of two states.

        With `columns` or `sums`, states are added element by element.

        Args:
            state, other (list or object): States of this metric.

        Returns:
            list or object: The state of the segments of both.

        Raises:
            NotImplementedError: If the metric has neither `columns` nor `sums` and does not define `merge`.
        """
        if self.columns is None and self.sums is None:
            raise NotImplementedError(f"{type(self).__name__} has no columns, so it must define merge()")
        return [one + two for one, two in zip(state, other)]

    def finalize(self, state: Any, segments: int) -> Any:
        """Return the score of a state.

        Args:
            state (list or object): The state of all segments.
            segments (int): The number of segments.

        Returns:
            float or dict: The score, or a dict with `score` and the parts of the score.

        Raises:
            NotImplementedError: If the metric does not define `finalize`.
        """
        raise NotImplementedError(f"{type(self).__name__} must define finalize()")

    # -- Common to all metrics -----------------------------------------------------------------------------------

    @property
    def _engine(self) -> _native.Engine:
        if self._native_engine is None:
            if not (self.columns is None and self.sums is None) and type(self).merge is not Metric.merge:
                name = type(self).__name__
                raise TypeError(f"{name} has columns, which are added up, so its merge would not be called: leave one of them out")
            self._native_engine = _native.Engine.of_python(self)
        return self._native_engine

    def _given(self, *data: Any) -> tuple[Any, Any]:
        """Return the metric as an evaluation with one metric, and the data that it reads."""
        engine, read_once = self._read_data(data)
        return _native.Evaluation.of_engine(engine), read_once

    def _read_data(self, data: Any, **settings: Any) -> tuple[Any, Any]:
        """Return the engine for these data, and the data: hypotheses, references, streams and sources."""
        read_once, tokens = read([self], data, self._cut, self._form, empty_references=self.empty_references, **settings)
        return self._of_lists() if tokens else self._engine, read_once

    def _of_each(self, results: list[Any]) -> Any:
        (result,) = results
        return result

    def _owners(self) -> list[Any]:
        return [self]

    def _keeps_tokens(self) -> bool:
        """Return whether the metric remembers its tokens or reads their letters: lists of tokens must then be words of a text."""
        return False

    def _of_lists(self) -> Any:
        """Return the engine for lists of tokens of a call."""
        return self._of_tokens()

    def _of_tokens(self) -> Any:
        """Return the engine for lists of tokens."""
        if self.looks_at != "tokens":
            raise TypeError(f"hypotheses are lists of tokens, but {type(self).__name__} takes {self.looks_at}")
        if self._tokens_engine is None:
            self._tokens_engine = _native.Engine.of_python(self, True)
        return self._tokens_engine

    def _read(self, data: bytes) -> Any:
        return self._of_state(lambda engine: engine.read(data), data)

    def _require(self, state: Any) -> None:
        """Reject a state of another metric."""
        self._of_state(lambda engine: engine.require(state), state.key.encode())

    def _of_state(self, take: Callable[[Any], Any], names_tokens: bytes) -> Any:
        # The state key tells whether the state counted tokens of the caller, which have a separate engine.
        own_tokens = self.looks_at == "tokens" and b"|tokens:custom|" in names_tokens
        return take(self._of_tokens() if own_tokens else self._engine)

    @property
    def _facts(self) -> dict[str, Any]:
        """Return the description of the metric, which the caller must not change."""
        return self.info()

    def info(self) -> dict[str, Any]:
        """Return a description of the metric.

        Returns:
            dict: Name, state key, signature, range and requirements.
        """
        return self._engine.info()

    @property
    def signature(self) -> str:
        """Return the signature: everything, except the data, that a score depends on."""
        return str(self.info()["signature"])

    @property
    def state_key(self) -> str:
        """Return the state key. Only states with equal keys merge."""
        return str(self.info()["state_key"])

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
        """Return the score of a corpus.

        Hypotheses, references, streams and sources are lists, generators or `dict.values()`. They hold

        * text: `str`;
        * ids: lists of int, integer arrays of two dimensions, `bleuprint.ids(..)`, Arrow arrays;
        * tokens of any hashable type, in lists; tokens are compared by Python's `==`;
        * for metrics with a data format of their own, such as `samples` and `likelihood`: dicts, lists, numbers, dataclasses and
          arrays with the fields that the program reads from JSON Lines.

        Args:
            hypotheses (iterable): One hypothesis for each segment.
            references (iterable, optional): One entry for each segment: a reference, or a list of references.
            reference_streams (iterable, optional): The references transposed, as in sacreBLEU: each stream is a list with one
                reference for each hypothesis. Nothing tells as many streams as hypotheses from `references`.
            sources (iterable, optional): One source for each segment, for metrics that need sources.
            threads (int, default 1): The number of threads; 0 means every core. The score does not depend on it.
            progress (bool or callable, optional): A function that is called with the number of pieces done and the number
                known so far. Pieces are segments, pairs of a pool or resamples. `True` shows a bar of tqdm.

        Returns:
            Score: The score with its parts and its signature, on the scale of the metric.

        Raises:
            TypeError, ValueError: If the metric cannot take the data. Messages name the segment and, for metrics with a data
                format of their own, the field and the data that the metric takes.

        Example:
            >>> import bleuprint
            >>> bleuprint.metric("bleu", max_order=2).score([[1, 2, 3]], [[[1, 2, 4], [1, 2]]]).counts
            [2, 1]
            >>> bleuprint.metric("bleu", max_order=2).score([["a", b"b", (1, 2)]], [["a", b"b", "c"]]).counts
            [2, 1]
            >>> bleuprint.metric("pass", k=4).score([{"n": 10, "c": 3}, [True, False, False, True]]).score
            0.9166666666666667
        """
        plain = self._plain
        if plain is not None and reference_streams is None and sources is None and threads is None and progress is None:
            engine, several = plain
            score: Optional[Score] = _native.score_plain(engine, hypotheses, references, self.empty_references, several)
            if score is not None:
                return score
        metric, data = self._given(hypotheses, references, reference_streams, sources)
        score = metric.observe(data, threads=threads, progress=progress)[0].score()
        return score

    def _quiet_score(self, hypotheses: Any, references: Any) -> Score:
        """Return the score as `score` does, without warnings about likely mistakes."""
        score: Optional[Score] = None
        if self._plain is not None:
            engine, several = self._plain
            score = _native.score_plain(engine, hypotheses, references, self.empty_references, several, True)
        if score is None:
            metric, data = self._given(hypotheses, references, None, None)
            score = metric.observe(data, quiet=True)[0].score(quiet=True)
        return score

    def assignments(
        self, hypotheses: Any, references: Any = None, *, reference_streams: Any = None, sources: Any = None
    ) -> list[list[tuple[Optional[str], Optional[str]]]]:
        """Return which speaker of the reference each speaker of the hypothesis is matched with, in each segment.

        Args:
            hypotheses, references, reference_streams, sources (iterable): As for `score`.

        Returns:
            list of list of (str or None, str or None): For each segment, pairs of a name in the reference and a name in the
                hypothesis; `None` stands for a missing partner.

        Raises:
            ValueError: If the metric matches no names. `der`, `jer` and the metrics of sessions do.

        Example:
            >>> import bleuprint
            >>> reference, hypothesis = [("Ann", 0, 6), ("Bob", 6, 10)], [("1", 0, 5), ("2", 7, 10), ("3", 10, 11)]
            >>> bleuprint.metric("der", uem="extent").assignments([hypothesis], [reference])
            [[('Ann', '1'), ('Bob', '2'), (None, '3')]]
        """
        engine, data = self._read_data((hypotheses, references, reference_streams, sources))
        return _native.assignments(engine, data)

    def read_statistics(self, path: Any) -> Statistics:
        """Read a file of statistics that `Statistics.write` or the program wrote for this metric.

        Args:
            path (str or path-like): The file.

        Returns:
            Statistics: The statistics of every segment.
        """
        return _native.read_statistics(self._engine, path, self)

    def learn(
        self,
        references: Any = None,
        *,
        reference_streams: Any = None,
        threads: Optional[int] = None,
        progress: Progress = None,
    ) -> Metric:
        """Return this metric with weights learned from the given references.

        This is for metrics of two passes: `nist`, `cider` and `cider_d`. Without `learn`, they learn their weights from the
        references of each call of `score`. After `learn`, the weights are fixed: you can use them for other data and for
        batches, and states with the same weights merge. The state key and the signature name the weights.

        Args:
            references, reference_streams (iterable, optional): The references, as for `score`.
            threads (int, default 1): The number of threads; 0 means every core.
            progress (bool or callable, optional): See `score`.

        Returns:
            Metric: A new metric; this metric stays unchanged.

        Raises:
            ValueError: If the metric learns nothing from references.
            TypeError: If the metric is written in Python.

        Example:
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
        """Write the learned weights to a file, as the program's `--save-learned` does.

        `metric(.., learned=path)` and the program's `--learned` read the file.

        Args:
            path (str or path-like): The file to write.
            overwrite (bool, default False): Whether to replace an existing file.
        """
        self._engine.write_learned(path, overwrite)

    def _with_engine(self, engine: Any) -> Metric:
        raise TypeError(f"{type(self).__name__} learns nothing")

    def accumulator(self) -> Accumulator:
        """Return a new accumulator, which takes batches and gives the score of all of them."""
        return Accumulator(self)

    def check_laws(self, hypotheses: Any = None, references: Any = None, *, sources: Any = None) -> None:
        """Check the laws that allow states to merge: any cut of the data, any order, storing and purity.

        Without arguments, the laws draw random texts, tokens, ids or numbers. If you pass segments, the laws draw whole segments
        from them. You must pass segments if the metric looks at objects or has a data format of its own.

        Args:
            hypotheses, references (iterable, optional): Segments of the kind that `looks_at` names.
            sources (iterable, optional): Their sources, if the metric needs sources.

        Raises:
            AssertionError: If a law is broken; the message has its name. It is also an error if a law holds only because the
                data have no effect: at least one segment must change the statistics, and at least one the score.
            TypeError: If the metric needs segments of yours and you pass none.

        Example:
            >>> import bleuprint
            >>> class Agree(bleuprint.Metric):
            ...     name, columns, looks_at, one_reference = "agree", ("equal",), "objects", True
            ...     def observe(self, state, hypothesis, reference):
            ...         return [state[0] + (hypothesis["label"] == reference["label"])]
            ...     def finalize(self, state, segments):
            ...         return state[0] / segments
            >>> yes, no = {"label": "yes"}, {"label": "no"}
            >>> Agree().check_laws([yes, no, yes], [yes, yes, no])
        """
        if self._form is not None:
            if hypotheses is None:
                raise TypeError(f"{self.name} takes {self._form}, which are not drawn: check_laws(hypotheses, references)")
            data = self._form.data(hypotheses, references, None, sources)
            return _native.check_laws(self._engine, data=data)
        _native.check_laws(self._engine, segments(self, hypotheses, references, sources))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.state_key}>"

    def __getstate__(self) -> dict[str, Any]:
        engines = ("_native_engine", "_tokens_engine", "_words_engine")
        return {name: value for name, value in self.__dict__.items() if name not in engines}


def keeps_tokens(info: dict[str, Any]) -> bool:
    """Return whether a metric keeps tokens from one call to the next, or looks at the letters of tokens.

    Tokens of Python are known for one call only, and Rust does not see their letters.
    """
    return bool(info["columns"] is None or info["two_passes"] or info["metric"] == "meteor")


def require_no_memory(info: dict[str, Any]) -> None:
    """Reject metrics that keep tokens, for tokens that are ids of one call."""
    if keeps_tokens(info):
        raise _kept(info["metric"])


def _kept(name: str) -> ValueError:
    return ValueError(
        f"{name} remembers tokens, but tokens of Python are known for one call: give text, with tokenize=\"none\" if it is cut already, "
        f"or lists of words to `metric(\"{name}\")` alone"
    )


class _Fact:
    """An attribute that is computed when it is first read. Few programs read the facts about a metric."""

    def __init__(self, compute: Callable[[Any], Any]) -> None:
        self._compute = compute

    def __set_name__(self, owner: Any, name: str) -> None:
        self._name = name

    def __get__(self, metric: Any, owner: Any = None) -> Any:
        if metric is None:
            return getattr(Metric, self._name)
        value = metric.__dict__[self._name] = self._compute(metric)
        return value


def _plain_of(metric: Any) -> Any:
    # Questions of SQuAD may have records in place of texts, and no answers.
    if metric._form is not None or takes_answers(metric):
        return None
    return metric._native_engine, not takes_tags(metric)


class _Named(Metric):
    """A metric of the registry."""

    _is_own = False
    _facts: Any = _Fact(lambda metric: metric._native_engine.info())
    name: Any = _Fact(lambda metric: metric._facts["metric"])
    columns: Any = _Fact(lambda metric: metric._facts["columns"])
    score_range: Any = _Fact(lambda metric: (metric._facts["min"], metric._facts["max"]))
    higher_is_better: Any = _Fact(lambda metric: metric._facts["higher_is_better"])
    needs_references: Any = _Fact(lambda metric: metric._facts["needs_references"])
    needs_sources: Any = _Fact(lambda metric: metric._facts["needs_sources"])
    _form: Any = _Fact(lambda metric: metric._native_engine.form)
    _plain: Any = _Fact(_plain_of)

    def __init__(self, arguments: Any, engine: Any = None) -> None:
        self._arguments = arguments
        self._native_engine = _native.Engine(*arguments) if engine is None else engine

    def __repr__(self) -> str:
        return f"<Metric {self.state_key}>"

    def __getattr__(self, name: str) -> Any:
        # Python calls this for attributes that are not there.
        hint = "" if name.startswith("_") else "; it scores by score(hypotheses, references), sentences(..) and accumulator()"
        raise AttributeError(f"a metric has no attribute {name!r}{hint}", name=name, obj=self)

    def _of_tokens(self) -> Any:
        if self._tokens_engine is None:
            if self._keeps_tokens():
                raise _kept(self.name)
            *arguments, space, norm = self._arguments
            try:
                self._tokens_engine = _native.Engine(*(*arguments, space or SPACE, norm))
            except ValueError as error:
                raise ValueError(f"the data are tokens, which are taken as ids: {error}") from None
        return self._tokens_engine

    def _keeps_tokens(self) -> bool:
        if self._keeps is None:
            # Learned weights are of tokens too, though the metric then has one pass.
            self._keeps = keeps_tokens(self.info()) or self._engine.learned() is not None
        return self._keeps

    def _of_lists(self) -> Any:
        """Return the engine for lists of tokens of a call: ids, or words for a metric that keeps its tokens."""
        if not self._keeps_tokens():
            return self._of_tokens()
        if self._words_engine is None:
            # The words of a text that is cut at spaces: equal words of several calls are equal.
            engine = self._engine
            if "|tok:none|" not in engine.info()["signature"]:
                if engine.learned() is not None:
                    raise ValueError("the weights were learned from the tokens of a tokenizer, but the data are lists of tokens: give text")
                name, options, tokenize, *arguments = self._arguments
                engine = _native.Engine(*(name, options, tokenize or "none", *arguments))
            if "|tok:none|" not in engine.info()["signature"]:
                raise ValueError("the data are lists of tokens, so the tokenizer has no effect: leave it out, or give text")
            self._words_engine = engine
        return self._words_engine

    def _of_state(self, take: Callable[[Any], Any], names_tokens: bytes) -> Any:
        """Apply `take` to the engine for text and ids first, then to the engine for tokens in Python."""
        try:
            return take(self._engine)
        except ValueError as error:
            named = "none" if self._keeps_tokens() else SPACE
            if f"tok:{named}".encode() not in names_tokens:
                raise
            try:
                return take(self._of_lists())
            except ValueError:
                raise error from None

    def _with_engine(self, engine: Any) -> Metric:
        named = _Named(self._arguments, engine)
        named.empty_references = self.empty_references
        return named

    def __reduce__(self) -> Any:
        learned = self._engine.learned()
        return _restored, (self._arguments, learned, loaded()), {"empty_references": self.empty_references}


class _OverCut(_Named):
    """A metric of the registry over the tokens of a tokenizer written in Python."""

    _plain = None

    def __init__(self, arguments: Any, cut: Cut) -> None:
        super().__init__(arguments)
        self._cut = cut
        self._of_tokens()

    def __reduce__(self) -> Any:
        return _OverCut, (self._arguments, self._cut), {"empty_references": self.empty_references}


def _restored(arguments: Any, learned: Optional[bytes], plugin: Optional[str] = None) -> Metric:
    if plugin is not None:
        load(plugin)
    named = _Named(tuple(arguments))
    return named if learned is None else _Named(tuple(arguments), named._engine.restore_learned(learned))


#: Metrics written in Python that have a name in every call.
_registered: dict[str, Metric] = {}


def register(own: Any) -> Any:
    """Give a metric of your own its name in every call: `metric`, `Evaluation`, policies of gates, `Run.read`, `compare`.

    Args:
        own (Metric or subclass of Metric): The metric. A class is called without arguments. Registering a metric of the same
            name again replaces the earlier one.

    Returns:
        Metric or subclass of Metric: The argument, so that you can write `@bleuprint.register` above a class.

    Raises:
        TypeError: If the argument is not a metric written in Python.
        ValueError: If the name is taken by a metric of the package, or if an attribute is invalid.

    Example:
        >>> import bleuprint
        >>> @bleuprint.register
        ... class Same(bleuprint.Metric):
        ...     name, columns, score_range = "same_text", ("equal",), (0.0, 1.0)
        ...     def observe(self, state, hypothesis, references):
        ...         return [state[0] + (hypothesis in references)]
        ...     def finalize(self, state, segments):
        ...         return state[0] / segments
        >>> run = bleuprint.Evaluation(["same_text", "bleu"]).run({"a": ["a", "b"]}, ["a", "c"])
        >>> run.scores()["a"]["same_text"].score
        0.5
    """
    made = own() if isinstance(own, type) and issubclass(own, Metric) else own
    if not isinstance(made, Metric) or not made._is_own:
        kind = own.__name__ if isinstance(own, type) else type(own).__name__
        raise TypeError(f"register takes a metric written in Python, but {kind} is none")
    made._engine
    lines = (type(made).__doc__ or "").strip().splitlines()
    _native.register(made, made.name, lines[0] if lines else "a metric written in Python")
    _registered[made.name] = made
    return own


def registered(given: Any) -> Any:
    """Return the registered metric with this name, or the value itself."""
    return _registered.get(given, given) if isinstance(given, str) else given


def chosen(given: Any, place: str) -> Metric:
    """Return the metric with a name, an instance of a class, or the given metric itself."""
    given = registered(given)
    if isinstance(given, Metric):
        return given
    if isinstance(given, type) and issubclass(given, Metric):
        return given()
    if isinstance(given, str):
        return metric(given)
    raise TypeError(f"{place} is {type(given).__name__}, but must be a name or a Metric")


def metric(
    name: Asked,
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
    """Build a metric by name, such as `bleu`, `chrf++`, `rougeL` or `wer`.

    `list_metrics` lists all names and options.

    Args:
        name (str, Metric or subclass of Metric): The name. A class of your own is called with the options; a metric is
            returned as it is.
        tokenize (str, callable or tokenizers.Tokenizer, optional): The tokenizer; the default is the metric's default,
            otherwise `13a`. Signatures write a function from a text to its tokens as `tok:custom`, and a
            `tokenizers.Tokenizer` by its hash. Ids are not tokenized.
        lowercase (bool, optional): Whether to lowercase texts.
        norm (str, optional): Normalizers joined by `+`, such as `whisper-en` or `nfkc+lower`; see `list_normalizers`.
            They rewrite hypotheses, references and sources before the tokenizer.
        tokenizer_model (str, optional): The model file of the tokenizer, if it needs one.
        dictionary (str, optional): The dictionary of the tokenizer, if it needs one.
        token_space (str, optional): The name of the vocabulary of ids, such as `hf:3f2a`. It also replaces the name of a
            tokenizer written in Python. Counts of different token spaces do not merge.
        learned (str or path-like, optional): A file with the weights of a metric of two passes, from
            `Metric.save_learned` or the program's `--save-learned`.
        empty_references ({"error", "missing", "keep"}, default "error"): The treatment of an empty reference next to
            other references of its segment: reject it, treat it as missing, or keep it as a reference without tokens, as
            sacreBLEU does.
        **options (str, number, bool or list): Options of the metric. An option that is `None` keeps its default.

    Returns:
        Metric: The metric.

    Raises:
        ValueError: If a name or the value of an option is unknown, or if `learned` has weights that were learned under
            other settings.
        TypeError: If an option has another type, or if options do not apply to a metric that is not given by name.

    Example:
        >>> import bleuprint
        >>> bleuprint.metric("bleu", tokenize="char", smooth_method="floor", smooth_value=0.5).signature.split("|")[1:5]
        ['case:mixed', 'eff:no', 'tok:char', 'smooth:floor[0.50]']
        >>> bleuprint.metric("bleu", tokenize=str.split, token_space="spaces").score(["a b c d"], ["a b c d"]).signature.split("|")[4]
        'tok:spaces'
        >>> bleuprint.metric("blue")
        Traceback (most recent call last):
        ValueError: unknown metric `blue`; the nearest of ... names are `bleu`, ...
    """
    name = registered(name)
    if not isinstance(name, str):
        return _own(name, options, tokenize, lowercase, norm, tokenizer_model, dictionary, token_space, learned, empty_references)
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


def _own(given: Any, options: dict[str, Any], *settings: Any) -> Metric:
    *of_tokens, empty = settings
    if any(setting is not None for setting in of_tokens):
        raise TypeError("tokenize, norm, token_space and their like are for metrics by name: a metric of one's own makes its tokens")
    if isinstance(given, type) and issubclass(given, Metric):
        made = given(**options)
    elif options:
        raise TypeError(f"the metric is made already, so the options {', '.join(options)} have no effect")
    else:
        made = chosen(given, "the metric's name")
    if empty != "error":
        from copy import copy

        # The given metric stays unchanged, because the caller may use it elsewhere.
        made = copy(made)
        made.empty_references = empty
    return made


def list_metrics() -> list[dict[str, Any]]:
    """Return every metric as a dict with its name, meaning, reference program and options.

    Example:
        >>> import bleuprint
        >>> [entry["name"] for entry in bleuprint.list_metrics()][:3]
        ['bleu', 'chrf', 'ter']
    """
    return _native.list_metrics()


def cite(*metrics: str, form: str = "bibtex") -> str:
    """Return the papers to cite for metrics and for this program.

    Args:
        *metrics (str): Names of metrics.
        form ({"bibtex", "text"}, default "bibtex"): BibTeX entries, or one line of text for each paper.

    Returns:
        str: The citations.

    Raises:
        ValueError: If a metric is unknown, or if `form` is neither `bibtex` nor `text`.

    Example:
        >>> import bleuprint
        >>> print(bleuprint.cite("ter", form="text").splitlines()[0][:58])
        Matthew Snover, Bonnie Dorr, Rich Schwartz, Linnea Micciul
    """
    if form not in ("bibtex", "text"):
        raise ValueError(f"form must be 'bibtex' or 'text', not {form!r}")
    return _native.cite(list(metrics), form == "bibtex")


def list_tokenizers() -> list[str]:
    """Return the names of all tokenizers in this build.

    Example:
        >>> import bleuprint
        >>> "13a" in bleuprint.list_tokenizers()
        True
    """
    return _native.list_tokenizers()


def list_normalizers() -> list[str]:
    """Return the names of all normalizers, for the argument `norm` of `metric`.

    Example:
        >>> import bleuprint
        >>> "whisper-en" in bleuprint.list_normalizers()
        True
        >>> bleuprint.metric("wer", norm="whisper-en").score(["It's 20 dollars."], ["it is twenty dollars"]).score
        0.0
    """
    return _native.list_normalizers()
