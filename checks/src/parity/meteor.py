# The oracle behind the comparison of METEOR: NLTK's meteor_score, without synonyms or with a WordNet database.
#
# One JSON object per line in: `cases` of a hypothesis and its references as lists of words, the weights, and `wordnet`,
# a folder or nothing; one list of bits per line out. Or `synonyms` of words in a folder: the words they are matched with.
import json
import os
import platform
import shutil
import struct
import sys
import tempfile
import warnings

import nltk
from nltk.corpus.reader.wordnet import WordNetCorpusReader
from nltk.translate.meteor_score import meteor_score

warnings.simplefilter("ignore")


class Reader(WordNetCorpusReader):
    def map_wn(self, version="wordnet"):
        """To map one version to another the reader would look for a second database."""


class NoSynonyms:
    def synsets(self, word):
        return []


def reader(folder):
    if not os.path.exists(os.path.join(folder, "lexnames")):
        # Some packages leave it out; the reader wants it, and METEOR does not look at it.
        copy = os.path.join(tempfile.mkdtemp(), "wordnet")
        shutil.copytree(folder, copy)
        with open(os.path.join(copy, "lexnames"), "w", encoding="utf-8") as file:
            file.writelines(f"{number:02d}\tname.{number}\t1\n" for number in range(45))
        folder = copy
    nltk.data.path.insert(0, folder)
    return Reader(folder, None)


READERS = {None: NoSynonyms()}


def wordnet(folder):
    if folder not in READERS:
        READERS[folder] = reader(folder)
    return READERS[folder]


def bits(value):
    return struct.unpack("<Q", struct.pack("<d", float(value)))[0]


def scores(question):
    source = wordnet(question["wordnet"])
    alpha, beta, gamma = question["weights"]
    return [
        bits(meteor_score(references, hypothesis, wordnet=source, alpha=alpha, beta=beta, gamma=gamma))
        for hypothesis, references in question["cases"]
    ]


def synonyms(question):
    source = wordnet(question["wordnet"])

    def of(word):
        names = {lemma.name() for synset in source.synsets(word) for lemma in synset.lemmas()}
        return sorted((name for name in names if "_" not in name), key=str.encode)

    return [of(word) for word in question["synonyms"]]


def say(answer):
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def main():
    say({"python": platform.python_version(), "nltk": nltk.__version__})
    for line in sys.stdin:
        question = json.loads(line)
        try:
            say({"answer": synonyms(question) if "synonyms" in question else scores(question)})
        except Exception as error:  # The driver must survive, the chore reports.
            say({"error": f"{type(error).__name__}: {error}"})


main()
