"""Writes golden.json: what the evaluation script of SQuAD v1.1 gives for cases.json.

    pip download --no-deps allennlp==0.9.0      (which ships the script as allennlp/tools/squad_eval.py)
    python3.11 make.py allennlp-0.9.0-py3-none-any.whl > golden.json

Results are by metric as a user of bleuprint names it, then by segment, on the scale from 0 to 100.
"""
import json
import sys
import types
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from write_golden import write  # noqa: E402

SCRIPT = "allennlp/tools/squad_eval.py"


def load(wheel):
    script = types.ModuleType("squad_eval")
    exec(zipfile.ZipFile(wheel).read(SCRIPT).decode("utf-8"), script.__dict__)
    return script


def main():
    script = load(sys.argv[1])

    def best(metric, case):
        pairs = zip(case["hypotheses"], case["references"])
        return [[100.0 * script.metric_max_over_ground_truths(metric, h, rs)] for h, rs in pairs]

    cases = json.loads((HERE / "cases.json").read_text(encoding="utf-8"))
    for case in cases:
        case["results"] = {
            "squad_f1": best(script.f1_score, case),
            "squad_em": best(script.exact_match_score, case),
        }
    write("SQuAD evaluation script v1.1 of allennlp 0.9.0, CPython 3.11", cases)


main()
