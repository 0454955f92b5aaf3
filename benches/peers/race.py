"""The common part of the scripts beside it: texts, turns of contenders by processor time, and a row for each peer.

    python benches/peers/SCRIPT.py [--rows] [--data TEMPLATE] PROGRAM [TASK]..

`--rows` prints the rows as lines of JSON, as `cargo xtask bench` reads them; TEMPLATE is the folder of a corpus with `{}` for its name.
"""

import argparse
import importlib
import importlib.metadata
import json
import logging
import os
import random
import resource
import subprocess
import tempfile
import warnings
from pathlib import Path

ROUNDS = 3
# Seconds after which the first round, which is that of the answers, is the only one; and after which there is no further one.
LONG, ENOUGH = 8, 20
RNG = random.Random(5)
VOCABULARY = [f"w{int(RNG.paretovariate(0.8)) % 3000}" for _ in range(20_000)]
# Packages with other names than their modules.
PACKAGES = {"whisper": "openai-whisper", "bert_score": "bert-score", "pyannote": "pyannote.metrics", "its command": "texterrors"}


class Given:
    """What the command line gave, and the task that runs."""

    program = data = task = ""
    # Where rows go, if they are wanted: apart from what peers print.
    rows = None


def noisy(words, wrong=0.12):
    out = []
    for word in words:
        chance = RNG.random()
        if chance < wrong / 3:
            continue
        out.append(RNG.choice(VOCABULARY) if chance < 2 * wrong / 3 else word)
        if chance > 1 - wrong / 3:
            out.append(RNG.choice(VOCABULARY))
    return out


def of_program(arguments, program=None):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run([program or Given.program, *arguments], capture_output=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, out


def processor_time():
    """Of this process and of those that it started."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def of_call(call):
    start = processor_time()
    out = call()
    return processor_time() - start, out


def version(name):
    """The version of a peer, if it is a package."""
    try:
        return importlib.metadata.version(PACKAGES.get(name, name))
    except importlib.metadata.PackageNotFoundError:
        return ""


def tell(row):
    print(json.dumps({"task": Given.task} | row), file=Given.rows, flush=True)


def row(workload, peer, figure, wanted, answers, *, unit="times", at_least=True, theirs=None, ours=None):
    """Tells a figure. `answers` is True or False, or says why they were not compared; None is no peer."""
    told = {True: "equal", False: "different"}.get(answers, answers)
    numbers = {"theirs": theirs, "ours": ours, "figure": figure, "unit": unit, "wanted": wanted, "at_least": at_least}
    if Given.rows:
        name, *remark = peer.split(", ", 1) if peer else [""]
        named = ", ".join([f"{name} {version(name) if name else ''}".strip(), *remark])
        tell({"workload": workload, "peer": named} | numbers | {"answers": told})
        return
    seconds = [f"{name} {1e3 * value:.2f} ms" for name, value in (("theirs", theirs), ("ours", ours)) if value is not None]
    bound = "" if wanted is None else f", wanted {'at least' if at_least else 'at most'} {wanted:g}"
    print(f"{workload:<40} {peer or '':<20} {' '.join(seconds):<36} {figure:8.2f} {unit}{bound}; answers {told}", flush=True)


def absent(name, reason="not installed"):
    """Tells that a peer cannot take part."""
    if Given.rows:
        tell({"workload": Given.task, "peer": name, "answers": f"absent: {reason}"})
    else:
        print(f"{Given.task}: without {name}: {reason}", flush=True)


def peer(name):
    try:
        return importlib.import_module(name)
    except ImportError as error:
        absent(name, f"not installed ({error})")
        return None


def turns(contenders):
    """The least time and the first answer of each contender, a function that gives both. Answers come first, without a time unless they take long."""
    first = {name: call() for name, call in contenders.items()}
    answers = {name: answer for name, (_, answer) in first.items()}
    times = {name: [taken] for name, (taken, _) in first.items()}
    if sum(map(sum, times.values())) > LONG:
        return {name: least[0] for name, least in times.items()}, answers
    times = {name: [] for name in contenders}
    for _ in range(ROUNDS):
        for name, call in contenders.items():
            times[name].append(call()[0])
        if sum(map(sum, times.values())) > ENOUGH:
            break
    return {name: min(taken) for name, taken in times.items()}, answers


def race(workload, wanted, ours, theirs, same):
    """Our program beside the calls of `theirs`; `same` says whether the answers agree."""
    contenders = {"bleuprint": lambda: of_program(ours)} | {name: lambda call=call: of_call(call) for name, call in theirs.items()}
    times, answers = turns(contenders)
    own, answer = times.pop("bleuprint"), answers.pop("bleuprint")
    for name, least in times.items():
        row(workload, name, least / own, wanted[name], same(answer, name, answers[name]), theirs=least, ours=own)


def main(tasks):
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", action="store_true")
    parser.add_argument("--data", default="")
    parser.add_argument("program")
    parser.add_argument("task", nargs="*")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    Given.program, Given.data = str(Path(given.program).resolve()), given.data
    if given.rows:
        Given.rows = os.fdopen(os.dup(1), "w")
        os.dup2(2, 1)
    with tempfile.TemporaryDirectory() as folder:
        for task in tasks:
            name = task.__name__.replace("_", "-")
            if given.task and name not in given.task:
                continue
            Given.task = name
            try:
                task(Path(folder))
            except Exception as error:  # A peer that fails must not take the rows of the others with it.
                absent("", f"failed: {type(error).__name__}: {error}")
