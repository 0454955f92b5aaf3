"""Assignments of speaker turns: the pairs of speakers in Python are those of the program."""

import json
import subprocess
import sys

import bleuprint
import pytest

TURNS = {
    "a": ([("1", 0.0, 4.0), ("2", 4.0, 9.0), ("3", 9.0, 9.5)], [("Ann", 0.0, 5.0), ("Bob", 5.0, 9.0)]),
    "b": ([("Ann", 0.0, 2.0)], [("Ann", 1.0, 3.0), ("Cid", 5.0, 6.0)]),
}


def rttm(path, side):
    rows = (
        f"SPEAKER {name} 1 {start} {end - start} <NA> <NA> {speaker} <NA> <NA>\n"
        for name, sides in TURNS.items() for speaker, start, end in sides[side]
    )
    path.write_text("".join(rows))
    return str(path)


@pytest.mark.parametrize("spec", ["der:uem=extent", "der:like=pyannote,uem=extent,mapping=names", "jer:uem=extent", "jer:uem=extent,mapping=jaccard"])
def test_turns_have_the_assignments_of_the_program(tmp_path, spec):
    files = [rttm(tmp_path / "hyp.rttm", 0), rttm(tmp_path / "ref.rttm", 1)]
    arguments = ["score", "-q", "--turns", files[1], "-i", files[0], "-m", spec, "-sl", "-f", "json"]
    done = subprocess.run([sys.executable, "-m", "bleuprint", *arguments], capture_output=True, text=True, check=True)
    rows = {row["id"]: row["assignment"] for row in map(json.loads, done.stdout.splitlines())}
    hypotheses, references = zip(*TURNS.values())
    found = bleuprint.metric(spec).assignments(list(hypotheses), list(references))
    assert [[list(pair) for pair in pairs] for pairs in found] == [rows[name] for name in TURNS]
    assert found[1] == [("Ann", "Ann"), ("Cid", None)]


def test_turns_without_a_region_of_evaluation_are_refused():
    with pytest.raises(ValueError, match="segment 1"):
        bleuprint.metric("der").assignments([[("1", 0.0, 4.0)]], [[("Ann", 0.0, 5.0)]])
