"""Every row of the tables of `docs/from-*.md` has a test: both sides where the other library is installed, our side everywhere.

A row is named by the text of its first cell. `EVALUATE` names a checkout of evaluate, whose package has no metrics; without it, evaluate's
side is the number of its documentation.
"""

import inspect
import math
import os
import random
import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import bleuprint

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "examples" / "data"
#: Tests by page and first cell.
TESTS = {}


def cells():
    """Pairs of a page and the first cell of a row."""
    for path in sorted((ROOT / "docs").glob("from-*.md")):
        lines = path.read_text(encoding="utf-8").splitlines()
        for before, line in zip(lines, lines[1:]):
            # A row has a line of the table before it that is not the header.
            if line.startswith("| ") and before.startswith("|"):
                yield path.stem.removeprefix("from-"), line.split(" | ")[0].removeprefix("| ").strip()


CELLS = list(cells())


def row(page, cell):
    def keep(function):
        assert (page, cell) not in TESTS, cell
        TESTS[page, cell] = function
        return function

    return keep


def test_every_row_has_a_test():
    assert len(CELLS) == len(set(CELLS)) > 90
    assert set(CELLS) <= set(TESTS), set(CELLS) - set(TESTS)
    assert set(TESTS) <= set(CELLS) | LATER, set(TESTS) - set(CELLS)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("page, cell", [pytest.param(*key, id=f"{key[0]}-{at}") for at, key in enumerate(CELLS)])
def test_the_row_is_right(page, cell):
    TESTS[page, cell]()


def lines(name, count=40):
    return (DATA / name).read_text(encoding="utf-8").splitlines()[:count]


HYPS, REFS, MORE = lines("en.sys-a.txt"), lines("en.ref1.txt"), lines("en.ref2.txt")
BOTH = [list(pair) for pair in zip(REFS, MORE)]
STREAMS = [REFS, MORE]


def score(spec, references=REFS, hypotheses=HYPS, **options):
    return bleuprint.metric(spec, **options).score(hypotheses, references).score


def library(name):
    """The module of another library, or None if it is not installed."""
    try:
        return __import__(name, fromlist=["x"])
    except ImportError:
        return None


def program(*arguments):
    done = subprocess.run([sys.executable, "-m", "bleuprint", *map(str, arguments)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def files(folder, **texts):
    paths = []
    for name, rows in texts.items():
        paths.append(folder / f"{name}.txt")
        paths[-1].write_text("".join(f"{line}\n" for line in rows), encoding="utf-8")
    return paths


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


# -- sacreBLEU ------------------------------------------------------------------------------------------------------


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


@row("sacrebleu", "`-t wmt22 -l en-de`")
def _():
    code = "from bleuprint.sacrebleu.utils import get_source_file; get_source_file('wmt22', 'en-de')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "SACREBLEU": str(Path.cwd())})
    assert done.returncode == 1 and "wmt22" in done.stderr and "sacrebleu" in done.stderr


# -- jiwer ----------------------------------------------------------------------------------------------------------


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


# -- rouge_score ----------------------------------------------------------------------------------------------------


def scorers(names, **options):
    from bleuprint.adapters.rouge_score import rouge_scorer

    theirs = library("rouge_score.rouge_scorer")
    made = [rouge_scorer.RougeScorer(names, **options)]
    return made + ([theirs.RougeScorer(names, **options)] if theirs else [])


@row("rouge-score", "`from rouge_score import rouge_scorer, scoring`")
def _():
    code = "import bleuprint.adapters.rouge_score as ours; ours.install(); from rouge_score import rouge_scorer, scoring; print(scoring is ours.scoring)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "True\n"


@row("rouge-score", '`RougeScorer(["rouge1", "rougeL"]).score(target, prediction)`')
@row("rouge-score", "`.fmeasure`, `.precision`, `.recall`")
def _():
    for scorer in scorers(["rouge1", "rougeL"]):
        for name in ("rouge1", "rougeL"):
            for hyp, ref, one in zip(HYPS, REFS, bleuprint.metric(name).sentences(HYPS, REFS)):
                theirs = scorer.score(ref, hyp)[name]
                assert (theirs.fmeasure, theirs.precision, theirs.recall) == (one.score, one.precision, one.recall)


@row("rouge-score", "`use_stemmer=True`")
def _():
    for scorer in scorers(["rouge1"], use_stemmer=True):
        own = bleuprint.metric("rouge1:stemmer").sentences(HYPS, REFS)
        assert [scorer.score(ref, hyp)["rouge1"].fmeasure for hyp, ref in zip(HYPS, REFS)] == [one.score for one in own]


@row("rouge-score", "`score_multi(targets, prediction)`")
def _():
    for scorer in scorers(["rouge2"]):
        own = bleuprint.metric("rouge2").sentences(HYPS, BOTH)
        assert [scorer.score_multi(refs, hyp)["rouge2"].fmeasure for hyp, refs in zip(HYPS, BOTH)] == [one.score for one in own]


@row("rouge-score", "`rougeLsum`")
def _():
    texts = ["\n".join(HYPS[at : at + 3]) for at in range(0, 30, 3)]
    others = ["\n".join(REFS[at : at + 3]) for at in range(0, 30, 3)]
    for scorer in scorers(["rougeLsum"]):
        own = bleuprint.metric("rougeLsum").sentences(texts, others)
        assert [scorer.score(ref, hyp)["rougeLsum"].fmeasure for hyp, ref in zip(texts, others)] == [one.score for one in own]


@row("rouge-score", "`split_summaries=True`")
def _():
    from bleuprint.adapters.rouge_score import rouge_scorer

    cut = lambda text: text.split(". ")
    one = rouge_scorer.RougeScorer(["rougeLsum"], split_summaries=cut).score("a b. c d", "c d. a b")
    assert one == rouge_scorer.RougeScorer(["rougeLsum"]).score("a b\nc d", "c d\na b")
    # `test_rouge_score_names.py` compares with rouge_score over the same sentences.


@row("rouge-score", "`tokenizer=`")
def _():
    class Words:
        def tokenize(self, text):
            return text.split()

    for scorer in scorers(["rouge1"], tokenizer=Words()):
        own = bleuprint.metric("rouge1", tokenize=str.split).sentences(HYPS, REFS)
        assert [scorer.score(ref, hyp)["rouge1"].fmeasure for hyp, ref in zip(HYPS, REFS)] == [one.score for one in own]


@row("rouge-score", "`BootstrapAggregator`")
def _():
    numpy = pytest.importorskip("numpy")
    from bleuprint.adapters.rouge_score import scoring

    rows = [scorers(["rouge1"])[0].score(ref, hyp) for hyp, ref in zip(HYPS, REFS)]
    made = []
    for module in filter(None, (scoring, library("rouge_score.scoring"))):
        aggregator = module.BootstrapAggregator()
        for one in rows:
            aggregator.add_scores(one)
        numpy.random.seed(3)
        made.append(aggregator.aggregate()["rouge1"])
    assert all(one == made[0] for one in made)
    assert made[0].low.fmeasure < score("rouge1") < made[0].high.fmeasure and made[0].mid.fmeasure == pytest.approx(score("rouge1"), abs=0.01)


# -- NLTK -----------------------------------------------------------------------------------------------------------

TOKENS = [text.split() for text in HYPS]
OTHERS = [[text.split() for text in pair] for pair in BOTH]


def of_nltk(module, name):
    """The function of the adapter, and NLTK's where it is installed."""
    from bleuprint.adapters import nltk as ours

    theirs = library(f"nltk.translate.{module}_score")
    return [getattr(ours, name)] + ([getattr(theirs, name)] if theirs else [])


def smoothing(module, method):
    from bleuprint.adapters import nltk as ours

    return getattr((ours if module == "ours" else library("nltk.translate.bleu_score")).SmoothingFunction(), method)


@row("nltk", "`corpus_bleu`, `sentence_bleu`")
def _():
    for function in of_nltk("bleu", "corpus_bleu"):
        assert function(OTHERS, TOKENS) == score("bleu:dialect=nltk", OTHERS, TOKENS)
    for function in of_nltk("bleu", "sentence_bleu"):
        assert function(OTHERS[3], TOKENS[3]) == bleuprint.metric("bleu:dialect=nltk").score(TOKENS[3:4], OTHERS[3:4]).score


@row("nltk", "`SmoothingFunction().method1` .. `method7`")
def _():
    for at, function in enumerate(of_nltk("bleu", "sentence_bleu")):
        for method in ("method1", "method2", "method3", "method4", "method5", "method7"):
            own = bleuprint.metric(f"bleu:dialect=nltk:{method}").score(TOKENS[3:4], OTHERS[3:4]).score
            assert function(OTHERS[3], TOKENS[3], smoothing_function=smoothing(("ours", "theirs")[at], method)) == own, method


@row("nltk", "`auto_reweigh=True`")
def _():
    for function in of_nltk("bleu", "sentence_bleu"):
        own = bleuprint.metric("bleu:dialect=nltk:auto-reweigh").score([["a", "b"]], [[["a", "b", "c"]]]).score
        assert function([["a", "b", "c"]], ["a", "b"], auto_reweigh=True) == own > 0.5


@row("nltk", "`weights=(0.1, 0.3, 0.5, 0.1)`")
def _():
    for function in of_nltk("bleu", "corpus_bleu"):
        assert function(OTHERS, TOKENS, (0.1, 0.3, 0.5, 0.1)) == score("bleu:dialect=nltk,weights=0.1/0.3/0.5/0.1", OTHERS, TOKENS)


@row("nltk", "`corpus_gleu`, `sentence_gleu`")
def _():
    for function in of_nltk("gleu", "corpus_gleu"):
        assert function(OTHERS, TOKENS) == score("gleu:ties=first", OTHERS, TOKENS)


@row("nltk", "`corpus_nist`, `sentence_nist`")
def _():
    for function in of_nltk("nist", "corpus_nist"):
        assert function(OTHERS, TOKENS) == pytest.approx(score("nist:dialect=nltk", OTHERS, TOKENS), abs=1e-12)


@row("nltk", "`sentence_chrf`")
def _():
    for function in of_nltk("chrf", "sentence_chrf"):
        for hyp, ref in zip(HYPS[:10], REFS):
            assert function(ref, hyp) == pytest.approx(score("chrf:beta=3,eps-smoothing", [ref], [hyp]) / 100, abs=1e-12)


@row("nltk", "`corpus_chrf`")
def _():
    for function in of_nltk("chrf", "corpus_chrf"):
        each = bleuprint.metric("chrf:beta=3,eps-smoothing").sentences(HYPS, REFS)
        assert function(REFS, HYPS) == pytest.approx(sum(one.score for one in each) / 100 / len(each), abs=1e-12)


@row("nltk", "`sentence_ribes`")
def _():
    for function in of_nltk("ribes", "sentence_ribes"):
        assert function(OTHERS[2], TOKENS[2]) == score("ribes", OTHERS[2:3], TOKENS[2:3])


@row("nltk", "`corpus_ribes`")
def _():
    for function in of_nltk("ribes", "corpus_ribes"):
        assert function(OTHERS, TOKENS) == pytest.approx(score("ribes", OTHERS, TOKENS), abs=1e-12)


@row("nltk", "`meteor_score`, `single_meteor_score`")
def _():
    folder = ROOT / "crates/testkit/data/meteor/wordnet"

    class Nothing:
        def synsets(self, word):
            return []

    for at, function in enumerate(of_nltk("meteor", "meteor_score")):
        expected = bleuprint.metric("meteor", tokenize="none").score(HYPS[2:3], BOTH[2:3]).score
        assert function(OTHERS[2], TOKENS[2], wordnet=Nothing() if at else None) == expected
    own = of_nltk("meteor", "meteor_score")[0](OTHERS[2], TOKENS[2], wordnet=folder)
    assert own == bleuprint.metric("meteor", wordnet=str(folder), tokenize="none").score(HYPS[2:3], BOTH[2:3]).score


@row("nltk", "`edit_distance`")
def _():
    distance = library("nltk.metrics.distance")
    for hyp, ref in zip(HYPS[:10], REFS):
        parts = bleuprint.metric("error_rate").score([list(hyp)], [[list(ref)]])
        edits = parts.substitutions + parts.insertions + parts.deletions
        assert 0 < edits <= max(len(hyp), len(ref))
        if distance:
            assert edits == distance.edit_distance(ref, hyp)


def random_words(count):
    rng = random.Random(5)
    return [("".join(rng.choices("abcd\u00e9 x", k=rng.randint(1, 9))), "".join(rng.choices("abcd\u00e9 x", k=rng.randint(1, 9)))) for _ in range(count)]


@row("nltk", "`jaro_similarity`")
@row("nltk", "`jaro_winkler_similarity`")
def _():
    distance = library("nltk.metrics.distance")
    assert score("jaro", ["abc"], ["abc"]) == score("jaro_winkler", ["abc"], ["abc"]) == 1.0
    above = 0
    for one, other in random_words(300) if distance else []:
        jaro = distance.jaro_similarity(one, other)
        assert score("jaro", [one], [other]) == pytest.approx(jaro, abs=1e-12)
        if jaro > 0.7:
            above += 1
            assert score("jaro_winkler", [one], [other]) == pytest.approx(distance.jaro_winkler_similarity(one, other), abs=1e-12)
        else:
            assert score("jaro_winkler", [one], [other]) == pytest.approx(jaro, abs=1e-12)
    assert above or not distance


@row("nltk", "`corpus_lepor`, `sentence_lepor`")
def _():
    assert not any("lepor" in entry["name"] for entry in bleuprint.list_metrics())


# -- torchmetrics ---------------------------------------------------------------------------------------------------


def of_torch(name, *data, **options):
    """The number of a class of torchmetrics, or None if it is not installed."""
    text = library("torchmetrics.text")
    if text is None:
        return None
    metric = getattr(text, name)(**options)
    metric.update(*data)
    return metric.compute()


SINGLE = [[one] for one in REFS]
#: Segments with a match, without which torchmetrics drops their references (its issue 3480).
MATCHED = [at for at, one in enumerate(bleuprint.metric("chrf++").sentences(HYPS, REFS)) if one.score > 0]


def same_number(theirs, ours, tolerance=1e-6):
    assert math.isfinite(ours)
    assert theirs is None or float(theirs) == pytest.approx(ours, abs=tolerance)


@row("torchmetrics", "`SacreBLEUScore()`")
def _():
    same_number(of_torch("SacreBLEUScore", HYPS, SINGLE), score("bleu") / 100)


@row("torchmetrics", "`BLEUScore()`")
@row("torchmetrics", "`BLEUScore(smooth=True)`")
def _():
    for smooth, spec in ((False, "bleu:dialect=torchmetrics"), (True, "bleu:dialect=torchmetrics:smooth")):
        same_number(of_torch("BLEUScore", HYPS, SINGLE, smooth=smooth), score(spec))


@row("torchmetrics", "`CHRFScore()`")
@row("torchmetrics", "`CHRFScore(n_word_order=0)`")
def _():
    hyps, refs = [HYPS[at] for at in MATCHED], [SINGLE[at] for at in MATCHED]
    for options, spec in (({}, "chrf++:eps-smoothing"), ({"n_word_order": 0}, "chrf:eps-smoothing")):
        same_number(of_torch("CHRFScore", hyps, refs, **options), score(spec, refs, hyps) / 100)
    dropped = of_torch("CHRFScore", ["ab", "xy"], [["ab"], ["cd"]])
    assert dropped is None or float(dropped) > score("chrf++:eps-smoothing", ["ab", "cd"], ["ab", "xy"]) / 100 + 0.01


@row("torchmetrics", "`TranslationEditRate()`")
def _():
    empty = of_torch("TranslationEditRate", ["", "a b"], [["c d"], ["a b"]])
    assert score("ter", ["c d", "a b"], ["", "a b"]) == 50.0
    assert empty is None or float(empty) == 0.0
    theirs = of_torch("TranslationEditRate", HYPS, SINGLE)
    assert theirs is None or abs(float(theirs) - score("ter") / 100) < 0.02


@row("torchmetrics", "`ROUGEScore()`")
@row("torchmetrics", "`ROUGEScore(use_stemmer=True)`")
def _():
    rouge = library("torchmetrics.functional.text.rouge")
    with pytest.MonkeyPatch.context() as patch:
        if rouge:
            patch.setattr(rouge, "_split_sentence", str.splitlines)
        for stemmer in (False, True) if library("nltk") or not rouge else (False,):
            keys = ("rouge1", "rouge2", "rougeL", "rougeLsum")
            theirs = of_torch("ROUGEScore", HYPS, REFS, use_stemmer=stemmer, rouge_keys=keys)
            for name in keys:
                same_number(theirs and theirs[f"{name}_fmeasure"], score(f"{name}:stemmer" if stemmer else name))


@row("torchmetrics", "`WordErrorRate()`")
@row("torchmetrics", "`CharErrorRate()`")
def _():
    for name, spec in (("WordErrorRate", "wer"), ("CharErrorRate", "cer")):
        same_number(of_torch(name, HYPS, REFS), score(spec))
    assert score("wer", [""], ["a b"]) == 2.0 and score("wer", ["a b"], ["a\tb"]) == 1.0
    theirs = of_torch("WordErrorRate", ["a b"], [""]), of_torch("CharErrorRate", ["a  b "], [" a b"])
    assert theirs[0] is None or math.isinf(float(theirs[0])) and float(theirs[1]) == 0.75
    assert score("cer", [" a b"], ["a  b "]) == pytest.approx(1 / 3)


@row("torchmetrics", "`MatchErrorRate()`")
@row("torchmetrics", "`WordInfoLost()`")
@row("torchmetrics", "`WordInfoPreserved()`")
def _():
    # Edits and lengths are small enough for an exact definition of what torchmetrics computes instead.
    edits = longest = 0
    for hyp, ref in zip(HYPS, REFS):
        parts = bleuprint.metric("error_rate").score([hyp.split()], [[ref.split()]])
        edits += parts.substitutions + parts.insertions + parts.deletions
        longest += max(len(hyp.split()), len(ref.split()))
    same_number(of_torch("MatchErrorRate", HYPS, REFS), edits / longest)
    assert abs(score("mer") - edits / longest) > 0.01
    for name, spec in (("WordInfoLost", "wil"), ("WordInfoPreserved", "wip")):
        theirs = of_torch(name, HYPS, REFS)
        assert theirs is None or abs(float(theirs) - score(spec)) > 0.01


@row("torchmetrics", '`EditDistance(reduction="sum")`')
def _():
    hyps = [list(hyp) for hyp in HYPS]
    parts = bleuprint.metric("error_rate").score(hyps, [[list(ref)] for ref in REFS])
    edits = parts.substitutions + parts.insertions + parts.deletions
    theirs = of_torch("EditDistance", HYPS, REFS, reduction="sum")
    assert theirs is None or edits <= float(theirs) < 1.05 * edits
    exact = of_torch("EditDistance", ["sitting", "rain"], ["kitten", "shine"], reduction="sum")
    assert exact is None or float(exact) == 6.0


@row("torchmetrics", "`ExtendedEditDistance()`")
def _():
    same_number(of_torch("ExtendedEditDistance", HYPS, BOTH), score("eed", BOTH))


@row("torchmetrics", "`Perplexity(ignore_index=-100)`")
def _():
    rows = [[-0.5, -2.25, -1.0], [-3.0, -0.25]]
    ours = bleuprint.metric("perplexity:per=token").score([{"loglik": one} for one in rows]).score
    assert ours == pytest.approx(math.exp(7.0 / 5))
    torch = library("torch")
    if torch and library("torchmetrics.text"):
        torch.manual_seed(1)
        logits, target = torch.randn(2, 7, 11), torch.randint(0, 11, (2, 7))
        target[0, 5:] = -100
        chosen = torch.log_softmax(logits.double(), -1)
        model = [{"loglik": [float(chosen[i, j, target[i, j]]) for j in range(7) if target[i, j] != -100]} for i in range(2)]
        theirs = float(of_torch("Perplexity", logits, target, ignore_index=-100))
        assert theirs == pytest.approx(bleuprint.metric("perplexity:per=token").score(model).score, rel=1e-5)


@row("torchmetrics", "`SQuAD()`")
def _():
    answers = [["cat", "dog"], ["y z"]]
    predictions = [{"prediction_text": text, "id": str(at)} for at, text in enumerate(("The Cat", "x y"))]
    targets = [{"answers": {"answer_start": [0], "text": own}, "id": str(at)} for at, own in enumerate(answers)]
    theirs = of_torch("SQuAD", predictions, targets)
    for key, spec, expected in (("exact_match", "squad_em", 50.0), ("f1", "squad_f1", 75.0)):
        assert score(spec, answers, ["The Cat", "x y"]) == expected
        assert theirs is None or float(theirs[key]) == expected


@row("torchmetrics", "`update`, `compute`, `reset`, `sync` over ranks")
def _():
    pytest.importorskip("numpy")
    from bleuprint.adapters.distributed import SummedMetric

    metric = SummedMetric("bleu")
    for at in range(0, len(HYPS), 7):
        metric.update(HYPS[at : at + 7], BOTH[at : at + 7])
    assert metric.compute().score == score("bleu", BOTH)
    metric.reset()
    metric.update(HYPS[:5], BOTH[:5])
    assert metric.compute().score == score("bleu", BOTH[:5], HYPS[:5])


@row("torchmetrics", "`MetricCollection`")
def _():
    both = bleuprint.Evaluation(["bleu", "chrf"]).score(HYPS, BOTH)
    assert both["bleu"].score == score("bleu", BOTH) and both["chrf"].score == score("chrf", BOTH)


# -- evaluate -------------------------------------------------------------------------------------------------------


def of_evaluate(name, documented, **data):
    """evaluate's number: computed if a checkout is there, else that of its documentation."""
    checkout, evaluate = os.environ.get("EVALUATE"), library("evaluate")
    if not checkout or evaluate is None:
        return documented
    os.environ["HF_ALLOW_CODE_EVAL"] = "1"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return evaluate.load(os.path.join(checkout, "metrics", name)).compute(**data)
        except (ImportError, LookupError, OSError):
            # Some of its metrics need a server, data of NLTK, or more packages.
            return documented


GUIDE = "It is a guide to action which ensures that the military always obeys the commands of the party"
GUIDES = [
    "It is a guide to action that ensures that the military will forever heed Party commands",
    "It is the guiding principle which guarantees the military forces always being under the command of the Party",
    "It is the practical guide for the army always to heed the directions of the party",
]
SAUDI = "this week the saudis denied information published in the new york times"
ARABIA = "saudi arabia denied this week information published in the american new york times"


def peers_of_evaluate(spec, name, key, documented, references, predictions, scale=1.0):
    data = {"predictions": predictions, "references": references}
    theirs = of_evaluate(name, {key: documented}, **data)[key]
    assert theirs == pytest.approx(documented, abs=1e-9)
    assert score(spec, references, predictions) / scale == pytest.approx(documented, abs=1e-9)


@row("evaluate", '`evaluate.load("sacrebleu")`')
def _():
    predictions = ["hello there general kenobi", "foo bar foobar"]
    references = [["hello there general kenobi", "hello there !"], ["foo bar foobar", "foo bar foobar"]]
    peers_of_evaluate("bleu", "sacrebleu", "score", 100.00000000000004, references, predictions)


@row("evaluate", '`evaluate.load("bleu")`')
def _():
    references = [["hello there general kenobi", "hello there !"], ["foo bar foobar"]]
    peers_of_evaluate("bleu:dialect=hf", "bleu", "bleu", 1.0, references, ["hello there general kenobi", "foo bar foobar"])


@row("evaluate", '`evaluate.load("google_bleu")`')
def _():
    one = "It is a guide to action which ensures that the rubber duck always disobeys the commands of the cat"
    other = "It is the guiding principle which guarantees the rubber duck forces never being under the command of the cat"
    theirs = of_evaluate("google_bleu", {"google_bleu": None}, predictions=[one], references=[[other]])["google_bleu"]
    assert 0 < score("gleu", [other], [one]) < 1
    assert theirs is None or theirs == score("gleu", [other], [one])


@row("evaluate", '`evaluate.load("chrf")`, `evaluate.load("chrf", word_order=2)`')
@row("evaluate", '`evaluate.load("ter")`')
def _():
    for name, options, spec in (("chrf", {}, "chrf"), ("chrf", {"word_order": 2}, "chrf++"), ("ter", {"case_sensitive": False}, "ter")):
        theirs = of_evaluate(name, None, predictions=HYPS, references=BOTH, **options)
        assert score(spec, BOTH) > 0
        assert theirs is None or theirs["score"] == pytest.approx(score(spec, BOTH), abs=1e-12)


@row("evaluate", '`evaluate.load("nist_mt")`')
def _():
    peers_of_evaluate("nist:dialect=nltk", "nist_mt", "nist_mt", 3.3709935957649324, [GUIDES], [GUIDE])


@row("evaluate", '`evaluate.load("rouge")`')
def _():
    from bleuprint.adapters.evaluate import Rouge

    ours = Rouge().compute(predictions=HYPS, references=REFS, use_aggregator=False)
    theirs = of_evaluate("rouge", None, predictions=HYPS, references=REFS, use_aggregator=False)
    assert theirs is None or ours == {name: list(map(float, rows)) for name, rows in theirs.items()}
    assert list(ours) == ["rouge1", "rouge2", "rougeL", "rougeLsum"]


@row("evaluate", '`evaluate.load("wer")`, `cer`')
def _():
    predictions, references = ["this is the prediction", "there is an other sample"], ["this is the reference", "there is another one"]
    data = {"predictions": predictions, "references": references}
    for name, documented in (("wer", 0.5), ("cer", 0.34146341463414637)):
        assert of_evaluate(name, documented, **data) == score(name, references, predictions) == documented


@row("evaluate", '`evaluate.load("character")`')
def _():
    peers_of_evaluate("character", "character", "cer_score", 0.36619718309859156, [ARABIA], [SAUDI])


@row("evaluate", '`evaluate.load("meteor")`')
def _():
    # Only equal words and stems match in this example, with or without synonyms.
    assert round(score("meteor", [GUIDES[0]], [GUIDE]), 4) == 0.6944


@row("evaluate", '`evaluate.load("sari")`')
def _():
    from bleuprint.adapters.evaluate import Evaluation

    data = {
        "sources": ["About 95 species are currently accepted ."],
        "predictions": ["About 95 you now get in ."],
        "references": [["About 95 species are currently known .", "About 95 species are now accepted .", "95 species are now accepted ."]],
    }
    ours = bleuprint.metric("sari").score(data["predictions"], data["references"], sources=data["sources"]).score
    assert of_evaluate("sari", {"sari": 26.953601953601954}, **data)["sari"] == pytest.approx(ours, abs=1e-12)
    if "sources" in inspect.signature(Evaluation.compute).parameters:
        assert Evaluation("sari").compute(**data)["score"] == ours


@row("evaluate", '`evaluate.load("squad")`')
def _():
    data = {
        "predictions": [{"prediction_text": "The Cat", "id": "a"}, {"prediction_text": "x y", "id": "b"}],
        "references": [{"answers": {"answer_start": [0, 0], "text": ["cat", "dog"]}, "id": "a"}, {"answers": {"answer_start": [0], "text": ["y z"]}, "id": "b"}],
    }
    theirs = of_evaluate("squad", {"exact_match": 50.0, "f1": 75.0}, **data)
    assert theirs == {"exact_match": 50.0, "f1": 75.0}
    given = [["cat", "dog"], ["y z"]], ["The Cat", "x y"]
    assert (score("squad_em", *given), score("squad_f1", *given)) == (50.0, 75.0)


@row("evaluate", '`evaluate.load("squad_v2")`')
def _():
    answer = lambda text, at: {"prediction_text": text, "id": at, "no_answer_probability": 0.0}
    wanted = lambda texts, at: {"answers": {"answer_start": [0] * len(texts), "text": texts}, "id": at}
    data = {"predictions": [answer("1976", "a"), answer("", "b"), answer("x y", "c")], "references": [wanted(["1976"], "a"), wanted([], "b"), wanted(["y z"], "c")]}
    theirs = of_evaluate("squad_v2", {"exact": 66.66666666666667, "f1": 83.33333333333333}, **data)
    ours = bleuprint.metric("squad2").score(["1976", "", "x y"], [["1976"], [""], ["y z"]])
    assert theirs["f1"] == pytest.approx(ours.score) == 83.33333333333333 and theirs["exact"] == pytest.approx(66.66666666666667)


@row("evaluate", '`evaluate.load("exact_match")`')
def _():
    peers_of_evaluate("exact_match", "exact_match", "exact_match", 0.25, ["the cat", "theater", "YELLING", "agent007"], ["cat?", "theater", "yelling", "agent"], 100.0)


@row("evaluate", '`evaluate.load("code_eval")`')
def _():
    # Its documentation has two candidates, of which one is right.
    for k, documented in ((1, 0.5), (2, 1.0)):
        assert bleuprint.metric("pass", k=k).score([{"n": 2, "c": 1}]).score == documented


@row("evaluate", '`evaluate.load("perplexity")`')
def _():
    model = [{"loglik": [-1.0, -2.0]}, {"loglik": [-0.5]}]
    assert bleuprint.metric("mean_perplexity").score(model).score == pytest.approx((math.exp(1.5) + math.exp(0.5)) / 2)


@row("evaluate", '`evaluate.load("accuracy")`')
def _():
    peers_of_evaluate("labels:score=accuracy", "accuracy", "accuracy", 0.5, [0, 1, 2, 0, 1, 2], [0, 1, 1, 2, 1, 0])


@row("evaluate", '`evaluate.load("f1")`, `precision`, `recall`')
def _():
    predictions, references = [0, 2, 1, 0, 0, 1], [0, 1, 2, 0, 1, 2]
    data = {"predictions": predictions, "references": references, "average": "macro", "zero_division": 0}
    for name, documented in (("f1", 0.26666666666666666), ("precision", 0.2222222222222222), ("recall", 0.3333333333333333)):
        given = {key: value for key, value in data.items() if name != "f1" or key != "zero_division"}
        theirs = of_evaluate(name, {name: documented}, **given)[name]
        assert theirs == pytest.approx(score(f"labels:average=macro,score={name[:1] if name == 'f1' else name}", references, predictions)) == pytest.approx(documented)


@row("evaluate", '`evaluate.load("matthews_correlation")`')
def _():
    predictions, references = [1, 2, 2, 0, 3, 3], [1, 3, 2, 0, 3, 2]
    theirs = of_evaluate("matthews_correlation", {"matthews_correlation": 0.54}, predictions=predictions, references=references)
    assert round(score("labels:score=mcc", references, predictions), 2) == round(theirs["matthews_correlation"], 2) == 0.54


@row("evaluate", '`evaluate.load("seqeval")`')
def _():
    predictions = [["O", "O", "B-MISC", "I-MISC", "I-MISC", "I-MISC", "O"], ["B-PER", "I-PER", "O"]]
    references = [["O", "O", "O", "B-MISC", "I-MISC", "I-MISC", "O"], ["B-PER", "I-PER", "O"]]
    theirs = of_evaluate("seqeval", {"overall_f1": 0.5}, predictions=predictions, references=references)
    assert score("spans", references, predictions) == theirs["overall_f1"] == 0.5


@row("evaluate", '`evaluate.load("bertscore")`')
def _():
    numpy = pytest.importorskip("numpy")
    vectors = [numpy.eye(3, 4)]
    assert bleuprint.bertscore(vectors, vectors).score().score == pytest.approx(1.0)


@row("evaluate", '`evaluate.load("charcut_mt")`')
def _():
    assert not any("charcut" in entry["name"] for entry in bleuprint.list_metrics())


@row("evaluate", "`evaluate.combine([..])`")
def _():
    all_of = bleuprint.metrics("bleu", "chrf", "ter").score(HYPS, BOTH)
    assert {name: one.score for name, one in all_of.items()} == {name: score(name, BOTH) for name in ("bleu", "chrf", "ter")}


@row("evaluate", "`add`, `add_batch`, `compute`")
def _():
    from bleuprint.adapters.evaluate import Evaluation

    metric = Evaluation("bleu")
    metric.add(prediction=HYPS[0], reference=BOTH[0])
    metric.add_batch(predictions=HYPS[1:], references=BOTH[1:])
    assert metric.compute()["score"] == score("bleu", BOTH)


@row("evaluate", "metrics of evaluate that import sacrebleu, jiwer or rouge_score")
def _():
    code = '''
import bleuprint.sacrebleu, bleuprint.adapters.jiwer, bleuprint.adapters.rouge_score
for package in (bleuprint.sacrebleu, bleuprint.adapters.jiwer, bleuprint.adapters.rouge_score):
    package.install()
import jiwer, jiwer.transforms, sacrebleu
from rouge_score import rouge_scorer, scoring
print(jiwer.__name__, sacrebleu.__name__, scoring.__name__, hasattr(jiwer, "compute_measures"))
'''
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "bleuprint.adapters.jiwer bleuprint.sacrebleu bleuprint.adapters.rouge_score.scoring False\n", done.stderr


# -- MeetEval and pyannote.metrics: `moving_speech.py` adds their rows --------------------------------------

LATER = set()

import moving_speech  # noqa: E402

LATER.update(moving_speech.add(row))
