"""Writes golden.jsonl: what NLTK's meteor_score gives for cases.json and for random sentences, with our own wordnet/.

    pip install nltk==3.10.4      (Python 3.11)
    python3.11 make_wordnet.py
    python3.11 make.py > golden.jsonl

A row has the numbers of each segment. `wordnet=..` in a metric is the folder wordnet of this folder. Sentences are split at whitespace.
"""
import random
import sys
import warnings
from pathlib import Path

import nltk
from nltk.corpus.reader.wordnet import WordNetCorpusReader
from nltk.translate.meteor_score import meteor_score

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from write_golden import cases, of_segments, write  # noqa: E402

warnings.simplefilter("ignore")
nltk.data.path.insert(0, str(HERE))


class Reader(WordNetCorpusReader):
    def map_wn(self, version="wordnet"):
        """To map one version to another the reader would look for a second database."""


class NoSynonyms:
    def synsets(self, word):
        return []


SOURCES = {"": NoSynonyms(), "wordnet=..": Reader(str(HERE / "wordnet"), None)}
WEIGHTS = {"": {}, "alpha=0.85,beta=2,gamma=0.25": {"alpha": 0.85, "beta": 2.0, "gamma": 0.25}}


def random_cases():
    words = "car autos automobile dog hounds dogs big great large quick fast quickly runs running race bought buy".split()
    words += "children child kids the The a of glad happy Paris paris geese goose men man better good".split()
    rng = random.Random(4)

    def sentence():
        return " ".join(rng.choice(words) for _ in range(rng.randint(0, 9)))

    hypotheses = [sentence() for _ in range(60)]
    references = [[sentence() for _ in range(rng.randint(1, 3))] for _ in hypotheses]
    for hypothesis, own in zip(hypotheses, references):
        if rng.random() < 0.5:
            own[0] = " ".join(word for word in hypothesis.split() if rng.random() < 0.8)
    return {"name": "random-sentences", "hypotheses": hypotheses, "references": references}


def results(case):
    for weights, parameters in WEIGHTS.items():
        for name, source in SOURCES.items():
            options = ",".join(part for part in (weights, name) if part)
            pairs = zip(case["hypotheses"], case["references"])
            metric = f"meteor:{options}" if options else "meteor"
            spec = f"{metric},tokenize=none" if options else "meteor:tokenize=none"
            yield metric, spec, [
                [meteor_score([r.split() for r in own], h.split(), wordnet=source, **parameters)] for h, own in pairs
            ]


def main():
    all_cases = cases(__file__) + [random_cases()]
    write([
        of_segments(f"{case['name']}, {name}", spec, case["hypotheses"], case["references"], scores)
        for case in all_cases
        for name, spec, scores in results(case)
    ])


main()
