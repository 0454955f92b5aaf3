//! Statistics of NIST, and the metric of its first pass, which counts the n-grams of all references.

use core::fmt::Display;

use bleuprint_core::{
    ConfigError, ExactSum, Identity, InputError, InputErrorKind, Linear, Metric, Observe, PlainScore, Result,
    Scale, Segment, SegmentCounts, Stats,
};
use bleuprint_ngram::Word;
use serde::{Deserialize, Serialize};

use super::NistArithmetic;
use super::entry::NistSettings;
use super::segment::{NistLengths, OrderInfo};
use crate::shared::ngrams::NgramCounts;

/// Statistics of NIST, from which its score is computed. Sums of information (n-gram weights) are exact, so
/// they merge and subtract without rounding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct NistStats {
    /// Sum of the information (weights) of the matching n-grams, for each n-gram order.
    pub info: Vec<ExactSum>,
    /// Number of hypothesis n-grams, for each n-gram order.
    pub total: Vec<u64>,
    /// Number of hypothesis tokens. Under NLTK's rules the length is added once for each n-gram order.
    pub hyp_len: u64,
    /// Number of tokens of all references. Under NLTK's rules it is the length of the chosen reference, added
    /// once for each n-gram order.
    pub ref_len: u64,
    /// Number of segments whose references are all empty.
    pub unreferenced: u64,
}

impl NistStats {
    pub(super) fn new(max_order: usize) -> Self {
        NistStats {
            info: vec![ExactSum::default(); max_order],
            total: vec![0; max_order],
            hyp_len: 0,
            ref_len: 0,
            unreferenced: 0,
        }
    }

    /// Replaces all sums by those of one segment, in the memory that they have.
    pub(super) fn hold_segment(
        &mut self,
        orders: &[OrderInfo],
        lengths: NistLengths,
        unreferenced: bool,
    ) -> Result<()> {
        (self.hyp_len, self.ref_len) = (lengths.hypothesis, lengths.references);
        self.unreferenced = u64::from(unreferenced);
        self.total.clear();
        self.total.extend(orders.iter().map(|order| order.total));
        self.info.clear();
        self.info.resize(orders.len(), ExactSum::default());
        for (order, info) in orders.iter().zip(&mut self.info) {
            info.add(order.info)?;
        }
        Ok(())
    }

    fn lengths(&self) -> [u64; 3] {
        [self.hyp_len, self.ref_len, self.unreferenced]
    }

    pub(super) fn check(
        &self,
        max_order: usize,
        rules: NistArithmetic,
        counts: &SegmentCounts,
    ) -> Result<()> {
        if self.info.len() != max_order || self.total.len() != max_order {
            let message = format!("{} orders, where {max_order} were expected", self.info.len());
            return Err(InputError::malformed_state(message));
        }
        InputError::require_at_most("unreferenced", self.unreferenced, "segments", counts.segments)?;
        for info in &self.info {
            Scale::UNBOUNDED.check_mean(info, counts.segments)?;
        }
        let times = if rules == NistArithmetic::Nltk { max_order as u64 } else { 1 };
        let hyp_len = self.total.first().and_then(|tokens| tokens.checked_mul(times));
        if hyp_len != Some(self.hyp_len) {
            let message = format!("hypotheses of length {} with {:?} n-grams", self.hyp_len, self.total);
            return Err(InputError::malformed_state(message));
        }
        for (order, pair) in (1..).zip(self.total.windows(2)) {
            // A hypothesis with n-grams of an order has one more of them than of the next order.
            if pair[0].checked_sub(pair[1]).is_none_or(|hypotheses| hypotheses > counts.segments) {
                return Err(InputError::malformed_state(format!(
                    "{} n-grams of order {order} and {} of the next, in {} segments",
                    pair[0], pair[1], counts.segments
                )));
            }
        }
        Ok(())
    }
}

impl Linear for NistStats {
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
        for (order, (info, total)) in (1..).zip(self.info.iter_mut().zip(&mut self.total)) {
            Linear::columns(info, &mut |name, count| visit(&format_args!("info_{order}.{name}"), count));
            visit(&format_args!("total_{order}"), total);
        }
        visit(&"hyp_len", &mut self.hyp_len);
        visit(&"ref_len", &mut self.ref_len);
        visit(&"unreferenced", &mut self.unreferenced);
    }

    fn add(&mut self, other: &Self) -> Result<()> {
        let fit = |ours: &[u64], theirs: &[u64]| {
            ours.len() == theirs.len()
                && ours.iter().zip(theirs).all(|(one, &other)| one.checked_add(other).is_some())
        };
        let sums = || self.info.iter().zip(&other.info);
        let fits = self.info.len() == other.info.len()
            && sums().all(|(one, other)| fit(&one.columns, &other.columns))
            && fit(&self.total, &other.total)
            && fit(&self.lengths(), &other.lengths());
        if !fits {
            // `add_columns` repeats the failed addition, and its error names the column.
            return self.add_columns(other);
        }
        for (sum, info) in self.info.iter_mut().zip(&other.info) {
            Linear::add(sum, info)?;
        }
        self.total.iter_mut().zip(&other.total).for_each(|(sum, total)| *sum += total);
        self.hyp_len += other.hyp_len;
        self.ref_len += other.ref_len;
        self.unreferenced += other.unreferenced;
        Ok(())
    }
}

/// First pass of NIST: counts each n-gram in the references of all segments.
///
/// [`Information`](super::Information) is computed from its statistics. Its score is the number of distinct
/// n-grams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReferenceNgrams {
    max_order: usize,
}

impl Default for ReferenceNgrams {
    fn default() -> Self {
        ReferenceNgrams { max_order: NistSettings::OPTION.max_order.default() }
    }
}

impl ReferenceNgrams {
    /// Creates the first pass of NIST, which counts n-grams up to this order.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] unless the order is from 1 to 100.
    pub fn new(max_order: usize) -> Result<Self, ConfigError> {
        Ok(ReferenceNgrams { max_order: NistSettings::OPTION.max_order.check(max_order)? })
    }
}

impl Metric for ReferenceNgrams {
    type Stats = NgramCounts;
    type Score = PlainScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        Identity::new("reference_ngrams", 1, Scale::UNBOUNDED).needing(|needs| needs.tokens = true).counted(
            "order",
            "n",
            self.max_order,
        )
    }
    fn zero(&self) -> NgramCounts {
        NgramCounts::new(self.max_order)
    }

    fn finalize(&self, stats: &NgramCounts, _: &SegmentCounts) -> Result<PlainScore> {
        let distinct: usize = (1..=self.max_order).map(|order| stats.distinct(order)).sum();
        Ok(PlainScore::new(distinct as f64).with_count("ref_len", stats.total(1)))
    }

    fn check(&self, stats: &NgramCounts, counts: &SegmentCounts) -> Result<()> {
        stats.check_texts(self.max_order, counts.references)
    }
}

impl<T: Word> Observe<[T]> for ReferenceNgrams {
    fn observe(&self, (): &mut (), stats: &mut NgramCounts, segment: Segment<'_, [T]>) -> Result<()> {
        let references = segment.references()?;
        stats.require_room(references)?;
        references.iter().try_for_each(|reference| stats.add_occurrences(reference))
    }
}

impl Stats for NgramCounts {
    fn merge(&mut self, other: &Self) -> Result<()> {
        NgramCounts::merge(self, other)
    }

    fn check_merge(&self, other: &Self) -> Result<()> {
        self.require_mergeable(other)
    }
}

pub(super) fn division_by_zero(total: &[u64]) -> InputError {
    let reason = match total.iter().position(|&total| total == 0) {
        Some(index) => {
            format!("no hypothesis has n-grams of order {}, and NLTK divides by their number", index + 1)
        }
        None => "all references are empty, and NLTK divides by their length".to_owned(),
    };
    InputErrorKind::NoScore { metric: "NIST".into(), reason }.into()
}
