"""Choices of tokens that have no effect on the metrics of transcripts."""

import bleuprint
import pytest


def test_choices_without_an_effect_are_refused(tmp_path):
    """By the words of the program, for files that a reader of the family reads."""
    stm, ctm = tmp_path / "p.stm", tmp_path / "p.ctm"
    stm.write_text("s1 1 A 0 2 hello, world\n")
    ctm.write_text("s1 1 0 1 hello 0.9\ns1 1 1 1 world 0.8\n")
    for choice, said in [({"norm": "punct"}, "norm=punct"), ({"lowercase": True}, "lowercase=yes"), ({"tokenize": "char"}, "tokenize=char")]:
        with pytest.raises(ValueError, match=f"{said} is given for all metrics, but nce looks at"):
            bleuprint.from_files("heard", stm, ctm, metrics="nce", **choice)
        bleuprint.from_files("transcripts", stm, ctm, metrics="wer", **choice)
