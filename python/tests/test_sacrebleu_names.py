"""Every public name of sacreBLEU 2.6.0, with its arguments, defaults, members and attributes, is looked up in the drop-in.

What is not there, or differs, is in a table here with its reason; a row of a table that is no longer needed fails too.
"""

import importlib
import importlib.util
import inspect
import logging
import math
import subprocess
import sys

import pytest

from bleuprint.sacrebleu._absent import TEST_SETS

pytest.importorskip("sacrebleu")

MODULES = [
    "", ".metrics", ".metrics.base", ".metrics.bleu", ".metrics.chrf", ".metrics.ter", ".metrics.helpers", ".significance",
    ".compat", ".utils", ".version", ".tokenizers",
    *(f".tokenizers.tokenizer_{name}" for name in "13a base char intl ja_mecab ko_mecab none re spm ter zh".split()),
]

#: Names that are not here, by module, with the reason.
COMMAND_LINE = "prints for sacreBLEU's command line; ours is a program of its own"
ABSENT = {
    **{("", name): "test sets" for name in TEST_SETS},
    **{(".utils", name): "test sets" for name in TEST_SETS},
    **{(".utils", name): COMMAND_LINE for name in (
        "Color", "args_to_dict", "print_results_table", "print_single_results", "sanity_check_lengths",
    )},
    **{(".version", name): "says how it was built" for name in ("__all__", "TYPE_CHECKING", "commit_id")},
    (".significance", "IS_WINDOWS"): "there are no processes, so no exception for a system without fork",
    **{(f".tokenizers.tokenizer_{language}_mecab", name): "MeCab is not a package of Python here"
       for language in ("ja", "ko") for name in ("FAIL_MESSAGE", "MeCab")},
    **{(".tokenizers.tokenizer_spm", name): "test sets" for name in ("SACREBLEU_DIR", "download_file")},
}

#: Values that differ.
OTHER_VALUES = {
    ("", "__version__"): "what computed the number",
    (".metrics.base", "__version__"): "what computed the number",
    **{(".version", name): "what computed the number"
       for name in ("__version__", "__version_tuple__", "version", "version_tuple")},
    ("", "__all__"): "without test sets",
    (".tokenizers.tokenizer_spm", "SPM_MODELS"): "without addresses to download from",
}

#: Modules that are not here.
ABSENT_MODULES = {
    "dataset": "test sets",
    "sacrebleu": COMMAND_LINE,
    "__main__": COMMAND_LINE,
    "metrics.lib_ter": "the search of TER is in the native part",
}

#: Public members of classes that are not here.
ABSENT_MEMBERS = {
    (".tokenizers.tokenizer_ter", "TercomTokenizer", name): "the expressions are in the native part"
    for name in ("ASIAN_PUNCT", "FULL_WIDTH_PUNCT")
}


def public(module):
    """The names that a module is used for: not those of other packages that it imports."""
    for name in dir(module):
        thing = getattr(module, name)
        if name.startswith("_") and name not in ("__version__", "__all__", "__version_tuple__"):
            continue
        if inspect.ismodule(thing) or isinstance(thing, logging.Logger):
            continue
        home = getattr(thing, "__module__", None)
        if callable(thing) and (not home or not home.startswith("sacrebleu")):
            continue
        if home == "typing" or name in ("Dict", "List", "Mapping", "Optional", "Sequence", "Tuple", "Union", "Any"):
            continue
        # What another module of the package is used for is looked up there, but for the packages' own lists.
        if callable(thing) and home != module.__name__ and module.__name__ not in ("sacrebleu", "sacrebleu.metrics"):
            continue
        yield name, thing


def arguments(function):
    """Names, defaults and kinds; `strict` is ours."""
    parameters = inspect.signature(function).parameters.values()
    kept = [(one.name, one.default, one.kind) for one in parameters if one.name not in ("self", "strict")]
    return [one for one in kept if one[2] not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)]


def pairs():
    for path in MODULES:
        yield path, importlib.import_module(f"sacrebleu{path}"), importlib.import_module(f"bleuprint.sacrebleu{path}")


def test_every_public_name_is_here_or_listed():
    missing = {(path, name) for path, theirs, ours in pairs() for name, _ in public(theirs) if not hasattr(ours, name)}
    assert missing <= set(ABSENT), missing - set(ABSENT)
    listed = {(path, name) for path, name in ABSENT if hasattr(importlib.import_module(f"bleuprint.sacrebleu{path}"), name)}
    assert not listed, "listed as absent, but here"


def test_every_module_is_here_or_listed():
    import pkgutil

    import sacrebleu

    there = {module.name.removeprefix("sacrebleu.") for module in pkgutil.walk_packages(sacrebleu.__path__, "sacrebleu.")}
    there = {name for name in there if not name.startswith("dataset.")}
    absent = {name for name in there if importlib.util.find_spec(f"bleuprint.sacrebleu.{name}") is None}
    assert absent == set(ABSENT_MODULES)
    assert {f".{name}" for name in there - absent} == set(MODULES) - {""}


def test_submodules_are_attributes_after_the_import():
    code = '''
import importlib, sys, types, {0} as package
names = [name for name in ("compat", "metrics", "tokenizers", "utils", "version") if hasattr(package, name)]
assert all(isinstance(getattr(package, name), types.ModuleType) for name in names)
print(names)
'''
    told = [
        subprocess.run([sys.executable, "-c", code.format(name)], capture_output=True, text=True, check=True).stdout
        for name in ("sacrebleu", "bleuprint.sacrebleu")
    ]
    assert told[0] == told[1]


def test_install_gives_this_package_to_other_libraries():
    code = '''
import bleuprint.sacrebleu as ours
ours.install()
ours.install()
import sacrebleu
from sacrebleu.metrics import BLEU
import sacrebleu.metrics.chrf
from sacrebleu.significance import PairedTest
import sacrebleu.tokenizers.tokenizer_13a as one
import bleuprint.sacrebleu.tokenizers.tokenizer_13a as other
assert sacrebleu is ours and BLEU is ours.BLEU and one is other
from packaging import version
assert version.parse(sacrebleu.__version__) >= version.parse("2.6.0") > version.parse("1.4.12")
try:
    import sacrebleu.dataset
except ModuleNotFoundError:
    print("done")
'''
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "done\n"
    late = "import sacrebleu\nimport bleuprint.sacrebleu\nbleuprint.sacrebleu.install()"
    error = subprocess.run([sys.executable, "-c", late], capture_output=True, text=True).stderr
    assert "RuntimeError: sacrebleu is imported already" in error


def test_names_of_test_sets_say_why_they_are_absent():
    for path in ("", ".utils"):
        module = importlib.import_module(f"bleuprint.sacrebleu{path}")
        for name in TEST_SETS:
            with pytest.raises(AttributeError, match="holds and downloads no test sets"):
                getattr(module, name)


def test_arguments_and_defaults():
    for path, theirs, ours in pairs():
        for name, thing in public(theirs):
            mine = getattr(ours, name, None)
            if inspect.isfunction(thing) and mine is not None:
                assert arguments(thing) == arguments(mine), (path, name)
            if inspect.isclass(thing) and mine is not None:
                assert arguments(thing.__init__) == arguments(mine.__init__), (path, name)


def test_members_of_classes():
    seen = set()
    for path, theirs, ours in pairs():
        for name, thing in public(theirs):
            mine = getattr(ours, name, None)
            if not inspect.isclass(thing) or mine is None or not thing.__module__.endswith(path):
                continue
            for member, value in inspect.getmembers(thing):
                if member.startswith("_") and member != "__call__":
                    continue
                if not hasattr(mine, member):
                    seen.add((path, name, member))
                elif inspect.isfunction(value):
                    assert arguments(value) == arguments(getattr(mine, member)), (path, name, member)
                elif not callable(value):
                    assert value == getattr(mine, member), (path, name, member)
    assert seen == set(ABSENT_MEMBERS)


def test_values_of_constants():
    for path, theirs, ours in pairs():
        for name, thing in public(theirs):
            if callable(thing) or (path, name) in ABSENT or name == "METRICS":
                continue
            assert (thing == getattr(ours, name)) != ((path, name) in OTHER_VALUES), (path, name)


HYPS, REFS = ["a b c d", "e f g h"], [["a b c d", "e f g x"], ["a b", "c"]]


@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
def test_attributes_of_objects(name):
    """The description of an object, and its values if they are public."""
    theirs, ours = (getattr(importlib.import_module(f"{root}.metrics"), name) for root in ("sacrebleu", "bleuprint.sacrebleu"))
    expected, metric = theirs(), ours()
    both = [(expected, metric), (expected.corpus_score(HYPS, REFS), metric.corpus_score(HYPS, REFS))]
    both.append((expected.get_signature(), metric.get_signature()))
    for one, other in both:
        there = {key for key in vars(one) if not key.startswith("_")}
        assert there - {key for key in dir(other)} == set()
        for key in there - {"tokenizer", "info"}:
            assert getattr(other, key) == getattr(one, key), key
            assert type(getattr(other, key)) is type(getattr(one, key)), key
    info, expected_info = metric.get_signature().info, expected.get_signature().info
    assert list(info) == list(expected_info)
    assert {**info, "version": ""} == {**expected_info, "version": ""}
    score, other = both[1][1], both[1][0]
    assert {key for key in vars(score)} == {key for key in vars(other)}, "as in vars(score), which people store"


@pytest.mark.parametrize("test_type", ["ar", "bs"])
def test_attributes_of_paired_tests(test_type):
    made = []
    for root in ("sacrebleu", "bleuprint.sacrebleu"):
        metric = importlib.import_module(f"{root}.metrics").BLEU()
        significance = importlib.import_module(f"{root}.significance")
        made.append(significance.PairedTest([("one", HYPS), ("two", HYPS[::-1])], {"x": metric}, REFS, test_type, 9, 0, 1))
    theirs, ours = made
    for key in {key for key in vars(theirs) if not key.startswith("_")} - {"metrics"}:
        assert getattr(ours, key) == getattr(theirs, key), key
    assert list(ours.metrics) == list(theirs.metrics) == ["BLEU"]
    assert [list(vars(result)) for result in ours()[1]["BLEU"]] == [list(vars(result)) for result in theirs()[1]["BLEU"]]


@pytest.mark.parametrize("language", ["zh", "ja", "ko", "de", ""])
@pytest.mark.parametrize("tokenize", ["13a", "char", "zh"])
def test_what_is_said_of_tokenizers(language, tokenize, caplog):
    said = []
    for root in ("sacrebleu", "bleuprint.sacrebleu"):
        caplog.clear()
        with caplog.at_level(logging.WARNING, logger="sacrebleu"):
            importlib.import_module(f"{root}.metrics").BLEU(trg_lang=language, tokenize=tokenize)
        said.append([record.getMessage() for record in caplog.records])
    assert said[0] == said[1]


def test_logarithms_have_the_same_bits_on_every_platform():
    from bleuprint import _native

    # Of glibc 2.36 with fused multiply-add.
    assert [_native.ln(x).hex() for x in (100 / 3, 0.1)] == ["0x1.c0d6e3a1428a6p+1", "-0x1.26bb1bbb55515p+1"]
    assert [_native.exp(x).hex() for x in (-1 / 3, 3.7)] == ["0x1.6edd3122f2ea5p-1", "0x1.4394144eeec81p+5"]
    for x in (0.0, -1.0):
        with pytest.raises(ValueError, match="math domain error"):
            _native.ln(x)
    with pytest.raises(OverflowError, match="math range error"):
        _native.exp(710.0)
    assert _native.exp(-math.inf) == 0.0 and math.isnan(_native.ln(math.nan))


def test_scores_are_finished_by_the_logarithm_of_the_library(monkeypatch):
    from bleuprint import _native

    calls = {"ln": 0, "exp": 0}
    for name in calls:

        def counted(x, name=name, function=getattr(_native, name)):
            calls[name] += 1
            return function(x)

        monkeypatch.setattr(_native, name, counted)
    ours = importlib.import_module("bleuprint.sacrebleu.metrics").BLEU
    ours.compute_bleu([4, 3, 2, 1], [5, 4, 3, 2], 5, 6)
    assert calls == {"ln": 4, "exp": 2}


def test_helpers_of_arithmetic():
    theirs, ours = importlib.import_module("sacrebleu.utils"), importlib.import_module("bleuprint.sacrebleu.utils")
    assert [ours.my_log(number) for number in (0, 0.0, 1, 2.5)] == [theirs.my_log(number) for number in (0, 0.0, 1, 2.5)]
    for lists in ([[1, 2]], [[1, 2], [3, 4]], [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]):
        assert ours.sum_of_lists(lists) == theirs.sum_of_lists(lists)
        assert type(ours.sum_of_lists(lists)[0]) is type(theirs.sum_of_lists(lists)[0])
    lines = ["It's 3.5% of 1,000.", "&quot;x&quot;", "a-b 10-20 x.y. (z), -1", "“q” — 美众院,公布。", "", "a.", ".5", "~|{`_^[@=:/+*&$#!"]
    for line in lines:
        expected = importlib.import_module("sacrebleu.tokenizers.tokenizer_re").TokenizerRegexp()(line)
        assert importlib.import_module("bleuprint.sacrebleu.tokenizers.tokenizer_re").TokenizerRegexp()(line) == expected


#: Underscored methods of sacreBLEU that are here, with sacreBLEU's meaning, because other libraries call them.
INNER = {
    "BLEU": {"_cache_references", "_extract_corpus_statistics", "_preprocess_segment"},
    "CHRF": {"_cache_references", "_extract_corpus_statistics", "_preprocess_segment", "_remove_punctuation", "_get_match_statistics", "_compute_f_score"},
    "TER": {"_cache_references", "_extract_corpus_statistics", "_preprocess_segment"},
}
#: Checks of arguments, with sacreBLEU's messages.
CHECKS = {"_check_corpus_score_args", "_check_sentence_score_args"}


@pytest.mark.parametrize("name", sorted(INNER))
def test_an_underscored_method_means_what_it_means_in_sacrebleu(name):
    theirs, ours = (getattr(importlib.import_module(f"{root}.metrics"), name) for root in ("sacrebleu", "bleuprint.sacrebleu"))
    inner = {member for member in dir(theirs) if member.startswith("_") and not member.startswith("__") and callable(getattr(theirs, member))}
    shared = {member for member in inner if hasattr(ours, member)} - {"_SIGNATURE_TYPE"}
    assert shared == INNER[name] | CHECKS
    for member in shared:
        assert arguments(getattr(theirs, member)) == arguments(getattr(ours, member)), member
    assert not hasattr(ours(), "_ref_cache") and not hasattr(ours, "_aggregate_and_compute")


def random_corpora(count):
    import random

    rng = random.Random(12)
    words = ["the", "cat", "sat.", "(on", "\"mat\"", "a", "-", "dog,", "x", "\u00e9t\u00e9", ".", "1,000"]
    for _ in range(count):
        size, several = rng.randint(1, 4), rng.randint(1, 3)
        text = lambda: " ".join(rng.choices(words, k=rng.randint(0, 9)))
        streams = [[text() if at == 0 or rng.random() < 0.8 else None for _ in range(size)] for at in range(several)]
        yield [text() for _ in range(size)], streams


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("BLEU", {}), ("BLEU", {"max_ngram_order": 2, "lowercase": True}), ("BLEU", {"tokenize": "char"}), ("CHRF", {}),
        ("CHRF", {"word_order": 2}), ("CHRF", {"char_order": 3, "whitespace": True, "lowercase": True, "eps_smoothing": True}),
        ("TER", {}), ("TER", {"normalized": True, "case_sensitive": True}),
    ],
)
def test_statistics_of_segments_are_those_of_sacrebleu(name, options):
    theirs, ours = (getattr(importlib.import_module(f"{root}.metrics"), name)(**options) for root in ("sacrebleu", "bleuprint.sacrebleu"))
    for hypotheses, streams in random_corpora(40):
        assert ours._cache_references(streams) == theirs._cache_references(streams)
        assert ours.num_refs == theirs.num_refs
        assert ours._extract_corpus_statistics(hypotheses, streams) == theirs._extract_corpus_statistics(hypotheses, streams)
        assert ours.num_refs == theirs.num_refs
        for text in [*hypotheses, " a B ", ""]:
            # sacreBLEU leaves several spaces between some tokens.
            assert ours._preprocess_segment(text).split() == theirs._preprocess_segment(text).split()
            if name == "CHRF":
                assert ours._remove_punctuation(text) == theirs._remove_punctuation(text)
    kept = type(ours)(references=streams, **options)
    assert kept._extract_corpus_statistics(hypotheses, None) == theirs._extract_corpus_statistics(hypotheses, streams)
    with pytest.raises(ValueError):
        ours._extract_corpus_statistics(["a", "b"], [["a"]])
    loose = type(ours)(strict=False, **options)
    assert loose._extract_corpus_statistics(["a", "b"], [["a"]]) == theirs._extract_corpus_statistics(["a", "b"], [["a"]])
    if name == "BLEU":
        assert loose._extract_corpus_statistics([""], [[None]]) == theirs._extract_corpus_statistics([""], [[None]])


@pytest.mark.parametrize("options", [{}, {"word_order": 2}, {"eps_smoothing": True}, {"beta": 3}])
def test_fractions_of_ngrams_have_the_f_of_sacrebleu(options):
    """mbrs scores against the mean of several references, whose counts are fractions."""
    import random
    from collections import Counter

    theirs, ours = (importlib.import_module(f"{root}.metrics").CHRF(**options) for root in ("sacrebleu", "bleuprint.sacrebleu"))
    rng = random.Random(2)
    for _ in range(200):
        both = []
        statistics = []
        for _ in range(ours.order):
            hypothesis, reference = (Counter({key: rng.choice([0.5, 1, 2, 1.25]) for key in rng.sample("abcdef", rng.randint(0, 4))}) for _ in range(2))
            both.append((ours._get_match_statistics(hypothesis, reference), theirs._get_match_statistics(hypothesis, reference)))
            statistics += both[-1][1]
        assert all(own == other for own, other in both)
        assert ours._compute_f_score(statistics) == theirs._compute_f_score(statistics)


def test_install_sets_what_is_refused_for_other_libraries():
    code = '''
import bleuprint.sacrebleu as ours
ours.install(strict=False)
import sacrebleu
loose = sacrebleu.CHRF().corpus_score(["a", "b"], [["a"]]).score, sacrebleu.corpus_bleu(["a", "b"], ["ab"], smooth_method="floor").score
sacrebleu.corpus_ter(["a", "b"], [["a"]])
for refused in (lambda: sacrebleu.CHRF(strict=True).corpus_score(["a", "b"], [["a"]]), lambda: sacrebleu.corpus_bleu(["a", "b"], ["ab"], strict=True)):
    try:
        refused()
    except (TypeError, ValueError):
        print("refused")
ours.install()
try:
    sacrebleu.corpus_chrf(["a", "b"], [["a"]])
except ValueError:
    print("refused")
print(loose[0] > 0)
'''
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "refused\nrefused\nrefused\nTrue\n", done.stderr
