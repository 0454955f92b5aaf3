"""Assignments: the pairs of speakers in Python are those of the program, for turns and for sessions."""

import json
import math
import pickle
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


def test_sessions_have_assignments():
    session = lambda speakers: json.dumps([{"speaker": name, "words": words} for name, words in speakers])
    hypothesis, reference = session([("x", "d e f"), ("y", "a b c"), ("z", "g")]), session([("Ann", "a b c"), ("Bob", "d e")])
    pairs = bleuprint.metric("cpwer").assignments([hypothesis], [reference])
    assert pairs == [[("Ann", "y"), ("Bob", "x"), (None, "z")]]


def test_metrics_without_names_say_so():
    with pytest.raises(ValueError, match="BLEU matches no names"):
        bleuprint.metric("bleu").assignments(["a"], ["a"])
    with pytest.raises(ValueError, match="segment 1"):
        bleuprint.metric("der").assignments([[("1", 0.0, 4.0)]], [[("Ann", 0.0, 5.0)]])


def test_a_session_without_reference_words_is_a_row_without_a_rate():
    silent, spoken = [{"speaker": "A", "words": ""}], [{"speaker": "1", "words": "uh well"}]
    hypotheses, references = [json.dumps(spoken)] * 2, [json.dumps(silent), json.dumps([{"speaker": "A", "words": "uh oh"}])]
    metric = bleuprint.metric("cpwer")
    missing, found = metric.sentences(hypotheses, references)
    assert math.isnan(missing.score) and found.score == 0.5 and found.error is None
    assert missing.error == "cpWER has no score here: the references have no word" == str(missing) == missing.to_dict()["error"]
    assert missing.parts == {} == missing.headlines and "score" not in missing.to_dict() and missing.signature.startswith("cpWER|")
    again = pickle.loads(pickle.dumps(missing))
    assert math.isnan(again.score) and again.error == missing.error
    # Its words count in the score of both, and alone they have no score.
    assert metric.score(hypotheses, references).insertions == 2
    with pytest.raises(ValueError, match="the references have no word"):
        metric.score(hypotheses[:1], references[:1])
    run = bleuprint.metrics("cpwer").run({"s": hypotheses}, references, labels={"kind": ["silent", "spoken"]})
    assert [score.error is None for score in run.sentence_scores()] == [False, True]
    groups = run.groups("kind")
    assert groups["silent"]["s"]["cpwer"].error == missing.error and groups["spoken"]["s"]["cpwer"].score == 0.5
