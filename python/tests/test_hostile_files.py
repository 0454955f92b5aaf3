"""Malformed files of speech through `from_files` and through the program: one number, or one error with file and line in the
same words, in which `from_files` names options by their keywords. Every file is cut at every byte too, and has a NUL in the place
of every byte."""

import json
import math
import re
import warnings

import pytest

import bleuprint
from bleuprint import _native
from test_families import run_program

warnings.simplefilter("ignore")


def turn(speaker, start, duration, file="a"):
    return f"SPEAKER {file} 1 {start} {duration} <NA> <NA> {speaker} <NA> <NA>\n"


def utterance(**changed):
    return json.dumps([{"session_id": "a", "speaker": "A", "start_time": 0, "end_time": 1, "words": "x", **changed}])


RTTM = turn("x", 0, 5) + turn("y", 5, 5)
UEM = "a 1 0 10\n"
STM = "a 1 A 0 2 <o> x { y / z }\na 1 B 2 4 <o> z\n"
PLAIN = "a 1 A 0 2 x y\na 1 B 2 4 z\n"
CTM = "a 1 0 1 x 0.5\na 1 1 0.5 y 0.9\na 1 3 1 z 0.2\n"
TRN = "x y (a-1)\n{ z / @ } (a-2)\n"
SRT = "1\n00:00:00,000 --> 00:00:01,000\nhello\n\n2\n00:00:01,000 --> 00:00:02,000\nthere\n"
NBEST = '{"hypothesis": ["a b", "a c"], "reference": "a b"}\n'
LOG = '{"index": 0, "prediction": "a b", "delays": [1, 2], "elapsed": [1, 2], "reference": "a b", "source_length": 10}\n'

#: By name: the form, its metric, the file of the references, that of the output, and options that are files. None is the file that
#: a row changes.
FORMS = {
    "rttm": ("turns", "der:uem=extent", ("r.rttm", RTTM), ("h.rttm", None), {}),
    "uem": ("turns", "der", ("r.rttm", RTTM), ("h.rttm", RTTM), {"uem": ("u.uem", None)}),
    "stm": ("transcripts", "sclite", ("r.stm", None), ("h.ctm", CTM), {}),
    "ctm": ("transcripts", "sclite", ("r.stm", STM), ("h.ctm", None), {}),
    "heard": ("heard", "nce", ("r.stm", STM), ("h.ctm", None), {}),
    "trn": ("transcripts", "sclite", ("r.trn", TRN), ("h.trn", None), {}),
    "spoken": ("speakers", "tcpwer:collar=5", ("r.stm", PLAIN), ("h.stm", None), {}),
    "spoken ctm": ("speakers", "cpwer", ("r.stm", PLAIN), ("h.ctm", None), {}),
    "seglst": ("speakers", "cpwer", ("r.json", utterance()), ("h.json", None), {}),
    "streams": ("speakers", "orcwer", ("r.json", utterance()), ("h.json", None), {}),
    "srt": ("subtitles", "suber", ("r.srt", SRT), ("h.srt", None), {}),
    "n-best": ("segments", "oracle_wer", ("n.jsonl", None), None, {}),
    "log": ("segments", "al", ("s.log", None), None, {}),
}

#: Whole files, of which the cuts are made.
WHOLE = {
    "rttm": RTTM, "uem": UEM, "stm": STM, "ctm": CTM, "heard": CTM.replace("z", "q"), "trn": TRN, "spoken": PLAIN, "spoken ctm": CTM, "seglst": utterance(),
    "srt": SRT, "n-best": NBEST, "log": LOG,
}  # fmt: skip

#: A form, the content of its file, and the beginning of the error.
REFUSED = [
    ("rttm", turn("x", -1, 2), "h.rttm: line 1: the start is -1.0, but must be from 0"),
    ("rttm", turn("x", 1, -2), "h.rttm: line 1: the duration is -2.0, but must be from 0"),
    ("rttm", turn("x", "nan", 2), "h.rttm: line 1: the start is NaN"),
    ("rttm", RTTM + turn("x", 9, "inf"), "h.rttm: line 3: the duration is inf"),
    ("rttm", turn("x", 0, "1e8"), "h.rttm: line 1: the duration is 100000000.0"),
    ("rttm", turn("x", "0.1234567", 5), "h.rttm: line 1: the start is 0.1234567, but must be of at most six decimal places"),
    ("rttm", turn("x", "0,5", 5), "h.rttm: line 1: the start `0,5` is no number of seconds"),
    ("rttm", turn("x y", 0, 5), "h.rttm: line 1: 11 fields"),
    ("rttm", RTTM + "SPEAKER a 1 0", "h.rttm: line 3: 4 fields"),
    ("rttm", "NOSCORE a 1 0 5 <NA> <NA> <NA> <NA>\n", "h.rttm: line 1: a stretch of NOSCORE"),
    ("rttm", turn("x", 0, 5, "a.b.c"), "h.rttm: line 1: `r.rttm` has no turn of `a.b.c`"),
    ("rttm", "".join(turn(f"s{at}", at, 2) for at in range(200)), "h.rttm: line 101: the number of speakers of the file is 101"),
    ("rttm", "", "h.rttm: no line of SPEAKER"),
    ("rttm", RTTM.encode() + turn("\N{LATIN SMALL LETTER Y WITH DIAERESIS}", 0, 5).encode("latin-1"), "h.rttm: line 3: invalid UTF-8"),
    ("uem", "a 1 5 1\n", "u.uem: line 1: the region goes from 5 to 1"),
    ("uem", "a 1 5 9\na 1 0 1\na 1 0.5 6\n", "u.uem: line 3: the region overlaps that from 5 to 9"),
    ("uem", "a 1 0 inf\n", "u.uem: line 1: the end is inf"),
    ("uem", "a 1 0\n", "u.uem: line 1: 3 fields"),
    ("uem", "a.rttm 1 0 5\n", "u.uem: no file of the UEM is in `r.rttm`"),
    ("stm", "a 1 A 0\n", "r.stm: line 1: 4 fields"),
    ("stm", STM + "a 1 A 2 1 x\n", "r.stm: line 3: the utterance ends at 1 s, before its start at 2 s"),
    ("stm", "a 1 A -1 1 x\n", "r.stm: line 1: the start is -1"),
    ("stm", "a 1 A nan 1 x\n", "r.stm: line 1: the start `nan` is no number"),
    ("stm", STM + "a 1 A 4 5 { a / b\n", "r.stm: line 3: character 1: this brace is not closed"),
    ("ctm", "a 1 -1 1 x\n", "h.ctm: line 1: the start is -1"),
    ("ctm", "a 1 1 -1 x\n", "h.ctm: line 1: the duration is -1"),
    ("ctm", "a 1 0 inf x\n", "h.ctm: line 1: the duration `inf` is no number"),
    ("ctm", CTM + "a 1 0 1 x 2\n", "h.ctm: line 4: the confidence 2 is not from 0 to 1"),
    ("ctm", "a 1 * * <ALT_BEGIN>\na 1 0 1 x\n", "h.ctm: line 1: these alternatives have no <ALT_END>"),
    ("ctm", "b.c 1 0 1 x\n", "h.ctm: line 1: `r.stm` has no segment of file `b.c`"),
    ("heard", "a 1 0 1 x\n", "h.ctm: segment 1: 0 confidences of 1 word"),
    ("trn", "x y (a-1\n", "h.trn: line 1: a line of TRN must end with the id"),
    ("trn", "x (a-1)\ny (a-1)\n", "h.trn: line 2: `r.trn` has no utterance `a-1`, or this is its second text"),
    ("trn", "x (a-1)\n{ } (a-2)\n", "h.trn: line 2: character 3"),
    ("spoken", "a 1 A 0 1 { a / b }\n", "h.stm: line 1: `{`: alternatives are not supported here"),
    ("spoken", "", "h.stm: no session"),
    ("spoken", "a 1 A 0 1e9 x\n", "h.stm: line 1: the end is 1e9"),
    ("spoken ctm", CTM + "a 1 0 1 x\n", "h.ctm: line 4: the times run back"),
    ("spoken ctm", CTM + "a 2 4 1 x\n", "h.ctm: line 4: channel `2` after channel `1`"),
    ("seglst", "{}", "h.json: line 1: it has no `speaker`"),
    ("seglst", utterance(start_time="zero"), 'h.json: line 1: "zero" is not a time'),
    ("seglst", utterance(start_time=math.nan), "h.json: line 1: it has no `start_time`"),
    ("seglst", utterance(end_time=1e9), "h.json: line 1: a time of the utterance is 1"),
    ("seglst", utterance(words=None), "h.json: line 1: it has no `words`"),
    ("seglst", "[" * 100_000, "h.json: line 2: JSON"),
    ("seglst", "[]", "h.json: no session"),
    ("srt", SRT.replace("00:00:00,000", "-00:00:01,000"), "h.srt: line 2: the times are `-00:00:01,000"),
    ("srt", SRT.replace("00:00:00,000", "00:00:09,000"), "h.srt: line 2: the subtitle ends at 1 s, before its start at 9 s"),
    ("srt", SRT + "\n3\n00:00:00,500 --> 00:00:01,000\nx\n", "h.srt: line 10: the subtitle starts at 0.5 s"),
    ("srt", SRT.replace("00:00:02", "00:99:02"), "h.srt: line 6: the times are"),
    ("n-best", NBEST + '{"hypothesis": [null], "reference": "a"}\n', "n.jsonl: line 2: the hypothesis is no `hypotheses` data"),
    ("n-best", '{"hypothesis": ["a"]}\n', "n.jsonl: line 1: no references"),
    ("n-best", '{"hypothesis": ' + "[" * 200_000 + "\n", "n.jsonl: line 1: JSON: recursion limit"),
    ("n-best", NBEST + NBEST[:20], "n.jsonl: line 2: JSON: EOF"),
    ("n-best", "", "n.jsonl: no segments"),
    ("log", LOG.replace("[1, 2]", "[-1, 2]", 1), "s.log: line 1: delay 1 of 2 is -1"),
    ("log", LOG.replace("[1, 2]", "[2, 1]", 1), "s.log: line 1: delay 2 of 2 is 1 after 2"),
    ("log", LOG.replace("[1, 2]", "[1, NaN]", 1), "s.log: line 1: the record is no `delays` data"),
    ("log", LOG.replace("10}", "1e999}"), "s.log: line 1: JSON: number out of range"),
    ("log", LOG.replace("10}", "-10}"), "s.log: line 1: the length of the source is -10"),
    ("log", LOG + LOG.replace("[1, 2]", "[1]", 1), "s.log: line 2: 1 delay, but 2 of `elapsed`"),
    ("streams", json.dumps([json.loads(utterance(speaker=f"S.{at}"))[0] for at in range(200)]), "h.json: segment 1: the number of streams"),
]  # fmt: skip


#: Options in errors: keywords of `from_files`, and as the program writes them.
KEYWORDS = {
    'missing="empty"': "--missing empty", 'missing_sessions="empty"': "--missing-sessions empty", 'missing_sessions="skip"': "--missing-sessions skip",
    'references="alternatives"': "--references alternatives", 'references="plain"': "--references plain", 'form="speakers"': "--speakers",
    "round_times=True": "--round-times", 'bad_lines="skip"': "--bad-lines skip",
}  # fmt: skip


#: An option of the program, which `from_files` does not have. Times of SRT have an arrow.
OPTION = re.compile("--[a-z]")


def in_words_of_the_program(message):
    assert not OPTION.search(message)
    for keyword, option in KEYWORDS.items():
        message = message.replace(keyword, option)
    return message


@pytest.fixture
def both(tmp_path, monkeypatch, capfd):
    """Writes the files of a form and asks both doors: the number, or the error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")

    def ask(form, content):
        name, metric, reference, system, options = FORMS[form]
        for path, given in (reference, *([system] if system else []), *options.values()):
            text = content if given is None else given
            (tmp_path / path).write_bytes(text if isinstance(text, bytes) else text.encode())
        files = [system[0]] if system else []
        given = {key: path for key, (path, _) in options.items()}
        try:
            ((score,),) = (of.values() for of in bleuprint.from_files(name, reference[0], files, metrics=metric, **given).scores().values())
            here = score.score
        except ValueError as error:
            # A terminal gets no control characters.
            here = f"bleuprint: error: {in_words_of_the_program(str(error))}\n".replace("\0", "\\u{0}")
        place = ["--segments", reference[0]] if system is None else [f"--{name}", reference[0], "-i", system[0]]
        command = ["score", "-q", "-f", "json", *place, *(f"--{key}={path}" for key, path in given.items()), "-m", metric]
        try:
            return here, json.loads(run_program(capfd, *command))["score"]
        except ValueError as error:
            return here, str(error)

    return ask


@pytest.mark.parametrize("form, content, error", REFUSED, ids=[f"{row[0]}, {row[2][:60]}" for row in REFUSED])
def test_errors_have_file_and_line_in_the_words_of_the_program(both, form, content, error):
    here, there = both(form, content)
    assert str(here).startswith(f"bleuprint: error: {error}") and here == there


@pytest.mark.parametrize("form", WHOLE)
def test_files_that_are_cut_or_have_a_nul(both, form):
    whole = WHOLE[form].encode()
    cuts = [whole[:at] for at in range(len(whole))]
    nuls = [whole[:at] + b"\0" + whole[at + 1 :] for at in range(len(whole))]
    found = [both(form, content) for content in [whole, *cuts, *nuls]]
    assert isinstance(found[0][0], float)
    refused = [here for here, _ in found if isinstance(here, str)]
    files = [path for path, _ in (FORMS[form][2], *filter(None, [FORMS[form][3]]), *FORMS[form][4].values())]
    # A score that does not exist is of no file.
    assert all(any(file in error for file in files) or "has no score here" in error for error in refused), refused
    assert len(refused) > len(whole) / 4
    assert [pair for pair in found if pair[0] != pair[1]] == []


def test_a_hundred_thousand_turns_that_overlap(both):
    turns = [turn(f"s.{at % 8}", f"{at / 100:.2f}", 50) for at in range(100_000)]
    here, there = both("rttm", "".join(turns))
    assert here == there and here > 100


@pytest.mark.parametrize("form, given, error", [
    ("turn", {}, ValueError("unknown form `turn`; expected one of: segments, lines, ")),
    ("segments", {}, ValueError("the form `segments` is one file, which has the systems")),
    ("turns", {"uemm": "u"}, TypeError("the form `turns` has no option `uemm`; it has: uem, ")),
    ("turns", {"missing": 0}, TypeError("missing is 0, but must be a str or a path")),
    ("turns", {"missing": "all"}, ValueError('missing is "all", but must be one of: ')),
    ("turns", {"round_times": "yes"}, TypeError("round_times is 'yes', but must be True or False")),
    ("turns", {"metrics": []}, ValueError("no metric is given")),
    ("turns", {"metrics": "wer"}, ValueError('WER observes texts, but form="turns" gives turns of speakers; give metrics der')),
    ("turns", {"references": "both"}, ValueError('references is "both", but must be one of: alternatives, plain')),
    ("lines", {}, ValueError('DER takes `turns` data (speaker, start, end): give form="turns" or form="segments"')),
    ("lines", {"systems": []}, ValueError("the form `lines` needs systems: the file of each system")),
    ("lines", {"encoding": "latin-1"}, ValueError("unknown encoding `latin-1`")),
    ("lines", {"metrics": "given:name=x"}, ValueError("given reads numbers, which files of text do not have: bleuprint.given takes x")),
    ("lines", {"metrics": "bertscore"}, ValueError("BERTScore needs vectors, which no format has: bleuprint.bertscore takes them")),
    ("lines", {"metrics": "bleu,chrf"}, ValueError('`bleu,chrf` names one metric; several names are a list, as in metrics=["bleu", "chrf"]')),
    ("lines", {"metrics": "bleu", "source": "s"}, ValueError("no selected metric uses the source `s`")),
    ("segments", {"systems": [], "columns": 3}, TypeError("columns is 3, but must be a dict of str, or a str such as ")),
    ("segments", {"systems": [], "columns": {"hypothesi": "a"}}, ValueError("columns: unknown part of a segment `hypothesi`")),
    ("segments", {"systems": [], "bad_lines": "keep"}, ValueError('bad_lines is "keep", but must be one of: error, skip')),
])  # fmt: skip
def test_what_a_form_does_not_take_is_an_error_in_keywords(form, given, error):
    call = {"form": form, "reference": "r.rttm", "systems": "h.rttm", "metrics": "der", **given}
    with pytest.raises(type(error)) as raised:
        bleuprint.from_files(**call)
    assert str(raised.value).startswith(str(error)) and not OPTION.search(str(raised.value))


@pytest.mark.parametrize("content", ["<SYSTEM", '<SYSTEM title="a">\n<PATH id="(u-1)">\nC,"a"', "C,\0", '<PATH id="(u-1)" word_cnt="1">\nX,"a","a"\n</PATH>\n'])
def test_alignments_of_sclite_that_are_malformed(tmp_path, capfd, content):
    path = tmp_path / "a.sgml"
    path.write_bytes(content.encode())
    capfd.readouterr()
    assert _native.program(["bleuprint", "transcripts", str(path)]) == 2
    assert f"{path}: line " in capfd.readouterr().err
