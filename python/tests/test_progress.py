"""`threads=` and `progress=` of every long call: neither changes a result, and the count ends where all is done."""

import pytest

import bleuprint

HYP = ["The dog bit the man.", "It wasn't surprising.", "He ran away today."] * 5
REF = ["The dog had bit the man.", "It was not unexpected.", "He ran away today."] * 5
STREAMS = [REF, HYP[::-1]]
SYSTEMS = {"one": HYP, "other": REF[::-1]}
STATISTICS = {name: bleuprint.metric("bleu").statistics(texts, REF) for name, texts in SYSTEMS.items()}
RUN = bleuprint.Evaluation(["bleu", "chrf"]).run(SYSTEMS, REF)
RATED = {"a": [1, 2, 3], "b": [3, 1, 2], "c": [5, 5, 4]}


class Tokens(bleuprint.Metric):
    """A metric in Python."""

    name = "tokens"
    columns = ("alike", "length")

    def observe(self, state, hypothesis, references):
        return [state[0] + sum(token in references[0] for token in hypothesis), state[1] + len(hypothesis)]

    def finalize(self, state, segments):
        return state[0] / max(1, state[1])


def unpaired(**options):
    arms = {name: bleuprint.given("x", marks, producer="judge") for name, marks in (("a", [1, 0] * 30), ("b", [0, 0, 1] * 20))}
    return bleuprint.compare(arms, unpaired=True, test="permutation", n=200, **options)


def cosine(**options):
    numpy = pytest.importorskip("numpy")
    vectors = numpy.arange(1.0, 31.0).reshape(10, 3)
    return bleuprint.cosine(vectors, vectors[::-1], producer="mine", **options).score()


def report(folder, **options):
    RUN.report(folder / "page.html", n=200, overwrite=True, **options)
    return (folder / "page.html").read_bytes()


CALLS = {
    "pairwise": lambda **o: bleuprint.pairwise(HYP, REF, metric="ter", **o).tolist(),
    "pairwise of ids": lambda **o: bleuprint.pairwise([[1, 2], [3]], [[1], [3]], **o).tolist(),
    "mbr": lambda **o: bleuprint.mbr(HYP, REF, metric="chrf", **o).utilities,
    "self_bleu": lambda **o: bleuprint.self_bleu(HYP, metric="ter", **o),
    "rewards": lambda **o: bleuprint.rewards(HYP, REF, **o).tolist(),
    "paired_test": lambda **o: bleuprint.paired_test(STATISTICS, n=200, **o),
    "compare": lambda **o: bleuprint.compare(STATISTICS, n=200, **o),
    "compare of texts": lambda **o: bleuprint.compare(SYSTEMS, REF, n=200, test="randomization", **o),
    "unpaired": unpaired,
    "confidence": lambda **o: STATISTICS["one"].confidence(200, **o),
    "confidence of a run": lambda **o: RUN.confidence("bleu", n=200, **o),
    "paired of a run": lambda **o: RUN.paired("chrf", n=200, **o),
    "compare of a run": lambda **o: RUN.compare(n=200, **o),
    "cosine": cosine,
    "explain": lambda **o: bleuprint.explain(HYP, REF, tokenizers=["13a", "char"], **o),
    "meta": lambda **o: bleuprint.meta(RATED, {"x": RATED, "y": {**RATED, "a": [9, 9, 9]}}, trials=50, **o),
    "table counts": lambda **o: bleuprint.tables.score(bleuprint.tables.counts("bleu", HYP, REF, **o)),
    "table state": lambda **o: bleuprint.tables.state("bleu", HYP, REF, **o),
    "table score": lambda **o: bleuprint.tables.score(bleuprint.tables.counts("bleu", HYP, REF), confidence=200, **o),
}


def watched(call):
    """The result and the reports of progress; every total is reached only at the end of a part."""
    seen = []
    result = call(progress=lambda done, total: seen.append((done, total)))
    assert seen and all(0 <= done <= total for done, total in seen)
    done, total = seen[-1]
    assert done == total > 0
    return result


@pytest.mark.parametrize("name", CALLS)
def test_every_long_call_has_threads_and_progress(name):
    pytest.importorskip("numpy")
    call = CALLS[name]
    result = call()
    assert watched(call) == call(threads=2) == result

    def fails(done, total):
        raise KeyError("stop")

    for threads in (None, 2):
        with pytest.raises(KeyError):
            call(progress=fails, threads=threads)
    with pytest.raises(TypeError, match="progress"):
        call(progress=5)
    assert call(progress=False) == result


def test_a_report_has_them_too(tmp_path):
    assert watched(lambda **options: report(tmp_path, **options)) == report(tmp_path, threads=2)


def test_pools_of_a_metric_in_python():
    pytest.importorskip("numpy")
    call = lambda **options: bleuprint.pairwise(HYP, REF, metric=Tokens(), **options).tolist()  # noqa: E731
    assert watched(call) == call(threads=2) == call()


def test_explain_takes_reference_streams():
    options = {"tokenizers": ["13a"], "target": 50.0}
    per_segment = [list(pair) for pair in zip(*STREAMS)]
    assert bleuprint.explain(HYP, reference_streams=STREAMS, **options) == bleuprint.explain(HYP, per_segment, **options)
