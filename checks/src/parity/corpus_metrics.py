# The oracle behind the comparison of NIST, CIDEr-D and SARI: NLTK, pycocoevalcap, and gem-metrics-fork, which carries the
# functions of HF evaluate's SARI. A program that is not installed is left out, and the first line says so. Whatever a
# program raises is its answer.


def nist():
    from nltk.translate.nist_score import corpus_nist

    def run(corpus):
        hypotheses = [text.split() for text in corpus["hypotheses"]]
        references = [[text.split() for text in given] for given in corpus["references"]]
        return [corpus_nist(references, hypotheses, corpus["order"])]

    return run


def cider():
    from pycocoevalcap.cider.cider import Cider

    def run(corpus):
        references = dict(enumerate(corpus["references"]))
        hypotheses = {index: [text] for index, text in enumerate(corpus["hypotheses"])}
        return list(Cider().compute_score(references, hypotheses)[1])

    return run


def sari():
    program = sari_program()

    def run(corpus):
        texts = zip(corpus["sources"], corpus["hypotheses"], corpus["references"])
        return [100 * program.SARIsent(source, hypothesis, given) for source, hypothesis, given in texts]

    return run


PACKAGES = {"nist": ("nltk", nist), "cider_d": ("pycocoevalcap", cider), "sari": ("gem-metrics-fork", sari)}
programs, versions = {}, {}
for name, (package, load) in PACKAGES.items():
    try:
        programs[name] = load()
        versions[name] = f"{package} {version(package)}"
    except ImportError:
        versions[name] = None


def output(run, corpus):
    try:
        return {"Ok": [bits(value) for value in run(corpus)]}
    except Exception as error:
        return {"Err": f"{type(error).__name__}: {error}"}


def answer(question):
    run = programs[question["program"]]
    return [output(run, corpus) for corpus in question["corpora"]]


serve({"programs": versions}, answer)
