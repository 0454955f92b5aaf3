# Programs that come inside packages which need much more than they do: the script of SQuAD in allennlp, and the functions
# of HF evaluate's SARI in gem-metrics-fork. Stands before the drivers of parity and bench that ask them.
import importlib.metadata
import site
import sys
import types


def squad_script():
    script = types.ModuleType("squad_eval")
    path = importlib.metadata.distribution("allennlp").locate_file("allennlp/tools/squad_eval.py")
    with open(path, encoding="utf-8") as file:
        exec(file.read(), script.__dict__)
    return script


def sari_program():
    # The module alone: the package around it imports what it does not need for this.
    package = types.ModuleType("gem_metrics_fork")
    package.__path__ = [f"{folder}/gem_metrics_fork" for folder in site.getsitepackages()]
    sys.modules["gem_metrics_fork"] = package
    for name in ("logzero", "diskcache", "pycountry"):
        sys.modules.setdefault(name, types.SimpleNamespace(logger=None, Cache=None, languages=None))
    from gem_metrics_fork.sari import SARI

    return object.__new__(SARI)
