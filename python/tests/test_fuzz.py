"""Any input gives a result, a ValueError or a TypeError."""

import array
import collections
import os
import random
import sys

import pytest

import bleuprint
import bleuprint.sacrebleu as sacrebleu

ROUNDS = int(os.environ.get("BLEUPRINT_FUZZ", "4000"))


class Liar:
    """Claims to be everything."""

    def __len__(self):
        return 3

    def __getitem__(self, at):
        return self

    def __arrow_c_array__(self, schema=None):
        return 5, "x"

    def __dlpack__(self, **options):
        return None

    def __index__(self):
        raise RuntimeError("no")


class Capsules:
    """Gives capsules of the wrong name, which must stay unread."""

    def __arrow_c_stream__(self, schema=None):
        import datetime

        return datetime.datetime_CAPI

    def __arrow_c_array__(self, schema=None):
        import datetime

        return datetime.datetime_CAPI, datetime.datetime_CAPI


def atom(generator):
    return generator.choice([
        "a b c d", "", "x" * 50, collections.deque(["a b"]), collections.UserList([[1, 2]]), collections.UserString("x"), "\ud800", "\x00", "naïve 美 🙂", "a\nb", None, 0, 5, -1, 2**32, 2**80, 1.5, float("nan"),
        True, b"ab", object(), [], (), {}, {"a": 1}, set(), Liar(), Capsules(), array.array("i", [1, 2]),
        array.array("d", [1.0]), memoryview(b"abcd"), bytearray(b"xy"), range(3), int, lambda: 5, "the dog bit the man",
    ])


def thing(generator, depth=0):
    if depth > 3 or generator.random() < 0.4:
        return atom(generator)
    if generator.random() < 0.3:
        numpy = sys.modules.get("numpy")
        if numpy is not None:
            kind = generator.choice(["i1", "u8", ">i4", "f8", "?", "i8", "U3", "O"])
            shape = [generator.randrange(3) for _ in range(generator.randrange(4))]
            return numpy.zeros(shape, dtype=kind)
    # Mostly alike, as data is, so that something is found behind the first item.
    items = [thing(generator, depth + 1) for _ in range(generator.randrange(4))]
    if items and generator.random() < 0.5:
        items = items[:1] * len(items)
    return generator.choice([list, tuple])(items)


def number(generator):
    return generator.choice([None, 0, 1, 2, -1, 5, 2**70, 1.5, "x", True, float("inf")])


def calls(generator):
    metric = bleuprint.metric(generator.choice(["bleu", "chrf", "ter", "wer", "rougeL", "distinct", "sari", "nist"]))
    one, two, three = thing(generator), thing(generator), thing(generator)
    state = metric.accumulator()
    yield lambda: metric.score(one, two)
    yield lambda: metric.score(one, two, sources=three, threads=generator.choice([None, 1, 2]))
    yield lambda: metric.score(one, reference_streams=two)
    yield lambda: metric.sentences(one, two)
    yield lambda: state.update(one, two) and state.compute()
    yield lambda: metric.statistics(one, two).score()
    yield lambda: bleuprint.Accumulator.from_bytes(metric, one if isinstance(one, bytes) else repr(one).encode())
    yield lambda: bleuprint.ids(one, offsets=two)
    yield lambda: bleuprint.ids(one, lengths=two, pad_id=three)
    yield lambda: bleuprint.rewards(one, two, metric=metric, group_size=generator.choice([0, 1, 2]))
    yield lambda: bleuprint.pairwise(one, two, metric="bleu")
    yield lambda: bleuprint.mbr(one, two, metric="bleu")
    yield lambda: bleuprint.self_bleu(one)
    yield lambda: bleuprint.explain(one, two, tokenizers=["13a"])
    yield lambda: bleuprint.paired_test({"a": one, "b": two}, three, n=5)
    yield lambda: bleuprint.metric(generator.choice(["nist", "cider"])).learn(one).score(two, one)
    yield lambda: bleuprint.metric("nist").learn(reference_streams=one)
    yield lambda: bleuprint.metric("nist", learned=atom(generator))
    yield lambda: bleuprint.paired_test({"a": one, "b": two}, three, n=5, test="randomization", confidence=number(generator))
    yield lambda: bleuprint.metric("bleu", max_order=number(generator), smooth_value=number(generator), tokenize=atom(generator))
    yield lambda: metric.score(["a"], ["a"], threads=number(generator))
    yield lambda: sacrebleu.corpus_bleu(one, two)
    yield lambda: sacrebleu.corpus_chrf(one, two, strict=False)
    yield lambda: sacrebleu.sentence_bleu(one, two)
    yield lambda: sacrebleu.corpus_ter(one, two)


#: The drop-in also raises sacreBLEU's errors.
ALLOWED = (ValueError, TypeError, IndexError, KeyError, AttributeError, AssertionError, RuntimeError, ZeroDivisionError)


@pytest.mark.parametrize("seed", range(4))
def test_anything(seed):
    pytest.importorskip("numpy")
    generator = random.Random(seed)
    done = fine = 0
    while done < ROUNDS // 4:
        for call in calls(generator):
            done += 1
            try:
                call()
                fine += 1
            except ALLOWED as error:
                # A panic of the native part is a BaseException, and would not come here.
                assert "panick" not in str(error)
    assert fine
