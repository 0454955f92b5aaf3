"""Counts and scores of METEOR 1.5, for `golden.jsonl`."""

import importlib.metadata
import json
import random
import subprocess
from pathlib import Path

JAR = importlib.metadata.distribution("pycocoevalcap").locate_file("pycocoevalcap/meteor/meteor-1.5.jar")
ROOT = Path(__file__).parents[3]
RNG = random.Random(15)

texts = [(ROOT / f"examples/data/en.{name}.txt").read_text().splitlines() for name in ("sys-a", "ref1", "ref2")]
cases = [("", ["a dog runs"]), ("cats", ["cat"]), ("A dog's U.S. leash...", ["a dog's US leash ..."])]
for hypothesis, *references in RNG.sample(list(zip(*texts)), 37):
    words = hypothesis.split() or ["a"]
    at, other = RNG.randrange(len(words)), RNG.randrange(len(words))
    words[at], words[other] = words[other], words[at]
    cases.append((" ".join(words), references[: RNG.randint(1, 2)]))

command = ["java", "-Xmx2G", "-jar", str(JAR), "-", "-", "-stdio", "-l", "en", "-norm", "-m", "exact stem"]
with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as program:

    def ask(line):
        program.stdin.write(f"{line} \n")
        program.stdin.flush()
        return program.stdout.readline().strip()

    for hypothesis, references in cases:
        counts = ask(" ||| ".join(["SCORE", *references, hypothesis]))
        row = {"hypothesis": hypothesis, "references": references, "counts": [int(float(count)) for count in counts.split()]}
        print(json.dumps(row | {"score": float(ask(f"SING ||| {counts}"))}, ensure_ascii=False))
    program.stdin.close()
