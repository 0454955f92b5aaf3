//! [`CodeBleuStats`]: the statistics of CodeBLEU. All are counts, so they can be merged, subtracted and
//! resampled.

use core::fmt::Display;

use bleuprint_core::{InputError, Linear, Result, SegmentCounts};
use serde::{Deserialize, Serialize};

pub(crate) const ORDERS: usize = 4;

/// Statistics of CodeBLEU, summed over segments. The four parts of the score depend on the number of segments
/// and on all fields except the last three. The last three count programs with parse errors, and programs
/// whose search for data flow was given up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct CodeBleuStats {
    /// Total number of tokens of all hypotheses.
    pub hyp_len: u64,
    /// Total number of reference tokens. In each segment, only the reference closest in length to the
    /// hypothesis is counted; ties go to the shorter.
    pub ref_len: u64,
    /// Number of hypothesis n-grams that match a reference, for each n-gram order.
    pub clipped: [u64; ORDERS],
    /// Number of hypothesis n-grams, for each n-gram order; at least 1 in each segment.
    pub total: [u64; ORDERS],
    /// Number of reference n-grams that match the hypothesis, for each n-gram order from 1 to 4. A matching
    /// keyword counts 5 in order 1; every other token and every longer n-gram counts 1.
    pub weighted_clipped: [u64; ORDERS],
    /// Number of reference n-grams, for each n-gram order from 1 to 4. A keyword counts 5 in order 1; every
    /// other token and every longer n-gram counts 1. A short reference counts at least 5 in order 1 and at
    /// least 1 in the other orders.
    pub weighted_total: [u64; ORDERS],
    /// Number of sub-trees of the references' syntax trees that also occur in the syntax trees of their
    /// hypotheses.
    pub syntax_matched: u64,
    /// Number of sub-trees of the references' syntax trees.
    pub syntax_total: u64,
    /// Number of data flows (a variable and the variables it gets its value from) of the references that also
    /// occur in their hypotheses.
    pub flow_matched: u64,
    /// Number of data flows (a variable and the variables it gets its value from) of the references.
    pub flow_total: u64,
    /// Number of hypotheses with a parse error; their syntax trees count nevertheless.
    pub broken_hypotheses: u64,
    /// Number of references with a parse error; their syntax trees count nevertheless.
    pub broken_references: u64,
    /// Number of hypotheses and references for which the search for data flow was given up; their data flow
    /// is empty.
    pub flows_given_up: u64,
}

impl Linear for CodeBleuStats {
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
        visit(&"hyp_len", &mut self.hyp_len);
        visit(&"ref_len", &mut self.ref_len);
        for (name, counts) in [
            ("clipped", &mut self.clipped),
            ("total", &mut self.total),
            ("weighted_clipped", &mut self.weighted_clipped),
            ("weighted_total", &mut self.weighted_total),
        ] {
            for (order, count) in (1..).zip(counts) {
                visit(&format_args!("{name}_{order}"), count);
            }
        }
        for (name, count) in [
            ("syntax_matched", &mut self.syntax_matched),
            ("syntax_total", &mut self.syntax_total),
            ("flow_matched", &mut self.flow_matched),
            ("flow_total", &mut self.flow_total),
            ("broken_hypotheses", &mut self.broken_hypotheses),
            ("broken_references", &mut self.broken_references),
            ("flows_given_up", &mut self.flows_given_up),
        ] {
            visit(&name, count);
        }
    }

    fn check_bounds(&self, counts: &SegmentCounts) -> Result<()> {
        let at_most = InputError::require_at_most;
        let segments = counts.segments;
        let references = counts.references;
        for order in 0..ORDERS {
            at_most("clipped", self.clipped[order], "total", self.total[order])?;
            at_most("segments", segments, "total", self.total[order])?;
            let weighted = self.weighted_clipped[order];
            let total = self.weighted_total[order];
            at_most("weighted_clipped", weighted, "weighted_total", total)?;
            at_most("references", references, "weighted_total", total)?;
        }
        at_most("syntax_matched", self.syntax_matched, "syntax_total", self.syntax_total)?;
        at_most("references", references, "syntax_total", self.syntax_total)?;
        at_most("flow_matched", self.flow_matched, "flow_total", self.flow_total)?;
        at_most("broken_hypotheses", self.broken_hypotheses, "segments", segments)?;
        at_most("broken_references", self.broken_references, "references", references)?;
        at_most("flows_given_up", self.flows_given_up, "texts", segments.saturating_add(references))
    }
}
