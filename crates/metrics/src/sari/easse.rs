//! [`EasseSari`]: SARI as EASSE computes it, from counts summed over the corpus.

use core::fmt::Display;
use core::hash::Hash;

use bleuprint_core::{
    Identity, InputError, Linear, Metric, Observe, PlainScore, Result, Scale, Segment, SegmentCounts, Stats,
};
use serde::{Deserialize, Serialize};

use super::entry::SariSettings;
use super::score_of;
use super::segment::{ORDERS, SariOperation, SariScratch, count};

/// SARI like `corpus_sari` of EASSE: precision and recall from sums over the corpus, F for each n-gram order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct EasseSari {
    precision_of_deletions: bool,
    average_first: bool,
}

impl EasseSari {
    /// Sets whether deletions are scored by precision, as in the paper, or by F; `yes` is EASSE's
    /// `use_f1_for_deletion=False`.
    #[must_use]
    pub(crate) fn precision_of_deletions(self, yes: bool) -> Self {
        EasseSari { precision_of_deletions: yes, ..self }
    }

    /// Sets whether precision and recall are averaged over n-gram orders before F is computed; `yes` is
    /// EASSE's `use_paper_version=True`.
    #[must_use]
    pub(crate) fn average_first(self, yes: bool) -> Self {
        EasseSari { average_first: yes, ..self }
    }

    fn scores(&self, stats: &EasseStats) -> [f64; 3] {
        let score = |operations: &[SariOperation; ORDERS], precision_only| {
            if self.average_first {
                of_averages(operations, precision_only)
            } else {
                average(operations, precision_only)
            }
        };
        [
            score(&stats.add, false),
            score(&stats.keep, false),
            score(&stats.delete, self.precision_of_deletions),
        ]
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EasseStats {
    /// Counts of n-grams that are in the hypothesis or references but not in the source, for each order; each
    /// distinct n-gram counts once in a segment.
    pub add: [SariOperation; ORDERS],
    /// Counts of kept source n-grams for each order: kept by the hypothesis, by the references, and by both.
    /// The counts of all references are added, so the hypothesis is counted once for each reference.
    pub keep: [SariOperation; ORDERS],
    /// Counts of deleted source n-grams for each order: deleted by the hypothesis, by the references, and by
    /// both. The counts of all references are added, so the hypothesis is counted once for each reference.
    pub delete: [SariOperation; ORDERS],
}

impl Linear for EasseStats {
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
        let EasseStats { add, keep, delete } = self;
        for (name, operations) in [("add", add), ("keep", keep), ("delete", delete)] {
            for (order, operation) in (1..).zip(operations) {
                visit(&format_args!("{name}_correct_{order}"), &mut operation.correct);
                visit(&format_args!("{name}_hypothesis_{order}"), &mut operation.hypothesis);
                visit(&format_args!("{name}_references_{order}"), &mut operation.references);
            }
        }
    }
}

impl Metric for EasseSari {
    type Stats = EasseStats;
    type Score = PlainScore;
    type Scratch = SariScratch;

    fn identity(&self) -> Identity {
        let EasseSari { precision_of_deletions, average_first } = *self;
        SariSettings { easse: true, precision_of_deletions, average_first }
            .add_to_identity(Identity::new("sari", 1, Scale::PERCENT))
            .named("SARI")
            .needing(|needs| needs.source = true)
    }
    fn finalize(&self, stats: &EasseStats, _: &SegmentCounts) -> Result<PlainScore> {
        let [add, keep, delete] = self.scores(stats).map(|score| 100.0 * score);
        Ok(score_of((add + keep + delete) / 3.0, [add, keep, delete]))
    }

    fn check(&self, stats: &EasseStats, _: &SegmentCounts) -> Result<()> {
        for operation in stats.add.iter().chain(&stats.keep).chain(&stats.delete) {
            InputError::require_at_most("correct", operation.correct, "hypothesis", operation.hypothesis)?;
            InputError::require_at_most("correct", operation.correct, "references", operation.references)?;
        }
        Ok(())
    }
}

impl<T: Hash + Eq> Observe<[T]> for EasseSari {
    fn observe(
        &self,
        scratch: &mut SariScratch,
        stats: &mut EasseStats,
        segment: Segment<'_, [T]>,
    ) -> Result<()> {
        let orders = count(scratch, segment, false)?;
        let (add, keep) = (orders.map(|order| order.add), orders.map(|order| order.keep));
        stats.merge(&EasseStats { add, keep, delete: orders.map(|order| order.delete) })
    }
}

fn average(operations: &[SariOperation; ORDERS], precision_only: bool) -> f64 {
    operations.iter().fold(0.0, |sum, operation| {
        let (precision, recall) = precision_and_recall(operation);
        sum + if precision_only { precision } else { f(precision, recall) } / ORDERS as f64
    })
}

fn of_averages(operations: &[SariOperation; ORDERS], precision_only: bool) -> f64 {
    let mut precisions = 0.0;
    let mut recalls = 0.0;
    for operation in operations {
        let (precision, recall) = precision_and_recall(operation);
        precisions += precision;
        recalls += recall;
    }
    let precision = precisions / ORDERS as f64;
    let recall = recalls / ORDERS as f64;
    if precision_only { precision } else { f(precision, recall) }
}

fn precision_and_recall(operation: &SariOperation) -> (f64, f64) {
    let ratio = |all: u64| if all == 0 { 0.0 } else { operation.correct as f64 / all as f64 };
    (ratio(operation.hypothesis), ratio(operation.references))
}

fn f(precision: f64, recall: f64) -> f64 {
    if precision > 0.0 && recall > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 }
}
