//! The contract of bleuprint: metrics whose statistics merge and finalize.
//!
//! A *metric* is a configuration; its counts are its *statistics*; its result is a *score*. Four verbs lead from one to the next, and
//! their laws stand at [`Metric`] and [`Stats`]:
//!
//! ```text
//! zero ──▶ observe ──▶ merge ──▶ finalize
//! ```
//!
//! Statistics merge, scores do not: the score of a corpus is `finalize` of the merge of its segments, for every cut.
//!
//! | you want | look at |
//! |---|---|
//! | to score something | [`Accumulator`] |
//! | to write a metric | [`Metric`], [`Observe`], [`columns!`]; `laws` of `bleuprint-registry` prove it |
//! | to write one in a few lines | [`PerSegment`], [`Totals`], [`form!`] |
//! | to wrap one | [`metric_through!`], [`observe_through!`], [`Ask`] |
//! | the mean of segment scores | [`Mean`] |
//! | to store or send a state | [`State`], [`Tagged`], [`Linear`] |
//! | to choose metrics at run time | `AnyMetric` and `Registry` of `bleuprint-registry` |
//! | parallel streams of references | [`zip_streams`] |
//!
//! The crate does no IO, knows no text and no tokenizer, and holds no float in its statistics. It needs `alloc`,
//! not `std`.
#![no_std]

#[macro_use]
extern crate alloc;

mod accumulator;
mod ask;
mod choice;
mod columns;
mod compose;
mod composition;
mod counts;
mod error;
mod form;
mod forwarded;
mod identity;
mod interrupt;
mod key;
mod labelled;
mod mean;
mod metric;
mod observe;
mod per_segment;
mod prelude;
mod score;
mod segment;
mod signature;
mod signed;
mod single;
mod state;
mod stats;
mod streams;
mod tagged;
mod token_space;
mod totals;
mod unions;
mod vector;
mod words;

pub use bleuprint_math::ExactSum;

pub use accumulator::Accumulator;
pub use ask::{Answer, Ask, PairScorer, Pairing, Wanted};
pub use choice::Choice;
pub use composition::Composition;
pub use counts::SegmentCounts;
pub use error::{ConfigError, InputError, InputErrorKind, Location};
pub use form::Form;
pub use identity::{Declared, Identity, Needs};
pub use interrupt::{answer_interrupts, check_interrupt};
pub use key::{KeyPart, StateKey};
pub use labelled::Labelled;
pub use mean::{Mean, MeanStats};
pub use metric::Metric;
pub use observe::{Observe, Prepared};
pub use per_segment::PerSegment;
pub use score::{Direction, PartValue, PlainScore, Scale, Score, ScorePart, Scored, ShowPart};
pub use segment::Segment;
pub use signature::{Signature, VERSION};
pub use single::{Number, SinglePrecision};
pub use state::{State, column_names, score_row};
pub use stats::{Linear, Stats};
pub use streams::zip_streams;
pub use tagged::{Restore, Tagged};
pub use token_space::{Case, TokenSpace};
pub use totals::Totals;
pub use unions::{MappedUnions, Unions};
pub use vector::{Vector, VectorValues};
pub use words::counted;

/// The result of operations on input.
pub type Result<T, E = InputError> = core::result::Result<T, E>;

/// The dependencies of the macros where these are used, and of `bleuprint-registry`.
#[doc(hidden)]
pub mod export {
    pub use alloc::borrow::Cow;
    pub use alloc::boxed::Box;
    pub use alloc::sync::Arc;
    pub use alloc::vec::Vec;

    pub use crate::columns::ByName;
    pub use crate::signed::Signed;
    pub use serde;
}
