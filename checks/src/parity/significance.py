# The oracle behind the comparison of significance tests: intervals and p-values of the real sacreBLEU.
import numpy
import sacrebleu
from sacrebleu.metrics import METRICS
from sacrebleu.significance import PairedTest


def metric(question):
    return METRICS[question["metric"].upper()](**question["options"])


def confidence(question):
    try:
        score = metric(question).corpus_score(
            question["systems"][0], question["references"], n_bootstrap=question["count"]
        )
    except TypeError as error:
        # CPython's mean refuses lists that mix NumPy's numbers with its own, as chrF's of tiny corpora do.
        if "don't know how to coerce" in str(error):
            return None
        raise
    return {"score": bits(score.score), "mean": bits(score._mean), "ci": bits(score._ci)}


def paired(question, test_type):
    systems = [(str(number), list(lines)) for number, lines in enumerate(question["systems"])]
    test = PairedTest(
        systems,
        {question["metric"].upper(): metric(question)},
        references=question["references"],
        test_type=test_type,
        n_samples=question["count"],
    )
    _, scores = test()
    results = next(value for name, value in scores.items() if name != "System")
    keys = ("score", "p_value", "mean", "ci")
    return [{key: bits(getattr(result, key)) for key in keys} for result in results]


def answer(question):
    os.environ["SACREBLEU_SEED"] = question["seed"]
    return [confidence(question), paired(question, "bs"), paired(question, "ar")]


serve({}, lambda questions: [answer(question) for question in questions])
