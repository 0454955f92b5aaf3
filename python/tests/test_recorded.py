"""The recorded rows of the families of metrics, through this package and through the program: numbers of other programs, in data
that lie beside the checkout. Without them the tests are skipped."""

import base64
import json
import math
from pathlib import Path

import pytest

import bleuprint
from bleuprint import _native

SPEC = Path(__file__).resolve().parents[3] / "shared" / "spec"
ROWS, SPEECH = SPEC / "families-golden.jsonl", SPEC / "speech-two-golden.jsonl"

pytestmark = pytest.mark.skipif(not ROWS.is_file(), reason="needs the data beside the checkout")


#: Metrics of which a list is one reference.
LISTS = ("squad2_best", "labels", "spans", "boundaries", "der", "jer", "detection", "purity")


class Case:
    """A row as both doors take it: a metric, segments, and the numbers that are asked of its scores."""

    def __init__(self, spec, hypotheses, references=None, sources=None, numbers=("score",), each=None):
        self.spec, self.numbers, self.each = spec, numbers, each
        self.hypotheses, self.references, self.sources = hypotheses, references, sources

    def records(self):
        for at, hypothesis in enumerate(self.hypotheses):
            record = {"hypothesis": hypothesis}
            if self.references is not None:
                own = self.references[at]
                # A list that is one reference has a name of its own.
                one = not isinstance(own, list) or self.spec.startswith(LISTS)
                record["reference" if one else "references"] = own
            if self.sources is not None:
                record["source"] = self.sources[at]
            yield record


def name(metric, *options):
    given = [option for option in options if option]
    return f"{metric}:{','.join(given)}" if given else metric


def option(row, theirs, ours=None):
    value = row["options"].get(theirs)
    if value is None:
        return ""
    return f"{ours or theirs}={'/'.join(map(str, value)) if isinstance(value, list) else value}"


def of_samples(metric):
    def case(row):
        counts = [{"n": n, "c": c} for n, c in row["input"]["counts"]]
        return Case(name(metric, option(row, "k"), option(row, "t")), counts, each="score")

    return case


def of_values(metric):
    return lambda row: Case(name(metric, option(row, "k")), row["input"]["values"], each="score")


def of_answers(row):
    given = row["input"]
    return Case(name("maj", option(row, "k"), option(row, "ties")), given["answers"], given["gold"], each="score")


def of_likelihoods(row):
    given, per = row["input"], row["options"]["per"]
    positive = "positive=allow" if any(isinstance(one, float) and one > 0 for one in given["loglik"]) else ""
    unit = "tokens" if per == "token" else "weight"
    data = [{"loglik": loglik, unit: units} for loglik, units in zip(given["loglik"], given["units"])]
    if per == "token":
        # A list has a number for each token.
        data = [{"loglik": one["loglik"]} if isinstance(one["loglik"], list) else one for one in data]
    return Case(name(row["metric"], f"per={unit.removesuffix('s')}", option(row, "base"), positive), data)


def of_tokens(row):
    given, ignored = row["input"], row["options"]["ignore_index"]
    tokens = [None if target == ignored else loglik for loglik, target in zip(given["loglik"], given["target"])]
    return Case("perplexity:per=token", [{"loglik": tokens}])


#: The units of a text, and the options that count them.
UNITS = {"bytes": "per=byte", "chars": "per=char", "words": "per=word", "split": "per=word,words=split"}


def of_units(row):
    # The units are the denominator of one nat.
    return Case(name("nll", UNITS[row["number"]]), [{"loglik": -1, "text": row["input"]["text"]}])


def of_similarity(row):
    options, given = row["options"], row["input"]
    junk = {True: "autojunk=yes", False: "autojunk=no"}.get(options.get("autojunk"), "")
    tokens = "tokenize=none" if options.get("tokens") == "whitespace" else ""
    return Case(name("edit_similarity", option(row, "kind"), junk, option(row, "round"), tokens), [given["a"]], [given["b"]])


def text(given):
    return " ".join(given) if isinstance(given, list) else given


def of_pair(metric):
    def case(row):
        given = row["input"]
        references = [text(one) for one in given["refs"]] if "refs" in given else text(given.get("ref", given.get("b")))
        language = {"ja": "language=ja"}.get(row["options"].get("language"), "")
        tokens = "tokenize=none" if metric == "ribes" else ""
        return Case(name(metric, language, tokens), [text(given.get("hyp", given.get("a")))], [references])

    return case


def of_anls(row):
    given = row["input"]
    return Case(name("anls", option(row, "rule"), option(row, "threshold")), given["predictions"], given["answers"], each="score")


#: Precision, recall and F, as a row lists them.
LISTED = ("precision", "recall", "f")


def of_labels(row):
    given, average = row["input"], row["options"]["average"]
    several = "multilabel=list" if row["metric"] == "multilabel" else ""
    zero = option(row, "zero")
    if average == "none":
        numbers = [(label, key) for label in row["expected"] for key in (*LISTED, "support")]
        parts = [f"label.{label}.{key}" for label, key in numbers]
        return Case(name("labels", several, zero, "per=label", option(row, "labels", "only")), given["pred"], given["gold"], numbers=parts)
    only = "" if average == "samples" else option(row, "labels", "only")
    return Case(name("labels", several, zero, f"average={average}", only), given["pred"], given["gold"], numbers=LISTED)


def of_confusion(row):
    return Case("labels:confusion", row["input"]["pred"], row["input"]["gold"], numbers=("confusion",))


def of_agreement(row):
    given, metric = row["input"], row["metric"]
    score = {"subset_accuracy": "accuracy", "balanced_accuracy": "balanced"}.get(metric, metric)
    several = "multilabel=list" if metric == "subset_accuracy" else ""
    return Case(
        name("labels", several, f"score={score}", option(row, "weights"), option(row, "labels")), given["pred"], given["gold"]
    )


def of_spans(row):
    given = row["input"]
    options = (option(row, "average"), option(row, "zero"), option(row, "scheme"))
    return Case(name("spans", "tags=list", *options), given["pred"], given["gold"], numbers=LISTED)


def of_span_list(row):
    """The spans of tags against the same as a list. A span more on both sides gives rows without any a score."""
    more, spans = [["_", 0, 0]], row["spans"]
    return Case(name("spans", "tags=spans", option(row, "scheme")), [row["input"]["tags"], more], [spans, more], numbers=LISTED)


def of_questions(row):
    items = row["input"]["items"]
    answers = [{"prediction_text": item[2], "no_answer_probability": item[3]} for item in items]
    expected = row["ours"] if row.get("contrast") else row["expected"]
    return Case(name("squad2_best", option(row, "threshold")), answers, [item[1] for item in items], numbers=list(expected))


def of_drop(row):
    return Case("drop:spans=list", [row["input"]["pred"]], [row["input"]["gold"]], numbers=("exact", "f1"))


def of_sources(row):
    given, lower = row["input"], row["options"].get("lower")
    summary, source = ((one.lower() if lower else one) for one in (given["summary"], given["source"]))
    if row["metric"] == "novel":
        return Case(name("novel", option(row, "n"), "tokenize=none"), [summary], sources=[source])
    numbers = ("coverage", "density", "compression")
    return Case("extractive:tokenize=none", [summary], sources=[source], numbers=numbers)


def of_fertility(row):
    given = [{"text": text, "tokens": tokens} for text, tokens in zip(row["input"]["texts"], row["input"]["tokens"])]
    return Case("fertility:tokens=given", given, numbers=tuple(row["expected"]))


def of_latency(row):
    options, segments = row["options"], row["input"]["segments"]
    data = [{key: one[key] for key in ("delays", "source_length")} for one in segments]
    if "recording_end" in options:
        data = [{**one, "recording_end": options["recording_end"]} for one in data]
    return Case(name(row["number"].lower(), option(row, "form")), data, [one["reference"] for one in segments])


def of_subtitles(row):
    return Case(row["number"].lower(), [row["input"]["hyp"]], [row["input"]["ref"]])


def of_alternatives(row):
    flags = row["options"]["flags"].split()
    options = [name for flag, name in (("-D", "optional=sclite"), ("-F", "fragments"), ("-s", "keep-case")) if flag in flags]
    numbers = ("hits", "substitutions", "deletions", "insertions")
    return Case(name("sclite", *options), [row["input"]["hyp"]], [row["input"]["ref"]], numbers=numbers)


CASES = {
    "pass_at_k": of_samples("pass"), "pass_hat_k": of_samples("passhat"), "g_pass_at_k": of_samples("gpass"),
    "mg_pass_at_k": of_samples("mgpass"), "avg_at_n": of_samples("avg"), "best_at_k": of_values("best"),
    "worst_at_k": of_values("worst"), "maj_at_k": of_answers, "nll": of_likelihoods, "perplexity": of_likelihoods,
    "bits": of_likelihoods, "token_perplexity": of_tokens, "edit_similarity": of_similarity, "ned": of_pair("ned"),
    "character": of_pair("character"), "eed": of_pair("eed"), "ribes": of_pair("ribes"), "anls": of_anls, "labels": of_labels,
    "multilabel": of_labels, "accuracy": of_agreement, "subset_accuracy": of_agreement, "balanced_accuracy": of_agreement,
    "mcc": of_agreement, "kappa": of_agreement, "spans": of_spans, "span_list": of_span_list, "squad_v2": of_questions, "drop": of_drop,
    "extractiveness": of_sources, "novel": of_sources, "denominators": of_units, "confusion": of_confusion, "fertility": of_fertility,
    "latency": of_latency, "suber": of_subtitles, "sclite": of_alternatives,
}  # fmt: skip

#: Rows without a score: tokens, and logs of harnesses with their values. They have tests of their own.
OTHERS = ("mixed", "inspect_value", "log_records")


def expected(row):
    """The numbers of a row, those of each segment, and the tolerance; None for an error."""
    ours = row.get("ours")
    given, tolerance = (row["expected"], row["tolerance"]) if ours is None else (ours, 0)
    if given in (None, "nan") or isinstance(given, dict) and "error" in given:
        return None
    if isinstance(given, dict) and "each" in given:
        return [given["mean"]], given["each"], tolerance
    if isinstance(given, dict) and "ops" in given:
        return [given[kind] for kind in "CSDI"], None, tolerance
    if isinstance(given, dict):
        if row["options"].get("average") == "none":
            values = [value for listed in given.values() for value in listed]
        else:
            values = list(given.values())
        return values, None, tolerance
    return given if isinstance(given, list) else [given], None, tolerance


#: The numbers of rows of speech that are metrics here; each is a case of its own.
NUMBERS = {"latency": ("AL", "LAAL", "AP", "DAL", "YAAL"), "suber": ("SubER", "SubER-cased")}


def read(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").removesuffix("\n").split("\n")]


def rows():
    families = read(ROWS)
    assert {row["metric"] for row in families} == {*CASES, *OTHERS} - {*NUMBERS, "sclite"}
    for row in families:
        if row["metric"] == "denominators":
            units = ((key, row["expected"][key]) for key in UNITS)
            yield from ({**row, "number": key, "expected": 1 / count if count else None} for key, count in units)
        elif row["metric"] == "confusion":
            labels, counts = row["options"]["labels"], row["expected"]
            pairs = [[one, other, n] for one, line in zip(labels, counts) for other, n in zip(labels, line) if n]
            yield {**row, "expected": [pairs]}
        elif row["metric"] == "span_list":
            spans = row["expected"]
            failed = isinstance(spans, dict)
            yield {**row, "spans": [] if failed else spans, "expected": spans if failed else [1, 1, 1]}
        elif row["metric"] in CASES:
            yield row
    for row in read(SPEECH):
        if row["metric"] == "sclite":
            yield row
        for number in NUMBERS.get(row["metric"], ()):
            if number in row["expected"]:
                yield {**row, "number": number, "expected": row["expected"][number]}


def number(score, key):
    found = score["score"] if key == "score" else score.get(key, score.get("parts", {}).get(key))
    assert found is not None, (key, score)
    return [list(cell) for cell in found] if isinstance(found, (list, tuple)) else float(found)


def here(case):
    """By this package."""
    metric = bleuprint.metric(case.spec, empty_references="keep")
    given = {key: value for key, value in (("references", case.references), ("sources", case.sources)) if value is not None}
    score = metric.score(case.hypotheses, **given).to_dict()
    each = [metric_score.score for metric_score in metric.sentences(case.hypotheses, **given)] if case.each else None
    return [number(score, key) for key in case.numbers], each


def there(case, path, capfd):
    """By the program."""
    path.write_text("".join(json.dumps(record) + "\n" for record in case.records()), encoding="utf-8")
    command = ["bleuprint", "score", "--segments", str(path), "-m", case.spec, "-q", "-f", "json"]

    def run(*more):
        capfd.readouterr()
        code = _native.program([*command, *more])
        out, said = capfd.readouterr()
        if code != 0:
            raise ValueError(said)
        return [json.loads(line) for line in out.removesuffix("\n").split("\n")] if more else json.loads(out)

    score = run()
    each = [one["score"] for one in run("-sl")] if case.each else None
    return [number(score, key) for key in case.numbers], each


def check(id, case, wanted, door):
    """The difference of a row, if there is one."""
    try:
        found = door(case)
    except ValueError as error:
        return None if wanted is None else f"{id}, {case.spec}: {error}"
    if wanted is None:
        return f"{id}, {case.spec}: {found}, where an error is expected"
    values, each, tolerance = wanted
    for theirs, ours in ((values, found[0]), (each, found[1])):
        if theirs is not None and not (len(theirs) == len(ours) and all(near(*pair, tolerance) for pair in zip(ours, theirs))):
            return f"{id}, {case.spec}: {ours}, not {theirs}"
    return None


def near(ours, theirs, tolerance):
    return theirs is None and math.isnan(ours) or theirs is not None and (ours == theirs or abs(ours - theirs) <= tolerance)


def of_rates(metric, numbers, *options):
    """Pairs of texts, with the numbers of the row under names of their own."""

    def case(row, folder):
        given, expected = row["input"], row["expected"]
        spec = name(metric, *options, *(option(row, key) for key in ("match",)), *listed(given.get("terms"), folder))
        sources = [" ".join(words) for words in given["lists"]] if "lists" in given else None
        return Case(spec, given["hyps"], given["refs"], sources, numbers=tuple(numbers)), [numbers[key](expected) for key in numbers]

    return case


def listed(words, folder):
    if words is None:
        return []
    file = folder / f"{len(list(folder.iterdir()))}.txt"
    file.write_text("\n".join(words), encoding="utf-8")
    return [f"words={file}"]


def of_keywords(row, folder):
    given, summary = row["input"], row["expected"]["summary"]
    like = "like=chardiff" if "chardiff" in row["options"]["flags"] else "like=texterrors"
    case = Case(name("terms", like, *listed(given["keywords"], folder)), given["hyps"], given["refs"], numbers=("recall", "precision"))
    # -1 is no score.
    wanted = [summary["keyword_recall"], summary["keyword_precision"]]
    return case, None if -1 in wanted else wanted


def of_oracle(row, _):
    given = row["input"]
    return Case("oracle_wer", given["nbest"], given["refs"]), [row["expected"]["summary"]["oracle_wer"]]


def of_calibration(row, _):
    pairs = [[millionths / 1e6, right == 1] for millionths, right in row["input"]["confidences_micro_correct"]]
    return Case(name("ece", "right=given", option(row, "bins")), [pairs]), [row["expected"]["ece"]]


def of_boundaries(row, _):
    times = [[milliseconds / 1e3 for milliseconds in four] for four in row["input"]["ref_start_end_hyp_start_end_ms"]]
    sides = [[[str(at), *four[first : first + 2]] for at, four in enumerate(times)] for first in (2, 0)]
    return Case("boundaries", [sides[0]], [sides[1]]), [row["expected"]["mean_ms"]]


def of_turns(row, _):
    """Turns of speakers. md-eval prints its rates in percent with two digits."""
    options, expected = row["options"], row["expected"]
    files = list(row["input"]["files"].values()) if "files" in row["input"] else [row["input"]]
    like, regions = options.get("like", "dscore"), [file["uem"] for file in files]
    given = None not in regions and like != "simpleder" and row["metric"] != "purity"
    choices = [f"like={like}", "uem=given" if given else "uem=extent"]
    if row["metric"] != "purity":
        choices.append(f"collar={options['collar']}")
    if row["metric"] == "der":
        overlap = options.get("overlap", options.get("regions", "keep"))
        choices.append("overlap=" + {"all": "keep", "overlap": "only"}.get(overlap, overlap))
        choices.append("mapping=greedy" if options.get("mapping") == "greedy" else "mapping=best")
    sides = ([file[side] for file in files] for side in ("hyp", "ref"))
    metric = "der" if row["metric"] == "dscore" else row["metric"]
    case = Case(name(metric, *choices), *sides, None if None in regions else regions)
    if isinstance(expected.get("error"), str):
        return case, None
    total = expected.get("files", {}).get("ALL", expected.get("overall", {}))
    for key, tolerance in (("der_percent", 0.0101), ("der", row["tolerance"])):
        if key in total:
            row["tolerance"] = tolerance / 100
            return case, [total[key] / 100]
    return case, [expected[{"detection": "rate"}.get(metric, metric)]]


def of_sessions(row, _):
    """Whole meetings. MeetEval fails without utterances of the hypothesis, where here all words are deleted."""
    metric, _, search = row["metric"].partition(":")
    sides = [[json.dumps(row["input"][side])] for side in ("hyp", "ref")]
    numbers = ("insertions", "deletions", "substitutions", "ref_len")
    case, expected = Case(name(metric, search, option(row, "collar")), *sides, numbers=numbers), row["expected"]
    words = sum(len(one["words"].split()) for one in row["input"]["ref"])
    if expected.get("error") == "IndexError":
        return case, [0, words, 0, words]
    # Without a word there is no rate; of more than ten speakers on a side there is no number.
    failed = "error" in expected or words == 0
    return case, None if failed else [expected[key] for key in ("insertions", "deletions", "substitutions", "length")]


def percent(key):
    return lambda expected: expected[key]["rate_percent"] / 100


OF_SPEECH = {
    **dict.fromkeys(("der", "jer", "detection", "purity", "dscore"), of_turns),
    "biased_wer": of_rates("bwer", {"b_wer": percent("B-WER"), "u_wer": percent("U-WER"), "wer": percent("WER")}, "like=biasing"),
    "keywords": of_keywords,
    "terms": of_rates("terms", {key: lambda expected, key=key: expected[key] for key in ("recall", "precision", "f1")}),
    "oracle_wer": of_oracle,
    "per": of_rates("per", {key: lambda expected, key=key: expected[key] for key in ("per", "bow")}),
    "ece": of_calibration,
    "boundaries": of_boundaries,
    **dict.fromkeys(("mimower", "tcmimower", "tcorcwer", "tcorcwer:search=greedy", "orcwer:search=greedy", "dicpwer", "ditcpwer"), of_sessions),
}  # fmt: skip


def speech(folder):
    """The rows of speech of which a row is a case. The script of B-WER fails where both sides are empty, and terms without an
    occurrence have no score. Not here are those of files (`sclite_ctm`) and of texts rewritten by rules (`glm`): they are the
    library's and the program's."""
    for row in read(SPEECH):
        if row["metric"] not in OF_SPEECH or row["id"] == "b0024":
            continue
        if row["metric"] == "biased_wer" and "error" in row["expected"]:
            row["expected"] = dict.fromkeys(("B-WER", "U-WER", "WER"), {"rate_percent": math.nan})
        case, wanted = OF_SPEECH[row["metric"]](row, folder)
        failed = wanted is None or any(value is None or math.isnan(value) for value in wanted)
        yield row["id"], case, None if failed else (wanted, None, row["tolerance"])


def check_all(folder, door):
    families = [(row["id"], CASES[row["metric"]](row), expected(row)) for row in rows()]
    checked = [check(*one, door) for one in [*families, *speech(folder)]]
    wrong = [difference for difference in checked if difference is not None]
    assert not wrong, f"{len(wrong)} of {len(checked)} differ:\n" + "\n".join(wrong[:20])
    # Of families: 876 rows, 22 of four units each, 4 matrices and 5 of fertility; then latency, subtitles, sclite, recognition,
    # turns and meetings.
    assert len(checked) == 876 + 88 + 4 + 5 + 394 + 36 + 146 + 115 + 441 + 240


@pytest.fixture
def folder(tmp_path):
    """Of lists of words."""
    (tmp_path / "words").mkdir()
    return tmp_path / "words"


def test_recorded_rows_have_their_values_here(folder):
    check_all(folder, here)


def test_recorded_rows_have_their_values_by_the_program(tmp_path, folder, capfd):
    check_all(folder, lambda case: there(case, tmp_path / "segments.jsonl", capfd))


def test_recorded_tokens_are_those_of_both_doors(tmp_path, capfd):
    rows = [row for row in read(ROWS) if row["metric"] == "mixed"]
    for row in rows:
        tokenizer = "mixed" + "".join(f"-{key}" for key in ("hangul", "marks") if key in row["options"])
        text, wanted = row["input"]["text"], row.get("ours", row["expected"])
        assert _native.tokenized([text], tokenizer) == [wanted], row
        path = tmp_path / "text"
        path.write_text(text + "\n", encoding="utf-8")
        assert _native.program(["bleuprint", "tokenize", "--tokenize", tokenizer, str(path)]) == 0
        assert capfd.readouterr().out.split() == wanted, row
    assert len(rows) == 54


WORST = "scale=-1..9,missing=worst"


def of_logs(row):
    """The numbers of a row's logs, by the metric and the records that ask for them. One that is missing counts as the worst, -1; a
    perplexity is of both parts of a quotient."""
    wanted = {}
    for record in row["expected"]:
        where = {key: record[key] or "" for key in ("filter", "perturbation") if key in record}
        if record["metric"] is None:
            spec, number = f"given:name=match,{WORST}", None
        elif "numerator" in record:
            where["metric"] = record["metric"]
            spec, number = "perplexity:per=weight", math.exp(-record["numerator"] / record["denominator"])
        else:
            spec, number = f"given:name={record['metric']},{WORST}", record["value"]
        wanted.setdefault((spec, *where.items()), []).append(-1 if number is None else number)
    return wanted


def logged_here(harness, path, spec, where, _):
    run = bleuprint.from_logs(harness, path, spec, where=where)
    return [score.score for score in run.sentence_scores()]


def logged_there(harness, path, spec, where, capfd):
    chosen = [part for key, value in where.items() for part in ("--where", f"{key}={value}")]
    command = ["bleuprint", "score", "-q", "-sl", "-f", "json", "--from", harness, str(path), "-m", spec, *chosen]
    capfd.readouterr()
    code = _native.program(command)
    out, said = capfd.readouterr()
    if code != 0:
        raise ValueError(said)
    return [json.loads(line)["score"] for line in out.splitlines()]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("door", [logged_here, logged_there])
def test_recorded_logs_have_their_numbers(door, tmp_path, capfd):
    rows = [row for row in read(ROWS) if row["metric"] == "log_records"]
    for row in rows:
        folder = tmp_path / row["id"]
        for file, content in row["input"]["files"].items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            text = isinstance(content, str)
            (folder / file).write_bytes(content.encode() if text else base64.b64decode(content["base64"]))
        for (spec, *where), numbers in of_logs(row).items():
            found = door(row["options"]["from"], folder, spec, dict(where), capfd)
            # Of a run that failed a row need not list each score.
            numbers += [-1] * (len(found) - len(numbers))
            assert sorted(found) == pytest.approx(sorted(numbers), rel=1e-14, abs=0), (row["id"], spec, where)
    assert len(rows) == 11


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("door", [logged_here, logged_there])
def test_recorded_values_of_inspect(door, tmp_path, capfd):
    path = tmp_path / "a.json"
    for row in (row for row in read(ROWS) if row["metric"] == "inspect_value"):
        for value, number in zip(row["input"]["values"], row.get("ours", row["expected"])):
            sample = {"id": 1, "epoch": 1, "scores": {"match": {"value": value}}}
            path.write_text(json.dumps({"version": 2, "status": "success", "samples": [sample]}))
            try:
                found = door("inspect", path, "given:name=match", {}, capfd)
            except ValueError as error:
                # Inspect takes these for 0. The empty text is missing.
                assert number is None and (f"`{value}` is no number" if value else "has no number") in str(error)
            else:
                assert found == [number], value


def test_every_recorded_row_of_families_has_a_test_by_both_doors():
    metrics = [row["metric"] for row in read(ROWS)]
    scored = sum(metric in CASES for metric in metrics)
    others = {metric: metrics.count(metric) for metric in OTHERS}
    print(f"here and by the program: {scored} scores, {others}")
    assert (len(metrics), scored, sum(others.values())) == (974, 907, 67)
