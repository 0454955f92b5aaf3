# The oracle behind the comparison of labels, spans and answers: scikit-learn, seqeval, the script of SQuAD 2.0 in transformers,
# and the task DROP of lm_eval, of which only the file of the metric is run.
#
# It is asked with a list of cases of one program, for the numbers of each; none where the program has none.
import math
import re
from importlib.metadata import distribution

import sklearn.metrics as sk
from seqeval.metrics import sequence_labeling as loose
from seqeval.metrics import v1 as strict
from seqeval.scheme import BILOU, IOB1, IOB2, IOBES, IOE1, IOE2

SCHEMES = {"IOB1": IOB1, "IOB2": IOB2, "IOE1": IOE1, "IOE2": IOE2, "IOBES": IOBES, "BILOU": BILOU}


def module(package, file, prepare=lambda source: source):
    """One file of a package, run by itself; nothing if the package is missing."""
    if version(package) is None:
        return None
    found = types.ModuleType(package)
    exec(prepare(distribution(package).locate_file(file).read_text(encoding="utf-8")), found.__dict__)
    return found


def alone(source):
    """Without what the script imports for other purposes."""
    source = re.sub(r"^from \.\.\.\S+ import (\w+)$", r"\1 = None", source, flags=re.M)
    return source.replace("logger = logging", "logger = None and logging")


squad = module("transformers", "transformers/data/metrics/squad_metrics.py", alone)
drop = module("lm_eval", "lm_eval/tasks/drop/utils.py")


def numbers(values):
    return [None if math.isnan(value) else bits(value) for value in map(float, values)]


def single(gold, own, labels, average, beta, zero, only):
    options = dict(average=average, beta=beta, zero_division=zero)
    values = [*sk.precision_recall_fscore_support(gold, own, labels=only or None, **options)[:3]]
    values += [sk.accuracy_score(gold, own), sk.balanced_accuracy_score(gold, own), sk.matthews_corrcoef(gold, own)]
    return values + [sk.cohen_kappa_score(gold, own, labels=labels, weights=w) for w in [None, "linear", "quadratic"]]


def sets(gold, own, labels, average, zero):
    gold, own = ([[int(label in row) for label in labels] for row in side] for side in [gold, own])
    values = sk.precision_recall_fscore_support(gold, own, average=average, zero_division=zero)[:3]
    return [*values, sk.accuracy_score(gold, own)]


def spans(gold, own, scheme, average, zero):
    options = dict(average=average, zero_division=zero)
    if scheme == "default":
        return loose.precision_recall_fscore_support(gold, own, **options)[:3]
    return strict.precision_recall_fscore_support(gold, own, scheme=SCHEMES[scheme], **options)[:3]


def answers(questions, threshold):
    examples = [
        types.SimpleNamespace(qas_id=str(at), answers=[dict(text=text) for text in golds])
        for at, (golds, _, _) in enumerate(questions)
    ]
    own = {str(at): text for at, (_, text, _) in enumerate(questions)}
    odds = {str(at): probability for at, (_, _, probability) in enumerate(questions)}
    found = squad.squad_evaluate(examples, own, odds, threshold)
    return [found[key] for key in ["exact", "f1", "best_exact", "best_exact_thresh", "best_f1", "best_f1_thresh"]]


def several(own, golds):
    best = [0.0, 0.0]
    for gold in golds:
        if gold[0].strip():
            best = [max(*pair) for pair in zip(best, drop.get_metrics(own, gold))]
    return best


FUNCTIONS = dict(single=single, sets=sets, spans=spans, squad2=answers, drop=several)


def answer(question):
    def values(case):
        try:
            return numbers(FUNCTIONS[question["of"]](**case))
        except ValueError:
            return None

    return [values(case) for case in question["cases"]]


programs = {name: version(name) for name in ["scikit-learn", "seqeval", "transformers", "lm_eval"]}
serve({"programs": programs}, answer)
