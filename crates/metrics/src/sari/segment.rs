//! SARI's counts of one segment: kept, deleted and added n-grams, each counted for the hypothesis, for the
//! references, and for both.

use core::hash::Hash;

use bleuprint_core::{Result, Segment};
use bleuprint_ngram::NumberedNgrams;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

pub(super) const ORDERS: usize = 4;

/// Working memory of SARI, tables that are reused from segment to segment.
#[derive(Debug, Clone, Default)]
pub struct SariScratch {
    ngrams: NumberedNgrams,
    source: Vec<u64>,
    hypothesis: Vec<u64>,
    references: Vec<u64>,
}

/// Counts of n-grams to which one of SARI's operations (keep, delete or add) was applied: correctly, by the
/// hypothesis, and by the references.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "closed: columns, which the layout numbers")]
pub struct SariOperation {
    /// Number of n-grams to which the hypothesis correctly applied the operation (keep, delete or add).
    pub correct: u64,
    /// Number of n-grams to which the hypothesis applied the operation (keep, delete or add).
    pub hypothesis: u64,
    /// Number of n-grams to which the references applied the operation (keep, delete or add).
    pub references: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct SariOrderCounts {
    pub(super) keep: SariOperation,
    pub(super) delete: SariOperation,
    pub(super) add: SariOperation,
    /// Sum and number of the ratios `right / kept`, one for each n-gram that the hypothesis keeps. `kept` is
    /// the number of kept occurrences, and `right` is the number of those that should be kept.
    kept: Ratios,
    deleted: Ratios,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Ratios {
    sum: f64,
    count: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct SegmentScores {
    pub(super) sari: f64,
    pub(super) keep: f64,
    pub(super) delete: f64,
    pub(super) add: f64,
}

/// Counts the n-grams that are kept, deleted and added in a segment, for each n-gram order in turn.
///
/// If `empty_token` is set, an empty text is one token that differs from all others, because Python's
/// `"".split(" ")` is `[""]`.
pub(super) fn count<T: Hash + Eq>(
    scratch: &mut SariScratch,
    segment: Segment<'_, [T]>,
    empty_token: bool,
) -> Result<[SariOrderCounts; ORDERS]> {
    let source = segment.source()?;
    let references = segment.references()?;
    let mut sequences: SmallVec<[&[T]; 16]> = SmallVec::with_capacity(references.len() + 1);
    sequences.push(segment.hypothesis);
    sequences.extend_from_slice(references);
    // The source is numbered first, so its n-grams have the lowest numbers, in the order of first
    // occurrence.
    scratch.ngrams.begin(source, &sequences);
    let mut orders = [SariOrderCounts::default(); ORDERS];
    for (index, order) in orders.iter_mut().enumerate() {
        if index > 0 {
            scratch.ngrams.climb();
        }
        // Only order 1 has the token of an empty text: a single token has no longer n-grams.
        scratch.fill(references.len(), empty_token && index == 0);
        *order = scratch.order(references.len() as u64);
    }
    Ok(orders)
}

impl SariScratch {
    fn fill(&mut self, references: usize, empty_token: bool) {
        let distinct = self.ngrams.distinct();
        let tally = |counts: &mut Vec<u64>, sequences: core::ops::Range<usize>| {
            counts.clear();
            counts.resize(distinct + usize::from(empty_token), 0);
            for sequence in sequences {
                let numbers = self.ngrams.sequence(sequence);
                numbers.iter().for_each(|&number| counts[number as usize] += 1);
                if empty_token && numbers.is_empty() {
                    counts[distinct] += 1;
                }
            }
        };
        tally(&mut self.source, 0..1);
        tally(&mut self.hypothesis, 1..2);
        tally(&mut self.references, 2..2 + references);
    }

    /// Returns the kept, deleted and added counts of the current n-gram order. Sums run over the n-grams of
    /// the source in the order of their first occurrence.
    fn order(&self, references: u64) -> SariOrderCounts {
        let mut order = SariOrderCounts::default();
        let counts = self.source.iter().zip(&self.hypothesis).zip(&self.references);
        for ((&source, &hypothesis), &in_references) in counts {
            // Source and hypothesis are counted once for each reference, so that their counts compare with
            // the sum over all references (Xu et al. 2016).
            let source = references * source;
            let hypothesis = references * hypothesis;
            order.keep(source.min(hypothesis), source.min(in_references));
            order.delete(
                source.saturating_sub(hypothesis),
                source.saturating_sub(in_references),
                in_references,
            );
            if source == 0 {
                order.add(hypothesis > 0, in_references > 0);
            }
        }
        order
    }
}

impl SariOrderCounts {
    fn keep(&mut self, kept: u64, to_keep: u64) {
        let correct = kept.min(to_keep);
        self.keep += SariOperation { correct, hypothesis: kept, references: to_keep };
        self.kept += (correct, kept);
    }

    fn delete(&mut self, deleted: u64, to_delete: u64, in_references: u64) {
        self.delete +=
            SariOperation { correct: deleted.min(to_delete), hypothesis: deleted, references: to_delete };
        // A deletion is right as far as the references lack the n-gram, so precision subtracts all their
        // occurrences.
        self.deleted += (deleted.saturating_sub(in_references), deleted);
    }

    /// Counts one distinct n-gram that is not in the source, for SARI's operation "add". `added` is true if
    /// the hypothesis has it, and `to_add` if a reference has it.
    fn add(&mut self, added: bool, to_add: bool) {
        self.add += SariOperation {
            correct: u64::from(added && to_add),
            hypothesis: u64::from(added),
            references: u64::from(to_add),
        };
    }

    /// Returns SARI's F of the n-grams kept from the source. Precision is a mean over n-grams, recall a ratio
    /// of sums.
    fn keep_score(&self) -> f64 {
        f(self.kept.mean_or_one(), ratio_or_one(self.keep.correct, self.keep.references))
    }

    fn delete_score(&self) -> f64 {
        self.deleted.mean_or_one()
    }

    fn add_score(&self) -> f64 {
        let SariOperation { correct, hypothesis, references } = self.add;
        f(ratio_or_one(correct, hypothesis), ratio_or_one(correct, references))
    }
}

pub(super) fn score(orders: &[SariOrderCounts; ORDERS]) -> SegmentScores {
    let mean = |score: fn(&SariOrderCounts) -> f64| orders.iter().map(score).sum::<f64>() / ORDERS as f64;
    let [keep, delete, add] =
        [SariOrderCounts::keep_score, SariOrderCounts::delete_score, SariOrderCounts::add_score].map(mean);
    SegmentScores { sari: (keep + delete + add) / 3.0, keep, delete, add }
}

impl Ratios {
    /// Returns the mean of the ratios that were added for SARI, or 1 if there are none.
    fn mean_or_one(&self) -> f64 {
        if self.count == 0 { 1.0 } else { self.sum / self.count as f64 }
    }
}

/// Returns the ratio `right / all`, or 1 for `0/0` as SARI's original program does.
fn ratio_or_one(right: u64, all: u64) -> f64 {
    if all == 0 { 1.0 } else { right as f64 / all as f64 }
}

fn f(precision: f64, recall: f64) -> f64 {
    if precision > 0.0 || recall > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 }
}

impl core::ops::AddAssign for SariOperation {
    fn add_assign(&mut self, other: Self) {
        self.correct += other.correct;
        self.hypothesis += other.hypothesis;
        self.references += other.references;
    }
}

impl core::ops::AddAssign<(u64, u64)> for Ratios {
    /// Adds the ratio `right / done` of one n-gram to the sum: `right` of `done` deletions (or keeps) of the
    /// n-gram are correct. Adds nothing if `done` is 0.
    fn add_assign(&mut self, (right, done): (u64, u64)) {
        if done > 0 {
            self.sum += right as f64 / done as f64;
            self.count += 1;
        }
    }
}
