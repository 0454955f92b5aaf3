"""Choices and names of every metric: a choice without an effect is refused, and a score has the name of its signature."""

import json

import bleuprint
import examples
import pytest
from bleuprint import _native


def test_choices_without_an_effect_are_refused():
    with pytest.raises(ValueError, match="tokenize=char is given for all metrics, but chrf looks at text"):
        bleuprint.Evaluation(["chrf"], tokenize="char")
    with pytest.raises(ValueError, match="lowercase=yes is given for all metrics, but the definition of ter has its own case"):
        bleuprint.metrics("ter", lowercase=True)
    assert set(bleuprint.metrics("bleu", "chrf", tokenize="char").score(["a"], ["a"])) == {"bleu", "chrf"}


@pytest.mark.parametrize("example", examples.ALL, ids=str)
def test_a_score_has_the_name_of_its_signature(example, tmp_path, capfd):
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps(example.record) + "\n")
    capfd.readouterr()
    code = _native.program(["bleuprint", "score", "-q", "-f", "text", "--segments", str(file), "-m", example.metric])
    out, said = capfd.readouterr()
    assert code == 0, said
    hypotheses, given = example.call(1)
    score = bleuprint.metric(example.metric).score(hypotheses, **given)
    assert str(score).split("|")[0] == out.split("|")[0] == score.signature.split("|")[0]
