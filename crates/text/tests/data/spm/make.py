"""Trains the small models of this folder and writes what SentencePiece makes of some lines with them.

Run with sentencepiece 0.2.3 from PyPI: `python make.py`. The text is written for this project. The models normalize
by a table of a few rules, because the usual one is a quarter of a megabyte.
"""

import json
import random

import sentencepiece

RULES = [("Ａ", "A"), ("１", "1"), ("\u3000", " "), ("\u00a0", " "), ("\t", " "), ("ﬁ", "fi"), ("①", "1"), ("\u200b", ""), ("e\u0301", "é"), ("ß", "ss")]
with open("rules.tsv", "w", encoding="utf-8") as file:
    for source, target in RULES:
        codes = [" ".join(f"{ord(c):X}" for c in text) for text in (source, target)]
        file.write("\t".join(codes) + "\n")

MODELS = {
    "unigram": dict(model_type="unigram", vocab_size=160),
    "unigram_bytes": dict(
        model_type="unigram", vocab_size=420, byte_fallback=True, character_coverage=0.98, user_defined_symbols=["<sep>", "og"]
    ),
    "bpe": dict(model_type="bpe", vocab_size=220),
    "bpe_bytes": dict(
        model_type="bpe", vocab_size=440, byte_fallback=True, character_coverage=0.98, user_defined_symbols=["<sep>", "og"],
        treat_whitespace_as_suffix=True, remove_extra_whitespaces=False,
    ),
}

lines = [line.rstrip("\n") for line in open("text.txt", encoding="utf-8")]
random.seed(20)
letters = sorted(set("".join(lines))) + [" ", "  ", "\u3000", "\u00a0", "Ａ", "１", "ﬁ", "①", "\u200b", "e\u0301", "ß", "ж", "😀", "<sep>", "og", "▁", "...", "\t"]
samples = lines + ["", " ", "  a  b "] + ["".join(random.choices(letters, k=random.randint(1, 25))) for _ in range(150)]
samples = [sample.rstrip() for sample in samples]

with open("expected.jsonl", "w", encoding="utf-8") as out:
    for name, options in MODELS.items():
        sentencepiece.SentencePieceTrainer.train(
            input="text.txt", model_prefix=name, normalization_rule_tsv="rules.tsv", hard_vocab_limit=False, minloglevel=2, **options
        )
        processor = sentencepiece.SentencePieceProcessor(model_file=f"{name}.model")
        for sample in samples:
            row = dict(model=name, line=sample, pieces=processor.encode(sample, out_type=str), ids=processor.encode(sample))
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
