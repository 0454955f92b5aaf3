"""Short calls from Python, as scripts and training loops make them again and again: our wheel beside jiwer, sacreBLEU, rouge_score, NLTK
and seqeval, called the same way.

    python benches/peers/calls.py target/release/bleuprint [TASK]..

A figure is the least time of 1,000 calls, by the wall clock, because a call of microseconds is shorter than a tick of the processor's time.
Two segments take turns, so that no program finds the texts of its last call.
"""

import time

from race import main, peer, row

CALLS, TURNS = 100, 5
PAIRS = [
    (
        "The quick brown fox jumped over the lazy dogs, and nobody in the village saw it happen.",
        "The quick brown fox jumps over the lazy dog, and no one in the village has seen it happen.",
    ),
    (
        "Prices rose by 3.5 percent in March, the bank said on Friday, more than it had expected.",
        "The bank said on Friday that prices went up by 3.5% in March, which is more than was expected.",
    ),
]
TAGS = [
    ("B-PER I-PER O O B-LOC O O B-ORG I-ORG I-ORG O B-PER O O", "B-PER I-PER O O B-LOC O O B-ORG I-ORG O O O B-PER O"),
    ("O O B-LOC I-LOC O O B-PER O B-ORG O O O B-PER I-PER", "O O B-LOC I-LOC O O B-PER O O B-ORG O O B-PER O"),
]


def least(calls, pairs):
    """The least time of a call of each, in turns, so that other work on the machine meets all of them."""
    times = dict.fromkeys(calls, float("inf"))
    for _ in range(TURNS):
        for name, call in calls.items():
            for _ in range(CALLS):
                start = time.perf_counter_ns()
                for hypothesis, reference in pairs:
                    call(hypothesis, reference)
                times[name] = min(times[name], time.perf_counter_ns() - start)
    return {name: 1e-9 * taken / len(pairs) for name, taken in times.items()}


def beside(workload, name, ours, theirs, pairs=PAIRS, digits=1e-12):
    """Tells a row: our call beside the call of a peer, both of a hypothesis and a reference, which give a number."""
    same = all(abs(ours(*pair) - theirs(*pair)) <= digits for pair in pairs)
    taken = least({"ours": ours, "theirs": theirs}, pairs)
    row(workload, name, taken["theirs"] / taken["ours"], 3, same, theirs=taken["theirs"], ours=taken["ours"])


def call_by_call(_folder):
    ours = peer("bleuprint")
    for package, against in (("jiwer", jiwer), ("sacrebleu", sacrebleu), ("rouge_score", rouge_score), ("nltk", nltk), ("seqeval", seqeval)):
        theirs = ours and peer(package)
        if theirs:
            against(ours, theirs)


def jiwer(ours, theirs):
    from bleuprint.adapters import jiwer as adapter

    for name in ("wer", "mer", "wil", "wip", "cer"):
        own, other = getattr(adapter, name), getattr(theirs, name)
        beside(f"`adapters.jiwer.{name}`", "jiwer", lambda one, two: own(two, one), lambda one, two: other(two, one))
    for name in ("wer", "cer"):
        metric, other = ours.metric(name), getattr(theirs, name)
        beside(f"`metric('{name}').score`", "jiwer", lambda one, two: metric.score([one], [two]).score, lambda one, two: other(two, one))
    many = [([one for one, _ in PAIRS] * 50, [two for _, two in PAIRS] * 50)]
    beside("`adapters.jiwer.wer` of 100 pairs", "jiwer", lambda one, two: adapter.wer(two, one), lambda one, two: theirs.wer(two, one), many)


def sacrebleu(ours, theirs):
    import bleuprint.sacrebleu as adapter

    sentence = lambda package: lambda one, two: package.sentence_bleu(one, [two]).score
    beside("`sacrebleu.sentence_bleu`", "sacrebleu", sentence(adapter), sentence(theirs))
    single, bleu = theirs.metrics.BLEU(effective_order=True), ours.metric("bleu", effective_order=True)
    other = lambda one, two: single.sentence_score(one, [two]).score
    beside("`metric('bleu').score`", "sacrebleu", lambda one, two: bleu.score([one], [two]).score, other)
    accumulator = bleu.accumulator()
    beside("`update` of BLEU, and `compute`", "sacrebleu", lambda one, two: accumulator.update([one], [two]).compute().score, other)
    beside("`rewards` of BLEU", "sacrebleu", lambda one, two: float(ours.rewards([one], [two])[0]), other, digits=1e-5)
    chrf, character = ours.metric("chrf"), theirs.metrics.CHRF()
    beside("`metric('chrf').score`", "sacrebleu", lambda one, two: chrf.score([one], [two]).score, lambda one, two: character.sentence_score(one, [two]).score)


def rouge_score(ours, _theirs):
    from bleuprint.adapters.rouge_score.rouge_scorer import RougeScorer as Scorer
    from rouge_score.rouge_scorer import RougeScorer

    for names in (["rouge1"], ["rougeL"], ["rouge1", "rouge2", "rougeLsum"]):
        own, other = Scorer(names, use_stemmer=True), RougeScorer(names, use_stemmer=True)
        pair = lambda scorer: lambda one, two: sum(map(sum, scorer.score(two, one).values()))
        beside(f"`adapters.rouge_score.RougeScorer.score` of {', '.join(names)}", "rouge_score", pair(own), pair(other))
    for name in ("rouge1", "rougeL"):
        metric, other = ours.metric(name), RougeScorer([name])
        beside(f"`metric('{name}').score`", "rouge_score", lambda one, two: metric.score([one], [two]).score, lambda one, two: other.score(two, one)[name].fmeasure)


def nltk(ours, _theirs):
    from bleuprint.adapters import nltk as adapter
    from nltk.translate import gleu_score
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

    pairs = [(one.split(), two.split()) for one, two in PAIRS]
    smooth, own = SmoothingFunction().method1, adapter.SmoothingFunction().method1
    beside(
        "`adapters.nltk.sentence_bleu`", "nltk", lambda one, two: adapter.sentence_bleu([two], one, smoothing_function=own),
        lambda one, two: sentence_bleu([two], one, smoothing_function=smooth), pairs,
    )
    beside("`adapters.nltk.sentence_gleu`", "nltk", lambda one, two: adapter.sentence_gleu([two], one), lambda one, two: gleu_score.sentence_gleu([two], one), pairs)
    metric = ours.metric("bleu:dialect=nltk", tokenize="none")
    other = lambda one, two: sentence_bleu([two.split()], one.split())
    beside("`metric('bleu:dialect=nltk').score`", "nltk", lambda one, two: metric.score([one], [two]).score, other)


def seqeval(ours, _theirs):
    from seqeval.metrics import f1_score

    metric, pairs = ours.metric("spans"), [(one.split(), two.split()) for one, two in TAGS]
    other = lambda one, two: f1_score([two.split()], [one.split()])
    beside("`metric('spans').score` of texts", "seqeval", lambda one, two: metric.score([one], [two]).score, other, TAGS)
    lists = lambda one, two: metric.score([one], [two]).score
    beside("`metric('spans').score` of lists of tags", "seqeval", lists, lambda one, two: f1_score([two], [one]), pairs)


if __name__ == "__main__":
    main((call_by_call,))
