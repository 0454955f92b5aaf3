//! [`LikelihoodStats`]: the exact sum of log-likelihoods and the number of units, such as tokens, by which it
//! is divided.

use core::fmt::Display;

use bleuprint_core::{ExactSum, InputError, Linear, Result, SegmentCounts};
use serde::{Deserialize, Serialize};

/// The statistics of log-likelihoods: their sum, the number of units, and counts of tokens and segments.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct LikelihoodStats {
    /// Exact sum of all log-likelihoods. It also stores the number of values.
    pub loglik: ExactSum,
    /// Number of units, such as tokens or bytes, by which the sum of log-likelihoods is divided.
    pub units: u64,
    /// Number of tokens without a log-likelihood.
    pub nulls: u64,
    /// Number of segments with a log-likelihood.
    pub scored: u64,
}

impl Linear for LikelihoodStats {
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
        Linear::columns(&mut self.loglik, &mut |column, count| {
            visit(&format_args!("loglik.{column}"), count)
        });
        visit(&"units", &mut self.units);
        visit(&"nulls", &mut self.nulls);
        visit(&"scored", &mut self.scored);
    }
    fn check_bounds(&self, counts: &SegmentCounts) -> Result<()> {
        InputError::require_at_most(
            "segments with a log-likelihood",
            self.scored,
            "segments",
            counts.segments,
        )
    }
    fn without_number(&self, counts: &SegmentCounts) -> u64 {
        counts.segments.saturating_sub(self.scored)
    }
}
