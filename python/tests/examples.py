"""The example of each metric as this package takes it. Tests that loop over these examples name no metric."""

import json
from pathlib import Path

import bleuprint

#: The recorded score of each example, which the program has too.
RECORDED = json.loads((Path(__file__).resolve().parents[2] / "crates/testkit/data/examples.json").read_text(encoding="utf-8"))


class Example:
    """The example of a metric: the metric with the options that it needs, and a record of data."""

    def __init__(self, entry):
        self.metric, self.record, self.entry = entry["example_metric"], json.loads(entry["example"]), entry

    def __str__(self):
        return self.metric

    @property
    def references(self):
        """The references of the segment; a list under `reference` is one reference."""
        return [self.record["reference"]] if "reference" in self.record else self.record.get("references", [])

    @property
    def is_text(self):
        """Whether the hypothesis is a text, and no JSON in a text."""
        hypothesis = self.record["hypothesis"]
        return isinstance(hypothesis, str) and not hypothesis.startswith("[")

    @property
    def takes_any_texts(self):
        """Whether the metric takes any texts, and several references if it takes one."""
        return self.is_text and "reference" not in self.record

    def call(self, times):
        """Hypotheses, and the other arguments, of a call with this number of equal segments."""
        given = {"references": [self.record.get("reference", self.record.get("references"))] * times} if self.references else {}
        if "source" in self.record:
            given["sources"] = [self.record["source"]] * times
        return [self.record["hypothesis"]] * times, given

    def names(self):
        """Every name of the metric, with the options that it needs."""
        for name in (self.entry["name"], *self.entry["other_names"]):
            yield self.metric.replace(self.entry["name"], name, 1)


def has_data(example):
    """Numbers and vectors come as arrays, to functions of their own: test_given.py, test_vectors.py."""
    hypothesis = example.record.get("hypothesis")
    is_vectors = isinstance(hypothesis, list) and hypothesis and isinstance(hypothesis[0], list) and isinstance(hypothesis[0][0], float)
    return hypothesis is not None and not is_vectors


EVERY = [Example(entry) for entry in bleuprint.list_metrics()]
ALL = [example for example in EVERY if has_data(example)]
NAMED = [(name, example) for example in ALL for name in example.names()]
