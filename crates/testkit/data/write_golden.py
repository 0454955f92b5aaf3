"""Writes cases with their results, one line for each result, so that changes can be read."""
import json


def write(source, cases):
    written = []
    for case in cases:
        results = ",\n".join(f"  {json.dumps(name)}: {json.dumps(values)}" for name, values in case.pop("results").items())
        fields = "".join(f" {json.dumps(key)}: {json.dumps(value)},\n" for key, value in case.items())
        written.append("{\n" + fields + ' "results": {\n' + results + "\n }\n}")
    print('{"source": ' + json.dumps(source) + ', "cases": [\n' + ",\n".join(written) + "\n]}")
