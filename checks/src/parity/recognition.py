# The oracle behind the comparison of recognized words: keywords, words beyond a vocabulary and lists of hypotheses of texterrors, and
# agwer's entities, and calibration errors of confidences. It is asked with a list of cases; a program that is not installed answers null.
import io

try:
    import texterrors_align
    from loguru import logger
    from texterrors import texterrors

    logger.remove()
except ImportError:
    texterrors = None
try:
    import agwer
except ImportError:
    agwer = None
try:
    from calibration import get_ece
    from sklearn.metrics import brier_score_loss
except ImportError:
    get_ece = None


def utterance(place, text):
    return texterrors.Utt(str(place), texterrors_align.StringVector(text.split()))


def summary(references, hypotheses, **options):
    out = io.StringIO()
    sides = ({str(place): utterance(place, text) for place, text in enumerate(references)}, hypotheses)
    form = texterrors.OutputFormat.json
    texterrors.process_output(*sides, out, "ref", "hyp", skip_detailed=True, output_format=form, **options)
    return json.loads(out.getvalue())["summary"]


def of_texterrors(case, chars):
    if texterrors is None:
        return None
    hypotheses = {str(place): utterance(place, text) for place, text in enumerate(case["hyps"])}
    lists = {"keywords": set(case["terms"]), "oov_set": set(case["others"])}
    found = summary(case["refs"], hypotheses, use_chardiff=chars, **lists)
    keys = ("keyword_count", "keyword_output_count", "keyword_predicted_count", "oov_word_count", "oov_word_error_count", "oov_char_error_count", "oov_char_count")
    return [found.get(key, 0) for key in keys]


def of_agwer(case):
    if agwer is None:
        return None
    found = agwer.entity_f1(case["refs"], case["hyps"], case["terms"])
    return [bits(found[key]) for key in ("recall", "precision", "f1", "entity_wer")]


def of_oracle(case):
    # Words of references are what is divided by.
    if texterrors is None or not any(case["refs"]):
        return None
    lists = {str(place): [utterance(place, text) for text in own] for place, own in enumerate(case["lists"])}
    found = summary(case["refs"], lists, use_chardiff=False, oracle_wer=True)
    return bits(found["oracle_wer"])


def of_calibration(case):
    if get_ece is None:
        return None
    sure, right, bins = case["sure"], case["right"], case["bins"]
    # One class has no calibration there.
    ece = get_ece(sure, right, num_bins=bins) if len(set(right)) == 2 else None
    return [ece, brier_score_loss(right, sure, pos_label=1)]


serve(
    {"programs": {name: version(name) for name in ("texterrors", "agwer", "uncertainty-calibration", "scikit-learn")}},
    lambda cases: [
        {
            "plain": of_texterrors(case, False),
            "chars": of_texterrors(case, True),
            "agwer": of_agwer(case),
            "oracle": of_oracle(case),
            "calibration": of_calibration(case),
        }
        for case in cases
    ],
)
