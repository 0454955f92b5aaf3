"""SPICE over tuples that the user provides."""

import bleuprint
import pytest


def test_spice_takes_tuples():
    spice = bleuprint.metric("spice")
    score = spice.score(['[["girl", "young"]]'], references=[["( girl , is , young )"]])
    assert score.score == 1.0
    # An empty text is a text; a tuple of none, and of more than three, is refused.
    assert spice.score(['[[""], ["a", ""]]'], references=[['[[""]]']]).parts["matched"] == 1
    with pytest.raises(ValueError, match="but this begins with `a`"):
        spice.score(["a young girl"], references=["( girl )"])
