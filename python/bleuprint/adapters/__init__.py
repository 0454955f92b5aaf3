"""Metrics in other libraries' shapes. None of those libraries is imported, except for the base class of a callback.

* `distributed.SummedMetric`: update, compute, reset as in torchmetrics; its state is a row of integers, summed over ranks.
* `evaluate.Evaluation`: add, add_batch and compute as in evaluate.
* `jiwer.process_words` and its relatives: alignments, counts and error rates in the shape of jiwer 4.
* `lm_eval.aggregation`: an aggregation function for lm-evaluation-harness.
* `trl.reward_function`: a reward function for TRL's trainers.
* `spark.score`, `ray.score`: the scores of groups of a data frame or dataset of many machines; see also `bleuprint.tables`.
* `keras.validation_callback`, `lightning.validation_callback`: the score of the validation data at the end of each epoch.
"""
