# The Python peers of `cargo xtask bench`: engine.py ENGINE TASK FOLDER ROUNDS does a task and prints one JSON
# object. Memories of earlier calls are emptied before every round: a score of new text is what is timed.
import json
import math
import os
import sys
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


def systems_of(folder):
    """The systems beside the first, by their names."""
    systems = []
    while os.path.exists(path := os.path.join(folder, f"sys{len(systems) + 1}")):
        systems.append((os.path.basename(path), lines(path)))
    return systems


def sacrebleu(task, folder):
    import sacrebleu
    from sacrebleu.metrics import BLEU, CHRF, TER
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
    from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp
    from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

    def forget():
        for tokenizer in (Tokenizer13a, TokenizerRegexp, TercomTokenizer):
            tokenizer.__call__.cache_clear()

    def corpus(bleu, hypotheses, streams):
        score = bleu.corpus_score(hypotheses, streams)
        return {
            "score": score.score,
            "counts": score.counts,
            "totals": score.totals,
            "sys_len": int(score.sys_len),
            "ref_len": int(score.ref_len),
        }

    if task == "corpus-files":

        def run():
            return corpus(BLEU(), *read(folder, ""))

    elif task == "corpus-tokens":
        hypotheses, streams = read(folder, ".tok")

        def run():
            return corpus(BLEU(tokenize="none", force=True), hypotheses, streams)

    elif task == "sentence-tokens":
        hypotheses, streams = read(folder, ".tok")
        references = list(zip(*streams))

        def run():
            bleu = BLEU(tokenize="none", effective_order=True)
            pairs = zip(hypotheses, references)
            return {"scores": [bleu.sentence_score(hypothesis, own).score for hypothesis, own in pairs]}

    elif task in ("chrf", "chrf++"):
        hypotheses, streams = read(folder, "")

        def run():
            return {"score": CHRF(word_order=2 * (task == "chrf++")).corpus_score(hypotheses, streams).score}

    elif task in ("pairs-bleu", "pairs-chrf"):
        # Pair by pair all would take minutes: two hypotheses with every candidate, and the time is that of all.
        pool = read(folder, ".tok" if task == "pairs-bleu" else "")[0][:CANDIDATES]

        def run():
            metric = BLEU(tokenize="none", effective_order=True) if task == "pairs-bleu" else CHRF()
            scores = [metric.sentence_score(h, [r]).score for h in pool[:ROWS] for r in pool]
            return {"scores": scores, "share": ROWS / len(pool)}

    elif task == "composition":
        hypotheses, streams = read(folder, "")
        metrics = (BLEU, CHRF, lambda: CHRF(word_order=2), TER)

        def run():
            return {"scores": [metric().corpus_score(hypotheses, streams).score for metric in metrics]}

    elif task in ("paired-bs", "paired-ar"):
        from sacrebleu.significance import PairedTest

        hypotheses, streams = read(folder, "")
        systems = [("hyp", hypotheses)] + systems_of(folder)

        def run():
            test = PairedTest(
                systems, {"BLEU": BLEU(references=streams)}, references=None, test_type=task[-2:], n_samples=1000
            )
            [results] = [column for name, column in test()[1].items() if name != "System"]
            numbers = [n for one in results for n in (one.score, one.mean, one.ci, one.p_value)]
            return {"scores": [float(number) for number in numbers if number is not None]}

    elif task == "ter":
        hypotheses, streams = read(folder, "")

        def run():
            score = TER().corpus_score(hypotheses, streams)
            return {"score": score.score, "counts": [score.num_edits]}

    else:
        hypotheses, streams = read(folder, "")
        lines = hypotheses + [line for stream in streams for line in stream]

        def run():
            tokenizer = Tokenizer13a()
            return {"lines": [tokenizer(line) for line in lines]}

    return sacrebleu.__version__, forget, run


def ours(task, folder):
    """The wheel of bleuprint, as its users call it."""
    import bleuprint

    long = task.endswith("-long")
    hypotheses, streams = (lines(os.path.join(folder, "long.hyp")), [lines(os.path.join(folder, "long.ref"))]) if long else read(folder, "")
    names = {"rouge": ROUGE, "composition": ["bleu", "chrf", "chrf++", "ter"]}.get(task, [task.removesuffix("-long")])
    streams = streams if task in ("chrf", "ter", "composition") else streams[:1]

    def run():
        if len(names) > 1:
            scores = bleuprint.metrics(*names).score(hypotheses, reference_streams=streams)
            return {"scores": [score.score for score in scores.values()]}
        score = bleuprint.metric(names[0]).score(hypotheses, reference_streams=streams)
        counts = [score.parts.get(part) for part in COUNTS.get(task, [])]
        return {"score": score.score} | ({"counts": counts} if counts else {})

    return bleuprint.__version__, lambda: None, run


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

    return np.__version__, lambda: None, run


def fastchrf(task, folder):
    import fastchrf

    # All at once it takes most of a minute: some hypotheses with every candidate, and the time is that of all.
    pool = read(folder, "")[0][:CANDIDATES]
    some = pool[:64]

    def run():
        [rows] = fastchrf.pairwise_chrf([some], [pool])
        return {"scores": [score for row in rows[:ROWS] for score in row], "share": len(some) / len(pool)}

    return importlib.metadata.version("fastchrf"), lambda: None, run


def fast_bleu(task, folder):
    import fast_bleu

    pool = [line.split() for line in read(folder, ".tok")[0][:SAMPLES]]

    def run():
        scores = fast_bleu.SelfBLEU(pool, {"bleu": (0.25, 0.25, 0.25, 0.25)}).get_score()["bleu"]
        return {"scores": [100 * score for score in scores]}

    return importlib.metadata.version("fast-bleu"), lambda: None, run


def nltk(task, folder):
    import nltk
    from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, modified_precision, sentence_bleu

    hypotheses, streams = read(folder, ".tok")
    hypotheses = [line.split() for line in hypotheses]
    references = [[line.split() for line in own] for own in zip(*streams)]

    if task == "corpus-tokens":

        def run():
            return {"score": 100 * corpus_bleu(references, hypotheses)}

    else:

        def run():
            smoothing = SmoothingFunction().method3
            pairs = zip(references, hypotheses)
            return {"scores": [100 * sentence_bleu(r, h, smoothing_function=smoothing) for r, h in pairs]}

    return nltk.__version__, lambda: None, run


def words_of(folder):
    hypotheses, streams = read(folder, ".tok")
    return [line.split() for line in hypotheses], [[line.split() for line in own] for own in zip(*streams)]


def nltk_catalogue(task, folder):
    import nltk
    from nltk.translate.meteor_score import meteor_score
    from nltk.translate.nist_score import corpus_nist

    class NoSynonyms:
        def synsets(self, word):
            return []

    hypotheses, references = words_of(folder)

    def run():
        if task == "nist":
            return {"score": corpus_nist(references, hypotheses)}
        pairs = zip(references, hypotheses)
        return mean([meteor_score(own, hypothesis, wordnet=NoSynonyms()) for own, hypothesis in pairs])

    return nltk.__version__, lambda: None, run


def mean(scores):
    return {"score": math.fsum(scores) / len(scores)}


ROUGE = ["rouge1", "rouge2", "rougeL"]


def rouge_score(task, folder, package="rouge_score"):
    scorer = importlib.import_module(package + ".rouge_scorer").RougeScorer(ROUGE if task == "rouge" else [task])
    hypotheses, streams = read(folder, "")

    def run():
        if package == "rouge_score":
            scores = [scorer.score(own, line) for own, line in zip(streams[0], hypotheses)]
        else:
            scores = scorer.score_batch(streams[0], hypotheses)
        if task == "rouge":
            return {"scores": [math.fsum(one[name].fmeasure for one in scores) / len(scores) for name in ROUGE]}
        return mean([one[task].fmeasure for one in scores])

    return importlib.metadata.version(package), lambda: None, run


def rouge_score_rs(task, folder):
    return rouge_score(task, folder, "rouge_score_rs")


def rouge_rust(_task, folder):
    import fast_rouge

    hypotheses, streams = read(folder, "")

    def run():
        columns = fast_rouge.score_batch_flat(streams[0], hypotheses)
        each = [getattr(columns, name + "_fmeasure") for name in ROUGE]
        return {"scores": [math.fsum(scores) / len(scores) for scores in each]}

    return importlib.metadata.version("rouge-rust"), lambda: None, run


def squad(task, folder):
    script = squad_script()
    hypotheses, streams = read(folder, "")
    references = list(zip(*streams))
    best = script.metric_max_over_ground_truths

    def run():
        scores = [best(script.f1_score, line, own) for line, own in zip(hypotheses, references)]
        return {"score": 100 * math.fsum(scores) / len(scores)}

    return "v1.1, of allennlp " + importlib.metadata.version("allennlp"), lambda: None, run


def pycocoevalcap(task, folder):
    from pycocoevalcap.cider.cider import Cider

    hypotheses, streams = read(folder, ".tok")
    references = {index: list(own) for index, own in enumerate(zip(*streams))}
    hypotheses = {index: [line] for index, line in enumerate(hypotheses)}

    def run():
        return {"score": float(Cider().compute_score(references, hypotheses)[0])}

    return importlib.metadata.version("pycocoevalcap"), lambda: None, run


def sari(task, folder):
    program = sari_program()
    # The package around the functions lower-cases, as ours does within the time.
    hypotheses, streams = read(folder, ".tok")
    hypotheses = [line.lower() for line in hypotheses]
    references = [[line.lower() for line in own] for own in zip(*streams)]
    # As in our engine: the hypothesis without every fourth word.
    sources = [" ".join(word for at, word in enumerate(line.split(" ")) if at % 4 != 3) for line in hypotheses]

    def run():
        texts = zip(sources, hypotheses, references)
        return mean([100 * program.SARIsent(source, line, own) for source, line, own in texts])

    return importlib.metadata.version("gem-metrics-fork"), lambda: None, run


def jiwer(task, folder):
    import jiwer

    hypotheses, streams = read(folder, "")

    def run():
        process = jiwer.process_words if task == "wer" else jiwer.process_characters
        output = process(streams[0], hypotheses)
        counts = [output.hits, output.substitutions, output.deletions, output.insertions]
        return {"score": getattr(output, task), "counts": counts}

    return importlib.metadata.version("jiwer"), lambda: None, run


def werx(_task, folder):
    import werx

    hypotheses, streams = read(folder, "")

    def run():
        return {"score": werx.wer(streams[0], hypotheses)}

    return importlib.metadata.version("werx"), lambda: None, run


def rapidfuzz(task, folder):
    """The distance alone, without hits, substitutions, deletions and insertions."""
    from rapidfuzz.distance.Levenshtein import distance
    from rapidfuzz.process import cpdist

    if task == "wer-long":
        hypotheses, streams = lines(os.path.join(folder, "long.hyp")), [lines(os.path.join(folder, "long.ref"))]
    else:
        hypotheses, streams = read(folder, "")

    def run():
        if task == "cer":
            return {"score": int(cpdist(streams[0], hypotheses, scorer=distance).sum()) / sum(map(len, streams[0]))}
        references, words = ([list(filter(None, line.split(" "))) for line in side] for side in (streams[0], hypotheses))
        edits = sum(map(distance, references, words))
        return {"score": edits / sum(map(len, references))}

    return importlib.metadata.version("rapidfuzz"), lambda: None, run


def bleuscore(task, folder):
    import bleuscore

    # The lines that it has seen cannot be forgotten: one round only, after other text.
    bleuscore.compute(references=[["Twice."]], predictions=["Once, 1.5-2 & so on."])

    if task == "corpus-files":

        def run():
            hypotheses, streams = read(folder, "")
            references = [list(own) for own in zip(*streams)]
            score = bleuscore.compute(references, hypotheses, ref_len_method="closest")
            return {
                "score": 100 * score["bleu"],
                "precisions": score["precisions"],
                "sys_len": score["translation_length"],
                "ref_len": score["reference_length"],
            }

    else:
        hypotheses, streams = read(folder, "")
        lines = hypotheses + [line for stream in streams for line in stream]

        def run():
            return {"lines": [bleuscore.tokenizer_13a(line) for line in lines]}

    return bleuscore.__version__, None, run


def bleuscore_warm(task, folder):
    """With its cache of the tokens of all lines: what it takes where every line was seen before."""
    version, _, run = bleuscore(task, folder)
    return version, lambda: None, run


def main():
    engine, task, folder, rounds = sys.argv[1:]
    engines = {"sacrebleu": sacrebleu, "nltk": nltk, "bleuscore": bleuscore, "jiwer": jiwer}
    engines |= {"bleuprint": ours, "numpy": numpy, "bleuscore-warm": bleuscore_warm}
    engines |= {"nltk-catalogue": nltk_catalogue, "rouge-score": rouge_score, "squad": squad}
    engines |= {"pycocoevalcap": pycocoevalcap, "gem-metrics-fork": sari}
    engines |= {"fastchrf": fastchrf, "fast-bleu": fast_bleu, "werx": werx, "rapidfuzz": rapidfuzz}
    engines |= {"rouge-score-rs": rouge_score_rs, "rouge-rust": rouge_rust}
    version, forget, run = engines[engine](task, folder)
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
    print(json.dumps({"version": version, "seconds": seconds, "result": result}))


main()
