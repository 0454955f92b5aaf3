"""Weights of a first pass: learned once, kept, read, and refused where they do not belong."""

import copy
import pickle

import pytest

import bleuprint

HYPS = ["a cat sat", "two dogs", "a bird sang"]
REFS = [["a cat sat on the mat", "the cat sat"], ["two dogs ran home", "the dogs ran"], ["a bird sang", "the bird sings"]]
IDS = [[1, 2, 3], [7, 8], [1, 10, 11]]
ID_REFS = [[[1, 2, 3, 4, 5, 6], [5, 2, 3]], [[7, 8, 9, 12], [5, 8, 9]], [[1, 10, 11], [5, 10, 13]]]
NAMES = ["nist", "cider", "cider_d"]

#: The output of `bleuprint score r -i h -m NAME --save-learned FILE` wrote for a file r of the lines `a b` and `b c`.
OF_THE_PROGRAM = {
    "cider_d": '{"format":"bleuprint-learned/2","states":[{"version":2,"key":"document_frequencies/1|order:4|case:mixed|tok:13a",'
    '"counts":{"segments":2,"references":2,"references_squared":2},"stats":{"segments":2,"frequencies":{"tokens":["a","b","c"],'
    '"ngrams":[[[0,1],[1,2]],[],[]],"counts":[[1,2,1],[1,1],[],[]]}}}]'
    ',"sha256":"e79d982a1549f38fa4eb2f1706c7d3a7a55892770372315c28f8eba8ad3553ca"}\n',
    "nist": '{"format":"bleuprint-learned/2","states":[{"version":2,"key":"reference_ngrams/1|order:5|case:mixed|tok:13a",'
    '"counts":{"segments":2,"references":2,"references_squared":2},"stats":{"tokens":["a","b","c"],'
    '"ngrams":[[[0,1],[1,2]],[],[],[]],"counts":[[1,2,1],[1,1],[],[],[]]}}]'
    ',"sha256":"6d67eccc5441522aef34d608932ea99dd2c8ac5c5501e67db71bb2428f5a9976"}\n',
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("hyps, refs", [(HYPS, REFS), (IDS, ID_REFS)])
def test_learned_once_scores_as_learned_each_time(name, hyps, refs, tmp_path):
    metric = bleuprint.metric(name)
    whole = metric.score(hyps, refs)
    learned = metric.learn(refs)
    assert learned.score(hyps, refs) == whole == metric.learn(reference_streams=list(zip(*refs))).score(hyps, refs)
    assert learned.score(hyps, refs, threads=2) == whole
    assert learned.state_key == whole_key(whole, learned) and not learned.info()["two_passes"]
    learned.check_laws()
    learned.save_learned(tmp_path / "weights")
    stored = bleuprint.metric(name, learned=tmp_path / "weights")
    for other in (stored, pickle.loads(pickle.dumps(learned)), copy.deepcopy(learned), copy.copy(stored)):
        assert other.score(hyps, refs) == whole and repr(other) == repr(learned)
    parts = [learned.accumulator(), stored.accumulator(), learned.accumulator()]
    for at, part in enumerate(parts):
        part.update(hyps[at : at + 1], refs[at : at + 1])
    assert sum(parts).compute() == sum(reversed(parts)).compute() == whole
    assert pickle.loads(pickle.dumps(parts[0] + parts[1])) == parts[0] + parts[1]
    assert [score.score for score in learned.sentences(hyps, refs)] == [
        learned.score([hyp], [ref]).score for hyp, ref in zip(hyps, refs)
    ]
    each = learned.statistics(hyps, refs)
    each.write(tmp_path / "stats")
    assert stored.read_statistics(tmp_path / "stats").score() == whole
    with pytest.raises(ValueError):
        metric.read_statistics(tmp_path / "stats")
    for counted in (each, metric.statistics(hyps, refs)):
        assert pickle.loads(pickle.dumps(counted)).score() == whole


def whole_key(score, metric):
    """The key names the weights, which the signature does too."""
    weights = [part for part in metric.state_key.split("|") if part.startswith(("df:", "info:"))]
    assert len(weights) == 1 and f"|{weights[0]}|" in score.signature
    return metric.state_key


@pytest.mark.parametrize("name", OF_THE_PROGRAM)
def test_files_are_those_of_the_program(name, tmp_path):
    refs = ["a b", "b c"]
    (tmp_path / "program").write_text(OF_THE_PROGRAM[name])
    bleuprint.metric(name).learn(refs).save_learned(tmp_path / "ours")
    assert (tmp_path / "ours").read_text() == OF_THE_PROGRAM[name]
    read = bleuprint.metric(name, learned=str(tmp_path / "program"))
    assert read.score(["a b", "c"], refs) == bleuprint.metric(name).score(["a b", "c"], refs)


@pytest.mark.parametrize("name", NAMES)
def test_weights_of_other_data_do_not_merge(name):
    one, other = bleuprint.metric(name).learn(REFS), bleuprint.metric(name).learn([*REFS, "a dog"])
    first, second = one.accumulator(), other.accumulator()
    first.update(HYPS, REFS)
    second.update(HYPS, REFS)
    with pytest.raises(ValueError, match="unlike states"):
        first.merge(second)
    with pytest.raises(ValueError, match="unlike states"):
        one.score(IDS, ID_REFS)
    with pytest.raises(ValueError):
        bleuprint.metric(name).accumulator().update(HYPS, REFS)


def test_what_is_refused(tmp_path):
    cider = bleuprint.metric("cider_d")
    cider.learn(REFS).save_learned(tmp_path / "weights")
    data = (tmp_path / "weights").read_bytes()
    for cut in range(0, len(data) - 1, 7):
        (tmp_path / "cut").write_bytes(data[:cut])
        with pytest.raises(ValueError, match="cut"):
            bleuprint.metric("cider_d", learned=tmp_path / "cut")
    for old, new in ((b"learned/2", b"learned/3"), (b'"counts":[[', b'"counts":[[99,'), (b"13a", b"zh"), (b'"version":2', b'"version":9')):
        (tmp_path / "forged").write_bytes(data.replace(old, new))
        with pytest.raises(ValueError):
            bleuprint.metric("cider_d", learned=tmp_path / "forged")
    for refused, error, message in (
        (lambda: bleuprint.metric("bleu").learn(REFS), ValueError, "BLEU has no first pass"),
        (lambda: bleuprint.metric("bleu", learned=tmp_path / "weights"), ValueError, "BLEU has no first pass"),
        (lambda: bleuprint.metric("nist", learned=tmp_path / "weights"), ValueError, "weights: unlike states: the state is of `document_frequencies`, but `reference_ngrams` is asked for"),
        (lambda: bleuprint.metric("cider_d", tokenize="char", learned=tmp_path / "weights"), ValueError, "differ in tok"),
        (lambda: bleuprint.metric("cider_d", lowercase=True, learned=tmp_path / "weights"), ValueError, "differ in case"),
        (lambda: bleuprint.metric("cider_d", learned=tmp_path / "none"), ValueError, "No such file"),
        (lambda: bleuprint.metric("cider_d", learned=5), TypeError, "(?i)path"),
        (lambda: cider.save_learned(tmp_path / "x"), ValueError, "nothing was learned"),
        (lambda: cider.learn(), ValueError, "no references to learn from"),
        (lambda: cider.learn([]), ValueError, "no references to learn from"),
        (lambda: cider.learn(REFS, reference_streams=[["a"]]), ValueError, "given twice"),
        (lambda: cider.learn([None]), TypeError, r"references\[0\] is None, but must be a str"),
        (lambda: cider.learn([["a", None]]), TypeError, r"references\[0\]\[1\] is None"),
        (lambda: cider.learn([["a"], []]), ValueError, "segment 2: no references"),
        (lambda: cider.learn([["a"], [1]]), TypeError, r"references\[1\]\[0\] is int"),
        (lambda: cider.learn(reference_streams=[["a"], ["a", "b"]]), ValueError, "reference stream 1 has 1 segment, but reference stream 2"),
        (lambda: cider.learn(5), TypeError, "references is int"),
    ):
        with pytest.raises(error, match=message):
            refused()

    class Own(bleuprint.Metric):
        name = "own"
        columns = ("n",)

        def observe(self, state, hypothesis, references):
            return [state[0] + 1]

        def finalize(self, state, segments):
            return 1.0

    with pytest.raises(ValueError, match="own has no first pass"):
        Own().learn(REFS)
