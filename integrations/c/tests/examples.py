"""The example of every metric of the registry through the C library, to the last bit: examples.py PATH-OF-LIBRARY.

The metrics and their data come from the library, so the metrics of a new family are met without a change.
"""

import ctypes
import json
import struct
import sys
from pathlib import Path

RECORDED = json.loads((Path(__file__).resolve().parents[3] / "crates/testkit/data/examples.json").read_text(encoding="utf-8"))

#: The status of a call for a metric that exists, but that the build of the library lacks.
MISSING = 5
TEXT_VIEW = 0


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("length", ctypes.c_size_t)]


class Segment(ctypes.Structure):
    _fields_ = [
        ("hypothesis", Text),
        ("references", ctypes.POINTER(Text)),
        ("reference_count", ctypes.c_size_t),
        ("source", ctypes.POINTER(Text)),
    ]


class Bytes(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]


library = ctypes.CDLL(sys.argv[1])
library.bleuprint_last_error.restype = ctypes.c_char_p


def call(name, *arguments):
    if getattr(library, name)(*arguments) != 0:
        raise ValueError(library.bleuprint_last_error().decode())


def read(name, *arguments):
    """Returns the JSON that a function writes."""
    out = Bytes()
    call(name, *arguments, ctypes.byref(out))
    try:
        return json.loads(ctypes.string_at(out.data, out.length))
    finally:
        library.bleuprint_bytes_free(ctypes.byref(out))


def made(name, *arguments):
    """Returns the metric or the state that a function makes."""
    handle = ctypes.c_void_p()
    call(name, *arguments, ctypes.byref(handle))
    return handle


def text(value):
    encoded = value.encode()
    return Text(encoded, len(encoded))


def sized(value):
    encoded = value.encode()
    return encoded, ctypes.c_size_t(len(encoded))


def observe(state, record, is_text):
    """Adds the segment of an example: texts by pointers, and all other data as JSON."""
    references = record.get("references", [record["reference"]] if "reference" in record else [])
    source = [record["source"]] if "source" in record else []
    if is_text:
        pointers = (Text * len(references))(*map(text, references))
        sources = (Text * len(source))(*map(text, source))
        segment = Segment(text(record["hypothesis"]), pointers, len(references), sources if source else None)
        return call("bleuprint_state_observe", state, ctypes.byref(segment), ctypes.c_size_t(1))
    segment = {"hypothesis": record.get("hypothesis", record.get("number")), "references": references}
    if source:
        segment["source"] = source[0]
    return call("bleuprint_state_observe_json", state, *sized(json.dumps([segment])))


def score(name, record):
    metric = made("bleuprint_metric_new", *sized(name), *sized(""), TEXT_VIEW)
    about = read("bleuprint_metric_describe", metric)
    is_text = about["view"] in ("text", "ids")
    if about["two_passes"]:
        first = made("bleuprint_metric_first_pass", metric)
        learned = made("bleuprint_state_new", first)
        observe(learned, record, is_text)
        metric = made("bleuprint_metric_second_pass", metric, learned)
    state = made("bleuprint_state_new", metric)
    observe(state, record, is_text)
    found = ctypes.c_double()
    call("bleuprint_state_score", state, ctypes.byref(found))
    return found.value


def main():
    examples = {entry["example_metric"]: json.loads(entry["example"]) for entry in read("bleuprint_registry")["metrics"]}
    wrong = []
    for name, record in examples.items():
        try:
            found = score(name, record)
        except ValueError as error:
            wrong.append(f"{name}: {error}")
            continue
        if struct.pack("d", found) != struct.pack("d", RECORDED[name]):
            wrong.append(f"{name}: {found}, recorded {RECORDED[name]}")
    # The library lacks a recorded metric only if its build does.
    for name in RECORDED.keys() - examples.keys():
        handle = ctypes.c_void_p()
        if library.bleuprint_metric_new(*sized(name), *sized(""), TEXT_VIEW, ctypes.byref(handle)) != MISSING:
            wrong.append(f"{name}: recorded, but neither in the registry nor missing from this build")
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"  {len(examples)} examples have their recorded scores")


main()
