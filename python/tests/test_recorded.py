"""Recorded rows of speech, logs of harnesses and tokens, through this package and through the program: numbers of other programs,
in data that lie beside the checkout. Without them the tests are skipped."""

import base64
import json
import math
from pathlib import Path

import pytest

import bleuprint
from bleuprint import _native
from test_families import Case, check_each, number, read, run_program, scored_there

SPEC = Path(__file__).resolve().parents[3] / "shared" / "spec"
ROWS, SPEECH = SPEC / "families-golden.jsonl", SPEC / "speech-two-golden.jsonl"

pytestmark = pytest.mark.skipif(not ROWS.is_file(), reason="needs the data beside the checkout")


#: The counts of an alignment.
PARTS = ("hits", "substitutions", "deletions", "insertions")


class Files:
    """STM and CTM, read in a form for a metric, of whose segments the parts are asked for."""

    def __init__(self, form, spec, files, numbers, each=()):
        self.form, self.spec, self.files, self.numbers, self.each = form, spec, files, numbers, each

    def found(self, score, segments):
        return [number(score, key) for key in self.numbers], [[number(one, key) for key in self.each] for one in segments]

    def here(self):
        run = bleuprint.from_files(self.form, *self.files, metrics=self.spec)
        ((score,),) = (of.values() for of in run.scores().values())
        return self.found(score.to_dict(), [one.to_dict() for one in run.sentence_scores()] if self.each else [])

    def there(self, _, capfd):
        reference, system = self.files
        return self.found(*scored_there(capfd, self.each, f"--{self.form}", reference, "-i", system, "-m", self.spec))


class Rewritten:
    """A text under the rules of a file."""

    def __init__(self, spec, head, text):
        self.spec, self.head, self.text = spec, head, text

    def here(self):
        return [(self.head + bleuprint.normalize([self.text], self.spec)[0]).rstrip()], None

    def there(self, path, capfd):
        path.write_text(self.text, encoding="utf-8")
        return [(self.head + run_program(capfd, "normalize", "-q", path, "--norm", self.spec)).rstrip()], None


def name(metric, *options):
    given = [option for option in options if option]
    return f"{metric}:{','.join(given)}" if given else metric


def option(row, theirs, ours=None):
    value = row["options"].get(theirs)
    if value is None:
        return ""
    return f"{ours or theirs}={'/'.join(map(str, value)) if isinstance(value, list) else value}"


def of_latency(row, _):
    options, segments = row["options"], row["input"]["segments"]
    data = [{key: one[key] for key in ("delays", "source_length")} for one in segments]
    if "recording_end" in options:
        data = [{**one, "recording_end": options["recording_end"]} for one in data]
    for key, value in row["expected"].items():
        case = Case(name(key.lower(), option(row, "form")), data, [one["reference"] for one in segments])
        yield case, None if value == "nan" else ([value], None, row["tolerance"])


def of_subtitles(row, _):
    for key in ("SubER", "SubER-cased"):
        yield Case(key.lower(), [row["input"]["hyp"]], [row["input"]["ref"]]), ([row["expected"][key]], None, row["tolerance"])


def of_alternatives(row, _):
    flags, expected = row["options"]["flags"].split(), row["expected"]
    options = [name for flag, name in (("-D", "optional=sclite"), ("-F", "fragments"), ("-s", "keep-case")) if flag in flags]
    case = Case(name("sclite", *options), [row["input"]["hyp"]], [row["input"]["ref"]], numbers=PARTS)
    return case, None if "error" in expected else [expected[kind] for kind in "CSDI"]


def of_rates(metric, numbers, *options):
    """Pairs of texts, with the numbers of the row under names of their own."""

    def case(row, folder):
        given, expected = row["input"], row["expected"]
        spec = name(metric, *options, *(option(row, key) for key in ("match",)), *listed(given.get("terms"), folder))
        sources = [" ".join(words) for words in given["lists"]] if "lists" in given else None
        return Case(spec, given["hyps"], given["refs"], sources, numbers=tuple(numbers)), [numbers[key](expected) for key in numbers]

    return case


def written(folder, text, end=".txt"):
    file = folder / f"{len(list(folder.iterdir()))}{end}"
    file.write_text(text, encoding="utf-8")
    return file


def listed(words, folder):
    return [] if words is None else [f"words={written(folder, chr(10).join(words))}"]


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
    return Case("boundaries", [sides[0]], [sides[1]], key="reference"), [row["expected"]["mean_ms"]]


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
    case = Case(name(metric, *choices), *sides, None if None in regions else regions, key="reference")
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


def of_transcripts(row, folder):
    """Numbers of all segments and of each, by time; and the confidences. The least 32-bit integer over 1,000 is no number there."""
    files = [written(folder, row["input"][kind], f".{kind}") for kind in ("stm", "ctm")]
    *sums, _, wrong, nce = map(float, row["expected"]["sum"][1])
    numbers, segments = ("segments", "ref_len", *PARTS, "wrong_segments"), sorted(row["expected"]["segments"])
    yield Files("transcripts", "sclite", files, numbers, PARTS), ([*sums, wrong], [one[2:] for one in segments], 0)
    yield Files("heard", "nce", files, ("score",)), None if nce < -1e6 else ([nce], None, 0.0005000001)


def of_rules(row, folder):
    """A text by rfilter1 or csrfilt.sh. Of STM it is behind the label."""
    flags, text = row["options"].get("flags", ""), row["input"]["text"]
    label = text.find("> ") + 2 if "stm" in flags and "> " in text else 0
    program = "glm" if row["options"]["program"] == "rfilter1" else "csrfilt-dh" if "-dh" in flags else "csrfilt"
    norm = f"{program}={written(folder, row['input']['glm'], '.glm')}"
    yield Rewritten(norm, text[:label], text[label:]), ([row["expected"]["text"].rstrip()], None, 0)


def percent(key):
    return lambda expected: expected[key]["rate_percent"] / 100


OF_SPEECH = {
    "sclite": of_alternatives,
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


#: Of several cases a row, or of files.
SEVERAL = {"latency": of_latency, "suber": of_subtitles, "sclite_ctm": of_transcripts, "glm": of_rules}

#: Both sides of a segment are empty, of which the script of B-WER dies; here there is nothing to count.
NOTHING_SAID = {"b0024": [0.0, 0.0]}


def speech(folder):
    """The rows of speech. The script of B-WER fails where a class has no word, and terms without an occurrence have no score."""
    for row in read(SPEECH):
        if row["metric"] in SEVERAL:
            yield from ((row["id"], *one) for one in SEVERAL[row["metric"]](row, folder))
            continue
        if row["metric"] == "biased_wer" and "error" in row["expected"]:
            row["expected"] = dict.fromkeys(("B-WER", "U-WER", "WER"), {"rate_percent": math.nan})
        case, wanted = OF_SPEECH[row["metric"]](row, folder)
        if row["id"] in NOTHING_SAID:
            case.numbers, wanted = ("score", "wer"), NOTHING_SAID[row["id"]]
        failed = wanted is None or any(value is None or math.isnan(value) for value in wanted)
        yield row["id"], case, None if failed else (wanted, None, row["tolerance"])


def check_all(folder, door):
    cases = list(speech(folder))
    # Latency has up to five numbers a row, SubER and transcripts two; then sclite, recognition, turns, meetings and rules.
    assert check_each(cases, door) == 394 + 36 + 28 + 146 + 116 + 441 + 240 + 113
    asked = {id for id, _, _ in cases}
    print(f"{len(asked)} rows of speech, {len(cases)} cases")
    assert asked == {row["id"] for row in read(SPEECH)} and len(asked) == 1174


@pytest.fixture
def folder(tmp_path):
    """Of lists of words."""
    (tmp_path / "words").mkdir()
    return tmp_path / "words"


def test_recorded_rows_have_their_values_here(folder):
    check_all(folder, lambda case: case.here())


def test_recorded_rows_have_their_values_by_the_program(tmp_path, folder, capfd):
    check_all(folder, lambda case: case.there(tmp_path / "segments.jsonl", capfd))


def test_recorded_tokens_are_those_of_both_doors(tmp_path, capfd):
    rows = [row for row in read(ROWS) if row["metric"] == "mixed"]
    for row in rows:
        tokenizer = "mixed" + "".join(f"-{key}" for key in ("hangul", "marks") if key in row["options"])
        text, wanted = row["input"]["text"], row.get("ours", row["expected"])
        assert _native.tokenized([text], tokenizer) == [wanted], row
        path = tmp_path / "text"
        path.write_text(text + "\n", encoding="utf-8")
        assert run_program(capfd, "tokenize", "--tokenize", tokenizer, path).split() == wanted, row
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
    out = run_program(capfd, "score", "-q", "-sl", "-f", "json", "--from", harness, path, "-m", spec, *chosen)
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
