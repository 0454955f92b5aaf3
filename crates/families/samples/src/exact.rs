//! Computes G-Pass@k and mG-Pass@k of one prompt as sums of hypergeometric terms in integers: one quotient
//! that is rounded once.

use bleuprint_math::quotient;
use num_bigint::BigUint;

use crate::Threshold;

/// Returns G-Pass@k: the probability that at least the share `threshold` of `k` samples is right, and at
/// least one sample. The `k` samples are drawn without replacement from `n`, of which `right` are right.
pub(crate) fn gpass(n: u32, right: u32, k: u32, threshold: &Threshold) -> f64 {
    at_least(n, right, k, threshold.samples_needed(k))
}

/// Returns the probability that at least `least` of `k` samples are right; a `least` of 0 counts as 1. The
/// `k` samples are drawn without replacement from `n`, of which `right` are right.
pub(crate) fn at_least(n: u32, right: u32, k: u32, least: u32) -> f64 {
    let favourable = weighted(n, right, k, least.max(1), |_| 1);
    quotient(&favourable, &binomial(n, k))
}

/// Returns mG-Pass@k of one prompt: twice the mean of G-Pass@k over the thresholds from one half to one.
///
/// The definition sums, over every `i` from `⌈k/2⌉ + 1`, the probability of at least `i` right samples. The
/// term of exactly `j` right samples therefore occurs `j - ⌈k/2⌉` times.
pub(crate) fn mean_gpass(n: u32, right: u32, k: u32) -> f64 {
    let half = k.div_ceil(2);
    let sum = weighted(n, right, k, half + 1, |j| j - half);
    quotient(&(sum * 2_u32), &(binomial(n, k) * k))
}

/// Returns `Σ weight(j) · C(right, j) · C(n - right, k - j)` over `j` from `least`, where `j` is the number
/// of right samples among `k` drawn.
fn weighted(n: u32, right: u32, k: u32, least: u32, weight: impl Fn(u32) -> u32) -> BigUint {
    let wrong = n - right;
    // A draw cannot have more wrong samples than there are, which bounds j from below.
    let first = least.max(k.saturating_sub(wrong));
    let last = right.min(k);
    let mut sum = BigUint::ZERO;
    if first > last {
        return sum;
    }
    let mut term = binomial(right, first) * binomial(wrong, k - first);
    for j in first..=last {
        sum += &term * weight(j);
        if j < last {
            // Each factor is at most 10,000, so the products fit in 32 bits. The quotient is exact, because
            // the result is a product of two binomial coefficients.
            term = term * ((right - j) * (k - j)) / ((j + 1) * (wrong + j + 1 - k));
        }
    }
    sum
}

/// Returns the binomial coefficient: the number of ways to choose `k` of `n` items.
pub(crate) fn binomial(n: u32, k: u32) -> BigUint {
    let k = k.min(n - k);
    // Every prefix of the product is itself a binomial coefficient, so each division is exact.
    (1..=k).fold(BigUint::from(1_u8), |product, i| product * (n - k + i) / i)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn threshold(text: &str) -> Threshold {
        text.parse().unwrap()
    }

    /// Returns the mean of `enough` over all subsets of `k` of `n` samples, by brute force. The first `right`
    /// samples are right, and `enough` receives their number in the subset.
    fn shares(n: u32, right: u32, k: u32, enough: impl Fn(u32) -> u32) -> f64 {
        let subsets = (0_u32..1 << n).filter(|subset| subset.count_ones() == k);
        let mut sum = 0;
        let mut all = 0;
        for subset in subsets {
            sum += enough((subset & ((1 << right) - 1)).count_ones());
            all += 1;
        }
        f64::from(sum) / f64::from(all)
    }

    #[test]
    fn terms_are_those_of_all_subsets() {
        for n in 1..=10_u32 {
            for right in 0..=n {
                for k in 1..=n {
                    for (text, least) in [("0", 1), ("0.5", k.div_ceil(2)), ("1.0", k)] {
                        let expected = shares(n, right, k, |j| u32::from(j >= least));
                        assert_eq!(gpass(n, right, k, &threshold(text)), expected, "{n} {right} {k} {text}");
                    }
                    let half = k.div_ceil(2);
                    let expected = shares(n, right, k, |j| 2 * j.saturating_sub(half)) / f64::from(k);
                    let mean = mean_gpass(n, right, k);
                    assert!((mean - expected).abs() < 1e-15, "{n} {right} {k}: {mean}, {expected}");
                }
            }
        }
    }

    #[test]
    fn ten_thousand_samples_have_a_value() {
        let value = gpass(10_000, 5_000, 100, &threshold("0.5"));
        assert!((0.5..0.6).contains(&value), "{value}");
        assert_eq!(gpass(10_000, 10_000, 10_000, &threshold("1")), 1.0);
        assert_eq!(gpass(10_000, 9_999, 10_000, &threshold("1")), 0.0);
    }
}
