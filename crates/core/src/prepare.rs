//! [`Prepare`]: references whose share of the work is done once, for metrics that can.
//!
//! You need it where many hypotheses meet the same references: rollouts of one prompt, candidates of one source,
//! systems on one test set. Elsewhere [`Observe`] is as fast and simpler.
//!
//! The law, for every hypothesis `h` and references `r`:
//!
//! ```text
//! observe_prepared(h, prepare(r)) = observe(h, r)          statistics and errors alike
//! ```

use crate::{InputError, Labelled, Observe};

/// A metric that can do the references' share of the work before it sees a hypothesis.
pub trait Prepare<S: ?Sized>: Observe<S> {
    /// The references of one segment with their share done: owned, so that threads can share it.
    type Prepared: Send + Sync;

    /// Does what depends on the references alone.
    ///
    /// # Errors
    /// Those of [`Observe::observe`] that depend on the references alone.
    fn prepare(&self, scratch: &mut Self::Scratch, references: &[&S]) -> Result<Self::Prepared, InputError>;

    /// Adds one segment to `stats`: as [`Observe::observe`] with the references that were prepared.
    ///
    /// # Errors
    /// Those of [`Observe::observe`]; after an error `stats` is unchanged.
    fn observe_prepared(
        &self,
        scratch: &mut Self::Scratch,
        stats: &mut Self::Stats,
        hypothesis: &S,
        prepared: &Self::Prepared,
    ) -> Result<(), InputError>;
}

/// What stands in front of a metric that prepares: a reference to it, and its label.
macro_rules! forward {
    ($(<$($lifetime:lifetime,)? $M:ident> for $Outer:ty, $inner:ident => $metric:expr;)+) => {$(
        impl<$($lifetime,)? S: ?Sized, $M: Prepare<S>> Prepare<S> for $Outer {
            type Prepared = $M::Prepared;

            fn prepare(
                &self,
                scratch: &mut Self::Scratch,
                references: &[&S],
            ) -> Result<Self::Prepared, InputError> {
                let $inner = self;
                $metric.prepare(scratch, references)
            }

            fn observe_prepared(
                &self,
                scratch: &mut Self::Scratch,
                stats: &mut Self::Stats,
                hypothesis: &S,
                prepared: &Self::Prepared,
            ) -> Result<(), InputError> {
                let $inner = self;
                $metric.observe_prepared(scratch, stats, hypothesis, prepared)
            }
        }
    )+};
}

forward! {
    <'m, M> for &'m M, inner => (**inner);
    <M> for Labelled<M>, inner => inner.metric();
}
