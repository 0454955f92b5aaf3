"""The golden rows of the families of metrics, through this package and through the program."""

import json
import math
from pathlib import Path

import pytest

import bleuprint
from bleuprint import _native
from test_attacks import resealed

GOLDEN = Path(__file__).resolve().parents[2] / "crates/testkit/data/families/golden.jsonl"

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
    for row in read(GOLDEN):
        records = row["segments"]
        columns = [[record[key] for record in records if key in record] for key in ("hypothesis", "reference", "references", "source")]
        hypotheses, one, several, sources = (column or None for column in columns)
        case = Case(row["spec"], hypotheses, one or several, sources, row["numbers"], row["each"])
        yield row["name"], case, row["expected"] and (row["expected"], row["each"], row["tolerance"])


#: 907 rows of programs, of which 22 are rows of four units here.
ROWS = 907 + 3 * 22


def test_golden_rows_have_their_values_here():
    assert check_each(golden(), Case.here) == ROWS


def test_golden_rows_have_their_values_by_the_program(tmp_path, capfd):
    assert check_each(golden(), lambda case: case.there(tmp_path / "segments.jsonl", capfd)) == ROWS


PAIRS = (["a cat", "b d"], ["the cat", "b d"])

#: A metric, its data, and counts that no data give for others.
FAMILIES = [
    ("pass:k=4", ([{"n": 10, "c": 3}, {"n": 10, "c": 5}],), [("[10,3]", "[3,10]")]),
    ("perplexity:per=token", ([{"loglik": [-1, -2]}, {"loglik": [-0.5]}],), [(",3,0,2]", ",3,0,3]")]),
    ("levenshtein_similarity", PAIRS, [("[[2,2,2,2,", "[[2,2,2,4,")]),
    ("anls", PAIRS, [("[[2,2,2,2,", "[[2,2,2,4,")]),
    ("labels", (["a", "b"], ["b", "b"]), [('["a",[0,1,0]]', '["a",[1,1,0]]')]),
    ("spans", (["B-PER O", "O"], ["B-PER O", "B-PER"]), [("[1,1,2]", "[2,1,2]")]),
    ("spans:tags=spans", ([[["PER", 0, 0]], []], [["B-PER", "O"], [["PER", 0, 1]]]), [("[1,1,2]", "[2,1,2]")]),
    ("extractive", (["a cat", "b"], None, ["the cat is a cat", "b c"]), [("[[2,0,0,2,", "[[2,0,0,4,")]),
    ("meteor15:modules=exact+stem", PAIRS, [("[[2,2,2,4,4,", "[[2,2,2,2,4,")]),
]


@pytest.mark.parametrize("at", range(len(FAMILIES)))
def test_states_that_are_forged_cut_or_of_another_family(at):
    def stored(spec, data, _):
        metric = bleuprint.metric(spec)
        state = metric.accumulator()
        state.update(*data[:2], sources=data[2] if len(data) > 2 else None)
        return metric, state

    metric, state = stored(*FAMILIES[at])
    data = state.to_bytes()
    assert bleuprint.Accumulator.from_bytes(metric, data) == state
    text = data.decode()
    for count, other in FAMILIES[at][2]:
        text = text.replace(count, other)
    assert text.encode() != data
    _, unlike = stored(*FAMILIES[(at + 1) % len(FAMILIES)])
    for wrong in (data[: len(data) // 2], resealed(text).encode(), unlike.to_bytes()):
        with pytest.raises(ValueError, match="^(?!.*SHA-256)"):
            bleuprint.Accumulator.from_bytes(metric, wrong)
    with pytest.raises(ValueError):
        state.merge(unlike)


def test_a_million_samples_and_a_hundred_thousand_labels():
    assert bleuprint.metric("pass:k=10000").score([{"n": 10**6, "c": 1}]).score == pytest.approx(0.01, rel=1e-12)
    labels = [str(label) for label in range(10**5)]
    assert bleuprint.metric("labels:score=accuracy").score(labels, labels).score == 1.0
