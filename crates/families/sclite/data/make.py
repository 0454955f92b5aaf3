"""Writes golden.jsonl: texts of our own, asked of the programs behind `cargo xtask parity`.

    python3 make.py > golden.jsonl
"""
import json
from pathlib import Path

PARITY = Path(__file__).parents[4] / "checks" / "src" / "parity"
oracle = {}
exec((PARITY / "programs.py").read_text(), oracle)
oracle["serve"] = lambda *_: None
exec((PARITY / "sclite.py").read_text(), oracle)
answer = oracle["answer"]

TEXTS = [
    ("the { colour / color } of {it / that one}", "the color of that"),
    ("well (you know) (uh) it is", "well uh it is"),
    ("go- going home", "gone going home"),
    ("{ i am / i'm / @ } here", "here"),
    ("{ one { two / three four } / five } six", "one three four"),
    ("an anti- dote -dote", "an antidote antidote"),
    ("@ x { @ / y } z", "x z"),
    ("yes", ""),
    ("", "no"),
    ("stop* sign", "stop sign"),
]
FLAGS = ["", "-D", "-F", "-F -D"]
STM = "f 1 Ann 0.0 2.0 <o,f0,female> the { cat / kitten } sat\nf 1 Bob 2.5 4.0 <o,f0,male> on a mat\n"
STMS = [STM, STM + "f 1 Ann 4.0 5.0 <o,f0,female> IGNORE_TIME_SEGMENT_IN_SCORING\n"]
CTMS = [
    "f 1 0.1 0.3 the 0.9\nf 1 0.5 0.3 kitten 0.8\nf 1 2.1 0.3 sad 0.3\nf 1 2.6 0.3 on 0.9\nf 1 3.0 0.2 mat 0.7\n",
    "f 1 0.1 0.3 a 0.4\nf 1 1.9 0.2 sat 0.6\nf 1 3.9 0.4 mat 0.95\nf 1 4.5 0.2 so 0.5\n",
    "f 1 0.2 0.2 the 0.25\nf 1 * * <ALT_BEGIN>\nf 1 0.5 0.3 cats 0.5\nf 1 * * <ALT>\nf 1 0.5 0.3 cat 0.75\nf 1 * * <ALT_END>\n",
]
GLM = (
    ";; rules of our own\n* name \"own\"\n* desc \"d\"\n* format = 'NIST1'\n* max_nrules = '10'\n* copy_no_hit = 'T'\n"
    "* case_sensitive = 'F'\n[gimme] => [give me] / [ ] __ [ ]\n[er] => [(%hesitation)] / [ ] __ [ ]\n"
    "[i'm] => {i'm / i am} / [ ] __ [ ]\n[grey] => [gray]\n"
)
LINES = ["gimme the grey one", "er i'm er-er greyish", "a so-called (er) word", "x (gimme it) y", "(a b) -c d- e-f-g", "(a b er c) (er d) e"]

for flags in FLAGS:
    for (reference, hypothesis), steps in zip(TEXTS, answer(["sclite", flags.split(), TEXTS])):
        kinds = [step[0] for step in steps]
        ops = [[kind, None if kind == "I" else one, None if kind == "D" else other] for kind, one, other in steps]
        expected = {kind: kinds.count(kind) for kind in "CSDI"} | {"ops": ops}
        case = {"ref": reference, "hyp": hypothesis}
        print(json.dumps({"metric": "sclite", "options": {"flags": flags}, "input": case, "expected": expected}))
for stm in STMS:
    for ctm in CTMS:
        expected = {"sum": [None, *answer(["times", [[stm, ctm]]])]}
        print(json.dumps({"metric": "sclite_ctm", "options": {}, "input": {"stm": stm, "ctm": ctm}, "expected": expected}))
for program in ("glm", "csrfilt", "csrfilt-dh"):
    for text, filtered in zip(LINES, answer(["filter", program, GLM, LINES])):
        options = {"program": "rfilter1"} if program == "glm" else {"program": "csrfilt", "flags": program.removeprefix("csrfilt")}
        case = {"glm": GLM, "text": text}
        print(json.dumps({"metric": "glm", "options": options, "input": case, "expected": {"text": filtered}}))
