//! Property tests that check that a metric obeys the laws of the traits (feature `laws`), such as that
//! merging counts equals counting the merged segments.
//!
//! One line in a test checks a metric:
//!
//! | the metric | the line |
//! |---|---|
//! | over any tokens | [`laws::check(&metric)`](check) |
//! | chosen at run time, over ids, tokens or text | [`laws::check_any(&AnyMetric::for_text(metric)?)`](check_any) |
//! | over data of a type it defines, a [`Form`](bleuprint_core::Form) | [`laws::check_any_for(&AnyMetric::for_own::<F, _>(metric), make)`](check_any_for) |
//! | over sequences of another kind, such as `[f32]` | [`laws::check_sequences::<[f32]>(&metric, make)`](check_sequences) |
//! | a wrapper of another metric | [`laws::check_wrapper(&metric, make, &wrapper, make)`](check_wrapper) |
//! | in several configurations (additional) | [`laws::check_distinct(&metrics)`](check_distinct) |
//!
//! ```
//! use bleuprint_core::*;
//! use bleuprint_registry::*;
//!
//! #[derive(Clone)]
//! struct Tokens;
//!
//! impl Metric for Tokens {
//!     type Stats = [u64; 1];
//!     type Score = f64;
//!     type Scratch = ();
//!     fn identity(&self) -> Identity { Identity::new("tokens", 1, Scale::UNBOUNDED).reference_free() }
//!     fn finalize(&self, stats: &[u64; 1], _: &SegmentCounts) -> Result<f64> { Ok(stats[0] as f64) }
//! }
//!
//! impl<T> Observe<[T]> for Tokens {
//!     fn observe(&self, _: &mut (), stats: &mut [u64; 1], segment: Segment<'_, [T]>) -> Result<()> {
//!         stats.merge(&[segment.hypothesis.len() as u64])
//!     }
//! }
//!
//! laws::check(&Tokens);
//! ```
//!
//! Each check panics with the metric, the broken law, and the smallest segments that break it, so call it in
//! tests. The segments are random over a tiny alphabet, so that they match. They include empty hypotheses,
//! empty references and varying numbers of references. Data that changes neither statistics nor score proves
//! nothing and fails too. ARCHITECTURE.md lists the laws.

mod any;
mod broken;
mod corpora;
mod distinct;
mod finishing;
mod form;
mod hostile;
mod identity;
mod merging;
mod prelude;
mod rows;
mod seen;
mod speed_ups;
mod storing;
mod tokens;
mod whole;
mod wrapper;

use core::borrow::Borrow;
use core::fmt::Debug;
use std::borrow::ToOwned;

use serde::Serialize;

use bleuprint_core::{Metric, Observe, Restore};

use broken::Held;
use corpora::{OwnedSegment, hold, hold_on_corpora, sample};
use seen::{LawSubject, Reached};

pub use any::check_any;
pub use distinct::check_distinct;
pub use tokens::check;
pub use whole::check_any_for;
pub use wrapper::check_wrapper;

/// Tests that a metric obeys every law (required property), with input sequences that `make` makes from
/// random bytes. Reduce each byte modulo a small number, so that sequences have much in common. For metrics
/// over any tokens use [`check`].
///
/// # Panics
/// Panics if the metric breaks a law.
pub fn check_sequences<S>(
    metric: &impl Observe<S, Stats: PartialEq + Debug + Serialize + Restore>,
    make: impl Fn(&[u8]) -> S::Owned + Sync,
) where
    S: ToOwned<Owned: Debug> + ?Sized,
{
    check_borrowed::<S, S::Owned, _>(metric, make);
}

/// Tests a metric like [`check_sequences`], with sequences of another type than `S::Owned`, such as a type
/// that prints itself in another way.
///
/// # Panics
/// Panics if the metric breaks a law.
pub fn check_borrowed<S, O, M>(metric: &M, make: impl Fn(&[u8]) -> O + Sync)
where
    S: ?Sized,
    O: Borrow<S> + Debug,
    M: Observe<S>,
    M::Stats: PartialEq + Debug + Serialize + Restore,
{
    check_subject(&LawSubject::new::<S, O, _>(metric, &make, false), |_| Ok(()));
}

/// Runs every property test for a metric under test, and the additional tests `more` on each test corpus.
fn check_subject(subject: &LawSubject<'_>, more: impl Fn(&[OwnedSegment]) -> Held) {
    let name = subject.metric.identity().name();
    hold(&name, || subject.hold_without_corpus());
    let reached = Reached::default();
    hold_on_corpora(&name, &*subject.show, &|corpus| {
        more(corpus)?;
        subject.hold_on(corpus, &reached)
    });
    // After all corpora, because a single one may well contain no match.
    hold(&name, || reached.require());
    hold(&name, || hold_on_sample(subject));
}

/// Runs the property tests of a metric that need only one corpus.
fn hold_on_sample(subject: &LawSubject<'_>) -> Held {
    subject.look_at(&sample(), |seen| {
        seen.threads()?;
        subject.hostile_states(&seen.whole)
    })
}
