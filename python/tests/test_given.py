"""Numbers of other programs: read as they are, and tested, stored, gated and compared as metrics of the package."""

import array
import copy
import pickle

import pytest

import bleuprint

VALUES = [0.75, 0.5, 1.0, 0.25]
PRODUCER = "Python3.11.4|Comet2.2.6,fp32|Unbabel/wmt22-comet-da|r1"


def comet(values=VALUES, **options):
    return bleuprint.given("comet", values, **{"producer": PRODUCER, "scale": (0, 1), **options})


def columns():
    """The same numbers as every kind of column."""
    yield "list", VALUES
    yield "tuple", tuple(VALUES)
    yield "array", array.array("d", VALUES)
    yield "memoryview", memoryview(array.array("f", VALUES))
    numpy = pytest.importorskip("numpy")
    for kind in ("f2", "f4", "<f8", ">f8", "O"):
        yield f"numpy {kind}", numpy.array(VALUES, dtype=kind)
    yield "strided", numpy.array([VALUES, [9, 9, 9, 9]]).T[:, 0]
    arrow = pytest.importorskip("arro3.core")
    for kind in ("float16", "float32", "float64"):
        yield f"arrow {kind}", arrow.Array.from_numpy(numpy.array(VALUES, dtype=kind))
    whole = arrow.Array.from_numpy(numpy.array(VALUES))
    yield "chunks", arrow.ChunkedArray([whole.slice(0, 1), whole.slice(1, 3)])


@pytest.mark.parametrize("values", [pytest.param(values, id=name) for name, values in columns()])
def test_columns_of_every_kind(values):
    scored = comet(values)
    assert scored.score().score == 0.625 and len(scored) == 4
    assert scored.rows() == comet().rows()


def test_truths_integers_and_what_is_missing():
    numpy = pytest.importorskip("numpy")
    arrow = pytest.importorskip("arro3.core")
    for values in ([True, False, True, True], numpy.array([1, 0, 1, 1]) > 0, [1, 0, 1, 1], numpy.array([1, 0, 1, 1], "u1"),
                   arrow.Array.from_numpy(numpy.array([True, False, True, True])), arrow.Array.from_numpy(numpy.array([1, 0, 1, 1], "i2"))):
        assert bleuprint.given("pass", values, producer="judge").score().score == 0.75
    masked = numpy.ma.masked_array([0.5, 9.0, 1.0, 7.0], mask=[False, True, False, True])
    nulls = arrow.Array([0.5, None, 1.0, None], type=arrow.DataType.float64())
    for values in ([0.5, None, 1.0, float("nan")], numpy.array([0.5, numpy.nan, 1.0, numpy.nan]), masked, nulls):
        with pytest.raises(ValueError, match=r"missing=skip.*2 of 4 have none"):
            comet(values)
        skipped = comet(values, missing="skip")
        assert skipped.score().score == 0.75 and skipped.score().parts["missing"] == 2
        assert comet(values, missing="worst").score().score == 0.375


def test_what_does_not_fit_is_refused():
    numpy = pytest.importorskip("numpy")
    with pytest.raises(ValueError, match="values has 2 dimensions"):
        comet(numpy.zeros((2, 2)))
    with pytest.warns(UserWarning, match="set producer=TEXT to record which program computed comet"):
        bleuprint.given("comet", VALUES)


def test_a_quotient_is_that_of_the_sums():
    ratio = bleuprint.given("errors", [3, 1, 0, 2], over=[10, 20, 30, 20], better="lower", producer="asr")
    assert ratio.score().score == 6 / 80 and "over:yes" in ratio.score().signature
    other = bleuprint.given("errors", [1, 1, 0, 0], over=[10, 20, 30, 20], better="lower", producer="asr", system="other")
    result = bleuprint.compare({"one": ratio, "other": other}, n=100)
    assert result["scores"] == {"one": 0.075, "other": 0.025}
    with pytest.raises(ValueError, match="over"):
        bleuprint.compare({"one": ratio, "other": bleuprint.given("errors", [1, 1, 0, 0], better="lower", producer="asr")})


def test_a_missing_number_is_left_out_for_all():
    one, other = comet([0.5, None, 1.0, 0.5], missing="skip"), comet([0.5, 1.0, 0.5, 0.5], missing="skip")
    common = {"one": comet([0.5, 1.0, 0.5]), "other": comet([0.5, 0.5, 0.5])}
    for options in ({"n": 50}, {"n": 50, "test": "randomization", "confidence": 20}):
        rows = bleuprint.paired_test({"one": one, "other": other}, **options)
        alone = bleuprint.paired_test(common, **options)
        assert [(row["score"], row["p_value"], row["interval"]) for row in rows] == [
            (row["score"], row["p_value"], row["interval"]) for row in alone
        ]


def test_statistics_go_through_every_door(tmp_path):
    label = {"domain": ["news", "chat", "news", "chat"]}
    one = comet(ids=[7, 8, 9, 10], clusters=["a", "a", "b", "b"], labels=label, system="one")
    assert set(one.labels) == {"id", "document", "domain"}
    assert one.slices("domain") == one.slices(label["domain"])
    assert one.slices("document")["a"].score == 0.625
    with pytest.raises(ValueError, match="no label `topic`; they have"):
        one.slices("topic")
    for again in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one)):
        assert (again.score(), again.rows(), again.system) == (one.score(), one.rows(), "one")
        assert again.slices("domain") == one.slices("domain") and again.confidence(n=20) == one.confidence(n=20)
    one.write(tmp_path / "one.stats")
    run = bleuprint.Run.read([tmp_path / "one.stats"])
    (name,) = run.metrics
    assert name.startswith("given:name=comet") and run.scores()["one"][name] == one.score()
    assert run.groups("domain")["news"]["one"][name].score == 0.875
    policy = tmp_path / "gate.toml"
    policy.write_text(
        'format = "bleuprint-gate/1"\nbaseline = "one.stats"\n[[rule]]\nmetric = "given:name=comet"\n'
        f'scale = "0..1"\nproducer = "{PRODUCER}"\nmax-drop = 0.5\n'
    )
    verdict = bleuprint.gate(policy, run)
    assert verdict.outcome in {"pass", "inconclusive"}, verdict.text()


def arm(right, segments, **options):
    return bleuprint.given("solved", [1] * right + [0] * (segments - right), producer="judge", **options)


def test_systems_on_different_segments():
    one, other = arm(150, 200), arm(70, 120)
    result = bleuprint.compare({"one": one, "other": other}, unpaired=True)
    pair = result["pairs"][0]
    assert (pair["first"], pair["second"]) == ("one", "other") and result["scores"] == {"one": 0.75, "other": 70 / 120}
    # Welch's test of scipy: ttest_ind([1] * 150 + [0] * 50, [1] * 70 + [0] * 50, equal_var=False)
    spread = ((0.75 * 0.25) / 199 + (70 / 120 * 50 / 120) / 119) ** 0.5
    assert pair["difference"] == pytest.approx(0.75 - 70 / 120) and pair["standard_error"] == pytest.approx(spread)
    assert 0.001 < pair["p_value"] < 0.005
    for test in ("welch", "bootstrap", "permutation"):
        tested = bleuprint.compare({"one": one, "other": other}, unpaired=True, test=test, n=500)
        assert tested["pairs"][0]["p_value"] < 0.02, test
    bleu = bleuprint.metric("bleu")
    texts = [f"the dog number {at} bit the man on the hand" for at in range(40)]
    first = bleu.statistics(texts, texts)
    second = bleu.statistics([text.replace("bit", "saw") for text in texts[:30]], texts[:30])
    compared = bleuprint.compare({"first": first, "second": second}, unpaired=True, n=200)
    assert compared["pairs"][0]["p_value"] < 0.05 and [arm["units"] for arm in compared["arms"]] == [40, 30]


def test_units_are_resampled_whole():
    users = [f"u{at // 10}" for at in range(200)]
    others = [f"v{at // 10}" for at in range(120)]
    plain = bleuprint.compare({"a": arm(150, 200), "b": arm(70, 120)}, unpaired=True)
    by_column = bleuprint.compare({"a": arm(150, 200), "b": arm(70, 120)}, unpaired=True, unit={"b": others, "a": users})
    labelled = {"a": arm(150, 200, clusters=users), "b": arm(70, 120, clusters=others)}
    by_label = bleuprint.compare(labelled, unpaired=True, unit="document")
    assert {**by_column, "unit": "document"} == by_label and [side["units"] for side in by_label["arms"]] == [20, 12]
    assert by_label["pairs"][0]["standard_error"] > plain["pairs"][0]["standard_error"]
    for unit, error, message in (
        ("topic", ValueError, "no label `topic`"),
        ({"a": users}, ValueError, "a dict with a column for each system"),
        ({"a": users, "b": others[1:]}, ValueError, r"unit\[\"b\"\] has 119 segments, but b has 120"),
        ({"a": users, "b": [None] + others[1:]}, ValueError, r"unit\[\"b\"\]\[0\] is missing"),
        ({"a": users, "b": users[:120]}, ValueError, "u0"),
    ):
        with pytest.raises(error, match=message):
            bleuprint.compare(labelled, unpaired=True, unit=unit)


def test_planned_units_and_wanted_differences():
    pair = bleuprint.compare({"a": arm(150, 200), "b": arm(130, 200)}, unpaired=True, expected=1000, wanted=0.05)["pairs"][0]
    told = {key: value for key, value in pair.items() if key in {"needed", "smallest_planned", "look"}} or pair["unpaired"]
    assert told, pair


def test_what_is_not_unpaired_is_refused():
    a, b = arm(150, 200), arm(70, 120)
    for systems, options, error, message in (
        ({"a": a}, {}, ValueError, "at least two"),
        ({"a": a, "b": ["x"]}, {}, TypeError, "b is list, but must be statistics"),
        ([a, b], {}, TypeError, "a dict of names and statistics"),
        ({"a": a, "b": b}, {"references": ["x"]}, ValueError, "no effect with unpaired=True"),
        ({"a": a, "b": b}, {"test": "randomization"}, ValueError, "welch, bootstrap, permutation"),
        ({"a": a, "b": b}, {"n": 0}, ValueError, "at least 1"),
        ({"a": a, "b": comet()}, {}, ValueError, "name|unlike|producer"),
        ({"a": a, "b": arm(1, 1)}, {}, ValueError, "1 unit on one side"),
    ):
        with pytest.raises(error, match=message):
            bleuprint.compare(systems, unpaired=True, **options)
    with pytest.raises(ValueError, match="wanted has no effect without unpaired=True"):
        bleuprint.compare({"a": a, "b": a}, wanted=0.1)


def test_pairs_by_units():
    documents = [f"d{at // 5}" for at in range(200)]
    right = lambda shift: [float((at // 5 + shift) % 10 < 6) for at in range(200)]
    one, other = (bleuprint.given("solved", right(shift), producer="judge", clusters=documents) for shift in (0, 3))
    systems = {"one": one, "other": other}
    plain = bleuprint.compare(systems, n=200, test="randomization", unit="segment")["pairs"][0]
    by_label = bleuprint.compare(systems, n=200, test="randomization", unit="document")["pairs"][0]
    by_column = bleuprint.compare(systems, n=200, test="randomization", unit=documents)["pairs"][0]
    assert by_label == by_column and "paired_units" not in plain
    assert by_label["paired_units"]["units"] == 40
    assert by_label["paired_units"]["design_effect"] == pytest.approx(5, rel=0.05)
    assert by_label["difference"] == plain["difference"] and by_label["p_value"] >= plain["p_value"]
    few = bleuprint.compare(systems, n=50, unit=[f"d{at % 9}" for at in range(200)])["pairs"][0]
    assert 0.0 <= few["p_value"] <= 1.0
    assert few["paired_units"]["inconclusive"] == "too-few-units"
    texts = {name: ["yes" if mark else "no" for mark in right(shift)] for name, shift in (("one", 0), ("other", 3))}
    run = bleuprint.Evaluation(["exact_match"]).run(texts, ["yes"] * 200, labels={"document": documents})
    of_run = run.compare(unit="document", n=50)["exact_match"]["pairs"][0]
    assert of_run["paired_units"]["units"] == 40 and "paired_units" not in run.compare(n=50, unit="segment")["exact_match"]["pairs"][0]
    for unit, message in (
        ("topic", "no label `topic`"),
        ({"one": documents, "other": documents}, "one column"),
        (documents[1:], "unit has 199 segments, but every system has 200"),
        ([None] + documents[1:], r"unit\[0\] is missing"),
    ):
        with pytest.raises(ValueError, match=message):
            bleuprint.compare(systems, n=20, unit=unit)


def test_systems_that_seem_paired_are_told():
    ids = list(range(200))
    systems = {"a": arm(150, 200, ids=ids), "b": arm(120, 200, ids=ids)}
    with pytest.warns(UserWarning, match="200 of 200 segments have the same ids in a and in b"):
        bleuprint.compare(systems, unpaired=True)
