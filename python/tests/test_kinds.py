"""Files of another format given as lines of text: the reader of files refuses them in the words of the program."""

import warnings

import bleuprint
import pytest


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(name, *lines):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))

    write("h.jsonl", '{"id": 0, "text": "the house is small"}', '{"id": 1, "text": "we go home now"}')
    write("h.txt", '{"id": 0, "text": "the house is small"}', '{"id": 1, "text": "we go home now"}')
    write("ref", "utt1 hello there world", "utt2 good bye", "utt3 so what")
    write("hyp", "utt3 so what", "utt1 hello there word", "utt2 good bye")
    write("two", "utt3 so what", "utt2 good bye")


def errors(form, reference, system, **given):
    return bleuprint.from_files(form, reference, system, metrics="wer", **given).scores()[system]["wer"].score


def test_another_format_is_refused_and_may_be_insisted_on():
    with pytest.raises(ValueError, match="h.jsonl: JSON Lines by its name and its first lines.*form=\"segments\".*plain=True"):
        errors("lines", "h.jsonl", "h.jsonl")
    assert errors("lines", "h.jsonl", "h.jsonl", plain=True) == 0


def test_lines_that_look_like_another_format_are_a_warning():
    with pytest.warns(UserWarning, match="h.txt: looks like JSON Lines"):
        errors("lines", "h.txt", "h.txt")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert errors("lines", "h.txt", "h.txt", plain=True) == 0


def test_keyed_texts_are_paired_by_id():
    with pytest.raises(ValueError, match="ref: each line begins with a word.*form=\"keyed\".*plain=True"):
        errors("lines", "ref", "hyp")
    assert errors("keyed", "ref", "hyp") == 1 / 7
    with pytest.raises(ValueError, match="ref: line 1: `two` has no text with the id `utt1`"):
        errors("keyed", "ref", "two")
    with pytest.warns(UserWarning, match="two: 1 of 3 ids are missing"):
        assert errors("keyed", "ref", "two", missing="empty") == 3 / 7


def test_files_hear_of_likely_mistakes_in_the_words_of_python(tmp_path):
    (tmp_path / "typographic").write_text("it’s so here\n" * 12, encoding="utf-8")
    (tmp_path / "plain").write_text("it's so here\n" * 12, encoding="utf-8")
    with pytest.warns(bleuprint.BleuprintWarning, match='`norm="ascii-punct"`'):
        errors("lines", "plain", "typographic")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        errors("lines", "plain", "typographic", norm="ascii-punct")
