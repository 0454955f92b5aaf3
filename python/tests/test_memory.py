"""Ten thousand calls leave nothing behind."""

import gc
import os
import sys

import pytest

import bleuprint
import bleuprint.sacrebleu as sacrebleu


def resident():
    """Bytes of this process in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Own(bleuprint.Metric):
    """Counts segments."""

    name = "own"
    columns = ("segments_seen",)

    def observe(self, state, hypothesis, references):
        return [state[0] + 1]

    def finalize(self, state, segments):
        return float(state[0])


HYPS, REFS = ["a b c d e " * 20] * 4, [["a b c d f " * 20, "x"]] * 4
IDS = [[1, 2, 3, 4] * 20] * 4


def work():
    bleu = bleuprint.metric("bleu")
    bleu.score(HYPS, REFS)
    bleu.score(IDS, IDS)
    bleu.sentences(HYPS, REFS)
    state = bleu.accumulator()
    state.update(HYPS, REFS)
    bleuprint.Accumulator.from_bytes(bleu, state.to_bytes()).compute()
    bleuprint.ids(IDS, pad_id=4)
    sacrebleu.sentence_bleu(HYPS[0], REFS[0])
    sacrebleu.corpus_chrf(HYPS[:1], [HYPS[:1]])
    Own().score(HYPS, REFS)
    for wrong in (lambda: bleu.score(["a", 5], REFS), lambda: bleu.score([[1, -1]], [[1]]), lambda: bleu.score(["\ud800"], ["a"])):
        try:
            wrong()
        except (ValueError, TypeError):
            pass


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_no_leak():
    # Each round is more than ten calls.
    for _ in range(150):
        work()
    gc.collect()
    before = resident()
    for _ in range(1000):
        work()
    gc.collect()
    grown = resident() - before
    # A leak of one hypothesis a call would be 2 MB.
    assert grown < 1.5e6, f"{grown} bytes more after 10000 calls"


def test_objects_are_freed():
    import weakref

    metric = Own()
    metric.score(HYPS, REFS)
    gone = weakref.ref(metric)
    del metric
    gc.collect()
    assert gone() is None
    references = sys.getrefcount(HYPS[0]), sys.getrefcount(REFS[0])
    for _ in range(100):
        bleuprint.metric("bleu").score(HYPS, REFS)
    assert (sys.getrefcount(HYPS[0]), sys.getrefcount(REFS[0])) == references
