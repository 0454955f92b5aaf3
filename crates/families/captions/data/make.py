"""Counts and scores of METEOR 1.5, for `../tests/rows/golden.jsonl`."""

import importlib.metadata
import json
import random
import subprocess
from pathlib import Path

JAR = importlib.metadata.distribution("pycocoevalcap").locate_file("pycocoevalcap/meteor/meteor-1.5.jar")
ROOT = Path(__file__).parents[4]
RNG = random.Random(15)

texts = [(ROOT / f"examples/data/en.{name}.txt").read_text().splitlines() for name in ("sys-a", "ref1", "ref2")]
cases = [("", ["a dog runs"]), ("cats", ["cat"]), ("A dog's U.S. leash...", ["a dog's US leash ..."])]
for hypothesis, *references in RNG.sample(list(zip(*texts)), 37):
    words = hypothesis.split() or ["a"]
    at, other = RNG.randrange(len(words)), RNG.randrange(len(words))
    words[at], words[other] = words[other], words[at]
    cases.append((" ".join(words), references[: RNG.randint(1, 2)]))

COLUMNS = [f"{side}_{what}" for what in ("len", "func") for side in ("hyp", "ref")]
COLUMNS += [
    f"{module}_{side}_{kind}"
    for module in ("exact", "stem", "synonym", "paraphrase")
    for kind in ("content", "func")
    for side in ("hyp", "ref")
]
COLUMNS += ["chunks", "hyp_matched", "ref_matched"]
METRIC = "meteor15:modules=exact+stem,tokenize=none"


def written(hypothesis, references, counts, score):
    """Returns the line of a segment, as the runner of crates/testkit reads it."""
    named = dict(zip(COLUMNS, counts))
    matched = [sum(counts[4 + side : 20 : 2]) for side in (0, 1)]
    if named["chunks"] == 1 and matched == counts[:2]:
        # The program counts one chunk in a perfect match, and its score counts none.
        named["chunks"] = 0
    return {
        "why": f"{hypothesis!r} and {len(references)} references from {references[0]!r}",
        "program": "meteor-1.5.jar of pycocoevalcap 1.2",
        "segments": [{"hypothesis": hypothesis, "references": references}],
        "expected": {METRIC: score},
        "counts": {METRIC: named},
        "tolerance": 1e-15,
    }


command = ["java", "-Xmx2G", "-jar", str(JAR), "-", "-", "-stdio", "-l", "en", "-norm", "-m", "exact stem"]
with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as program:

    def ask(line):
        program.stdin.write(f"{line} \n")
        program.stdin.flush()
        return program.stdout.readline().strip()

    for hypothesis, references in cases:
        counts = ask(" ||| ".join(["SCORE", *references, hypothesis]))
        score = float(ask(f"SING ||| {counts}"))
        row = written(hypothesis, references, [int(float(count)) for count in counts.split()], score)
        print(json.dumps(row, ensure_ascii=False))
    program.stdin.close()
