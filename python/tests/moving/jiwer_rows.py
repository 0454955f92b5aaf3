"""The rows of `docs/from-jiwer.md`."""

import subprocess
import sys
from pathlib import Path

import pytest

from .common import files, HYPS, library, program, REFS, row, score


def jiwers():
    from bleuprint.adapters import jiwer as ours

    theirs = library("jiwer")
    return ours, theirs if theirs is not ours else None


@row("jiwer", "`import jiwer`")
def _():
    code = "from bleuprint.adapters import jiwer as ours; ours.install(); import jiwer; print(jiwer is ours)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "True\n"


@row("jiwer", "`jiwer.wer(ref, hyp)`, `cer`, `mer`, `wil`, `wip`")
def _():
    ours, theirs = jiwers()
    for name in ("wer", "cer", "mer", "wil", "wip"):
        assert getattr(ours, name)(REFS, HYPS) == score(name)
        if theirs:
            assert getattr(theirs, name)(REFS, HYPS) == score(name)


@row("jiwer", "`process_words`, `process_characters`, `visualize_alignment`, `collect_error_counts`, `visualize_error_counts`")
def _():
    ours, theirs = jiwers()
    for name in ("process_words", "process_characters"):
        own = getattr(ours, name)(REFS, HYPS)
        assert own.hits and ours.visualize_alignment(own) and ours.visualize_error_counts(own)
        if theirs:
            other = getattr(theirs, name)(REFS, HYPS)
            assert ours.visualize_alignment(own) == theirs.visualize_alignment(other)
            assert ours.visualize_error_counts(own) == theirs.visualize_error_counts(other)
            assert ours.collect_error_counts(own) == tuple(map(dict, theirs.collect_error_counts(other)))


@row("jiwer", "`jiwer.Compose([..])` and the other 16 classes of `jiwer.transforms`")
def _():
    ours, theirs = jiwers()
    assert len(ours.transforms.__all__) == 17
    for module in filter(None, (ours, theirs)):
        clean = module.Compose([module.ToLowerCase(), module.RemovePunctuation(), module.wer_default])
        assert module.wer(REFS, HYPS, clean, clean) == score("wer", norm="lower+punct")


@row("jiwer", "`wer_contiguous`, `cer_contiguous`, `wer_standardize` and the others of `jiwer.transformations`")
def _():
    ours, theirs = jiwers()
    assert ours.wer(REFS, HYPS, *2 * [ours.wer_standardize]) == score("wer", norm="jiwer-standardize")
    for name in ours.transformations.__all__:
        compute = "cer" if name.startswith("cer") else "wer"
        own = getattr(ours, compute)(REFS, HYPS, *2 * [getattr(ours, name)])
        if theirs:
            assert own == getattr(theirs, compute)(REFS, HYPS, *2 * [getattr(theirs, name)])


def jiwer_program(*arguments):
    command = Path(sys.executable).with_name("jiwer")
    if not command.exists():
        return None
    return subprocess.run([command, *map(str, arguments)], capture_output=True, text=True, check=True).stdout


@row("jiwer", "`jiwer -r ref.txt -h hyp.txt`")
def _():
    ref, hyp = files(Path.cwd(), ref=REFS, hyp=HYPS)
    ours = program("score", ref, "-i", hyp, "-m", "wer", "-b", "-w", "6")
    theirs = jiwer_program("-r", ref, "-h", hyp)
    assert float(ours) == pytest.approx(float(theirs) if theirs else score("wer"), abs=1e-6)
    # Lines of fewer than two characters are what the page names as a difference.
    ref, hyp = files(Path.cwd(), ref=["a", "hello there", "", "x y"], hyp=["b", "hello here", "", "x y z"])
    assert float(program("score", ref, "-i", hyp, "-m", "wer", "-b", "-w", "6")) == 0.6
    theirs = jiwer_program("-r", ref, "-h", hyp)
    assert theirs is None or float(theirs) == 0.5


@row("jiwer", "`jiwer -r ref.txt -h hyp.txt -c`")
def _():
    ref, hyp = files(Path.cwd(), ref=REFS, hyp=HYPS)
    ours, theirs = program("score", ref, "-i", hyp, "-m", "cer", "-b", "-w", "6"), jiwer_program("-r", ref, "-h", hyp, "-c")
    assert float(ours) == pytest.approx(float(theirs) if theirs else score("cer"), abs=1e-6)


@row("jiwer", "`jiwer -r ref.txt -h hyp.txt -a`")
def _():
    ref, hyp = files(Path.cwd(), ref=REFS, hyp=HYPS)
    ours, theirs = program("align", "--like", "jiwer", ref, "-i", hyp), jiwer_program("-r", ref, "-h", hyp, "-a")
    assert "REF: " in ours and "HYP: " in ours
    if theirs:
        assert [line for line in ours.splitlines() if line.startswith("REF")] == [line for line in theirs.splitlines() if line.startswith("REF")]
