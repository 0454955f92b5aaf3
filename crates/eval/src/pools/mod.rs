//! Pools: many sequences scored against each other: all pairs, candidates by expected utility, each against the others.
//!
//! | you have | you want | look at |
//! |---|---|---|
//! | hypotheses and references | the score of every pair | [`pairwise`] |
//! | candidates of one source | the best by minimum Bayes risk | [`mbr`] |
//! | samples, or references of one segment | each against all the others: Self-BLEU, the human ceiling | [`leave_one_out()`] |
//!
//! Any metric can be used. Those that have a shorter way ([`Wanted`](bleuprint_core::Wanted)) take it, and the scores have
//! the same bits; the others are observed pair by pair.

pub(crate) mod encoded;
mod leave_one_out;
pub mod mbr;
pub mod pairwise;

#[cfg(doc)]
use bleuprint_core::Observe;

pub use leave_one_out::leave_one_out;
