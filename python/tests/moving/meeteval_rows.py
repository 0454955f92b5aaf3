"""The rows of `docs/from-meeteval.md`."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

import bleuprint

from .common import library, program, row

#: Speakers, start, end and words of a session, on both sides.
REFERENCE = [("A", 0.0, 2.0, "good morning to all"), ("B", 2.0, 4.0, "see you later"), ("A", 4.0, 6.0, "yes of course")]
HYPOTHESIS = [("x", 2.0, 4.0, "see you"), ("y", 0.0, 2.0, "good day to all"), ("x", 4.0, 6.0, "yes of course")]


def text(utterances):
    keys = ("speaker", "start_time", "end_time", "words")
    return json.dumps([dict(zip(keys, one)) for one in utterances])


def session(spec):
    return bleuprint.metric(spec).score([text(HYPOTHESIS)], [text(REFERENCE)])


def of_meeteval(function, **options):
    """The rate of a function of MeetEval, or None if it is not installed."""
    wer = library("meeteval.wer")
    if wer is None:
        return None
    io = library("meeteval.io")
    sides = []
    for utterances in (REFERENCE, HYPOTHESIS):
        keys = ("speaker", "start_time", "end_time", "words")
        sides.append(io.SegLST([{"session_id": "s", **dict(zip(keys, one))} for one in utterances]))
    return getattr(wer, function)(*sides, **options)


def same(spec, function, **options):
    theirs = of_meeteval(function, **options)
    ours = session(spec)
    assert 0 < ours.score < 2
    assert theirs is None or ours.score == pytest.approx(theirs.error_rate, abs=1e-12), (spec, theirs)


def stm(name, utterances):
    lines = [f"s 1 {speaker} {start} {end} {words}\n" for speaker, start, end, words in utterances]
    Path(name).write_text("".join(lines), encoding="utf-8")
    return name


def files():
    return stm("ref.stm", REFERENCE), stm("hyp.stm", HYPOTHESIS)


@row("meeteval", "`meeteval-wer cpwer -r ref.stm -h hyp.stm`")
def _():
    ref, hyp = files()
    printed = json.loads(program("score", ref, "-i", hyp, "--speakers", "-m", "cpwer"))
    assert printed["score"] == session("cpwer").score
    same("cpwer", "cp_word_error_rate")


@row("meeteval", "`tcpwer --collar 5`")
def _():
    same("tcpwer:collar=5", "time_constrained_minimum_permutation_word_error_rate", collar=5)


@row("meeteval", "`orcwer`, `greedy_orcwer`")
def _():
    same("orcwer", "orc_word_error_rate")
    same("orcwer:search=greedy", "greedy_orc_word_error_rate")


@row("meeteval", "`tcorcwer --collar 5`, `greedy_tcorcwer`")
def _():
    same("tcorcwer:collar=5", "time_constrained_orc_wer", collar=5)
    assert session("tcorcwer:collar=5,search=greedy").score >= session("tcorcwer:collar=5").score


@row("meeteval", "`mimower`, `tcmimower --collar 5`")
def _():
    same("mimower", "mimo_word_error_rate")
    assert session("tcmimower:collar=5").score >= session("mimower").score


@row("meeteval", "`greedy_dicpwer`, `greedy_ditcpwer --collar 5`")
def _():
    same("dicpwer", "greedy_di_cp_word_error_rate")
    same("ditcpwer:collar=5", "greedy_di_tcp_word_error_rate", collar=5)


@row("meeteval", "`--ref-pseudo-word-timing`, `--hyp-pseudo-word-timing`")
def _():
    name = "character_based"
    same(
        f"tcpwer:collar=1,ref-timing={name},hyp-timing={name}", "time_constrained_minimum_permutation_word_error_rate",
        collar=1, reference_pseudo_word_level_timing=name, hypothesis_pseudo_word_level_timing=name,
    )


@row("meeteval", "`--partial`")
def _():
    ref, hyp = files()
    Path("ref.stm").write_text(Path("ref.stm").read_text() + "other 1 A 0.0 1.0 not there\n")
    printed = json.loads(program("score", ref, "-i", hyp, "--speakers", "-m", "cpwer", "--missing-sessions", "skip"))
    assert printed["score"] == session("cpwer").score


def rates_of_meeteval(ref, hyp, *options):
    """Errors and words of each session by MeetEval's program, or None if it is not installed."""
    if library("meeteval.wer") is None or library("simplejson") is None:
        return None
    outputs = ["--average-out", "average.json", "--per-reco-out", "each.json"]
    subprocess.run([sys.executable, "-m", "meeteval.wer", "cpwer", "-r", ref, "-h", hyp, *options, *outputs], check=True)
    return {name: (one["errors"], one["length"]) for name, one in json.loads(Path("each.json").read_text()).items()}


def chosen(*options):
    """Errors and words of each session by both programs, over three random sessions."""
    random, sides = Random(7), {"ref.stm": [], "hyp.stm": []}
    for session in ("S01", "S02", "T01"):
        for name, lines in sides.items():
            starts = sorted(random.randrange(0, 600) / 10 for _ in range(30))
            for start in starts:
                words = " ".join(random.choices("abcdef", k=random.randint(1, 6)))
                lines.append(f"{session} 1 {random.choice('AB')} {start} {round(start + random.randrange(1, 60) / 10, 1)} {words}\n")
    for name, lines in sides.items():
        Path(name).write_text("".join(lines))
    printed = program("score", "ref.stm", "-i", "hyp.stm", "--speakers", "-m", "cpwer", "-sl", "-f", "json", *options)
    rows = [json.loads(line) for line in printed.splitlines()]
    edits = ("insertions", "deletions", "substitutions")
    ours = {one["id"]: (sum(one[edit] for edit in edits), one["ref_len"]) for one in rows}
    theirs = rates_of_meeteval("ref.stm", "hyp.stm", *options)
    assert theirs is None or ours == theirs
    read = {option.removeprefix("--"): value for option, value in zip(options[::2], options[1::2])}
    run = bleuprint.from_files("speakers", "ref.stm", "hyp.stm", metrics="cpwer", **read)
    assert run.scores()["hyp.stm"]["cpwer"].ref_len == sum(words for _, words in ours.values())
    return ours


@row("meeteval", "`--uem all.uem`")
def _():
    # The second session has no region.
    Path("all.uem").write_text("S01 1 10.5 20.5\nT01 NA 0 12.3\n")
    every, some = chosen(), chosen("--uem", "all.uem")
    assert every["S02"] == some["S02"] and 0 < some["S01"][1] < every["S01"][1] and 0 < some["T01"][1] < every["T01"][1]


@row("meeteval", "`--regex 'S0.*'`")
def _():
    assert set(chosen("--regex", "S0.*")) == {"S01", "S02"} and set(chosen("--regex", r"\w0[12]")) == {"S01", "S02", "T01"}


@row("meeteval", "`average.json`, `per_reco.json`")
def _():
    ref, hyp = files()
    printed = program("score", ref, "-i", hyp, "--speakers", "-m", "cpwer", "-sl", "-f", "json")
    assert "assignment" in printed


@row("meeteval", "`assignment` of a result in Python")
def _():
    (pairs,) = bleuprint.metric("cpwer").assignments([text(HYPOTHESIS)], [text(REFERENCE)])
    theirs = of_meeteval("cp_word_error_rate")
    if theirs is not None:
        assert sorted(pairs) == sorted(theirs.assignment)
    assert sorted(pairs) == [("A", "y"), ("B", "x")]


@row("meeteval", "`SegLST`, STM, CTM")
def _():
    ref, hyp = files()
    for name, utterances in (("ref.json", REFERENCE), ("hyp.json", HYPOTHESIS)):
        keys = ("speaker", "start_time", "end_time", "words")
        Path(name).write_text(json.dumps([{"session_id": "s", **dict(zip(keys, one))} for one in utterances]))
    printed = [program("score", *pair, "--speakers", "-m", "cpwer", "-b") for pair in ((ref, "-i", hyp), ("ref.json", "-i", "hyp.json"))]
    assert printed[0] == printed[1]


@row("meeteval", "`cp_word_error_rate(ref, hyp)`")
def _():
    same("cpwer", "cp_word_error_rate")
