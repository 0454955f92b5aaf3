# The oracle behind the comparison of SQuAD's measures: the evaluation script of version 1.1, which the package allennlp
# ships; only that file of it is run.
#
# One JSON list per line in, of an answer and its references each; one list per line out: the bits of F1, whether it is
# an exact match, and the normalized answer.
import importlib.metadata
import json
import platform
import struct
import sys
import types


def load():
    script = types.ModuleType("squad_eval")
    path = importlib.metadata.distribution("allennlp").locate_file("allennlp/tools/squad_eval.py")
    with open(path, encoding="utf-8") as file:
        exec(file.read(), script.__dict__)
    return script


def bits(value):
    return struct.unpack("<Q", struct.pack("<d", float(value)))[0]


def say(answer):
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def main():
    script = load()
    best = script.metric_max_over_ground_truths

    def judge(answer, references):
        f1 = best(script.f1_score, answer, references)
        em = best(script.exact_match_score, answer, references)
        return [bits(f1), bool(em), script.normalize_answer(answer)]

    say({"python": platform.python_version(), "allennlp": importlib.metadata.version("allennlp")})
    for line in sys.stdin:
        say({"answer": [judge(answer, references) for answer, references in json.loads(line)]})


main()
