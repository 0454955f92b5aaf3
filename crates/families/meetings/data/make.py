"""Writes the cases of ../tests/rows/golden.jsonl: sessions of our own, asked of MeetEval behind `cargo xtask parity`.

    python3.11 make.py > ../tests/rows/golden.jsonl
"""
import json
import random
import struct
from pathlib import Path

PARITY = Path(__file__).parents[4] / "checks" / "src" / "parity"
oracle = {}
exec((PARITY / "programs.py").read_text(), oracle)
oracle["serve"] = lambda *_: None
exec((PARITY / "speech.py").read_text(), oracle)

RNG = random.Random(36)
METRICS = {
    "orcwer": {},
    "orcwer:search=greedy": {},
    "mimower": {},
    "dicpwer": {},
    "tcorcwer": {"collar": 1},
    "tcorcwer:search=greedy": {"collar": 0.5},
    "tcmimower": {"collar": 1},
    "ditcpwer": {"collar": 0.5},
}


def side(label, speakers):
    now, utterances = 0.0, []
    for _ in range(RNG.randint(3, 6)):
        start = round(now + RNG.random() / 2, 2)
        end = round(start + RNG.random() * 2, 2)
        now = RNG.choice((start, end))
        words = " ".join(RNG.choices("the tide turned at noon".split(), k=RNG.randint(0, 5)))
        speaker = f"{label}.{RNG.randrange(speakers)}"
        utterances.append({"session_id": "S", "speaker": speaker, "start_time": start, "end_time": end, "words": words})
    return utterances


def pairs(metric, reference, hypothesis, assignment):
    """Returns the pairs of names as the metric lists them: one for each speaker, or for each utterance by its start."""
    if metric.endswith("mimower"):
        return assignment
    utterances = hypothesis if metric.startswith("di") else reference
    listed = sorted(zip(utterances, assignment, strict=True), key=lambda pair: pair[0]["start_time"])
    named = [(one["speaker"], None if other == "dummy" else other) for one, other in listed]
    return [pair[::-1] if metric.startswith("di") else pair for pair in named]


def written(number, metric, options, sides, expected, version):
    """Returns the line of a session under a metric, as the runner of crates/testkit reads it."""
    set_options = ",".join(f"{key}={value}" for key, value in options.items())
    name = metric + (("," if ":" in metric else ":") + set_options if options else "")
    keys = {"insertions": "insertions", "deletions": "deletions", "substitutions": "substitutions", "length": "ref_len"}
    row = {
        "why": f"session {number} by {name}",
        "program": f"MeetEval {version}",
        "segments": [{"hypothesis": sides[1], "reference": sides[0]}],
        "expected": {name: expected["error_rate"]},
        "counts": {name: {column: expected[key] for key, column in keys.items()}},
    }
    if expected["assignment"] is not None:
        row["pairs"] = {name: pairs(metric, *sides, expected["assignment"])}
    return row


for number in range(12):
    reference, hypothesis = side("ref", 3), side("hyp", 2)
    for metric, options in list(METRICS.items())[number % 2 :: 2]:
        question = {"metric": metric, "options": options, "reference": reference, "hypothesis": hypothesis}
        [found] = oracle["meeteval"]({"sessions": [question]})
        keys = ("insertions", "deletions", "substitutions", "length")
        rate = found["rate"] and struct.unpack("<d", struct.pack("<Q", found["rate"]))[0]
        expected = dict(zip(keys, found["counts"]), error_rate=rate)
        assignment = found["assignment"]
        of_utterances = not metric.endswith("mimower")
        expected["assignment"] = assignment and [pair[1] if of_utterances else pair for pair in assignment]
        version = oracle["version"]("meeteval")
        print(json.dumps(written(number, metric, options, (reference, hypothesis), expected, version)))
