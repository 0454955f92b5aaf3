"""Forms of data: lists, arrays, buffers, DLPack, Arrow; and refusals, with the place."""

import array
import pickle

import pytest

import bleuprint

BLEU = bleuprint.metric("bleu")
HYPS = [[5, 6, 7, 8], [5, 6], [1, 2, 3, 4]]
REFS = [[5, 6, 7, 9], [5, 6, 7], [1, 2, 3, 5]]
EXPECTED = BLEU.score(HYPS, REFS)


def numpy():
    return pytest.importorskip("numpy")


def padded(rows, pad=0, dtype="int64"):
    np = numpy()
    width = max(map(len, rows))
    return np.array([row + [pad] * (width - len(row)) for row in rows], dtype=dtype)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", ">i2", ">i4", ">i8", "<u4"])
def test_every_type_of_integer(dtype):
    hyps, refs = padded(HYPS, dtype=dtype), padded(REFS, dtype=dtype)
    assert BLEU.score(bleuprint.ids(hyps, pad_id=0), bleuprint.ids(refs, pad_id=0)) == EXPECTED
    assert BLEU.score(bleuprint.ids(hyps, lengths=[4, 2, 4]), bleuprint.ids(refs, lengths=[4, 3, 4])) == EXPECTED
    np = numpy()
    flat, offsets = np.concatenate([np.array(row, dtype=dtype) for row in HYPS]), np.array([0, 4, 6, 10], dtype=dtype)
    assert list(bleuprint.ids(flat, offsets=offsets)) == HYPS
    assert BLEU.score([np.array(row, dtype=dtype) for row in HYPS], REFS) == EXPECTED
    assert BLEU.score(hyps, hyps).sys_len == 12


def test_memory_in_any_order():
    np = numpy()
    hyps = padded(HYPS)
    for other in (np.asfortranarray(hyps), hyps[::-1][::-1], np.repeat(hyps, 2, axis=1)[:, ::2], hyps.copy()):
        other = other if other.flags.owndata else other
        assert list(bleuprint.ids(other, pad_id=0)) == HYPS
    frozen = padded(HYPS)
    frozen.flags.writeable = False
    assert list(bleuprint.ids(frozen, pad_id=0)) == HYPS
    assert list(bleuprint.ids(hyps.T)) == hyps.T.tolist()
    assert list(bleuprint.ids(np.zeros((0, 3), dtype="int64"))) == []
    assert list(bleuprint.ids(np.zeros((2, 0), dtype="int64"))) == [[], []]


def test_buffers_without_numpy():
    assert list(bleuprint.ids(array.array("i", [5, 6, 7]), offsets=[0, 2, 3])) == [[5, 6], [7]]
    assert BLEU.score([array.array("q", row) for row in HYPS], [array.array("H", row) for row in REFS]) == EXPECTED
    view = memoryview(array.array("i", range(6))).cast("B").cast("i", (2, 3))
    assert list(bleuprint.ids(view)) == [[0, 1, 2], [3, 4, 5]]
    assert list(bleuprint.ids(bytearray(b"ab"), offsets=[0, 2])) == [[97, 98]]


class Tensor:
    """The shape of another library's tensor."""

    def __init__(self, array):
        self._array = array

    def __dlpack__(self, **options):
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


def test_dlpack():
    assert BLEU.score(bleuprint.ids(Tensor(padded(HYPS)), pad_id=0), REFS) == EXPECTED
    assert BLEU.score([Tensor(numpy().array(row)) for row in HYPS], REFS) == EXPECTED

    class Elsewhere(Tensor):
        def __dlpack_device__(self):
            return (2, 0)

        def __dlpack__(self, **options):
            raise BufferError("on another device")

    with pytest.raises(ValueError, match="is it on the host"):
        BLEU.score(Elsewhere(padded(HYPS)), REFS)


def test_jax():
    jnp = pytest.importorskip("jax.numpy")
    hyps, refs = jnp.asarray(padded(HYPS)), jnp.asarray(padded(REFS))
    for kind in ("int8", "uint8", "int16", "int32", "uint32"):
        assert BLEU.score(bleuprint.ids(hyps.astype(kind), pad_id=0), bleuprint.ids(refs.astype(kind), pad_id=0)) == EXPECTED
    assert BLEU.score([jnp.array(row) for row in HYPS], [list(jnp.array(row)) for row in REFS]) == EXPECTED
    assert list(bleuprint.ids(jnp.array([5, 6, 7]), offsets=jnp.array([0, 2, 3]))) == [[5, 6], [7]]
    assert bleuprint.rewards(hyps, refs, pad_id=0).tolist() == bleuprint.rewards(HYPS, REFS).tolist()
    for wrong, error, message in (
        (hyps.astype("float32"), TypeError, "must be one of integers"),
        (hyps.astype(bool), TypeError, "must be one of integers"),
        (hyps.astype(jnp.bfloat16), ValueError, "cannot be read by `__dlpack__`"),
        (-hyps, ValueError, r"hypotheses\[0\]\[0\] is -5"),
    ):
        with pytest.raises(error, match=message):
            BLEU.score(wrong, refs)


def test_padding_and_ends():
    assert list(bleuprint.ids([[0, 5, 0, 6], [1, 5, 2, 6]], pad_id=0, eos_id=2)) == [[5, 6], [1, 5]]
    assert list(bleuprint.ids(numpy().array([[-100, 5, -100]]), pad_id=-100)) == [[5]]
    assert list(bleuprint.ids(numpy().array([[7, 5, 9, 4]]), pad_id=[7, 8], eos_id=[9])) == [[5]]
    assert list(bleuprint.ids(numpy().array([3, 0, 4, 2, 5]), offsets=[0, 3, 5], pad_id=0, eos_id=2)) == [[3, 4], []]


def test_references_of_ids():
    nested = [[one, [9]] for one in REFS]
    expected = BLEU.score(HYPS, nested)
    np = numpy()
    assert BLEU.score(HYPS, [[np.array(ref) for ref in refs] for refs in nested]) == expected
    assert BLEU.score(HYPS, [bleuprint.ids(refs) for refs in nested]) == expected
    assert BLEU.score(HYPS, reference_streams=[REFS, [[9]] * 3]) == expected
    assert BLEU.score(HYPS, reference_streams=[bleuprint.ids(padded(REFS), pad_id=0), [[9]] * 3]) == expected


def test_ids_are_sequences():
    ids = bleuprint.ids(HYPS)
    assert (len(ids), ids[1], ids[-1], list(ids)) == (3, [5, 6], [1, 2, 3, 4], HYPS)
    assert list(pickle.loads(pickle.dumps(ids))) == HYPS
    assert "3 sequences, 10 ids" in repr(ids)
    with pytest.raises(IndexError):
        ids[3]


def test_token_spaces():
    mine = bleuprint.metric("bleu", token_space="hf:3f2a")
    assert "|tok:hf:3f2a|" in mine.score(HYPS, REFS).signature
    state = mine.accumulator()
    state.update(HYPS, REFS)
    assert bleuprint.Accumulator.from_row(mine, state.row()) == state == pickle.loads(pickle.dumps(state))
    with pytest.raises(ValueError, match="empty corpus"):
        mine.accumulator().compute()
    with pytest.raises(ValueError, match="says what ids stand for, but the data are text"):
        mine.score(["a"], ["a"])


# -- Arrow ---------------------------------------------------------------------------------------------------------

TEXTS, ANSWERS = ["a b c d", "", "naïve 美"], ["a b c e", "x", "naïve 美"]


def test_arro3():
    core = pytest.importorskip("arro3.core")
    expected = BLEU.score(TEXTS, ANSWERS)
    texts, answers = core.Array(TEXTS, type=core.DataType.utf8()), core.Array(ANSWERS, type=core.DataType.large_utf8())
    assert BLEU.score(texts, answers) == expected
    assert BLEU.score(core.ChunkedArray([texts.slice(0, 1), texts.slice(1, 2)]), answers) == expected
    flat = core.Array([id for row in HYPS for id in row], type=core.DataType.int64())
    offsets = core.Array([0, 4, 6, 10], type=core.DataType.int32())
    assert BLEU.score(core.list_array(offsets, flat), REFS) == EXPECTED
    nested = core.list_array(core.Array([0, 1, 2, 3], type=core.DataType.int32()), answers)
    assert BLEU.score(texts, nested) == expected
    with pytest.raises(TypeError, match="must hold strings or lists"):
        BLEU.score(flat, REFS)
    with pytest.raises(ValueError, match=r"hypotheses\[1\] is null"):
        BLEU.score(core.Array(["a", None], type=core.DataType.utf8()), ["a", "b"])
    negative = core.list_array(core.Array([0, 1], type=core.DataType.int32()), core.Array([-1], type=core.DataType.int64()))
    with pytest.raises(ValueError, match=r"hypotheses\[0\]\[0\] is -1"):
        BLEU.score(negative, [[1]])


def test_pyarrow():
    pa = pytest.importorskip("pyarrow")
    expected = BLEU.score(TEXTS, ANSWERS)
    for kind in (pa.string(), pa.large_string(), pa.string_view()):
        assert BLEU.score(pa.array(TEXTS, kind), pa.array(ANSWERS, kind)) == expected
    assert BLEU.score(pa.chunked_array([TEXTS[:1], TEXTS[1:]]), ANSWERS) == expected
    assert BLEU.score(pa.array(TEXTS), pa.array([[answer] for answer in ANSWERS])) == expected
    for kind in (pa.int8(), pa.uint16(), pa.int64()):
        assert BLEU.score(pa.array(HYPS, pa.list_(kind)), pa.array(REFS, pa.large_list(kind))) == EXPECTED
    assert BLEU.score(pa.array(HYPS), pa.array([[ref, [9]] for ref in REFS])) == BLEU.score(HYPS, [[ref, [9]] for ref in REFS])
    assert BLEU.score(pa.array(["x", *TEXTS])[1:], ANSWERS) == expected
    table = pa.table({"hypothesis": TEXTS})
    assert BLEU.score(table["hypothesis"], ANSWERS) == expected
    assert BLEU.score(pa.array(TEXTS).dictionary_encode(), pa.chunked_array([ANSWERS]).dictionary_encode()) == expected
    for nested, message in (
        (pa.array([["a"], ["b", None], ["c"]]), r"references\[1\]\[1\] is null"),
        (pa.array([["a"], None, ["c"]]), r"references\[1\] is null"),
        (pa.array(["a", None, "c"]).dictionary_encode(), r"references\[1\] is null"),
    ):
        with pytest.raises(ValueError, match=message):
            BLEU.score(TEXTS, nested)
    with pytest.raises(ValueError, match=r"references\[1\]\[0\]\[1\] is -2"):
        BLEU.score(HYPS, pa.array([[[1]], [[1, -2]], [[1]]]))
    class Capsules:
        """Gives the same capsules each time, or those of two arrays."""

        def __init__(self, schema, array):
            self.pair = schema.__arrow_c_array__()[0], array.__arrow_c_array__()[1]

        def __arrow_c_array__(self, requested_schema=None):
            return self.pair

    again = Capsules(pa.array(TEXTS), pa.array(TEXTS))
    assert BLEU.score(again, ANSWERS) == expected
    lists, fixed = pa.array([[1]]), pa.array([[1, 2]], pa.list_(pa.int32(), 2))
    for broken in (again, *(Capsules(one, two) for one in (pa.array(["a"]), lists) for two in (pa.array([1]), fixed))):
        with pytest.raises(ValueError, match="hypotheses breaks the interface of Arrow|hypotheses: C Data"):
            BLEU.score(broken, ["a"])
    deep = pa.int64()
    for _ in range(3000):
        deep = pa.list_(deep)
    for array in (pa.array([], deep), pa.chunked_array([], deep)):
        for call in (lambda one: BLEU.score(one, ["a"]), lambda one: BLEU.score(["a"], one)):
            with pytest.raises(TypeError, match="more than 8 levels of lists"):
                call(array)
    with pytest.raises(TypeError, match="is an Arrow table"):
        BLEU.score(table, ANSWERS)
    for wrong in (pa.array([1.5]), pa.array([[1.5]]), pa.array([[None]], pa.list_(pa.int64())), pa.array([None], pa.string())):
        with pytest.raises((TypeError, ValueError)):
            BLEU.score(wrong, ["a"])


def test_polars():
    pl = pytest.importorskip("polars")
    assert BLEU.score(pl.Series(TEXTS), pl.Series(ANSWERS)) == BLEU.score(TEXTS, ANSWERS)
    assert BLEU.score(pl.Series(HYPS), pl.Series(REFS)) == EXPECTED
    assert BLEU.score(pl.Series(TEXTS).cast(pl.Categorical), ANSWERS) == BLEU.score(TEXTS, ANSWERS)
    assert BLEU.score(pl.Series(TEXTS, dtype=pl.Enum(TEXTS)), ANSWERS) == BLEU.score(TEXTS, ANSWERS)
    square = pl.Series([[1, 2], [3, 4]], dtype=pl.Array(pl.UInt16, 2))
    assert BLEU.score(square, square).counts == [4, 2, 0, 0]


def test_columns_of_strings():
    np, expected = numpy(), BLEU.score(TEXTS, ANSWERS)
    assert BLEU.score(np.array(TEXTS), np.array(ANSWERS, dtype=object)) == expected
    several = np.empty(3, dtype=object)
    several[:] = [[answer, "y"] for answer in ANSWERS]
    assert BLEU.score(TEXTS, several) == BLEU.score(TEXTS, [[answer, "y"] for answer in ANSWERS])


def test_sequences_of_other_classes():
    """A sequence by its own account is read as a list; text and arrays are not, nor collections without an order of segments."""
    import collections

    for kind in (collections.UserList, collections.deque, tuple):
        assert BLEU.score(kind(TEXTS), kind(ANSWERS)) == BLEU.score(TEXTS, ANSWERS)
    assert BLEU.score([range(1, 5)], [collections.deque([1, 2, 3, 4])]).counts == [4, 3, 2, 1]
    for wrong in (collections.UserString("ab"), {"a": 1}, {"a"}, {"a": 1}.keys(), bytearray(b"a")):
        with pytest.raises((TypeError, ValueError)):
            BLEU.score(wrong, ["a"])


def test_pandas():
    pd = pytest.importorskip("pandas")
    assert BLEU.score(pd.Series(TEXTS), pd.Series(ANSWERS)) == BLEU.score(TEXTS, ANSWERS)
