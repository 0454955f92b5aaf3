"""The rows of `docs/from-sacrebleu.md`."""

import os
import re
import subprocess
import sys
from pathlib import Path

from .common import BOTH, files, HYPS, library, MORE, program, REFS, row, score, STREAMS


@row("sacrebleu", "`sacrebleu ref.txt -i hyp.txt -m bleu chrf`")
def _():
    ref, hyp = files(Path.cwd(), ref=REFS, hyp=HYPS)
    ours = program("score", ref, "-i", hyp, "-m", "bleu", "chrf", "-f", "text")
    if library("sacrebleu"):
        command = [sys.executable, "-m", "sacrebleu", ref, "-i", hyp, "-m", "bleu", "chrf", "-f", "text"]
        theirs = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        plain = lambda text: re.sub(r"version:[^ |]*", "", text).splitlines()
        assert plain(ours) == plain(theirs)


@row("sacrebleu", "`-b`, `-w 4`, `-f text`, `--paired-bs`, `--confidence`")
def _():
    ref, hyp, other = files(Path.cwd(), ref=REFS, hyp=HYPS, other=MORE)
    assert program("score", ref, "-i", hyp, "-m", "bleu", "-b", "-w", "4").strip() == f"{score('bleu'):.4f}"
    assert "±" in program("score", ref, "-i", hyp, "-m", "bleu", "--confidence", "--confidence-n", "50", "-f", "text")
    assert "p = " in program("score", ref, "-i", hyp, other, "-m", "bleu", "--paired-bs", "--paired-bs-n", "50", "-f", "text")


@row("sacrebleu", "`-s floor`, `--chrf-word-order 2`, `--ter-normalized`")
def _():
    ref, hyp = files(Path.cwd(), ref=REFS, hyp=HYPS)
    for flags, spec in (("-s floor", "bleu:smooth-method=floor"), ("-m chrf --chrf-word-order 2", "chrf++"), ("-m ter --ter-normalized", "ter:normalized")):
        assert program("score", ref, "-i", hyp, "-b", "-w", "6", *flags.split()).strip() == f"{score(spec):.6f}"
    assert "max-order" in program("help", "bleu")


@row("sacrebleu", "`import sacrebleu`")
@row("sacrebleu", "`BLEU(..).corpus_score(hyps, streams)`")
def _():
    import bleuprint.sacrebleu as ours

    assert ours.BLEU().corpus_score(HYPS, STREAMS).score == score("bleu", BOTH)
    theirs = library("sacrebleu")
    if theirs and theirs is not ours:
        assert ours.corpus_bleu(HYPS, STREAMS).score == theirs.corpus_bleu(HYPS, STREAMS).score


@row("sacrebleu", "libraries that import sacrebleu")
def _():
    code = "import bleuprint.sacrebleu as ours; ours.install(strict=False); import sacrebleu; print(sacrebleu.corpus_chrf(['a', 'b'], [['a']]).score)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == f"{score('chrf', ['a'], ['a'])}\n", done.stderr


@row("sacrebleu", "`-t wmt22 -l en-de`")
def _():
    code = "from bleuprint.sacrebleu.utils import get_source_file; get_source_file('wmt22', 'en-de')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "SACREBLEU": str(Path.cwd())})
    assert done.returncode == 1 and "wmt22" in done.stderr and "sacrebleu" in done.stderr
