"""Writes golden.jsonl: texts of our own, asked of lm_eval behind `cargo xtask parity`.

    python3.11 make.py > golden.jsonl
"""
import json
import struct
from pathlib import Path

PARITY = Path(__file__).parents[3] / "checks" / "src" / "parity"
oracle = {}
exec((PARITY / "programs.py").read_text(), oracle)
oracle["serve"] = lambda *_: None
exec((PARITY / "samples.py").read_text(), oracle)

TEXTS = [
    [(-12.5, "The tide turned at noon.")],
    [(-0.75, "a"), (-3.25, " two  spaces "), (-41.0, "größer\n\nals 東京\t塔")],
    [(-1e-9, "x\u001cy"), (-1e2, "x\u200by\u3000z"), (-3.5, "\u00a0"), (-0.1, "é é")],
    [(-float(number * number % 97) / 7, "word " * (number % 5) + "end") for number in range(1, 60)],
]
for segments in TEXTS:
    logliks, texts = zip(*segments)
    found = oracle["likelihoods"]({"logliks": list(logliks), "texts": list(texts)})
    perplexity, bits = (struct.unpack("<d", struct.pack("<Q", value))[0] for value in found.pop("values"))
    row = {"logliks": logliks, "texts": texts, **found, "perplexity": perplexity, "bits": bits}
    print(json.dumps({**row, "program": "lm_eval", "version": oracle["version"]("lm_eval")}, ensure_ascii=False))
