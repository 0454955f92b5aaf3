"""Logs of evaluation harnesses: the same numbers as the program's, from the same files."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import bleuprint

METRIC = "given:name=acc,scale=0..1,producer=lm-eval"
CASES = {"new": [1, 1, 1, 0, 1, 1, 0, 1], "old": [0, 1, 0, 0, 1, 1, 0, 1]}


@pytest.fixture
def logs(tmp_path):
    """Two models on two tasks of lm-eval."""
    for system, numbers in CASES.items():
        (tmp_path / system).mkdir()
        for task, part in (("law", numbers[:4]), ("art", numbers[4:])):
            line = {"filter": "none", "metrics": ["acc"], "doc": {}}
            rows = [json.dumps({**line, "doc_id": at, "acc": number, "doc_hash": f"{task}{at}"}) for at, number in enumerate(part)]
            path = tmp_path / system / f"samples_{task}_2026-11-23T16-59-12.225685.jsonl"
            path.write_text("".join(f"{row}\n" for row in rows))
    return {system: tmp_path / system for system in CASES}


def program(*arguments):
    ran = subprocess.run([sys.executable, "-m", "bleuprint", *map(str, arguments)], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def test_the_numbers_are_those_of_the_program(logs):
    named = [f"{system}={path}" for system, path in logs.items()]
    options = ["--by", "task", "--correction", "bh", "--resamples", "200"]
    theirs = program("compare", "-q", "-f", "json", "--from", "lm-eval", *named, "-m", METRIC, *options)["metrics"][0]
    run = bleuprint.from_logs("lm-eval", logs, METRIC)
    assert run.systems == ["new", "old"] and set(run.labels["task"]) == {"law", "art"}
    (ours,) = run.compare(by=["task"], correction="bh", n=200).values()
    assert ours["test"] == "mcnemar"
    assert list(ours["wilson"].values()) == theirs["wilson"]
    assert ours["pairs"][0]["p_value"] == theirs["pairs"][0]["p_value"]
    assert [group["test"]["corrected"] for group in ours["groups"]] == [group["test"]["corrected"] for group in theirs["groups"]]
    assert ours["pairs"][0]["smallest_difference"] == theirs["pairs"][0]["smallest_difference"]


def test_a_number_of_the_log_has_its_name_alone(logs):
    """As with the program's `-m acc`: the harness is the producer, and the scale is that of a rate."""
    wanted = bleuprint.from_logs("lm-eval", logs, METRIC)
    named = [bleuprint.from_logs("lm-eval", logs, metrics) for metrics in ("acc", ["acc"], None)]
    assert [run.metrics for run in named] == [["given:name=acc,scale=0..1,producer=lm-eval"]] * 3
    assert [run.scores()["new"] for run in named] == [wanted.scores()["new"]] * 3
    program("compare", "-q", "-f", "json", "--from", "lm-eval", *(f"{system}={path}" for system, path in logs.items()))
    with pytest.raises(ValueError, match="reads texts, but from_logs reads the numbers of the log, which has acc"):
        bleuprint.from_logs("lm-eval", logs, "chrf")


@pytest.mark.parametrize(
    "metrics, words",
    [
        (None, "the log has the numbers acc, exact_match: choose with metrics, as in metrics=\"acc\""),
        ("exact_match", "given:name=exact_match,producer=lm-eval,scale=0..1\" for the number of lm-eval, or `from_files(\"segments\", FILE, metrics=\"exact_match\", columns={"),
    ],
)
def test_an_ambiguous_number_is_an_error_with_both_spellings(logs, metrics, words):
    for path in (file for folder in logs.values() for file in folder.iterdir()):
        rows = [json.loads(row) for row in path.read_text().splitlines()]
        names = ["acc", "exact_match"]
        path.write_text("".join(json.dumps({**row, "metrics": names, "exact_match": row["acc"]}) + "\n" for row in rows))
    with pytest.raises(ValueError) as error:
        bleuprint.from_logs("lm-eval", logs, metrics)
    assert words in str(error.value)


def test_samples_of_an_item_are_drawn_together(tmp_path):
    for system, passed in (("a", [1, 0, 1, 1]), ("b", [0, 0, 1, 0])):
        rows = [{"task_id": f"T/{at // 2}", "passed": bool(one)} for at, one in enumerate(passed)]
        (tmp_path / f"{system}_results.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    paths = [tmp_path / "a_results.jsonl", tmp_path / "b_results.jsonl"]
    run = bleuprint.from_logs("human-eval", paths, "given:name=passed,scale=0..1,producer=p")
    assert run.unit == "item"
    with pytest.warns(UserWarning, match="4 segments are drawn in 2 item units"):
        run.confidence(n=50)
    (comparison,) = run.compare(n=50).values()
    assert comparison["unit"] == "item"
    assert comparison["pairs"][0]["paired_units"]["units"] == 2 and "wilson" not in comparison
    ((score,),) = (of.values() for of in bleuprint.from_logs("human-eval", paths[0], "pass:k=1/2").scores().values())
    assert score.score == 0.75


def test_details_of_lighteval(tmp_path):
    details = Path(__file__).parents[2] / "crates/harness/tests/data/lighteval.parquet"
    metric = "given:name=acc,scale=0..1,producer=lighteval"
    run = bleuprint.from_logs("lighteval", {"one": details, "other": details}, metric)
    assert run.labels["group"] == ["law", "law", "art"]
    assert [score.score for of in run.scores().values() for score in of.values()] == [2 / 3, 2 / 3]
    assert program("score", "-q", "-f", "json", "--from", "lighteval", details, "-m", metric)["score"] == 2 / 3


def test_what_is_no_log_is_refused(tmp_path, logs):
    for arguments, message in (
        (("lm_eval", logs, METRIC), "did you mean `lm-eval`"),
        (("lm-eval", tmp_path / "nothing", METRIC), "nothing"),
        (("lm-eval", logs, "given:name=acc_norm"), "the log has `acc`"),
        (("lm-eval", {}, METRIC), "there are no logs"),
        (("lm-eval", logs, []), "no metric is given"),
    ):
        with pytest.raises(ValueError, match=message):
            bleuprint.from_logs(*arguments)
    with pytest.raises(ValueError, match="no record"):
        bleuprint.from_logs("lm-eval", logs, METRIC, where={"filter": "strict"})
