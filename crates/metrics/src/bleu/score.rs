//! [`BleuScore`]: a BLEU score with its precisions, brevity penalty, counts and lengths.

use core::fmt;

use bleuprint_core::{PartValue, Score, ScorePart, ShowPart};

use super::Float;
use super::finish::{double, number};
use crate::PerOrder;

/// BLEU score, 0 to 100, with the precisions, brevity penalty, counts and lengths it is computed from. `F` is
/// the floating-point type of the computation.
///
/// The counts are before smoothing.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct BleuScore<F = f64> {
    /// BLEU, 0 to 100. A perfect match is 100.00000000000004, the value of `exp(ln 100)`.
    pub score: F,
    /// Smoothed n-gram precision of each order, 0 to 100. It is 0 for an order of which no hypothesis has an
    /// n-gram.
    pub precisions: PerOrder<F>,
    /// Brevity penalty of BLEU, 0 to 1: the factor that lowers the score of short hypotheses.
    pub brevity_penalty: F,
    /// Number of hypothesis n-grams of each order that match a reference, clipped by their counts in the
    /// reference.
    pub clipped: PerOrder<u64>,
    /// Number of hypothesis n-grams of each order.
    pub total: PerOrder<u64>,
    /// Number of tokens of the hypotheses.
    pub hyp_len: u64,
    /// Effective reference length, in tokens: one length for each segment, chosen among its references and
    /// summed. It is fractional under [`RefLen::Average`](super::RefLen::Average).
    pub ref_len: F,
}

impl<F: Float> BleuScore<F> {
    /// Returns the length ratio `hyp_len / ref_len`, or 0 if the references are empty.
    pub fn ratio(&self) -> F {
        if self.ref_len.is_zero() { F::zero() } else { number::<F>(self.hyp_len) / self.ref_len }
    }
}

impl<F: Float + Send + Sync + 'static> Score for BleuScore<F> {
    fn value(&self) -> f64 {
        double(self.score)
    }

    fn parts(&self) -> Vec<ScorePart> {
        let part = ScorePart::new;
        let ref_len = double(self.ref_len);
        // The length is an integer under all rules but the average, and is then printed without decimals.
        let ref_len = match ref_len as u64 {
            whole if whole as f64 == ref_len => PartValue::Count(whole),
            _ => PartValue::Number(ref_len),
        };
        let precisions = self.precisions.iter().map(|&p| double(p)).collect();
        vec![
            part("counts", ShowPart::Hidden, PartValue::Counts(self.clipped.to_vec())),
            part("totals", ShowPart::Hidden, PartValue::Counts(self.total.to_vec())),
            part("precisions", ShowPart::Bare(1), PartValue::Numbers(precisions)),
            part("bp", ShowPart::Labelled("BP".into(), 3), PartValue::Number(double(self.brevity_penalty))),
            part("ratio", ShowPart::Labelled("ratio".into(), 3), PartValue::Number(double(self.ratio()))),
            part("sys_len", ShowPart::Labelled("hyp_len".into(), 3), PartValue::Count(self.hyp_len)),
            part("ref_len", ShowPart::Labelled("ref_len".into(), 3), ref_len),
        ]
    }
}

/// Writes only the value of the score, at full precision unless the format requests fewer decimals.
impl<F: fmt::Display> fmt::Display for BleuScore<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.score.fmt(f)
    }
}
