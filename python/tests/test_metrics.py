"""The package's own doors: metrics, scores, accumulators, statistics."""

import copy
import hashlib
import pickle
import re
import warnings
from pathlib import Path

import pytest

import bleuprint
import examples

HYPS = ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."]
REFS = [
    ["The dog bit the man.", "The dog had bit the man."],
    ["It was not unexpected.", "No one was surprised."],
    ["The man bit him first.", "The man had bitten the dog."],
]
SOURCES = ["a", "b", "c"]


def arguments(metric):
    given = {"sources": SOURCES} if metric.needs_sources else {}
    return {**given, "references": REFS} if metric.needs_references else given


def calls(example):
    """The arguments of a call with three segments: the texts above if the metric takes any texts, else three times its example."""
    if example.takes_any_texts:
        given = {"sources": SOURCES} if "source" in example.record else {}
        return HYPS, {**given, "references": REFS} if example.references else given
    return example.call(3)


@pytest.mark.parametrize("name, example", examples.NAMED)
def test_every_metric_scores(name, example):
    metric = bleuprint.metric(name)
    hypotheses, given = calls(example)
    score = metric.score(hypotheses, **given)
    low, high = score.range
    assert (low is None or score.score >= low - 1e-9) and (high is None or score.score <= high + 1e-9)
    assert metric.score(hypotheses, **given, threads=2) == score
    assert len(metric.sentences(hypotheses, **given)) == 3
    assert pickle.loads(pickle.dumps(score)) == score
    assert score.to_dict()["score"] == score.score == float(score)
    first = metric.signature.split("|")[0]
    assert score.signature.startswith(f"{first}|") and "version:bleuprint-" in score.signature
    assert "<table>" in score._repr_html_() and repr(score).startswith(score.signature.split("|")[0])
    again = pickle.loads(pickle.dumps(metric))
    assert again.score(hypotheses, **given) == score
    # The laws draw texts; other data are drawn by the tests of the library.
    assert not example.takes_any_texts or metric.info()["two_passes"] or metric.check_laws() is None


@pytest.mark.parametrize("example", examples.ALL, ids=str)
def test_every_example_has_its_recorded_score(example):
    hypotheses, given = example.call(1)
    assert bleuprint.metric(example.metric).score(hypotheses, **given).score == examples.RECORDED[example.metric]


@pytest.mark.parametrize("example", [example for example in examples.ALL if example.is_text and "reference" in example.record], ids=str)
def test_metrics_of_one_reference_refuse_two(example):
    hypotheses, given = example.call(1)
    given["references"] = [given["references"] * 2]
    with pytest.raises(ValueError, match="defined for one reference, but the segment has 2|a tag is one word|other words|expected a string"):
        bleuprint.metric(example.metric).score(hypotheses, **given)


@pytest.mark.parametrize("name, example", examples.NAMED)
def test_every_metric_accumulates(name, example):
    metric = bleuprint.metric(name)
    hypotheses, given = calls(example)
    if metric.info()["two_passes"]:
        with pytest.raises(ValueError, match=r"learns from all references first, so it takes no batches: `metric.learn\(references\)`"):
            metric.accumulator().update(hypotheses, **given)
        return
    whole = metric.score(hypotheses, **given)
    parts = []
    for at in range(3):
        part = metric.accumulator()
        part.update(hypotheses[at : at + 1], **{key: value[at : at + 1] for key, value in given.items()})
        parts.append(part)
    assert sum(parts).compute() == whole
    assert sum(reversed(parts)).compute() == whole
    both = parts[0] + parts[1]
    stored = bleuprint.Accumulator.from_bytes(metric, both.to_bytes())
    assert stored == both == pickle.loads(pickle.dumps(both)) == copy.deepcopy(both)
    assert (stored + parts[2]).compute() == whole
    if metric.columns is not None:
        row = both.row()
        assert list(row) == list(metric.columns)
        assert bleuprint.Accumulator.from_row(metric, row) == both
        assert bleuprint.Accumulator.from_row(metric, list(row.values())) == both
        both.merge(parts[2])
        both.retract(parts[0])
        assert both == parts[1] + parts[2]
    both.reset()
    assert both.segments == 0


def test_parts_are_attributes():
    score = bleuprint.metric("bleu").score(HYPS, REFS)
    assert score.counts == score.parts["counts"]
    assert score.bp == score.to_dict()["bp"]
    assert "precisions" in dir(score)
    with pytest.raises(AttributeError, match="has no part `recall`; it has: counts"):
        score.recall
    assert score.higher_is_better is True
    assert score.format(width=1).endswith("= 48.5 82.4/50.0/45.5/37.5 (BP = 0.943 ratio = 0.944 hyp_len = 17 ref_len = 18)")


def test_same_number_as_the_drop_in():
    import bleuprint.sacrebleu as sacrebleu

    streams = [list(stream) for stream in zip(*REFS)]
    score = bleuprint.metric("bleu").score(HYPS, reference_streams=streams)
    assert score == bleuprint.metric("bleu").score(HYPS, REFS)
    assert score.precisions == sacrebleu.corpus_bleu(HYPS, streams).precisions
    assert bleuprint.metric("chrf++").score(HYPS, REFS).score == sacrebleu.corpus_chrf(HYPS, streams, word_order=2).score


def test_options():
    assert "|smooth:floor[0.50]|" in bleuprint.metric("bleu", smooth_method="floor", smooth_value=0.5).signature
    assert bleuprint.metric("bleu", weights=[0.5, 0.5], max_order=2).score(HYPS, REFS).score > 0


def test_unlike_states_are_refused():
    one, other = bleuprint.metric("bleu").accumulator(), bleuprint.metric("bleu", max_order=2).accumulator()
    with pytest.raises(ValueError, match="unlike states: they differ in order"):
        one.merge(other)
    one.update(HYPS, REFS)
    other.update(HYPS, REFS)
    before = one.to_bytes()
    for refused in (lambda: one.merge(other), lambda: one.retract(other), lambda: one + other):
        with pytest.raises(ValueError, match="unlike states"):
            refused()
    assert one.to_bytes() == before
    with pytest.raises(ValueError, match="unlike states"):
        bleuprint.Accumulator.from_bytes(other.metric, before)
    with pytest.raises(TypeError):
        one.merge(5)
    ids = bleuprint.metric("bleu").accumulator()
    ids.update([[1, 2]], [[1, 2]])
    with pytest.raises(ValueError, match="unlike states: they differ in tok"):
        one.merge(ids)


def test_an_empty_accumulator_of_another_metric_is_refused():
    bleu = bleuprint.metric("bleu")
    observed, ids, tokens = bleu.accumulator(), bleu.accumulator(), bleu.accumulator()
    observed.update(HYPS, REFS)
    ids.update([[1, 2]], [[1, 2]])
    tokens.update([["a", b"b"]], [["a", b"b"]])
    for state in (observed, ids, tokens):
        before = state.to_bytes()
        for other in (bleuprint.metric("chrf"), bleuprint.metric("bleu", max_order=2), Length()):
            for refused in (
                lambda: state.merge(other.accumulator()),
                lambda: state.retract(other.accumulator()),
                lambda: other.accumulator().merge(state),
                lambda: state + other.accumulator(),
            ):
                with pytest.raises(ValueError, match="unlike states: .*they differ in"):
                    refused()
        # One of its own, which does not know yet what it will count.
        state.merge(bleu.accumulator())
        state.retract(bleu.accumulator())
        assert state.to_bytes() == before == sum([bleu.accumulator(), state]).to_bytes()
        assert pickle.loads(pickle.dumps(state)) == state


def test_what_was_learned_stays_out_of_bytes():
    cider = bleuprint.metric("cider_d").learn(REFS)
    state = cider.accumulator()
    state.update(HYPS, REFS)
    assert b"learned" not in state.to_bytes()
    assert bleuprint.Accumulator.from_bytes(cider, state.to_bytes()).compute() == state.compute()
    with pytest.raises(ValueError, match="unlike states"):
        bleuprint.Accumulator.from_bytes(bleuprint.metric("cider_d").learn(REFS[:1]), state.to_bytes())


def test_files_that_are_there_stay_unless_told(tmp_path):
    learned = bleuprint.metric("nist").learn(REFS)
    run = bleuprint.Evaluation("bleu").run({"mine": HYPS}, REFS)
    for write in (
        run.write, bleuprint.metric("bleu").statistics(HYPS, REFS).write, learned.save_learned, learned.statistics(HYPS, REFS).save_learned,
    ):
        place = tmp_path / "there"
        place.write_text("mine")
        with pytest.raises(ValueError, match="there is there already: overwrite=True replaces it"):
            write(place)
        assert place.read_text() == "mine"
        write(place, overwrite=True)
        assert place.read_text().startswith("{")
        place.unlink()
        write(place)
        assert place.exists()


def test_bytes_that_are_no_state():
    bleu = bleuprint.metric("bleu")
    state = bleu.accumulator()
    state.update(HYPS, REFS)
    data = state.to_bytes()
    for cut in range(len(data)):
        with pytest.raises(ValueError):
            bleuprint.Accumulator.from_bytes(bleu, data[:cut])
    with pytest.raises(ValueError):
        bleuprint.Accumulator.from_bytes(bleu, data.replace(b'"total":[[', b'"total":[[9'))
    for count in (-1, 2**64):
        with pytest.raises(ValueError, match="the count of segments is"):
            bleuprint.Accumulator.from_row(bleu, {**state.row(), "segments": count})


def test_an_error_leaves_everything_as_it_was():
    state = bleuprint.metric("bleu").accumulator()
    state.update(HYPS, REFS)
    before = state.to_bytes()
    with pytest.raises(ValueError, match="segment 2: no references"):
        state.update(["a", "b"], [["a"], []])
    assert state.to_bytes() == before


def test_threads_and_progress():
    hyps, refs = HYPS * 200, REFS * 200
    bleu, seen = bleuprint.metric("bleu"), []
    one = bleu.score(hyps, refs, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (600, 600)
    for threads in (0, 2, 7):
        assert bleu.score(hyps, refs, threads=threads) == one
        assert bleu.sentences(hyps, refs, threads=threads) == bleu.sentences(hyps, refs)
    for threads in (-1, 2**70, 5000):
        with pytest.raises(ValueError, match=str(threads)):
            bleu.score(hyps, refs, threads=threads)
    with pytest.raises(TypeError, match="whole number"):
        bleu.score(hyps, refs, threads=1.5)
    with pytest.raises(TypeError):
        bleu.score(hyps, refs, progress=5)

    def fails(done, total):
        raise KeyError("stop")

    for threads in (1, 2):
        with pytest.raises(KeyError):
            bleu.score(hyps, refs, progress=fails, threads=threads)
    bad = refs[:]
    bad[400] = []
    for threads in (1, 2, 7):
        with pytest.raises(ValueError, match="segment 401: no references"):
            bleu.score(hyps, bad, threads=threads)


def test_a_bar_of_tqdm(monkeypatch):
    import sys
    import types

    bars = []

    class Bar:
        def __init__(self, total):
            self.total, self.n, self.closed = total, 0, False
            bars.append(self)

        def update(self, more):
            self.n += more

        def close(self):
            self.closed = True

    monkeypatch.setitem(sys.modules, "tqdm", types.ModuleType("tqdm"))
    monkeypatch.setitem(sys.modules, "tqdm.auto", types.SimpleNamespace(tqdm=Bar))
    bleuprint.metric("bleu").score(HYPS, REFS, progress=True)
    assert (bars[0].total, bars[0].n, bars[0].closed) == (3, 3, True)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(ImportError, match="tqdm, which is not installed"):
        bleuprint.metric("bleu").score(HYPS, REFS, progress=True)


@pytest.mark.parametrize("threads", [1, 2])
def test_signals_stop_the_work(threads):
    import signal
    import time

    if not hasattr(signal, "setitimer"):
        pytest.skip("no timers of signals")

    def stop(*_):
        raise KeyboardInterrupt

    hyps, refs = HYPS * 200_000, [ref[0] for ref in REFS] * 200_000
    before = signal.signal(signal.SIGALRM, stop)
    start = time.monotonic()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.4)
        with pytest.raises(KeyboardInterrupt):
            while time.monotonic() - start < 60:
                bleuprint.metric("ter").score(hyps, refs, threads=threads)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - start < 30


def test_other_threads_go_on():
    """The interpreter lock is released."""
    import threading
    import time

    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    hyps, refs = bleuprint.ids([[1, 2, 3, 4, 5] * 2000] * 40), bleuprint.ids([[1, 2, 3, 5, 4] * 2000] * 40)
    thread = threading.Thread(target=tick)
    thread.start()
    start = time.monotonic()
    while time.monotonic() - start < 0.3:
        bleuprint.metric("bleu").score(hyps, refs)
    done.set()
    thread.join()
    assert len(ticks) > 20


def test_statistics(tmp_path):
    bleu = bleuprint.metric("bleu")
    each = bleu.statistics(HYPS, REFS, system="mine")
    assert (len(each), each.system) == (3, "mine")
    assert each.score() == bleu.score(HYPS, REFS)
    assert len(each.rows()) == 3 and len(each.rows()[0]) == len(each.columns())
    slices = each.slices(["a", "b", "a"])
    assert list(slices) == ["a", "b"]
    assert slices["b"] == bleu.score(HYPS[1:2], REFS[1:2])
    interval = each.confidence(n=50)
    assert interval["lower"] <= interval["mean"] <= interval["upper"]
    each.write(tmp_path / "mine.stats")
    read = bleu.read_statistics(tmp_path / "mine.stats")
    assert (read.score(), read.rows(), read.system) == (each.score(), each.rows(), "mine")
    with pytest.raises(ValueError, match="unlike states"):
        bleuprint.metric("bleu", tokenize="char").read_statistics(tmp_path / "mine.stats")
    (tmp_path / "cut.stats").write_bytes((tmp_path / "mine.stats").read_bytes()[:-20])
    with pytest.raises(ValueError):
        bleu.read_statistics(tmp_path / "cut.stats")
    with pytest.raises(ValueError, match="the statistics has 3 segments, but the labels has 1"):
        each.slices(["a"])
    for again in (pickle.loads(pickle.dumps(each)), copy.deepcopy(read)):
        assert (again.score(), again.rows(), again.system) == (each.score(), each.rows(), "mine")
        assert again.confidence(n=50) == interval


def test_a_score_is_used_as_a_number():
    bleu = bleuprint.metric("bleu")
    low, high = bleu.score(HYPS, REFS), bleu.score([refs[0] for refs in REFS], REFS)
    assert f"{low:.2f}" == f"{low.score:.2f}" and f"{low:>9.1f}|" == f"{low.score:>9.1f}|" and f"{low}" == str(low)
    assert (round(low, 3), round(low)) == (round(low.score, 3), round(low.score)) and isinstance(round(low), int)
    assert low < high and high >= low and max(high, low) is high and sorted([high, low]) == [low, high]
    assert low < 99 < high and low == low.score and low != high and 50 < high
    assert low == bleu.score(HYPS, REFS) and low != bleuprint.metric("bleu", tokenize="intl").score(HYPS, REFS)
    assert hash(low) == hash(low.score) and low in {low.score} and low != "x"
    for wrong in (lambda: low < "x", lambda: low >= None):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(ValueError):
        format(low, "d")


def test_systems():
    systems = {"one": HYPS, "two": [ref[0] for ref in REFS], "three": ["x"] * 3}
    rows = bleuprint.paired_test(systems, REFS, n=100)
    assert [row["system"] for row in rows] == ["one", "two", "three"]
    assert rows[0]["p_value"] is None and 0 < rows[1]["p_value"] <= 1
    exact = bleuprint.paired_test({"one": HYPS, "same": HYPS}, REFS, n=100, precision="exact")
    assert exact[1]["p_value"] == 1.0
    assert bleuprint.paired_test(systems, REFS, n=100, test="randomization")[1]["interval"] is None
    result = bleuprint.compare(systems, REFS, n=100, metric="chrf")
    assert len(result["pairs"]) == 3 and set(result["scores"]) == set(systems)
    for options in ({"test": "x"}, {"precision": "x"}, {"n": 0}, {"n": -1}, {"n": 2**40}, {"n": 2**70}, {"seed": -1}):
        with pytest.raises(ValueError):
            bleuprint.paired_test(systems, REFS, **options)
    other = bleuprint.metric("bleu").statistics(HYPS, [["x"]] * 3)
    with pytest.raises(ValueError, match="differ in the references of segment 1"):
        bleuprint.paired_test({"one": HYPS, "two": other}, REFS)


def test_statistics_know_their_sources(tmp_path):
    sari = bleuprint.metric("sari")
    other = sari.statistics(HYPS, REFS, sources=[*HYPS[:2], "x"], system="other")
    sari.statistics(HYPS, REFS, sources=HYPS, system="one").write(tmp_path / "one.stats")
    one = sari.read_statistics(tmp_path / "one.stats")
    for compare in (bleuprint.paired_test, bleuprint.compare):
        with pytest.raises(ValueError, match="one and other differ in the source of segment 3"):
            compare({"one": one, "other": other})
    # The format before knew no sources: its files are read, and not compared.
    text = (tmp_path / "one.stats").read_text()
    old = re.sub(',"source":"[0-9a-f]{16}"', "", text).replace("bleuprint-stats/2", "bleuprint-stats/1")
    fields = old[: old.rindex(',"sha256"')]
    sealed = f'{fields},"sha256":"{hashlib.sha256(fields.encode()).hexdigest()}"}}\n'
    (tmp_path / "old.stats").write_text(sealed)
    old = sari.read_statistics(tmp_path / "old.stats")
    assert old.score() == one.score()
    with pytest.raises(ValueError, match="SARI looks at the source, but that of one is not known"):
        bleuprint.compare({"one": old, "other": other})
    # Another count of segments than the line's, and columns of another name, are no statistics of the metric.
    for wrong in (text.replace('"segments":3', '"segments":4'), text.replace('["segments",', '["segment",')):
        fields = wrong[: wrong.rindex(',"sha256"')]
        sealed = f'{fields},"sha256":"{hashlib.sha256(fields.encode()).hexdigest()}"}}\n'
        (tmp_path / "wrong.stats").write_text(sealed)
        with pytest.raises(ValueError, match="wrong.stats"):
            sari.read_statistics(tmp_path / "wrong.stats")


def test_normalizers():
    hyps, refs = ["It's $20, Mr. Smith."], ["it is twenty dollars mister smith"]
    plain, normed = bleuprint.metric("wer"), bleuprint.metric("wer", norm="whisper-en")
    assert plain.score(hyps, refs).score > normed.score(hyps, refs).score
    assert "|norm:whisper-en" in normed.signature and "norm:whisper-en" in normed.state_key
    assert bleuprint.metric("wer:norm=whisper-en").score(hyps, refs) == normed.score(hyps, refs)
    recipe = bleuprint.Recipe(normed.score(hyps, refs).signature)
    assert recipe.metric().score(hyps, refs) == normed.score(hyps, refs)
    again = pickle.loads(pickle.dumps(normed))
    assert again.score(hyps, refs) == normed.score(hyps, refs) and again.signature == normed.signature
    chain = bleuprint.metric("bleu", norm="nfkc+lower")
    assert chain.score(["\uff21 B c d"], ["a b C D"]).score == pytest.approx(100)
    run = bleuprint.Evaluation(["wer", "chrf:norm=lower"], norm="whisper-en").run({"one": hyps}, refs)
    assert run.scores()["one"]["wer"] == normed.score(hyps, refs)
    assert run.scores()["one"]["chrf:norm=lower"] == bleuprint.metric("chrf", norm="lower").score(hyps, refs)
    with pytest.raises(ValueError, match="norm"):
        normed.accumulator().update(hyps, refs) + plain.accumulator().update(hyps, refs)
    hindi = "\u0928\u092e\u0938\u094d\u0924\u0947 \u0926\u0941\u0928\u093f\u092f\u093e"
    with pytest.warns(UserWarning, match="the normalizer `whisper-basic` strips marks from .* words of the script Devanagari"):
        bleuprint.metric("wer", norm="whisper-basic").score([hindi] * 3, [hindi] * 3)


def test_explain():
    rows = bleuprint.explain(HYPS, REFS)
    default = bleuprint.metric("bleu").score(HYPS, REFS).score
    assert rows[0]["score"] == default and rows[0]["changes"] == []
    found = bleuprint.explain(HYPS, REFS, target=f"{default:.2f}")
    assert abs(found[0]["score"] - default) < 0.005


def test_pools():
    numpy = pytest.importorskip("numpy")
    matrix = bleuprint.pairwise(HYPS, HYPS)
    assert matrix.shape == (3, 3) and matrix.dtype == numpy.float64
    bleu = bleuprint.metric("bleu")
    for row, hyp in zip(matrix, HYPS):
        assert row.tolist() == [bleu.sentences([hyp], [ref])[0].score for ref in HYPS]
    ids = [[1, 2, 3, 4], [1, 2, 3, 5], [7]]
    assert bleuprint.pairwise(ids, ids).tolist() == [
        [bleu.sentences([hyp], [ref])[0].score for ref in ids] for hyp in ids
    ]
    chosen = bleuprint.mbr(HYPS, metric="bleu")
    assert chosen.utilities == pytest.approx(matrix.mean(axis=1))
    assert chosen.best == int(matrix.mean(axis=1).argmax())
    assert bleuprint.mbr(ids, metric="wer", weights=[0, 0, 1]).best == 2
    assert bleuprint.mbr(HYPS, log_weights=[0, float("-inf"), float("-inf")]).best == 0
    alone = bleuprint.self_bleu(HYPS)
    assert [score.score for score in alone] == [
        bleu.sentences([hyp], [[other for other in HYPS if other is not hyp]])[0].score for hyp in HYPS
    ]


@pytest.mark.parametrize("name", [name for name, example in examples.NAMED if example.takes_any_texts])
@pytest.mark.parametrize("space", [None, "hf:1a2b"])
def test_pools_of_ids_are_those_of_ids(name, space):
    pytest.importorskip("numpy")
    ids = [[1, 2, 3, 4], [1, 2, 3, 5], [7], []]
    metric = bleuprint.metric(name, empty_references="keep") if space is None else None
    try:
        metric = bleuprint.metric(name, token_space=space, empty_references="keep")
        metric.sentences(ids, ids)
    except ValueError:
        # Looks at text, or needs a source.
        for refused in (lambda: bleuprint.pairwise(ids, ids, metric=metric or name), lambda: bleuprint.self_bleu(ids, metric=metric or name)):
            with pytest.raises(ValueError):
                refused()
        return
    if metric.info()["two_passes"]:
        metric = metric.learn(ids)
    own_tokens = ("rouge", "squad", "meteor", "ter", "TER", "edit_sim", "levenshtein", "fuzz", "difflib", "jaro", "ned")
    if name.startswith(own_tokens):
        with pytest.raises(ValueError, match="has tokens of its own, so its pools are of text, but these are ids"):
            bleuprint.pairwise(ids, ids, metric=metric)
    elif metric.needs_references:
        expected = [[metric.sentences([hyp], [ref])[0].score for ref in ids] for hyp in ids]
        assert bleuprint.pairwise(ids, ids, metric=metric).tolist() == expected
        alone = [metric.sentences([hyp], [[ref for ref in ids if ref is not hyp]])[0] for hyp in ids]
        # Signature, parts and all.
        assert bleuprint.self_bleu(ids, metric=metric) == alone


def test_rewards():
    numpy = pytest.importorskip("numpy")
    bleu = bleuprint.metric("bleu")
    scores = bleuprint.rewards(HYPS, REFS)
    assert scores.dtype == numpy.float32
    assert scores.tolist() == [numpy.float32(score.score) for score in bleu.sentences(HYPS, REFS)]
    ids = numpy.array([[5, 6, 7, 8, 1, 0], [5, 6, 1, 0, 0, 0], [1, 2, 3, 4, 1, 9], [9, 9, 9, 9, 9, 9]])
    references = [[[5, 6, 7, 8], [5, 6, 7]], [[1, 2, 3, 5]]]
    expected = [[5, 6, 7, 8], [5, 6], [2, 3, 4], [9] * 6]
    out = numpy.zeros(4, dtype=numpy.float32)
    filtered = bleuprint.rewards(ids[:2], references[:1], pad_id=0, eos_id=1, group_size=2, out=out[:2])
    assert filtered.tolist() == [100.0, numpy.float32(bleu.sentences([[5, 6]], references[:1])[0].score)]
    assert out[0] == 100.0
    for options in ({"group_size": 0}, {"group_size": -1}, {"group_size": 2**63}, {"group_size": 3}, {"out": numpy.zeros(1)}, {"pad_id": "x"}):
        with pytest.raises((ValueError, TypeError)):
            bleuprint.rewards(ids, references, **{"group_size": 2, **options})
    assert expected


class Length(bleuprint.Metric):
    """The ratio of lengths, in columns."""

    name = "length"
    columns = ("hypothesis", "reference")
    looks_at = "tokens"
    score_range = (0.0, None)

    def observe(self, state, hypothesis, references):
        return [state[0] + len(hypothesis), state[1] + min(map(len, references))]

    def finalize(self, state, segments):
        ratio = state[0] / state[1] if state[1] else 0.0
        return {"score": ratio, "hyp_len": state[0]}


class Words(bleuprint.Metric):
    """The number of different words, in a set: no row of counts."""

    name = "words"
    needs_references = False
    score_range = (0.0, None)

    def zero(self):
        return []

    def observe(self, state, hypothesis, references):
        return sorted(set(state) | set(hypothesis.split()))

    def merge(self, state, other):
        return sorted(set(state) | set(other))

    def finalize(self, state, segments):
        return len(state)


@pytest.mark.parametrize("metric", [Length(), Words()])
def test_a_metric_in_python(metric, tmp_path):
    metric.check_laws()
    given = arguments(metric)
    whole = metric.score(HYPS, **given)
    part, rest = metric.accumulator(), metric.accumulator()
    part.update(HYPS[:1], **{key: value[:1] for key, value in given.items()})
    rest.update(HYPS[1:], **{key: value[1:] for key, value in given.items()})
    assert (part + rest).compute() == whole
    stored = [bleuprint.Accumulator.from_bytes(metric, one.to_bytes()) for one in (part, rest)]
    assert sum(stored).compute() == whole
    each = metric.statistics(HYPS, **given)
    assert each.score() == whole
    assert set(each.slices(["a", "b", "a"])) == {"a", "b"}
    each.write(tmp_path / "own.stats")
    assert metric.read_statistics(tmp_path / "own.stats").score() == whole
    assert pickle.loads(pickle.dumps(part)) == part
    if metric.columns:
        assert each.confidence(n=20)["mean"] > 0
        rows = bleuprint.paired_test({"one": HYPS, "two": HYPS[::-1]}, REFS, metric=metric, n=20)
        assert len(rows) == 2
        assert whole.hyp_len == 17
        assert bleuprint.pairwise(HYPS, HYPS, metric=metric).shape == (3, 3)
        part.merge(rest)
        part.retract(rest)
        assert part.segments == 1


def raises(error):
    """For `data/refusals.txt`."""

    def verb(self, *arguments):
        raise error

    return verb


SPM = Path(__file__).parents[2] / "crates/text/tests/data/spm"


@pytest.mark.parametrize(
    ("model", "hypothesis", "reference", "expected"),
    [
        ("unigram", "the dog \u0436 bit", "the dog \u03a9 bit", 53.7284965911771),
        ("unigram", "the dog \u0436\u03a9 bit", "the dog \u0436\u03a9 bit", 100.00000000000004),
        ("bpe", "the dog \u0436 bit", "the dog \u03a9 bit", 42.72870063962342),
    ],
)
def test_unknown_pieces_match_only_where_their_texts_do(model, hypothesis, reference, expected):
    # What sacreBLEU 2.6.0 gives with these models.
    bleu = bleuprint.metric("bleu", tokenize="spm", tokenizer_model=str(SPM / f"{model}.model"))
    assert bleu.score([hypothesis], [[reference]]).score == expected


def test_lower_case_is_that_of_the_dialect():
    hypothesis, reference = "\u00c9T\u00c9 The cat IS on a mat", "\u00e9t\u00e9 the cat is on a mat"
    for dialect, case, whole in [("multi-bleu", "lc-ascii", False), ("multi-bleu-detok", "lc", True)]:
        score = bleuprint.metric("bleu", dialect=dialect, lowercase=True).score([hypothesis], [[reference]])
        assert (f"|case:{case}|" in str(score.signature), score.score > 99.0) == (True, whole)


def test_a_tokenizer_that_leaves_nothing_is_named():
    text = "\u0928\u092e\u0938\u094d\u0924\u0947 \u0926\u0941\u0928\u093f\u092f\u093e"
    rouge = bleuprint.metric("rougeL")
    for score in (
        lambda: rouge.score([text], [[text]]),
        lambda: rouge.sentences([text], [[text]]),
    ):
        with pytest.warns(UserWarning, match="the tokenizer `rouge` of ROUGE-L leaves nothing of 2 texts"):
            score()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rouge.score(["a b"], [["a b"]]).score == 1.0
        assert bleuprint.metric("rougeL", tokenize="word").score([text], [[text]]).score == 1.0


def test_names_are_taken_in_any_case():
    assert bleuprint.metric("BLEU").signature == bleuprint.metric("bleu").signature


def test_sessions_of_several_speakers():
    import json

    def session(*spoken):
        keys = ("speaker", "start_time", "end_time", "words")
        return json.dumps([dict(zip(keys, utterance)) for utterance in spoken])

    references = [session(("A", 0, 1, "good morning"), ("B", 1, 2, "see you"))]
    hypotheses = [session(("1", 1, 2, "see you"), ("2", 0, 1, "good day"))]
    sessions = [example.metric for example in examples.ALL if "speaker" in str(example.record["hypothesis"])]
    assert sessions
    for name in sessions:
        score = bleuprint.metric(name).score(hypotheses, references)
        assert (score.score, score.substitutions, score.ref_len) == (0.25, 1, 4)


def test_empty_references_are_what_they_are_said_to_be():
    """Through every door of text, ids and columns; `bleuprint.sacrebleu` does as sacreBLEU."""
    from bleuprint import sacrebleu, tables

    hypotheses, references = ["a b c d", "e f g h"], [["a b c d e f g h", " "], ["e f g h"]]
    streams = [["a b c d e f g h", "e f g h"], [" ", "e f g h"]]
    ids = [[1, 2, 3, 4], [5, 6, 7, 8]], [[[1, 2, 3, 4, 5, 6, 7, 8], []], [[5, 6, 7, 8]]]
    for meaning, expected in [("error", None), ("missing", 60.653), ("keep", 100.0)]:
        bleu = bleuprint.metric("bleu", empty_references=meaning)
        evaluation = bleuprint.Evaluation("bleu", empty_references=meaning)
        doors = [
            lambda: bleu.score(hypotheses, references),
            lambda: pickle.loads(pickle.dumps(bleu)).score(hypotheses, references),
            lambda: bleu.score(hypotheses, reference_streams=streams),
            lambda: bleu.score(*ids),
            lambda: bleu.score([text.split() for text in hypotheses], [[one.split() for one in own] for own in references]),
            lambda: bleu.accumulator().update(hypotheses, references).compute(),
            lambda: bleu.statistics(hypotheses, references).score(),
            lambda: evaluation.score(hypotheses, references)["bleu"],
            lambda: evaluation.run({"a": hypotheses}, references).scores()["a"]["bleu"],
            lambda: evaluation.run({"a": hypotheses}, reference_streams=streams).scores()["a"]["bleu"],
            lambda: tables.score(tables.state(bleu, hypotheses, references)),
            lambda: tables.score(tables.counts(bleu, hypotheses, references)),
        ]
        for door in doors:
            if expected is None:
                with pytest.raises(ValueError, match="segment 1: reference 2 is an empty reference"):
                    door()
            else:
                assert round(door().score, 3) == expected
    assert sacrebleu.corpus_bleu(hypotheses, streams).score == pytest.approx(100.0)
    with pytest.raises(ValueError, match="unknown meaning of empty references `drop`"):
        bleuprint.metric("bleu", empty_references="drop").score(hypotheses, references)


def test_rouge_155_lowers_a_to_z():
    scores = {name: bleuprint.metric(name).score(["i b"], ["\u0130 b"]).score for name in ("rougeS", "rougeSU", "rougeW", "rougeL")}
    assert scores["rougeS"] == 0.0 and scores["rougeL"] == 1.0
    assert max(scores["rougeSU"], scores["rougeW"]) < 0.9


def test_metrics_without_names_have_no_assignments():
    with pytest.raises(ValueError, match="BLEU matches no names"):
        bleuprint.metric("bleu").assignments(["a"], ["a"])
