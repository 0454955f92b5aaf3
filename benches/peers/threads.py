"""A second core: the same program and the same call with one thread and with two, by the clock, with equal answers.

    python benches/peers/threads.py --data 'target/bench/data/{}-real' target/release/bleuprint [TASK]..

Each row is the time with one thread, divided by the time with two. The corpora are those that `cargo xtask bench` writes, in copies.
The two take turns, and the least time of each counts: a row means something on a machine with two free cores alone. Two cores that
share their memory do less than twice the work of one, so each row of the program names its floor: how much more work two programs of
one thread do at once than one after the other.
"""

import json
import subprocess
import threading
import time
from pathlib import Path

from race import RNG, VOCABULARY, Given, main, noisy, peer, row

SEGMENTS = 200_000
ROUNDS = 7
WANTED = 1.8


def by_clock(call):
    start = time.perf_counter()
    answer = call()
    return time.perf_counter() - start, answer


def started(arguments):
    return subprocess.Popen([Given.program, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def ended(process):
    out, _ = process.communicate()
    if process.returncode:
        raise RuntimeError(f"{' '.join(map(str, process.args[1:3]))} ended with {process.returncode}")
    return out


def of_calls(workload, call):
    """The time of `call(1)` divided by that of `call(2)`, which must return equal answers."""
    least, answers = {1: float("inf"), 2: float("inf")}, {}
    for _ in range(ROUNDS):
        for threads in least:
            taken, answers[threads] = by_clock(lambda: call(threads))
            least[threads] = min(least[threads], taken)
    row(workload, "one thread", least[1] / least[2], WANTED, answers[1] == answers[2], theirs=least[1], ours=least[2])


def of_programs(workload, arguments):
    """The time of the program with one thread divided by that with two. Two programs with one thread at once are the floor."""

    def run(threads, times=1):
        processes = [started([*arguments, "--threads", threads]) for _ in range(times)]
        return [ended(process) for process in processes][0]

    contenders = {"one": lambda: run(1), "two": lambda: run(2), "at once": lambda: run(1, 2)}
    least, answers = {name: float("inf") for name in contenders}, {}
    for _ in range(ROUNDS):
        for name, contender in contenders.items():
            taken, answers[name] = by_clock(contender)
            least[name] = min(least[name], taken)
    floor = 2 * least["one"] / least["at once"]
    same = answers["one"] == answers["two"]
    row(f"{workload} (floor {floor:.2f})", "one thread", least["one"] / least["two"], WANTED, same, theirs=least["one"], ours=least["two"])


def sides():
    """The hypotheses and references of zh-en, as lines."""
    folder = Path(Given.data.format("zh-en"))
    if not (Given.data and folder.is_dir()):
        raise FileNotFoundError(f"no corpus in {folder}")
    return [(folder / side).read_text(encoding="utf-8").split("\n")[:-1] for side in ("hyp", "ref0")]


def copied(folder):
    """Files of lines with copies of the corpus: hypotheses and references."""
    paths = []
    for side, lines in zip(("hyp", "ref"), sides()):
        path = folder / f"copied.{side}"
        if not path.exists():
            path.write_text("".join(f"{line}\n" for line in lines) * -(-SEGMENTS // len(lines)), encoding="utf-8")
        paths.append(path)
    return paths


def systems(folder, count):
    """Files of systems that differ: every sixteenth segment of the first one is replaced by its reference."""
    hypotheses, references = sides()
    paths = []
    for system in range(count):
        path = folder / f"system{system}"
        chosen = (theirs if system and at % 16 == system else own for at, (own, theirs) in enumerate(zip(hypotheses, references)))
        path.write_text("".join(f"{line}\n" for line in chosen), encoding="utf-8")
        paths.append(path)
    reference = folder / "reference"
    reference.write_text("".join(f"{line}\n" for line in references), encoding="utf-8")
    return reference, paths


def second_core_score(folder):
    """Files to a score: lines, JSON Lines and, if pyarrow is there, Parquet."""
    hypothesis, reference = copied(folder)
    quiet = ["-q", "-w", "17", "-f", "json"]
    of_programs("score, lines", ["score", reference, "-i", hypothesis, *quiet])
    records = folder / "copied.jsonl"
    with open(records, "w", encoding="utf-8") as file:
        for own, theirs in zip(hypothesis.open(encoding="utf-8"), reference.open(encoding="utf-8")):
            line = {"hypothesis": own[:-1], "references": [theirs[:-1]]}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    of_programs("score, JSON Lines", ["score", "--segments", records, *quiet])
    of_programs("score, lines, chrF", ["score", reference, "-i", hypothesis, *quiet, "-m", "chrf"])


def second_core_tests(folder):
    """Tests of significance over 15 systems, and the report."""
    reference, paths = systems(folder, 15)
    compare = ["compare", reference, "-i", *paths, "-m", "bleu", "chrf", "-q", "--resamples", 8400, "-f", "json"]
    of_programs("compare, 15 systems, 8,400 resamples", compare)
    two = ["compare", reference, "-i", *paths[:2], "-m", "bleu", "chrf", "-q", "--resamples", 1000, "-f", "json"]
    of_programs("compare, 2 systems, 1,000 resamples", two)
    # With standard output as its file, the report is the answer.
    of_programs("report, 4 systems", ["report", reference, "-i", *paths[:4], "-m", "bleu", "chrf", "-q", "-o", "/dev/stdout"])


def second_core_sessions(folder):
    """cpWER of 20 sessions of four speakers with 2,000 words each."""
    lines = {"ref": [], "hyp": []}
    for session in range(20):
        for speaker in range(4):
            words = [RNG.choice(VOCABULARY) for _ in range(2000)]
            for side, said in (("ref", words), ("hyp", noisy(words))):
                for at in range(0, len(said), 20):
                    segment = {"session_id": f"s{session}", "speaker": f"p{speaker}", "words": " ".join(said[at : at + 20])}
                    lines[side].append(segment | {"start_time": at, "end_time": at + 20})
    paths = []
    for side, segments in lines.items():
        paths.append(folder / f"{side}.json")
        paths[-1].write_text(json.dumps(segments))
    score = ["score", "--speakers", paths[0], "-i", paths[1], "-m", "cpwer", "-q", "-w", "17", "-f", "json"]
    of_programs("cpwer, 20 sessions", score)


def second_core_python(folder):
    """`score` of lists from Python with one thread and with two; `pairwise` of 2,000 hypotheses; and a thread of Python that counts meanwhile."""
    ours = peer("bleuprint")
    if not ours:
        return
    hypotheses, references = (lines * -(-100_000 // len(lines)) for lines in sides())
    bleu = ours.metric("bleu")
    of_calls("`score` of 100,000 segments", lambda threads: bleu.score(hypotheses, references, threads=threads).score)
    some = hypotheses[:1500]
    of_calls("`pairwise` of 1,500 hypotheses", lambda threads: ours.pairwise(some, some, metric=bleu, threads=threads).tobytes())
    # The interpreter is free while the library works: a thread of Python counts nearly as far as it does alone.
    counts, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counts[0] += 1

    def counted(call):
        stop.clear()
        counts[0] = 0
        counter = threading.Thread(target=count)
        counter.start()
        taken, _ = by_clock(call)
        stop.set()
        counter.join()
        return counts[0] / taken

    alone = max(counted(lambda: time.sleep(0.3)) for _ in range(3))
    meanwhile = max(counted(lambda: bleu.score(hypotheses, references, threads=1)) for _ in range(3))
    row("a thread of Python during `score`, counts a second", "the thread alone", meanwhile / alone, 0.8, True)


if __name__ == "__main__":
    main((second_core_score, second_core_tests, second_core_sessions, second_core_python))
