"""Nesting of texts and tokens: a list too many or too few is refused or warned of at every door."""

import warnings

import bleuprint
import pytest
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


def test_runs_take_lists_of_tokens():
    tokens = [[text.split() for text in side] for side in (TEXTS, REFERENCES)]
    evaluation = bleuprint.metrics("bleu", "wer")
    run = evaluation.run({"a": tokens[0], "b": tokens[1]}, tokens[1])
    for system, hypotheses in run.scores().items():
        expected = evaluation.score(tokens[0] if system == "a" else tokens[1], tokens[1])
        assert {name: score.score for name, score in hypotheses.items()} == {name: score.score for name, score in expected.items()}
    with pytest.raises(ValueError, match="distinct remembers tokens"):
        bleuprint.metrics("distinct").run({"a": tokens[0]}, tokens[1])


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
        # Two references each, or as many words everywhere, are no words of texts of unlike length.
        bleuprint.metric("bleu").score(TEXTS, [["yes", "no", "so"], ["yes", "no", "so"]])
