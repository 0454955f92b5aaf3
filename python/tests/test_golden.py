"""The golden rows of crates/testkit/data through this door: the same files that the library and the program run."""

import functools
import json
from pathlib import Path

import pytest

import bleuprint

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "crates" / "testkit" / "data"
# `test_families.py` has the rows of families, whose segments are records.
OTHERS = [path for path in DATA.glob("*/*.jsonl") if path.parent.name != "families"]
FILES = sorted(str(path.relative_to(DATA)) for path in OTHERS if '"spec"' in path.read_text(encoding="utf-8"))


def example(name):
    return (ROOT / "examples" / "data" / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")


def rows(file):
    """Rows with their texts; those of statistics are a matter of the library."""
    read, texts = [], {}
    for line in (DATA / file).read_text(encoding="utf-8").removesuffix("\n").split("\n"):
        row = json.loads(line)
        row["spec"] = row["spec"].replace("wordnet=..", f"wordnet={DATA / 'meteor' / 'wordnet'}")
        if "statistics" in row:
            continue
        if "texts" in row:
            row["given"] = texts[row["texts"]]
        elif "files" in row:
            streams = [example(name) for name in row["files"]["references"]]
            row["given"] = (example(row["files"]["hypotheses"]), [list(own) for own in zip(*streams)], {})
        else:
            sources = {"sources": row["sources"]} if "sources" in row else {}
            row["given"] = (row["hypotheses"], row["references"], sources)
        texts[row["name"]] = row["given"]
        read.append(row)
    return read


def flat(value):
    return [float(number) for number in value] if isinstance(value, list) else [float(value)]


def check(what, ours, theirs, tolerance):
    near = [a == b or abs(a - b) <= tolerance * max(abs(b), 1.0) for a, b in zip(ours, theirs)]
    assert len(ours) == len(theirs) and all(near), f"{what}: {ours}, not {theirs}"


metric_of = functools.cache(functools.partial(bleuprint.metric, empty_references="keep"))


def check_row(row):
    hypotheses, references, sources = row["given"]
    expected, place = row["expected"], f"{row['name']}, {row['spec']}"
    if "error" in expected:
        with pytest.raises(ValueError):
            bleuprint.metric(row["spec"]).score(hypotheses, references, **sources)
        return
    metric = metric_of(row["spec"])
    # Metrics without references take none.
    given = {**sources, "references": references} if metric.needs_references else sources
    score, tolerance = metric.score(hypotheses, **given), row.get("tolerance", 0.0)
    check(place, [score.score], [expected["score"]], tolerance)
    if "headlines" in expected:
        check(place, list(score.headlines.values()), expected["headlines"], tolerance)
    for key, part in expected.get("parts", {}).items():
        check(f"{place}: {key}", flat(score.parts[key]), flat(part), tolerance)
    if "signature" in expected:
        assert score.signature.rsplit(":", 1)[0] == expected["signature"].rsplit(":", 1)[0], place
    if "sentences" in expected:
        sentences = metric.sentences(hypotheses, **given)
        assert len(sentences) == len(expected["sentences"]), place
        for ours, theirs in zip(sentences, expected["sentences"]):
            check(place, list(ours.headlines.values()), theirs, row.get("sentence_tolerance", 0.0))


@pytest.mark.parametrize("file", FILES)
def test_golden_rows(file):
    for row in rows(file):
        check_row(row)


def test_every_row_is_met():
    assert sum(len(rows(file)) for file in FILES) == 2252
