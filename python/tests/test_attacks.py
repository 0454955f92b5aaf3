"""Attacks on the door, each of which some version has not withstood, or might not: objects that lie, data that changes,
exceptions out of every verb, forged bytes. No crash, no wrong exception, an error that says where."""

import collections
import ctypes
import gc
import gzip
import hashlib
import json
import pickle
import subprocess
import sys
import threading
import time

import pytest

import bleuprint
from bleuprint import _native

BLEU = bleuprint.metric("bleu")


def numpy():
    return pytest.importorskip("numpy")


# -- Objects that lie ----------------------------------------------------------------------------------------------


class Endless(collections.abc.Sequence):
    """Says that it is large, and is not."""

    def __init__(self, length=10**12):
        self.length = length

    def __len__(self):
        return self.length

    def __getitem__(self, at):
        if at > 2:
            raise IndexError
        return "a"


class Nested(collections.abc.Sequence):
    """Holds others of its kind, without end."""

    def __len__(self):
        return 2

    def __getitem__(self, at):
        if at < 2:
            return Nested()
        raise IndexError


class LongList(list):
    def __len__(self):
        return 10**18

    def __iter__(self):
        raise RuntimeError("must not be asked")


class Hostile:
    """Raises whatever is asked."""

    def __getattr__(self, name):
        raise RuntimeError(f"no {name}")

    def __repr__(self):
        raise RuntimeError("no repr")

    __str__ = __repr__


class Nameless(type):
    @property
    def __name__(cls):
        raise RuntimeError("no name")

    def __instancecheck__(cls, other):
        raise RuntimeError("no check")


class Strange(metaclass=Nameless):
    pass


class Column:
    """Looks like a column of objects, and gives anything."""

    ndim = 1

    def __init__(self, result):
        self.result = result
        self.dtype = type("dtype", (), {"kind": "O"})()

    def tolist(self):
        if isinstance(self.result, BaseException):
            raise self.result
        return self.result


def itself():
    endless = []
    endless.append(endless)
    return endless


LIARS = [
    lambda: Endless(), lambda: Endless(-5), lambda: Nested(), lambda: Hostile(), lambda: Strange(), itself, lambda: Column(5), lambda: Column([1.5]),
    lambda: [Hostile()], lambda: [Strange()], lambda: [[Hostile()]], lambda: Strange, lambda: [Nested()],
]


@pytest.mark.parametrize("liar", LIARS, ids=range(len(LIARS)))
def test_liars(liar):
    for call in (
        lambda one: BLEU.score(one, ["a"]),
        lambda one: BLEU.score(["a"], one),
        lambda one: BLEU.score(["a"], reference_streams=one),
        lambda one: BLEU.score([[1]], one),
        lambda one: BLEU.score(["a"], ["a"], threads=one),
        lambda one: bleuprint.ids(one),
        lambda one: bleuprint.ids([[1]], pad_id=one),
        lambda one: bleuprint.metric("nist").learn(one),
        lambda one: bleuprint.self_bleu(one),
    ):
        with pytest.raises((TypeError, ValueError, RuntimeError, MemoryError)):
            call(liar())


def test_lists_that_lie_about_themselves_are_read_as_they_are():
    assert BLEU.score(LongList(["a b c d"]), LongList(["a b c d"])).counts == [4, 3, 2, 1]


@pytest.mark.parametrize("exception", [KeyboardInterrupt, SystemExit, MemoryError, ZeroDivisionError])
def test_what_python_code_raises_is_not_hidden(exception):
    class Index:
        def __index__(self):
            raise exception("mine")

    with pytest.raises(exception, match="mine"):
        BLEU.score([[1, Index()]], [[1]])
    with pytest.raises(exception, match="mine"):
        BLEU.score(["a"], ["a"], threads=Index())
    with pytest.raises(exception, match="mine"):
        BLEU.score(Column(exception("mine")), ["a"])


def test_lists_that_change_while_they_are_read():
    class Clears:
        def __init__(self, *lists):
            self.lists = lists

        def __index__(self):
            for one in self.lists:
                one.clear()
            gc.collect()
            return 7

    inner, outer = [1, 2, 3], []
    inner[1] = Clears(inner, outer)
    outer.append(inner)
    assert BLEU.score(outer, [[1, 7, 3]]).counts == [3, 2, 1, 0]


def test_calls_from_within_calls():
    class Index:
        def __index__(self):
            return BLEU.score([[1, 2]], [[1, 2]]).counts[0]

    assert BLEU.score([[1, Index()]], [[1, 2]]).counts[:2] == [2, 1]
    inner = []
    state = BLEU.accumulator()

    def progress(done, total):
        inner.append(BLEU.score(["a b"] * 50, ["a b"] * 50, threads=2).score)
        state.update(["a"], ["a"])

    for threads in (1, 2):
        BLEU.score(["a b"] * 100, ["a b"] * 100, progress=progress, threads=threads)
    assert len(inner) >= 2 and state.segments == len(inner)


# -- Arrays --------------------------------------------------------------------------------------------------------


def test_arrays_that_change_in_another_thread():
    np = numpy()
    array, done = np.ones((200, 300), dtype="int64"), threading.Event()

    def change():
        while not done.is_set():
            array[:] = np.random.default_rng().integers(0, 1000, array.shape)
            array[7, 7] = -1
            array[7, 7] = 1

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(100):
            try:
                score = BLEU.score(array, array)
                assert 0 <= score.score <= 100.0000001
            except ValueError as error:
                assert "hypotheses[7][7]" in str(error) or "references[7][7]" in str(error) or "holds no ids" in str(error)
    finally:
        done.set()
        thread.join()


def test_arrays_of_every_shape_and_kind():
    np = numpy()
    square = np.arange(8, dtype=">i4").reshape(2, 4)
    assert list(bleuprint.ids(square[:, ::-2])) == [[3, 1], [7, 5]]
    assert list(bleuprint.ids(square[::-1, ::-1])) == [[7, 6, 5, 4], [3, 2, 1, 0]]
    assert BLEU.score(np.broadcast_to(np.int64(3), (2, 5)), np.broadcast_to(np.int8(3), (2, 5))).counts == [10, 8, 6, 4]
    assert list(bleuprint.ids(np.frombuffer(b"x" + np.arange(4, dtype="i8").tobytes(), dtype="i8", offset=1).reshape(2, 2))) == [[0, 1], [2, 3]]
    assert list(bleuprint.ids(((ctypes.c_int * 2) * 2)((1, 2), (3, 4)))) == [[1, 2], [3, 4]]
    assert len(bleuprint.ids(np.broadcast_to(np.int32(1), (0, 10**12)))) == 0
    view = memoryview(b"abc")
    view.release()
    with pytest.raises(ValueError, match="released"):
        bleuprint.ids(view)


def test_masked_items_are_not_taken_for_data():
    np = numpy()
    assert BLEU.score(np.ma.array([[1, 2]]), [[1, 2]]).counts[:2] == [2, 1]


def test_places_to_write_to():
    np = numpy()
    frozen = np.zeros(1)
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        bleuprint.rewards(["a"], ["a"], out=frozen)


# -- Metrics in Python ---------------------------------------------------------------------------------------------


class Counted(bleuprint.Metric):
    name = "counted"
    columns = ("segments_seen", "length")

    def observe(self, state, hypothesis, references):
        return [state[0] + 1, state[1] + len(hypothesis)]

    def finalize(self, state, segments):
        return state[0] / max(1, state[1])


class Gathered(bleuprint.Metric):
    name = "gathered"

    def zero(self):
        return []

    def observe(self, state, hypothesis, references):
        return state + [hypothesis]

    def merge(self, state, other):
        return state + other

    def finalize(self, state, segments):
        return float(len(state))


HYPS, REFS = ["a b", "c d e", "f"] * 30, [["a"], ["b"], ["c"]] * 30

USES = {
    "score": lambda metric: metric.score(HYPS, REFS),
    "threads": lambda metric: metric.score(HYPS, REFS, threads=2),
    "sentences": lambda metric: metric.sentences(HYPS, REFS),
    "statistics": lambda metric: metric.statistics(HYPS, REFS).score(),
    "confidence": lambda metric: metric.statistics(HYPS, REFS).confidence(n=5, threads=2),
    "paired": lambda metric: bleuprint.paired_test({"a": HYPS, "b": HYPS[::-1]}, REFS, metric=metric, n=5, threads=2),
    "compare": lambda metric: bleuprint.compare({"a": HYPS, "b": HYPS[::-1]}, REFS, metric=metric, n=5),
    "pairwise": lambda metric: bleuprint.pairwise(HYPS[:3], HYPS[:3], metric=metric, threads=2),
    "mbr": lambda metric: bleuprint.mbr(HYPS[:3], metric=metric),
    "self": lambda metric: bleuprint.self_bleu(HYPS[:3], metric=metric),
    "rewards": lambda metric: bleuprint.rewards(HYPS, REFS, metric=metric),
}


@pytest.mark.parametrize("exception", [KeyError, KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("base, verb", [
    (Counted, "zero"), (Counted, "observe"), (Counted, "finalize"), (Counted, "options"),
    (Gathered, "zero"), (Gathered, "observe"), (Gathered, "merge"), (Gathered, "finalize"), (Gathered, "options"),
])
def test_what_a_verb_raises_comes_out(base, verb, exception):
    numpy()

    def raises(self, *arguments):
        raise exception("mine")

    metric = type("Broken", (base,), {verb: raises})()
    for name, use in USES.items():
        if base is Gathered and (name in ("confidence", "paired", "compare") or verb == "merge" and name not in ("score", "threads", "statistics")):
            continue
        with pytest.raises(exception, match="mine"):
            use(metric)
        # And only there: nothing is left behind for the next error.
        with pytest.raises(ValueError, match="segment 1: no references"):
            BLEU.score(["a"], [[]])
    with pytest.raises(AssertionError if issubclass(exception, Exception) and verb != "options" else exception):
        metric.check_laws()
    with pytest.raises(ValueError, match="segment 1: no references"):
        BLEU.score(["a"], [[]])


def test_laws_that_are_broken_are_told_once():
    """In the exception, with its cause, and not also on the standard error."""
    code = (
        "import bleuprint\n"
        "class Broken(bleuprint.Metric):\n"
        "    name = 'broken'\n"
        "    columns = ('a',)\n"
        "    def observe(self, state, hypothesis, references):\n"
        "        raise KeyError('mine')\n"
        "    def finalize(self, state, segments):\n"
        "        return 0.0\n"
        "try:\n"
        "    Broken().check_laws()\n"
        "except AssertionError as error:\n"
        "    assert isinstance(error.__cause__, KeyError), error.__cause__\n"
        "else:\n"
        "    raise SystemExit(1)\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")


def test_a_finalize_that_raises_breaks_the_laws():
    class Broken(Counted):
        def finalize(self, state, segments):
            raise ZeroDivisionError("mine")

    with pytest.raises(AssertionError, match="no reason of a definition: ZeroDivisionError: mine"):
        Broken().check_laws()

    class Silent(Counted):
        def finalize(self, state, segments):
            raise ValueError("no score here")

    with pytest.raises(AssertionError, match="no segment changes the score"):
        Silent().check_laws()


def test_a_merge_that_would_not_be_called():
    class Largest(Counted):
        def merge(self, state, other):
            return [max(one, two) for one, two in zip(state, other)]

    with pytest.raises(TypeError, match="Largest has columns, which are added up, so its merge would not be called"):
        Largest().score(HYPS, REFS)


@pytest.mark.parametrize("result", [None, "x", float("nan"), float("inf"), [], {}, {"score": "x"}, {"score": 1.0, "part": object()}, 10**400, object()])
def test_results_that_are_no_scores(result):
    metric = type("Broken", (Counted,), {"finalize": lambda self, state, segments: result})()
    with pytest.raises((TypeError, ValueError, OverflowError)):
        metric.score(HYPS, REFS)


@pytest.mark.parametrize("state", [5, "x", {}, [1], [1, -1], [1, 2**64], [1.5, 2], [None, 1], [True, "x"], object()])
def test_states_that_are_none(state):
    metric = type("Broken", (Counted,), {"observe": lambda self, old, hypothesis, references: state})()
    with pytest.raises((TypeError, ValueError)):
        metric.score(HYPS, REFS)


@pytest.mark.parametrize("state", [object(), {1, 2}, b"x", float("nan"), {"a": {1}}, lambda: 5, itself()], ids=range(7))
def test_states_that_json_cannot_write(state):
    metric = type("Broken", (Gathered,), {"observe": lambda self, old, hypothesis, references: state})()
    with pytest.raises((TypeError, ValueError)):
        metric.score(HYPS, REFS)


@pytest.mark.parametrize("attribute, value", [
    ("name", ""), ("name", "a|b"), ("name", 5), ("version", -1), ("version", "x"), ("columns", 5), ("columns", [5]), ("score_range", 5),
    ("score_range", (1,)), ("score_range", ("a", None)), ("looks_at", "x"), ("needs_references", "x"), ("needs_sources", None), ("higher_is_better", "x"),
    ("options", lambda self: 5), ("options", lambda self: {5: 1}), ("options", lambda self: {"a": Hostile()}),
])
def test_classes_that_say_nonsense(attribute, value):
    metric = type("Broken", (Counted,), {attribute: value})()
    with pytest.raises((TypeError, ValueError, OverflowError, RuntimeError)):
        metric.score(HYPS, REFS)


def test_columns_of_one_name():
    metric = type("Twice", (Counted,), {"columns": ("a", "a")})()
    with pytest.raises(ValueError):
        metric.accumulator().update(HYPS, REFS)
        raise ValueError("or they are told apart")


def test_metrics_used_by_many_threads():
    metrics, errors = [Counted(), Gathered(), BLEU], []

    def use():
        try:
            for _ in range(20):
                for metric in metrics:
                    assert metric.score(HYPS, REFS) == expected[metric.name]
                    with pytest.raises(KeyError, match="mine"):
                        type("Broken", (Counted,), {"observe": lambda *_: {}["mine"]})().score(HYPS, REFS)
        except BaseException as error:  # noqa: B036
            errors.append(error)

    expected = {metric.name: metric.score(HYPS, REFS) for metric in metrics}
    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors, errors[0]


def test_one_accumulator_of_many_threads():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for metric in (BLEU, Counted()):
            state = metric.accumulator()
            other = metric.accumulator()
            other.update(["a b"], ["a b"])

            def use():
                for _ in range(200):
                    state.update(["a b"], ["a b"])
                    state.merge(other)
                    state.retract(other)

            threads = [threading.Thread(target=use) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert state.segments == 800
    finally:
        sys.setswitchinterval(before)


# -- Bytes ---------------------------------------------------------------------------------------------------------


def test_pickles_that_were_cut_or_changed():
    state = BLEU.accumulator()
    state.update(["a b"], ["a b"])
    for thing in (state, BLEU, bleuprint.ids([[1, 2], [3]]), BLEU.score(["a"], ["a"]), bleuprint.metric("nist").learn(["a b"])):
        data = pickle.dumps(thing)
        for at in range(0, len(data), 11):
            for forged in (data[:at], data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]):
                try:
                    repr(pickle.loads(forged))
                except Exception as error:
                    assert "panick" not in str(error)


@pytest.mark.parametrize("change", [
    lambda head, end: end["total"][0].__setitem__(0, 2**64 - 1),
    lambda head, end: end["total"][0].__setitem__(1, 2**63),
    lambda head, end: end["total"][0].__setitem__(0, -1),
    lambda head, end: end["total"][0].__setitem__(0, 1.5),
    lambda head, end: head["metrics"][0].update(key="bleu/1|order:100000000|case:mixed|tok:13a"),
    lambda head, end: head["metrics"][0].update(key="chrf/1"),
    lambda head, end: head["metrics"][0].update(key=5),
    lambda head, end: head["metrics"][0]["columns"].append("more"),
    lambda head, end: head["metrics"].append(head["metrics"][0]),
    lambda head, end: head.update(format="bleuprint-stats/9"),
    lambda head, end: head.update(more=1),
    lambda head, end: end.update(total=[None]),
    lambda head, end: end.update(segments=2),
    lambda head, end: end["total"][0].append(1),
    # More matches than tokens.
    lambda head, end: end["total"][0].__setitem__(head["metrics"][0]["columns"].index("clipped_1"), 3),
])
def test_states_that_no_data_can_give(change):
    state = BLEU.accumulator()
    state.update(["a b"], ["a b"])
    head, end = map(json.loads, state.to_bytes().splitlines())
    lines = lambda: "\n".join(json.dumps(line, separators=(",", ":")) for line in (head, end))
    assert bleuprint.Accumulator.from_bytes(BLEU, resealed(lines()).encode()) == state
    change(head, end)
    with pytest.raises(ValueError, match="^(?!.*SHA-256)"):
        bleuprint.Accumulator.from_bytes(BLEU, resealed(lines()).encode())


@pytest.mark.parametrize("metric", [BLEU, Counted(), Gathered()])
def test_no_bit_of_a_state_can_change(metric):
    state = metric.accumulator()
    state.update(["a b", "c"], ["a b", "d"])
    data = state.to_bytes()
    assert bleuprint.Accumulator.from_bytes(metric, data) == state
    for at in range(len(data)):
        for bit in range(8):
            with pytest.raises(ValueError):
                bleuprint.Accumulator.from_bytes(metric, data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :])


def resealed(text):
    """With a right checksum, so that the fault must be found by other checks."""
    fields = text[: text.rindex(',"sha256"')]
    return f'{fields},"sha256":"{hashlib.sha256(fields.encode()).hexdigest()}"}}\n'


def test_statistics_that_were_cut_or_changed(tmp_path):
    """At every door: a file, a run of files, a baseline of a gate, a pickle."""
    hyps, refs = ["a b c d", "e f"], ["a b c x", "e f"]
    bleu, place = BLEU, tmp_path / "base.stats"
    bleu.statistics(hyps, refs, system="mine").write(place)
    whole, score = place.read_bytes(), bleu.score(hyps, refs)
    policy = tmp_path / "gate.toml"
    policy.write_text('format = "bleuprint-gate/1"\nbaseline = "base.stats"\n[[rule]]\nmetric = "bleu"\nmax-drop = 0.5\n')
    run = bleuprint.Evaluation("bleu").run({"new": hyps}, refs)
    # Two segments are too few for a verdict, but the file is read.
    assert bleuprint.gate(policy, run).outcome == "inconclusive"

    def refused(data, match=""):
        place.write_bytes(data)
        for read in (lambda: bleu.read_statistics(place), lambda: bleuprint.Run.read([place])):
            with pytest.raises(ValueError, match="base.stats") as raised:
                read()
            assert match in str(raised.value)
        verdict = bleuprint.gate(policy, run)
        assert verdict.outcome == "error" and verdict.exit_code == 2 and "base.stats" in verdict.text()

    for at in range(0, len(whole), 17):
        refused(whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :])
        refused(whole[:at])
    refused(whole + whole)
    refused(gzip.compress(whole)[:-9])
    lines = whole.decode().splitlines(keepends=True)
    head, first, second, end = lines
    for forged, words in (
        (head + first + end, "the end line counts 2 segments, but there are 1"),
        (head + first + first + second + end, "the end line counts 2 segments, but there are 3"),
        (head + first.replace("[[1,", "[[2,", 1) + second + end, "counts 2 segments"),
        (head + first.replace("[[1,1,1,", "[[1,3,1,", 1) + second + end, "base.stats"),
        (head + "x" * 3_000_000 + "\n" + second + end, "line 2"),
        (head + "[" * 3_000_000 + "\n" + second + end, "line 2"),
        ("1," * 3_000_000, "line 1"),
    ):
        data = resealed(forged) if ',"sha256"' in forged else forged
        refused(data.encode(), words)
    # As it was, and compressed.
    for data in (whole, gzip.compress(whole)):
        place.write_bytes(data)
        assert bleu.read_statistics(place).score() == score
    data = pickle.dumps(bleu.read_statistics(place))
    for at in range(0, len(data), 7):
        for forged in (data[:at], data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]):
            try:
                read = pickle.loads(forged)
            except Exception as error:
                assert "panick" not in str(error)
            else:
                # The names of the metric and of its owner have no checksum.
                if isinstance(read, bleuprint.Statistics):
                    try:
                        repr(read.score())
                    except ValueError as error:
                        assert "panick" not in str(error)


def test_native_classes_are_not_made_by_hand():
    finisher = _native.BleuFinisher("exp", None, 9, True, False)
    for state in (BLEU._engine.zero(), bleuprint.metric("chrf")._engine.zero()):
        with pytest.raises(ValueError):
            finisher(state)


def test_interruption_of_pools():
    """Ctrl-C ends long work of every kind soon."""
    import signal

    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        pytest.skip("no timers of signals")
    numpy()
    texts = [f"the dog {at} bit the man {at % 7} times, he said" * 3 for at in range(3000)]

    def stop(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    try:
        for work in (
            lambda: bleuprint.pairwise(texts, texts, metric="chrf"),
            lambda: bleuprint.mbr(texts, metric="chrf"),
            lambda: bleuprint.rewards(texts * 50, texts * 50, metric="ter"),
        ):
            start = time.monotonic()
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            with pytest.raises(KeyboardInterrupt):
                while time.monotonic() - start < 60:
                    work()
            assert time.monotonic() - start < 30
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
