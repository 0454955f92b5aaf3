"""Metrics in other libraries' shapes. No library is imported, except by those that make its own types.

* `distributed.SummedMetric`: update, compute, reset as in torchmetrics; its state is a row of integers, summed over ranks.
* `evaluate.Evaluation`: add, add_batch and compute as in evaluate; `evaluate.Rouge` is its `rouge`.
* `jiwer.process_words` and its relatives: alignments, counts and error rates in the shape of jiwer 4.
* `trl.reward_function`: reward functions for TRL's trainers.
* `duckdb.score`, `spark.score`, `ray.score`: the scores of groups of a relation, data frame or dataset; see also `bleuprint.tables`.

The page `docs/harnesses.md` has recipes for other harnesses and trainers.
"""
