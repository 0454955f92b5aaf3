//! Computes BLEU of a bootstrap resample as sacreBLEU 2.6.0 does with NumPy 2: precisions in `f32`, the rest
//! in `f64`.

use bleuprint_core::{NumpyNumber, SinglePrecision};
use bleuprint_math::{exp, ln};

use super::finish::{LOG_OF_ZERO, brevity_penalty, sum};
use super::{Bleu, RefLen, Smoothing};

/// Number of columns for lengths at the start of a segment's row of BLEU counts, before the columns of the
/// n-gram orders; see [`super::BleuStats`].
const LENGTHS: usize = 4;
const PER_ORDER: usize = 3;

/// Computes BLEU in single precision. A segment adds these numbers, each rounded to `f32`: the lengths of
/// hypothesis and reference, the matches of every n-gram order, and the numbers of hypothesis n-grams.
impl SinglePrecision for Bleu {
    fn row(&self, row: &[u64], out: &mut Vec<f32>) {
        let orders = || row.get(LENGTHS..).unwrap_or_default().chunks_exact(PER_ORDER).take(self.max_order());
        let count = |count: Option<&u64>| count.copied().unwrap_or(0) as f32;
        out.push(count(row.get(LENGTHS + 1)));
        out.push(count(row.get(if self.ref_len() == RefLen::Shortest { 1 } else { 0 })));
        out.extend(orders().map(|counts| counts[0] as f32));
        out.extend(orders().map(|counts| counts[1] as f32));
    }

    // This repeats `finish.rs` on purpose. A generic float cannot express NumPy's mixture: an `f32` stays
    // `f32` when it meets a Python float (NEP 50), while `math.log` and `math.exp` return `f64`.
    fn finish(&self, sums: &[f32]) -> NumpyNumber {
        let Some((&[hyp_len, ref_len], counts)) = sums.split_first_chunk() else {
            return NumpyNumber::Double(0.0);
        };
        let (clipped, total) = counts.split_at(counts.len() / 2);
        if clipped.iter().all(|&count| count == 0.0) {
            return NumpyNumber::Double(0.0);
        }
        let mut logs = vec![LOG_OF_ZERO; clipped.len()];
        let mut reached = clipped.len();
        if self.effective_order() {
            reached = 0;
        }
        let mut halved = 1.0_f32;
        for (index, log) in logs.iter_mut().enumerate() {
            let mut matches = clipped[index];
            let mut ngrams = total[index];
            if let (Smoothing::AddK(k), 1..) = (self.smoothing(), index) {
                (matches, ngrams) = (matches + k as f32, ngrams + k as f32);
            }
            if ngrams == 0.0 {
                break;
            }
            if self.effective_order() {
                reached = index + 1;
            }
            let precision = match self.smoothing() {
                _ if matches != 0.0 => (100.0 * matches) / ngrams,
                Smoothing::Exp => {
                    halved *= 2.0;
                    100.0 / (halved * ngrams)
                }
                // Two Python floats multiply in `f64`; the division by an `f32` rounds their product first.
                Smoothing::Floor(value) => (100.0 * value) as f32 / ngrams,
                Smoothing::None | Smoothing::AddK(_) => 0.0,
            };
            if precision != 0.0 {
                *log = ln(f64::from(precision));
            }
        }
        let mean = sum(self.summation(), logs.into_iter().take(reached)) / reached as f64;
        // Both lengths are integers in sacreBLEU: it converts the `f32` sums by truncation.
        NumpyNumber::Double(
            brevity_penalty(f64::from(hyp_len.trunc()), f64::from(ref_len.trunc())) * exp(mean),
        )
    }
}
