"""Statistics as columns and as bytes, for data beyond one machine: Arrow in and out, any metric by name.

A row of counts for each segment is the exact state of that segment, so an engine's own SUM of every column is the exact state of
all; states that are not a row of counts, such as sets, travel as bytes that merge.

>>> from bleuprint import tables
>>> hyp, ref = ["The dog bit the man.", "It was late."], ["The dog had bit the man.", "It was late."]
>>> rows = tables.counts("bleu", hyp, ref)
>>> rows
Table(2 rows: key, check, segments, references, ...)
>>> state = tables.merge([tables.state("bleu", hyp[:1], ref[:1]), tables.state("bleu", hyp[1:], ref[1:])])
>>> tables.score(rows) == tables.score(state) and tables.encode(rows) == state
True

The metric travels with both: in the metadata of the table's schema and in the bytes. Engines drop metadata, so the first columns are
checks: `key` is a number for the state key, and `check` a combination of all counts. `score` refuses a sum over rows of other or
several metrics, and one whose columns were not all summed alike: left out, doubled, averaged. Counts fit 64 bits with a sign, as
engines have them; `check` bounds a sum to 2^32 segments, columns of exact sums (the means of segment scores) to 2^31: group larger
sums in two steps with `merge`.
"""

from ._tables import columns, counts, decode, encode, merge, score, segments, state, statistics, subtract
from .adapters.duckdb import register

__all__ = ["columns", "counts", "decode", "encode", "merge", "register", "score", "segments", "state", "statistics", "subtract"]
