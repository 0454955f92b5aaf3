# The oracle behind the comparison of METEOR: NLTK's meteor_score, without synonyms or with a WordNet database.
#
# It is asked for `cases` of a hypothesis and its references as lists of words, with the weights and `wordnet`, a folder or
# nothing; or for the `synonyms` of words in a folder, those that they are matched with.
import shutil
import tempfile

import nltk
from nltk.corpus.reader.wordnet import WordNetCorpusReader
from nltk.translate.meteor_score import meteor_score


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


serve({"nltk": nltk.__version__}, lambda question: synonyms(question) if "synonyms" in question else scores(question))
