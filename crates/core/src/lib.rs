//! The contract of bleuprint: metrics whose integer statistics merge, subtract and finalize.
//!
//! A *metric* is a configuration; what it counts are its *statistics*; what comes out is a *score*. Statistics
//! merge, scores do not: the score of a corpus is `finalize` of the merge of its segments, however it is cut.
//!
//! | you want | look at |
//! |---|---|
//! | to score something | [`Accumulator`] |
//! | to write a metric | [`Metric`], [`Observe`], [`Stats`], and [`laws`] to prove it |
//! | to store or send a state | [`Tagged`], [`Linear`] |
//! | to choose metrics at run time | [`ErasedMetric`], [`Registry`] |
//! | parallel streams of references | [`Segments`] |
//!
//! The crate does no IO, knows no text and no tokenizer, and holds no float in its statistics. It needs `alloc`,
//! not `std` (except the `laws` feature, which is for tests).
#![no_std]

extern crate alloc;
#[cfg(feature = "laws")]
extern crate std;

mod accumulator;
mod compose;
mod erased;
mod error;
mod key;
mod labelled;
#[cfg(feature = "laws")]
pub mod laws;
mod metric;
mod prepare;
mod registry;
mod score;
mod segments;
mod signature;
mod single;
mod stats;
mod tagged;

pub use accumulator::{Accumulator, score_observed};
pub use erased::{ErasedMetric, ErasedScratch, ErasedStats};
pub use error::{ConfigError, InputError, InputErrorKind, Location};
pub use key::{Case, StateKey, TokenSpace};
pub use labelled::Labelled;
pub use metric::{Metric, Observe};
pub use prepare::Prepare;
pub use registry::{Build, Entry, OptionKind, OptionSpec, Options, Registry};
pub use score::{AnyScore, Direction, Part, PartValue, Scale, Score, Scored, Show};
pub use segments::Segments;
pub use signature::{Signature, VERSION};
pub use single::{Number, SinglePrecision};
pub use stats::{Linear, Observed, References, ReferencesPerSegment, Stats, row_length};
pub use tagged::{TAGGED_VERSION, Tagged};
