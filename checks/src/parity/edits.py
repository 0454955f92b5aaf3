# The oracle behind the comparison of edit rates: answers with the TER of sacreBLEU and with jiwer. A program that is not
# installed is left out, and the first line says so.
LETTERS = {"equal": "=", "substitute": "S", "delete": "D", "insert": "I"}


def ter(question):
    """Each segment alone, and the corpus where it is asked for."""
    from sacrebleu.metrics import TER

    metric = TER(**question["options"])
    hypotheses, streams = question["hypotheses"], question["references"]

    def outcome(score):
        return {"score": bits(score.score), "num_edits": score.num_edits, "ref_length": bits(score.ref_length)}

    answer = {"corpus": outcome(metric.corpus_score(hypotheses, streams)) if question["whole"] else None}
    if not question["whole"]:
        # The signature wants the number of references.
        metric.corpus_score(["a"], [["a"]] * len(streams))
    # The version is each program's own.
    answer["signature"] = metric.get_signature().format().rpartition("|version:")[0]
    answer["short"] = metric.get_signature().format(short=True).rpartition("|v:")[0]
    pairs = zip(hypotheses, zip(*streams))
    answer["sentences"] = [
        outcome(metric.sentence_score(hypothesis, [text for text in own if text is not None])) for hypothesis, own in pairs
    ]
    return answer


def jiwer(question):
    """Words and characters of the corpus, and the steps of each segment."""
    import jiwer

    def outcome(output, measures):
        counts = ("hits", "substitutions", "deletions", "insertions")
        return {
            "measures": {measure: bits(getattr(output, measure)) for measure in measures},
            "counts": [getattr(output, count) for count in counts],
            "steps": ["".join(map(step, chunks)) for chunks in output.alignments],
        }

    def step(chunk):
        return LETTERS[chunk.type] * max(
            chunk.ref_end_idx - chunk.ref_start_idx, chunk.hyp_end_idx - chunk.hyp_start_idx
        )

    references, hypotheses = question["references"], question["hypotheses"]
    answer = {"words": outcome(jiwer.process_words(references, hypotheses), ("wer", "mer", "wil", "wip"))}
    if question["characters"]:
        answer["characters"] = outcome(jiwer.process_characters(references, hypotheses), ("cer",))
    return answer


programs = {package: version(package) for package in ("sacrebleu", "jiwer", "rapidfuzz")}
serve({"programs": programs}, by_name({"ter": ter, "jiwer": jiwer}))
