"""Writes the golden rows of crates/testkit/data and of families in a form that C reads without JSON: a field a line, `name length`, then its bytes."""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT / "crates" / "testkit" / "data"
FAMILIES = ROOT / "crates" / "families"


def example(name):
    return (ROOT / "examples" / "data" / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")


def text_rows(path):
    """Yields the rows of a file with their segments; rows of statistics have no texts."""
    texts = {}
    for line in path.read_text(encoding="utf-8").removesuffix("\n").split("\n"):
        row = json.loads(line)
        row["spec"] = row["spec"].replace("wordnet=..", f"wordnet={DATA / 'meteor' / 'wordnet'}")
        if "statistics" in row:
            continue
        if "texts" in row:
            given = texts[row["texts"]]
        elif "files" in row:
            streams = [example(name) for name in row["files"]["references"]]
            given = (example(row["files"]["hypotheses"]), [list(own) for own in zip(*streams)], None)
        else:
            given = (row["hypotheses"], row["references"], row.get("sources"))
        texts[row["name"]] = row["given"] = given
        yield row


def field(name, value):
    value = str(value).encode()
    return b"%s %d\n%s\n" % (name.encode(), len(value), value)


def number(value):
    return "nan" if value is None else repr(float(value))


def numbers(values):
    flat = values if isinstance(values, list) else [values]
    return " ".join(number(value) for value in flat)


def text_row(row):
    hypotheses, references, sources = row["given"]
    expected = row["expected"]
    out = [field("row", f"{row['name']}, {row['spec']}"), field("spec", row["spec"])]
    for at, hypothesis in enumerate(hypotheses):
        out.append(field("hypothesis", hypothesis))
        # The lengths of both lists differ in rows about that error, which this interface cannot express.
        out += [field("reference", one) for one in (references[at] if at < len(references) else [])]
        out += [field("source", sources[at])] if sources else []
    if "error" in expected:
        return out + [field("error", expected["error"])] if len(hypotheses) == len(references) else []
    out.append(field("score", number(expected["score"])))
    out += [field("headlines", numbers(expected["headlines"]))] if "headlines" in expected else []
    for key, part in expected.get("parts", {}).items():
        out += [field("part", key), field("values", numbers(part))]
    out += [field("signature", expected["signature"].rsplit(":", 1)[0])] if "signature" in expected else []
    out += [field("sentence", numbers(one)) for one in expected.get("sentences", [])]
    out.append(field("tolerance", row.get("tolerance", 0.0)))
    out.append(field("sentence_tolerance", row.get("sentence_tolerance", 0.0)))
    return out


def family_row(row):
    """Returns a row of families. A segment is there as JSON and, if it consists of texts, as texts."""
    [(spec, expected)] = row["expected"].items()
    out = [field("row", f"{row['why']}, {spec}"), field("spec", spec)]
    for record in row["segments"]:
        references = record.get("references", [record["reference"]] if "reference" in record else [])
        source = [record["source"]] if "source" in record else []
        segment = {"hypothesis": record["hypothesis"], "references": references, **({"source": source[0]} if source else {})}
        is_text = all(isinstance(text, str) for text in [segment["hypothesis"], *references, *source])
        out.append(field("hypothesis", segment["hypothesis"] if is_text else ""))
        out += [field("reference", one) for one in references if is_text]
        out += [field("source", one) for one in source if is_text]
        out.append(field("json", json.dumps([segment])))
    if expected is None:
        return [*out, field("error", "no-score")]
    for key, value in expected.items():
        if key == "score":
            out.append(field("score", number(value)))
        # Tables of words and numbers are for interfaces with JSON.
        elif not isinstance(value, list) or not any(isinstance(one, list) for one in value):
            out += [field("part", key), field("values", numbers(value))]
    out += [field("sentence", number(one)) for one in row.get("each", {}).get(spec) or []]
    tolerance = row.get("tolerance", 0.0)
    return [*out, field("tolerance", tolerance), field("sentence_tolerance", tolerance)]


def main():
    rows = []
    for path in sorted(DATA.glob("*/*.jsonl")):
        if '"spec"' in path.read_text(encoding="utf-8"):
            rows += [text_row(row) for row in text_rows(path)]
    for path in sorted(FAMILIES.glob("*/tests/rows/programs.jsonl")):
        lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
        rows += [family_row(json.loads(line)) for line in lines]
    Path(sys.argv[1]).write_bytes(b"".join(part for row in rows for part in row))


if __name__ == "__main__":
    main()
