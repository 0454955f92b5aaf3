# The oracle behind the comparison of texts with their sources: the class behind the metric of lighteval, over given tokens, and
# for fertility sacreBLEU's tokens with Python's own counts of words, bytes and characters.
#
# It is asked with a list of cases of one kind.
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

statistics = lighteval_statistics()
tokens = Tokenizer13a()


def extractive(case):
    summary, source, order = case
    found = statistics(n_gram=order, tokenize=False).evaluate_example(summary, source)
    return [bits(found.get(key)) for key in ("coverage", "density", "compression", f"percentage_novel_{order}-gram")]


def fertility(texts):
    count = sum(len(tokens(text).split()) for text in texts)
    words, size, characters = (sum(len(own) for own in map(cut, texts)) for cut in (str.split, str.encode, str))
    quotients = [(count, words), (count, size), (count, characters), (size, count)]
    return [bits(above / below) if below else None for above, below in quotients]


KINDS = dict(extractive=extractive, fertility=fertility)
serve({"lighteval": version("lighteval")}, lambda question: [KINDS[question["of"]](case) for case in question["cases"]])
