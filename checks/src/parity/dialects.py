# The oracle behind the comparison of dialects: answers with NLTK, bleuscore, pycocoevalcap and sacreBLEU. A program that is
# not installed is left out, and the first line says so. Whatever a program raises is its answer.


def nltk_programs():
    from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu
    from nltk.translate.gleu_score import corpus_gleu

    def corpus(method, only_sentences=False, only_order=None, **options):
        def run(question):
            hypotheses, references, order = question["hypotheses"], question["references"], question["order"]
            if only_sentences and len(hypotheses) != 1 or only_order not in (None, order):
                return None
            smoothing = getattr(SmoothingFunction(), f"method{method}")
            weights = tuple([1 / order] * order)
            if only_sentences:
                return sentence_bleu(references[0], hypotheses[0], weights, smoothing)
            return corpus_bleu(references, hypotheses, weights, smoothing, **options)

        return run

    def gleu(question):
        return corpus_gleu(question["references"], question["hypotheses"], max_len=question["order"])

    programs = {f"nltk:method{method}": corpus(method) for method in range(5)}
    programs.update({f"nltk:method{method}": corpus(method, only_sentences=True) for method in range(5, 8)})
    programs["nltk:auto-reweigh"] = corpus(0, only_order=4, auto_reweigh=True)
    programs["nltk:auto-reweigh:method1"] = corpus(1, only_order=4, auto_reweigh=True)
    programs["gleu"] = gleu
    return programs


def texts(question):
    hypotheses = [" ".join(tokens) for tokens in question["hypotheses"]]
    return hypotheses, [[" ".join(tokens) for tokens in refs] for refs in question["references"]]


def bleuscore_programs():
    from bleuscore import compute

    def program(**options):
        def run(question):
            hypotheses, references = texts(question)
            return compute(references, hypotheses, max_order=question["order"], **options)["bleu"]

        return run

    return {
        "bleuscore": program(),
        "bleuscore:smooth": program(smooth=True),
        "bleuscore:closest": program(ref_len_method="closest"),
        "bleuscore:closest:smooth": program(smooth=True, ref_len_method="closest"),
    }


def coco_programs():
    from pycocoevalcap.bleu.bleu_scorer import BleuScorer

    def program(option):
        def run(question):
            scorer = BleuScorer(n=question["order"])
            for hypothesis, references in zip(*texts(question)):
                scorer += (hypothesis, references)
            return scorer.compute_score(option=option)[0][-1]

        return run

    programs = {f"coco:{option}": program(option) for option in ("closest", "shortest", "average")}
    programs["coco:scorer"] = program(None)
    return programs


def sacrebleu_programs():
    from sacrebleu.metrics import BLEU

    def program(method, effective):
        def run(question):
            order = question["order"]
            metric = BLEU(
                tokenize="none", smooth_method=method, effective_order=effective, max_ngram_order=order, force=True
            )
            hypotheses, references = texts(question)
            number = max(len(refs) for refs in references)
            streams = [[refs[i] if i < len(refs) else None for refs in references] for i in range(number)]
            return metric.corpus_score(hypotheses, streams).score

        return run

    methods = ("none", "floor", "add-k", "exp")
    return {f"sacrebleu:{m}{':eff' * e}": program(m, e) for m in methods for e in (False, True)}


def installed():
    packages = {
        "nltk": nltk_programs,
        "bleuscore": bleuscore_programs,
        "pycocoevalcap": coco_programs,
        "sacrebleu": sacrebleu_programs,
    }
    programs, versions = {}, {}
    for package, load in packages.items():
        try:
            programs.update(load())
            versions[package] = version(package)
        except ImportError:
            versions[package] = None
    return programs, versions


def output(run, question):
    try:
        value = run(question)
    except BaseException as error:  # bleuscore panics, and a panic is no Exception.
        return {"Err": f"{type(error).__name__}: {error}"}
    return None if value is None else {"Ok": bits(value)}


programs, versions = installed()


def answers(question):
    found = {name: output(run, question) for name, run in programs.items()}
    return {name: answer for name, answer in found.items() if answer is not None}


serve({"programs": versions}, lambda questions: [answers(question) for question in questions])
