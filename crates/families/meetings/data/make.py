"""Writes golden.jsonl: sessions of our own, asked of MeetEval behind `cargo xtask parity`.

    python3.11 make.py > golden.jsonl
"""
import json
import random
import struct
from pathlib import Path

PARITY = Path(__file__).parents[3] / "checks" / "src" / "parity"
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
        row = {"metric": metric, "options": options, "ref": reference, "hyp": hypothesis, "expected": expected}
        print(json.dumps({**row, "program": "meeteval", "version": oracle["version"]("meeteval")}))
