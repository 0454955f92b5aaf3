"""Log-likelihoods without numbers: the same errors as in the program's JSON Lines."""

import json
import math

import bleuprint
import pytest
from bleuprint import _native


def program(capfd, *arguments):
    capfd.readouterr()
    code = _native.program(["bleuprint", *map(str, arguments)])
    return code, *capfd.readouterr()


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_words_without_numbers_are_errors_as_in_files(word, tmp_path, capfd):
    """`missing=skip` leaves out the segment of such a word, and counts it."""
    number, file = float(word), tmp_path / "a.jsonl"
    file.write_text(f'{{"loglik": [{word}, -1.5, -0.5]}}\n{{"loglik": [null, -2]}}\n')
    records = [{"loglik": [number, -1.5, -0.5]}, {"loglik": [None, -2]}]
    code, _, said = program(capfd, "score", "-q", "--segments", file, "-m", "nll")
    assert code == 2 and "missing=skip leaves such segments out" in said
    with pytest.raises(ValueError, match="missing=skip leaves such segments out"):
        bleuprint.metric("nll").score(records)
    code, out, said = program(capfd, "score", "-q", "-f", "json", "--segments", file, "-m", "nll:missing=skip")
    assert code == 0, said
    here = bleuprint.metric("nll", missing="skip").score(records)
    assert here.score == json.loads(out)["score"] == 2.0 and (here.nulls, here.missing) == (1, 1)
    with pytest.raises(ValueError, match="expected a string"):
        bleuprint.metric("bits", per="byte").score([{"loglik": -1, "text": number}])


def test_a_segment_without_a_number_is_an_error():
    with pytest.raises(ValueError, match="missing=skip"):
        bleuprint.metric("nll").score([{"loglik": math.nan, "tokens": 1}])
