"""Metrics for generated text: exact, mergeable and fast.

You pass hypotheses and references; you get a score with its parts and its signature.

>>> import bleuprint
>>> bleu = bleuprint.metric("bleu")
>>> score = bleu.score(["The dog bit the man."], ["The dog had bit the man."])
>>> print(score.format(width=1))  # doctest: +ELLIPSIS
BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:bleuprint-... = 51.2 100.0/80.0/50.0/33.3 (BP = ...)

Contents:

* `metric` builds a metric by name. `list_metrics`, `list_tokenizers` and `list_normalizers` list the names, and `cite` returns
  the papers to cite.
* `MetricName` is the type of these names. Type checkers use it to find a misspelt name.
* `metrics` builds several metrics for one pass over the data.
* `Metric` is the type that `metric` returns, and the base class of metrics that you write.
* `register` gives a metric of your own its name in every call.
* `load` adds the metrics of a plug-in: a separate wheel with metrics written in Rust.
* `Metric.learn` fixes the weights of NIST and CIDEr, which are learned from references.
* `Accumulator` takes batches, merges with other accumulators, and gives the score of all data.
* `ids` creates sequences of ids from arrays with padding, lengths or offsets.
* `rewards`, `pairwise`, `mbr` and `self_bleu` score batches and pools.
* `paired_test` and `compare` test the difference of systems; `explain` finds the settings behind a number.
* `meta` measures the agreement of metrics with human ratings, and compares metrics by it.
* `Evaluation` and `Run` hold several systems under several metrics, with groups, tests, comparisons, reports and files.
  `from_logs` reads the logs of evaluation harnesses as a run; `from_files` reads transcripts, speaker turns and other formats.
* `normalize` returns texts after the normalizers of a metric.
* `bertscore` and `cosine` take vectors of your own model.
* `given` brings numbers of other programs, such as COMET or accuracy, to the same tests, files and gates.
* `Ledger` stores the counts of a running service, for the score of any window, alarms and comparisons of versions.
* `gate` judges a run under a `Policy`; `Recipe` creates a metric from a signature.
* `bleuprint.sacrebleu` has the names of sacreBLEU, so only the import changes.
* `TestSet` reads the test sets that sacreBLEU has stored on this disk.
* `BleuprintWarning` is the class of all warnings, such as those of likely mistakes in the data.
* `tables` holds statistics as Arrow columns and as bytes, for engines such as DuckDB, Polars, Spark and Ray.
* `bleuprint.adapters` connects metrics to other libraries.
"""

from . import tables
from ._accumulator import Accumulator
from ._evaluation import Evaluation, Recipe, from_files, from_logs, gate, metrics, normalize
from ._given import given
from ._ledger import Ledger
from ._meta import meta
from ._metric import Metric, cite, list_metrics, list_normalizers, list_tokenizers, register
from ._native import BleuprintWarning, Ids, Policy, Run, Score, Statistics, TestSet, Verdict
from ._plugins import load
from ._pools import MbrResult, ids, mbr, pairwise, rewards, self_bleu
from ._systems import compare, explain, paired_test
from ._vectors import bertscore, cosine

TYPE_CHECKING = False
if TYPE_CHECKING:
    # This `metric` has a signature with the options of each metric.
    from ._registry import MetricName, metric
else:
    from ._metric import metric

    MetricName = str

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    # Python calls this for names that are not there.
    hint = ""
    if name in {entry["name"] for entry in list_metrics()}:
        hint = f'; the metric is bleuprint.metric("{name}")'
    elif name in ("score", "compute", "evaluate", "corpus_score", "load_metric"):
        hint = '; a metric scores, as in bleuprint.metric("bleu").score(hypotheses, references)'
    raise AttributeError(f"module 'bleuprint' has no attribute {name!r}{hint}", name=name)


__all__ = [
    "Accumulator",
    "BleuprintWarning",
    "Evaluation",
    "Ids",
    "Ledger",
    "MbrResult",
    "Metric",
    "MetricName",
    "Policy",
    "Recipe",
    "Run",
    "Score",
    "Statistics",
    "TestSet",
    "Verdict",
    "bertscore",
    "cite",
    "compare",
    "cosine",
    "explain",
    "from_files",
    "from_logs",
    "gate",
    "given",
    "ids",
    "list_metrics",
    "list_normalizers",
    "list_tokenizers",
    "load",
    "mbr",
    "meta",
    "metric",
    "metrics",
    "normalize",
    "paired_test",
    "pairwise",
    "register",
    "rewards",
    "self_bleu",
    "tables",
]
