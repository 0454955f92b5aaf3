# The oracle behind the comparison of latency: the scorers of OmniSTEval and of SimulEval, if installed.
#
# It is asked with a list of cases, each a list of segments, and answers with the bits of the measures by program and name. A measure
# that no segment has is null; one of which the program dies is left out.
import importlib.util
import math
import statistics

NAMES = ("AL", "LAAL", "AP", "DAL", "YAAL")


def omnisteval():
    from omnisteval import data, scoring

    return types.SimpleNamespace(data=data, scoring=scoring)


def simuleval():
    """The file of its scorers alone, as the package imports torch. Their instances are of no class of its own."""
    instances = types.ModuleType("simuleval.evaluator.instance")
    instances.__getattr__ = lambda name: type(name, (), {})
    sys.modules[instances.__name__] = instances
    path = importlib.metadata.distribution("simuleval").locate_file("simuleval/evaluator/scorers/latency_scorer.py")
    spec = importlib.util.spec_from_file_location("latency_scorer", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


OMNI = with_absent(omnisteval, "comet mosestokenizer torch yaml")
try:
    SIMUL = with_absent(simuleval, "textgrid simuleval")
except importlib.metadata.PackageNotFoundError:
    SIMUL = None


def measured(scorers, instances):
    found = {}
    for name, scorer in scorers.items():
        try:
            value = scorer(instances)
            found[name] = None if math.isnan(value) else bits(value)
        except statistics.StatisticsError:
            found[name] = None
        except (AssertionError, ZeroDivisionError):
            pass
    return found


def of_omnisteval(case):
    if OMNI is None:
        return {}
    long = case["long"]
    instances = [
        OMNI.data.Instance(
            prediction=" ".join("w" for _ in one["delays"]), reference=one["reference"], latency_unit=case["unit"], index=index,
            source_length=one["source_length"], emission_cu=one["delays"], emission_ca=one["elapsed"],
            time_to_recording_end=one.get("recording_end"), longform=long,
        )
        for index, one in enumerate(case["segments"])
    ]  # fmt: skip
    aware, longform = {"computation_aware": case["aware"]}, {"is_longform": long}
    scorers = {name: getattr(OMNI.scoring, f"{name}Scorer") for name in NAMES}
    return measured({name: of(**(aware | longform if name == "YAAL" else aware)) for name, of in scorers.items()}, instances)


def of_simuleval(case):
    """In words, and without the cases in which it divides by the length of no source."""
    if SIMUL is None or case["unit"] != "word" or any(one["source_length"] == 0 for one in case["segments"]):
        return {}
    instances = {
        index: types.SimpleNamespace(
            delays=one["delays"], elapsed=one["elapsed"], source_length=one["source_length"], reference=one["reference"],
            reference_length=len(one["reference"].split(" ")), index=index, metrics={},
        )
        for index, one in enumerate(case["segments"])
    }  # fmt: skip
    scorers = {name: getattr(SIMUL, f"{name}Scorer")(computation_aware=case["aware"]) for name in NAMES if name != "YAAL"}
    return measured(scorers, instances)


def answer(cases):
    return [{"OmniSTEval": of_omnisteval(case), "SimulEval": of_simuleval(case)} for case in cases]


serve({"programs": {name: version(name) for name in ("OmniSTEval", "simuleval")}}, answer)
