//! The laws of the contract as checks for any metric (feature `laws`).
//!
//! Every kind of metric proves itself in one line of a test:
//!
//! | the metric | the line |
//! |---|---|
//! | over any tokens | [`laws::check(&metric)`](check) |
//! | chosen at run time, over ids, tokens or text | [`laws::check_any(&AnyMetric::over_text(metric)?)`](check_any) |
//! | over data of its own, a [`Form`](bleuprint_core::Form) | [`laws::check_any_over(&AnyMetric::over_own::<F, _>(metric), make)`](check_any_over) |
//! | over sequences of its own kind, such as `[f32]` | [`laws::check_sequences(&metric, make)`](check_sequences) |
//! | in front of another | [`laws::check_wrapper(&metric, make, &wrapper, make)`](check_wrapper) |
//! | in several configurations, besides | [`laws::check_distinct(&metrics)`](check_distinct) |
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
//! Each check panics with the metric, the law that is broken, and the smallest segments that break it: they are made
//! for tests. The segments are random, over a tiny alphabet, so that things match; they include empty hypotheses, empty
//! references and varying numbers of references. Data that change neither statistics nor score prove nothing, and fail.
//! ARCHITECTURE.md lists the laws.

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

use serde::Serialize;

use bleuprint_core::{Metric, Observe, Restore};

use broken::Held;
use corpora::{Owned, hold, hold_on_corpora, sample};
use seen::{Reached, Subject};

pub use any::check_any;
pub use distinct::check_distinct;
pub use tokens::check;
pub use whole::check_any_over;
pub use wrapper::check_wrapper;

/// Every law for a metric over sequences of its own kind, which `make` makes from bytes. Reduce each byte modulo a small
/// number, so that sequences have much in common. For metrics over any tokens use [`check`].
///
/// # Panics
/// When a law is broken.
pub fn check_sequences<S, O, M>(metric: &M, make: impl Fn(&[u8]) -> O + Sync)
where
    S: ?Sized,
    O: Borrow<S> + Debug,
    M: Observe<S>,
    M::Stats: PartialEq + Debug + Serialize + Restore,
{
    check_subject(&Subject::new::<S, O, _>(metric, &make, false), |_| Ok(()));
}

/// Every law, and `more` for this metric.
fn check_subject(subject: &Subject<'_>, more: impl Fn(&[Owned]) -> Held) {
    let name = subject.metric.identity().name();
    hold(&name, || subject.hold_without_corpus());
    let reached = Reached::default();
    hold_on_corpora(&name, &*subject.show, &|corpus| {
        more(corpus)?;
        subject.hold_on(corpus, &reached)
    });
    hold(&name, || reached.require());
    hold(&name, || hold_on_sample(subject));
}

/// The laws of one corpus.
fn hold_on_sample(subject: &Subject<'_>) -> Held {
    subject.look_at(&sample(), |seen| {
        seen.threads()?;
        subject.hostile_states(&seen.whole)
    })
}
