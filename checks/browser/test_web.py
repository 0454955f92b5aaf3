"""The page of `integrations/web`, which `cargo xtask web` makes: the numbers of the program, its words, and texts that stay texts."""

import json
import os
import re
from pathlib import Path

import pytest

from support import corpus, lines
from test_access import AXE

pytestmark = pytest.mark.skipif("BLEUPRINT_WEB" not in os.environ, reason="`cargo xtask web` makes the page")

# In the names of the program.
METRICS = ["bleu", "chrf", "ter"]

# Scores with logarithms, exponentials and powers, and each smoothing of BLEU.
POWERS = [
    *(f"bleu:smooth-method={method}" for method in ("none", "floor", "add-k", "exp")),
    *("bleu:dialect=nltk:method3", "bleu:dialect=mteval", "chrf:word-order=2", "gleu", "meteor", "rougeW", "distinct"),
    *("nist", "cider", "cider_d", "wil"),
]

# Intervals, tests and comparisons of all of these.
TESTED = [
    *(f"bleu:smooth-method={method}" for method in ("none", "floor", "add-k", "exp")),
    *("chrf", "ter", "cider_d", "meteor", "nist", "wil"),
]

TEXTS = ["hypotheses", "references", "sources"]
GOLDEN = Path(__file__).parents[2] / "crates/testkit/data"


@pytest.fixture
def page(report):
    report.open("file://" + os.environ["BLEUPRINT_WEB"])
    report.page.wait_for_selector("body[data-ready=yes]")
    yield report
    assert report.console == [] and report.dialogs == []
    assert [url for url in report.requests if not url.startswith(("file:", "about:", "blob:", "data:"))] == []


def same(page, program):
    """The same bits of every score."""
    assert list(page) == list(program)


def ask(page, which, **question):
    plain = {"metrics": " ".join(METRICS), "tokenize": "", "lowercase": False, "target": "", "segment": 1}
    answer = page.page.evaluate(
        "([which, question]) => wasm_bindgen[which](question)", [which, json.dumps(plain | question)]
    )
    return json.loads(answer)


def of_files(files, systems):
    """A question on a random corpus."""
    named = [{"name": name, "text": files[name]} for name in systems]
    return {"systems": named, "references": [files["r1"], files["r2"]]}


@pytest.mark.parametrize("seed", range(20))
def test_scores_are_those_of_the_program(page, seed):
    files = corpus(seed, 40)
    page.write(files)
    for options, question in [
        ([], {}),
        (["-lc", "-tok", "intl"], {"lowercase": True, "tokenize": "intl"}),
    ]:
        answer = ask(page, "score", **of_files(files, ["s1", "s2"]), **question)
        for system in answer["systems"]:
            arguments = ["score", "r1", "r2", "-i", system["name"], "-m", *METRICS, *options]
            told = page.json(*arguments, "-w", "17")
            same([metric["value"] for metric in system["metrics"]], [scored["score"] for scored in told])
            texts = page.program(*arguments, "-q", "-f", "text")
            for metric in system["metrics"]:
                assert metric["line"] in texts


def test_every_logarithm_and_power_has_the_bits_of_the_program(page):
    for seed in range(20, 30):
        files = corpus(seed, 25)
        page.write(files)
        [system] = ask(page, "score", **of_files(files, ["s1"]), metrics=" ".join(POWERS))["systems"]
        told = page.json("score", "r1", "r2", "-i", "s1", "-m", *POWERS, "-w", "17")
        # The program lists BLEU, chrF and TER first, as sacreBLEU does.
        shown = sorted((metric["name"], metric["value"]) for metric in system["metrics"])
        same(shown, sorted((scored["name"], scored["score"]) for scored in told))


def test_intervals_and_p_values_have_the_bits_of_the_program(page):
    for seed in range(40, 44):
        files, systems = corpus(seed, 60), ["s1", "s2", "s3"]
        page.write(files)
        html = ask(page, "report", **of_files(files, systems), metrics=" ".join(TESTED))["html"]
        [data] = re.findall(r'<script type="application/json" id="data">(.*?)</script>', html)
        told = page.program("report", "r1", "r2", "-i", *systems, "-m", *TESTED, "-q", "-f", "json", "-o", "-")
        shown, told = json.loads(data), json.loads(told)
        for report in (shown, told):
            report["metrics"].sort(key=lambda metric: metric["signature"])
        # The page in the browser does not know the names and the date of the files.
        titles = [report.pop("title") for report in (shown, told)]
        assert titles[0] == "Comparison of outputs" and titles[1].startswith("s1, s2 and s3 on r1, ")
        assert shown == told


def golden_rows():
    """Rows that are lines as the page reads them, with a reference for every stream, without sources; and their scores."""
    for path in sorted(GOLDEN.glob("*/*.jsonl")):
        rows = {}
        for row in map(json.loads, path.read_text(encoding="utf-8").split("\n")[:-1]):
            earlier = rows.get(row.get("texts", ""), {})
            row = {key: earlier[key] for key in TEXTS if key in earlier} | row
            rows[row.get("name")] = row
            expected, references = row.get("expected", {}), row.get("references", [])
            # A list has a number for each segment, of metrics that read no texts.
            if not isinstance(expected, dict):
                continue
            scores = [expected["score"]] if "score" in expected else expected.get("headlines", [])
            if not scores or "sources" in row or "wordnet" in row["spec"] or len({len(own) for own in references}) != 1:
                continue
            texts = [*row["hypotheses"], *sum(references, [])]
            among_others = len(references[0]) > 1 and "" in sum(references, [])
            if not among_others and not any(text != text.rstrip() or "\n" in text or "\r" in text for text in texts):
                yield row, scores[0]


def test_golden_scores_are_those_of_other_programs(page):
    compared = 0
    for row, known in golden_rows():
        systems = [{"name": "system", "text": lines(row["hypotheses"])}]
        references = [lines(stream) for stream in zip(*row["references"])]
        answer = ask(page, "score", systems=systems, references=references, metrics=row["spec"])
        value = answer["systems"][0]["metrics"][0]["value"]
        assert value == pytest.approx(known, rel=row.get("tolerance", 0), abs=row.get("tolerance", 0)), row["name"]
        compared += 1
    assert compared > 1600


def test_segments_are_those_of_the_program(page):
    files = corpus(3, 60)
    page.write(files)
    [columns] = ask(page, "score", **of_files(files, ["s2"]))["segments"]
    told = [page.jsonl("score", "r1", "r2", "-i", "s2", "-m", metric, "-sl", "-w", "17") for metric in METRICS]
    for *ours, _ in zip(*columns, range(60), strict=True):
        same(ours, [scored["score"] for scored in (column.pop(0) for column in told)])


def test_the_explanation_is_that_of_the_program(page):
    files = corpus(5, 30)
    page.write(files)
    answer = ask(page, "explain", **of_files(files, ["s1"]))
    told = page.json("explain", "r1", "r2", "-i", "s1")
    percents = sorted(row["percent"] for row in told if row.get("percent") is not None)
    shown = sorted(row["percent"] for row in answer["rows"] if "percent" in row)
    assert shown == pytest.approx(percents, rel=1e-14)
    target = f"{percents[len(percents) // 2]:.2f}"
    found = ask(page, "explain", **of_files(files, ["s1"]), target=target)
    assert found["fits"] >= 1
    assert all(f"{row['percent']:.2f}" == target for row in found["rows"][: found["fits"]])


def test_the_working_is_that_of_the_program(page):
    files = corpus(6, 9)
    page.write(files)
    for segment in range(1, 10):
        answer = ask(page, "working", **of_files(files, ["s3"]), segment=segment)
        told = page.program("explain", "r1", "r2", "-i", "s3", f"--working={segment}", "-q")
        assert told == f"segment {segment}\n{answer['text']}"


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ({"metrics": "blue"}, "bleu"),
        ({"tokenize": "13b"}, "13a"),
        ({"references": ["one line\n"]}, "1"),
        ({"references": ["a\nb\nc\n", "a\n\nc\n"]}, "segment 2: reference 2 is an empty reference"),
        ({"systems": []}, ""),
        ({"references": []}, ""),
        ({"colour": 1}, "unknown field"),
    ],
)
def test_what_is_wrong_is_told(page, question, words):
    files = corpus(1, 3)
    answer = ask(page, "score", **of_files(files, ["s1"]) | question)
    assert words in answer["error"]


def test_a_reader_sees_scores_steps_and_the_report(page):
    assert len(page.page.query_selector_all("#lines .line")) == 6
    assert page.page.query_selector_all("#ngrams .gram.hit")
    page.page.click("#rows tbody tr:nth-child(2) button")
    assert "1-grams" in page.page.inner_text("#ngrams")
    page.page.fill("#target", "12.34")
    page.page.wait_for_timeout(400)
    page.page.click("#make-report")
    frame = page.page.frame_locator("#report")
    frame.locator("h1").wait_for()
    assert "system A" in frame.locator("body").inner_text()


def test_texts_stay_texts(page):
    hostile = "<img src=x onerror=alert(1)> </script><script>alert(2)</script> {{wasm}}"
    page.page.fill("textarea >> nth=0", f"{hostile}\n{hostile}\n{hostile}\n")
    page.page.wait_for_timeout(400)
    page.page.click("#make-report")
    page.page.frame_locator("#report").locator("h1").wait_for()
    assert hostile in page.page.inner_text("#rows")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 420])
def test_accessibility(page, theme, width):
    page.page.emulate_media(color_scheme=theme)
    page.page.set_viewport_size({"width": width, "height": 1000})
    page.js(AXE)
    found = page.js("axe.run(document, { resultTypes: ['violations'] }).then(result => result.violations)")
    told = [f"{rule['id']}: {node['html'][:160]}" for rule in found for node in rule["nodes"][:3]]
    assert not found, json.dumps(told, indent=1)
