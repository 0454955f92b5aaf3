# The oracle behind the comparison of SQuAD's measures: the evaluation script of version 1.1, which the package allennlp
# ships; only that file of it is run.
#
# `programs.py` stands before it. One JSON list per line in, of an answer and its references each; one list per line out: the bits of F1, whether it is
# an exact match, and the normalized answer.
import json
import platform
import struct


def bits(value):
    return struct.unpack("<Q", struct.pack("<d", float(value)))[0]


def say(answer):
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def main():
    script = squad_script()
    best = script.metric_max_over_ground_truths

    def judge(answer, references):
        f1 = best(script.f1_score, answer, references)
        em = best(script.exact_match_score, answer, references)
        return [bits(f1), bool(em), script.normalize_answer(answer)]

    say({"python": platform.python_version(), "allennlp": importlib.metadata.version("allennlp")})
    for line in sys.stdin:
        say({"answer": [judge(answer, references) for answer, references in json.loads(line)]})


main()
