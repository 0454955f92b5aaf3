"""Golden rows for the scripts `make.py`: one JSON document a line, in the form that README.md describes."""
import json
from pathlib import Path

TEXTS = ("hypotheses", "references", "sources", "files")


EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "data"


def cases(script):
    """The cases that are written by hand, in the file beside a script."""
    return json.loads(Path(script).with_name("cases.json").read_text(encoding="utf-8"))


def lines(name):
    """Those of a file of examples/data; only a line feed ends one."""
    return (EXAMPLES / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")


def spec(metric, **options):
    """A metric as a user of bleuprint names it. An option that is true is a flag, one that is false is left out."""
    given = {name.replace("_", "-"): value for name, value in options.items() if value is not False}
    written = [name if value is True else f"{name}={value}" for name, value in given.items()]
    return f"{metric}:{','.join(written)}" if written else metric


def of_streams(streams):
    """The references of each segment, without those that a stream lacks."""
    return [[text for text in texts if text is not None] for texts in zip(*streams)]


def of_segments(name, metric, hypotheses, references, sentences, **tolerances):
    """A row of numbers by segment: those of the corpus are their means."""
    means = [sum(numbers) / len(sentences) for numbers in zip(*sentences)]
    expected = {"score": means[0], "headlines": means, "sentences": sentences}
    texts = {"hypotheses": hypotheses, "references": references}
    return {"name": name, "spec": metric, **texts, "expected": expected, "tolerance": 1e-12, **tolerances}


def write(rows):
    """Prints the rows; texts that an earlier row has are named by it."""
    known = {}
    for row in rows:
        texts = json.dumps([row.get(key) for key in TEXTS])
        first = known.setdefault(texts, row["name"])
        if first != row["name"]:
            row = {"name": row["name"], "spec": row["spec"], "texts": first} | {
                key: value for key, value in row.items() if key not in TEXTS
            }
        print(json.dumps(row, ensure_ascii=False))
    assert len({row["name"] for row in rows}) == len(rows), "a name stands twice"
