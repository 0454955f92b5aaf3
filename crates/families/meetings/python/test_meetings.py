"""Sessions of several speakers: the assignments of speakers, and sessions without reference words."""

import json
import math
import pickle

import bleuprint
import pytest


def test_sessions_have_assignments():
    session = lambda speakers: json.dumps([{"speaker": name, "words": words} for name, words in speakers])
    hypothesis, reference = session([("x", "d e f"), ("y", "a b c"), ("z", "g")]), session([("Ann", "a b c"), ("Bob", "d e")])
    pairs = bleuprint.metric("cpwer").assignments([hypothesis], [reference])
    assert pairs == [[("Ann", "y"), ("Bob", "x"), (None, "z")]]


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
