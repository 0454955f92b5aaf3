//! [`ErasedMetric`]: the object-safe twin of [`Metric`] + [`Observe`], for plug-ins chosen at run time.
//!
//! It is token-free: segments arrive as `u32` ids that stand for tokens (equal ids for equal tokens, within one
//! segment or overall), so one plug-in serves every token type. That loses nothing, because of the relabelling
//! law. Every metric that observes `[u32]` and whose statistics are [`Linear`] has this twin without a line of
//! code. The methods have other names than the typed ones, so that a value with both is never ambiguous.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;

use crate::accumulator::score_observed;
use crate::{
    AnyScore, InputError, Linear, Metric, Observe, Observed, References, Score, Scored, Signature, StateKey,
    Stats,
};

/// Statistics whose type is known only to the metric that made them.
///
/// Handing them to another metric is an error, never a panic.
pub struct ErasedStats {
    value: Box<dyn ErasedState>,
}

/// What an [`ErasedStats`] can do without knowing its metric.
trait ErasedState: Any + Send + Sync {
    fn clone_box(&self) -> Box<dyn ErasedState>;
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl<S: Stats> ErasedState for Observed<S> {
    fn clone_box(&self) -> Box<dyn ErasedState> {
        Box::new(self.clone())
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

impl Clone for ErasedStats {
    fn clone(&self) -> Self {
        ErasedStats { value: self.value.clone_box() }
    }
}

impl fmt::Debug for ErasedStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ErasedStats")
    }
}

impl ErasedStats {
    fn get<S: Stats>(&self) -> Result<&Observed<S>, InputError> {
        self.value.as_any().downcast_ref().ok_or_else(foreign)
    }

    fn get_mut<S: Stats>(&mut self) -> Result<&mut Observed<S>, InputError> {
        self.value.as_any_mut().downcast_mut().ok_or_else(foreign)
    }
}

fn foreign() -> InputError {
    InputError::malformed_state("statistics or scratch of another metric")
}

/// Scratch whose type is known only to the metric that made it.
pub struct ErasedScratch {
    value: Box<dyn Any + Send>,
}

impl fmt::Debug for ErasedScratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ErasedScratch")
    }
}

/// A metric behind a pointer. See the module documentation.
pub trait ErasedMetric: Send + Sync {
    /// [`Metric::zero`].
    fn erased_zero(&self) -> ErasedStats;

    /// Fresh tables for one thread.
    fn erased_scratch(&self) -> ErasedScratch;

    /// [`Observe::observe`] over ids.
    ///
    /// # Errors
    /// Those of `observe`, and foreign statistics or scratch.
    fn erased_observe(
        &self,
        scratch: &mut ErasedScratch,
        stats: &mut ErasedStats,
        hypothesis: &[u32],
        references: &[&[u32]],
    ) -> Result<(), InputError>;

    /// [`Linear::checked_merge`].
    ///
    /// # Errors
    /// Foreign statistics, or a sum that does not fit 64 bits.
    fn erased_merge(&self, stats: &mut ErasedStats, other: &ErasedStats) -> Result<(), InputError>;

    /// [`Linear::retract`].
    ///
    /// # Errors
    /// Foreign statistics, or a count that would fall below zero.
    fn erased_retract(&self, stats: &mut ErasedStats, other: &ErasedStats) -> Result<(), InputError>;

    /// [`Metric::finalize`], with the signature.
    ///
    /// # Errors
    /// Foreign statistics, or [`EmptyCorpus`](crate::InputErrorKind::EmptyCorpus).
    fn erased_score(&self, stats: &ErasedStats) -> Result<Scored<AnyScore>, InputError>;

    /// The names of the columns of [`ErasedMetric::erased_row`].
    fn erased_columns(&self) -> Vec<String>;

    /// The statistics as a row of counts: segments, references, their squares, then the metric's own.
    ///
    /// # Errors
    /// Foreign statistics.
    fn erased_row(&self, stats: &ErasedStats) -> Result<Vec<u64>, InputError>;

    /// The statistics of a row.
    ///
    /// # Errors
    /// A row of another length, or one that [`Metric::check`] refuses.
    fn erased_from_row(&self, row: &[u64]) -> Result<ErasedStats, InputError>;

    /// [`Metric::state_key`].
    fn erased_state_key(&self) -> StateKey;

    /// [`Metric::signature`].
    fn erased_signature(&self) -> Signature;
}

impl<M> ErasedMetric for M
where
    M: Observe<[u32]>,
    M::Stats: Linear,
    M::Score: Score,
    M::Scratch: 'static,
{
    fn erased_zero(&self) -> ErasedStats {
        ErasedStats { value: Box::new(observed_zero(self)) }
    }

    fn erased_scratch(&self) -> ErasedScratch {
        ErasedScratch { value: Box::new(M::Scratch::default()) }
    }

    fn erased_observe(
        &self,
        scratch: &mut ErasedScratch,
        stats: &mut ErasedStats,
        hypothesis: &[u32],
        references: &[&[u32]],
    ) -> Result<(), InputError> {
        let scratch: &mut M::Scratch = scratch.value.downcast_mut().ok_or_else(foreign)?;
        let observed = stats.get_mut::<M::Stats>()?;
        self.observe(scratch, &mut observed.stats, hypothesis, references)?;
        observed.references.merge(&References::of_segment(references.len()));
        Ok(())
    }

    fn erased_merge(&self, stats: &mut ErasedStats, other: &ErasedStats) -> Result<(), InputError> {
        stats.get_mut::<M::Stats>()?.checked_merge(other.get()?)
    }

    fn erased_retract(&self, stats: &mut ErasedStats, other: &ErasedStats) -> Result<(), InputError> {
        stats.get_mut::<M::Stats>()?.retract(other.get()?)
    }

    fn erased_score(&self, stats: &ErasedStats) -> Result<Scored<AnyScore>, InputError> {
        let Scored { score, signature } = score_observed(self, stats.get::<M::Stats>()?)?;
        Ok(Scored { score: AnyScore::new(signature.metric(), &score), signature })
    }

    fn erased_columns(&self) -> Vec<String> {
        observed_zero(self).columns()
    }

    fn erased_row(&self, stats: &ErasedStats) -> Result<Vec<u64>, InputError> {
        Ok(stats.get::<M::Stats>()?.row())
    }

    fn erased_from_row(&self, row: &[u64]) -> Result<ErasedStats, InputError> {
        let mut observed = observed_zero(self);
        observed.read_row(row)?;
        observed.references.check()?;
        self.check(&observed.stats)?;
        Ok(ErasedStats { value: Box::new(observed) })
    }

    fn erased_state_key(&self) -> StateKey {
        self.state_key()
    }

    fn erased_signature(&self) -> Signature {
        self.signature()
    }
}

fn observed_zero<M: Metric>(metric: &M) -> Observed<M::Stats> {
    Observed { references: References::default(), stats: metric.zero() }
}
