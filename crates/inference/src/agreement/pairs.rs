//! [`PairsTest`]: exact test of which of two metrics orders more pairs of scores like the human raters.

use std::collections::BTreeMap;

use serde::Serialize;

use super::statistic::Statistic;

/// Greatest number of distinct sums for which the exact test between two metrics computes probabilities. With
/// more, there is no p-value.
const MOST_SUMS: usize = 1 << 20;

/// Exact one-sided test between two metrics. It counts the pairs of scores that only one of them orders like
/// the human raters, as McNemar's test does.
///
/// Swapping single decisions changes only the pairs on which the metrics differ, so no random trial is
/// needed. With groups of one size the test is a one-sided McNemar test. With several sizes it is a weighted
/// sum of binomial variables.
///
/// Pairs of one item are not independent, so this test may report differences that do not exist.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct PairsTest {
    /// Number of score pairs that only the second of the two metrics orders like the human raters.
    pub second: u64,
    /// Number of score pairs that only the first of the two metrics orders like the human raters.
    pub first: u64,
    /// One-sided p-value: the probability that fair coins favour the second metric at least as much as
    /// observed. `None` if groups of too many different sizes make the enumeration too large.
    pub p: Option<f64>,
}

impl PairsTest {
    /// Tests which of two metrics orders more pairs of outputs like the human raters. Each group (such as all
    /// outputs for one item) has human scores, scores of the first metric and scores of the second metric.
    /// All groups have the same weight.
    ///
    /// `epsilons` are the two metrics' tie thresholds: scores that differ by at most the threshold are tied.
    pub(super) fn from_scores<'v>(
        groups: impl IntoIterator<Item = (&'v [f64], &'v [f64], &'v [f64])>,
        epsilons: [f64; 2],
    ) -> Self {
        // The key is the number of pairs of a group: a decision weighs one over this number.
        let mut sizes: BTreeMap<u64, [u64; 2]> = BTreeMap::new();
        for (human, first, second) in groups.into_iter().filter(|(human, ..)| human.len() > 1) {
            let size = sizes.entry(super::counts::pairs_of(human.len())).or_default();
            for at in 0..human.len() {
                for other in 0..at {
                    let ordering = human[at] - human[other];
                    let right = |by: f64, epsilon: f64| {
                        if by.abs() <= epsilon {
                            ordering == 0.0
                        } else {
                            ordering != 0.0 && (ordering > 0.0) == (by > 0.0)
                        }
                    };
                    match [
                        right(first[at] - first[other], epsilons[0]),
                        right(second[at] - second[other], epsilons[1]),
                    ] {
                        [true, false] => size[0] += 1,
                        [false, true] => size[1] += 1,
                        _ => {}
                    }
                }
            }
        }
        Self::of_sizes(&sizes)
    }

    /// Creates the exact test between two metrics from two numbers of pairs of outputs: the pairs that only
    /// the first metric orders correctly, and the pairs that only the second does. All pairs have equal
    /// weight.
    pub(super) fn of_counts(first: u64, second: u64) -> Self {
        Self::of_sizes(&BTreeMap::from([(1, [first, second])]))
    }

    fn of_sizes(sizes: &BTreeMap<u64, [u64; 2]>) -> Self {
        let count = |side: usize| sizes.values().map(|counts| counts[side]).sum();
        PairsTest { first: count(0), second: count(1), p: exact(sizes) }
    }
}

impl Statistic {
    /// Rejects correlations: only statistics that count correctly ordered pairs of scores can be tested by
    /// swapping pairs.
    ///
    /// # Errors
    /// Returns [`ConfigError::Conflict`](bleuprint_core::ConfigError::Conflict) for a correlation.
    pub(super) fn require_decisions(self) -> Result<(), bleuprint_core::ConfigError> {
        if self.is_of_decisions() {
            Ok(())
        } else {
            Err(bleuprint_core::ConfigError::Conflict(format!(
                "{} has no decisions to swap: swap by pairs is for accuracy, acc-eq, acc-23 and tau-23",
                self
            )))
        }
    }
}

/// Returns the one-sided p-value of the test between two metrics. A pair of outputs counts if only one metric
/// orders it like the human raters. The p-value is the probability that fair coins favour the second metric
/// at least as often as observed.
///
/// `sizes` maps the number of pairs in a group, `s`, to two counts of pairs in such groups: those that favour
/// the first metric, and those that favour the second. The statistic is `Σ (2 X − n)/s` over all `s`, with
/// `n` the sum of the two counts and `X` the heads of `n` coins. Returns `None` if there are too many
/// different sums.
fn exact(sizes: &BTreeMap<u64, [u64; 2]>) -> Option<f64> {
    let used: Vec<(i128, u64, u64)> = sizes
        .iter()
        .filter(|(_, [first, second])| first + second > 0)
        .map(|(&size, &[first, second])| (i128::from(size), first + second, second))
        .collect();
    // Weights 1/size become integers over a common denominator, so that equal sums merge and "at least" is
    // exact.
    let common = used.iter().try_fold(1_i128, |common, (size, ..)| {
        Some(common / gcd(common, *size) * size).filter(|common| *common < 1 << 80)
    })?;
    let weight = |size: i128| common / size;
    let target: i128 = used
        .iter()
        .map(|(size, of, second)| (2 * i128::from(*second) - i128::from(*of)) * weight(*size))
        .sum();
    let (last, others) = match used.split_last() {
        Some(parts) => parts,
        None => return Some(1.0),
    };
    // The distribution of the weighted sum, one size after the other. Equal sums share an entry of the map.
    let mut sums: BTreeMap<i128, f64> = BTreeMap::from([(0, 1.0)]);
    for (size, of, _) in others {
        let chances = binomial(*of);
        if sums.len().saturating_mul(chances.len()) > MOST_SUMS {
            return None;
        }
        let mut next = BTreeMap::new();
        for (sum, chance) in &sums {
            for (heads, more) in chances.iter().enumerate() {
                let by = (2 * heads as i128 - i128::from(*of)) * weight(*size);
                *next.entry(sum + by).or_insert(0.0) += chance * more;
            }
        }
        sums = next;
    }
    // The last size needs no entry for each of its sums: for each sum of the other sizes, only one tail of
    // its binomial distribution is looked up. A test with a single size therefore never enumerates.
    let (size, of, _) = last;
    let chances = binomial(*of);
    let mut tails = chances.clone();
    (0..tails.len().saturating_sub(1)).rev().for_each(|at| tails[at] += tails[at + 1]);
    let tail = |(sum, chance): (&i128, &f64)| {
        // The least number of heads with sum + (2 heads − of) weight >= target. `div_euclid` rounds down for
        // negative numbers too, and the added divisor less 1 turns this into rounding up.
        let doubled = (target - sum + weight(*size) - 1).div_euclid(weight(*size)) + i128::from(*of);
        let least = (doubled + 1).div_euclid(2).max(0);
        chance * usize::try_from(least).ok().and_then(|least| tails.get(least)).copied().unwrap_or(0.0)
    };
    Some(sums.iter().map(tail).sum::<f64>().min(1.0))
}

/// Returns the probabilities of 0 to `of` heads among `of` fair coins.
fn binomial(of: u64) -> Vec<f64> {
    let count = of as usize;
    // The recursion starts at the largest probability. From an end, 2⁻ⁿ would underflow to 0 beyond 1,074
    // coins.
    let middle = of as usize / 2;
    let mut chances = vec![0.0; count + 1];
    chances[middle] = 1.0;
    for heads in middle..count {
        chances[heads + 1] = chances[heads] * (count - heads) as f64 / (heads + 1) as f64;
    }
    for heads in (0..middle).rev() {
        chances[heads] = chances[heads + 1] * (heads + 1) as f64 / (count - heads) as f64;
    }
    // The middle was set to 1, so the sum is the missing factor.
    let sum: f64 = chances.iter().sum();
    chances.iter().map(|chance| chance / sum).collect()
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    quickcheck! {
        fn sums_of_binomials_are_those_of_all_coins(counts: Vec<(u8, u8, u8)>) -> bool {
            let sizes: BTreeMap<u64, [u64; 2]> = counts.iter().take(3)
                .map(|&(size, first, second)| (u64::from(size % 5) + 1, [u64::from(first % 3), u64::from(second % 3)]))
                .collect();
            let weights: Vec<f64> = sizes.iter()
                .flat_map(|(&size, [first, second])| vec![60.0 / size as f64; (first + second) as usize]).collect();
            let seen: f64 = sizes.iter().map(|(&size, &[first, second])| (second as f64 - first as f64) * 60.0 / size as f64).sum();
            let all = 1_u32 << weights.len();
            let as_large = (0..all).filter(|coins| {
                let sum: f64 = weights.iter().enumerate()
                    .map(|(at, weight)| if coins >> at & 1 == 1 { *weight } else { -weight }).sum();
                sum >= seen - 1e-9
            });
            let p = PairsTest::of_sizes(&sizes).p.unwrap();
            (p - as_large.count() as f64 / f64::from(all)).abs() < 1e-12
        }
    }

    #[test]
    fn without_disagreement_chance_is_as_good() {
        assert_eq!(PairsTest::of_counts(0, 0).p, Some(1.0));
        assert_eq!(PairsTest::of_counts(0, 4).p, Some(0.0625));
    }
}
