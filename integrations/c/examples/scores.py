"""Scores by the C library with ctypes alone, for hosts whose Python has no wheel: scores.py PATH-OF-LIBRARY."""

import ctypes
import json
import sys


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


def text(value):
    encoded = value.encode()
    return Text(encoded, len(encoded))


def score(metric, hypotheses, references, **options):
    """Returns the score of texts, each with one reference, as a dict."""
    name, given = metric.encode(), json.dumps(options).encode()
    handle, state, out = ctypes.c_void_p(), ctypes.c_void_p(), Bytes()
    size = ctypes.c_size_t
    call("bleuprint_metric_new", name, size(len(name)), given, size(len(given)), 0, ctypes.byref(handle))
    try:
        call("bleuprint_state_new", handle, ctypes.byref(state))
        for hypothesis, reference in zip(hypotheses, references):
            segment = Segment(text(hypothesis), ctypes.pointer(text(reference)), 1, None)
            call("bleuprint_state_observe", state, ctypes.byref(segment), size(1))
        call("bleuprint_state_score_json", state, ctypes.byref(out))
        return json.loads(ctypes.string_at(out.data, out.length))
    finally:
        library.bleuprint_bytes_free(ctypes.byref(out))
        library.bleuprint_state_free(state)
        library.bleuprint_metric_free(handle)


print(score("chrf", ["The dog bit the man."], ["The dog had bit the man."], word_order=2)["line"])
try:
    score("blue", ["a"], ["a"])
except ValueError as error:
    print(error)
