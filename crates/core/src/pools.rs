//! Pools: many sequences that are scored against each other, and the shorter ways that a metric may have for it.
//!
//! You need this to make a metric of your own fast there; to score a pool, see `bleuprint_eval`, which works with
//! any metric. The plain way observes each pair, or each sequence with all others, as a segment of its own. A metric
//! that can share work between them says so by [`Observe::pair_scorer`](crate::Observe::pair_scorer) and
//! [`Observe::leave_one_out`](crate::Observe::leave_one_out); and what it offers in place of a mean over many references,
//! by [`Observe::aggregate`](crate::Observe::aggregate). The laws, which `laws::check` proves:
//!
//! ```text
//! pair_scorer(H, R).score     at (h, r):  finalize(observe(h, {r}))             to the bit, or NaN
//! leave_one_out(P)            at p:       observe(p, all of P but p)
//! aggregate(H, {r})           at h:       observe(h, {r})
//! ```

use core::ops::Range;

/// The scores of all pairs of a pool: of every hypothesis with every reference alone.
///
/// It owns what it needs of the sequences, and threads share it.
pub trait PairScorer: Send + Sync {
    /// Writes the scores of these hypotheses, row after row, with one score for each reference:
    /// `scores[(h - hypotheses.start) * references + r]`.
    ///
    /// NaN says that the pair must be observed: it has no score, or not by this way.
    fn score(&self, hypotheses: Range<usize>, scores: &mut [f64]);
}
