"""The shapes of other libraries."""

import sys
import types

import pytest

import bleuprint
from bleuprint.adapters.distributed import SummedMetric
from bleuprint.adapters.evaluate import Evaluation
from bleuprint.adapters.lm_eval import aggregation
from bleuprint.adapters.trl import reward_function

HYPS = ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."]
REFS = [["The dog had bit the man.", "x"], ["It was not unexpected.", "y"], ["The man bit him first.", "z"]]


@pytest.mark.parametrize("name", ["bleu", "chrf", "ter", "wer"])
def test_sums_over_ranks_are_exact(name):
    pytest.importorskip("numpy")
    ranks = [SummedMetric(name) for _ in HYPS]
    for rank, hyp, refs in zip(ranks, HYPS, REFS):
        rank.update([hyp], [refs])
    total = sum(rank.row for rank in ranks)
    for rank in ranks:
        rank.reduce = lambda row: total
    whole = bleuprint.metric(name).score(HYPS, REFS)
    assert all(rank.compute() == whole for rank in ranks)


def test_the_life_of_a_summed_metric():
    numpy = pytest.importorskip("numpy")
    metric = SummedMetric("bleu")
    batch = metric(HYPS[:1], REFS[:1])
    assert batch == bleuprint.metric("bleu").score(HYPS[:1], REFS[:1])
    metric.update(HYPS[1:], REFS[1:])
    again = SummedMetric("bleu")
    again.load_state_dict(metric.state_dict())
    assert again.compute() == metric.compute() == bleuprint.metric("bleu").score(HYPS, REFS)
    assert metric.row.dtype == numpy.int64
    with pytest.raises(ValueError, match="unlike states"):
        SummedMetric("chrf").load_state_dict(metric.state_dict())
    metric.reset()
    with pytest.raises(ValueError, match="empty corpus"):
        metric.compute()
    metric.row[:] = 2**63 - 1
    with pytest.raises(ValueError):
        metric.update(HYPS, REFS)
    with pytest.raises(ValueError, match="cannot be summed"):
        SummedMetric("distinct")


def test_ranks_of_torch(monkeypatch):
    """With what `torch.distributed` looks like from here."""
    pytest.importorskip("numpy")

    class Tensor:
        def __init__(self, array):
            self.array = array

        def cpu(self):
            return self

        def numpy(self):
            return self.array

    def all_reduce(tensor):
        tensor.array *= 2

    distributed = types.SimpleNamespace(
        is_available=lambda: True, is_initialized=lambda: True, get_backend=lambda: "gloo", all_reduce=all_reduce
    )
    torch = types.SimpleNamespace(distributed=distributed, from_numpy=Tensor)
    metric = SummedMetric("bleu")
    metric.update(HYPS, REFS)
    monkeypatch.setitem(sys.modules, "torch", torch)
    assert metric.compute() == bleuprint.metric("bleu").score(HYPS * 2, REFS * 2)


def test_evaluation():
    metric = Evaluation("bleu")
    metric.add(prediction=HYPS[0], reference=REFS[0])
    metric.add_batch(predictions=HYPS[1:], references=REFS[1:])
    assert metric.compute() == bleuprint.metric("bleu").score(HYPS, REFS).to_dict()
    assert metric.compute(predictions=HYPS, references=REFS) == bleuprint.metric("bleu").score(HYPS, REFS).to_dict()


def test_aggregation():
    items = [(refs, hyp) for refs, hyp in zip(REFS, HYPS)]
    assert aggregation("chrf")(items) == bleuprint.metric("chrf").score(HYPS, REFS).score
    assert aggregation("chrf")([(refs, [hyp]) for refs, hyp in items]) == aggregation("chrf")(items)
    with pytest.raises(TypeError, match=r"items\[1\] is no pair"):
        aggregation("bleu")([("a", "a"), "a"])


def test_reward_function():
    reward = reward_function("bleu", column="answers", scale=0.01)
    expected = [score.score * 0.01 for score in bleuprint.metric("bleu").sentences(HYPS, REFS)]
    assert reward(prompts=["p"] * 3, completions=HYPS, answers=REFS) == expected
    messages = [[{"role": "assistant", "content": hyp}] for hyp in HYPS]
    assert reward(completions=messages, answers=REFS) == expected
    with pytest.raises(ValueError, match="no column `answers`; they have: other"):
        reward(completions=HYPS, other=REFS)
