//! Scores the texts of a list (pool), such as candidate translations, against each other: all pairs, the
//! candidate with the best expected score, or each text against all others.
//!
//! | You have | You want | See |
//! |---|---|---|
//! | hypotheses and references | the score of every pair | [`pairwise`] |
//! | candidates of one source | the best candidate by minimum Bayes risk | [`mbr`] |
//! | samples, or references of one segment | each against all others: Self-BLEU, the human ceiling | [`leave_one_out()`] |
//!
//! Any metric can be used. Metrics with a faster method ([`Wanted`](bleuprint_core::Wanted)) use it, and the
//! scores match bit for bit; other metrics observe pair by pair.

pub(crate) mod encoded;
mod leave_one_out;
pub mod mbr;
pub mod pairwise;

#[cfg(doc)]
use bleuprint_core::Observe;

pub use leave_one_out::leave_one_out;
