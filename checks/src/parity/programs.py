# What stands before every driver: how one answers, and programs that come inside packages which need much more than they do.
#
# One JSON object per line in, one per line out; the first line out describes the driver. Floats travel as the integer value
# of their 64 bits, so that no decimal conversion stands between the two programs.
import importlib.metadata
import json
import logging
import os
import platform
import site
import struct
import sys
import types
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
    """The answer of the function that the question names."""
    return lambda question: questions[question["question"]](question)


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
