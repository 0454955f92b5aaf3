"""Metrics in the interfaces of other libraries. A library is imported only by an adapter that returns its types.

* `distributed.SummedMetric`: update, compute and reset as in torchmetrics; the state is a row of integers, summed over ranks.
* `evaluate.Evaluation`: add, add_batch and compute as in evaluate; `evaluate.Rouge` replaces `evaluate.load("rouge")`.
* `jiwer`: the functions, transforms and modules of jiwer 4; `rouge_score`: those of rouge_score. After `install()` of an adapter,
  other libraries import it in place of the library.
* `nltk.sentence_bleu` and related functions: NLTK's scores over lists of tokens.
* `trl.reward_function`: reward functions for TRL's trainers.
* `duckdb.score`, `polars.score`, `spark.score`, `ray.score`: scores by groups of a relation, data frame or dataset; see also
  `bleuprint.tables`.

The page `docs/harnesses.md` has recipes for other harnesses and trainers.
"""
