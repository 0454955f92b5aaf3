//! [`Accumulator`]: push segments, merge with others, ask for the score at any time.

use core::fmt;
use core::marker::PhantomData;

use crate::{
    InputError, InputErrorKind, Linear, Location, Metric, Observe, Observed, References, Scored, Stats,
    Tagged,
};

/// A metric, what it has observed so far, and its scratch: what a training loop or a service keeps.
///
/// `S` is the kind of sequence that is pushed: `[u32]`, `[char]`, `str`, ..
///
/// ```
/// # use bleuprint_core::*;
/// # struct Matches;
/// # impl Metric for Matches {
/// #     type Stats = References; type Score = u64;
/// #     fn zero(&self) -> References { References::default() }
/// #     fn finalize(&self, seen: &References) -> u64 { seen.segments }
/// #     fn state_key(&self) -> StateKey { StateKey::new("matches", 1) }
/// #     fn signature(&self) -> Signature { Signature::new("Matches") }
/// # }
/// # impl Observe<str> for Matches {
/// #     type Scratch = ();
/// #     fn observe(&self, _: &mut (), s: &mut References, h: &str, r: &[&str]) -> Result<(), InputError> {
/// #         if r.contains(&h) { s.merge(&References::of_segment(r.len())) } Ok(())
/// #     }
/// # }
/// let mut accumulator = Accumulator::<_, str>::new(Matches);
/// let segment = accumulator.push("a", &["a", "b"]).unwrap();
/// accumulator.push("c", &["a", "b"]).unwrap();
/// assert_eq!(accumulator.score().unwrap().score, 1);
/// assert_eq!(accumulator.score_of(&segment).unwrap().signature.get("nrefs"), Some("2"));
/// ```
pub struct Accumulator<M: Observe<S>, S: ?Sized> {
    metric: M,
    total: Observed<M::Stats>,
    scratch: M::Scratch,
    sequence: PhantomData<fn(&S)>,
}

/// The copy has the same metric and observations, and scratch of its own: scratch never changes a result.
impl<S: ?Sized, M: Observe<S> + Clone> Clone for Accumulator<M, S> {
    fn clone(&self) -> Self {
        Accumulator {
            metric: self.metric.clone(),
            total: self.total.clone(),
            scratch: M::Scratch::default(),
            sequence: PhantomData,
        }
    }
}

impl<S: ?Sized, M: Observe<S> + fmt::Debug> fmt::Debug for Accumulator<M, S>
where
    M::Stats: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Accumulator")
            .field("metric", &self.metric)
            .field("total", &self.total)
            .finish_non_exhaustive()
    }
}

impl<S: ?Sized, M: Observe<S>> Accumulator<M, S> {
    /// Nothing observed yet.
    pub fn new(metric: M) -> Self {
        let total = Observed { references: References::default(), stats: metric.zero() };
        Accumulator { metric, total, scratch: M::Scratch::default(), sequence: PhantomData }
    }

    /// Observes one segment, and returns its own statistics.
    ///
    /// # Errors
    /// Those of [`Observe::observe`], with the number of the segment; nothing is added then.
    pub fn push(&mut self, hypothesis: &S, references: &[&S]) -> Result<Observed<M::Stats>, InputError> {
        let mut stats = self.metric.zero();
        self.metric
            .observe(&mut self.scratch, &mut stats, hypothesis, references)
            .map_err(|error| error.at(Location::segment(self.total.references.segments + 1)))?;
        let segment = Observed { references: References::of_segment(references.len()), stats };
        self.total.merge(&segment);
        Ok(segment)
    }

    /// Observes several segments, and returns the statistics of all of them together.
    ///
    /// # Errors
    /// Those of [`Accumulator::push`]; the whole batch is then left out.
    pub fn push_batch<'s, R>(
        &mut self,
        segments: impl IntoIterator<Item = (&'s S, R)>,
    ) -> Result<Observed<M::Stats>, InputError>
    where
        S: 's,
        R: AsRef<[&'s S]>,
    {
        let mut batch = Observed { references: References::default(), stats: self.metric.zero() };
        for (hypothesis, references) in segments {
            let references = references.as_ref();
            let number = self.total.references.segments + batch.references.segments + 1;
            self.metric
                .observe(&mut self.scratch, &mut batch.stats, hypothesis, references)
                .map_err(|error| error.at(Location::segment(number)))?;
            batch.references.merge(&References::of_segment(references.len()));
        }
        self.total.merge(&batch);
        Ok(batch)
    }

    /// Adds what another accumulator of the same metric has observed.
    ///
    /// # Errors
    /// [`UnlikeStates`](InputErrorKind::UnlikeStates) when the state keys differ.
    pub fn merge(&mut self, other: &Self) -> Result<(), InputError> {
        crate::tagged::require_same_key(&self.metric.state_key(), &other.metric.state_key())?;
        self.total.merge(&other.total);
        Ok(())
    }

    /// Adds a state that comes from elsewhere.
    ///
    /// # Errors
    /// Those of [`Tagged::open`], and [`CountRange`](InputErrorKind::CountRange) when a sum does not fit 64 bits.
    pub fn merge_tagged(&mut self, other: Tagged<M::Stats>) -> Result<(), InputError>
    where
        M::Stats: Linear,
    {
        self.total.checked_merge(&other.open(&self.metric)?)
    }

    /// Takes out what was pushed or merged before: a sliding window, or leave-one-out.
    ///
    /// # Errors
    /// [`CountRange`](InputErrorKind::CountRange) when it was never in; nothing changes then.
    pub fn retract(&mut self, segment: &Observed<M::Stats>) -> Result<(), InputError>
    where
        M::Stats: Linear,
    {
        self.total.retract(segment)
    }

    /// The score of all that was observed, with its signature.
    ///
    /// # Errors
    /// [`EmptyCorpus`](InputErrorKind::EmptyCorpus) when nothing was.
    pub fn score(&self) -> Result<Scored<M::Score>, InputError> {
        self.score_of(&self.total)
    }

    /// The score of statistics that [`Accumulator::push`] or [`Accumulator::push_batch`] returned.
    ///
    /// # Errors
    /// [`EmptyCorpus`](InputErrorKind::EmptyCorpus) when there are no segments in them.
    pub fn score_of(&self, observed: &Observed<M::Stats>) -> Result<Scored<M::Score>, InputError> {
        score_observed(&self.metric, observed)
    }

    /// The metric.
    pub fn metric(&self) -> &M {
        &self.metric
    }

    /// All that was observed.
    pub fn total(&self) -> &Observed<M::Stats> {
        &self.total
    }

    /// All that was observed, labelled for a file or another program.
    pub fn tagged(&self) -> Tagged<M::Stats> {
        Tagged::new(&self.metric, self.total.clone())
    }

    /// Forgets all that was observed, but keeps the scratch.
    pub fn reset(&mut self) {
        self.total = Observed { references: References::default(), stats: self.metric.zero() };
    }
}

/// The score of what `metric` observed, with its signature; an error when it observed nothing.
///
/// # Errors
/// [`EmptyCorpus`](InputErrorKind::EmptyCorpus).
pub fn score_observed<M: Metric>(
    metric: &M,
    observed: &Observed<M::Stats>,
) -> Result<Scored<M::Score>, InputError> {
    if observed.references.segments == 0 {
        return Err(InputErrorKind::EmptyCorpus.into());
    }
    let signature = metric.signature().with_references(&observed.references);
    Ok(Scored { score: metric.finalize(&observed.stats), signature })
}
