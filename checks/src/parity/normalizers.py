# The oracle behind the comparison of normalizers: Whisper's, without the package around them, which wants torch, its fork on
# PyPI, jiwer's transformations, and Python's own forms. It is asked with the name of a normalizer and texts, and answers with
# the normalized texts and the processor time, in seconds.
import importlib.util
import time
import unicodedata


def whisper_normalizers():
    package = types.ModuleType("whisper")
    package.__path__ = list(importlib.util.find_spec("whisper").submodule_search_locations)
    sys.modules["whisper"] = package
    import whisper.normalizers

    return whisper.normalizers


def steps():
    import jiwer
    from whisper_normalizer.basic import BasicTextNormalizer as ForkedBasic
    from whisper_normalizer.english import EnglishTextNormalizer as ForkedEnglish

    whisper = whisper_normalizers()
    english = whisper.EnglishTextNormalizer()
    return {
        "whisper-basic": whisper.BasicTextNormalizer(),
        "whisper-basic-ascii": whisper.BasicTextNormalizer(remove_diacritics=True),
        "whisper-basic-marks": ForkedBasic(preserve_marks=True),
        "whisper-en": english,
        "whisper-en-numbers": english.standardize_numbers,
        "whisper-normalizer-en": ForkedEnglish(),
        **{form.lower(): (lambda text, form=form: unicodedata.normalize(form, text)) for form in ("NFC", "NFKC", "NFD", "NFKD")},
        "lower": jiwer.ToLowerCase(),
        "upper": jiwer.ToUpperCase(),
        "punct": jiwer.RemovePunctuation(),
        "contractions": jiwer.ExpandCommonEnglishContractions(),
        "nonwords": jiwer.RemoveKaldiNonWords(),
        "spaces": jiwer.RemoveMultipleSpaces(),
        "nospace": jiwer.RemoveWhiteSpace(),
        "tospace": jiwer.RemoveWhiteSpace(replace_by_space=True),
        "strip": jiwer.Strip(),
    }


packages = ("openai-whisper", "whisper-normalizer", "jiwer")
programs = {package: version(package) for package in packages}
missing = [package for package, installed in programs.items() if installed is None]
normalizers = {} if missing else steps()


def normalize(question):
    step = normalizers[question["step"]]
    start = time.process_time()
    texts = [step(text) for text in question["texts"]]
    # One case is a block of texts.
    return [[texts, time.process_time() - start]]


serve({"programs": programs, "steps": list(normalizers)}, normalize)
