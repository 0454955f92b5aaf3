"""Ctrl-C stops long work: each kind of work runs in another process, which gets SIGINT."""

import signal
import subprocess
import sys
import time

import pytest

SETUP = """
import random
import signal
# A shell ignores it for tests in the background.
signal.signal(signal.SIGINT, signal.default_int_handler)
import bleuprint
from bleuprint import sacrebleu
words = [f"w{at}" for at in range(50)]
def texts(count, length, seed):
    generator = random.Random(seed)
    return [" ".join(generator.choices(words, k=length)) for _ in range(count)]
one, two, three = (texts(1000, 20, seed) for seed in range(3))
"""

#: Works of minutes.
WORKS = {
    "confidence": "each = bleuprint.metric('bleu').statistics(one, three)|each.confidence(n=10_000_000)",
    "paired bootstrap": "None|bleuprint.paired_test({'a': one, 'b': two}, three, n=10_000_000, threads=2)",
    "randomization": "None|bleuprint.paired_test({'a': one, 'b': two}, three, test='randomization', n=10_000_000)",
    "compare": "None|bleuprint.compare({'a': one, 'b': two}, three, metric='chrf', n=10_000_000)",
    "explain": "many = one * 300|bleuprint.explain(many, many)",
    "pairwise": "many = texts(4000, 60, 4)|bleuprint.pairwise(many, many, metric='ter', threads=2)",
    "mbr": "many = texts(4000, 60, 4)|bleuprint.mbr(many, metric='ter')",
    "self": "many = texts(6000, 40, 4)|bleuprint.self_bleu(many, metric='rougeL')",
    "rewards": "many = texts(4000, 60, 4) * 30|bleuprint.rewards(many, many[::-1], metric='ter')",
    "score": "many = texts(4000, 60, 4) * 30|bleuprint.metric('ter').score(many, many[::-1])",
    "one segment": "one, two = (texts(1, 200_000, seed) for seed in (4, 5))|bleuprint.metric('cer').score(one, two)",
    "evaluation": "many = texts(4000, 60, 4) * 30|bleuprint.Evaluation('ter').run({'a': many}, many[::-1])",
    "comparison of a run": "run = bleuprint.Evaluation('bleu').run({'a': one, 'b': two}, three)|run.compare(n=10_000_000)",
    "report": "run = bleuprint.Evaluation('bleu').run({'a': one, 'b': two}, three)|run.report('never.html', n=10_000_000)",
    "sacrebleu": "bleu = sacrebleu.BLEU()|bleu.corpus_score(one, [three], n_bootstrap=10_000_000)",
}


#: The processor time of a work that stops: start, a second in two threads, and a second at most until it stops. The wall clock would
#: measure the other work of the machine. Without the interrupt it is at least 18.
MOST = 15


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent differently there")
@pytest.mark.parametrize("name", WORKS)
def test_an_interrupt_stops_the_work(name, tmp_path):
    import resource

    before, work = WORKS[name].split("|")
    start = resource.getrusage(resource.RUSAGE_CHILDREN)
    code = f"{SETUP}\n{before}\nprint('go', flush=True)\n{work}\nprint('done')"
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    )
    try:
        assert process.stdout.readline() == "go\n", process.stderr.read()
        time.sleep(1)
        assert process.poll() is None, (name, "ended by itself", process.stderr.read())
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=300)
    finally:
        process.kill()
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime
    assert took < MOST, (name, took)
    assert out == "" and error.rstrip().endswith("KeyboardInterrupt"), (name, error)
    assert list(tmp_path.iterdir()) == []
