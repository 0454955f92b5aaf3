"""The compatibility suite: one set of tests for sacreBLEU itself and for `bleuprint.sacrebleu`, with only the import changed.

Numbers are those of sacreBLEU 2.6.0. A test that is about a difference on purpose is in `test_sacrebleu_strict.py`.
"""

import importlib
import json
import logging
import math
import sys

import pytest

R1 = ["The dog bit the man.", "It was not unexpected.", "The man bit him first."]
R2 = ["The dog had bit the man.", "No one was surprised.", "The man had bitten the dog."]
H1 = ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."]
H2 = ["A dog bit a man.", "It was unsurprising.", "The man bit it."]
#: From Python 3.12 on, `sum` of floats is compensated: the last bits of BLEU differ.
PLAIN_SUM = sys.version_info < (3, 12)


class Package:
    """One of the two packages, with its modules."""

    def __init__(self, name):
        self.name = name
        self.root = importlib.import_module(name)

    def __getattr__(self, name):
        return getattr(self.root, name)

    def module(self, path):
        return importlib.import_module(f"{self.name}.{path}")


@pytest.fixture(params=["sacrebleu", "bleuprint.sacrebleu"])
def sb(request):
    if request.param == "sacrebleu":
        pytest.importorskip("sacrebleu")
    return Package(request.param)


@pytest.fixture
def metrics(sb):
    return sb.module("metrics")


def same(left, right):
    assert left == right or PLAIN_SUM is False and left == pytest.approx(right, rel=1e-14)


# -- Names ---------------------------------------------------------------------------------------------------------


def test_names_are_there(sb):
    for name in (
        "BLEU CHRF TER corpus_bleu raw_corpus_bleu sentence_bleu corpus_chrf sentence_chrf corpus_ter sentence_ter "
        "extract_word_ngrams extract_char_ngrams smart_open __version__"
    ).split():
        assert hasattr(sb.root, name), name
    metrics = sb.module("metrics")
    assert set(metrics.METRICS) == {"BLEU", "CHRF", "TER"}
    assert metrics.METRICS["BLEU"] is metrics.BLEU
    significance = sb.module("significance")
    assert all(hasattr(significance, name) for name in ("PairedTest", "Result", "estimate_ci"))


def test_constants(metrics):
    assert metrics.BLEU.SMOOTH_DEFAULTS == {"none": None, "floor": 0.1, "add-k": 1, "exp": None}
    assert {"none", "zh", "13a", "intl", "char", "ja-mecab", "ko-mecab", "spm"} <= set(metrics.BLEU.TOKENIZERS)
    assert metrics.BLEU.TOKENIZER_DEFAULT == "13a"
    assert (metrics.CHRF.CHAR_ORDER, metrics.CHRF.WORD_ORDER, metrics.CHRF.BETA) == (6, 0, 2)


def test_results_are_of_the_classes(sb, metrics):
    assert isinstance(sb.corpus_bleu(H1, [R1]), metrics.BLEUScore)
    assert isinstance(sb.corpus_chrf(H1, [R1]), metrics.CHRFScore)
    assert isinstance(sb.corpus_ter(H1, [R1]), metrics.TERScore)
    base = sb.module("metrics.base")
    assert isinstance(sb.corpus_bleu(H1, [R1]), base.Score)
    assert isinstance(metrics.BLEU(), base.Metric)


# -- BLEU ----------------------------------------------------------------------------------------------------------

CORPORA = [
    (H1, [R1, R2], "48.53"),
    (H2, [R1, R2], None),
    (H1, [R1], None),
    (H2, [R2], None),
    (["a b c d e"], [["a b c d f"]], "66.87"),
    (["Hello, world! 1,000.5"], [["Hello world , 1,000.5"]], None),
]


def oracle():
    return pytest.importorskip("sacrebleu")


@pytest.mark.parametrize("hyps, refs, shown", CORPORA)
def test_corpus_bleu(sb, hyps, refs, shown):
    score = sb.corpus_bleu(hyps, refs)
    if shown:
        assert score.format(score_only=True) == shown
    expected = oracle().corpus_bleu(hyps, refs)
    assert vars_of(score) == vars_of(expected)
    assert str(score) == str(expected)


def vars_of(score):
    names = "name score counts totals precisions bp sys_len ref_len ratio prec_str _verbose _mean _ci"
    return {name: getattr(score, name) for name in names.split() if hasattr(score, name)}


@pytest.mark.parametrize("method, value", [
    ("none", None), ("exp", None), ("exp", 3.0), ("floor", None), ("floor", 0.0), ("floor", 0.5),
    ("add-k", None), ("add-k", 0), ("add-k", 2), ("add-k", 0.5),
])
@pytest.mark.parametrize("effective", [False, True])
@pytest.mark.parametrize("tokenize", ["13a", "none", "intl", "char", "zh"])
def test_every_smoothing(sb, method, value, effective, tokenize):
    for hyps, refs, _ in CORPORA:
        arguments = dict(smooth_method=method, smooth_value=value, use_effective_order=effective, tokenize=tokenize)
        score = sb.corpus_bleu(hyps, refs, **arguments)
        expected = oracle().corpus_bleu(hyps, refs, **arguments)
        assert vars_of(score) == vars_of(expected)


@pytest.mark.parametrize("order, shown", [(1, "77.65"), (2, "60.50"), (3, "53.93"), (4, "48.53"), (5, "46.14"), (6, "43.28")])
def test_orders(metrics, order, shown):
    bleu = metrics.BLEU(max_ngram_order=order)
    assert bleu.corpus_score(H1, [R1, R2]).format(score_only=True) == shown


def test_order_0(metrics):
    assert str(metrics.BLEU(max_ngram_order=0).corpus_score(["a b"], [["a b"]])) == (
        "BLEU = 0.00  (BP = 1.000 ratio = 1.000 hyp_len = 2 ref_len = 2)"
    )


def test_order_0_resampled(metrics):
    shown = str(metrics.BLEU(max_ngram_order=0).corpus_score(["a b"], [["a b"]], n_bootstrap=5))
    assert shown == "BLEU = 0.00  (BP = 1.000 ratio = 1.000 hyp_len = 2 ref_len = 2)"


def test_a_perfect_match_is_a_little_above_100(sb):
    score = sb.corpus_bleu(["a b c d"], [["a b c d"]])
    same(score.score, 100.00000000000004)
    assert str(score) == "BLEU = 100.00 100.0/100.0/100.0/100.0 (BP = 1.000 ratio = 1.000 hyp_len = 4 ref_len = 4)"


@pytest.mark.parametrize("hyps, refs, score, bp, precisions, ratio", [
    ([""], [["a b"]], 0.0, 0.0, [0.0] * 4, 0.0),
    (["a b"], [[""]], 0.0, 1.0, [0.0] * 4, 0),
    ([""], [[""]], 0.0, 1.0, [0.0] * 4, 0),
])
def test_empty_segments(sb, hyps, refs, score, bp, precisions, ratio):
    result = sb.corpus_bleu(hyps, refs)
    assert (result.score, result.bp, result.precisions, result.ratio) == (score, bp, precisions, ratio)


def test_a_missing_reference_is_dropped_and_an_empty_one_kept(sb):
    assert sb.corpus_bleu(["a"], [["a b c"], [""]]).ref_len == 0
    assert sb.corpus_bleu(["a"], [["a b c"], [None]]).ref_len == 3


def test_closest_reference_length(sb):
    assert sb.corpus_bleu(["a b c"], [["a b"], ["a b c d"]], tokenize="none").ref_len == 2
    assert sb.corpus_bleu(["a b c"], [["a b c d"], ["a b"]], tokenize="none").ref_len == 2
    assert sb.corpus_bleu(["a a a"], [["a"], ["a a"]], tokenize="none").counts == [2, 1, 0, 0]


def test_lowercase(sb):
    assert sb.corpus_bleu(["THE DOG BIT THE MAN"], [["the dog bit the man"]], lowercase=True).score > 99
    assert sb.corpus_bleu(["THE DOG BIT THE MAN"], [["the dog bit the man"]]).score == 0.0


def test_raw_corpus_bleu(sb):
    score = sb.raw_corpus_bleu(["a b c x"], [["a b c d"]])
    assert str(score).startswith("BLEU = 39.76 75.0/66.7/50.0/10.0 ")
    assert vars_of(score) == vars_of(oracle().raw_corpus_bleu(["a b c x"], [["a b c d"]]))
    assert vars_of(sb.raw_corpus_bleu(["a b c x"], [["a b c d"]], 0.3)) == vars_of(
        oracle().raw_corpus_bleu(["a b c x"], [["a b c d"]], 0.3)
    )


def test_sentence_bleu(sb):
    assert sb.sentence_bleu("a b", ["a b"]).format(score_only=True) == "100.00"
    assert sb.corpus_bleu(["a b"], [["a b"]]).score == 0.0
    for hyp, *refs in zip(H1, R1, R2):
        assert vars_of(sb.sentence_bleu(hyp, refs)) == vars_of(oracle().sentence_bleu(hyp, refs))
        arguments = dict(smooth_method="floor", smooth_value=0.2, lowercase=True, tokenize="char", use_effective_order=False)
        assert vars_of(sb.sentence_bleu(hyp, refs, **arguments)) == vars_of(oracle().sentence_bleu(hyp, refs, **arguments))


def test_positional_arguments(sb):
    assert sb.corpus_bleu(H1, [R1], "floor", 0.2, True, True, "none", True).score == oracle().corpus_bleu(
        H1, [R1], "floor", 0.2, True, True, "none", True
    ).score
    assert sb.sentence_bleu(H1[0], [R1[0]], "floor", 0.2, True, "none", False).score == oracle().sentence_bleu(
        H1[0], [R1[0]], "floor", 0.2, True, "none", False
    ).score


def test_tuples_are_sequences(sb):
    assert sb.corpus_bleu(tuple(H1), (tuple(R1), tuple(R2))).score == sb.corpus_bleu(H1, [R1, R2]).score


# -- compute_bleu --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method, value, score", [
    ("none", None, 0.0), ("floor", None, 12.574334296829349), ("floor", 0.0, 0.0), ("floor", 0.5, 28.117066259517443),
    ("add-k", None, 37.60603093086395), ("add-k", 0.5, 27.4941620352113), ("add-k", 2, 49.492320038397644),
    ("add-k", 0, 0.0), ("exp", None, 23.643540225079384), ("exp", 9, 23.643540225079384),
])
def test_compute_bleu(metrics, method, value, score):
    result = metrics.BLEU.compute_bleu(
        correct=[3, 1, 0, 0], total=[5, 4, 3, 2], sys_len=5, ref_len=5, smooth_method=method, smooth_value=value
    )
    same(result.score, score)


def test_compute_bleu_halves_for_each_zero(metrics):
    result = metrics.BLEU.compute_bleu([0, 0, 1, 0], [5, 4, 3, 2], 5, 5, smooth_method="exp")
    same(result.score, 10.682175159905853)
    assert result.precisions == [10.0, 6.25, 100 / 3, 6.25]


def test_add_k_changes_the_counts_it_was_given(metrics):
    correct, total = [3, 1, 0, 0], [5, 4, 3, 2]
    result = metrics.BLEU.compute_bleu(correct, total, 5, 5, smooth_method="add-k", smooth_value=0.5)
    assert result.counts == correct == [3, 1.5, 0.5, 0.5]
    assert result.totals == total == [5, 4.5, 3.5, 2.5]


@pytest.mark.parametrize("sys_len, ref_len, bp", [
    (9, 10, 0.8948393168143697), (1, 10**6, 0.0), (10, 9, 1.0), (5, 0, 1.0), (0, 5, 0.0), (0, 0, 1.0),
])
def test_brevity_penalty(metrics, sys_len, ref_len, bp):
    assert metrics.BLEU.compute_bleu([1, 1, 1, 1], [2, 2, 2, 2], sys_len, ref_len).bp == bp


def test_compute_bleu_with_other_orders(metrics):
    result = metrics.BLEU.compute_bleu([2, 1], [2, 1], 2, 2, max_ngram_order=2)
    same(result.score, 100.00000000000004)
    short = metrics.BLEU.compute_bleu([2, 1, 0, 0], [2, 1, 0, 0], 2, 2, smooth_method="exp", effective_order=True)
    same(short.score, 100.00000000000004)


# -- Classes -------------------------------------------------------------------------------------------------------


def test_references_given_once(metrics):
    for name in ("BLEU", "CHRF", "TER"):
        metric = getattr(metrics, name)
        cached = metric(references=[R1, R2])
        assert cached.corpus_score(H1, None).score == metric().corpus_score(H1, [R1, R2]).score
        assert str(cached.get_signature()).startswith("nrefs:2|")
        assert cached.corpus_score(H1, [R1]).score == metric().corpus_score(H1, [R1]).score
        assert str(cached.get_signature()).startswith("nrefs:1|")
        assert cached.corpus_score(H1, None).score == metric().corpus_score(H1, [R1, R2]).score


def test_sentence_scores_of_classes(metrics):
    bleu = metrics.BLEU(effective_order=True)
    assert bleu.sentence_score(H1[0], [R1[0], R2[0]]).score == oracle().sentence_bleu(H1[0], [R1[0], R2[0]]).score
    assert metrics.CHRF(word_order=2).sentence_score("the cat sat.", ["the cat sits."]).score == 54.977422948526346
    assert metrics.TER().sentence_score("b a c", ["a b c"]).score == pytest.approx(100 / 3)


def test_attributes_of_metrics(metrics):
    bleu = metrics.BLEU(lowercase=True, smooth_method="floor", smooth_value=0.2, max_ngram_order=3)
    assert (bleu.lowercase, bleu.smooth_method, bleu.smooth_value, bleu.max_ngram_order) == (True, "floor", 0.2, 3)
    assert (bleu.effective_order, bleu.trg_lang, bleu.tokenizer_signature) == (False, "", "13a")
    chrf = metrics.CHRF(5, 1, 3, True, True, True)
    assert (chrf.char_order, chrf.word_order, chrf.beta, chrf.order) == (5, 1, 3, 6)
    assert (chrf.lowercase, chrf.whitespace, chrf.eps_smoothing) == (True, True, True)
    ter = metrics.TER(True, True, True, True)
    assert (ter.normalized, ter.no_punct, ter.asian_support, ter.case_sensitive) == (True, True, True, True)


def test_language_chooses_the_tokenizer(metrics):
    assert metrics.BLEU(trg_lang="zh").tokenizer_signature == "zh"
    assert metrics.BLEU(trg_lang="de").tokenizer_signature == "13a"
    assert metrics.BLEU(trg_lang="zh", tokenize="char").tokenizer_signature == "char"


# -- chrF ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hyp, ref, score, eps", [
    ("a", "a", 100.0, 16.666666666666668), ("a", "b", 0.0, 1.0000000000000002e-14),
    ("", "b", 0.0, 8.333333333333334e-15), ("a", "", 0.0, 1.0000000000000002e-14), ("", "", 0.0, 1.0000000000000002e-14),
    ("ab", "abc", 63.636363636363626, 21.16402116402116), ("a b c", "abc", 100.0, 50.0),
    ("hello world", "hello there world", 39.906031460074075, 39.88844488844489),
])
def test_sentence_chrf(sb, hyp, ref, score, eps):
    assert sb.sentence_chrf(hyp, [ref]).score == score
    assert sb.sentence_chrf(hyp, [ref], eps_smoothing=True).score == eps


@pytest.mark.parametrize("order, score", [(0, 55.21602005677019), (1, 58.06253404020135), (2, 54.977422948526346), (3, 48.86882039869009)])
def test_word_orders(sb, order, score):
    result = sb.corpus_chrf(["the cat sat."], [["the cat sits."]], word_order=order)
    assert result.score == score
    assert result.name == "chrF2" + "+" * order
    assert (result.char_order, result.word_order, result.beta) == (6, order, 2)


@pytest.mark.parametrize("beta, score", [(0, 61.0515873015873), (1, 57.268766041990325), (2, 55.21602005677019), (3, 54.56408696884362)])
def test_betas(sb, beta, score):
    result = sb.sentence_chrf("the cat sat.", ["the cat sits."], beta=beta)
    assert (result.score, result.name) == (score, f"chrF{beta}")


def test_chrf_of_corpora(sb):
    for hyps, refs, _ in CORPORA:
        for options in ({}, {"word_order": 2}, {"remove_whitespace": False}, {"char_order": 3}, {"eps_smoothing": True}):
            assert sb.corpus_chrf(hyps, refs, **options).score == oracle().corpus_chrf(hyps, refs, **options).score
    assert str(sb.corpus_chrf(H1, [R1, R2])) == str(oracle().corpus_chrf(H1, [R1, R2]))


def test_chrf_without_orders(metrics):
    assert metrics.CHRF(char_order=0).corpus_score(["a b"], [["a b"]]).score == 0.0
    assert metrics.CHRF(char_order=0, word_order=1).corpus_score(["a b"], [["a b"]]).score == 100.0
    assert str(metrics.CHRF(char_order=0).corpus_score(["a b"], [["a b"]], n_bootstrap=5)) == "chrF2 = 0.00"
    with pytest.raises(ZeroDivisionError):
        metrics.CHRF(char_order=0, eps_smoothing=True).corpus_score(["a b"], [["a b"]])


def test_chrf_with_a_broken_beta(metrics):
    assert str(metrics.CHRF(beta=0.5, word_order=1).corpus_score(["a b"], [["a b"]])) == "chrF0.5+ = 100.00"


def test_chrf_lowercase(metrics):
    assert metrics.CHRF(lowercase=True).sentence_score("ABC", ["abc"]).score == 100.0
    assert metrics.CHRF().sentence_score("ABC", ["abc"]).score == 0.0


# -- TER -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hyps, refs, score, edits, length", [
    (["d e f g h a b c"], [["a b c d e f g h"]], 12.5, 1, 8.0),
    (["a b c d e"], [["x"]], 500.0, 5, 1.0),
    ([""], [["a b"]], 100.0, 2, 2.0),
    (["a b"], [[""]], 100.0, 2, 0.0),
    ([""], [[""]], 0.0, 0, 0.0),
    (["a b", "c"], [["", "c"]], 200.0, 2, 1.0),
    (["a b c"], [["a b c d"], [""]], 50.0, 1, 2.0),
])
def test_corpus_ter(sb, hyps, refs, score, edits, length):
    result = sb.corpus_ter(hyps, refs)
    assert (result.score, result.num_edits, result.ref_length) == (score, edits, length)


@pytest.mark.parametrize("flags", [
    {}, {"normalized": True}, {"no_punct": True}, {"case_sensitive": True}, {"normalized": True, "asian_support": True},
    {"normalized": True, "no_punct": True, "asian_support": True},
])
def test_flags_of_ter(sb, flags):
    texts = [*H1, "x's.", "It is John's, not Mary's.", "3.5,4 10-20", "美众院公布。りの拳銃を持、カタカナ"]
    refs = [*R1, "x's.", "It is John's, not Mary's.", "3.5 , 4 10 - 20", "美众院公布。"]
    result, expected = sb.corpus_ter(texts, [refs], **flags), oracle().corpus_ter(texts, [refs], **flags)
    assert (result.score, result.num_edits, result.ref_length) == (expected.score, expected.num_edits, expected.ref_length)
    for hyp, ref in zip(texts, refs):
        assert sb.sentence_ter(hyp, [ref], **flags).score == oracle().sentence_ter(hyp, [ref], **flags).score


def test_mean_reference_length(sb):
    assert sb.corpus_ter(["a"], [["a b c d"], ["a b"], ["a b c d e"]]).ref_length == 11 / 3


# -- Signatures ----------------------------------------------------------------------------------------------------


def signature_of(sb, metric, *args, **kwargs):
    metric.corpus_score(*args, **kwargs)
    return metric.get_signature()


def test_signatures(sb, metrics):
    version = sb.module("metrics.base").__version__
    long = str(signature_of(sb, metrics.BLEU(), H1, [R1, R2]))
    assert long == f"nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:{version}"
    short = signature_of(sb, metrics.BLEU(), H1, [R1, R2]).format(short=True)
    assert short == f"#:2|c:mixed|e:no|tok:13a|s:exp|v:{version}"
    floor = metrics.BLEU(smooth_method="floor", smooth_value=0.333, lowercase=True, effective_order=True, tokenize="none")
    assert str(signature_of(sb, floor, H1, [R1])) == f"nrefs:1|case:lc|eff:yes|tok:none|smooth:floor[0.33]|version:{version}"
    addk = metrics.BLEU(smooth_method="add-k")
    assert "|smooth:add-k[1.00]|" in str(signature_of(sb, addk, H1, [R1]))
    chrf = signature_of(sb, metrics.CHRF(), H1, [R1, R2])
    assert str(chrf) == f"nrefs:2|case:mixed|eff:yes|nc:6|nw:0|space:no|version:{version}"
    assert chrf.format(short=True) == f"#:2|c:mixed|e:yes|nc:6|nw:0|s:no|v:{version}"
    eps = signature_of(sb, metrics.CHRF(5, 2, 3, True, True, True), H1, [R1])
    assert str(eps) == f"nrefs:1|case:lc|eff:no|nc:5|nw:2|space:yes|version:{version}"
    ter = signature_of(sb, metrics.TER(), H1, [R1])
    assert str(ter) == f"nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:{version}"
    assert ter.format(short=True) == f"#:1|c:lc|t:tercom|nr:no|pn:yes|as:no|v:{version}"
    other = signature_of(sb, metrics.TER(True, True, True, True), H1, [R1])
    assert str(other) == f"nrefs:1|case:mixed|tok:tercom|norm:yes|punct:no|asian:yes|version:{version}"


def test_various_numbers_of_references(sb, metrics):
    signature = signature_of(sb, metrics.BLEU(), H1, [R1, [R2[0], None, R2[2]]])
    assert signature.info["nrefs"] == "var"
    assert str(signature).startswith("nrefs:var|")


def test_signature_before_any_score(metrics):
    for name in ("BLEU", "CHRF", "TER"):
        with pytest.raises(ValueError, match="Number of references unknown, please evaluate the metric first"):
            getattr(metrics, name)().get_signature()


def test_signature_is_updated(sb, metrics):
    signature = signature_of(sb, metrics.BLEU(), H1, [R1])
    signature.update("bs", 7)
    assert str(signature).startswith("nrefs:1|bs:7|case")
    assert repr(signature) == str(signature)
    assert signature.info["tok"] == "13a"


# -- Text ----------------------------------------------------------------------------------------------------------


def test_format(sb, metrics):
    bleu = metrics.BLEU()
    score = bleu.corpus_score(["a b c d e"], [["a b c d f"]])
    verbose = "80.0/75.0/66.7/50.0 (BP = 1.000 ratio = 1.000 hyp_len = 5 ref_len = 5)"
    assert str(score) == repr(score) == f"BLEU = 66.87 {verbose}"
    assert score.format(width=3, signature="xx") == f"BLEU|xx = 66.874 {verbose}"
    assert score.format(score_only=True, width=1) == "66.9"
    assert score.format(score_only=True, is_json=True) == "66.87"
    signature = bleu.get_signature().format()
    loaded = json.loads(score.format(signature=signature, is_json=True))
    assert list(loaded)[:4] == ["name", "score", "signature", "verbose_score"]
    assert (loaded["name"], loaded["score"], loaded["verbose_score"]) == ("BLEU", 66.87, verbose)
    assert (loaded["nrefs"], loaded["case"], loaded["tok"], loaded["version"]) == ("1", "mixed", "13a", sb.module("metrics.base").__version__)
    assert score.format(signature="a:b|c:d", is_json=True) == (
        '{\n "name": "BLEU",\n "score": 66.87,\n "signature": "a:b|c:d",\n "verbose_score": "'
        + verbose + '",\n "a": "b",\n "c": "d"\n}'
    )


@pytest.mark.parametrize("signature", ["", "a:b:c"])
def test_json_needs_a_signature(sb, signature):
    with pytest.raises(ValueError):
        sb.corpus_bleu(H1, [R1]).format(is_json=True, signature=signature)


# -- Errors --------------------------------------------------------------------------------------------------------


def generator():
    yield "a"


@pytest.mark.parametrize("hyps, refs, message", [
    (5, [["a"]], "`hyps` should be a sequence of strings."),
    (generator(), [["a"]], "`hyps` should be a sequence of strings."),
    ([5], [["a"]], "Each element of `hyps` should be a string."),
    ([None], [["a"]], "Each element of `hyps` should be a string."),
    (["a", None], [["a", "b"]], "Undefined line in hypotheses stream!"),
    (["a"], 5, "`refs` should be a sequence of sequence of strings."),
    (["a"], [5], "Each element of `refs` should be a sequence of strings."),
    (["a"], [[5]], "`refs` should be a sequence of sequence of strings."),
])
def test_wrong_arguments_of_corpora(metrics, hyps, refs, message):
    for name in ("BLEU", "CHRF", "TER"):
        with pytest.raises(TypeError) as error:
            getattr(metrics, name)().corpus_score(hyps, refs)
        assert str(error.value) == f"{name}: {message}"


@pytest.mark.parametrize("hyp, refs, message", [
    (5, ["a"], "The argument `hyp` should be a string."),
    ("a", "a", "The argument `refs` should be a sequence of strings."),
    ("a", 5, "The argument `refs` should be a sequence of strings."),
    ("a", [5], "Each element of `refs` should be a string."),
    ("a", [["a"]], "Each element of `refs` should be a string."),
])
def test_wrong_arguments_of_sentences(metrics, hyp, refs, message):
    for name in ("BLEU", "CHRF", "TER"):
        with pytest.raises(TypeError) as error:
            getattr(metrics, name)().sentence_score(hyp, refs)
        assert str(error.value) == f"{name}: {message}"


def test_empty_arguments(metrics):
    for name in ("BLEU", "CHRF", "TER"):
        metric = getattr(metrics, name)()
        for hyps, refs in (([], []), (["a"], []), (["a"], [[]])):
            with pytest.raises(IndexError):
                metric.corpus_score(hyps, refs)
        with pytest.raises(IndexError):
            metric.sentence_score("a", [])
        for empty in (metric, getattr(metrics, name)(references=[]), getattr(metrics, name)(references=[[], []])):
            with pytest.raises(RuntimeError, match="No references provided and the cache is empty."):
                empty.corpus_score(["a"], None)


def test_unknown_names(sb, metrics):
    with pytest.raises(AssertionError, match="Unknown smooth_method"):
        metrics.BLEU(smooth_method="x")
    with pytest.raises(AssertionError, match="Unknown smooth_method"):
        metrics.BLEU.compute_bleu([1], [1], 1, 1, smooth_method="x")
    with pytest.raises(KeyError):
        metrics.BLEU(tokenize="x")
    with pytest.raises(KeyError):
        sb.corpus_bleu(H1, [R1], tokenize="x")


# -- Warnings ------------------------------------------------------------------------------------------------------


def test_tokenized_periods_are_told_once(sb, caplog):
    for count, told in ((99, 0), (100, 1), (150, 1)):
        caplog.clear()
        with caplog.at_level(logging.WARNING, logger="sacrebleu"):
            sb.corpus_bleu(["a b ."] * count, [["a b ."] * count])
        lines = [record.getMessage() for record in caplog.records]
        assert lines.count("That's 100 lines that end in a tokenized period ('.')") == told
    caplog.clear()
    with caplog.at_level(logging.WARNING, logger="sacrebleu"):
        sb.corpus_bleu(["a b ."] * 100, [["a b ."] * 100], force=True)
        sb.corpus_chrf(["a b ."] * 100, [["a b ."] * 100])
    assert not caplog.records


def test_effective_order_is_recommended(metrics, caplog):
    with caplog.at_level(logging.WARNING, logger="sacrebleu"):
        metrics.BLEU().sentence_score("a", ["a"])
    assert "It is recommended to enable `effective_order` for sentence-level BLEU." in caplog.text


# -- Tokenizers ----------------------------------------------------------------------------------------------------

LINES = [
    "Hello, world! It's 3.5% of 1,000.", "&quot;x&quot; &amp; &lt;y&gt;", "a-b 10-20 x.y. (z)", "美众院公布 abc，def。",
    "", "  spaced   out  ", "“quotes” — dashes…", "emoji 🙂 and é", "tab\tand nbsp\u00a0end",
]


@pytest.mark.parametrize("module, name, label", [
    ("tokenizer_13a", "Tokenizer13a", "13a"), ("tokenizer_intl", "TokenizerV14International", "intl"),
    ("tokenizer_char", "TokenizerChar", "char"), ("tokenizer_zh", "TokenizerZh", "zh"),
    ("tokenizer_none", "NoneTokenizer", "none"),
])
def test_tokenizers(sb, module, name, label):
    tokenizer = getattr(sb.module(f"tokenizers.{module}"), name)()
    assert tokenizer.signature() == label
    expected = getattr(importlib.import_module(f"sacrebleu.tokenizers.{module}"), name)()
    assert isinstance(tokenizer, sb.module("tokenizers.tokenizer_base").BaseTokenizer)
    for line in LINES:
        assert tokenizer(line).split() == expected(line).split()


@pytest.mark.parametrize("flags", [{}, {"normalized": True}, {"no_punct": True}, {"case_sensitive": True}, {"normalized": True, "asian_support": True}])
def test_tercom(sb, flags):
    tokenizer = sb.module("tokenizers.tokenizer_ter").TercomTokenizer(**flags)
    expected = importlib.import_module("sacrebleu.tokenizers.tokenizer_ter").TercomTokenizer(**flags)
    assert tokenizer.signature() == "tercom"
    for line in LINES:
        assert tokenizer(line).split() == expected(line).split()


def test_the_tokenizer_of_a_metric(metrics):
    assert metrics.BLEU().tokenizer("a,b") == "a , b"
    assert metrics.TER().tokenizer("A B") == "a b"


# -- Helpers -------------------------------------------------------------------------------------------------------


def test_helpers(sb):
    helpers = sb.module("metrics.helpers")
    ngrams, length = helpers.extract_all_word_ngrams("a b a", 1, 2)
    assert (dict(ngrams), length) == ({("a",): 2, ("b",): 1, ("a", "b"): 1, ("b", "a"): 1}, 3)
    assert dict(sb.extract_word_ngrams(["a", "b"], 2)) == {"a b": 1}
    assert dict(sb.extract_char_ngrams("a b", 2)) == {"ab": 1}
    assert dict(sb.extract_char_ngrams("a b", 2, True)) == {"a ": 1, " b": 1}
    assert [dict(counts) for counts in helpers.extract_all_char_ngrams("a b", 2, False)] == [{"a": 1, "b": 1}, {"ab": 1}]


def test_smart_open(sb, tmp_path):
    import gzip

    (tmp_path / "a").write_text("x\ny\n")
    with gzip.open(tmp_path / "a.gz", "wt") as file:
        file.write("x\ny\n")
    for name in ("a", "a.gz"):
        with sb.smart_open(str(tmp_path / name)) as file:
            assert file.read() == "x\ny\n"


# -- Significance --------------------------------------------------------------------------------------------------


def close(left, right, name="BLEU"):
    # chrF and TER are resampled in single precision; only BLEU adds logarithms, as the interpreter adds.
    exact = name != "BLEU" or PLAIN_SUM
    assert left == pytest.approx(right, rel=1e-12 if exact else 1e-6, abs=1e-12 if exact else 1e-5)


@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
def test_bootstrap(sb, metrics, name):
    metric, expected = getattr(metrics, name)(), getattr(importlib.import_module("sacrebleu.metrics"), name)()
    score, other = metric.corpus_score(H1, [R1, R2], n_bootstrap=50), expected.corpus_score(H1, [R1, R2], n_bootstrap=50)
    close(score._mean, float(other._mean), name)
    close(score._ci, float(other._ci), name)
    assert str(score) == str(other)
    assert "|bs:50|seed:12345|" in str(metric.get_signature())
    metric.corpus_score(H1, [R1, R2])
    assert "|bs:50|" in str(metric.get_signature())


def test_seed(sb, metrics, monkeypatch):
    monkeypatch.setenv("SACREBLEU_SEED", "7")
    bleu, expected = metrics.BLEU(), importlib.import_module("sacrebleu.metrics").BLEU()
    close(bleu.corpus_score(H1, [R1, R2], n_bootstrap=50)._mean, expected.corpus_score(H1, [R1, R2], n_bootstrap=50)._mean)
    assert "|seed:7|" in str(bleu.get_signature())


SYSTEMS = [("one", H1), ("two", H2), ("three", R2)]


def paired(root, systems=SYSTEMS, references=(R1, R2), **options):
    """The answers of a package for all three metrics."""
    metrics = importlib.import_module(f"{root}.metrics")
    chosen = {"BLEU": metrics.BLEU(), "CHRF": metrics.CHRF(), "TER": metrics.TER()}
    return importlib.import_module(f"{root}.significance").PairedTest(systems, chosen, list(references), **options)()


def same_results(scores, expected):
    assert list(scores) == list(expected)
    assert scores["System"] == expected["System"]
    for name in ("BLEU", "chrF2", "TER"):
        assert len(scores[name]) == len(expected[name])
        for mine, theirs in zip(scores[name], expected[name]):
            for field in ("score", "p_value", "mean", "ci"):
                one, two = getattr(mine, field), getattr(theirs, field)
                assert (one is None) == (two is None), (name, field)
                if one is not None:
                    close(float(one), float(two), name)


@pytest.mark.parametrize("test_type, tag", [("bs", "bs"), ("ar", "ar")])
def test_paired_tests(sb, test_type, tag):
    signatures, scores = paired(sb.name, test_type=test_type, n_samples=100)
    same_results(scores, paired("sacrebleu", test_type=test_type, n_samples=100)[1])
    assert list(scores) == ["System", "BLEU", "chrF2", "TER"]
    for name in ("BLEU", "chrF2", "TER"):
        assert f"|{tag}:100|seed:12345|" in str(signatures[name])


@pytest.mark.parametrize("test_type, samples, confidence", [
    ("ar", 100, 40), ("ar", 33, 1), ("ar", 64, 7), ("ar", 31, 0), ("ar", 50, -1), ("ar", 50, -5),
    ("bs", 100, 40), ("bs", 60, 0), ("bs", 50, -1), ("bs", 50, -5),
])
def test_intervals_beside_randomization(sb, test_type, samples, confidence):
    options = dict(test_type=test_type, n_samples=samples, n_ar_confidence=confidence)
    (signatures, scores), (others, expected) = paired(sb.name, **options), paired("sacrebleu", **options)
    same_results(scores, expected)
    for name, signature in signatures.items():
        # All but the version, which says who computed it.
        assert str(signature).split("|")[:-1] == str(others[name]).split("|")[:-1]
    if test_type == "ar":
        intervals = [result.mean is not None for results in list(scores.values())[1:] for result in results]
        assert all(intervals) if confidence >= 0 else not any(intervals)


def test_intervals_of_the_baseline_alone(sb):
    options = dict(systems=SYSTEMS[:1], test_type="ar", n_samples=20, n_ar_confidence=20)
    same_results(paired(sb.name, **options)[1], paired("sacrebleu", **options)[1])


def test_intervals_beside_randomization_on_random_corpora(sb, monkeypatch):
    import random

    generator = random.Random(11)
    words = "the a dog man bit him it was not first had".split()
    for seed in ("12345", "1", "99"):
        monkeypatch.setenv("SACREBLEU_SEED", seed)
        count = generator.randrange(1, 40)
        text = lambda: [" ".join(generator.choices(words, k=generator.randrange(1, 9))) for _ in range(count)]
        systems, references = [("a", text()), ("b", text()), ("c", text())], [text(), text()]
        for confidence in (-1, 25):
            options = dict(systems=systems, references=references, test_type="ar", n_samples=45, n_ar_confidence=confidence)
            same_results(paired(sb.name, **options)[1], paired("sacrebleu", **options)[1])


def test_a_paired_test_is_made_once_and_called_often(sb, metrics, monkeypatch):
    significance = sb.module("significance")
    monkeypatch.setenv("SACREBLEU_SEED", "7")
    test = significance.PairedTest(SYSTEMS, {"x": metrics.BLEU()}, [R1, R2], "bs", 20)
    monkeypatch.setenv("SACREBLEU_SEED", "8")
    first, again = test(), test()
    assert "|seed:7|" in str(first[0]["BLEU"])
    assert [result.p_value for result in first[1]["BLEU"]] == [result.p_value for result in again[1]["BLEU"]]
    assert repr(first[1]["BLEU"][0]).startswith("score=48.5")
    for broken in ([], [("one", [])]):
        with pytest.raises((IndexError, ValueError)):
            significance.PairedTest(broken, {"x": metrics.BLEU()}, [R1, R2])()
    with pytest.raises(RuntimeError, match="No references provided and the cache is empty."):
        significance.PairedTest(SYSTEMS, {"x": metrics.BLEU()}, None)
    cached = significance.PairedTest(SYSTEMS, {"x": metrics.BLEU(references=[R1, R2])}, None, "bs", 20)
    assert cached()[1]["BLEU"][1].score == test()[1]["BLEU"][1].score


def test_one_pair_of_the_documentation(sb, metrics):
    test = sb.module("significance").PairedTest([("h1", H1), ("h2", H2)], {"BLEU": metrics.BLEU()}, [R1, R2], "bs", 100)
    _, scores = test()
    assert scores["BLEU"][1].p_value == 0.1485148514851485
    close(float(scores["BLEU"][1].mean), 19.384941112125947)


def test_unknown_test(sb, metrics):
    with pytest.raises(AssertionError, match="Unknown test type"):
        sb.module("significance").PairedTest([("one", H1)], {"BLEU": metrics.BLEU()}, [R1], test_type="x")


def test_estimate_ci(sb):
    numpy = pytest.importorskip("numpy")
    estimate, expected = sb.module("significance").estimate_ci, importlib.import_module("sacrebleu.significance").estimate_ci
    assert estimate(numpy.array([1.0, 2.0, 3.0, 4.0])) == (2.5, 1.5)
    scores = numpy.random.default_rng(1).random(501)
    for given in (scores, scores.astype("float32"), scores.tolist(), tuple(scores.tolist()), [3], scores[:41]):
        assert estimate(given) == expected(given)
    with pytest.raises(IndexError):
        estimate([])


def test_score_estimates_its_interval(sb, metrics):
    scores = [sb.corpus_chrf(H1, [R1]), sb.corpus_chrf(H2, [R1])]
    score = sb.corpus_chrf(H1, [R1])
    score.estimate_ci(scores)
    assert math.isclose(score._mean, (scores[0].score + scores[1].score) / 2)
    assert "(μ = " in str(score)


# -- Random corpora ------------------------------------------------------------------------------------------------


def test_random_corpora(sb):
    import random

    generator = random.Random(5)
    words = "the a dog, man. bit (him) 1,000 it's — 美 naïve x-y &amp; U.S. END ...".split()

    def line():
        return " ".join(generator.choice(words) for _ in range(generator.randrange(12)))

    for _ in range(60):
        count, streams = generator.randrange(1, 5), generator.randrange(1, 4)
        hyps = [line() for _ in range(count)]
        refs = [[line() for _ in range(count)] for _ in range(streams)]
        tokenize = generator.choice(["13a", "intl", "none", "char", "zh"])
        lowercase = generator.random() < 0.5
        mine = sb.corpus_bleu(hyps, refs, tokenize=tokenize, lowercase=lowercase)
        assert vars_of(mine) == vars_of(oracle().corpus_bleu(hyps, refs, tokenize=tokenize, lowercase=lowercase))
        order = generator.randrange(3)
        assert sb.corpus_chrf(hyps, refs, word_order=order).score == oracle().corpus_chrf(hyps, refs, word_order=order).score
        # Of three references sacreBLEU rounds the mean length for each segment; here it is exact.
        ter = oracle().corpus_ter(hyps, refs).score
        assert sb.corpus_ter(hyps, refs).score == (ter if streams < 3 else pytest.approx(ter, rel=1e-14))
