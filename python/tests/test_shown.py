"""Results in notebooks and as data frames: every result that calls return has a table, and its numbers are those of the result."""

import json
import pickle
from pathlib import Path

import pytest

import bleuprint

HYPS = ["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him.", "He ran."]
OTHER = ["A dog bit a man.", "It was unsurprising.", "The man bit it.", "He ran <away>."]
REFS = ["The dog bit the man.", "It was not unexpected.", "The man bit him first.", "He ran."]
LABELS = {"domain": ["news", "chat", "news", "chat"]}


@pytest.fixture
def run():
    systems = {"one": HYPS, "<two>": OTHER}
    return bleuprint.metrics("bleu", "exact_match").run(systems, REFS, labels=LABELS)


def cells(table):
    return [dict(zip(table.columns, row)) for row in table.cells()]


def test_results_have_tables_with_escaped_names(run):
    compared = run.compare(by=["domain"], n=20)
    shown = [
        run,
        run.confidence("bleu", n=20),
        run.confidence("bleu", n=20)["<two>"],
        run.paired("bleu", n=20),
        compared,
        compared["bleu"],
        bleuprint.explain(HYPS, REFS, tokenizers=["13a"]),
        bleuprint.metric("bleu").statistics(HYPS, REFS),
        run.report(n=20),
    ]
    for result in shown:
        html = result._repr_html_()
        assert "<two>" not in html and html.startswith("<"), html[:200]
        assert "<table>" in html or "<iframe" in html
    assert "&lt;two&gt;" in run._repr_html_() and "<svg" in compared._repr_html_()


def test_results_stay_plain_data(run):
    for result in (run.confidence("bleu", n=20), run.paired("bleu", n=20), run.compare(by=["domain"], n=20)):
        again = pickle.loads(pickle.dumps(result))
        assert again == result and type(again) is type(result)
        assert json.loads(json.dumps(result)) == result


def test_frames_have_the_numbers(run):
    scores = run.scores()
    by_system = cells(run.to_arrow())
    assert [(row["system"], row["bleu"]) for row in by_system] == [(name, of["bleu"].score) for name, of in scores.items()]
    each = cells(run.to_arrow(segments=True))
    assert [row["exact_match"] for row in each if row["system"] == "one"] == [100.0, 0.0, 0.0, 100.0]
    assert each[1]["domain"] == "chat" and each[1]["segment"] == 2
    interval = run.confidence("bleu", n=20)
    assert cells(interval.to_arrow())[1] == {"system": "<two>", **interval["<two>"]}
    pair = run.compare(n=20)["bleu"]["pairs"][0]
    (row,) = [row for row in cells(run.compare(n=20).to_arrow()) if row["metric"] == "bleu"]
    assert (row["difference"], row["lower"]) == (pair["difference"], pair["interval"]["lower"])
    statistics = bleuprint.metric("bleu").statistics(HYPS, REFS)
    rows = [[row[name] for name in statistics.columns()] for row in cells(statistics.to_arrow())]
    assert rows == statistics.rows()
    settings = bleuprint.explain(HYPS, REFS, tokenizers=["13a"])
    assert [row["score"] for row in cells(settings.to_arrow())] == [setting["score"] for setting in settings]


def test_data_frames_take_them(run):
    polars, pandas = pytest.importorskip("polars"), pytest.importorskip("pandas")
    table = run.to_arrow(segments=True)
    assert polars.DataFrame(table).group_by("system").len()["len"].to_list() == [4, 4]
    assert pandas.DataFrame.from_arrow(table)["bleu"].notna().all()


def test_columns_have_one_type():
    from bleuprint._shown import frame

    assert cells(frame([{"a": 1, "b": None}, {"a": 2.5, "c": True}])) == [
        {"a": 1.0, "b": None, "c": None},
        {"a": 2.5, "b": None, "c": True},
    ]
    with pytest.raises(TypeError, match="the column a has values of two types"):
        frame([{"a": 1}, {"a": "x"}])


def test_a_verdict_is_shown(tmp_path):
    policy = tmp_path / "gate.toml"
    policy.write_text('format = "bleuprint-gate/1"\n[[rule]]\nmetric = "chrf"\nmin = 99.0\n')
    verdict = bleuprint.gate(policy, bleuprint.Evaluation("chrf").run({"new": HYPS}, REFS))
    assert "<b>fail</b>" in verdict._repr_html_()
    (row,) = cells(verdict.to_arrow())
    assert (row["rule"], row["verdict"]) == ("chrf", "fail")


def test_groups_have_one_correction():
    """As tests of each group alone, corrected by hand."""
    run = bleuprint.metrics("exact_match").run({"one": HYPS * 9, "two": REFS * 9}, REFS * 9, labels={"at": list("abcd") * 9})
    raw = {}
    for label in "abcd":
        part = [one for one in range(36) if "abcd"[one % 4] == label]
        pick = lambda texts: [(texts * 9)[at] for at in part]  # noqa: E731
        alone = bleuprint.metrics("exact_match").run({"one": pick(HYPS), "two": pick(REFS)}, pick(REFS))
        raw[label] = alone.compare(n=200)["exact_match"]["pairs"][0]
    order = sorted(raw, key=lambda label: raw[label]["p_value"])
    for correction in ("holm", "bh"):
        groups = run.compare(by=["at"], n=200, correction=correction)["exact_match"]["groups"]
        for group in groups:
            test = group["test"]
            assert {**test, "corrected": 0} == {**raw[group["group"]], "corrected": 0, "first": 0, "second": 1}
        found = {group["group"]: group["test"]["corrected"] for group in groups}
        at = {label: place for place, label in enumerate(order)}
        p = [raw[label]["p_value"] for label in order]
        for label in "abcd":
            if correction == "holm":
                wanted = max(min(1.0, p[place] * (4 - place)) for place in range(at[label] + 1))
            else:
                wanted = min(min(1.0, p[place] * 4 / (place + 1)) for place in range(at[label], 4))
            assert found[label] == pytest.approx(wanted)
    holm = run.compare(by=["at"], n=200, correction="holm")["exact_match"]
    assert run.compare(by=["at"], n=200)["exact_match"]["groups"] == holm["groups"]
    assert "corrected" in holm._repr_html_()
    with pytest.raises(ValueError, match="expected one of: holm, bh"):
        run.compare(by=["at"], correction="bonferroni")
    with pytest.raises(ValueError, match="two systems, but there are 1"):
        bleuprint.metrics("bleu").run({"one": HYPS}, REFS).compare(by=["length"], correction="bh")


def test_the_notebook_runs():
    """Its cells run in order, and each last line has a table, as in a notebook."""
    path = Path(__file__).parents[1] / "examples/compare.ipynb"
    names, shown = {}, 0
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        *lines, last = "".join(cell["source"]).rstrip("\n").split("\n")
        exec("\n".join(lines), names)
        try:
            result = eval(last, names)
        except SyntaxError:
            exec(last, names)
            continue
        shown += hasattr(result, "_repr_html_")
    assert shown >= 5
