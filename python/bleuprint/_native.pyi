"""Types of the native part. `bleuprint` documents the public part."""

from collections.abc import Iterator
from os import PathLike
from typing import Any, Literal, Optional, Union, overload

from ._data import Progress
from ._shown import Comparisons, Interval, Intervals, Page, Settings, Tests

Precision = Literal["sacrebleu", "exact"]

class Score:
    """The score of a corpus or a segment: the number, its parts and its signature.

    Each part is also an attribute, as in `score.precisions`. A score formats, rounds, compares and sorts as its number:
    `f"{score:.2f}"`, `round(score, 1)`, `score > 30`, `max(scores)`. Two scores are equal if all their parts are equal.
    """

    @property
    def name(self) -> str:
        """Return the printed name, such as `BLEU`."""
    @property
    def score(self) -> float:
        """Return the (first) headline number, unrounded."""
    @property
    def error(self) -> Optional[str]:
        """Return the reason why a segment or a group has no score, whose number is then NaN; `None` for a score."""
    @property
    def signature(self) -> str:
        """Return the signature, which names everything that the score depends on, except the data."""
    @property
    def short_signature(self) -> str:
        """Return the signature with short keys, without the name of the metric."""
    @property
    def higher_is_better(self) -> bool:
        """Return `True` if a higher score is better."""
    @property
    def range(self) -> tuple[Optional[float], Optional[float]]:
        """Return the smallest and the largest possible value; `None` means no limit."""
    @property
    def headlines(self) -> dict[str, float]:
        """Return the headline numbers by name. Most metrics have one, `score`."""
    @property
    def parts(self) -> dict[str, Any]:
        """Return the parts by name."""
    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data.

        Returns:
            dict: Name, score, signature, headlines if there are several, and the parts.
        """
    def format(self, width: int = 2, short: bool = False) -> str:
        """Return the line of text `NAME|signature = number parts`.

        Args:
            width (int, default 2): The number of decimals.
            short (bool, default False): Whether to shorten the signature.
        """
    def __float__(self) -> float: ...
    def __format__(self, spec: str) -> str: ...
    def __round__(self, digits: Optional[int] = None) -> float: ...
    def __lt__(self, other: Union[Score, float]) -> bool: ...
    def __le__(self, other: Union[Score, float]) -> bool: ...
    def __gt__(self, other: Union[Score, float]) -> bool: ...
    def __ge__(self, other: Union[Score, float]) -> bool: ...
    def __getattr__(self, name: str) -> Any: ...
    def _repr_html_(self) -> str: ...

class Ids:
    """Sequences of ids; `bleuprint.ids` creates them."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> list[int]: ...
    def __iter__(self) -> Iterator[list[int]]: ...

class State:
    """The statistics of observed data, and their metric."""

    def merge(self, other: State) -> State: ...
    def retract(self, other: State) -> State: ...
    def score(self, quiet: bool = False) -> Score: ...
    def value(self) -> float: ...
    def row(self) -> list[int]: ...
    def columns(self) -> list[str]: ...
    @property
    def key(self) -> str: ...
    @property
    def segments(self) -> int: ...
    @property
    def counts(self) -> tuple[int, int, int]:
        """Return the number of segments, the number of references, and the sum of squares of the references per segment."""

class Statistics:
    """The statistics of every segment of one system under one metric."""

    def __len__(self) -> int: ...
    @property
    def system(self) -> str:
        """Return the name of the system."""
    @property
    def labels(self) -> list[str]:
        """Return the names of the labels of the segments."""
    def score(self) -> Score:
        """Return the score of all segments together."""
    def columns(self) -> list[str]:
        """Return the names of the counts in `rows`, in order."""
    def rows(self) -> list[list[int]]:
        """Return the counts of each segment, one list for each segment."""
    def slices(self, labels: Union[str, list[str]]) -> dict[str, Score]:
        """Return the score of the segments with each label.

        Args:
            labels (str or list of str): One label for each segment, or the name of a label that the segments have.

        Returns:
            dict of str to Score: The score by label.
        """
    def confidence(
        self,
        n: int = 1000,
        seed: int = 12345,
        precision: Precision = "sacrebleu",
        threads: Optional[int] = None,
        progress: Progress = None,
    ) -> Optional[Interval]:
        """Return the bootstrap interval of the score.

        Args:
            n (int, default 1000): The number of resamples.
            seed (int, default 12345): The seed of the resamples.
            precision ({"sacrebleu", "exact"}, default "sacrebleu"): As for `bleuprint.paired_test`.
            threads (int, default 1): The number of threads; 0 means every core.
            progress (bool or callable, optional): See `Metric.score`.

        Returns:
            Interval or None: `mean`, `lower`, `upper` and `half_width`, or `None` if the score has no interval.
        """
    def write(self, path: Union[str, PathLike[str]], *, overwrite: bool = False) -> None:
        """Write the statistics to a file that `Metric.read_statistics` and the program can read.

        Args:
            path (str or path-like): The file.
            overwrite (bool, default False): Whether to replace an existing file.
        """
    def save_learned(self, path: Union[str, PathLike[str]], *, overwrite: bool = False) -> None:
        """Write the weights that a metric of two passes learned, as the program's `--save-learned` does.

        Args:
            path (str or path-like): The file.
            overwrite (bool, default False): Whether to replace an existing file.
        """
    def to_arrow(self) -> Table:
        """Return an Arrow table for data frames, with one row for each segment: labels, score and counts."""
    def _repr_html_(self) -> str: ...
    def _labels(self) -> dict[str, list[Optional[str]]]: ...
    def _total(self) -> State: ...

class Table:
    """Columns of counts with one row for each segment, such as `bleuprint.tables.counts` returns."""

    def __len__(self) -> int: ...
    @property
    def columns(self) -> list[str]: ...
    def cells(self) -> list[tuple[Any, ...]]: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

class Numbered: ...

class Groups:
    def __init__(self, names: list[str]) -> None: ...
    def number(self, columns: list[Any], rows: int) -> Numbered: ...
    def table(self) -> Table: ...
    def __len__(self) -> int: ...

class States:
    def __init__(self, engine: Engine) -> None: ...
    def add(self, data: Data, groups: Numbered, threads: Optional[int] = None) -> None: ...
    def merge(self, states: Any, groups: Numbered) -> None: ...
    def to_bytes(self, count: int) -> list[bytes]: ...
    def scores(self, count: int) -> list[tuple[Optional[float], int, Optional[str]]]: ...

class Run:
    """The statistics of every segment of several systems under several metrics.

    A run gives scores, groups, tests, comparisons, reports and files. `Evaluation.run` creates a run, and `Run.read` reads one
    from statistics files. You can leave out the name of the metric if there is only one.
    """

    @staticmethod
    def read(paths: list[Union[str, PathLike[str]]]) -> Run:
        """Read statistics files, one for each system, of the same segments and metrics."""
    def __len__(self) -> int: ...
    @property
    def systems(self) -> list[str]:
        """Return the names of the systems."""
    @property
    def metrics(self) -> list[str]:
        """Return the metrics, each as you gave it."""
    @property
    def labels(self) -> dict[str, list[Optional[str]]]:
        """Return the values of each label, one for each segment.

        The label `length` is the length of the first reference in tokens.
        """
    @property
    def unit(self) -> Optional[str]:
        """Return the label whose segments are resampled as one unit, or `None` if single segments are resampled.

        It is the item if items have several samples, else the document if segments have one.
        """
    @property
    def left_out(self) -> list[str]:
        """Return what the readers left out of the data, or added to it, each as a sentence."""
    def scores(self) -> dict[str, dict[str, Score]]:
        """Return the score of each system under each metric: `scores()[system][metric]`."""
    def groups(self, label: str) -> dict[str, dict[str, dict[str, Score]]]:
        """Return the scores of the segments with each value of a label: `groups(label)[value][system][metric]`.

        Lengths are grouped in tens.
        """
    def sentence_scores(self, system: Optional[str] = None, metric: Optional[str] = None) -> list[Score]:
        """Return the score of each segment of a system.

        Args:
            system (str, optional): The system; you can leave it out if there is only one.
            metric (str, optional): The metric; you can leave it out if there is only one.
        """
    def confidence(
        self,
        metric: Optional[str] = None,
        *,
        n: int = 1000,
        seed: int = 12345,
        precision: Precision = "sacrebleu",
        unit: Optional[str] = None,
        threads: Optional[int] = None,
        progress: Progress = None,
    ) -> Intervals:
        """Return the bootstrap interval of the score of each system.

        The arguments are those of `Statistics.confidence`, after the name of the metric; `unit` is as in `compare`.

        Returns:
            Intervals: For each system `mean`, `lower`, `upper` and `half_width`, or `None` if the score has no interval.
        """
    def paired(
        self,
        metric: Optional[str] = None,
        *,
        test: Literal["bootstrap", "randomization"] = "bootstrap",
        n: Optional[int] = None,
        seed: int = 12345,
        precision: Precision = "sacrebleu",
        confidence: Optional[int] = None,
        unit: Optional[str] = None,
        threads: Optional[int] = None,
        progress: Progress = None,
    ) -> Tests:
        """Test each system against the first.

        The arguments are those of `bleuprint.paired_test`, after the name of the metric; `unit` is as in `compare`.

        Returns:
            Tests: Score, interval and p-value of each system.
        """
    def compare(
        self,
        *,
        by: Optional[list[str]] = None,
        headline: Optional[list[str]] = None,
        test: Optional[Literal["bootstrap", "randomization"]] = None,
        n: Optional[int] = None,
        seed: int = 12345,
        significance: Optional[float] = None,
        unit: Optional[str] = None,
        correction: Optional[Literal["holm", "bh"]] = None,
        most: int = 10,
        threads: Optional[int] = None,
        progress: Progress = None,
    ) -> Comparisons:
        """Compare every pair of systems under each metric.

        Args:
            by (list of str, optional): The labels whose values are shown as groups, for two systems.
            headline (list of str, optional): Other numbers of the scores that take the place of the metrics: headline numbers
                or parts, or `all` for all headline numbers.
            test ({"bootstrap", "randomization"}, optional): By default the metric determines the test; see the note.
            n (int, optional): The number of resamples or trials.
            seed (int, default 12345): The seed of the resamples.
            significance (float, default 0.05): The level of the test; between 0 and 1.
            unit (str, optional): The label of units that are resampled as a whole, such as documents, or `segment`. The default
                is the item if items have several samples, else the document if segments have one, else the segment.
            correction ({"holm", "bh"}, optional): The correction of the p-values of the groups of two systems, for all groups of
                a label: Holm's by default, or Benjamini and Hochberg's (`bh`).
            most (int, default 10): The maximum number of n-grams listed for each of two systems.
            threads (int, default 1): The number of threads; 0 means every core.
            progress (bool or callable, optional): See `Metric.score`.

        Returns:
            Comparisons: By the name of the metric: the scores, the pairs with intervals and p-values, and the ranks. For two
                systems also segments, groups and n-grams with their part of the difference.

        Note:
            The default test follows from the metric:

            * a rate: Tango's interval and McNemar's test;
            * a mean over units: the t interval of the ratio estimator;
            * a set: randomization;
            * any other score: the bootstrap.
        """
    def to_arrow(self, *, segments: bool = False) -> Table:
        """Return the scores as an Arrow table for data frames.

        Args:
            segments (bool, default False): Whether to return one row for each segment of each system, with its labels,
                instead of one row for each system.
        """
    def _repr_html_(self) -> str: ...
    def write(self, path: Union[str, PathLike[str]], *, overwrite: bool = False) -> None:
        """Write the statistics of the run's only system to a file.

        `Run.read`, `Metric.read_statistics` and the program can read the file.

        Args:
            path (str or path-like): The file.
            overwrite (bool, default False): Whether to replace an existing file.
        """
    @overload
    def report(
        self,
        path: None = None,
        *,
        title: Optional[str] = None,
        by: Optional[list[str]] = None,
        headline: Optional[list[str]] = None,
        n: Optional[int] = None,
        seed: int = 12345,
        unit: Optional[str] = None,
        sample: Optional[int] = None,
        texts: bool = True,
        compress: bool = False,
        overwrite: bool = False,
        threads: Optional[int] = None,
        progress: Progress = None,
    ) -> Page:
        """Create the report: one HTML page that a browser opens from disk.

        Args:
            path (str or path-like, optional): The file to write. Without it, the page is returned, and a notebook shows it.
            title (str, optional): The title of the page.
            by (list of str, optional): The labels shown as groups; by default all.
            headline (list of str, optional): The numbers to show, as for `compare`.
            unit (str, optional): The label of units that are resampled as a whole, as for `compare`.
            n (int, optional): The number of resamples.
            seed (int, default 12345): The seed of the resamples.
            sample (int, optional): The number of segments that keep their texts.
            texts (bool, default True): Whether the page has the texts of segments.
            compress (bool, default False): Whether to compress the data in the page.
            overwrite (bool, default False): Whether to replace an existing file that is not a report.
            threads (int, default 1): The number of threads; 0 means every core.
            progress (bool or callable, optional): See `Metric.score`.
        """
    @overload
    def report(
        self,
        path: Union[str, PathLike[str]],
        *,
        title: Optional[str] = None,
        by: Optional[list[str]] = None,
        headline: Optional[list[str]] = None,
        n: Optional[int] = None,
        seed: int = 12345,
        unit: Optional[str] = None,
        sample: Optional[int] = None,
        texts: bool = True,
        compress: bool = False,
        overwrite: bool = False,
        threads: Optional[int] = None,
        progress: Progress = None,
    ) -> None:
        """Create the report: one HTML page that a browser opens from disk.

        Args:
            path (str or path-like, optional): The file to write. Without it, the page is returned, and a notebook shows it.
            title (str, optional): The title of the page.
            by (list of str, optional): The labels shown as groups; by default all.
            headline (list of str, optional): The numbers to show, as for `compare`.
            unit (str, optional): The label of units that are resampled as a whole, as for `compare`.
            n (int, optional): The number of resamples.
            seed (int, default 12345): The seed of the resamples.
            sample (int, optional): The number of segments that keep their texts.
            texts (bool, default True): Whether the page has the texts of segments.
            compress (bool, default False): Whether to compress the data in the page.
            overwrite (bool, default False): Whether to replace an existing file that is not a report.
            threads (int, default 1): The number of threads; 0 means every core.
            progress (bool or callable, optional): See `Metric.score`.
        """

class TestSet:
    """A test set and language pair that sacreBLEU downloaded to `$SACREBLEU` or `~/.sacrebleu`.

    Nothing is downloaded: a missing file is an error that names the folder and the command that fetches the file.

    Args:
        testset (str): The name of the test set, such as `wmt22`.
        langpair (str): The language pair, such as `en-de`.
    """

    def __init__(self, testset: str, langpair: str) -> None: ...
    @property
    def fields(self) -> list[str]:
        """Return the names of the fields that exist."""
    def field(self, name: str) -> list[str]:
        """Return the lines of a field, such as `src`, `ref:A` or `docid`."""
    @property
    def source(self) -> list[str]:
        """Return the lines of the source."""
    @property
    def reference_streams(self) -> list[list[str]]:
        """Return the lines of each reference.

        If there are several translators, these are the references that sacreBLEU 2.6 uses.
        """
    def _file(self, field: str) -> PathLike[str]: ...
    def _reference_files(self) -> list[PathLike[str]]: ...

class Policy:
    """The requirements on new output, read from a TOML file. Relative paths in the file start from its folder."""

    def __init__(self, path: Union[str, PathLike[str]]) -> None: ...
    @property
    def metrics(self) -> list[str]:
        """Return the metrics that the rules use, as arguments for `Evaluation`."""

class Verdict:
    """The verdict of a policy on a run."""

    @property
    def outcome(self) -> Literal["pass", "fail", "inconclusive", "error"]:
        """Return the outcome."""
    @property
    def exit_code(self) -> int:
        """Return the exit code of the program: 0 pass, 1 fail, 2 error, 3 inconclusive.

        The policy can map inconclusive to another code.
        """
    def text(self) -> str:
        """Return the verdict as text."""
    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as plain data, as `bleuprint gate --json` writes it."""
    def junit(self) -> str:
        """Return the verdict as JUnit XML."""
    def summary(self) -> str:
        """Return the verdict as Markdown."""
    def to_arrow(self) -> Table:
        """Return an Arrow table for data frames, with one row for each group of each rule."""
    def _repr_html_(self) -> str: ...

class Evaluation:
    @staticmethod
    def of_engine(engine: Engine) -> Evaluation: ...
    def __init__(
        self,
        metrics: list[Any],
        tokenize: Optional[str] = None,
        lowercase: Optional[bool] = None,
        model: Optional[str] = None,
        dictionary: Optional[str] = None,
        norm: Optional[str] = None,
        space: Optional[str] = None,
    ) -> None: ...
    @property
    def metrics(self) -> list[str]: ...
    @property
    def form(self) -> Optional[Form]: ...
    def infos(self) -> list[dict[str, Any]]: ...
    def observe(
        self,
        data: Data,
        *,
        once: bool = True,
        quiet: bool = False,
        signs: Optional[Signs] = None,
        threads: Optional[int] = None,
        progress: Progress = None,
    ) -> list[State]: ...
    def sentences(
        self, data: Data, *, signs: Optional[Signs] = None, threads: Optional[int] = None, progress: Progress = None
    ) -> list[list[Score]]: ...
    def statistics(
        self,
        owners: list[Any],
        data: Data,
        *,
        system: str = "system",
        signs: Optional[Signs] = None,
        threads: Optional[int] = None,
        progress: Progress = None,
    ) -> list[Statistics]: ...
    def run(
        self,
        systems: list[str],
        data: Data,
        outputs: list[Any],
        labels: Optional[list[tuple[str, list[Optional[str]]]]] = None,
        *,
        sample_weight: Optional[list[int]] = None,
        words: Optional[list[str]] = None,
        threads: Optional[int] = None,
        progress: Progress = None,
    ) -> Run: ...

class Recipe:
    def __init__(self, signature: str) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def scale(self) -> float: ...
    def settings(self) -> tuple[str, Optional[str], Optional[bool], Optional[str]]: ...
    def check(self, signature: str) -> None: ...

def given(
    options: list[tuple[str, str]],
    columns: list[tuple[str, Any]],
    ids: Any = None,
    labels: list[tuple[str, Any]] = ...,
    system: str = "system",
) -> Statistics: ...
def vectors(
    metric: str,
    options: list[tuple[str, str]],
    hypotheses: tuple[Any, list[Any]],
    references: tuple[Any, list[Any]],
    labels: list[tuple[str, Any]] = ...,
    system: str = "system",
    threads: Optional[int] = None,
    progress: Progress = None,
    learned: Optional[Union[str, PathLike[str]]] = None,
) -> Statistics: ...
def schemas() -> dict[str, dict[str, Any]]: ...
def gate(policy: Policy, run: Run, threads: Optional[int] = None, progress: Progress = None) -> Verdict: ...

class Ledger:
    def __init__(self, place: Union[str, PathLike[str]], bucket: Optional[str] = None) -> None: ...
    @property
    def bucket(self) -> str: ...
    def add(
        self,
        source: Union[Engine, Statistics],
        state: State,
        key: str,
        stream: str,
        version: str,
        slice: list[tuple[str, str]],
        time: Optional[str] = None,
        retracts: Optional[str] = None,
        upsert: bool = False,
        reset_clock: bool = False,
    ) -> bool: ...
    def retract(self, target: str, key: str, time: Optional[str] = None) -> bool: ...
    def show(
        self, window: str, by: list[str], stream: Optional[str] = None, as_of: Optional[int] = None
    ) -> list[dict[str, Any]]: ...
    def verify(self) -> list[str]: ...

class Tokenizer:
    def __init__(self, name: str, model: Optional[str] = None, dictionary: Optional[str] = None) -> None: ...
    @property
    def label(self) -> str: ...
    def __call__(self, line: str) -> list[str]: ...

class BleuFinisher:
    def __init__(
        self, smooth_method: str, smooth_value: Optional[float], max_order: int, effective_order: bool, compensated: bool
    ) -> None: ...
    def __call__(self, state: State) -> tuple[Any, ...]: ...

class BleuprintWarning(UserWarning):
    """The class of all warnings of this package, such as likely mistakes in the data."""

class Signs:
    """Signs of likely mistakes in the data of several calls; each kind of mistake is reported once.

    With `first`, only the data of the first call are examined.
    """

    def __init__(self, first: bool = False) -> None: ...
    def finish(self) -> None: ...

def bleu_sentence(
    engine: Engine, finisher: BleuFinisher, hypothesis: Any, references: Any
) -> Optional[tuple[Any, ...]]: ...

class Data:
    """The segments of a call, read once."""

    def __init__(
        self,
        hypotheses: Any,
        references: Any = None,
        reference_streams: Any = None,
        sources: Any = None,
        *,
        group_size: int = 1,
        missing: bool = False,
        empty_references: str = "error",
        name: str = "hypotheses",
        objects: Optional[Objects] = None,
    ) -> None: ...
    @staticmethod
    def of_references(references: Any, reference_streams: Any, empty_references: str = "error") -> Data: ...
    @staticmethod
    def of_columns(
        hypotheses: tuple[str, Any],
        references: Optional[tuple[str, Any]],
        sources: Optional[tuple[str, Any]],
        skip: bool,
        empty_references: str = "error",
    ) -> Data: ...

class Form:
    """The data format of a metric that has its own."""

    def data(
        self,
        hypotheses: Any,
        references: Any = None,
        reference_streams: Any = None,
        sources: Any = None,
        *,
        group_size: int = 1,
        name: str = "hypotheses",
    ) -> Data: ...

def is_used() -> bool: ...

class Objects:
    """Python objects, and the texts that name them in Rust."""

    def __init__(self) -> None: ...
    def add(self, object: Any) -> str: ...

class Engine:
    def __init__(
        self,
        name: str,
        options: list[tuple[str, str]],
        tokenize: Optional[str] = None,
        lowercase: Optional[bool] = None,
        model: Optional[str] = None,
        dictionary: Optional[str] = None,
        space: Optional[str] = None,
        norm: Optional[str] = None,
    ) -> None: ...
    @staticmethod
    def of_python(metric: Any, own_tokens: bool = False) -> Engine: ...
    @property
    def form(self) -> Optional[Form]: ...
    def info(self) -> dict[str, Any]: ...
    def observe_one(self, hypothesis: str, references: Any) -> State: ...
    def learn(self, data: Data, *, threads: Optional[int] = None, progress: Progress = None) -> Engine: ...
    def read_learned(self, path: Union[str, PathLike[str]]) -> Engine: ...
    def restore_learned(self, bytes: bytes) -> Engine: ...
    def write_learned(self, path: Union[str, PathLike[str]], overwrite: bool) -> None: ...
    def learned(self) -> Optional[bytes]: ...
    def zero(self, ids: Optional[bool] = None) -> State: ...
    def write(self, state: State) -> bytes: ...
    def read(self, bytes: bytes) -> State: ...
    def require(self, state: State) -> None: ...
    def read_row(self, row: list[int], ids: Optional[bool] = None) -> State: ...

def read_statistics(engine: Engine, path: Union[str, PathLike[str]], owner: Any = None) -> Statistics: ...
def restore_statistics(owner: Any, bytes: bytes) -> Statistics: ...
def join(systems: list[Statistics], names: Optional[list[str]], units: Any) -> Run: ...
def paired_interval(scores: list[float]) -> tuple[float, float]: ...
def meta(
    human: list[tuple[str, Any]],
    metrics: list[tuple[str, list[tuple[str, Any]]]],
    statistics: list[str],
    level: str,
    grouping: str,
    swap: str,
    *,
    trials: int = 1000,
    seed: int = 4,
    alpha: float = 0.05,
    holm: bool = False,
    williams: bool = False,
    lower: list[str] = ...,
    epsilons: list[tuple[str, float]] = ...,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> list[dict[str, Any]]: ...
def compare_unpaired(
    names: list[str],
    systems: list[Statistics],
    test: Optional[str] = None,
    n: Optional[int] = None,
    seed: int = 12345,
    significance: Optional[float] = None,
    label: Optional[str] = None,
    units: Optional[list[Any]] = None,
    expected: Optional[int] = None,
    wanted: Optional[float] = None,
    headline: Optional[str] = None,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> dict[str, Any]: ...
def check_laws(engine: Engine, segments: Optional[Objects] = None, data: Optional[Data] = None) -> None: ...
def ids(
    array: Any, offsets: Any = None, lengths: Any = None, pad_id: Any = None, eos_id: Any = None, name: str = "array"
) -> Ids: ...
def program(arguments: list[str]) -> int: ...
def held(object: Any) -> Any: ...
def html_table(header: list[str], rows: list[list[str]]) -> str: ...
def forest(rows: list[tuple[str, float, float, float]], mark: Optional[float] = None) -> str: ...
def frame(columns: list[tuple[str, list[Any]]]) -> Table: ...
def read_files(
    form: str,
    reference: str,
    systems: list[str],
    metrics: list[str],
    options: dict[str, Any],
    tokenize: Optional[str] = None,
    lowercase: bool = False,
    norm: Optional[str] = None,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> Run: ...
def read_logs(
    harness: str,
    logs: list[tuple[Optional[str], str]],
    metrics: Optional[list[str]],
    filters: list[tuple[str, str]],
    threads: Optional[int] = None,
    progress: Progress = None,
) -> Run: ...
def normalize(texts: Any, norm: str) -> list[str]: ...
def assignments(engine: Engine, data: Data) -> list[list[tuple[Optional[str], Optional[str]]]]: ...
def score_plain(
    engine: Engine, hypotheses: Any, references: Any, empty_references: str, several: bool, quiet: bool = False
) -> Optional[Score]: ...
def score_words(engine: Engine, hypotheses: Any, references: Any, empty_references: str) -> Optional[Score]: ...
def observe_plain(
    engine: Engine, hypotheses: Any, references: Any, empty_references: str, several: bool, signs: Signs
) -> Optional[State]: ...
def reward_plain(
    engine: Engine, hypotheses: Any, references: Any, empty_references: str, several: bool, quiet: bool
) -> Optional[bytearray]: ...
def rewards(engine: Engine, data: Data, quiet: bool = False, threads: Optional[int] = None, progress: Progress = None) -> bytes: ...
def pairwise(
    engine: Engine, hypotheses: Any, references: Any, threads: Optional[int] = None, progress: Progress = None
) -> tuple[bytes, int, int]: ...
def mbr(
    engine: Engine,
    hypotheses: Any,
    references: Any,
    weights: Optional[list[float]] = None,
    log_weights: Optional[list[float]] = None,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> tuple[list[float], list[int]]: ...
def self_scores(engine: Engine, texts: Any, threads: Optional[int] = None, progress: Progress = None) -> list[Score]: ...
def explain(
    data: Data,
    tokenizers: Optional[list[str]] = None,
    target: Optional[float] = None,
    decimals: int = 1,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> Settings: ...
def aligned(
    references: list[list[str]], hypotheses: list[list[str]]
) -> tuple[list[list[tuple[str, int, int, int, int]]], list[int], list[float]]: ...
def error_rates(engine: Engine, references: Any, hypotheses: Any) -> Optional[list[float]]: ...
def aligned_lines(
    reference: list[str], hypothesis: list[str], between: str, width: Optional[int] = None
) -> str: ...
def register(metric: Any, name: str, summary: str) -> None: ...
def tokenized(texts: list[str], tokenize: str, norm: Optional[str] = None) -> list[list[str]]: ...
def ln(x: float) -> float: ...
def exp(x: float) -> float: ...
def cite(metrics: list[str], bibtex: bool) -> str: ...
def list_metrics() -> list[dict[str, Any]]: ...
def list_normalizers() -> list[str]: ...
def list_tokenizers() -> list[str]: ...
def restore_ids(bytes: bytes, ends: list[int]) -> Ids: ...
def restore_score(bytes: bytes) -> Score: ...
def table_counts(
    engine: Engine, data: Data, *, quiet: bool = False, threads: Optional[int] = None, progress: Progress = None
) -> Table: ...
def table_state(engine: Engine, data: Data, *, threads: Optional[int] = None, progress: Progress = None) -> bytes: ...
def table_merge(states: Any, engine: Optional[Engine] = None) -> bytes: ...
def table_subtract(states: Any, part: Any, engine: Optional[Engine] = None) -> bytes: ...
def table_decode(states: Any, engine: Optional[Engine] = None) -> Table: ...
def table_encode(rows: Any, engine: Optional[Engine] = None, *, skip: bool = False) -> bytes: ...
def table_score(
    given: Any,
    engine: Optional[Engine] = None,
    by: list[str] = ...,
    confidence: Optional[int] = None,
    seed: int = 12345,
    *,
    skip: bool = False,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> tuple[Table, list[tuple[Score, Optional[dict[str, float]]]]]: ...
def table_each(rows: Any, engine: Engine, *, skip: bool = False) -> list[Optional[Score]]: ...
def table_segments(states: Any, engine: Optional[Engine] = None) -> int: ...
def table_statistics(
    rows: Any, engine: Optional[Engine] = None, *, skip: bool = False, owner: Optional[object] = None
) -> Statistics: ...
