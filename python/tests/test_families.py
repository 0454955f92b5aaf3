"""The golden rows of the families of metrics, through this package and through the program."""

import contextlib
import json
import math
from pathlib import Path

import pytest

import bleuprint
import examples
from bleuprint import _native
from test_attacks import resealed

FAMILIES = Path(__file__).resolve().parents[2] / "crates/families"


class Case:
    """A row as both doors take it: a metric, segments, and the numbers that are asked of its scores."""

    def __init__(self, spec, hypotheses, references=None, sources=None, numbers=("score",), each=None, key=None):
        self.spec, self.numbers, self.each = spec, numbers, each
        self.hypotheses, self.references, self.sources, self.key = hypotheses, references, sources, key

    def records(self):
        for at, hypothesis in enumerate(self.hypotheses):
            record = {"hypothesis": hypothesis}
            if self.references is not None:
                own = self.references[at]
                record[self.key or ("references" if isinstance(own, list) else "reference")] = own
            if self.sources is not None:
                record["source"] = self.sources[at]
            yield record

    def here(self):
        """By this package."""
        metric = bleuprint.metric(self.spec, empty_references="keep")
        given = {key: value for key, value in (("references", self.references), ("sources", self.sources)) if value is not None}
        score = metric.score(self.hypotheses, **given).to_dict()
        each = [one.score for one in metric.sentences(self.hypotheses, **given)] if self.each else None
        return [number(score, key) for key in self.numbers], each

    def there(self, path, capfd):
        """By the program."""
        path.write_text("".join(json.dumps(record) + "\n" for record in self.records()), encoding="utf-8")
        score, each = scored_there(capfd, self.each, "--segments", path, "-m", self.spec)
        return [number(score, key) for key in self.numbers], [one["score"] for one in each] if self.each else None


def read(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").removesuffix("\n").split("\n")]


def number(score, key):
    found = score["score"] if key == "score" else score.get(key, score.get("parts", {}).get(key))
    assert found is not None, (key, score)
    return [list(cell) for cell in found] if isinstance(found, (list, tuple)) else float(found)


def run_program(capfd, *arguments):
    """The output of the program."""
    capfd.readouterr()
    code = _native.program(["bleuprint", *map(str, arguments)])
    out, said = capfd.readouterr()
    if code != 0:
        raise ValueError(said)
    return out


def scored_there(capfd, each, *arguments):
    """The score by the program, and with `each` those of segments."""
    command = ["score", *arguments, "-q", "-f", "json"]
    lines = run_program(capfd, *command, "-sl").removesuffix("\n").split("\n") if each else []
    return json.loads(run_program(capfd, *command)), [json.loads(line) for line in lines]


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


def check_each(cases, door):
    """The number of cases, if no row differs."""
    checked = [check(*one, door) for one in cases]
    wrong = [difference for difference in checked if difference is not None]
    assert not wrong, f"{len(wrong)} of {len(checked)} differ:\n" + "\n".join(wrong[:20])
    return len(checked)


def golden():
    for row in [row for path in sorted(FAMILIES.glob("*/tests/rows/programs.jsonl")) for row in read(path)]:
        records = row["segments"]
        columns = [[record[key] for record in records if key in record] for key in ("hypothesis", "reference", "references", "source")]
        hypotheses, one, several, sources = (column or None for column in columns)
        # A list under `reference` is one reference.
        [(spec, expected)] = row["expected"].items()
        each = row.get("each", {}).get(spec)
        case = Case(spec, hypotheses, one or several, sources, expected or (), each, "reference" if one else "references")
        yield row["why"], case, expected and (list(expected.values()), each, row["tolerance"])


#: 907 rows of programs, of which 22 are rows of four units here.
ROWS = 907 + 3 * 22


def test_golden_rows_have_their_values_here():
    assert check_each(golden(), Case.here) == ROWS


def test_golden_rows_have_their_values_by_the_program(tmp_path, capfd):
    assert check_each(golden(), lambda case: case.there(tmp_path / "segments.jsonl", capfd)) == ROWS


def more(values, left):
    """Adds a million to the whole number with the index `left[0]`; `False` if there are fewer."""
    for key in values if isinstance(values, dict) else range(len(values)):
        value = values[key]
        if isinstance(value, (dict, list)):
            if more(value, left):
                return True
        elif type(value) is int:
            if left[0] == 0:
                values[key] += 10**6
                return True
            left[0] -= 1
    return False


def forged(text):
    """The state with a million more in one of its numbers at a time."""
    head, body = text.split("\n", 1)
    for number in range(100):
        state = json.loads(body)
        del state["sha256"]
        # Rows of counts stand alone, and other statistics beside their key.
        (total,) = state["total"]
        counts = {"stats": total["stats"] if isinstance(total, dict) else total}
        if not more(counts, [number]):
            return
        state["total"] = [{**total, **counts} if isinstance(total, dict) else counts["stats"]]
        changed = json.dumps({**state, "sha256": ""}, separators=(",", ":"), ensure_ascii=False)
        yield resealed(f"{head}\n{changed}")


COUNTED = [example for example in examples.ALL if not bleuprint.metric(example.metric).info()["two_passes"]]


def stored(example):
    metric = bleuprint.metric(example.metric)
    hypotheses, given = example.call(2)
    return metric, metric.accumulator().update(hypotheses, **given)


@pytest.mark.parametrize("at", range(len(COUNTED)), ids=[str(example) for example in COUNTED])
def test_states_that_are_cut_or_of_another_metric(at):
    metric, state = stored(COUNTED[at])
    data = state.to_bytes()
    assert bleuprint.Accumulator.from_bytes(metric, data) == state
    _, unlike = stored(COUNTED[(at + 1) % len(COUNTED)])
    for wrong in (data[: len(data) // 2], unlike.to_bytes()):
        with pytest.raises(ValueError, match="^(?!.*SHA-256)"):
            bleuprint.Accumulator.from_bytes(metric, wrong)
    with pytest.raises(ValueError):
        state.merge(unlike)


def test_most_metrics_bound_their_counts():
    """A forged state is refused, or has a score or no score like any other."""
    free = []
    for example in COUNTED:
        metric, state = stored(example)
        refusals = 0
        for text in forged(state.to_bytes().decode()):
            try:
                read = bleuprint.Accumulator.from_bytes(metric, text.encode())
            except ValueError as error:
                assert "SHA-256" not in str(error)
                refusals += 1
                continue
            with contextlib.suppress(ValueError):
                read.compute()
        if not refusals:
            free.append(example.metric)
    assert 4 * len(free) < len(COUNTED), free
