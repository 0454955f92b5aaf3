//! Scores many pairs of one hypothesis and one reference; each score matches
//! [`finalize`](super::finish::finish) bit for bit.
//!
//! The precisions of a pair are fractions of small integers, `100 · matches / total`, so the same values
//! occur again and again. Tables keep their logarithms, one row for each `total`, and the brevity penalty of
//! each pair of lengths.
//!
//! The operations and operands are those of `finalize`, but each operation is computed once. A pair then
//! costs one table look-up for each order, the sum from left to right, and one `exp`.

use bleuprint_math::{exp, ln};
use smallvec::SmallVec;

use super::finish::{LOG_OF_ZERO, brevity_penalty, finish, number, precision};
use super::{Bleu, BleuStats, Summation};
use crate::shared::RefLengths;

/// Exclusive limit of the text lengths for which BLEU of pairs reads logarithms of precisions from
/// precomputed tables. The tables take at most 8 MB.
const KEPT: usize = 1024;

/// Highest n-gram order for which BLEU of single pairs is computed with precomputed logarithms of precisions.
/// Above this order, each pair is scored from its counts.
const KEPT_ORDERS: usize = 16;

#[derive(Debug, Clone)]
pub(crate) struct PairScores {
    bleu: Bleu,
    /// Logarithms of the n-gram precisions, indexed by the number of hypothesis n-grams and filled on demand.
    /// Unigrams have a separate table, because some smoothings treat them differently.
    logs: [Vec<Vec<f64>>; 2],
    /// Brevity penalties, indexed by hypothesis length and then by reference length. NaN marks an entry that
    /// has not been computed.
    penalties: Vec<Vec<f64>>,
}

impl PairScores {
    pub(crate) fn new(bleu: &Bleu) -> Self {
        PairScores { bleu: bleu.clone(), logs: [Vec::new(), Vec::new()], penalties: Vec::new() }
    }

    /// Computes the BLEU of a hypothesis of `hyp_len` tokens with each reference alone, and writes the scores
    /// to `scores`.
    ///
    /// `clipped[n - 1][i]` is the number of matches of order n with reference `i`. `ref_lens[i]` is the
    /// length of reference `i`.
    pub(crate) fn score<const WIDTH: usize>(
        &mut self,
        hyp_len: usize,
        clipped: &[[u32; WIDTH]],
        ref_lens: &[usize],
        scores: &mut [f64],
    ) {
        if !self.keeps_rows(hyp_len) {
            for (lane, (score, &ref_len)) in scores.iter_mut().zip(ref_lens).enumerate() {
                *score = self.by_statistics(hyp_len, clipped.iter().map(|order| order[lane]), ref_len);
            }
            return;
        }
        let counted = self.fill_rows(hyp_len);
        let orders = self.bleu.max_order();
        let reached = if self.bleu.effective_order() { counted } else { orders };
        // Lanes are the inner loop: each lane still adds its orders from left to right, so the bits do not
        // change, and the compiler can use vector instructions.
        let mut sums = [0.0; WIDTH];
        let mut halvings = [0; WIDTH];
        let mut any = [0; WIDTH];
        for (order, clipped) in clipped.iter().enumerate().take(reached) {
            // Only 0 or not 0 matters, so bits are merged instead of counts being added.
            any.iter_mut().zip(clipped).for_each(|(any, &matches)| *any |= matches);
            match self.logs[kind(order)].get(total(hyp_len, order)).filter(|_| order < counted) {
                Some(row) => add_logs(row, orders, clipped, &mut halvings, &mut sums),
                None => sums.iter_mut().for_each(|sum| *sum += LOG_OF_ZERO),
            }
        }
        let reached: f64 = number(reached as u64);
        for (lane, (score, &ref_len)) in scores.iter_mut().zip(ref_lens).enumerate() {
            *score =
                if any[lane] == 0 { 0.0 } else { self.penalty(hyp_len, ref_len) * exp(sums[lane] / reached) };
        }
    }

    fn keeps_rows(&self, hyp_len: usize) -> bool {
        let bleu = &self.bleu;
        // Weights multiply each logarithm and the compensated sum carries an error term, so both take the
        // general path.
        let sums_are_plain = bleu.weights().is_none() && bleu.summation() == Summation::Plain;
        sums_are_plain && hyp_len < KEPT && bleu.max_order() <= KEPT_ORDERS
    }

    /// Fills the tables of logarithms for a hypothesis of this length, and returns the number of orders with
    /// n-grams. It stops at the first order without n-grams, like [`finish`].
    fn fill_rows(&mut self, hyp_len: usize) -> usize {
        let orders = self.bleu.max_order();
        for order in 0..orders {
            let total = total(hyp_len, order);
            if precision(&self.bleu, order, 0, total as u64, &mut 1.0).is_none() {
                return order;
            }
            let rows = &mut self.logs[kind(order)];
            if rows.len() <= total {
                rows.resize(total + 1, Vec::new());
            }
            if rows[total].is_empty() {
                let log = |matches, mut halved| log(&self.bleu, order, matches, total, &mut halved);
                // An order without matches has one value for each number of such orders before it: `exp`
                // smoothing halves it each time. Index 0 is never read, but keeps the index equal to that
                // number.
                let zeros = (0..=orders as i32).map(|zeros| log(0, 2f64.powi(zeros - 1)));
                rows[total].extend(zeros);
                rows[total].extend((1..=total as u64).map(|matches| log(matches, 1.0)));
            }
        }
        orders
    }

    #[inline]
    fn penalty(&mut self, hyp_len: usize, ref_len: usize) -> f64 {
        if hyp_len >= ref_len {
            return 1.0;
        }
        let compute = || brevity_penalty(number::<f64>(hyp_len as u64), number(ref_len as u64));
        // Rows grow to the longest reference seen, so a long one must not enter them.
        if ref_len >= KEPT {
            return compute();
        }
        if self.penalties.len() <= hyp_len {
            self.penalties.resize(hyp_len + 1, Vec::new());
        }
        let row = &mut self.penalties[hyp_len];
        if row.len() <= ref_len {
            row.resize(ref_len + 1, f64::NAN);
        }
        if row[ref_len].is_nan() {
            row[ref_len] = compute();
        }
        row[ref_len]
    }

    /// Computes BLEU of a hypothesis and a reference from their counts, without precomputed logarithms. It is
    /// used for long texts, many n-gram orders, weights and compensated sums, for which no logarithms are
    /// precomputed. Returns NaN instead of an error.
    fn by_statistics(&self, hyp_len: usize, clipped: impl Iterator<Item = u32>, ref_len: usize) -> f64 {
        let clipped: SmallVec<[u64; 8]> = clipped.map(u64::from).collect();
        let mut stats = BleuStats::zero(self.bleu.max_order());
        let ref_len = RefLengths::of_segment(hyp_len, core::iter::once(ref_len));
        let added = stats.add_segment(hyp_len, ref_len, &clipped);
        let finished = added.and_then(|()| finish::<f64>(&self.bleu, &stats, self.bleu.max_order()));
        finished.map_or(f64::NAN, |bleu| bleu.score)
    }
}

/// Adds the logarithm of the precision of one n-gram order to the sums of `WIDTH` pairs of a hypothesis and a
/// reference. The logarithms are read from `row`.
///
/// If a pair has no match in this order, the logarithm is `row[k]`; `k` is the number of orders without
/// matches up to this one. If a pair has `m` matches, the logarithm is `row[orders + m]`.
#[inline]
fn add_logs<const WIDTH: usize>(
    row: &[f64],
    orders: usize,
    clipped: &[u32; WIDTH],
    zeros: &mut [u32; WIDTH],
    sums: &mut [f64; WIDTH],
) {
    for ((sum, zeros), &matches) in sums.iter_mut().zip(zeros).zip(clipped) {
        *zeros += u32::from(matches == 0);
        *sum += row[if matches == 0 { *zeros as usize } else { orders + matches as usize }];
    }
}

fn total(hyp_len: usize, order: usize) -> usize {
    hyp_len.saturating_sub(order)
}

fn kind(order: usize) -> usize {
    usize::from(order > 0)
}

/// Returns the logarithm of the smoothed precision of one n-gram order, in which `matches` of `total` n-grams
/// match. `halved` is 2 to the power of the number of lower orders without matches.
fn log(bleu: &Bleu, order: usize, matches: u64, total: usize, halved: &mut f64) -> f64 {
    match precision(bleu, order, matches, total as u64, halved) {
        Some(precision) if precision != 0.0 => ln(precision),
        _ => LOG_OF_ZERO,
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::{Arbitrary, Gen, QuickCheck};

    use super::super::Smoothing;
    use super::*;

    #[derive(Debug, Clone)]
    struct Case {
        bleu: Bleu,
        pairs: Vec<(usize, usize, Vec<u32>)>,
    }

    impl Arbitrary for Case {
        fn arbitrary(g: &mut Gen) -> Self {
            let mut below = |limit: usize| usize::arbitrary(g) % limit.max(1);
            let max_order = 1 + below(6);
            let values = [0.0, 0.1, 0.7, 1.0];
            let smoothing = match below(4) {
                0 => Smoothing::None,
                1 => Smoothing::Exp,
                2 => Smoothing::Floor(values[below(4)]),
                _ => Smoothing::AddK(values[below(4)]),
            };
            let mut builder = Bleu::builder().max_order(max_order).smoothing(smoothing);
            if below(2) == 0 {
                builder = builder.effective_order(true);
            }
            if below(5) == 0 {
                builder = builder.summation(Summation::Compensated);
            }
            if below(5) == 0 {
                builder = builder.weights(vec![1.0 / max_order as f64; max_order]);
            }
            let longest = [3, 30, 30, 1100][below(4)];
            let pair = |_| {
                let hyp_len = below(longest);
                let most = if below(3) == 0 { 1 } else { 4 };
                let matches =
                    |order| below((hyp_len.saturating_sub(order) + 1).min(hyp_len / most + 1)) as u32;
                (hyp_len, longest / 2, (0..max_order).map(matches).collect())
            };
            let mut pairs: Vec<_> = (0..40).map(pair).collect();
            for (_, ref_len, _) in &mut pairs {
                *ref_len = below(longest);
            }
            Case { bleu: builder.build().unwrap(), pairs }
        }
    }

    #[test]
    fn pairs_have_the_bits_of_finalize() {
        fn law(Case { bleu, pairs }: Case) -> bool {
            let mut scores = PairScores::new(&bleu);
            pairs.iter().all(|(hyp_len, ref_len, matches)| {
                let clipped: Vec<[u32; 2]> = matches.iter().map(|&matches| [0, matches]).collect();
                let mut out = [f64::NAN; 2];
                scores.score(*hyp_len, &clipped, &[7, *ref_len], &mut out);
                let expected = scores.by_statistics(*hyp_len, matches.iter().copied(), *ref_len);
                out[0] == 0.0 && out[1].to_bits() == expected.to_bits()
            })
        }
        QuickCheck::new().tests(3000).quickcheck(law as fn(Case) -> bool);
    }
}
