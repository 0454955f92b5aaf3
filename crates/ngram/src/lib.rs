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
//! [`ByteInterner`] does so for pieces of text. All are exact: a hash only chooses where to search, and
//! tokens are compared. [`naive::overlap`] is the definition in code, and every algorithm is tested against
//! it.
//!
//! [`NgramSet`] keeps n-grams across segments, so its tokens must have a text ([`Word`]). [`NumberedNgrams`]
//! numbers every n-gram of a segment, for metrics that need more than the count of matches.
//!
//! # The algorithms
//!
//! ```text
//! overlap.rs   the dispatch: a path for each segment
//! token.rs     tokens that are integers: used as ids without a hash table
//! hashed.rs    tokens of other types: numbered by a hash table that compares the tokens themselves
//! masks.rs     references of up to 64 tokens: positions of each token as a bit mask
//! wide.rs      one reference of 65 to 128 tokens: masks of two words
//! claims.rs    matched positions are taken out of the masks, which clips the counts
//! ladder.rs    longer references: order by order, with only the n-grams that both sides have
//! sieve.rs     returns to bit masks when few n-grams of both sides are left
//! index.rs     hash table from n-grams to numbers, safe against inputs crafted for quadratic time
//! rungs.rs     ladder.rs for references that are prepared once for many hypotheses
//! pairwise/    all pairs of many hypotheses and many references
//! gains        which n-grams match, stored at their last token
//! leave_one_out/  each of many sequences against all the others
//! ```
//!
//! All working tables are in a [`Scratch`], which holds no token and no lifetime. After the first segments it
//! is large enough, and nothing more is allocated.
//!
//! The crate needs `alloc`. Without the feature `std` it is `no_std`.
#![cfg_attr(not(any(test, feature = "std")), no_std)]

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
mod wide;
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
