"""Writes golden.jsonl: what the evaluation script of SQuAD v1.1 gives for cases.json.

    pip download --no-deps allennlp==0.9.0      (which ships the script as allennlp/tools/squad_eval.py)
    python3.11 make.py allennlp-0.9.0-py3-none-any.whl > golden.jsonl

A row has the numbers of each segment, on the scale from 0 to 100.
"""
import json
import sys
import types
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from write_golden import cases, of_segments, write  # noqa: E402

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

    all_cases = cases(__file__)
    metrics = {"squad_f1": script.f1_score, "squad_em": script.exact_match_score}
    write([
        of_segments(f"{case['name']}, {name}", name, case["hypotheses"], case["references"], best(metric, case))
        for case in all_cases
        for name, metric in metrics.items()
    ])


main()
