"""Writes the cases of ../tests/rows/speech.jsonl: random turns of our own, and what pyannote.metrics 4.2.0 says of them, as an oracle.

    python speech.py > ../tests/rows/speech.jsonl

The scores are those of speech detection (accuracy, precision, recall, F, cost), the identification error rate, and DER's mapping.
"""

import json
import random
import warnings

from pyannote.core import Annotation, Segment, Timeline
from pyannote.metrics.detection import (
    DetectionAccuracy, DetectionCostFunction, DetectionPrecision, DetectionPrecisionRecallFMeasure, DetectionRecall,
)
from pyannote.metrics.diarization import DiarizationErrorRate
from pyannote.metrics.identification import IdentificationErrorRate

warnings.simplefilter("ignore")
DRAWS = random.Random(4)
METRICS = (DetectionAccuracy, DetectionPrecision, DetectionRecall, DetectionPrecisionRecallFMeasure, DetectionCostFunction)


def turns(names, count):
    """Random turns in whole milliseconds, of which some overlap and some speakers overlap themselves."""
    drawn = [(DRAWS.choice(names), start, start + DRAWS.randrange(1, 5000)) for start in (DRAWS.randrange(20000) for _ in range(count))]
    return [[name, start / 1000, end / 1000] for name, start, end in drawn]


def annotation(given):
    made = Annotation()
    for track, (name, start, end) in enumerate(given):
        made[Segment(start, end), track] = name
    return made


def written(case, row):
    """Returns the lines of a case, as the runner of crates/testkit reads them: detection and identification, and the mappings."""
    segment = {"hypothesis": row["hyp"], "reference": row["ref"], "source": row["uem"]}
    like = f"like=pyannote,collar={row['collar']}"
    skip = ",overlap=skip" if row["skip"] else ""
    program = "pyannote.metrics 4.2.0"
    names = ("accuracy", "precision", "recall", "f", "cost")
    yield {
        "why": f"speech detection and identification of random turns {case}",
        "program": program,
        "segments": [segment],
        "expected": {
            f"speech_detection:{like}": dict(zip(names, row["detection"], strict=True)),
            f"speech_detection:{like},beta=2": {"f": row["f2"]},
            f"speech_detection:{like},miss-weight=0.5,alarm-weight=0.5": {"cost": row["even"]},
            f"der:{like}{skip},mapping=names": row["identification"],
        },
        "tolerance": 1e-12,
    }
    # Their method maps before collars and overlap are removed, and the metric here after it. Regions cut turns of different
    # speakers to equal times, and their choice between equal mappings depends on the rounding of floats.
    if not row["skip"] and row["collar"] == 0.0 and len(row["uem"]) == 1 and row["uem"][0][1] > 20.0:
        named = list(dict.fromkeys(name for name, *_ in row["ref"]))
        others = dict.fromkeys(name for name, *_ in row["hyp"] if name not in row["mapping"].values())
        pairs = [(name, row["mapping"].get(name)) for name in named] + [(None, name) for name in others]
        yield {
            "why": f"the mapping of random turns {case}",
            "program": program,
            "segments": [segment],
            "pairs": {f"der:{like}": pairs, f"jer:{like}": pairs},
        }


for case in range(120):
    reference = turns(["Ann", "Bob", "Cid"], DRAWS.choice([0, 1, 3, 6, 10]))
    hypothesis = turns(["Ann", "Bob", "Dan", "Eve"], DRAWS.choice([0, 1, 3, 6, 10]))
    regions = DRAWS.choice([[[0.0, 26.0]], [[0.0, 9.0], [11.5, 40.0]], [[3.0, 3.5]]])
    collar = DRAWS.choice([0.0, 0.0, 0.25, 1.0])
    sides = annotation(reference), annotation(hypothesis)
    uem = Timeline([Segment(*region) for region in regions])
    given = {"collar": collar}
    skip = DRAWS.random() < 0.3
    row = {"ref": reference, "hyp": hypothesis, "uem": regions, "collar": collar, "skip": skip}
    row["detection"] = [metric(**given)(*sides, uem=uem) for metric in METRICS]
    row["f2"] = DetectionPrecisionRecallFMeasure(beta=2.0, **given)(*sides, uem=uem)
    row["even"] = DetectionCostFunction(fa_weight=0.5, miss_weight=0.5, **given)(*sides, uem=uem)
    row["identification"] = IdentificationErrorRate(skip_overlap=skip, **given)(*sides, uem=uem)
    mapping = DiarizationErrorRate(skip_overlap=skip, **given).optimal_mapping(*sides, uem=uem)
    row["mapping"] = {reference: hypothesis for hypothesis, reference in mapping.items()}
    for line in written(case, row):
        print(json.dumps(line))
