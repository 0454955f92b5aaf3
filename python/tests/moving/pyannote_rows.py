"""The rows of `docs/from-pyannote.md`."""

import json
from pathlib import Path

import pytest

import bleuprint

from .common import library, program, row

#: Turns of one file: speaker, start, end.
TURNS = [("Ann", 0.0, 4.0), ("Bob", 3.5, 6.0), ("Ann", 7.0, 9.0)]
FOUND = [("1", 0.25, 4.5), ("2", 4.5, 6.25), ("2", 7.0, 8.5)]
REGION = (0.0, 10.0)


def annotation(turns):
    core = library("pyannote.core")
    made = core.Annotation(uri="f")
    for at, (speaker, start, end) in enumerate(turns):
        made[core.Segment(start, end), at] = speaker
    return made


def turns(spec, found=FOUND, uem=True):
    sources = {"sources": [[REGION]]} if uem else {}
    return bleuprint.metric(spec).score([found], [TURNS], **sources)


def of_pyannote(module, name, found=FOUND, uem=True, **options):
    """The number of a metric of pyannote.metrics over one file, or None if it is not installed."""
    metrics = library(f"pyannote.metrics.{module}")
    if metrics is None:
        return None
    core = library("pyannote.core")
    region = {"uem": core.Timeline([core.Segment(*REGION)])} if uem else {}
    metric = getattr(metrics, name)(**options)
    return metric(annotation(TURNS), annotation(found), **region), metric


def like(spec, module, name, **options):
    theirs, ours = of_pyannote(module, name, **options), turns(spec).score
    assert 0 < ours < 2
    assert theirs is None or ours == pytest.approx(theirs[0], abs=1e-9), (spec, theirs)


def rttm(name, given):
    Path(name).write_text("".join(f"SPEAKER f 1 {start} {end - start} <NA> <NA> {speaker} <NA> <NA>\n" for speaker, start, end in given))
    return name


@row("pyannote", "`DiarizationErrorRate(collar=0.5)`")
def _():
    like("der:like=pyannote,collar=0.5", "diarization", "DiarizationErrorRate", collar=0.5)


@row("pyannote", "`DiarizationErrorRate(skip_overlap=True)`")
def _():
    like("der:like=pyannote,overlap=skip", "diarization", "DiarizationErrorRate", skip_overlap=True)


@row("pyannote", "`GreedyDiarizationErrorRate()`")
def _():
    like("der:like=pyannote,mapping=greedy", "diarization", "GreedyDiarizationErrorRate")


@row("pyannote", "`JaccardErrorRate()`")
def _():
    like("jer:like=pyannote", "diarization", "JaccardErrorRate")


@row("pyannote", "`DetectionErrorRate()`")
def _():
    like("detection:like=pyannote", "detection", "DetectionErrorRate")


@row("pyannote", "`DiarizationPurity()`, `DiarizationCoverage()`")
def _():
    ours = turns("purity:like=pyannote,uem=extent", uem=False)
    for name, number in (("DiarizationPurity", "purity"), ("DiarizationCoverage", "coverage")):
        theirs = of_pyannote("diarization", name, uem=False)
        assert theirs is None or getattr(ours, number) == pytest.approx(theirs[0], abs=1e-9)


@row("pyannote", "`metric(reference, hypothesis, uem=..)`")
def _():
    like("der:like=pyannote", "diarization", "DiarizationErrorRate")


@row("pyannote", "`metric(reference, hypothesis)` without `uem`")
def _():
    theirs = of_pyannote("diarization", "DiarizationErrorRate", uem=False)
    ours = turns("der:like=pyannote,uem=extent", uem=False).score
    assert theirs is None or ours == pytest.approx(theirs[0], abs=1e-9)


@row("pyannote", "`abs(metric)` over files")
def _():
    ours = bleuprint.metric("der:like=pyannote").score([FOUND, FOUND[:1]], [TURNS, TURNS], sources=[[REGION]] * 2).score
    theirs = of_pyannote("diarization", "DiarizationErrorRate")
    if theirs:
        core = library("pyannote.core")
        theirs[1](annotation(TURNS), annotation(FOUND[:1]), uem=core.Timeline([core.Segment(*REGION)]))
        assert ours == pytest.approx(abs(theirs[1]), abs=1e-9)


@row("pyannote", "`metric.report()`")
@row("pyannote", "`load_rttm(..)`")
def _():
    ref, hyp = rttm("ref.rttm", TURNS), rttm("hyp.rttm", FOUND)
    Path("all.uem").write_text("f 1 0 10\n")
    printed = json.loads(program("score", "--turns", ref, "-i", hyp, "--uem", "all.uem", "-m", "der:like=pyannote", "-q"))
    assert printed["score"] == pytest.approx(turns("der:like=pyannote").score, abs=1e-12)
    assert "f" in program("score", "--turns", ref, "-i", hyp, "--uem", "all.uem", "-m", "der:like=pyannote", "-sl", "-q")


@row("pyannote", "`metric.optimal_mapping(..)`")
def _():
    metric = bleuprint.metric("der:like=pyannote")
    if not hasattr(metric, "assignments"):
        pytest.skip("this version has no assignments")
    ours = metric.assignments([FOUND], [TURNS], sources=[[REGION]])
    theirs = of_pyannote("diarization", "DiarizationErrorRate")
    if theirs:
        mapping = theirs[1].optimal_mapping(annotation(TURNS), annotation(FOUND))
        assert {hyp: ref for ref, hyp in ours[0] if ref and hyp} == mapping


@row("pyannote", "`DetectionAccuracy()`, `DetectionPrecision()`, `DetectionRecall()`")
def _():
    ours = turns("speech_detection:like=pyannote").headlines
    for name in ("Accuracy", "Precision", "Recall"):
        theirs = of_pyannote("detection", f"Detection{name}")
        assert theirs is None or ours[name.lower()] == pytest.approx(theirs[0], abs=1e-12)


@row("pyannote", "`DetectionPrecisionRecallFMeasure(beta=2)`")
def _():
    ours = turns("speech_detection:like=pyannote,beta=2").headlines["f"]
    theirs = of_pyannote("detection", "DetectionPrecisionRecallFMeasure", beta=2)
    assert theirs is None or ours == pytest.approx(theirs[0], abs=1e-12)


@row("pyannote", "`DetectionCostFunction(fa_weight=0.5, miss_weight=0.5)`")
def _():
    ours = turns("speech_detection:like=pyannote,alarm-weight=0.5,miss-weight=0.5").headlines["cost"]
    theirs = of_pyannote("detection", "DetectionCostFunction", fa_weight=0.5, miss_weight=0.5)
    assert theirs is None or ours == pytest.approx(theirs[0], abs=1e-12)


@row("pyannote", "`IdentificationErrorRate()`")
def _():
    names = [({"1": "Ann", "2": "Bob"}[speaker], start, end) for speaker, start, end in FOUND]
    theirs = of_pyannote("identification", "IdentificationErrorRate", names)
    ours = turns("der:like=pyannote,mapping=names", names).score
    assert theirs is None or ours == pytest.approx(theirs[0], abs=1e-12)


#: Rows that the page may not have yet.
LATER = {
    ("pyannote", cell)
    for cell in (
        "`DetectionAccuracy()`, `DetectionPrecision()`, `DetectionRecall()`",
        "`DetectionPrecisionRecallFMeasure(beta=2)`",
        "`DetectionCostFunction(fa_weight=0.5, miss_weight=0.5)`",
        "`IdentificationErrorRate()`",
    )
}
