//! [`Corpus`]: the statistics of every segment, and their merge.

use bleuprint_core::{Accumulator, InputError, Metric, Observe, Result, Scored, State};

/// Statistics per segment, in order, and their total: for resampling, slices and sentence scores.
///
/// ```
/// use bleuprint_eval::Corpus;
/// use bleuprint_metrics::ExactMatch;
/// let mut corpus = Corpus::new(ExactMatch);
/// corpus.observe::<str, _>([("a", ["a"]), ("b", ["c"]), ("d", ["d"])]).unwrap();
/// assert_eq!(corpus.score().unwrap().score.score, 200.0 / 3.0);
/// assert_eq!(corpus.score_of([0, 2]).unwrap().score.score, 100.0);
/// ```
#[derive(Debug, Clone)]
pub struct Corpus<M: Metric> {
    metric: M,
    segments: Vec<State<M::Stats>>,
    total: State<M::Stats>,
}

impl<M: Metric> Corpus<M> {
    /// No segments yet.
    pub fn new(metric: M) -> Self {
        let total = State::zero(&metric);
        Corpus { metric, segments: Vec::new(), total }
    }

    /// Observes segments and appends their statistics.
    ///
    /// # Errors
    /// Those of [`Observe::observe`], with the number of the segment; none of these segments is added then.
    pub fn observe<'s, S, R>(&mut self, segments: impl IntoIterator<Item = (&'s S, R)>) -> Result<()>
    where
        M: Observe<S>,
        S: ?Sized + 's,
        R: AsRef<[&'s S]>,
    {
        let mut accumulator = Accumulator::<&M, S>::new(&self.metric);
        let mut added = Vec::new();
        for (hypothesis, references) in segments {
            added.push(accumulator.push(hypothesis, references.as_ref())?);
        }
        self.total.merge(accumulator.total())?;
        self.segments.extend(added);
        Ok(())
    }

    /// The statistics of each segment, in order.
    pub fn segments(&self) -> &[State<M::Stats>] {
        &self.segments
    }

    /// The merge of all of them.
    pub fn total(&self) -> &State<M::Stats> {
        &self.total
    }

    /// The metric.
    pub fn metric(&self) -> &M {
        &self.metric
    }

    /// The score of the corpus.
    ///
    /// # Errors
    /// [`EmptyCorpus`](bleuprint_core::InputErrorKind::EmptyCorpus).
    pub fn score(&self) -> Result<Scored<M::Score>> {
        self.total.score(&self.metric)
    }

    /// The score of some segments, by index from 0, repeated ones counting as often as they occur; indices beyond
    /// the last segment are an error.
    ///
    /// # Errors
    /// [`EmptyCorpus`](bleuprint_core::InputErrorKind::EmptyCorpus), or an index out of range.
    pub fn score_of(&self, indices: impl IntoIterator<Item = usize>) -> Result<Scored<M::Score>> {
        let mut slice = State::zero(&self.metric);
        for index in indices {
            let segment = self.segments.get(index).ok_or_else(|| {
                InputError::malformed(format!("segment index {index} of {} segments", self.segments.len()))
            })?;
            slice.merge(segment)?;
        }
        slice.score(&self.metric)
    }
}
