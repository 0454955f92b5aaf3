"""The transforms and modules of jiwer: names, arguments, results and errors are compared with jiwer where it is installed."""

import importlib
import inspect
import random
import subprocess
import sys

import pytest

from bleuprint.adapters import jiwer as ours

MODULES = ["", ".alignment", ".measures", ".process", ".transformations", ".transforms"]

#: Public names of jiwer that are not here, with the reason.
ABSENT = {(".transforms", "BaseRemoveTransform"): "not in jiwer's __all__"}

TEXTS = [
    "", " ", "a", "  two  spaces ", "Don't WON'T can't let's I'd y'all've", "[noise] a <unk> b [x <y>] [<z]>", "a\tb\nc\u00a0d \u3000e",
    "word\u0f06\u2019'", "\u201cyes\u201d \u00ab no \u00bb $5 + 3%", "na\u00efve Stra\u00dfe \u0130stanbul", "e\u0301 \u0645\u0631\u062d\u0628\u0627 \u4f60\u597d\u3002",
    "the a.b axb A.B you're", "_a__b_", "\x1c\x85\u2028",
]


def random_texts(count):
    rng = random.Random(7)
    pieces = ["a", "B", "the", "n't", "'s", " ", "  ", "\t", "\u00a0", ".", "!", "[", "]", "<", ">", "\u00e9", "\u0130", "_", "$", "\u2019", "\u4f60", "can't"]
    return ["".join(rng.choices(pieces, k=rng.randint(0, 14))) for _ in range(count)]


def made(module):
    """Objects of all transforms, in the same order for each module."""
    t = module
    single = [
        t.ExpandCommonEnglishContractions(), t.RemoveEmptyStrings(), t.ReduceToListOfListOfWords(), t.ReduceToListOfListOfWords("_"),
        t.ReduceToListOfListOfChars(), t.ReduceToSingleSentence(), t.ReduceToSingleSentence("_"), t.RemoveKaldiNonWords(),
        t.RemoveMultipleSpaces(), t.RemovePunctuation(), t.RemoveSpecificWords(["the", "a", "you"]), t.RemoveWhiteSpace(),
        t.RemoveWhiteSpace(replace_by_space=True), t.Strip(), t.SubstituteRegexes({r"(\w)b": r"\1", "a": "x"}),
        t.SubstituteWords({"a.b": "q", "the": "a b", "'re": " are"}), t.ToLowerCase(), t.ToUpperCase(),
    ]
    names = "wer_default wer_contiguous wer_standardize wer_standardize_contiguous cer_default cer_contiguous".split()
    chains = [getattr(module, name) for name in names]
    return single + chains + [t.Compose([t.ToLowerCase(), t.RemovePunctuation(), str.split]), t.Compose([])]


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:
        return type(error)


def test_transforms_are_equal_where_jiwer_is_installed():
    jiwer = pytest.importorskip("jiwer")
    texts = TEXTS + random_texts(300)
    for own, other in zip(made(ours), made(jiwer)):
        name = type(other).__name__
        for text in texts:
            assert outcome(own, text) == outcome(other, text), (name, text)
        for size in (0, 1, 2, 5, len(texts)):
            assert outcome(own, texts[:size]) == outcome(other, texts[:size]), (name, size)
        for wrong in (3, None, ("a",), {"a"}):
            assert outcome(own, wrong) == outcome(other, wrong), (name, wrong)


def test_every_public_name_is_here():
    pytest.importorskip("jiwer")
    missing = set()
    for path in MODULES:
        theirs, mine = importlib.import_module(f"jiwer{path}"), importlib.import_module(f"bleuprint.adapters.jiwer{path}")
        for name, thing in vars(theirs).items():
            home = str(getattr(thing, "__module__", ""))
            if name.startswith("_") or inspect.ismodule(thing) or not home.startswith("jiwer") or path and home != f"jiwer{path}":
                continue
            if not hasattr(mine, name):
                missing.add((path, name))
            elif home == "jiwer.transforms":
                assert list(inspect.signature(thing).parameters) == list(inspect.signature(getattr(mine, name)).parameters), name
    assert missing == set(ABSENT)


def test_the_transform_of_a_user():
    class Vowels(ours.AbstractTransform):
        def process_string(self, s):
            return s.replace("a", "")

    class First(ours.AbstractTransform):
        def process_list(self, inp):
            return inp[:1]

    class Loud(ours.RemovePunctuation):
        def process_string(self, s):
            return super().process_string(s).upper()

    assert Vowels()(["banana", "a"]) == ["bnn", ""] and First()(["x", "y"]) == ["x"]
    assert Loud()("a, b!") == "A B" and Loud()(["a, b!"]) == ["A B"]
    with pytest.raises(NotImplementedError, match="First must define process_string"):
        First()("x")


@pytest.mark.parametrize("result", [["abc"], "abc", None, [["a", 1]], [("a",)], (["a"],), {"a": 1}])
def test_a_transform_must_give_lists_of_words(result):
    """A list of texts would be read as lists of characters."""
    jiwer = pytest.importorskip("jiwer")
    good, bad = (lambda text: [["a"]]), (lambda text: result)
    for transforms in ((good, bad), (bad, good)):
        assert outcome(jiwer.wer, "a", "a", *transforms) is ValueError
        with pytest.raises(ValueError, match="list of lists of str.*ReduceToListOfListOfWords"):
            ours.wer("a", "a", *transforms)


def test_transforms_in_functions():
    jiwer = pytest.importorskip("jiwer")
    reference, hypothesis = ["i like monthy python", "what do you mean"], ["i like", "python", "what you mean"]
    for module in (ours, jiwer):
        contiguous = module.wer_contiguous
        assert module.process_words(reference, hypothesis, contiguous, contiguous).hits == 6
        assert module.wer(reference, hypothesis, reference_transform=contiguous, hypothesis_transform=contiguous) == 0.25
        characters = module.cer_contiguous
        assert module.cer(reference, hypothesis, characters, characters) == jiwer.cer(
            reference, hypothesis, jiwer.cer_contiguous, jiwer.cer_contiguous
        )
    for name in ("wer_default", "wer_standardize"):
        texts = ("It's [x] a TEST", "it is a test")
        own, other = (module.wer(*texts, *2 * [getattr(module, name)]) for module in (ours, jiwer))
        assert own == other


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


def test_install_gives_this_package_to_other_libraries():
    code = '''
import bleuprint.adapters.jiwer as ours
ours.install()
ours.install()
import jiwer
import jiwer.transforms as tr
import jiwer.process, jiwer.measures, jiwer.alignment
from jiwer.transformations import wer_contiguous
assert jiwer is ours and tr is ours.transforms and jiwer.transforms.Compose is ours.Compose and wer_contiguous is ours.wer_contiguous
assert jiwer.process.process_words is ours.process_words and jiwer.measures.wer is ours.wer
assert not hasattr(jiwer, "compute_measures")
print("done")
'''
    assert run(code).stdout == "done\n", run(code).stderr
    # Another name without install() is a package too.
    code = "import sys, bleuprint.adapters.jiwer; sys.modules['jiwer'] = bleuprint.adapters.jiwer; import jiwer.transforms as tr; print(tr.Strip()(' a '))"
    assert run(code).stdout == "a\n", run(code).stderr
    pytest.importorskip("jiwer")
    late = run("import jiwer, bleuprint.adapters.jiwer as ours; ours.install()")
    assert "RuntimeError: jiwer is imported already" in late.stderr
