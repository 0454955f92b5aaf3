"""Adds statistics files and computes BLEU with Python's standard library alone: `python plain_state.py A.stats [B.stats ..]`.

The page docs/state.md describes the format. The program refuses a file that was cut, changed, or counted with other settings.
"""

import hashlib
import json
import math
import sys
from typing import Any

Object = dict[str, Any]
FORMATS = ("bleuprint-stats/1", "bleuprint-stats/2")
MOST = 2**64 - 1
COMMON = ["segments", "references", "references_squared"]


# Known fields of the header, of a metric in the header, of a segment's line, and of the end line.
FIELDS = [
    {"format", "tool", "system", "metrics", "labels", "each"},
    {"spec", "key", "signature", "columns", "learned"},
    {"references", "source", "labels", "states"},
    {"segments", "references", "source", "total", "sha256"},
]


class Refused(ValueError):
    """Raised if a file is not a valid state, or states cannot be added."""


def read(text: bytes, name: str) -> Object:
    """Read a statistics file and check it.

    Args:
        text: Content of the file.
        name: Name of the file in error messages.

    Returns:
        A dict with the `header`, the lines of the `segments`, the `total` of each metric and the `count` of segments.

    Raises:
        Refused: if the file was cut, changed, or has an invalid row.
    """
    if not text.endswith(b"\n"):
        raise Refused(f"{name}: the last line does not end: the file was cut short")
    lines = text.split(b"\n")[:-1]
    objects = [parse(line, f"{name}:{number}") for number, line in enumerate(lines, 1)]
    if len(objects) < 2 or "sha256" not in objects[-1]:
        raise Refused(f"{name}: there is no end line: the file was cut short")
    header, segments, end = objects[0], objects[1:-1], objects[-1]
    for fields, some in zip(FIELDS, [[header], header.get("metrics", []), segments, [end]]):
        for field in {field for one in some for field in one} - fields:
            raise Refused(f"{name}: unknown field {field!r}")
    if header.get("format") not in FORMATS:
        raise Refused(f"{name}:1: format {header.get('format')!r}, but this reads {' and '.join(FORMATS)}")
    sealed = text[: -len(f',"sha256":"{end["sha256"]}"}}\n')]
    if hashlib.sha256(sealed).hexdigest() != end["sha256"]:
        raise Refused(f"{name}: the SHA-256 is another: the file was changed")
    if header["each"] != bool(segments) and end["segments"]:
        raise Refused(f"{name}: `each` and the lines of segments disagree")
    if header["each"] and len(segments) != end["segments"]:
        raise Refused(f"{name}: {len(segments)} segments, but the end says {end['segments']}")
    for at, metric in enumerate(header["metrics"]):
        if "columns" in metric:
            check_rows(metric, [line["states"][at] for line in segments], end["total"][at], end["segments"], name)
    return {"header": header, "segments": segments, "total": end["total"], "count": end["segments"]}


def parse(line: bytes, place: str) -> Object:
    """Return the JSON object of a line; a field that occurs twice is refused."""
    def once(pairs: list[tuple[str, Any]]) -> Object:
        fields = dict(pairs)
        if len(fields) != len(pairs):
            raise Refused(f"{place}: a field occurs twice")
        return fields

    try:
        value = json.loads(line, object_pairs_hook=once)
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise Refused(f"{place}: {error}") from None
    if not isinstance(value, dict):
        raise Refused(f"{place}: not an object")
    return value


def check_rows(metric: Object, rows: list[list[int]], total: list[int], segments: int, name: str) -> None:
    """Check that rows are whole numbers below 2^64, one segment each, and that their sum is the total."""
    columns = metric["columns"]
    if columns[:3] != COMMON:
        raise Refused(f"{name}: the columns of {metric['spec']} do not begin with {', '.join(COMMON)}")
    for row in [*rows, total]:
        if len(row) != len(columns) or any(type(count) is not int or not 0 <= count <= MOST for count in row):
            raise Refused(f"{name}: {metric['spec']}: not a row of {len(columns)} counts below 2^64")
    if any(row[0] != 1 or row[2] != row[1] * row[1] for row in rows) or total[0] != segments:
        raise Refused(f"{name}: {metric['spec']}: a row that is not of one segment, or another number of them")
    if rows and [sum(counts) for counts in zip(*rows)] != total:
        raise Refused(f"{name}: {metric['spec']}: the total is not the sum of the rows")


def add(one: Object, other: Object, at: int) -> list[int]:
    """Return the sum of the totals of the metric with index `at`; states with different keys are refused."""
    keys = [file["header"]["metrics"][at]["key"] for file in (one, other)]
    if keys[0] != keys[1]:
        raise Refused(f"unlike states do not merge: {keys[0]} and {keys[1]}")
    total = [a + b for a, b in zip(one["total"][at], other["total"][at])]
    if max(total) > MOST:
        raise Refused("a count beyond 64 bits")
    return total


def bleu(columns: list[str], total: list[int]) -> float:
    """Return sacreBLEU's corpus score with exponential smoothing; the order of operations, and so the rounding, is sacreBLEU's."""
    counts = dict(zip(columns, total))
    order = sum(name.startswith("clipped_") for name in columns)
    hyp_len, ref_len = counts["total_1"], counts["ref_len_closest"]
    logs, halved = [], 1.0
    if not any(counts[f"clipped_{n}"] for n in range(1, order + 1)):
        return 0.0
    for n in range(1, order + 1):
        clipped, ngrams = counts[f"clipped_{n}"], counts[f"total_{n}"]
        if ngrams == 0:
            return 0.0
        if clipped == 0:
            halved *= 2
        precision = 100.0 * clipped / ngrams if clipped else 100.0 / (halved * ngrams)
        logs.append(math.log(precision))
    penalty = 1.0 if hyp_len >= ref_len else math.exp(1 - ref_len / hyp_len)
    return penalty * math.exp(sum(logs) / order)


def main(paths: list[str]) -> None:
    """Print BLEU for the sum of the files."""
    if not paths:
        return print(__doc__)
    files = []
    for path in paths:
        with open(path, "rb") as file:
            files.append(read(file.read(), path))
    for at, metric in enumerate(files[0]["header"]["metrics"]):
        if not metric["key"].startswith("bleu/1|"):
            continue
        merged = files[0]
        for other in files[1:]:
            merged = {"header": merged["header"], "total": {at: add(merged, other, at)}}
        print(metric["key"], repr(bleu(metric["columns"], merged["total"][at])))


if __name__ == "__main__":
    main(sys.argv[1:])
