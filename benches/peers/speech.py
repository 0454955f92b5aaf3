"""bleuprint's program beside Python programs for speech: processor time, the least of some rounds, answers compared first.

    python benches/peers/speech.py target/release/bleuprint [TASK]..

Each peer takes part where it is installed: jiwer, kaldialign, openai-whisper (its normalizers alone), meeteval, pyannote.metrics,
texterrors, mweralign and sclite. Our time is that of the whole program, from files to the output; theirs is that of the call
alone, with everything loaded and split beforehand. Each round runs all contenders, so that other work on the machine
slows all of them.
"""

import importlib.util
import io
import json
import subprocess
import sys
import types
from pathlib import Path

from race import RNG, VOCABULARY, absent, main, noisy, peer, race


def alignments(folder):
    references = [RNG.choices(VOCABULARY, k=RNG.randint(5, 35)) for _ in range(12_000)]
    hypotheses = [noisy(words) for words in references]
    texts = [[" ".join(words) for words in side] for side in (references, hypotheses)]
    for name, side in zip(("ref", "hyp"), texts):
        (folder / name).write_text("".join(f"{line}\n" for line in side))
    theirs, jiwer, kaldialign = {}, peer("jiwer"), peer("kaldialign")
    if jiwer:
        theirs["jiwer"] = lambda: jiwer.process_words(*texts)
    if kaldialign:
        pairs = list(zip(references, hypotheses))
        theirs["kaldialign"] = lambda: [kaldialign.align(r, h, "*") for r, h in pairs]

    def same(answer, name, other):
        counts = json.loads(answer.splitlines()[-1])["counts"]
        edits = counts["substitutions"] + counts["deletions"] + counts["insertions"]
        if name == "jiwer":
            return [counts[key] for key in ("hits", "substitutions", "deletions", "insertions")] == [other.hits, other.substitutions, other.deletions, other.insertions]
        return edits == sum(r != h for pairs in other for r, h in pairs)

    # All words of all segments are aligned and counted; few are written.
    ours = ["align", folder / "ref", "-i", folder / "hyp", "-f", "json", "--top", "5", "-q"]
    race("align, 12,000 segments", {"jiwer": 20, "kaldialign": 10}, ours, theirs, same)


SENTENCES = [
    "Mr. Smith's colour TV cost twenty-five hundred dollars, uh, and he won't return it [laughs] on the 1st of May.",
    "they've organised 1,200 people (at least) in the centre; it's 3.5 percent more than nineteen ninety nine",
    "so um what I wanted to say is that the programme was cancelled because nobody analysed the behaviour",
    "Dr. Jones said: \"We can't, we gotta go to the theatre at half past six and a half\" -- café, naïve, €20.",
]


def normalizers(folder):
    lines = [" ".join(noisy(RNG.choice(SENTENCES).split(), 0.1)) for _ in range(20_000)]
    (folder / "text").write_text("".join(f"{line}\n" for line in lines))
    spec = importlib.util.find_spec("whisper")
    if not spec:
        absent("whisper")
        return
    # Its normalizers need none of the rest, which loads models.
    package = types.ModuleType("whisper")
    package.__path__ = list(spec.submodule_search_locations)
    sys.modules["whisper"] = package
    from whisper.normalizers import BasicTextNormalizer, EnglishTextNormalizer

    for name, build, wanted in (("whisper-en", EnglishTextNormalizer, 50), ("whisper-basic", BasicTextNormalizer, 20)):
        normalizer = build()

        def same(answer, _, other):
            return answer.decode().split("\n")[:-1] == other

        ours = ["normalize", "--norm", name, folder / "text"]
        race(f"normalize --norm {name}", {"whisper": wanted}, ours, {"whisper": lambda: [normalizer(line) for line in lines]}, same)


def session(name, speakers, words, per):
    reference, hypothesis, now = [], [], 0.0
    for _ in range(words // per):
        for speaker in range(speakers):
            spoken = RNG.choices(VOCABULARY, k=per)
            start = round(now + RNG.random(), 2)
            end, now = round(start + per * 0.35, 2), start + per * 0.1
            reference.append((name, f"r{speaker}", start, end, spoken))
            heard = speaker if RNG.random() < 0.95 else RNG.randrange(speakers)
            late = [round(time + RNG.random() * 0.4, 2) for time in (start, end)]
            hypothesis.append((name, f"h{(heard * 7 + 3) % speakers}", *late, noisy(spoken)))
    return reference, hypothesis


def speakers(folder):
    if not peer("meeteval"):
        return
    from meeteval.io import SegLST
    from meeteval.wer.wer.cp import cp_word_error_rate as cp
    from meeteval.wer.wer.mimo import mimo_word_error_rate as mimo
    from meeteval.wer.wer.orc import orc_word_error_rate as orc
    from meeteval.wer.wer.time_constrained import time_constrained_minimum_permutation_word_error_rate as tcp
    from meeteval.wer.wer.time_constrained_mimo import time_constrained_mimo_word_error_rate as tcmimo

    def seglst(rows):
        keys = ("session_id", "speaker", "start_time", "end_time", "words")
        return SegLST([dict(zip(keys, (*row[:4], " ".join(row[4])))) for row in rows])

    for metric, call, options, wanted, shape in (
        ("cpwer", cp, {}, 50, (4, 2000, 20)),
        ("tcpwer:collar=5", tcp, {"collar": 5}, 50, (4, 2000, 20)),
        ("orcwer", orc, {}, 50, (2, 200, 10)),
        ("orcwer", orc, {}, 50, (2, 400, 20)),
        ("orcwer", orc, {}, 50, (3, 60, 10)),
        ("mimower", mimo, {}, 20, (2, 60, 10)),
        ("tcmimower:collar=5", tcmimo, {"collar": 5}, 20, (2, 100, 10)),
    ):
        data = [session(f"S{number}", *shape) for number in range(5)]
        for name, sides in zip(("ref.stm", "hyp.stm"), zip(*data)):
            rows = (f"{n} 1 {s} {a} {b} {' '.join(w)}\n" for side in sides for n, s, a, b, w in side)
            (folder / name).write_text("".join(rows))
        inputs = [(seglst(reference), seglst(hypothesis)) for reference, hypothesis in data]

        def same(answer, _, other):
            ours = json.loads(answer)
            theirs = [sum(getattr(one, key) for one in other) for key in ("insertions", "deletions", "substitutions", "length")]
            return [ours[key] for key in ("insertions", "deletions", "substitutions", "ref_len")] == theirs

        ours = ["score", "--speakers", folder / "ref.stm", "-i", folder / "hyp.stm", "-m", metric, "-q", "--threads", "1"]
        race(f"{metric} {shape} x 5", {"meeteval": wanted}, ours, {"meeteval": lambda: [call(*pair, **options) for pair in inputs]}, same)


def hour(speakers=8, seconds=3600):
    """The turns of an hour: half of the pauses are overlaps, and the hypothesis is late, early, or gives the turn to another."""
    reference, hypothesis, now = [], [], 1.0
    while now < seconds - 20:
        speaker, length = RNG.randrange(speakers), RNG.uniform(0.5, 9)
        start, end = round(now, 3), round(now + length, 3)
        reference.append([f"r{speaker}", start, end])
        heard = speaker if RNG.random() < 0.93 else RNG.randrange(speakers)
        late = [round(time + RNG.gauss(0, 0.2), 3) for time in (start, end)]
        if late[0] < late[1]:
            hypothesis.append([f"h{heard * 5 % speakers}", max(late[0], 0.0), late[1]])
        now = end + RNG.uniform(-1, 1)
    return reference, hypothesis, [[0.0, float(seconds)]]


def meetings(folder):
    """The same hour with words."""
    if not peer("meeteval"):
        return
    from meeteval.io import SegLST
    from meeteval.wer.wer import di_cp, time_constrained, time_constrained_orc

    keys = ("session_id", "speaker", "start_time", "end_time", "words")
    reference, hypothesis, _ = hour()
    sides = [[["S", *turn, RNG.choices(VOCABULARY, k=round(3 * (turn[2] - turn[1])) + 1)] for turn in reference], []]
    for turn in hypothesis:
        # The words of the turn that it has most time in common with, as a program hears them.
        common = max(sides[0], key=lambda other: min(turn[2], other[3]) - max(turn[1], other[2]))
        sides[1].append(["S", *turn, noisy(common[4])])
    data = [[dict(zip(keys, (*row[:4], " ".join(row[4])))) for row in side] for side in sides]
    for name, side in zip(("ref.json", "hyp.json"), data):
        (folder / name).write_text(json.dumps(side))
    inputs = [SegLST(side) for side in data]

    def same(answer, _, other):
        ours = json.loads(answer)
        errors = sum(ours[key] for key in ("insertions", "deletions", "substitutions"))
        return [errors, ours["ref_len"]] == [other.errors, other.length]

    for metric, call in (
        ("tcorcwer", time_constrained_orc.time_constrained_orc_wer),
        ("tcorcwer:search=greedy", time_constrained_orc.greedy_time_constrained_orc_wer),
        ("ditcpwer", di_cp.greedy_di_tcp_word_error_rate),
        ("tcpwer", time_constrained.time_constrained_minimum_permutation_word_error_rate),
    ):
        name, _, search = metric.partition(":")
        named = f"{name}:collar=5{search and ','}{search}"
        ours = ["score", "--speakers", folder / "ref.json", "-i", folder / "hyp.json", "-m", named, "-q", "-f", "json", "--threads", "1"]
        race(f"{metric}, an hour of 8 speakers", {"meeteval": 50}, ours, {"meeteval": lambda: call(*inputs, collar=5)}, same)


def turns(folder):
    if not peer("pyannote.metrics"):
        return
    from pyannote.core import Annotation, Segment, Timeline
    from pyannote.metrics.diarization import DiarizationErrorRate

    def annotation(turns):
        result = Annotation()
        for place, (speaker, start, end) in enumerate(turns):
            result[Segment(start, end), place] = speaker
        return result

    data = [hour() for _ in range(20)]
    with open(folder / "turns.jsonl", "w") as file:
        for reference, hypothesis, regions in data:
            file.write(json.dumps({"reference": reference, "hypothesis": hypothesis, "source": regions}) + "\n")
    inputs = [(annotation(r), annotation(h), Timeline([Segment(*region) for region in u])) for r, h, u in data]

    def theirs():
        metric = DiarizationErrorRate(collar=0.5)
        for reference, hypothesis, regions in inputs:
            metric(reference, hypothesis, uem=regions)
        return abs(metric)

    def same(answer, _, other):
        return abs(json.loads(answer)["score"] - other) < 1e-9

    metric = "der:like=pyannote,collar=0.5"
    ours = ["score", "--segments", folder / "turns.jsonl", "-m", metric, "-q", "-f", "json", "--threads", "1"]
    race("DER, 20 hours of 8 speakers", {"pyannote": 100}, ours, {"pyannote": theirs}, same)


def keywords(folder):
    if not peer("texterrors"):
        return
    from loguru import logger
    from texterrors import texterrors

    logger.remove()
    references = [RNG.choices(VOCABULARY, k=RNG.randint(5, 35)) for _ in range(12_000)]
    for name, side in (("ref", references), ("hyp", [noisy(words) for words in references])):
        (folder / name).write_text("".join(f"{' '.join(words)}\n" for words in side))
    rare = sorted({word for word in VOCABULARY if int(word[1:]) > 50})
    (folder / "rare").write_text("".join(f"{word}\n" for word in rare))
    sides = (texterrors.read_ref_file(str(folder / "ref"), False), texterrors.read_hyp_file(str(folder / "hyp"), False, False))

    def theirs():
        out = io.StringIO()
        form = texterrors.OutputFormat.json
        options = {"use_chardiff": False, "skip_detailed": True, "output_format": form, "keywords": set(rare)}
        texterrors.process_output(*sides, out, "ref", "hyp", **options)
        return json.loads(out.getvalue())["summary"]

    def command():
        """From files to the output, as ours."""
        out, program = folder / "out", Path(sys.executable).with_name("texterrors")
        options = ["-s", "--output-format", "json", "--keywords-f", folder / "rare", "-o", out]
        subprocess.run([program, *options, folder / "ref", folder / "hyp"], capture_output=True, check=True)
        return json.loads(out.read_text())["summary"]

    def same(answer, _, other):
        ours = json.loads(answer)
        theirs = [other[f"keyword_{key}"] for key in ("count", "output_count", "predicted_count")]
        return [ours[key] for key in ("references", "hypotheses", "hits")] == theirs

    metric = f"terms:words={folder / 'rare'},like=texterrors"
    ours = ["score", folder / "ref", "-i", folder / "hyp", "-m", metric, "-q", "-f", "json", "--threads", "1"]
    peers = {"texterrors": theirs, "its command": command}
    race("terms, 12,000 segments", dict.fromkeys(peers, 20), ours, peers, same)


def segments(folder):
    mweralign = peer("mweralign")
    if not mweralign:
        return
    for count, wanted in ((200, 100), (2000, 40)):
        references = [RNG.choices(VOCABULARY, k=RNG.randint(5, 35)) for _ in range(count)]
        spoken = noisy([word for words in references for word in words])
        reference, hypothesis = "\n".join(" ".join(words) for words in references), " ".join(spoken)
        (folder / "ref").write_text(reference + "\n")
        (folder / "hyp").write_text(hypothesis + "\n")

        def same(answer, _, other):
            strip = lambda text: [line.strip() for line in text.strip("\n").split("\n")]
            return strip(answer.decode()) == strip(other if isinstance(other, str) else "\n".join(other))

        ours = ["resegment", folder / "ref", "-i", folder / "hyp", "--like", "mweralign", "-q"]
        plain = ["resegment", folder / "ref", "-i", folder / "hyp", "-q"]
        call = {"mweralign": lambda: mweralign.align_texts(reference, hypothesis)}
        race(f"resegment, {count} segments", {"mweralign": wanted}, plain, call, lambda *_: "not compared")
        race(f"resegment --like, {count} segments", {"mweralign": 1}, ours, call, same)


def alternatives(folder):
    """Short segments with alternatives and optional words; both programs with their start, reading and table."""
    sclite = Path("/usr/lib/sctk/bin/sclite")
    if not sclite.exists():
        absent("sclite", f"no program {sclite}")
        return
    references, hypotheses = [], []
    for number in range(12_000):
        words = RNG.choices(VOCABULARY, k=RNG.randint(3, 25))
        other = RNG.choice(VOCABULARY)
        texts = [f"{{ {word} / {other} other / @ }}" if RNG.random() < 0.1 else word for word in words]
        references.append(f"{' '.join(texts)} (s{number % 8}-{number})\n")
        hypotheses.append(f"{' '.join(noisy(words))} (s{number % 8}-{number})\n")
    (folder / "ref.trn").write_text("".join(references))
    (folder / "hyp.trn").write_text("".join(hypotheses))
    files = ["-r", folder / "ref.trn", "trn", "-h", folder / "hyp.trn", "trn"]
    command = [sclite, *files, "-i", "spu_id", "-o", "rsum", "stdout"]

    def theirs():
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def sums(text):
        return next(line.replace("|", " ").split() for line in text.splitlines() if line.strip().startswith("| Sum"))

    ours = ["transcripts", folder / "ref.trn", "-i", folder / "hyp.trn", "--form", "rsum"]
    race("alternatives, 12,000 segments", {"sclite": 5}, ours, {"sclite": theirs}, lambda answer, _, other: sums(answer.decode()) == sums(other))


if __name__ == "__main__":
    main((alignments, normalizers, speakers, meetings, turns, alternatives, keywords, segments))
