//! The laws of the contract as checks that any metric can be put to (feature `laws`).
//!
//! Every kind of metric proves itself in one line of a test:
//!
//! | the metric | the line |
//! |---|---|
//! | over any tokens | [`laws::check(&metric)`](check) |
//! | at the run-time door: ids, tokens or text, with any statistics | [`laws::check_any(&OverText::new(metric))`](check_any) |
//! | over sequences of its own kind, such as `[f32]` | [`laws::check_sequences(&metric, generate, Equality::Exact)`](check_sequences) |
//! | with prepared references, besides | [`laws::check_prepared(&metric, generate)`](check_prepared) |
//!
//! ```
//! use bleuprint_core::*;
//!
//! #[derive(Clone)]
//! struct Tokens;
//!
//! impl Metric for Tokens {
//!     type Stats = [u64; 1];
//!     type Score = f64;
//!     type Scratch = ();
//!     fn identity(&self) -> Identity { Identity::new("tokens", 1, Scale::UNBOUNDED) }
//!     fn finalize(&self, stats: &[u64; 1], _: &SegmentCounts) -> Result<f64, InputError> { Ok(stats[0] as f64) }
//! }
//!
//! impl<T> Observe<[T]> for Tokens {
//!     fn observe(&self, _: &mut (), stats: &mut [u64; 1], segment: Segment<'_, [T]>) -> Result<(), InputError> {
//!         stats.merge(&[segment.hypothesis().len() as u64])
//!     }
//! }
//!
//! laws::check(&Tokens);
//! ```
//!
//! Each check panics with the law that is broken and the segments that break it: they are made for tests. The
//! segments are random, over a tiny alphabet, so that things match; they include empty hypotheses, empty
//! references and varying numbers of references.

mod any;
mod generate;
mod linear;
mod pools;
mod prefixes;
mod prepared;
mod sequences;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;
use std::format;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Linear, Metric, Observe, OverIds, Score};

pub use any::check_any;
pub use generate::{CASES, OwnedSegment, corpora, tokens};
pub use linear::check_linear;
pub use pools::check_pools;
pub use prefixes::check_prefixes;
pub use prepared::check_prepared;
pub use sequences::{Equality, check_identity, check_merging, check_sequences, observe_all};

/// Every law for a metric over any tokens whose statistics are a row of counts: [`check_sequences`],
/// [`check_linear`], [`check_any`] and that it does not matter what the tokens are.
///
/// # Panics
/// When a law is broken.
pub fn check<M>(metric: &M)
where
    M: Observe<[u8]> + Observe<[u32]> + Observe<[String]> + Clone + 'static,
    M: for<'a> Observe<[&'a str]>,
    M::Stats: Linear + PartialEq + Debug + Serialize + DeserializeOwned,
    M::Score: Score,
{
    check_sequences::<[u8], Vec<u8>, M>(metric, tokens, Equality::Exact);
    check_linear::<[u8], Vec<u8>, M>(metric, tokens);
    check_relabelling(metric);
    check_any(&OverIds::new(metric.clone()));
}

/// It does not matter what the tokens are: `u8`, `u32` and `String` give the same.
///
/// # Panics
/// When it does.
pub fn check_relabelling<M>(metric: &M)
where
    M: Observe<[u8]> + Observe<[u32]> + Observe<[String]>,
    M::Stats: PartialEq + Debug,
{
    for corpus in corpora(tokens) {
        let stats = observe_all::<[u8], _, M>(metric, &corpus).stats().clone();
        let ids = relabelled(&corpus, |token| 4_000_000_000 - u32::from(token) * 77_777);
        assert_eq!(
            observe_all::<[u32], _, M>(metric, &ids).stats(),
            &stats,
            "relabelling to ids: {corpus:?}"
        );
        let words = relabelled(&corpus, |token| format!("word-{token}"));
        let of_words = observe_all::<[String], _, M>(metric, &words);
        assert_eq!(of_words.stats(), &stats, "relabelling to words: {corpus:?}");
    }
}

fn relabelled<T>(corpus: &[OwnedSegment<Vec<u8>>], label: impl Fn(u8) -> T) -> Vec<OwnedSegment<Vec<T>>> {
    let sequence = |tokens: &Vec<u8>| tokens.iter().map(|&token| label(token)).collect::<Vec<T>>();
    corpus.iter().map(|segment| segment.map(sequence)).collect()
}

/// The state of a typed metric as it is stored, for comparisons that need no more than that.
fn json(value: &impl Serialize) -> serde_json::Value {
    match serde_json::to_value(value) {
        Ok(json) => json,
        Err(error) => panic!("a state must serialize: {error}"),
    }
}

/// The metric's name, for messages.
fn name<M: Metric>(metric: &M) -> String {
    metric.identity().name()
}
