//! Clipped n-gram counts of token sequences: the exact kernel of BLEU, over any `T: Hash + Eq`.
//!
//! A segment is a hypothesis and its references, each a sequence of tokens. For every order `n` from 1 up,
//! the *clipped* count is
//!
//! ```text
//! Σ over distinct n-grams of the hypothesis of min(count in it, max over references of count in that one)
//! ```
//!
//! [`overlap()`] computes it. [`prepare`] and [`PreparedIds`] do the work on the references once for many
//! hypotheses. [`Interner`] turns tokens of any type into dense ids for consumers that accept only `u32`, and
//! [`ByteInterner`] does so for pieces of text. All are exact: a hash chooses where to search, equality
//! decides. [`naive::overlap`] is the definition in code, and every algorithm is tested against it.
//!
//! [`NgramSet`] outlives a segment; its tokens have a text ([`Word`]). [`NumberedNgrams`] numbers every
//! n-gram of a segment, for metrics that need more than the count of matches.
//!
//! # The algorithms
//!
//! ```text
//! overlap.rs      chooses the fastest algorithm for each segment
//! token.rs        reads tokens that are integers as ids, without a trait bound
//! hashed.rs       gives ids to all other tokens: by hash, with every equality checked
//! masks.rs        short references (up to 64 tokens): positions as bits of a mask
//! claims.rs       clips in masks: each hypothesis n-gram claims one free reference position
//! ladder.rs       long references: order by order, keeping only n-grams that both sides have
//! sieve.rs        changes from ladder.rs to masks as soon as few enough n-grams are left
//! index.rs        hash table of ladder.rs, safe against keys crafted for quadratic time
//! rungs.rs        the tables of ladder.rs, built once for references that meet many hypotheses
//! pairwise/       compares all pairs of many hypotheses and many references
//! gains.rs        marks matching n-grams at their last token, for the counts of every prefix
//! leave_one_out/  compares each of many sequences with all the others
//! ```
//!
//! All working tables are in a [`Scratch`], which holds no token and no lifetime. After the first segments it
//! is large enough, and nothing more is allocated.
//!
//! The crate is `no_std` and needs `alloc`.
#![no_std]

extern crate alloc;

mod claims;
mod gains;
mod hashed;
mod index;
mod intern;
mod intern_bytes;
mod ladder;
mod leave_one_out;
mod masks;
pub mod naive;
mod numbered;
mod overlap;
pub mod pairwise;
mod pool;
mod prepared;
mod prepared_ids;
mod rows;
mod rungs;
mod scratch;
mod set;
mod sieve;
mod token;
mod vocabulary;
mod word;

pub use gains::{MOST_GAIN_ORDERS, gains};
pub use intern::{Interner, SegmentIds};
pub use intern_bytes::ByteInterner;
pub use leave_one_out::{LeaveOneOut, leave_one_out};
pub use numbered::NumberedNgrams;
pub use overlap::overlap;
pub use pool::with_ids;
pub use prepared::{PreparedReferences, prepare};
pub use prepared_ids::PreparedIds;
pub use scratch::Scratch;
pub use set::{Full, NgramSet, Numbers, ranks};
pub use token::as_ids;
pub use vocabulary::Vocabulary;
pub use word::Word;
