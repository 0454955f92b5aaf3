"""Vectors of one's own model: arrays, lists and Arrow, against NumPy by the definition."""

import bleuprint
import pytest

np = pytest.importorskip("numpy")


def _definition(x, y):
    def unit(rows):
        rows = rows.astype(np.float64)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    similarity = unit(x) @ unit(y).T
    p, r = similarity.max(axis=1).mean(), similarity.max(axis=0).mean()
    return 2 * p * r / (p + r), p, r


def _texts(seed, count, width=19):
    random = np.random.default_rng(seed)
    return [random.normal(size=(random.integers(1, 9), width)).astype(np.float32) + 0.5 for _ in range(count)]


def _flat(texts):
    return np.concatenate(texts), np.cumsum([0] + [len(text) for text in texts])


def test_definition_and_every_form_of_input():
    hypotheses, references = _texts(1, 200), _texts(2, 200)
    expected = np.mean([_definition(x, y) for x, y in zip(hypotheses, references)], axis=0)
    (x, at), (y, cuts) = _flat(hypotheses), _flat(references)
    lists = bleuprint.bertscore(hypotheses, references).score()
    flat = bleuprint.bertscore(x, y, offsets=at, reference_offsets=cuts, threads=2).score()
    double = bleuprint.bertscore(x.astype(np.float64), y, offsets=at, reference_offsets=cuts).score()
    assert lists.headlines == flat.headlines == double.headlines
    assert np.allclose(list(flat.headlines.values()), expected, rtol=0, atol=1e-12)


def test_arrow_is_used_as_it_is():
    arrow = pytest.importorskip("arro3.core")
    hypotheses, references = _texts(3, 20), _texts(4, 20)
    (x, at), (y, cuts) = _flat(hypotheses), _flat(references)

    def lists(rows, offsets):
        fixed = arrow.fixed_size_list_array(arrow.Array.from_numpy(rows.reshape(-1)), rows.shape[1])
        return arrow.list_array(arrow.Array.from_numpy(offsets.astype(np.int32)), fixed)

    whole = bleuprint.bertscore(lists(x, at), lists(y, cuts)).score()
    assert whole.headlines == bleuprint.bertscore(hypotheses, references).score().headlines
    sliced = bleuprint.bertscore(lists(x, at).slice(5, 15), lists(y, cuts).slice(5, 15)).score()
    assert sliced.headlines == bleuprint.bertscore(hypotheses[5:], references[5:]).score().headlines


def test_cosine_pools_and_takes_several_references():
    x, y = np.array([[3.0, 4.0], [1.0, 0.0]]), np.array([[4.0, 3.0], [0.0, 2.0], [1.0, 0.0]])
    score = bleuprint.cosine(x, y, reference_groups=[0, 2, 3]).score()
    assert score.score == pytest.approx((0.96 + 1) / 2)
    mean = bleuprint.cosine(x, y, reference_groups=[0, 2, 3], over_references="mean").score()
    assert mean.score == pytest.approx(((0.96 + 0.8) / 2 + 1) / 2)
    pooled = bleuprint.cosine(x, y[:1], offsets=[0, 2], weights=[1, 0]).score()
    assert pooled.score == pytest.approx(0.96)


def test_statistics_compare_and_tell_producers_apart():
    hypotheses, others, references = _texts(5, 50), _texts(6, 50), _texts(7, 50)
    one = bleuprint.bertscore(hypotheses, references, producer="m")
    other = bleuprint.bertscore(others, references, producer="m")
    assert 0 < bleuprint.paired_test({"one": one, "other": other}, n=100)[1]["p_value"] <= 1
    foreign = bleuprint.bertscore(others, references, producer="n")
    with pytest.raises(ValueError, match="producer"):
        bleuprint.paired_test({"one": one, "other": foreign}, n=100)


def test_idf_is_learned_once_and_kept(tmp_path):
    hypotheses, references = _texts(8, 6), _texts(9, 6)

    def ids(texts):
        return [row % 3 for text in texts for row in range(len(text))]

    def score(some, **options):
        x, y = [hypotheses[at] for at in some], [references[at] for at in some]
        return bleuprint.bertscore(x, y, ids=ids(x), reference_ids=ids(y), idf=True, **options)

    whole = score(range(6))
    whole.save_learned(tmp_path / "idf.json")
    assert score(range(6), learned=tmp_path / "idf.json").score() == whole.score()
    parts = [score(some, learned=tmp_path / "idf.json")._total() for some in ([0, 1], [2, 3, 4, 5])]
    assert parts[0].merge(parts[1]).score() == whole.score()
    assert score([0]).score() != score([0], learned=tmp_path / "idf.json").score()
    text = bleuprint.metric("cider_d").statistics(["a cat"], [["a cat"]])
    text.save_learned(tmp_path / "cider.json")
    with pytest.raises(ValueError, match="cider.json: unlike states: the state is of `document_frequencies`, but `piece_frequencies` is asked for"):
        score(range(6), learned=tmp_path / "cider.json")
    without = bleuprint.bertscore(hypotheses, references)
    with pytest.raises(ValueError, match="nothing was learned"):
        without.save_learned(tmp_path / "none")
    with pytest.raises(ValueError, match="idf.json.*0 of the requested metrics"):
        bleuprint.bertscore(hypotheses, references, learned=tmp_path / "idf.json")


def test_rows_of_any_size_have_a_mean():
    rows = np.array([[1e160, 0.0], [0.0, 1e140]])
    assert bleuprint.cosine(rows, np.array([[1.0, 0.0]]), offsets=[0, 2]).score().score == pytest.approx(1.0)
