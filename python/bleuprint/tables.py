"""Statistics as Arrow columns and as bytes, for data that is spread over machines or lives in a query engine.

`counts` returns one row of integers for each segment: the exact state of that segment. A query engine's SUM of every column is
therefore the exact state of all segments. States that are not a row of counts, such as sets, are bytes: `state` makes them and
`merge` merges them.

>>> from bleuprint import tables
>>> hyp, ref = ["The dog bit the man.", "It was late."], ["The dog had bit the man.", "It was late."]
>>> rows = tables.counts("bleu", hyp, ref)
>>> rows
Table(2 rows: key, check, segments, references, ...)
>>> state = tables.merge([tables.state("bleu", hyp[:1], ref[:1]), tables.state("bleu", hyp[1:], ref[1:])])
>>> tables.score(rows) == tables.score(state) and tables.encode(rows) == state
True

Both forms name their metric: the table in the metadata of its schema, the state in its bytes. Query engines drop metadata, so the
first two columns are checks: `key` is a number for the state key, and `check` a combination of all counts. `score` refuses a sum over
rows of another metric or of several metrics. It also refuses a sum whose columns were not all summed alike: some left out, doubled or
averaged.

Counts fit signed 64-bit integers, which engines sum. A sum is limited to 2^32 segments by `check`, and to 2^31 segments by columns of
exact sums (the means of segment scores); group larger sums in two steps with `merge`.
"""

from ._tables import columns, counts, decode, encode, merge, score, segments, state, statistics, subtract
from .adapters.duckdb import register

__all__ = ["columns", "counts", "decode", "encode", "merge", "register", "score", "segments", "state", "statistics", "subtract"]
