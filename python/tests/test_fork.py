"""A process that was forked after work of its parent works too, and ends: threads of the parent are not there."""

import multiprocessing
import subprocess
import sys

import pytest

import bleuprint
from bleuprint import sacrebleu

pytestmark = pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="there is no fork")

ONE = [f"w{at} w{at * 7 % 50} w{at * 3 % 20} x y" for at in range(200)]
TWO = [f"w{at} w{at * 5 % 50} w{at * 3 % 20} x z" for at in range(200)]

#: A hung child is ended after this time.
PATIENCE = 120


class Same(bleuprint.Metric):
    name, columns = "same", ("equal",)

    def observe(self, state, hypothesis, references):
        return [state[0] + (hypothesis in references)]

    def finalize(self, state, segments):
        return state[0] / segments


def work():
    """Every kind of work that has threads."""
    systems = {"a": ONE, "b": TWO}
    run = bleuprint.metrics("bleu", "ter", "cider").run(systems, TWO, threads=2)
    return [
        bleuprint.metric("bleu").score(ONE, TWO, threads=2).score,
        float(bleuprint.rewards(ONE, TWO, threads=2).sum()),
        float(bleuprint.pairwise(ONE[:9], TWO[:9], metric="chrf", threads=2).sum()),
        bleuprint.mbr(ONE[:20], threads=2).utilities,
        [score.score for score in bleuprint.self_bleu(ONE[:20], threads=2)],
        bleuprint.explain(ONE, TWO, tokenizers=["13a"], threads=2),
        bleuprint.paired_test(systems, TWO, n=20, threads=2),
        bleuprint.paired_test(systems, TWO, test="randomization", n=20, threads=2),
        run.compare(n=20, threads=2),
        run.confidence("cider", n=20, threads=2),
        len(str(run.report(n=50, threads=2))),
        bleuprint.metric(Same).score(ONE, TWO, threads=2).score,
        sacrebleu.corpus_bleu(ONE, [TWO]).score,
    ]


def test_a_pool_of_forked_processes_gives_the_same():
    first = work()
    with multiprocessing.get_context("fork").Pool(2) as pool:
        children = [pool.apply_async(work) for _ in range(2)]
        assert [child.get(timeout=PATIENCE) for child in children] == [first, first]


CHILD = """
import os, sys, threading
sys.path.insert(0, sys.argv[1])
from test_fork import work
first = work()
# The fork comes in the midst of work of other threads, which hold what they hold.
threads = [threading.Thread(target=work, daemon=True) for _ in range(3)] if sys.argv[2] == "busy" else []
[thread.start() for thread in threads]
child = os.fork()
if child == 0:
    os._exit(0 if work() == first else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
os._exit(0)
"""


@pytest.mark.parametrize("parent", ["idle", "busy"])
def test_a_forked_child_works_and_ends(parent):
    here = __file__.rpartition("/")[0]
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", CHILD, here, parent], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        out, _ = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        import os
        import signal

        os.killpg(process.pid, signal.SIGKILL)
        pytest.fail("the child hangs")
    assert out == "0\n"
