//! Any metric over token ids as a metric of burn's training loop: the value of an epoch is the score of its
//! corpus.
//!
//! burn's own text metrics average the scores of batches, weighted by the numbers of segments. Such an
//! average is not a corpus score, and it depends on the batch size. [`CorpusScore`] merges the statistics of
//! batches instead.
//!
//! | burn requests | and receives |
//! |---|---|
//! | the value of a batch | the score of the batch alone |
//! | the running value | the score of all batches of the epoch so far |
//! | the final value of an epoch | the score of its corpus, bit-identical for any batches |
//!
//! ```
//! use bleuprint_burn::CorpusScore;
//! use bleuprint_metrics::Bleu;
//! use burn_core::data::dataloader::Progress;
//! use burn_core::tensor::{Device, Tensor};
//! use burn_train::metric::{BleuInput, BleuScore, Metric, MetricMetadata, Numeric};
//!
//! let device = Device::default();
//! let batches = [([[1, 2, 3, 4]], [[1, 2, 3, 4]]), ([[1, 2, 8, 9]], [[1, 2, 6, 7]])];
//! let mut ours: CorpusScore<_> = CorpusScore::new("BLEU", Bleu::default());
//! let mut theirs = BleuScore::new();
//! for (hypotheses, references) in batches {
//!     let input = BleuInput::new(Tensor::from_data(hypotheses, &device), Tensor::from_data(references, &device));
//!     let progress = Progress { items_processed: 1, items_total: 2, unit: None };
//!     let metadata = MetricMetadata { progress, iteration: None, lr: None };
//!     ours.update(&input, &metadata).unwrap();
//!     theirs.update(&input, &metadata).unwrap();
//! }
//! // 100 and 0 make 50, but the corpus has the precisions 6/8, 4/6, 2/4, 1/2.
//! assert_eq!(theirs.final_value().current(), 50.0);
//! assert_eq!(format!("{:.2}", ours.final_value().current()), "59.46");
//! ```

mod ids;
mod input;

use std::marker::PhantomData;
use std::sync::Arc;

use bleuprint_core::{Accumulator, Direction, InputError, Observe, Score, Segment, State};
use burn_core::tensor::TensorReadError;
use burn_std::ExecutionError;
use burn_train::metric::{
    BleuInput, Metric, MetricAttributes, MetricMetadata, MetricName, Numeric, NumericAttributes,
    NumericEntry, SerializedEntry,
};

use ids::Ids;
pub use input::{Batch, MultiReferenceInput};

/// Metric over ids in burn's training loop: a typed metric, or an `AnyMetric` from `for_ids`.
///
/// `I` is the input that an `Adaptor<I>` takes from the model's output. It may be an input of burn's own
/// metrics, so that existing adaptors work, or [`MultiReferenceInput`].
pub struct CorpusScore<M: Observe<[u32]>, I = BleuInput> {
    name: MetricName,
    metric: M,
    pad: Option<i64>,
    total: State<M::Stats>,
    /// Score of the last batch, if it has one.
    batch: Option<f64>,
    evaluates: bool,
    input: PhantomData<fn(&I)>,
}

impl<M: Observe<[u32]>, I> CorpusScore<M, I> {
    /// Creates the metric under a name. burn distinguishes metrics and names files by it, so every
    /// configuration needs its own name.
    pub fn new(name: &str, metric: M) -> Self {
        let name = Arc::new(name.to_owned());
        let total = State::zero(&metric);
        CorpusScore { name, metric, pad: None, total, batch: None, evaluates: false, input: PhantomData }
    }

    /// Ends each row at the first id that equals this one, as burn's own metrics do: padding, -100, or the
    /// end of the sequence.
    #[must_use]
    pub fn with_pad_token(mut self, id: i64) -> Self {
        self.pad = Some(id);
        self
    }

    /// Adapts the metric to burn's `Evaluator`, which never requests the final value, averages the values of
    /// batches, and does not clear between the tests of `eval_all`. Every batch therefore logs the corpus
    /// score so far as final, and burn keeps the last one. The first batch of a test clears the metric.
    #[must_use]
    pub fn for_evaluator(mut self) -> Self {
        self.evaluates = true;
        self
    }

    /// Returns the metric over ids that computes the scores.
    pub fn metric(&self) -> &M {
        &self.metric
    }

    /// Returns the state since the last clear, to be stored or merged with states of other processes.
    pub fn total(&self) -> &State<M::Stats> {
        &self.total
    }

    /// Adds a state of the same metric: the epoch so far of a checkpoint, or the state of another process.
    ///
    /// # Errors
    /// Returns the errors of [`State::merge`].
    pub fn merge(&mut self, state: &State<M::Stats>) -> Result<(), InputError> {
        self.total.merge(state)
    }
}

impl<M: Observe<[u32], Score: Score>, I: Batch> CorpusScore<M, I> {
    /// Adds a batch: all of its segments, or none if one is rejected.
    fn observe(&mut self, input: &I) -> Result<(), TensorReadError> {
        let hypotheses = Ids::read("hypotheses", input.hypotheses(), self.pad)?;
        let streams = input
            .references()
            .into_iter()
            .enumerate()
            .map(|(at, tensor)| Ids::read(&format!("reference stream {}", at + 1), tensor, self.pad));
        let streams = streams.collect::<Result<Vec<_>, _>>()?;
        let segments = ids::segments(&hypotheses, &streams)?;
        let segments: Vec<_> =
            segments.iter().map(|(hypothesis, references)| Segment::new(*hypothesis, references)).collect();
        // The batch is counted alone and merged at the end, so a bad segment leaves the total as it was.
        let mut batch = Accumulator::<_, [u32]>::new(&self.metric);
        batch.push_each(&segments).map_err(|error| self.failure(&error))?;
        self.total.merge(batch.total()).map_err(|error| self.failure(&error))?;
        self.batch = batch.score().ok().map(|scored| scored.score.value());
        Ok(())
    }

    /// Returns the score of all segments observed so far, or `None` if there are none.
    fn running(&self) -> Result<Option<f64>, TensorReadError> {
        if self.total.counts().segments == 0 {
            return Ok(None);
        }
        let scored = self.total.score(&self.metric).map_err(|error| self.failure(&error))?;
        Ok(Some(scored.score.value()))
    }

    /// Converts an error. burn has no error for input that cannot be scored except the error of reading
    /// tensors, which ends the training.
    fn failure(&self, error: &InputError) -> TensorReadError {
        failure(&format!("{}: {error}", self.name))
    }

    fn entry(&self, running: Option<f64>, logged: Option<NumericEntry>) -> SerializedEntry {
        // Percent with two decimals and shares with four show the same precision.
        let decimals = if self.metric.scale().percent { 2 } else { 4 };
        let show = |value: Option<f64>| match value {
            Some(value) => format!("{value:.decimals$}"),
            None => SerializedEntry::NOT_AVAILABLE.to_owned(),
        };
        let logged = logged.map_or(SerializedEntry::NOT_AVAILABLE.to_owned(), |entry| entry.serialize());
        SerializedEntry::new(format!("epoch {} - batch {}", show(running), show(self.batch)), logged)
    }

    fn logged(&self, running: Option<f64>) -> Option<NumericEntry> {
        if self.evaluates { running.map(NumericEntry::Final) } else { self.batch.map(NumericEntry::Value) }
    }
}

fn failure(message: &str) -> TensorReadError {
    ExecutionError::with_context(message.to_owned()).into()
}

impl<M, I> Metric for CorpusScore<M, I>
where
    M: Observe<[u32], Score: Score> + Clone,
    I: Batch,
{
    type Input = I;

    fn name(&self) -> MetricName {
        self.name.clone()
    }

    fn description(&self) -> Option<String> {
        Some(self.metric.signature().to_string())
    }

    fn attributes(&self) -> MetricAttributes {
        let higher_is_better = self.metric.scale().direction == Direction::HigherIsBetter;
        NumericAttributes { unit: None, higher_is_better }.into()
    }

    fn update(&mut self, input: &I, metadata: &MetricMetadata) -> Result<SerializedEntry, TensorReadError> {
        // burn's evaluator counts the batches of each test from 1.
        if self.evaluates && metadata.iteration == Some(1) {
            self.clear();
        }
        self.observe(input)?;
        let running = self.running()?;
        Ok(self.entry(running, self.logged(running)))
    }

    fn compute(&mut self) -> Result<SerializedEntry, TensorReadError> {
        let running = self.running()?;
        Ok(self.entry(running, running.map(NumericEntry::Final)))
    }

    fn clear(&mut self) {
        self.total = State::zero(&self.metric);
        self.batch = None;
    }
}

impl<M, I> Numeric for CorpusScore<M, I>
where
    M: Observe<[u32], Score: Score> + Clone,
    I: Batch,
{
    fn value(&self) -> Option<NumericEntry> {
        self.logged(self.running().ok().flatten())
    }

    fn running_value(&self) -> Option<NumericEntry> {
        self.running().ok().flatten().map(NumericEntry::Value)
    }

    /// Returns NaN if nothing was observed, as burn's own metrics do.
    fn final_value(&self) -> NumericEntry {
        NumericEntry::Final(self.running().ok().flatten().unwrap_or(f64::NAN))
    }
}

impl<M: Observe<[u32]> + Clone, I> Clone for CorpusScore<M, I> {
    fn clone(&self) -> Self {
        CorpusScore {
            name: self.name.clone(),
            metric: self.metric.clone(),
            pad: self.pad,
            total: self.total.clone(),
            batch: self.batch,
            evaluates: self.evaluates,
            input: PhantomData,
        }
    }
}
