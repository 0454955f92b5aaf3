"""NLTK's scores of translations over lists of tokens, with NLTK's names and arguments: only the import changes.

References come first, as in NLTK. A token is any hashable value; METEOR and chrF need `str`. The numbers are those of NLTK 3.10.4: BLEU,
GLEU and METEOR bit for bit, and so is RIBES of a sentence; NIST, chrF and corpora of RIBES within 1e-12. `docs/from-nltk.md` has the
metrics behind these functions, which also take text, merge and have intervals.

Four differences are deliberate:

* A text in place of a list of tokens is an error; NLTK reads its characters.
* An empty corpus is an error where NLTK divides by zero, and unequal numbers of hypotheses and references are a `ValueError`.
* Weights must sum to 1. `SmoothingFunction` has NLTK's default parameters only, and smoothing functions of your own are refused.
* `meteor_score` needs WordNet's files, or `wordnet=None` for equal words and stems alone.

>>> from bleuprint.adapters.nltk import SmoothingFunction, sentence_bleu
>>> references = ["the cat sat on the mat".split(), "there is a cat on the mat".split()]
>>> hypothesis = "the cat is on the mat".split()
>>> round(sentence_bleu(references, hypothesis, smoothing_function=SmoothingFunction().method1), 4)
0.2659
"""

from __future__ import annotations

from ._bleu import SmoothingFunction, corpus_bleu, sentence_bleu
from ._meteor import meteor_score, single_meteor_score
from ._others import (
    corpus_chrf,
    corpus_gleu,
    corpus_nist,
    corpus_ribes,
    sentence_chrf,
    sentence_gleu,
    sentence_nist,
    sentence_ribes,
)

__all__ = [
    "SmoothingFunction",
    "bleu",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_gleu",
    "corpus_nist",
    "corpus_ribes",
    "gleu",
    "meteor",
    "meteor_score",
    "nist",
    "ribes",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_gleu",
    "sentence_nist",
    "sentence_ribes",
    "single_meteor_score",
]

bleu, gleu, nist, ribes, meteor = sentence_bleu, sentence_gleu, sentence_nist, sentence_ribes, meteor_score
