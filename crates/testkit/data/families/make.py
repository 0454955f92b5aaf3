"""Writes `tests/rows/programs.jsonl` of five families of metrics, from the numbers of their programs beside the checkout, as metrics by
name over segments.

    python crates/testkit/data/families/make.py ../shared/spec/families-golden.jsonl

Logs of harnesses and tokens are no rows here: the recorded tests of the doors read those beside the checkout."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from write_golden import spec

#: Metrics of which a list is one reference.
LISTS = ("squad2_best", "labels", "spans")


def of_segments(metric, hypotheses, references=None, sources=None, numbers=("score",), each=False):
    records = [{"hypothesis": hypothesis} for hypothesis in hypotheses]
    for record, own in zip(records, references or []):
        # A list that is one reference has a name of its own.
        one = not isinstance(own, list) or metric.startswith(LISTS)
        record["reference" if one else "references"] = own
    for record, source in zip(records, sources or []):
        record["source"] = source
    return {"spec": metric, "segments": records, "numbers": list(numbers), "each": each}


#: The metrics of each family, as they are named.
FAMILIES = {
    "labels": ("drop", "labels", "spans", "squad2_best"),
    "likelihood": ("bits", "nll", "perplexity"),
    "samples": ("avg", "best", "gpass", "maj", "mgpass", "pass", "passhat", "worst"),
    "similarity": ("anls", "character", "edit_similarity", "eed", "ned", "ribes"),
    "sources": ("extractive", "fertility", "novel"),
}


def chosen(row, *names):
    """The options of a row that have these names."""
    given = {name: row["options"][name] for name in names if name in row["options"]}
    return {name: "/".join(map(str, value)) if isinstance(value, list) else value for name, value in given.items()}


def of_samples(metric):
    def case(row):
        counts = [{"n": n, "c": c} for n, c in row["input"]["counts"]]
        return of_segments(spec(metric, **chosen(row, "k", "t")), counts, each=True)

    return case


def of_values(metric):
    return lambda row: of_segments(spec(metric, **chosen(row, "k")), row["input"]["values"], each=True)


def of_answers(row):
    given = row["input"]
    return of_segments(spec("maj", **chosen(row, "k", "ties")), given["answers"], given["gold"], each=True)


def of_likelihoods(row):
    given, per = row["input"], row["options"]["per"]
    positive = any(isinstance(one, float) and one > 0 for one in given["loglik"]) and "allow"
    unit = "tokens" if per == "token" else "weight"
    data = [{"loglik": loglik, unit: units} for loglik, units in zip(given["loglik"], given["units"])]
    if per == "token":
        # A list has a number for each token.
        data = [{"loglik": one["loglik"]} if isinstance(one["loglik"], list) else one for one in data]
    return of_segments(spec(row["metric"], per=unit.removesuffix("s"), **chosen(row, "base"), positive=positive), data)


def of_tokens(row):
    given, ignored = row["input"], row["options"]["ignore_index"]
    tokens = [None if target == ignored else loglik for loglik, target in zip(given["loglik"], given["target"])]
    return of_segments("perplexity:per=token", [{"loglik": tokens}])


#: The units of a text, and the options that count them.
UNITS = {"bytes": "per=byte", "chars": "per=char", "words": "per=word", "split": "per=word,words=split"}


def of_units(row):
    # The units are the denominator of one nat.
    return of_segments(f"nll:{UNITS[row['number']]}", [{"loglik": -1, "text": row["input"]["text"]}])


def of_similarity(row):
    options, given = chosen(row, "kind", "autojunk", "round"), row["input"]
    if "autojunk" in options:
        options["autojunk"] = "yes" if options["autojunk"] else "no"
    tokens = row["options"].get("tokens") == "whitespace" and "none"
    return of_segments(spec("edit_similarity", **options, tokenize=tokens), [given["a"]], [given["b"]])


def text(given):
    return " ".join(given) if isinstance(given, list) else given


def of_pair(metric):
    def case(row):
        given = row["input"]
        references = [text(one) for one in given["refs"]] if "refs" in given else text(given.get("ref", given.get("b")))
        language, tokens = row["options"].get("language") == "ja" and "ja", metric == "ribes" and "none"
        return of_segments(spec(metric, language=language, tokenize=tokens), [text(given.get("hyp", given.get("a")))], [references])

    return case


def of_anls(row):
    given = row["input"]
    return of_segments(spec("anls", **chosen(row, "rule", "threshold")), given["predictions"], given["answers"], each=True)


#: Precision, recall and F, as a row lists them.
LISTED = ("precision", "recall", "f")


def of_labels(row):
    given, average = row["input"], row["options"]["average"]
    options = {"multilabel": row["metric"] == "multilabel" and "list", **chosen(row, "zero")}
    numbers = LISTED
    if average == "none":
        options["per"] = "label"
        numbers = [f"label.{label}.{key}" for label in row["expected"] for key in (*LISTED, "support")]
    else:
        options["average"] = average
    if average != "samples":
        options["only"] = chosen(row, "labels").get("labels", False)
    return of_segments(spec("labels", **options), given["pred"], given["gold"], numbers=numbers)


def of_confusion(row):
    return of_segments("labels:confusion", row["input"]["pred"], row["input"]["gold"], numbers=("confusion",))


def of_agreement(row):
    given, metric = row["input"], row["metric"]
    score = {"subset_accuracy": "accuracy", "balanced_accuracy": "balanced"}.get(metric, metric)
    several = metric == "subset_accuracy" and "list"
    own = spec("labels", multilabel=several, score=score, **chosen(row, "weights", "labels"))
    return of_segments(own, given["pred"], given["gold"])


def of_spans(row):
    given = row["input"]
    own = spec("spans", tags="list", **chosen(row, "average", "zero", "scheme"))
    return of_segments(own, given["pred"], given["gold"], numbers=LISTED)


def of_span_list(row):
    """The spans of tags against the same as a list. A span more on both sides gives rows without any a score."""
    more, spans = [["_", 0, 0]], row["spans"]
    own = spec("spans", tags="spans", **chosen(row, "scheme"))
    return of_segments(own, [row["input"]["tags"], more], [spans, more], numbers=LISTED)


def of_questions(row):
    items = row["input"]["items"]
    answers = [{"prediction_text": item[2], "no_answer_probability": item[3]} for item in items]
    expected = row["ours"] if row.get("contrast") else row["expected"]
    return of_segments(spec("squad2_best", **chosen(row, "threshold")), answers, [item[1] for item in items], numbers=list(expected))


def of_drop(row):
    return of_segments("drop:spans=list", [row["input"]["pred"]], [row["input"]["gold"]], numbers=("exact", "f1"))


def of_sources(row):
    given, lower = row["input"], row["options"].get("lower")
    summary, source = ((one.lower() if lower else one) for one in (given["summary"], given["source"]))
    if row["metric"] == "novel":
        return of_segments(spec("novel", **chosen(row, "n"), tokenize="none"), [summary], sources=[source])
    numbers = ("coverage", "density", "compression")
    return of_segments("extractive:tokenize=none", [summary], sources=[source], numbers=numbers)


def of_fertility(row):
    given = [{"text": text, "tokens": tokens} for text, tokens in zip(row["input"]["texts"], row["input"]["tokens"])]
    return of_segments("fertility:tokens=given", given, numbers=tuple(row["expected"]))


CASES = {
    "pass_at_k": of_samples("pass"), "pass_hat_k": of_samples("passhat"), "g_pass_at_k": of_samples("gpass"),
    "mg_pass_at_k": of_samples("mgpass"), "avg_at_n": of_samples("avg"), "best_at_k": of_values("best"),
    "worst_at_k": of_values("worst"), "maj_at_k": of_answers, "nll": of_likelihoods, "perplexity": of_likelihoods,
    "bits": of_likelihoods, "token_perplexity": of_tokens, "edit_similarity": of_similarity, "ned": of_pair("ned"),
    "character": of_pair("character"), "eed": of_pair("eed"), "ribes": of_pair("ribes"), "anls": of_anls, "labels": of_labels,
    "multilabel": of_labels, "accuracy": of_agreement, "subset_accuracy": of_agreement, "balanced_accuracy": of_agreement,
    "mcc": of_agreement, "kappa": of_agreement, "spans": of_spans, "span_list": of_span_list, "squad_v2": of_questions, "drop": of_drop,
    "extractiveness": of_sources, "novel": of_sources, "denominators": of_units, "confusion": of_confusion, "fertility": of_fertility,
}  # fmt: skip


def expected(row):
    """The numbers of a row, those of each segment, and the tolerance; None for an error."""
    ours = row.get("ours")
    given, tolerance = (row["expected"], row["tolerance"]) if ours is None else (ours, 0)
    if given in (None, "nan") or isinstance(given, dict) and "error" in given:
        return None
    if isinstance(given, dict) and "each" in given:
        return [given["mean"]], given["each"], tolerance
    if isinstance(given, dict):
        given = list(given.values())
        if row["options"].get("average") == "none":
            given = [value for listed in given for value in listed]
    return given if isinstance(given, list) else [given], None, tolerance


def cases(row):
    """The rows that a row is, each with its name and what is expected."""
    if row["metric"] == "denominators":
        for key in UNITS:
            count = row["expected"][key]
            yield key, {**row, "number": key, "expected": 1 / count if count else None}
    elif row["metric"] == "confusion":
        labels, counts = row["options"]["labels"], row["expected"]
        pairs = [[one, other, n] for one, line in zip(labels, counts) for other, n in zip(labels, line) if n]
        yield "", {**row, "expected": [pairs]}
    elif row["metric"] == "span_list":
        spans = row["expected"]
        failed = isinstance(spans, dict)
        yield "", {**row, "spans": [] if failed else spans, "expected": spans if failed else [1, 1, 1]}
    elif row["metric"] in CASES:
        yield "", row


def written(name, row):
    """The line of a row, as the runner of crates/testkit reads it, with its family."""
    case, (values, each, tolerance) = CASES[row["metric"]](row), expected(row) or (None, None, 0)
    own, numbers = case["spec"], case["numbers"]
    line = {
        "why": f"row {'-'.join(filter(None, (row['id'], name)))} of the specification",
        "program": f"{row['program']} {row['version']}",
        "segments": case["segments"],
        "expected": {own: values and dict(zip(numbers, values, strict=True))},
    }
    if case["each"] and each:
        line["each"] = {own: each}
    [family] = [family for family, metrics in FAMILIES.items() if own.partition(":")[0] in metrics]
    return family, line | {"tolerance": tolerance}


if __name__ == "__main__":
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").removesuffix("\n").split("\n")
    rows = [written(name, own) for line in lines for name, own in cases(json.loads(line))]
    for family in FAMILIES:
        own = [json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for place, row in rows if place == family]
        path = Path(__file__).parents[3] / "families" / family / "tests/rows/programs.jsonl"
        path.write_text("".join(own), encoding="utf-8")
