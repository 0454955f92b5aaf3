"""Writes golden.jsonl: what rouge_score gives for cases.json, and for lines of the example data; of ROUGE-S, -SU and -W what
rouge-metric gives, whose arithmetic is that of ROUGE-1.5.5 before rounding.

    pip install rouge_score==0.1.2 rouge-metric==1.0.1 nltk==3.10.4 numpy==2.4.6      (Python 3.11)
    python3.11 make.py > golden.jsonl

Results are by metric as a user of bleuprint names it, then by segment: F, precision, recall. `average` is the mean over
the references of what rouge_score gives for each alone. A case whose result depends on the order of its references
(equal F, other precision and recall) is refused: there bleuprint has a rule of its own, see ../differences.toml.
"""
import re
import sys
from pathlib import Path

from rouge_metric import PyRouge
from rouge_score.rouge_scorer import RougeScorer

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from write_golden import cases, lines, of_segments, write  # noqa: E402

KINDS = ["rouge1", "rouge2", "rouge3", "rouge9", "rougeL", "rougeLsum"]
SCORERS = {stem: RougeScorer(KINDS, use_stemmer=stem) for stem in (False, True)}


def numbers(score):
    return [float(score.fmeasure), float(score.precision), float(score.recall)]


def skips_and_runs(hypothesis, references):
    # The tokens of ROUGE-1.5.5, which lower-cases A to Z alone.
    cut = lambda text: [words for line in text.split("\n") if (words := re.findall("[A-Za-z0-9]+", line))]
    lower = lambda lines: [[word.lower() for word in words] for words in lines]
    given = [lower(cut(hypothesis))], [[lower(cut(reference)) for reference in references]]
    if not all(given[0]) or not all(given[1][0]):
        return {}
    options = {"rouge_n": False, "rouge_l": False, "rouge_s": True, "rouge_su": True}
    four = PyRouge(**options, skip_gap=4, rouge_w=True).evaluate_tokenized(*given)
    any_gap = PyRouge(**options).evaluate_tokenized(*given)
    found = {
        "rougeS4": four["rouge-s4"],
        "rougeSU4": four["rouge-su4"],
        "rougeW": four["rouge-w-1.2"],
        "rougeS": any_gap["rouge-s*"],
        "rougeSU": any_gap["rouge-su*"],
    }
    return {name: [score["f"], score["p"], score["r"]] for name, score in found.items()}


def examples():
    hypotheses, first, second = lines("en.sys-a.txt"), lines("en.ref1.txt"), lines("en.ref2.txt")
    yield {
        "name": "example-lines",
        "hypotheses": hypotheses[:12],
        "references": [list(pair) for pair in zip(first[:12], second[:12])],
    }
    texts = [["\n".join(all[i : i + 6]) for i in range(20, 44, 6)] for all in (hypotheses, first, second)]
    yield {"name": "example-texts", "hypotheses": texts[0], "references": [list(pair) for pair in zip(*texts[1:])]}


def results(case):
    found = {}
    pairs = list(zip(case["hypotheses"], case["references"]))
    for stem, scorer in SCORERS.items():
        best = [scorer.score_multi(references, hypothesis) for hypothesis, references in pairs]
        other = [scorer.score_multi(references[::-1], hypothesis) for hypothesis, references in pairs]
        assert best == other, f"the references of {case['name']} tie"
        singles = [[scorer.score(one, hypothesis) for one in references] for hypothesis, references in pairs]
        for kind in KINDS:
            flag = "stemmer" if stem else ""
            name = f"{kind}:{flag}" if flag else kind
            found[name] = [numbers(score[kind]) for score in best]
            if any(len(references) > 1 for _, references in pairs):
                means = [[sum(n) / len(n) for n in zip(*(numbers(s[kind]) for s in single))] for single in singles]
                found[f"{kind}:{flag + ',' * stem}references=average"] = means
    of_segments = [skips_and_runs(hypothesis, references) for hypothesis, references in pairs]
    if all(of_segments):
        found |= {name: [one[name] for one in of_segments] for name in of_segments[0]}
    return found


def main():
    all_cases = cases(__file__) + list(examples())
    rows = []
    for case in all_cases:
        for metric, scores in results(case).items():
            # Sums of powers and means: their last bit depends on the order.
            averaged = "average" in metric or metric.startswith("rougeW")
            near = {"sentence_tolerance": 1e-15} if averaged else {}
            name = f"{case['name']}, {metric}"
            rows.append(of_segments(name, metric, case["hypotheses"], case["references"], scores, **near))
    write(rows)


main()
