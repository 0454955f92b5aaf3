# The oracle behind the comparison of speech: MeetEval's errors of sessions, kaldialign's with merged compounds, and
# mweralign's pieces. A program that is not installed is left out, and the first line says so.


def meeteval(question):
    """The counts and the assignment of each session."""
    from meeteval.io import SegLST
    from meeteval.wer.wer import cp, di_cp, mimo, orc, time_constrained, time_constrained_mimo, time_constrained_orc

    metrics = {
        "cpwer": cp.cp_word_error_rate,
        "tcpwer": time_constrained.time_constrained_minimum_permutation_word_error_rate,
        "orcwer": orc.orc_word_error_rate,
        "orcwer:search=greedy": orc.greedy_orc_word_error_rate,
        "tcorcwer": time_constrained_orc.time_constrained_orc_wer,
        "tcorcwer:search=greedy": time_constrained_orc.greedy_time_constrained_orc_wer,
        "mimower": mimo.mimo_word_error_rate,
        "tcmimower": time_constrained_mimo.time_constrained_mimo_word_error_rate,
        "dicpwer": di_cp.greedy_di_cp_word_error_rate,
        "ditcpwer": di_cp.greedy_di_tcp_word_error_rate,
    }

    def outcome(session):
        sides = (SegLST(session["reference"]), SegLST(session["hypothesis"]))
        try:
            found = metrics[session["metric"]](*sides, **session["options"])
        except AssertionError:
            # Of its own checks, at some sessions without words: it has no answer.
            return {"counts": [], "rate": None, "assignment": None, "failed": True}
        speakers = ("missed_speaker", "falarm_speaker", "scored_speaker")
        return {
            "counts": [found.insertions, found.deletions, found.substitutions, found.length]
            + [getattr(found, name) for name in speakers if hasattr(found, name)],
            "rate": bits(found.error_rate),
            # One stream for each utterance, pairs, or nothing.
            "failed": False,
            "assignment": found.assignment and [[None, one] if isinstance(one, str) else list(one) for one in found.assignment],
        }

    return [outcome(session) for session in question["sessions"]]


def compounds(question):
    """The insertions, deletions and substitutions of each pair."""
    import kaldialign

    def outcome(reference, hypothesis):
        found = kaldialign.edit_distance(reference.split(), hypothesis.split(), merge_compounds=True)
        return [found["ins"], found["del"], found["sub"]]

    return [outcome(*pair) for pair in question["pairs"]]


def pieces(question):
    """The hypothesis of each document in lines."""
    import mweralign

    # It reports on standard error.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)

    def outcome(references, hypothesis):
        lines = [" ### ".join(segment) for segment in references]
        return mweralign.align_texts("\n".join(lines), hypothesis, is_tokenized=True).split("\n")

    return [outcome(*document) for document in question["documents"]]


programs = {package: version(package) for package in ("meeteval", "kaldialign", "mweralign")}
serve({"programs": programs}, by_name({"meeteval": meeteval, "compounds": compounds, "pieces": pieces}))
