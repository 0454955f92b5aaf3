# Writes golden.jsonl: random texts of our own, and the numbers that other programs give for them.
#
#   pip install scikit-learn==1.9.1 seqeval==1.2.2 && pip install --no-deps lm_eval==0.4.13
#   pip download --no-deps transformers==4.57.1 && unzip -q transformers-*.whl transformers/data/metrics/squad_metrics.py
#   python write_golden.py transformers/data/metrics/squad_metrics.py > golden.jsonl
#
# The file of transformers is the evaluation script of SQuAD 2.0; it is run by itself, with stand-ins for what it imports for
# other purposes.
import json
import math
import random
import re
import sys
import types
import warnings
from importlib import util
from importlib.metadata import version
from pathlib import Path

import sklearn.metrics as sk
from seqeval.metrics.sequence_labeling import precision_recall_fscore_support as loose_spans_of
from seqeval.metrics.v1 import precision_recall_fscore_support as strict_spans_of
from seqeval.scheme import BILOU, IOB1, IOB2, IOBES, IOE1, IOE2

warnings.filterwarnings("ignore")
draw = random.Random(1936)
SCHEMES = {"IOB1": IOB1, "IOB2": IOB2, "IOE1": IOE1, "IOE2": IOE2, "IOBES": IOBES, "BILOU": BILOU}


def row(metric, program, hypotheses, references, expected, tolerance):
    line = dict(
        metric=metric,
        program=f"{program} {version(program) if program != 'transformers' else '4.57.1'}",
        hypotheses=hypotheses,
        references=references,
        expected=expected,
        tolerance=tolerance,
    )
    print(json.dumps(line, ensure_ascii=False))


def prf(values):
    return dict(zip(["precision", "recall", "f"], map(float, values)))


def score(value):
    """The number; null where the program has none."""
    return {"score": None if math.isnan(value) else float(value)}


def single():
    labels = draw.sample(["cat", "dog", "New York", "été", "A", "a", "東京", "17", "2"], draw.randint(2, 5))
    gold = [draw.choice(labels[: len(labels) - draw.randint(0, 1)]) for _ in range(draw.randint(3, 25))]
    own = [g if draw.random() < 0.6 else draw.choice(labels) for g in gold]
    refs, zero = [[g] for g in gold], draw.randint(0, 1)
    average = draw.choice(["micro", "macro", "weighted"])
    beta = draw.choice([1, 0.5, 2])
    values = sk.precision_recall_fscore_support(gold, own, average=average, beta=beta, zero_division=zero)
    row(f"labels:average={average},zero={zero},beta={beta}", "scikit-learn", own, refs, prf(values[:3]), 1e-15)
    for name, function in [
        ("accuracy", sk.accuracy_score),
        ("balanced", sk.balanced_accuracy_score),
        ("mcc", sk.matthews_corrcoef),
        ("kappa", sk.cohen_kappa_score),
    ]:
        row(f"labels:score={name}", "scikit-learn", own, refs, score(function(gold, own)), 1e-14)
    for weights in ["linear", "quadratic"]:
        kappa = sk.cohen_kappa_score(gold, own, weights=weights, labels=labels)
        for more in ["", ",confusion=yes"]:
            name = f"labels:score=kappa,weights={weights},labels={'/'.join(labels)}{more}"
            row(name, "scikit-learn", own, refs, score(kappa), 1e-14)
    # A label of `only` that is nowhere counts as one that is never found.
    only = [labels[0], "nowhere"]
    values = sk.precision_recall_fscore_support(gold, own, labels=only, average="macro", zero_division=zero)
    row(f"labels:only={'/'.join(only)},zero={zero}", "scikit-learn", own, refs, prf(values[:3]), 1e-15)


def sets():
    labels = ["red", "green", "blue", "dark blue"]
    some = lambda: sorted(draw.sample(labels, draw.randint(0, 3)))
    gold = [some() for _ in range(draw.randint(2, 9))] + [labels]
    own = [g if draw.random() < 0.3 else some() for g in gold]
    table = lambda rows: [[int(label in r) for label in labels] for r in rows]
    zero = draw.randint(0, 1)
    text, refs = [";".join(o) for o in own], [[";".join(g)] for g in gold]
    for average in ["micro", "macro", "weighted", "samples"]:
        values = sk.precision_recall_fscore_support(table(gold), table(own), average=average, zero_division=zero)
        name = f"labels:multilabel=;,average={average},zero={zero}"
        row(name, "scikit-learn", text, refs, prf(values[:3]), 1e-15)
    accuracy = sk.accuracy_score(table(gold), table(own))
    row("labels:multilabel=;,score=accuracy", "scikit-learn", text, refs, score(accuracy), 1e-15)


def tagged(scheme):
    prefixes = {"default": "OOBIES", "BILOU": "OOBILU", "IOBES": "OOBIES"}.get(scheme, "OO" + scheme[:3])
    tag = lambda: (p := draw.choice(prefixes)) + ("" if p == "O" else draw.choice(["-PER", "-LOC"]))
    gold = [[tag() for _ in range(draw.randint(1, 9))] for _ in range(draw.randint(1, 6))]
    own = [[t if draw.random() < 0.8 else tag() for t in g] for g in gold]
    average, zero = draw.choice(["micro", "macro", "weighted"]), draw.randint(0, 1)
    spans_of, strict = (loose_spans_of, {}) if scheme == "default" else (strict_spans_of, dict(scheme=SCHEMES[scheme]))
    try:
        values = spans_of(gold, own, average=average, zero_division=zero, **strict)
    except ValueError:
        return  # No span on either side.
    if not any(values[:3]) or any(map(math.isnan, values[:3])):
        return  # The program has zeros or NaN where there is no score.
    name = f"spans:scheme={scheme},average={average},zero={zero}"
    row(name, "seqeval", [" ".join(o) for o in own], [[" ".join(g)] for g in gold], prf(values[:3]), 1e-15)


def squad_script(path):
    source = re.sub(r"^from \.\.\.\S+ import (\w+)$", r"\1 = None", Path(path).read_text(), flags=re.M)
    module = types.ModuleType("squad")
    exec(source.replace("logger = logging", "logger = None and logging"), module.__dict__)
    return module


def squad(script):
    words = ["the", "York", "york,", "a", "1869", "city", "É", "new-york"]
    text = lambda: " ".join(draw.choice(words) for _ in range(draw.randint(1, 4)))
    questions = []
    for number in range(draw.randint(1, 7)):
        answers = [] if draw.random() < 0.4 else [text() for _ in range(draw.randint(1, 3))]
        own = draw.choice([text(), "", answers[0] if answers else ""])
        # Different probabilities: the program looks between equal ones.
        questions.append((str(number), answers, own, (number * 37 % 100 + draw.randint(0, 99) / 1000) / 101))
    examples = [types.SimpleNamespace(qas_id=i, answers=[{"text": a} for a in answers]) for i, answers, *_ in questions]
    threshold = draw.choice([1.0, 0.5])
    own, odds = ({q[0]: q[at] for q in questions} for at in [2, 3])
    found = dict(script.squad_evaluate(examples, own, odds, threshold))
    parts = {key: float(value) for key, value in found.items()}
    hypotheses = [dict(prediction_text=q[2], no_answer_probability=q[3]) for q in questions]
    name = f"squad2_best:threshold={threshold}"
    row(name, "transformers", hypotheses, [[q[1]] for q in questions], parts, 1e-12)
    if threshold == 1.0:
        parts = {key: value for key, value in parts.items() if "best" not in key}
        text = [q[1] or [""] for q in questions]
        row("squad2", "transformers", [q[2] for q in questions], text, parts, 1e-12)


def drop(utils):
    words = ["3", "three", "yards", "the Bears", "12.50", "1,000", "New-York", "$5", "a", "٣", "1e3", "19%"]
    span = lambda: " ".join(draw.choice(words) for _ in range(draw.randint(1, 3)))
    spans = lambda: [span() for _ in range(draw.randint(1, 3))]
    gold = [spans() for _ in range(draw.randint(1, 2))]
    own = draw.choice([spans(), gold[0], gold[-1][:1] + spans()])
    best = [0.0, 0.0]
    for answer in gold:
        best = [max(*pair) for pair in zip(best, utils.get_metrics(own, answer))]
    parts = dict(zip(["exact", "f1"], map(float, best)))
    row("drop:spans=json", "lm_eval", [json.dumps(own)], [[json.dumps(g) for g in gold]], parts, 1e-12)


def drop_utils():
    place = Path(util.find_spec("lm_eval").submodule_search_locations[0]) / "tasks/drop/utils.py"
    spec = util.spec_from_file_location("drop_utils", place)
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    script, utils = squad_script(sys.argv[1]), drop_utils()
    for _ in range(6):
        single()
        sets()
    for scheme in ["default", "default", *SCHEMES]:
        for _ in range(3):
            tagged(scheme)
    for _ in range(10):
        squad(script)
        drop(utils)
        drop(utils)
