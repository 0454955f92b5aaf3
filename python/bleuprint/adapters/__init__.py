"""Metrics in other libraries' shapes. No library is imported, except by those that make its own types.

* `distributed.SummedMetric`: update, compute, reset as in torchmetrics; its state is a row of integers, summed over ranks.
* `evaluate.Evaluation`: add, add_batch and compute as in evaluate; `evaluate.Rouge` is its `rouge`.
* `jiwer.process_words` and its relatives: alignments, counts and error rates in the shape of jiwer 4.
* `lm_eval.aggregation`: an aggregation function for lm-evaluation-harness.
* `trl.reward_function`, `verl.reward_function`: reward functions for TRL's trainers and for verl.
* `transformers.compute_metrics`: a function of predicted ids and labels for the trainers of transformers.
* `inspect_ai.scorer`, `lighteval.CorpusLevel`, `mlflow.evaluation_metric`, `ragas.Scorer`, `evidently.rows`: a scorer, the
  corpus level of a metric, an evaluation metric, a scorer of samples and a descriptor for these.
* `spark.score`, `ray.score`: the scores of groups of a data frame or dataset of many machines; see also `bleuprint.tables`.
* `keras.validation_callback`, `lightning.validation_callback`: the score of the validation data at the end of each epoch.
"""
