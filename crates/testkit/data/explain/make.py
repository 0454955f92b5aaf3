"""Writes cases.json: numbers that other programs give for the example data, which `explain` is to recognise.

    python crates/testkit/data/explain/make.py target/debug/bleuprint > crates/testkit/data/explain/cases.json

Run at the root of the project, with sacrebleu 2.6.0 and nltk 3.10.4. The numbers of Perl's scripts and of HF evaluate,
which is downloaded when it runs, are those of the program's own dialects: these are compared with the scripts elsewhere.
"""
import json
import subprocess
import sys

import nltk
import sacrebleu
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu
from sacrebleu.metrics import BLEU
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

DATA = "examples/data"


class Text:
    def __init__(self, language, system, references, lines=300):
        self.files = [f"{language}.sys-{system}.txt", *(f"{language}.ref{number}.txt" for number in references)]
        read = lambda name: [line.rstrip("\n") for line in open(f"{DATA}/{name}", encoding="utf-8")][:lines]
        self.lines = lines
        self.hypotheses, *self.references = map(read, self.files)


def sacre(text, **options):
    return BLEU(force=True, **options).corpus_score(text.hypotheses, text.references).score


def sacre_sentences(text, **options):
    metric = BLEU(force=True, effective_order=True, **options)
    each = zip(text.hypotheses, *text.references)
    scores = [metric.sentence_score(hypothesis, references).score for hypothesis, *references in each]
    return sum(scores) / len(scores)


def split(text):
    references = [[reference.split() for reference in references] for references in zip(*text.references)]
    return references, [hypothesis.split() for hypothesis in text.hypotheses]


def of_nltk(text, method, order=4):
    smoothing = getattr(SmoothingFunction(), f"method{method}")
    return 100 * corpus_bleu(*split(text), weights=(1 / order,) * order, smoothing_function=smoothing)


def nltk_sentences(text, method):
    smoothing = getattr(SmoothingFunction(), f"method{method}")
    scores = [sentence_bleu(refs, hyp, smoothing_function=smoothing) for refs, hyp in zip(*split(text))]
    return 100 * sum(scores) / len(scores)


def part(text, hypotheses=None, references=None):
    other = Text.__new__(Text)
    other.hypotheses = text.hypotheses if hypotheses is None else hypotheses
    other.references = text.references if references is None else references
    return other


def batches(text, size):
    cut = lambda lines: [lines[at : at + size] for at in range(0, len(lines), size)]
    parts = zip(cut(text.hypotheses), *map(cut, text.references))
    scores = [sacre(part(text, hypotheses, references)) for hypotheses, *references in parts]
    return sum(scores) / len(scores)


def swapped(text):
    return sacre(part(text, text.references[0], [text.hypotheses]))


def without_last(text):
    return sacre(part(text, text.hypotheses[:-1], [lines[:-1] for lines in text.references]))


def tokenized(lines):
    by = Tokenizer13a()
    return [by(line.rstrip()) for line in lines]


def dialect(text, name, *options):
    hypotheses, *references = [f"{DATA}/{name}" for name in text.files]
    command = [sys.argv[1], "score", *references, "-i", hypotheses, "-m", f"bleu:dialect={name}", "-q", *options]
    printed = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return printed["score"] if name.startswith("multi-bleu") else 100 * printed["score"]


def cases():
    a2, b1 = Text("en", "a", [1, 2]), Text("en", "b", [1])
    d1, d2 = Text("de", "a", [1]), Text("de", "b", [1, 2])
    z1, z2 = Text("zh", "a", [1]), Text("zh", "b", [1, 2])
    short, shorter = Text("en", "a", [1, 2], 25), Text("de", "b", [1], 20)
    sacrebleu_, nltk_ = "sacreBLEU", "NLTK"
    yield a2, sacrebleu_, "default", sacre(a2)
    yield b1, sacrebleu_, "default", sacre(b1)
    yield d1, sacrebleu_, "default", sacre(d1)
    yield d2, sacrebleu_, "default", sacre(d2)
    yield short, sacrebleu_, "default", sacre(short)
    yield z1, sacrebleu_, "--tokenize zh", sacre(z1, tokenize="zh")
    yield z2, sacrebleu_, "--tokenize char", sacre(z2, tokenize="char")
    yield a2, sacrebleu_, "--lowercase", sacre(a2, lowercase=True)
    yield d2, sacrebleu_, "--lowercase", sacre(d2, lowercase=True)
    yield b1, sacrebleu_, "--tokenize intl", sacre(b1, tokenize="intl")
    yield d1, sacrebleu_, "--tokenize intl", sacre(d1, tokenize="intl")
    yield a2, sacrebleu_, "--tokenize none", sacre(a2, tokenize="none")
    yield d2, sacrebleu_, "--tokenize char", sacre(d2, tokenize="char")
    yield b1, sacrebleu_, "-m bleu:max-order=2", sacre(b1, max_ngram_order=2)
    yield d1, sacrebleu_, "--tokenize intl; --lowercase", sacre(d1, tokenize="intl", lowercase=True)
    yield a2, nltk_, "-m bleu:dialect=nltk:method0", of_nltk(a2, 0)
    yield d1, nltk_, "-m bleu:dialect=nltk:method0", of_nltk(d1, 0)
    yield d2, nltk_, "-m bleu:dialect=nltk:method1", of_nltk(d2, 1)
    yield b1, nltk_, "-m bleu:dialect=nltk:method0,max-order=2", of_nltk(b1, 0, 2)
    yield a2, sacrebleu_, "-m bleu:dialect=sacrebleu:exp:eff; mean of sentence scores", sacre_sentences(a2)
    yield d2, sacrebleu_, "-m bleu:dialect=sacrebleu:exp:eff; mean of sentence scores", sacre_sentences(d2)
    yield b1, nltk_, "-m bleu:dialect=nltk:method1; mean of sentence scores", nltk_sentences(b1, 1)
    yield d1, nltk_, "-m bleu:dialect=nltk:method4; mean of sentence scores", nltk_sentences(d1, 4)
    yield a2, sacrebleu_, "reference 1 alone", sacre(part(a2, references=a2.references[:1]))
    yield d2, sacrebleu_, "reference 2 alone", sacre(part(d2, references=d2.references[1:]))
    yield b1, sacrebleu_, "hypotheses and references swapped", swapped(b1)
    yield d1, sacrebleu_, "hypotheses and references swapped", swapped(d1)
    yield short, sacrebleu_, "last line missing", without_last(short)
    yield shorter, sacrebleu_, "last line missing", without_last(shorter)
    yield b1, sacrebleu_, "mean of batches of 32", batches(b1, 32)
    yield d1, sacrebleu_, "mean of batches of 64", batches(d1, 64)
    before = "-m bleu:dialect=nltk:method0; hypotheses tokenized before, by 13a"
    yield a2, nltk_, before, of_nltk(part(a2, tokenized(a2.hypotheses)), 0)
    before = "-m bleu:dialect=nltk:method0; references tokenized before, by 13a"
    yield d1, nltk_, before, of_nltk(part(d1, references=[tokenized(lines) for lines in d1.references]), 0)
    yield a2, "dialect", "-m bleu:dialect=hf", dialect(a2, "hf")
    yield d2, "dialect", "-m bleu:dialect=hf:smooth", dialect(d2, "hf:smooth")
    yield a2, "dialect", "-m bleu:dialect=multi-bleu", dialect(a2, "multi-bleu")
    yield d2, "dialect", "-m bleu:dialect=multi-bleu", dialect(d2, "multi-bleu")
    yield b1, "dialect", "-m bleu:dialect=mteval:v13a", dialect(b1, "mteval:v13a")
    yield d2, "dialect", "-m bleu:dialect=mteval:v13a", dialect(d2, "mteval:v13a")
    yield d2, "dialect", "-m bleu:dialect=nltk:method0,max-order=3", of_nltk(d2, 0, 3)


def main():
    rows = []
    for text, program, settings, score in cases():
        rows.append(
            {
                "files": text.files,
                "lines": text.lines,
                "program": program,
                "settings": [] if settings == "default" else settings.split("; "),
                "score": score,
            }
        )
    source = f"sacreBLEU {sacrebleu.__version__}, NLTK {nltk.__version__}, CPython {sys.version.split()[0]}; see make.py"
    print('{"source": ' + json.dumps(source) + ', "cases": [')
    print(",\n".join(json.dumps(row) for row in rows))
    print("]}")


main()
