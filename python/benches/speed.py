"""Times the package next to sacreBLEU, in one process, and checks that the answers are equal.

Run by `cargo xtask python --speed`. Times are the best of several runs, by time of the processor.
"""

import subprocess
import sys
import time

import numpy
import sacrebleu as theirs
import texts

import bleuprint
import bleuprint.sacrebleu as ours

SEGMENTS = 2000


def best(work, runs):
    least = float("inf")
    for _ in range(runs):
        start = time.process_time()
        result = work()
        least = min(least, time.process_time() - start)
    return least, result


def row(name, mine, other, wanted):
    (fast, one), (slow, two) = mine, other
    assert one == two, (name, one, two)
    print(f"{name:34} {1000 * fast:9.2f} ms {1000 * slow:9.2f} ms {slow / fast:7.1f}x  (wanted {wanted}x)")


def main():
    hyps, refs = texts.corpus(SEGMENTS)
    # sacreBLEU keeps the tokens of 65,536 lines: new lines each time, as in a first scoring.
    fresh = [0]

    def new(lines):
        fresh[0] += 1
        return [f"{line[:-1]} {fresh[0]}." for line in lines]

    def corpus_bleu(package):
        return lambda: package.corpus_bleu(*given()).score

    inputs = []

    def given():
        return inputs[-1]

    def timed(function, runs):
        least, result = float("inf"), None
        for at in range(runs):
            inputs.append(prepared[at])
            start = time.process_time()
            result = function()
            least = min(least, time.process_time() - start)
        return least, result

    prepared = [(new(hyps), [new(refs)]) for _ in range(5)]
    mine, warm = timed(corpus_bleu(ours), 5), None
    row("corpus_bleu, 2000 new lines", mine, timed(corpus_bleu(theirs), 5), 50)
    warm = best(lambda: theirs.corpus_bleu(hyps, [refs]).score, 3)
    row("corpus_bleu, lines seen before", best(lambda: ours.corpus_bleu(hyps, [refs]).score, 5), warm, 50)
    chrf = lambda package: lambda: package.corpus_chrf(hyps, [refs]).score
    row("corpus_chrf, 2000 lines", best(chrf(ours), 5), best(chrf(theirs), 2), 100)
    each = lambda package: lambda: [package.sentence_bleu(hyp, [ref]).score for hyp, ref in zip(hyps, refs)]
    row("sentence_bleu, one at a time", best(each(ours), 5), best(each(theirs), 2), 20)
    few = slice(0, 200)
    ter = lambda package: lambda: package.corpus_ter(hyps[few], [refs[few]]).score
    row("corpus_ter, 200 lines", best(ter(ours), 3), best(ter(theirs), 1), 50)

    generator = numpy.random.default_rng(1)
    ids = generator.integers(0, 32000, (256, 1024))
    references = numpy.where(generator.random((256, 1024)) < 0.8, ids, generator.integers(0, 32000, (256, 1024)))
    bleu = bleuprint.metric("bleu")
    arrays, _ = best(lambda: bleu.score(ids, references), 10)
    held = bleuprint.ids(ids), bleuprint.ids(references)
    ready, _ = best(lambda: bleu.score(*held), 10)
    print(f"{'256 x 1024 ids from NumPy':34} {1000 * arrays:9.2f} ms; read before {1000 * ready:.2f} ms, {arrays / ready:.2f}x")

    code = "import time; start = time.perf_counter(); import bleuprint; print(time.perf_counter() - start)"
    times = [float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout) for _ in range(7)]
    print(f"{'import bleuprint':34} {1000 * min(times):9.2f} ms")


if __name__ == "__main__":
    main()
