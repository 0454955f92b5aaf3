"""Writes golden.jsonl: SARI of written cases, by the code that HF evaluate's `sari` has.

    pip install --no-deps gem-metrics-fork==0.1.dev0 && pip install sacrebleu==2.6.0 sacremoses      (Python 3.11)
    python3.11 make.py > golden.jsonl

`evaluate` downloads its script from a site of its own; gem-metrics-fork carries the same functions on PyPI. Only its module
`sari` is loaded: the package around it needs much more. EASSE is not on PyPI.
"""
import site
import sys
import types
from pathlib import Path

package = types.ModuleType("gem_metrics_fork")
package.__path__ = [str(Path(folder) / "gem_metrics_fork") for folder in site.getsitepackages()]
sys.modules["gem_metrics_fork"] = package
for name in ("logzero", "diskcache"):
    sys.modules.setdefault(name, types.SimpleNamespace(logger=None, Cache=None))
from gem_metrics_fork.sari import SARI

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from write_golden import write  # noqa: E402

CORPORA = {
    "a rewrite": [("The physician administered the vaccine.", "The doctor gave the shot.", ["The doctor gave the vaccine.", "A doctor gave a shot."])],
    "a copy": [("He was utterly exhausted.", "He was utterly exhausted.", ["He was tired."])],
    "the reference": [("He was utterly exhausted.", "He was tired.", ["He was tired."])],
    "an empty hypothesis": [("He was utterly exhausted.", "", ["He was tired."])],
    "an empty reference": [("He was utterly exhausted.", "He was tired.", [""])],
    "an empty source": [("", "He was tired.", ["He was tired."])],
    "nothing at all": [("", "", [""])],
    "repeated words": [("the the the the cat", "the the cat cat", ["the cat", "the the the cat cat"])],
    "case and punctuation": [("\"Well,\" said 1,000.50 people -- LOUDLY!", "well, said 1,000 people: loudly", ["Well said, people!"])],
    "other scripts": [("Él llegó tarde.", "Llegó Él.", ["él llegó"]), ("ΟΔΥΣΣΕΥΣ ήταν εκεί", "οδυσσευς ηταν", ["Ο Οδυσσέας ήταν εκεί"])],
    "three segments": [
        ("About half of the inhabitants perished in the conflagration.", "Half of the people died in the fire.", ["About half of the people died in the fire.", "Half the inhabitants died in the fire."]),
        ("The legislation was subsequently repealed.", "The law was later ended.", ["The law was later repealed.", "Later, the law was cancelled."]),
        ("It is situated adjacent to the river.", "It is situated next to the river.", ["It is next to the river.", "It is by the river."]),
    ],
}

program = object.__new__(SARI)
cases = []
for name, segments in CORPORA.items():
    normal = program.normalize
    total = sum(program.SARIsent(normal(s), normal(h), [normal(r) for r in given]) for s, h, given in segments)
    cases.append({
        "name": name,
        "spec": "sari",
        "hypotheses": [hypothesis for _, hypothesis, _ in segments],
        "references": [given for _, _, given in segments],
        "sources": [source for source, _, _ in segments],
        "expected": {"score": 100 * (total / len(segments))},
        "tolerance": 1e-12,
    })
write(cases)
