# The oracle behind the comparison of significance tests: intervals and p-values of the real sacreBLEU.
#
# One JSON object per line in, one per line out. Floats travel as the integer value of their 64 bits. The first line
# out describes the oracle.
import json
import logging
import os
import platform
import struct
import sys

import numpy
import sacrebleu
from sacrebleu.metrics import METRICS
from sacrebleu.significance import PairedTest

logging.disable(logging.CRITICAL)


def bits(value):
    return None if value is None else struct.unpack("<Q", struct.pack("<d", float(value)))[0]


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


QUESTIONS = {"confidence": confidence, "paired": paired}


def say(answer):
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def main():
    say({"python": platform.python_version(), "numpy": numpy.__version__, "sacrebleu": sacrebleu.__version__})
    for line in sys.stdin:
        question = json.loads(line)
        try:
            say({"answer": QUESTIONS[question["question"]](question)})
        except Exception as error:  # The driver must survive, the chore reports.
            say({"error": f"{type(error).__name__}: {error}"})


main()
