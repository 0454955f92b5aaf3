# The oracle behind the comparison of agreement with people: SciPy's correlations, and what NumPy gives for pairs counted one
# by one, ties calibrated by trying every candidate, and soft pairwise accuracy as its published definition has it.
#
# It is asked with a list of cases, each an object with its kind, and answers with their numbers; null is no value.
import math
import warnings

import numpy
import scipy.stats

warnings.filterwarnings("ignore")


def number(value):
    value = float(value)
    return value if math.isfinite(value) else None


def tau(human, metric, **options):
    try:
        return scipy.stats.kendalltau(human, metric, **options)
    except ZeroDivisionError:
        return (math.nan, math.nan)


def classes(human, metric, epsilon):
    """Concordant and discordant pairs, and ties of people, of the metric, and of both."""
    upper = numpy.triu_indices(len(human), 1)
    h = numpy.subtract.outer(human, human)[upper]
    m = numpy.subtract.outer(metric, metric)[upper]
    tied_h, tied_m = h == 0, numpy.abs(m) <= epsilon
    both = ~tied_h & ~tied_m
    same = (h > 0) == (m > 0)
    parts = [both & same, both & ~same, tied_h & ~tied_m, ~tied_h & tied_m, tied_h & tied_m]
    return [int(part.sum()) for part in parts]


def vectors(case):
    human, metric = numpy.array(case["human"]), numpy.array(case["metric"])
    found = [*scipy.stats.pearsonr(human, metric)] + [*scipy.stats.spearmanr(human, metric)]
    found += [*tau(human, metric)]
    found += [tau(human, metric, variant="c")[0]]
    counts = [classes(human, metric, epsilon) for epsilon in (0.0, case["epsilon"])]
    upper = numpy.triu_indices(len(human), 1)
    h = numpy.subtract.outer(human, human)[upper]
    m = numpy.subtract.outer(metric, metric)[upper]
    apart = numpy.abs(h) >= case["epsilon"]
    concordant, pairs = int((apart & (numpy.sign(h) * numpy.sign(m) > 0)).sum()), int(apart.sum())
    found += [(2 * concordant - pairs) / pairs if pairs else 0.0]
    return {"values": [number(value) for value in found], "counts": counts}


def groups(case):
    """Means over groups, and the first of the best ties."""
    human, metric = case["human"], numpy.array(case["metric"])
    cells = [(numpy.array([v for v in row if v is not None]), numpy.array([m for v, m in zip(row, other) if v is not None]))
             for row, other in zip(human, metric)]
    cells = [(h, m) for h, m in cells if len(h) > 1]
    if not cells:
        return {"values": [None] * 4, "epsilon": None}
    means = []
    for function in (scipy.stats.pearsonr, scipy.stats.spearmanr, tau):
        values = [function(h, m)[0] for h, m in cells]
        values = [value for value in values if not math.isnan(value)]
        means.append(number(numpy.mean(values)) if values else None)
    candidates = {0.0}
    for _, m in cells:
        candidates |= {abs(float(a - b)) for a in m for b in m}
    best = (-1.0, 0.0)
    for epsilon in sorted(candidates):
        shares = [classes(h, m, epsilon) for h, m in cells]
        value = math.fsum((c[0] + c[4]) / sum(c) for c in shares) / len(cells)
        if value > best[0] + 1e-12:
            best = (value, epsilon)
    return {"values": [*means, best[0]], "epsilon": best[1]}


def wins(scores, trials, seed):
    """In how many trials each pair is as far apart, from float32 sums."""
    coins = numpy.rint(numpy.random.default_rng(seed).random((trials, scores.shape[1]), dtype=numpy.float32)) * 2 - 1
    scores = scores.astype(numpy.float32)
    sums, totals = coins @ scores.T, scores.sum(axis=1)
    pairs = [(i, j) for i in range(len(scores)) for j in range(i + 1, len(scores))]
    return [int((sums[:, i] - sums[:, j] >= totals[i] - totals[j]).sum()) for i, j in pairs]


def soft(case):
    human, metric = [wins(numpy.array(case[name]), case["trials"], case["seed"]) for name in ("human", "metric")]
    error = numpy.abs(numpy.array(human) - numpy.array(metric)) / case["trials"]
    return {"values": [number(1.0 - error.mean())]}


KINDS = {"vectors": vectors, "groups": groups, "soft": soft}

serve(
    {"scipy": scipy.__version__, "numpy": numpy.__version__},
    lambda question: [KINDS[case["kind"]](case) for case in question],
)
