# The oracle behind the comparison of stems: NLTK's Porter stemmer in its default mode. It is asked with a list of words.
import nltk
from nltk.stem.porter import PorterStemmer

stemmer = PorterStemmer()
serve({"nltk": nltk.__version__}, lambda words: [stemmer.stem(word) for word in words])
