"""Tests that a run keeps what it knows of its segments: unit, ids, labels, and what readers left out."""

import inspect
import json
import pickle

import bleuprint
import pytest

SEGMENTS = 24

#: Every public method of a run: what it does with units, or why it draws none.
METHODS = {
    "confidence": "draws",
    "paired": "draws",
    "compare": "draws",
    "report": "draws",
    "write": "stores",
    "read": "stores",
    "scores": "one score of all segments",
    "groups": "one score of each group",
    "sentence_scores": "one score of each segment",
    "to_arrow": "scores",
}


@pytest.fixture
def files(tmp_path):
    """Two systems over the same segments, in files of opposite orders."""
    paths = []
    for system, order in (("a", range(SEGMENTS)), ("b", reversed(range(SEGMENTS)))):
        rows = [
            {"id": at, "document": f"d{at // 2}", "n": 10, "c": (at * 7 + (system == "b")) % 11 % 10, "system": system} for at in order
        ]
        paths.append(tmp_path / f"{system}.jsonl")
        paths[-1].write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return paths


def test_every_method_of_a_run_is_known():
    methods = {name for name in dir(bleuprint.Run) if not name.startswith("_") and callable(getattr(bleuprint.Run, name))}
    assert methods == set(METHODS)
    for name, kind in METHODS.items():
        assert ("unit" in inspect.signature(getattr(bleuprint.Run, name)).parameters) == (kind == "draws"), name


def test_a_run_draws_by_its_unit(files):
    run = bleuprint.from_files("segments", files[0], metrics="avg")
    assert (run.unit, run.left_out) == ("document", [])
    with pytest.warns(UserWarning, match="24 segments are drawn in 12 document units"):
        by_document = run.confidence(n=200)
    single = run.confidence(n=200, unit="segment")
    assert by_document["a"]["half_width"] != single["a"]["half_width"]


def test_files_pair_by_ids_and_keep_the_unit(files, tmp_path):
    paths = []
    for path in files:
        paths.append(tmp_path / f"{path.stem}.stats")
        bleuprint.from_files("segments", path, metrics="avg").write(paths[-1])
    run = bleuprint.Run.read(paths)
    assert run.unit == "document"
    (comparison,) = run.compare(n=200).values()
    assert comparison["unit"] == "document" and comparison["pairs"][0]["paired_units"]["units"] == 12
    one, two = ([score.score for score in run.sentence_scores(system)] for system in ("a", "b"))
    assert two == [((at * 7 + 1) % 11 % 10) / 10 for at in range(SEGMENTS)]
    assert one == [(at * 7 % 11 % 10) / 10 for at in range(SEGMENTS)]
    with pytest.warns(UserWarning, match="12 document units"):
        assert run.paired(n=50)[1]["p_value"] is not None
    page = run.report(n=50)
    assert "24 segments are drawn in 12 document units" in page._repr_html_()


def test_statistics_of_given_numbers_pair_by_ids():
    ids = list(range(20))
    values = [float(at % 3) for at in ids]
    one = bleuprint.given("x", values, ids=ids, clusters=[at // 2 for at in ids], producer="p")
    turned = bleuprint.given("x", values[::-1], ids=[str(at) for at in ids[::-1]], clusters=[at // 2 for at in ids[::-1]], producer="p")
    result = bleuprint.compare({"one": one, "turned": turned}, n=100)
    assert result["unit"] == "document"
    # No unit differs, which the test of units says, and it has no interval.
    (pair,) = result["pairs"]
    assert (pair["difference"], pair["p_value"], pair["caution"]) == (0.0, 1.0, {"kind": "no-unit-differs"})
    kept = pickle.loads(pickle.dumps(turned))
    assert bleuprint.compare({"one": one, "turned": kept}, n=100) == result
    other = bleuprint.given("x", values, ids=[at + 100 for at in ids], producer="p")
    with pytest.raises(ValueError, match="has no segment with the id `0`"):
        bleuprint.compare({"one": one, "other": other})
