"""Writes porter.tsv: words and the stems that NLTK's PorterStemmer gives them in its default mode.

    pip install nltk==3.10.4
    python3 make.py > porter.tsv

The words are those of the English example data, every suffix that a rule names behind stems of every shape, and
words that only rules for irregular words, digits, marks or letters beyond ASCII concern.
"""
import re
from pathlib import Path

from nltk.stem.porter import PorterStemmer

EXAMPLES = Path(__file__).resolve().parents[4] / "examples" / "data"
SUFFIXES = """ s es ies sses ss ied ed eed ing y ly at ational tional enci anci izer bli alli entli eli ousli ization
ation ator alism iveness fulness ousness aliti iviti biliti fulli fully logi logy icate ative alize iciti ical ful ness
al ance ence er ic able ible ant ement ment ent sion tion ion ou ism ate iti ous ive ize e l ll lling zzing bled""".split()
STEMS = ["b", "tr", "pl", "rat", "hop", "hopp", "sky", "syz", "fail", "relat", "oper", "condit", "vile", "enjo", "x\u00e9n"]
OTHERS = """sky skies dying lying tying news inning innings outing outings canning cannings howe proceed exceed succeed
ties dies died cried agreed feed freed days enjoyed aged ages axes apology hopefully additionally assembly 1980s 63as
737s 100mbps don't it's co-operating x*ded *ding a*ded na\u00efve caf\u00e9s \u00fcberfl\u00fcssig \u4e2d\u6587s \u00e9\u00e9\u00e9ing \u00e9\u00e8ed by is
a i be toy say they yes yy yyy sayings allallies oxen geese mice children radii abilities possibly nationally""".split()


def words():
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob("en.*.txt")))
    seen = set(re.findall(r"[a-z0-9]+", text.lower()))
    seen |= {stem + suffix for stem in STEMS for suffix in SUFFIXES}
    return sorted(seen | set(OTHERS))


def main():
    stemmer = PorterStemmer()
    for word in words():
        print(f"{word}\t{stemmer.stem(word)}")


main()
