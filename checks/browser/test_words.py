"""Groups of words by frequency, and n-grams won and lost, against a naive count; for many systems and any pair."""

import itertools
from collections import Counter

import pytest

from support import close, corpus, lines

# How many n-grams the page lists for each system of a pair.
LISTED = 15
# The outputs of the many systems: those of the corpora, each with words of another left out.
MANY = 15
CLASSES = {"once": (1, 1), "2 to 5 times": (2, 5), "6 to 50 times": (6, 50), "more often": (51, 10**9)}


def tokens(report, name, tokenizer):
    return [line.split(" ") if line else [] for line in report.program("tokenize", name, "--tokenize", tokenizer).split("\n")[:-1]]


def counts(words, orders):
    return Counter(tuple(words[at : at + n]) for n in orders for at in range(len(words) - n + 1))


def matches(outputs, references, orders):
    """Of every n-gram: how often the references have it (a segment's greatest count), and the clipped matches of each output."""
    table = {}
    for *own, given in zip(*outputs, zip(*references)):
        limits = Counter()
        for words in given:
            limits |= counts(words, orders)
        own = [counts(words, orders) for words in own]
        for ngram, limit in limits.items():
            row = [limit, *(min(limit, output[ngram]) for output in own)]
            table[ngram] = [a + b for a, b in zip(table.get(ngram, itertools.repeat(0)), row)]
    return table


@pytest.mark.parametrize("references, tokenizer", [(["r1"], "13a"), (["r1", "r2"], "zh")])
def test_words_by_frequency(report, references, tokenizer):
    address = report.make(corpus(8, 220), *references, "-i", "s2", "s3", "--tokenize", tokenizer)
    report.open(f"{address}#by=:words")
    rows = report.js(
        "[...document.querySelectorAll('#slices tbody tr')].map(r => [r.dataset.label, Number(r.children[1].textContent.replaceAll(',', '')), [...r.querySelectorAll('[data-value]')].map(e => Number(e.dataset.value)), Number(r.querySelector('[data-low]').dataset.low), Number(r.querySelector('[data-low]').dataset.high)])"
    )
    outputs, given = ([tokens(report, name, tokenizer) for name in names] for names in (["s2", "s3"], references))
    table = matches(outputs, given, [1])
    # Together the words of the references, each as often as the one that has it most.
    assert sum(size for _, size, *_ in rows) == sum(row[0] for row in table.values())
    for label, size, (first, second, difference), low, high in rows:
        least, most = CLASSES[label]
        own = [row for row in table.values() if least <= row[0] <= most]
        assert size == sum(row[0] for row in own)
        close(first, 100 * sum(row[1] for row in own) / size, label)
        close(second, 100 * sum(row[2] for row in own) / size, label)
        if low == low and abs(low) != float("inf"):
            assert low <= difference <= high and abs(difference - low - (high - difference)) < 1e-9


def surest(table, first, second):
    """The n-grams that one system matches more often than the other, those first that chance explains least; one that is
    part of a listed n-gram with the same two counts is left out."""
    def sureness(ngram):
        one, other = table[ngram][1 + first], table[ngram][1 + second]
        return (-((one - other) / (one + other) ** 0.5), -len(ngram), [word.encode() for word in ngram])

    listed = []
    won = (ngram for ngram, row in table.items() if row[1 + first] > row[1 + second])
    for ngram in sorted(won, key=sureness):
        pair = (table[ngram][1 + first], table[ngram][1 + second])
        if not any((table[longer][1 + first], table[longer][1 + second]) == pair and part(ngram, longer) for longer in listed):
            listed.append(ngram)
        if len(listed) == LISTED:
            break
    return listed


def part(ngram, longer):
    return any(longer[at : at + len(ngram)] == ngram for at in range(len(longer) - len(ngram) + 1))


def test_many_systems(report):
    """N-grams and difference of pairs far down the list are the library's, and nothing overflows a narrow window."""
    files = corpus(9, 120)
    names = [f"m{system}" for system in range(MANY)]
    for system, name in enumerate(names):
        source = files[["s1", "s2", "s3"][system % 3]].splitlines()
        kept = lambda at, line: (word for place, word in enumerate(line.split(" ")) if (place + at) % (system + 3))
        files[name] = lines(" ".join(kept(at, line)) for at, line in enumerate(source))
    address = report.make(files, "r1", "r2", "-i", *names)
    outputs, references = ([tokens(report, name, "13a") for name in some] for some in (names, ["r1", "r2"]))
    table = matches(outputs, references, [1, 2, 3, 4])
    for first, second in [(0, 1), (7, 12), (14, 13)]:
        report.open(f"{address}#a=m{first}&b=m{second}")
        for side, (winner, loser) in enumerate([(first, second), (second, first)]):
            listed = report.js(
                f"[...document.querySelectorAll('#grams > div')[{side}].querySelectorAll('tbody tr')].map(r => [r.querySelector('button').textContent, ...[...r.querySelectorAll('.num')].map(e => Number(e.textContent.replaceAll(',', '')))])"
            )
            rows = [(ngram, table[ngram]) for ngram in surest(table, winner, loser)]
            assert listed == [[" ".join(ngram), row[1 + first], row[1 + second], row[0]] for ngram, row in rows]
        pair = report.json("compare", "r1", "r2", "-i", f"m{first}", f"m{second}")["metrics"][0]["pairs"][0]
        close(report.js("document.querySelector('#live b').dataset.value"), pair["difference"], "difference")
    # Pressed, an n-gram keeps the segments whose references have it.
    ngram = report.js("(e => { e.click(); return e.textContent })(document.querySelector('#grams button'))")
    has = lambda words: f" {ngram} " in f" {' '.join(words)} "
    assert report.listed() == sum(any(map(has, given)) for given in zip(*references)) > 0
    for width in (420, 340):
        report.open(address, width, 900)
        assert report.js("document.documentElement.scrollWidth - innerWidth") <= 0


def operations(segment):
    """The steps of `align`, one for each word: kind, word of the reference, word of the output."""
    for kind, first, last, start, end in segment["operations"]:
        for step in range(max(last - first, end - start)):
            reference = None if kind == "insertion" else segment["reference"][first + step]
            yield kind, reference, None if kind == "deletion" else segment["hypothesis"][start + step]


# Of words and of characters, some from right to left.
@pytest.mark.parametrize("metric, options", [("wer", []), ("cer", ["--tokenize", "jiwer-char"]), ("wer:norm=lower+punct", ["--norm", "lower+punct"])])
def test_errors_of_words(report, metric, options):
    """Alignments and tables of errors are those of `align`; an error keeps the segments that have it."""
    address = report.make(corpus(10, 60), "r1", "-i", "s2", "s3", "-m", metric)
    letters = {"hit": "eq", "substitution": "d", "deletion": "gap", "insertion": "d"}
    shown = (
        "[...document.querySelectorAll('#pane .cols .col')].map(c => [...c.children].map(s => [s.className, s.textContent, s.dir]))"
    )
    for side, name in enumerate(["s2", "s3"]):
        *segments, tables = report.jsonl("align", "r1", "-i", name, "--all", "--top", "1000000", *options)
        for segment in sorted(segments, key=lambda one: one["segment"])[:12]:
            report.open(f"{address}#sort=number&segment={segment['segment']}")
            steps = list(operations(segment))
            columns = [(column[0], column[1 + side]) for column in report.js(shown)]
            # A column of the other side's insertion is empty here.
            columns = [(own, other) for own, other in columns if own[1] != "\u00a0" or other[1] != "\u00b7"]
            assert all(cell[2] == "auto" for column in columns for cell in column)
            assert len(columns) == len(steps)
            for (kind, reference, hypothesis), (own, other) in zip(steps, columns):
                blank = lambda word: word if word is None or word.strip() else word.replace(" ", "\u2423")
                assert own[1] == ("\u00a0" if reference is None else blank(reference))
                assert other[1] == ("\u00b7" if hypothesis is None else blank(hypothesis))
                assert other[0].startswith(letters[kind]), kind
            counts = segment["counts"]
            assert f"{counts['substitutions']} S, {counts['deletions']} D, {counts['insertions']} I" in report.js(
                f"document.querySelectorAll('#pane .words .who')[{side}].textContent"
            )
        report.open(address)
        listed = report.js(
            f"[...document.querySelectorAll('#errors > div')[{side}].querySelectorAll('tbody tr')].map(r => [r.dataset.error, ...[...r.children].map(c => c.textContent)])"
        )
        expected = []
        for kind, table in (("S", "confusions"), ("D", "deletions"), ("I", "insertions")):
            for row in tables[table][:LISTED]:
                words = [row["reference"], row["hypothesis"]] if kind == "S" else [row["word"]]
                expected.append((kind, words, row["count"], row["in_references"]))
        number = lambda text: int(text.replace(",", ""))
        found = [(kind, [word.replace("\u2423", " ") for word in rest[:-3]], number(rest[-3 + side]), number(rest[-1])) for kind, *rest in listed]
        assert found == expected and found
    assert report.js("[document.getElementById('s-grams').hidden, document.getElementById('s-errors').hidden]") == [True, False]
    # Pressed, an error keeps the segments in which the system makes it, and the address keeps the error.
    kind, word, *rest = report.js("(r => { r.querySelector('button').click(); return [r.dataset.error, ...[...r.children].map(c => c.textContent)] })(document.querySelector('#errors > div tbody tr'))")
    assert 0 < report.listed() <= int(rest[-3].replace(",", "")) and report.listed() < 60
    kept, place = report.listed(), report.js("location.hash")
    report.open(address + place)
    assert report.listed() == kept and "error of s2" in report.js("document.getElementById('chips').textContent")
    for width in (420, 340):
        report.open(address, width, 900)
        assert report.js("document.documentElement.scrollWidth - innerWidth") <= 0
    assert not report.console


def test_errors_of_one_system_beside_ngrams(report):
    """N-grams stay under other metrics; one system has its errors too, each output against its own reference."""
    files = corpus(11, 40)
    report.open(report.make(files, "r1", "r2", "-i", "s2", "s3", "-m", "bleu", "wer"))
    hidden = "[document.getElementById('s-grams').hidden, document.getElementById('s-errors').hidden]"
    assert report.js(hidden) == [False, True]
    report.choose("pick-metric", "1")
    assert report.js(hidden) == [True, False]
    report.open(report.make(files, "r1", "r2", "-i", "s3", "-m", "wer"))
    assert report.js("document.querySelectorAll('#errors > div').length") == 1
    assert report.js("document.querySelectorAll('#errors tbody tr').length") > 0
    for segment in range(1, 20):
        report.open(f"{report.page.url.split('#')[0]}#sort=number&segment={segment}")
        assert "Against reference" in report.js("document.getElementById('pane').textContent")
    assert not report.console
