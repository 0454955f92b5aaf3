"""Nesting of texts and tokens: a list too many or too few is refused or warned of at every door."""

import functools
import importlib
import warnings

import bleuprint
import numpy
import pytest
from bleuprint import tables
from bleuprint.adapters.distributed import SummedMetric
from bleuprint.adapters.evaluate import Evaluation, Rouge
from bleuprint.adapters.trl import reward_function

TEXTS = ["the cat sat on the mat", "a dog ran in the park"]
REFERENCES = ["the cat sat on a mat", "the dog ran in the big park"]
WORDS = [text.split() for text in REFERENCES]


def wrapped(texts):
    return [[text] for text in texts]


DOORS = {
    "score": lambda h, r: bleuprint.metric("bleu").score(h, r).score,
    "wer": lambda h, r: bleuprint.metric("wer").score(h, r).score,
    "sentences": lambda h, r: bleuprint.metric("bleu").sentences(h, r)[0].score,
    "accumulator": lambda h, r: bleuprint.metric("bleu").accumulator().update(h, r),
    "metrics": lambda h, r: bleuprint.metrics("bleu", "rouge1").score(h, r),
    "compare": lambda h, r: bleuprint.compare({"a": h, "b": h}, r),
    "run": lambda h, r: bleuprint.metrics("bleu").run({"a": h, "b": h}, r),
    "rewards": lambda h, r: bleuprint.rewards(h, r),
    "trl": lambda h, r: reward_function("rouge1")(completions=h, reference=r),
    "evaluate": lambda h, r: Evaluation("chrf").compute(predictions=h, references=r),
    "rouge": lambda h, r: Rouge().compute(predictions=h, references=r),
    "distributed": lambda h, r: SummedMetric("ter").update(h, r),
    "counts": lambda h, r: tables.counts("bleu", h, r),
    "pairwise": lambda h, r: bleuprint.pairwise(h, r),
}


@pytest.mark.parametrize("door", DOORS)
def test_texts_in_a_list_too_many_are_refused(door):
    with pytest.raises((TypeError, ValueError), match="one token with white space|is list|must be"):
        DOORS[door](wrapped(TEXTS), wrapped(REFERENCES))


def test_the_message_says_what_was_found_and_meant():
    score = bleuprint.metric("bleu").score
    with pytest.raises(TypeError, match=r"hypotheses has lists of one token .* as \['the cat sat on the mat'\].*give a text for each segment"):
        score(wrapped(TEXTS), wrapped(REFERENCES))
    with pytest.raises(TypeError, match="references has lists of one token.*the hypotheses are lists of tokens, so split the references too"):
        score([text.split() for text in TEXTS], wrapped(REFERENCES))
    with pytest.raises(TypeError, match="references has lists of one token"):
        score([text.split() for text in TEXTS], [[[text]] for text in REFERENCES])
    with pytest.raises(TypeError, match=r"reference_streams\[0\] has lists"):
        score([text.split() for text in TEXTS], reference_streams=[wrapped(REFERENCES)])


def test_tokens_are_tokens():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tokens = [[text.split() for text in side] for side in (TEXTS, REFERENCES)]
        assert bleuprint.metric("bleu").score(*tokens).score == bleuprint.metric("bleu", tokenize="none").score(TEXTS, REFERENCES).score
        assert bleuprint.metric("wer").score([["New York", "is"], ["big"]], [["New York", "is"], ["big"]]).score == 0
        assert bleuprint.metric("wer").score([["a"], []], [["a"], ["b"]]).score == 0.5


SCORED = {
    "score": lambda h, r: bleuprint.metric("bleu").score(h, r).score,
    "sentences": lambda h, r: bleuprint.metric("bleu").sentences(h, r)[0].score,
    "accumulator": lambda h, r: bleuprint.metric("bleu").accumulator().update(h, r).compute().score,
    "metrics": lambda h, r: bleuprint.metrics("bleu", "wer").score(h, r)["bleu"].score,
    "compare": lambda h, r: bleuprint.compare({"a": h, "b": h}, r, n=10)["scores"]["a"],
    "run": lambda h, r: bleuprint.metrics("bleu", "wer").run({"a": h, "b": h}, r).scores()["b"]["bleu"].score,
    "rewards": lambda h, r: float(bleuprint.rewards(h, r)[0]),
    "pairwise": lambda h, r: float(bleuprint.pairwise(h, r)[0][1]),
    "mbr": lambda h, r: bleuprint.mbr(h, r, metric="bleu").utilities[0],
    "trl": lambda h, r: reward_function("bleu")(completions=h, reference=r)[0],
}


def columns():
    """Yield functions that make a column of a list of lists of tokens."""
    yield "lists", lambda rows: rows
    yield "tuples", lambda rows: [tuple(row) for row in rows]
    yield "arrays", lambda rows: [numpy.array(row) for row in rows]
    yield "objects", lambda rows: numpy.array([*rows, None], dtype=object)[:-1]
    for library, make in (
        ("pandas", lambda pandas, rows: pandas.Series(rows)),
        ("polars", lambda polars, rows: polars.Series(rows)),
        ("pyarrow", lambda pyarrow, rows: pyarrow.array(rows)),
        ("pyarrow", lambda pyarrow, rows: pyarrow.chunked_array([rows[:1], rows[1:]])),
    ):
        try:
            module = importlib.import_module(library)
        except ImportError:
            continue
        yield library, functools.partial(make, module)


@pytest.mark.parametrize("call", SCORED)
def test_lists_of_tokens_are_the_same_at_every_interface_and_in_every_column(call):
    """The tokens are words, so their scores are those of the texts under a tokenizer at spaces."""
    tokens = [[text.split() for text in side] for side in (TEXTS, REFERENCES)]
    expected = SCORED[call](*tokens)
    assert expected > 0
    for name, make in columns():
        assert SCORED[call](make(tokens[0]), make(tokens[1])) == expected, name
    if call in ("score", "metrics", "compare", "run"):
        texts = bleuprint.metric("bleu", tokenize="none").score(TEXTS, REFERENCES).score
        assert expected == texts


def test_runs_keep_tokens_as_words():
    hypotheses = [["New York", ("a", 1), b"x", "New", "York", ""], ["a"]]
    references = [["New York", ("a", 1), b"x", "New", "York", "b"], ["a"]]
    run = bleuprint.metrics("bleu", "wer").run({"a": hypotheses, "b": [references[0], ["b"]]}, references, labels={"domain": ["x", "y"]})
    for name, outputs in (("a", hypotheses), ("b", [references[0], ["b"]])):
        alone = bleuprint.metrics("bleu", "wer").score(outputs, references)
        assert {metric: score.to_dict() for metric, score in run.scores()[name].items()} == {
            metric: score.to_dict() for metric, score in alone.items()
        }
    assert run.groups("domain")["x"]["b"]["wer"].score == 0
    page = run.report()
    assert "New␣York" in str(page if isinstance(page, str) else page._repr_html_())


def test_runs_take_ids():
    ids = {"a": [[1, 2, 3, 4, 5]], "b": numpy.array([[1, 2, 3, 4, 6]]), "c": bleuprint.ids([[1, 2, 0]], pad_id=0)}
    run = bleuprint.metrics("bleu", "ter", token_space="mine").run(ids, [[1, 2, 3, 4, 5]])
    for name, output in ids.items():
        alone = bleuprint.metrics("bleu", "ter", token_space="mine").score(output, [[1, 2, 3, 4, 5]])
        assert run.scores()[name]["bleu"].signature == alone["bleu"].signature
        assert run.scores()[name]["ter"].to_dict() == alone["ter"].to_dict()
    with pytest.raises(TypeError, match="b are text, but a are ids"):
        bleuprint.metrics("bleu").run({"a": [[1]], "b": ["x"]}, [[1]])
    with pytest.raises(TypeError, match="b are ids, but a are text"):
        bleuprint.metrics("bleu").run({"a": ["x"], "b": [[1]]}, ["x"])


def test_pools_refuse_texts_in_a_list_too_many():
    for call in (
        lambda: bleuprint.mbr(wrapped(TEXTS)),
        lambda: bleuprint.pairwise(wrapped(TEXTS), wrapped(REFERENCES)),
        lambda: bleuprint.self_bleu(wrapped(TEXTS)),
    ):
        with pytest.raises(TypeError, match="one token with white space in it"):
            call()


def test_streams_of_unequal_number_name_their_argument():
    three = ["a b", "c d", "e f"]
    for streams in ([three, three], [three, three[:2]]):
        with pytest.raises(ValueError, match="hypotheses has 3 segments, but references has 2.*`reference_streams=`"):
            bleuprint.metric("bleu").score(three, streams)
    with pytest.raises(ValueError, match="hypotheses has 3 segments, but references has 2$"):
        bleuprint.metric("bleu").score(three, [["a"], ["b", "c"]])


PADDED = [[5, 6, 7, 8, -100], [5, 6, -100, -100, -100]]


@pytest.mark.parametrize("make", [
    list, tuple, numpy.array, lambda rows: [numpy.array(row) for row in rows], lambda rows: [tuple(row) for row in rows],
    lambda rows: numpy.array([*map(tuple, rows), None], dtype=object)[:-1], lambda rows: [numpy.array(row, dtype=object) for row in rows],
])  # fmt: skip
def test_padding_of_trainers_is_dropped_wherever_it_is(make):
    assert list(bleuprint.ids(make(PADDED), pad_id=-100)) == [[5, 6, 7, 8], [5, 6]]
    assert list(bleuprint.ids(make(PADDED), eos_id=-100)) == [[5, 6, 7, 8], [5, 6]]
    rewards = bleuprint.rewards(make(PADDED), [[5, 6, 7, 8], [5, 6]], pad_id=-100)
    assert rewards.tolist() == [100, 100]
    assert bleuprint.rewards([[5, 6, 7, 8], [5, 6]], make(PADDED), pad_id=-100).tolist() == [100, 100]
    several = [[row, row] for row in PADDED]
    assert bleuprint.rewards(make(PADDED), [make(rows) for rows in several], pad_id=-100).tolist() == [100, 100]


def test_padding_is_named_where_it_is_refused():
    for call in (
        lambda: bleuprint.ids(PADDED),
        lambda: bleuprint.metric("bleu").score(PADDED, PADDED),
        lambda: bleuprint.metric("bleu").score(numpy.array(PADDED), PADDED),
    ):
        with pytest.raises(ValueError, match=r"\[0\]\[4\] is -100.*pad_id=-100"):
            call()
    with pytest.raises(ValueError, match=r"array\[0\]\[0\] is -1, but ids"):
        bleuprint.ids([[-1]], pad_id=-100)
    with pytest.raises(TypeError, match="is a bool"):
        bleuprint.ids([[True]], pad_id=1)


def test_arrays_that_are_no_ids_are_named_in_words():
    for array, name in ((numpy.array([["a", "b"]]), "str"), (numpy.array([[1.5]]), "float64"), (numpy.array([["a", None]], dtype=object), "object")):
        for data in ((array, ["a"]), (["a"], array), (array, array)):
            with pytest.raises(TypeError, match=f"is an array of {name}, but must be one of integers"):
                bleuprint.metric("bleu").score(*data)


def test_structs_are_objects():
    pyarrow = pytest.importorskip("pyarrow")

    class Agree(bleuprint.Metric):
        name, columns, looks_at, one_reference = "agree", ("equal",), "objects", True

        def observe(self, state, hypothesis, reference):
            return [state[0] + (hypothesis["label"] >= reference["label"])]

        def finalize(self, state, segments):
            return state[0] / segments

    structs = pyarrow.array([{"label": 1.0}, {"label": 2.0}])
    assert Agree().score(structs, structs).score == 1


def test_words_as_references_are_a_warning():
    with pytest.warns(UserWarning, match="every reference is one word, such as 'the'"):
        bleuprint.metric("bleu").score(TEXTS, WORDS)
    with pytest.warns(UserWarning, match="every reference is one word"):
        bleuprint.metrics("bleu", "rouge1").score(TEXTS, WORDS)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="every reference")
        for metric in ("squad_f1", "exact_match", "anls"):
            bleuprint.metric(metric).score(TEXTS, WORDS)
        bleuprint.metric("wer").score(["a", "b"], [["a"], ["b"]])
        # Few references, as many everywhere, are no words of a text.
        bleuprint.metric("bleu").score(TEXTS, [["yes", "no", "so"], ["yes", "no", "so"]])
