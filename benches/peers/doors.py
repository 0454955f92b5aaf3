"""Files, the start and the wheel: bleuprint's program beside itself and an empty program, its wheel beside sacreBLEU with warm caches.

    python benches/peers/doors.py --data 'target/bench/data/{}-real' target/release/bleuprint [TASK]..

The corpora are those that `cargo xtask bench` writes. A corpus of files is written so often that it has about 100,000 segments;
its score must be that of one copy. Times are of the processor, in one thread.
"""

import json
import shutil
from pathlib import Path

from race import Given, absent, main, of_call, of_program, peer, row, turns

SEGMENTS = 100_000
# By the letters: the corpus, and the tokenizer that suits it.
LETTERS = {"en": "zh-en", "Cyrillic": "zh-en-cyrillic", "cs": "en-cs", "zh": "en-zh"}
STARTS = 100
QUIET = ["-q", "--threads", "1", "-w", "17"]


def corpora(letters=LETTERS):
    """The letters and both sides of each corpus that is there."""
    for one in letters:
        folder = Path(Given.data.format(LETTERS[one]))
        if Given.data and folder.is_dir():
            yield one, [(folder / side).read_text(encoding="utf-8").split("\n")[:-1] for side in ("hyp", "ref0")]
        else:
            absent(LETTERS[one], f"no corpus in {folder}")


def copies(folder, sides):
    """Files of text of a corpus once and of many copies, with the arguments of their scores."""
    arguments, times = {}, -(-SEGMENTS // len(sides[0]))
    for name, count in (("once", 1), ("often", times)):
        for side, lines in zip(("hyp", "ref"), sides):
            (folder / f"{name}.{side}").write_text("".join(f"{line}\n" for line in lines) * count, encoding="utf-8")
        arguments[name] = ["score", folder / f"{name}.ref", "-i", folder / f"{name}.hyp", *QUIET, "-f", "json"]
    return arguments, times


def run(arguments):
    return lambda: of_program(arguments)


def score(answer):
    return json.loads(answer)["score"]


def steady(folder):
    for letters, sides in corpora():
        arguments, _ = copies(folder, sides)
        least, answers = turns({name: run(given) for name, given in arguments.items()})
        told = json.loads(answers["often"])
        size = sum((folder / f"often.{side}").stat().st_size for side in ("hyp", "ref"))
        tokens = told["sys_len"] + told["ref_len"]
        workload = f"from files, {letters}, {size / 1e6:.0f} MB, {1e9 * least['often'] / tokens:.0f} ns a token"
        same = score(answers["often"]) == score(answers["once"])
        row(workload, None, size / 1e6 / least["often"], 300, same, unit="MB/s", ours=least["often"])


def json_lines(folder):
    """Beside lines of the same text, without the time of a start."""
    for letters, sides in corpora():
        arguments, times = copies(folder, sides)
        texts = {"lines": arguments["often"]}
        for form, escaped in (("plain", False), ("escaped", True)):
            path = folder / f"{form}.jsonl"
            rows = (json.dumps({"hypothesis": one, "references": [other]}, ensure_ascii=escaped) for one, other in zip(*sides))
            path.write_text("".join(f"{line}\n" for line in rows) * times, encoding="utf-8")
            texts[form] = ["score", "--segments", path, *QUIET, "-f", "json"]
        (folder / "two").write_text("a b c d\ne f g h\n")
        texts["start"] = ["score", folder / "two", "-i", folder / "two", *QUIET, "-f", "json"]
        least, answers = turns({form: run(given) for form, given in texts.items()})
        lines = least["lines"] - least["start"]
        for form, wanted in (("plain", 1.15), ("escaped", 1.5)):
            own, same = least[form] - least["start"], score(answers[form]) == score(answers["lines"])
            row(f"JSON Lines, {letters}, {form}", "lines of text", own / lines, wanted, same, at_least=False, theirs=lines, ours=own)


def two_lines(folder):
    """Beside a program that does nothing, each started many times."""
    for name, text in (("ref", "The cat sat on the mat.\nA dog barked.\n"), ("hyp", "The cat sat on a mat.\nThe dog barked.\n")):
        (folder / name).write_text(text)
    arguments = ["score", folder / "ref", "-i", folder / "hyp", "-b", "-w", "6"]
    _, answer = of_program(arguments)
    try:
        from sacrebleu.metrics import BLEU

        sides = [(folder / name).read_text().splitlines() for name in ("hyp", "ref")]
        same = answer.decode().strip() == f"{BLEU().corpus_score(sides[0], [sides[1]]).score:.6f}"
    except ImportError:
        same = "not compared: no sacreBLEU"
    empty, times = shutil.which("true"), {"ours": [], "empty": []}
    for _ in range(STARTS):
        times["ours"].append(of_program(arguments)[0])
        times["empty"].append(of_program([], empty)[0])
    own, theirs = min(times["ours"]), min(times["empty"])
    row("a score of two lines, from the shell", "an empty program", 1e3 * own, 1.2, same, unit="ms", at_least=False, theirs=theirs, ours=own)


def python_sentences(_folder):
    """Scores of segments from Python, whose lines sacreBLEU has seen before; and the numbers alone beside the score of all."""
    ours, theirs = peer("bleuprint"), peer("sacrebleu")
    if not ours:
        return
    for letters, (hypotheses, references) in corpora(("cs", "en", "Cyrillic")):
        bleu = ours.metric("bleu")
        calls = {
            "sentences": lambda: bleu.sentences(hypotheses, references, threads=1),
            "rewards": lambda: ours.rewards(hypotheses, references, metric=bleu, threads=1),
            "score": lambda: bleu.score(hypotheses, references, threads=1),
        }
        if theirs:
            single = theirs.metrics.BLEU(effective_order=True)
            calls["sacrebleu"] = lambda: [single.sentence_score(one, [other]) for one, other in zip(hypotheses, references)]
        # A call that is short is done often, so that its least time is one without other work on the machine.
        least, answers = turns({name: (lambda call=call: of_call(call)) for name, call in calls.items()})
        for name in ("sentences", "rewards", "score"):
            least[name] = min([least[name], *(of_call(calls[name])[0] for _ in range(30))])
        each = [one.score for one in answers["sentences"]]
        if theirs:
            same, times = each == [one.score for one in answers["sacrebleu"]], least["sacrebleu"] / least["sentences"]
            row(f"`sentences()` from Python, {letters}", "sacrebleu, warm", times, 20, same, theirs=least["sacrebleu"], ours=least["sentences"])
        close = len(each) == len(answers["rewards"]) and all(abs(one - other) < 1e-5 * 100 for one, other in zip(each, answers["rewards"]))
        times = least["rewards"] / least["score"]
        row(f"`rewards` from Python, {letters}", "`score` of the same", times, 1.3, close, at_least=False, theirs=least["score"], ours=least["rewards"])


if __name__ == "__main__":
    main((steady, json_lines, two_lines, python_sentences))
