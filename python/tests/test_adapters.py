"""The shapes of other libraries."""

import sys
import types

import pytest

import bleuprint
from bleuprint.adapters.distributed import SummedMetric
from bleuprint.adapters.evaluate import Evaluation
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


def test_a_sum_knows_its_key():
    pytest.importorskip("numpy")
    text = (["the cat sat on the mat"], ["the cat sat on the mat"])
    ids = ([[7, 8, 9, 10]], [[7, 8, 9, 11]])
    metric = SummedMetric("bleu")
    metric.update(*text)
    before = metric.state_dict()
    for batch in (ids, ([["a", "b"]], [[["a", "b"]]])):
        for add in (metric.update, metric):
            with pytest.raises(ValueError, match="unlike states"):
                add(*batch)
    assert metric.state_dict() == before
    # The kind of the first batch decides, and the signature and the checkpoint say which it is.
    other = SummedMetric("bleu")
    other.update(*ids)
    assert "tok:unspecified" in str(other.compute().signature) and "tok:unspecified" in other.state_dict()["key"]
    assert other.compute() == bleuprint.metric("bleu").score(*ids)
    again = SummedMetric("bleu")
    again.load_state_dict(other.state_dict())
    assert again.compute() == other.compute()
    with pytest.raises(ValueError, match="unlike states"):
        again.update(*text)
    again.reset()
    again.update(*text)
    only = SummedMetric("bleu", ids=True)
    with pytest.raises(ValueError, match="ids=True"):
        only.update(*text)
    with pytest.raises(ValueError, match="unlike states"):
        only.load_state_dict(before)


def test_a_checkpoint_of_a_sum_is_plain():
    pytest.importorskip("numpy")
    metric = SummedMetric("bleu")
    metric.update(HYPS, REFS)
    state = metric.state_dict()
    assert set(state) == {"key", "row"} and type(state["row"]) is list
    # torch.load with its default, weights_only=True, reads these types alone.
    assert all(type(count) is int for count in state["row"])


def test_a_sum_takes_sources():
    pytest.importorskip("numpy")
    metric = SummedMetric("sari")
    data = (["about 95 species are here"], [["about 95 species are now here"]])
    sources = ["about 95 species are currently accepted"]
    assert metric(*data, sources=sources) == bleuprint.metric("sari").score(*data, sources=sources)
    metric.update(*data, sources=sources)
    assert metric.compute() == bleuprint.metric("sari").score(data[0] * 2, data[1] * 2, sources=sources * 2)


def test_ranks_of_torch(monkeypatch):
    """With the shape of `torch.distributed`."""
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


@pytest.mark.parametrize("stemmer", [False, True])
def test_rouge_has_the_shape_of_evaluate(stemmer):
    from bleuprint.adapters.evaluate import Rouge

    hyp = ["the cats sat on the mat", "a dog ran", "it rains\ntoday"]
    refs = [["the cat sat on a mat", "cats sit"], ["the dogs were running"], ["it rained today\nand now"]]
    rouge = Rouge()
    rouge.add(prediction=hyp[0], reference=refs[0])
    rouge.add_batch(predictions=hyp[1:], references=refs[1:])
    each = rouge.compute(use_aggregator=False, use_stemmer=stemmer)
    mean = rouge.compute(predictions=hyp, references=refs, use_stemmer=stemmer)
    assert list(mean) == list(each) == ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    assert all(mean[name] == pytest.approx(sum(each[name]) / 3) for name in mean)
    for types in ({"rouge1"}, ["rougeL", "rouge3"]):
        assert set(rouge.compute(predictions=hyp, references=refs, rouge_types=types)) == set(types)
    with pytest.raises(ValueError, match="predictions has 1 segment, but references has 2"):
        rouge.compute(predictions=["a"], references=["a", "b"])
    scorer = pytest.importorskip("rouge_score.rouge_scorer").RougeScorer(list(mean), use_stemmer=stemmer)
    theirs = [scorer.score_multi(references, one) for one, references in zip(hyp, refs)]
    assert each == {name: [scores[name].fmeasure for scores in theirs] for name in mean}


def test_reward_function():
    reward = reward_function("bleu", column="answers", scale=0.01)
    expected = [score.score * 0.01 for score in bleuprint.metric("bleu").sentences(HYPS, REFS)]
    assert reward(prompts=["p"] * 3, completions=HYPS, answers=REFS) == expected
    messages = [[{"role": "assistant", "content": hyp}] for hyp in HYPS]
    assert reward(completions=messages, answers=REFS) == expected
    with pytest.raises(ValueError, match="no column `answers`; they have: other"):
        reward(completions=HYPS, other=REFS)


def test_a_reward_of_errors_needs_a_sign():
    with pytest.raises(ValueError, match="a lower wer is better.*scale=-1.0"):
        reward_function("wer")
    reward = reward_function("wer", scale=-1.0)
    assert reward(completions=["a b", "x y"], reference=["a b", "a b"]) == [0.0, -1.0]


def test_rewards_of_rows_of_other_tasks_are_none():
    reward = reward_function("chrf")
    assert reward(completions=["a b", "c", "a b"], reference=["a b", None, ["x", "a b"]]) == [100.0, None, 100.0]
    assert reward(completions=["a b"], reference=[None]) == [None]
    with pytest.raises(ValueError, match="there are 2 completions, but 1 rows of `reference`"):
        reward(completions=["a", "b"], reference=["a"])


def test_the_last_message_of_the_assistant_is_scored():
    reward = reward_function("chrf")
    text = {"type": "text", "text": "a b"}
    for conversation in (
        [{"role": "user", "content": "x"}, {"role": "assistant", "content": "a b"}],
        [{"role": "assistant", "content": [{"type": "image"}, text]}],
        [{"role": "assistant", "content": "a b"}, {"role": "tool", "content": "x"}],
        [{"role": "assistant", "content": "x"}, {"role": "assistant", "content": ["a ", {"type": "text", "text": "b"}]}],
        [{"content": "a b"}],
    ):
        assert reward(completions=[conversation], reference=["a b"]) == [100.0], conversation
    with pytest.raises(TypeError, match="completions\\[0\\]: the last message of the assistant has no content"):
        reward(completions=[[{"role": "assistant", "content": None}]], reference=["a"])


def test_evaluations_take_sources():
    data = {"sources": ["a b c"], "predictions": ["a b"], "references": [["a b"]]}
    expected = bleuprint.metric("sari").score(["a b"], [["a b"]], sources=["a b c"]).score
    sari = Evaluation("sari")
    assert sari.compute(**data)["score"] == expected
    sari.add(prediction="a b", reference=["a b"], source="a b c")
    assert sari.compute()["score"] == expected


# -- Against the libraries themselves, where they are installed ----------------------------------------------------


def test_evaluate_itself():
    """The same calls, the same results as of a metric that is evaluate's own."""
    evaluate = pytest.importorskip("evaluate")
    datasets = pytest.importorskip("datasets")

    class Theirs(evaluate.Metric):
        def _info(self):
            features = {"predictions": datasets.Value("string"), "references": datasets.Sequence(datasets.Value("string"))}
            return evaluate.MetricInfo(description="", citation="", features=datasets.Features(features))

        def _compute(self, predictions, references):
            return bleuprint.metric("bleu").score(predictions, references).to_dict()

    ours, theirs = Evaluation("bleu"), Theirs()
    for _ in range(2):
        for metric in (ours, theirs):
            metric.add(prediction=HYPS[0], reference=REFS[0])
            metric.add_batch(predictions=HYPS[1:], references=REFS[1:])
        assert ours.compute() == theirs.compute()
        assert ours.compute(predictions=HYPS, references=REFS) == theirs.compute(predictions=HYPS, references=REFS)
    data = datasets.Dataset.from_dict({"hypothesis": HYPS, "answers": REFS})
    whole = bleuprint.metric("bleu").score(HYPS, REFS)
    assert ours.compute(predictions=data["hypothesis"], references=data["answers"]) == whole.to_dict()
    assert bleuprint.metric("bleu").score(data["hypothesis"], data["answers"]) == whole
    assert bleuprint.metric("bleu").score(data[:]["hypothesis"], data.data["answers"]) == whole


PAIRS = [
    ("short one here", "shoe order one"),
    ("a b c d", "a x d e"),
    ("the cat sat on the mat", "the cat sat on the mat"),
    ("", "one two"),
    ("three four", ""),
    ("  uneven   space ", "uneven space\t"),
    ("na\u00efve caf\u00e9", "naive cafe"),
]


def outputs_are_equal(ours, theirs):
    for name in vars(theirs):
        if name != "alignments":
            assert getattr(ours, name) == getattr(theirs, name), name
    chunk = lambda chunk: (chunk.type, chunk.ref_start_idx, chunk.ref_end_idx, chunk.hyp_start_idx, chunk.hyp_end_idx)
    pair = lambda chunks: [chunk(one) for one in chunks]
    assert [pair(one) for one in ours.alignments] == [pair(one) for one in theirs.alignments]


def test_jiwer_is_equal_where_it_is_installed():
    """Outputs, texts and tables of random sentences, of words and characters, whole and pair by pair."""
    import random

    jiwer = pytest.importorskip("jiwer")
    from bleuprint.adapters import jiwer as ours

    rng = random.Random(5)
    # jiwer takes a word `*` for the fill of a gap.
    words = ["a", "b", "ab", "the", "cat", "-", "\u0645\u0631\u062d\u0628\u0627", "\u4f60\u597d", "e\u0301"]
    noisy = lambda text: " ".join(w for w in (rng.choice([w, w, w, "", rng.choice(words), f"{w} {w}"]) for w in text.split(" ")) if w)
    references = [" ".join(rng.choices(words, k=rng.randint(0, 20))) for _ in range(200)]
    sentences = [pair for pair in PAIRS] + [(text, noisy(text)) for text in references]
    batches = [[pair] for pair in sentences] + [sentences, sentences[:20]]
    for batch in batches:
        reference, hypothesis = [list(side) for side in zip(*batch)]
        for name in ("process_words", "process_characters"):
            own, other = (getattr(module, name)(reference, hypothesis) for module in (ours, jiwer))
            outputs_are_equal(own, other)
            assert tuple(map(dict, jiwer.collect_error_counts(other))) == ours.collect_error_counts(own)
            for options in ({}, {"show_measures": False}, {"skip_correct": False}, {"line_width": 30}):
                assert ours.visualize_alignment(own, **options) == jiwer.visualize_alignment(other, **options), options
            for options in ({}, {"top_k": 2}, {"show_insertions": False}, {"show_substitutions": False, "show_deletions": False}):
                assert ours.visualize_error_counts(own, **options) == jiwer.visualize_error_counts(other, **options), options
        for name in ("wer", "mer", "wil", "wip", "cer"):
            assert getattr(ours, name)(reference, hypothesis) == getattr(jiwer, name)(reference, hypothesis)
    transform = jiwer.Compose([jiwer.ToLowerCase(), jiwer.RemovePunctuation(), jiwer.ReduceToListOfListOfWords()])
    outputs_are_equal(*(module.process_words(["A, B"], ["a c"], transform, transform) for module in (ours, jiwer)))


def test_jiwer_in_shape():
    from bleuprint.adapters import jiwer as ours

    output = ours.process_words("short one here", "shoe order one")
    assert (output.wer, output.mer, output.hits, output.substitutions, output.deletions, output.insertions) == (1.0, 0.75, 1, 1, 1, 1)
    assert output.references == [["short", "one", "here"]] and output.hypotheses == [["shoe", "order", "one"]]
    assert [chunk.type for chunk in output.alignments[0]] == ["insert", "substitute", "equal", "delete"]
    assert ours.collect_error_counts(output) == ({("short", "order"): 1}, {"shoe": 1}, {"here": 1})
    assert ours.wer("Mr. Brown paid twenty dollars", "mister brown paid $20", norm="whisper-en") == 0.0
    assert ours.process_words([], []).wer == 0.0
    with pytest.raises(ValueError, match="Instead got 1 reference and 2 hypothesis sentences"):
        ours.process_words("a", ["a", "b"])
    with pytest.raises(ValueError, match="order of the two"):
        ours.process_words("a", "a", str.split, norm="lower")
    with pytest.raises(ValueError, match="normalizer"):
        ours.wer("a", "a", norm="no-such")
    with pytest.raises(TypeError):
        ours.process_words(3, "a")
    with pytest.raises(ValueError, match="type"):
        ours.AlignmentChunk("replace", 0, 1, 0, 1)
