//! Precisions, sums, means and brevity penalties for BLEU dialects, the formulas of other BLEU programs.
//!
//! Dialects match their programs bit for bit, so each function has a fixed order of operations. Formulas that
//! are equal on paper are separate functions: `exp(1 − r/c)` and `exp(1 − 1/(c/r))` differ in the last bit
//! for one in five pairs of lengths.

use bleuprint_math::{exact_sum, exp, ln};
use smallvec::SmallVec;

use super::super::finish::{number, sum};
use super::super::{BleuOrderCounts, Summation};

pub(super) type Precisions = SmallVec<[f64; 4]>;

/// Returns the precision `clipped / total` of an n-gram order, in which `clipped` of `total` hypothesis
/// n-grams match. It is rounded once, and 0 if there are no n-grams.
pub(super) fn precision(order: &BleuOrderCounts) -> f64 {
    if order.total == 0 { 0.0 } else { number::<f64>(order.clipped) / number::<f64>(order.total) }
}

pub(super) fn precisions(orders: &[BleuOrderCounts]) -> Precisions {
    orders.iter().map(precision).collect()
}

/// Returns the counts of each n-gram order, with one match and one n-gram added from order `first` (1-based)
/// on. With `first` = 2 it is the smoothing of Lin and Och (2004).
pub(super) fn add_one_from(first: usize, orders: &[BleuOrderCounts]) -> Vec<BleuOrderCounts> {
    let raise = |order: &BleuOrderCounts| BleuOrderCounts {
        clipped: order.clipped.saturating_add(1),
        total: order.total.saturating_add(1),
        ..*order
    };
    let adds =
        |(index, order): (usize, &BleuOrderCounts)| if index + 1 < first { *order } else { raise(order) };
    orders.iter().enumerate().map(adds).collect()
}

/// Returns the n-gram precision of each order with NIST's smoothing: the j-th order that has n-grams but no
/// match gets `1 / (2^j · total)` for its `total` hypothesis n-grams. An order without n-grams stays 0.
pub(super) fn halved_zeros(orders: &[BleuOrderCounts]) -> Precisions {
    let mut doubled = 1.0;
    let smooth = |order: &BleuOrderCounts| {
        if order.clipped > 0 || order.total == 0 {
            return precision(order);
        }
        doubled *= 2.0;
        1.0 / (doubled * number::<f64>(order.total))
    };
    orders.iter().map(smooth).collect()
}

/// Returns the precision of each n-gram order. An order without matches gets `value / total` for its `total`
/// hypothesis n-grams, which must not be 0.
pub(super) fn floored_zeros(value: f64, orders: &[BleuOrderCounts]) -> Precisions {
    let smooth = |order: &BleuOrderCounts| {
        if order.clipped > 0 { precision(order) } else { value / number::<f64>(order.total) }
    };
    orders.iter().map(smooth).collect()
}

pub(super) fn any_zero(precisions: &[f64]) -> bool {
    precisions.iter().any(|&precision| precision <= 0.0)
}

/// Returns the mean logarithm `(Σ ln p) / N` of the precisions of all `N` n-gram orders. A precision of 0 is
/// left out of the sum, but its order counts in `N`.
pub(super) fn mean_of_logs(summation: Summation, precisions: &[f64]) -> f64 {
    sum(summation, positive_logs(precisions)) / number::<f64>(precisions.len() as u64)
}

pub(super) fn positive_logs(precisions: &[f64]) -> impl Iterator<Item = f64> {
    precisions.iter().filter(|&&precision| precision > 0.0).map(|precision| ln(*precision))
}

/// Returns the weighted sum `Σ w · ln p` of the logarithms of the precisions, added by the method
/// `summation`; every precision must be above 0.
pub(super) fn weighted_logs(summation: Summation, weights: &[f64], precisions: &[f64]) -> f64 {
    sum(summation, weights.iter().zip(precisions).map(|(weight, precision)| weight * ln(*precision)))
}

/// Returns `Σ w · ln p` over the precisions above 0, rounded once like Python's `math.fsum`. The weights of
/// orders with precision 0 are dropped, not redistributed.
pub(super) fn exactly_weighted_logs(weights: &[f64], precisions: &[f64]) -> f64 {
    let positive = weights.iter().zip(precisions).filter(|(_, precision)| **precision > 0.0);
    exact_sum(positive.map(|(weight, precision)| weight * ln(*precision)))
}

/// Brevity penalty for `c` hypothesis and `r` reference tokens: `exp(1 − r/c)` if `0 < c < r`, 0 if
/// `c = 0 < r`, otherwise 1.
pub(super) use super::super::finish::brevity_penalty as penalty;

/// Returns the brevity penalty `exp(1 − 1/(c/r))` if `c/r < 1`, otherwise 1, for `c` hypothesis and `r`
/// reference tokens. It is 1 for `r = 0`, and 0 for `c = 0 < r`.
pub(super) fn penalty_of_ratio(hyp_len: f64, ref_len: f64) -> f64 {
    let ratio = hyp_len / ref_len;
    // `0/0` is NaN, which is not below 1: two empty sides are not penalized.
    if ratio < 1.0 { exp(1.0 - 1.0 / ratio) } else { 1.0 }
}

/// Returns the logarithm of the brevity penalty, `min(0, 1 − r/c)`, to be added to the mean of logarithms.
/// `c` and `r` are the numbers of hypothesis and reference tokens; `c` must not be 0.
pub(super) fn log_penalty(hyp_len: f64, ref_len: f64) -> f64 {
    (1.0 - ref_len / hyp_len).min(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shapes_of_the_penalty_agree_but_for_bits() {
        for (c, r) in [(3.0, 6.0), (8.0, 9.0), (5.0, 5.0), (6.0, 3.0), (4.0, 0.0), (0.0, 4.0)] {
            let expected = penalty(c, r);
            assert!((penalty_of_ratio(c, r) - expected).abs() < 1e-15, "{c} {r}");
            if c > 0.0 {
                assert!((exp(log_penalty(c, r)) - expected).abs() < 1e-15, "{c} {r}");
            }
        }
        assert_eq!(penalty_of_ratio(0.0, 0.0), 1.0);
    }
}
