//! Pools: many sequences scored against each other: all pairs, candidates by expected utility, each against the others.
//!
//! | you have | you want | look at |
//! |---|---|---|
//! | hypotheses and references | the score of every pair | [`pairwise`] |
//! | candidates of one source | the best by minimum Bayes risk | [`mbr`] |
//! | samples, or references of one segment | each against all the others: Self-BLEU, the human ceiling | [`self_score`] |
//!
//! Any metric can be used. Those that have a shorter way ([`Observe::pair_scorer`],
//! [`Observe::leave_one_out`](bleuprint_core::Observe::leave_one_out)) take it, and the scores have the same bits;
//! the others are observed pair by pair.

pub(crate) mod encoded;
pub mod mbr;
pub mod pairwise;
pub mod self_score;

#[cfg(doc)]
use bleuprint_core::Observe;
