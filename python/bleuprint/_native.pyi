"""Types of the native part. What is public is documented in `bleuprint`."""

from os import PathLike
from typing import Any, Optional, Union

from ._metric import Progress

class Score:
    """The score of a corpus or a segment: the number, the parts it is made of, and the signature."""

    @property
    def name(self) -> str: ...
    @property
    def score(self) -> float: ...
    @property
    def signature(self) -> str: ...
    @property
    def short_signature(self) -> str: ...
    @property
    def higher_is_better(self) -> bool: ...
    @property
    def range(self) -> tuple[Optional[float], Optional[float]]: ...
    @property
    def headlines(self) -> dict[str, float]: ...
    @property
    def parts(self) -> dict[str, Any]: ...
    def to_dict(self) -> dict[str, Any]: ...
    def format(self, width: int = 2, short: bool = False) -> str: ...
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
    """Sequences of ids; made by `bleuprint.ids`."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> list[int]: ...

class State:
    def merge(self, other: State) -> State: ...
    def retract(self, other: State) -> State: ...
    def score(self) -> Score: ...
    def value(self) -> float: ...
    def row(self) -> list[int]: ...
    def columns(self) -> list[str]: ...
    @property
    def key(self) -> str: ...
    @property
    def segments(self) -> int: ...
    @property
    def counts(self) -> tuple[int, int, int]: ...
    def to_bytes(self) -> bytes: ...

class Statistics:
    """The statistics of every segment of one system."""

    def __len__(self) -> int: ...
    @property
    def system(self) -> str: ...
    @property
    def labels(self) -> list[str]: ...
    def score(self) -> Score: ...
    def columns(self) -> list[str]: ...
    def rows(self) -> list[list[int]]: ...
    def slices(self, labels: Union[str, list[str]]) -> dict[str, Score]: ...
    def confidence(
        self, n: int = 1000, seed: int = 12345, precision: str = "sacrebleu", threads: Optional[int] = None, progress: Progress = None
    ) -> dict[str, float]: ...
    def write(self, path: Union[str, PathLike[str]]) -> None: ...
    def save_learned(self, path: Union[str, PathLike[str]]) -> None: ...
    def _total(self) -> State: ...

class Table:
    """Columns of counts, one row for each segment; made by `bleuprint.tables.counts`."""

    def __len__(self) -> int: ...
    @property
    def columns(self) -> list[str]: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

class Run:
    """Several systems under several metrics; made by `Evaluation.run`."""

    @staticmethod
    def read(paths: list[Union[str, PathLike[str]]]) -> Run: ...
    def __len__(self) -> int: ...
    @property
    def systems(self) -> list[str]: ...
    @property
    def metrics(self) -> list[str]: ...
    @property
    def labels(self) -> dict[str, list[Optional[str]]]: ...
    def scores(self) -> dict[str, dict[str, Score]]: ...
    def groups(self, label: str) -> dict[str, dict[str, dict[str, Score]]]: ...
    def sentence_scores(self, system: Optional[str] = None, metric: Optional[str] = None) -> list[Score]: ...
    def confidence(
        self,
        metric: Optional[str] = None,
        *,
        n: int = 1000,
        seed: int = 12345,
        precision: str = "sacrebleu",
        threads: Optional[int] = None,
        progress: Progress = None,
    ) -> dict[str, dict[str, float]]: ...
    def paired(
        self,
        metric: Optional[str] = None,
        *,
        test: str = "bootstrap",
        n: Optional[int] = None,
        seed: int = 12345,
        precision: str = "sacrebleu",
        confidence: Optional[int] = None,
        threads: Optional[int] = None,
        progress: Progress = None,
    ) -> list[dict[str, Any]]: ...
    def compare(
        self,
        *,
        by: Optional[list[str]] = None,
        test: str = "bootstrap",
        n: Optional[int] = None,
        seed: int = 12345,
        significance: Optional[float] = None,
        unit: Optional[str] = None,
        most: int = 10,
        threads: Optional[int] = None,
        progress: Progress = None,
    ) -> dict[str, dict[str, Any]]: ...
    def write(self, path: Union[str, PathLike[str]]) -> None: ...
    def report(
        self,
        path: Union[str, PathLike[str]],
        *,
        title: Optional[str] = None,
        by: Optional[list[str]] = None,
        n: Optional[int] = None,
        seed: int = 12345,
        sample: Optional[int] = None,
        texts: bool = True,
        compress: bool = False,
        overwrite: bool = False,
        threads: Optional[int] = None,
        progress: Progress = None,
    ) -> None: ...

class TestSet:
    """A test set and language pair that sacreBLEU fetched."""

    def __init__(self, testset: str, langpair: str) -> None: ...
    @property
    def fields(self) -> list[str]: ...
    def field(self, name: str) -> list[str]: ...
    @property
    def source(self) -> list[str]: ...
    @property
    def reference_streams(self) -> list[list[str]]: ...

class Policy:
    """The demands on new output, from a TOML file."""

    def __init__(self, path: Union[str, PathLike[str]]) -> None: ...
    @property
    def metrics(self) -> list[str]: ...

class Verdict:
    """The verdict of a policy on a run."""

    @property
    def outcome(self) -> str: ...
    @property
    def exit_code(self) -> int: ...
    def text(self) -> str: ...
    def to_dict(self) -> dict[str, Any]: ...
    def junit(self) -> str: ...
    def summary(self) -> str: ...

class Evaluation:
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
    def infos(self) -> list[dict[str, Any]]: ...
    def score(
        self,
        hypotheses: Any,
        references: Any = None,
        reference_streams: Any = None,
        sources: Any = None,
        *,
        threads: Optional[int] = None,
        progress: Progress = None,
    ) -> list[Score]: ...
    def sentences(
        self,
        hypotheses: Any,
        references: Any = None,
        reference_streams: Any = None,
        sources: Any = None,
        *,
        threads: Optional[int] = None,
        progress: Progress = None,
    ) -> list[list[Score]]: ...
    def statistics(
        self,
        owners: list[Any],
        hypotheses: Any,
        references: Any = None,
        reference_streams: Any = None,
        sources: Any = None,
        *,
        system: str = "system",
        threads: Optional[int] = None,
        progress: Progress = None,
    ) -> list[Statistics]: ...
    def run(
        self,
        systems: list[tuple[str, Any]],
        references: Any = None,
        reference_streams: Any = None,
        sources: Any = None,
        labels: Optional[list[tuple[str, list[Optional[str]]]]] = None,
        *,
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
    def of_python(metric: Any) -> Engine: ...
    def info(self) -> dict[str, Any]: ...
    def observe(
        self,
        hypotheses: Any,
        references: Any = None,
        reference_streams: Any = None,
        sources: Any = None,
        *,
        missing: bool = False,
        sentence: bool = False,
        once: bool = True,
        threads: Optional[int] = None,
        progress: Progress = None,
    ) -> State: ...
    def observe_one(self, hypothesis: str, references: Any) -> State: ...
    def sentences(
        self,
        hypotheses: Any,
        references: Any = None,
        reference_streams: Any = None,
        sources: Any = None,
        *,
        missing: bool = False,
        sentence: bool = True,
        threads: Optional[int] = None,
        progress: Progress = None,
    ) -> list[Score]: ...
    def learn(
        self,
        references: Any = None,
        reference_streams: Any = None,
        *,
        threads: Optional[int] = None,
        progress: Progress = None,
    ) -> Engine: ...
    def read_learned(self, path: Union[str, PathLike[str]]) -> Engine: ...
    def restore_learned(self, bytes: bytes) -> Engine: ...
    def write_learned(self, path: Union[str, PathLike[str]]) -> None: ...
    def learned(self) -> Optional[bytes]: ...
    def zero(self, ids: Optional[bool] = None) -> State: ...
    def read(self, bytes: bytes) -> State: ...
    def read_row(self, row: list[int], ids: Optional[bool] = None) -> State: ...

def observe_each(
    engine: Engine,
    hypotheses: Any,
    references: Any = None,
    reference_streams: Any = None,
    sources: Any = None,
    *,
    missing: bool = False,
    system: str = "system",
    owner: Any = None,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> Statistics: ...
def read_statistics(engine: Engine, path: Union[str, PathLike[str]], owner: Any = None) -> Statistics: ...
def restore_statistics(owner: Any, bytes: bytes) -> Statistics: ...
def paired_test(
    systems: list[Statistics],
    test: str = "bootstrap",
    n: Optional[int] = None,
    seed: int = 12345,
    precision: str = "sacrebleu",
    threads: Optional[int] = None,
    progress: Progress = None,
    confidence: Optional[int] = None,
) -> list[dict[str, Any]]: ...
def paired_interval(scores: list[float]) -> tuple[float, float]: ...
def compare_all(
    names: list[str],
    systems: list[Statistics],
    test: str = "bootstrap",
    n: Optional[int] = None,
    seed: int = 12345,
    significance: Optional[float] = None,
    label: Optional[str] = None,
    units: Any = None,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> dict[str, dict[str, Any]]: ...
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
    threads: Optional[int] = None,
    progress: Progress = None,
) -> dict[str, Any]: ...
def check_laws(engine: Engine) -> None: ...
def ids(
    array: Any, offsets: Any = None, lengths: Any = None, pad_id: Any = None, eos_id: Any = None, name: str = "array"
) -> Ids: ...
def held(object: Any) -> Any: ...
def rewards(
    engine: Engine,
    hypotheses: Any,
    references: Any = None,
    reference_streams: Any = None,
    group_size: int = 1,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> bytes: ...
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
    hypotheses: Any,
    references: Any = None,
    reference_streams: Any = None,
    tokenizers: Optional[list[str]] = None,
    target: Optional[float] = None,
    decimals: int = 1,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> list[dict[str, Any]]: ...
def aligned(
    references: list[list[str]], hypotheses: list[list[str]]
) -> tuple[list[list[tuple[str, int, int, int, int]]], list[int], list[float]]: ...
def aligned_lines(
    reference: list[str], hypothesis: list[str], between: str, width: Optional[int] = None
) -> str: ...
def tokenized(texts: list[str], tokenize: str, norm: Optional[str] = None) -> list[list[str]]: ...
def cite(metrics: list[str], bibtex: bool) -> str: ...
def list_metrics() -> list[dict[str, Any]]: ...
def list_normalizers() -> list[str]: ...
def list_tokenizers() -> list[str]: ...
def restore_ids(bytes: bytes, ends: list[int]) -> Ids: ...
def restore_score(bytes: bytes) -> Score: ...
def table_counts(
    engine: Engine, hypotheses: Any, references: Any = None, sources: Any = None, *, skip: bool = False, threads: Optional[int] = None, progress: Progress = None
) -> Table: ...
def table_states(
    engine: Engine,
    hypotheses: Any,
    references: Any = None,
    sources: Any = None,
    *,
    groups: Optional[tuple[Any, int]] = None,
    skip: bool = False,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> list[bytes]: ...
def table_merge(states: Any, engine: Optional[Engine] = None) -> bytes: ...
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
) -> list[tuple[list[Any], Score, Optional[dict[str, float]]]]: ...
def table_each(rows: Any, engine: Optional[Engine] = None, *, skip: bool = False) -> list[Optional[Score]]: ...
def table_segments(states: Any, engine: Optional[Engine] = None) -> int: ...
def table_statistics(
    rows: Any, engine: Optional[Engine] = None, *, skip: bool = False, owner: Optional[object] = None
) -> Statistics: ...
