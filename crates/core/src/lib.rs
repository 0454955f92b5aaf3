//! The traits of bleuprint: metrics collect statistics that can be merged, and compute scores from them.
//!
//! A *metric* is a configuration; its counts are its *statistics*; its result is a *score*. Four methods
//! connect them. [`Metric`] and [`Stats`] list the equations that they obey:
//!
//! ```text
//! zero ──▶ observe ──▶ merge ──▶ finalize
//! ```
//!
//! Statistics merge, scores do not. The score of a corpus is `finalize` of the merged segments, however the
//! corpus is split.
//!
//! | you want | look at |
//! |---|---|
//! | to score something | [`Accumulator`] |
//! | to write a metric | [`Metric`], [`Observe`], [`columns!`]; `laws` of `bleuprint-registry` check it |
//! | to write one in a few lines | [`PerSegment`], [`Totals`], [`form!`] |
//! | to wrap one | [`metric_through!`], [`observe_through!`], [`Ask`] |
//! | the mean of segment scores | [`Mean`] |
//! | to store or send a state | [`State`], [`StateBytes`], [`Tagged`], [`Linear`] |
//! | to choose metrics at run time | `AnyMetric` and `Registry` of `bleuprint-registry` |
//! | parallel streams of references | [`zip_streams`] |
//!
//! The crate does no IO, has no text processing and no tokenizer, and keeps floats out of statistics. It
//! needs `alloc`, not `std`.
#![no_std]

#[macro_use]
extern crate alloc;

mod accumulator;
mod ask;
mod block_capture;
mod block_reader;
mod block_writer;
mod choice;
mod columns;
mod compose;
mod composition;
mod count_row;
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
mod state_bytes;
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
pub use composition::{Composition, Quotient};
pub use count_row::{CountRow, CountWriter};
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
pub use segment::{AsSegment, Segment};
pub use signature::{Signature, VERSION};
pub use single::{NumpyNumber, SinglePrecision};
pub use state::{State, column_names, score_row};
pub use state_bytes::StateBytes;
pub use stats::{Linear, Stats};
pub use streams::zip_streams;
pub use tagged::{Restore, Tagged};
pub use token_space::{Case, TokenSpace};
pub use totals::{Totals, Writing};
pub use unions::{MappedUnions, Unions};
pub use vector::{Vector, VectorValues};
pub use words::{changed_letters, counted, number_text};

/// Result type of operations on input data, with [`InputError`] as the default error.
pub type Result<T, E = InputError> = core::result::Result<T, E>;

/// Dependencies that the macros of this crate refer to, re-exported so that they resolve in the user's crate.
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
