# The oracle behind `cargo xtask parity`: answers questions about BLEU and chrF with the real sacreBLEU.
import numpy
import sacrebleu
from sacrebleu.metrics import BLEU, CHRF


def finished(score):
    return {
        "sys_len": int(score.sys_len),
        "ref_len": int(score.ref_len),
        "bp": bits(score.bp),
        "precisions": [bits(p) for p in score.precisions],
        "score": bits(score.score),
        "line": score.format(width=2),
    }


def smoothing(options):
    return {"smooth_method": options["smooth"], "smooth_value": options["smooth_value"]}


def metric(options):
    return BLEU(
        lowercase=options["lowercase"],
        tokenize=options["tokenize"],
        max_ngram_order=options["max_order"],
        effective_order=options["effective_order"],
        **smoothing(options),
    )


def counted(bleu, hypotheses, references, order):
    # The score object reports smoothed counts under add-k, so the integers come from the statistics.
    rows = bleu._extract_corpus_statistics(hypotheses, references)
    total = [sum(column) for column in zip(*rows)]
    return {"counts": total[2 : 2 + order], "totals": total[2 + order : 2 + 2 * order]}


def signed(bleu):
    # The version is each program's own.
    return {"signature": bleu.get_signature().format().removesuffix("|version:" + sacrebleu.__version__)}


def corpus(question):
    options, hypotheses, references = question["options"], question["hypotheses"], question["references"]
    bleu = metric(options)
    answer = counted(bleu, hypotheses, references, options["max_order"])
    answer.update(finished(bleu.corpus_score(hypotheses, references)))
    answer.update(signed(bleu))
    return answer


def sentences(question):
    options = question["options"]
    bleu = metric(options)
    answers = []
    for i, hypothesis in enumerate(question["hypotheses"]):
        references = [stream[i] for stream in question["references"] if stream[i] is not None]
        answer = counted(bleu, [hypothesis], [[text] for text in references], options["max_order"])
        answer.update(finished(bleu.sentence_score(hypothesis, references)))
        answer.update(signed(bleu))
        answers.append(answer)
    return answers


def statistics(question):
    options, given = question["options"], question["statistics"]
    score = BLEU.compute_bleu(
        list(given["counts"]),
        list(given["totals"]),
        given["sys_len"],
        given["ref_len"],
        effective_order=options["effective_order"],
        max_ngram_order=options["max_order"],
        **smoothing(options),
    )
    answer = {"counts": given["counts"], "totals": given["totals"]}
    answer.update(finished(score))
    return answer


def tokenize(question):
    # The signature of a tokenizer object is a call from string to string; BLEU then splits at whitespace.
    bleu = BLEU(tokenize=question["tokenizer"])
    return [bleu.tokenizer(text.rstrip()).split() for text in question["texts"]]


def lower(question):
    return [text.lower() for text in question["texts"]]


def signature(question):
    options = question["options"]
    bleu = metric(options)
    bleu.corpus_score(["a"], [["a"]] * question["nrefs"])
    return {"long": bleu.get_signature().format(), "short": bleu.get_signature().format(short=True)}


def chrf(question):
    options, hypotheses, references = question["options"], question["hypotheses"], question["references"]
    # As it is written on the command line: 2, not 2.0, which would be another name.
    if options["beta"] == int(options["beta"]):
        options["beta"] = int(options["beta"])
    metric = CHRF(**options)
    # What `corpus_score` does, with a look at the statistics in between.
    rows = metric._extract_corpus_statistics(hypotheses, references)
    score = metric._aggregate_and_compute(rows)
    signature = metric.get_signature().format().removesuffix("|version:" + sacrebleu.__version__)
    own = [[text for text in texts if text is not None] for texts in zip(*references)]
    pairs = zip(hypotheses, own) if question["sentences"] else []
    return {
        "statistics": [sum(column) for column in zip(*rows)],
        "score": bits(score.score),
        "signature": score.name + "|" + signature,
        "sentences": [bits(metric.sentence_score(hypothesis, texts).score) for hypothesis, texts in pairs],
    }


questions = {
    "chrf": chrf,
    "corpus": corpus,
    "sentences": sentences,
    "statistics": statistics,
    "tokenize": tokenize,
    "lower": lower,
    "signature": signature,
}
serve({"numpy": numpy.__version__, "sacrebleu": sacrebleu.__version__}, by_name(questions))
