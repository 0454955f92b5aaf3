# The oracle behind the comparison of stems: NLTK's Porter stemmer in its default mode.
#
# One JSON list of words per line in, the list of their stems out.
import json
import platform
import sys

import nltk
from nltk.stem.porter import PorterStemmer


def say(answer):
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def main():
    stemmer = PorterStemmer()
    say({"python": platform.python_version(), "nltk": nltk.__version__})
    for line in sys.stdin:
        say({"answer": [stemmer.stem(word) for word in json.loads(line)]})


main()
