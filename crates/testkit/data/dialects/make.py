"""Writes golden.json: what the programs give for corpora.json.

    pip install nltk==3.10.4 sacrebleu==2.6.0 bleuscore==0.2.0 pycocoevalcap==1.2      (Python 3.11)
    pip install sacrebleu==2.6.0                                                        (Python 3.12 or later)
    python3.11 make.py > plain.json
    python3.13 make.py > compensated.json
    python3.11 make.py plain.json compensated.json > golden.json

A run of one Python gives the outputs of the programs that are installed; the last line puts two runs together.
Corpora that a program's own tokenizer would change are left out for bleuscore, which has no other way in.
"""
import json
import sys
import warnings
from pathlib import Path

warnings.simplefilter("ignore")
CORPORA = json.loads(Path(__file__).with_name("corpora.json").read_text(encoding="utf-8"))
COMPENSATED = sys.version_info >= (3, 12)


def words(corpus):
    hypotheses = [h.split() for h in corpus["hypotheses"]]
    return hypotheses, [[r.split() for r in refs] for refs in corpus["references"]]


def nltk_bleu(method, **options):
    from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu

    def run(corpus):
        hypotheses, references = words(corpus)
        smoothing = getattr(SmoothingFunction(), f"method{method}")
        return corpus_bleu(references, hypotheses, smoothing_function=smoothing, **options)

    return run


def nltk_sentence(method):
    corpus_bleu = nltk_bleu(method)

    def run(corpus):
        return corpus_bleu(corpus) if len(corpus["hypotheses"]) == 1 else None

    return run


def nltk_mean(method):
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

    def run(corpus):
        smoothing = getattr(SmoothingFunction(), f"method{method}")
        total = 0.0
        for hypothesis, references in zip(*words(corpus)):
            total += sentence_bleu(references, hypothesis, smoothing_function=smoothing)
        return total / len(corpus["hypotheses"])

    return run


def nltk_gleu(corpus):
    from nltk.translate.gleu_score import corpus_gleu

    hypotheses, references = words(corpus)
    return corpus_gleu(references, hypotheses)


def bleuscore(**options):
    from bleuscore import compute, tokenizer_13a

    def run(corpus):
        texts = corpus["hypotheses"] + [r for refs in corpus["references"] for r in refs]
        if any(tokenizer_13a(text) != text.split() for text in texts):
            return None
        return compute(corpus["references"], corpus["hypotheses"], **options)["bleu"]

    return run


def coco(option):
    from pycocoevalcap.bleu.bleu_scorer import BleuScorer

    def run(corpus):
        scorer = BleuScorer(n=4)
        for hypothesis, references in zip(corpus["hypotheses"], corpus["references"]):
            scorer += (hypothesis, references)
        return scorer.compute_score(option=option)[0]

    return run


def sacrebleu(method, effective):
    from sacrebleu.metrics import BLEU

    def run(corpus):
        metric = BLEU(tokenize="none", smooth_method=method, effective_order=effective, force=True)
        number = max(len(refs) for refs in corpus["references"])
        streams = [[refs[i] if i < len(refs) else None for refs in corpus["references"]] for i in range(number)]
        return metric.corpus_score(corpus["hypotheses"], streams).score

    return run


def programs():
    for method in ("none", "floor", "add-k", "exp"):
        yield f"sacrebleu:{method}", sacrebleu(method, False)
        yield f"sacrebleu:{method}:eff", sacrebleu(method, True)
    if COMPENSATED:
        return
    for method in range(5):
        yield f"nltk:method{method}", nltk_bleu(method)
    for method in range(5, 8):
        yield f"nltk:method{method}", nltk_sentence(method)
    yield "nltk:method1:mean", nltk_mean(1)
    yield "nltk:auto-reweigh", nltk_bleu(0, auto_reweigh=True)
    yield "nltk:auto-reweigh:method1", nltk_bleu(1, auto_reweigh=True)
    yield "gleu", nltk_gleu
    yield "bleuscore", bleuscore()
    yield "bleuscore:smooth", bleuscore(smooth=True)
    yield "bleuscore:closest", bleuscore(ref_len_method="closest")
    yield "bleuscore:closest:smooth", bleuscore(smooth=True, ref_len_method="closest")
    for option in ("closest", "shortest", "average"):
        yield f"coco:{option}", coco(option)
    yield "coco:scorer", coco(None)


def output(run, corpus):
    try:
        value = run(corpus)
    except Exception as error:  # noqa: BLE001 - the failure is the output
        return {"error": f"{type(error).__name__}: {error}"}
    if value is None:
        return None
    as_json = lambda number: {"v": float(number), "hex": float(number).hex()}
    return [as_json(number) for number in value] if isinstance(value, list) else as_json(value)


def main():
    if len(sys.argv) > 1:
        parts = [json.loads(Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:]]
        results = {key: rows for part in parts for key, rows in part.items()}
        golden = {"corpora": CORPORA, "results": results}
    else:
        rows = {}
        for name, run in programs():
            outputs = {corpus["name"]: output(run, corpus) for corpus in CORPORA}
            rows[name] = {corpus: value for corpus, value in outputs.items() if value is not None}
        golden = {"compensated" if COMPENSATED else "plain": rows}
    # One output per line, so that a change is seen where it is.
    text = json.dumps(golden, ensure_ascii=False, indent=1)
    print(text.replace("{\n     \"v\"", "{\"v\"").replace(",\n     \"hex\"", ", \"hex\""))


if __name__ == "__main__":
    main()
