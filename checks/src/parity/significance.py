# The oracle behind the comparison of significance tests: intervals and p-values of the real sacreBLEU.
import numpy
import sacrebleu
from sacrebleu.metrics import METRICS
from sacrebleu.significance import PairedTest


def metric(question):
    return METRICS[question["metric"].upper()](**question["options"])


def confidence(question):
    os.environ["SACREBLEU_SEED"] = question["seed"]
    score = metric(question).corpus_score(
        question["hypotheses"], question["references"], n_bootstrap=question["count"]
    )
    return {"score": bits(score.score), "mean": bits(score._mean), "ci": bits(score._ci)}


def paired(question):
    os.environ["SACREBLEU_SEED"] = question["seed"]
    systems = [(str(number), list(lines)) for number, lines in enumerate(question["systems"])]
    test = PairedTest(
        systems,
        {question["metric"].upper(): metric(question)},
        references=question["references"],
        test_type=question["test"],
        n_samples=question["count"],
    )
    _, scores = test()
    results = next(value for name, value in scores.items() if name != "System")
    keys = ("score", "p_value", "mean", "ci")
    return [{key: bits(getattr(result, key)) for key in keys} for result in results]


serve({}, by_name({"confidence": confidence, "paired": paired}))
