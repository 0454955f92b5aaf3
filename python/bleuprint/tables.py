"""Statistics as columns and as bytes, for data beyond one machine: Arrow in and out, any metric by name.

A row of counts for each segment is the exact state of that segment, so an engine's own SUM of every column is the exact state of
all; states that are no row of counts, such as sets, travel as bytes that merge.

>>> from bleuprint import tables
>>> hyp, ref = ["The dog bit the man.", "It was late."], ["The dog had bit the man.", "It was late."]
>>> rows = tables.counts("bleu", hyp, ref)
>>> rows
Table(2 rows: key, segments, references, references_squared, ...)
>>> state = tables.merge([tables.state("bleu", hyp[:1], ref[:1]), tables.state("bleu", hyp[1:], ref[1:])])
>>> tables.score(rows) == tables.score(state) and tables.encode(rows) == state
True

The metric travels with both: in the metadata of the table's schema and in the bytes. Engines drop metadata, so the first column, `key`,
is a number for the state key: a sum over other rows, or over rows of several metrics, is refused by `score`. Counts fit 64 bits with
a sign, as engines have them; `key` bounds a sum to 2^39 segments, columns of exact sums (the means of segment scores) to 2^31:
group larger sums in two steps with `merge`.
"""

from ._tables import columns, counts, decode, encode, merge, score, segments, state, statistics
from .adapters.duckdb import register

__all__ = ["columns", "counts", "decode", "encode", "merge", "register", "score", "segments", "state", "statistics"]
