//! [`calibrate()`]: finds a metric's tie threshold, the largest difference of two metric scores that counts
//! as a tie. The best threshold maximizes the agreement with human judgments.

use bleuprint_core::{InputError, Result};
use serde::Serialize;

use super::counts::pairs_of;

/// Greatest number of pairs of scores that the search for a tie threshold holds in memory at once.
const MOST_PAIRS: u64 = 50_000_000;

/// Best tie threshold of a metric, with the pairwise accuracy that it gives. Two outputs are tied if their
/// metric scores differ by at most the threshold.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Calibrated {
    /// Pairwise accuracy at the threshold `epsilon`: the share of score pairs that the metric orders or ties
    /// like the human raters, averaged over groups of scores.
    pub value: f64,
    /// Tie threshold: the metric counts two outputs as tied if their scores differ by at most this value.
    pub epsilon: f64,
}

/// Pair of scores on which the metric's agreement with the human raters changes once the tie threshold
/// reaches `difference`.
struct Change {
    difference: f64,
    pairs: u32,
    /// `true` if the metric becomes right when the pair counts as tied, because the human scores are tied.
    /// `false` if it becomes wrong, because it had ordered the pair correctly.
    rights: bool,
}

/// Finds the tie threshold `epsilon` with the best pairwise accuracy (Deutsch et al. 2023). Each group is a
/// vector of human scores and a vector of metric scores of the same outputs.
///
/// The candidates are 0 and every difference of two metric scores within a group. The smallest of the best
/// candidates wins. The statistic tau-23 has the same best threshold.
///
/// Decisions are counted in integers, so that no rounding error accumulates along the candidates. Returns
/// `None` if no group has a pair.
///
/// # Errors
/// Returns [`Limit`](bleuprint_core::InputErrorKind::Limit) if there are more than 50 million pairs.
pub(super) fn calibrate<'v>(
    groups: impl IntoIterator<Item = (&'v [f64], &'v [f64])>,
) -> Result<Option<Calibrated>> {
    let groups: Vec<(&[f64], &[f64])> = groups.into_iter().filter(|(human, _)| human.len() > 1).collect();
    let pairs: u64 = groups.iter().map(|(human, _)| pairs_of(human.len())).sum();
    if pairs > MOST_PAIRS {
        let what = "the number of pairs to calibrate ties on";
        let limit = "at most 50000000: group by item";
        return Err(InputError::limit(what, pairs, limit));
    }
    // A right decision weighs one over the number of pairs of its group. Groups with the same number of pairs
    // share a weight, so their right decisions are one integer.
    let mut sizes: Vec<(u64, i64)> = groups.iter().map(|(human, _)| (pairs_of(human.len()), 0)).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut changes = Vec::new();
    for (human, metric) in &groups {
        let size = pairs_of(human.len());
        let place = sizes.partition_point(|(known, _)| *known < size);
        sizes[place].1 += collect(human, metric, size as u32, &mut changes);
    }
    // A growing threshold ties one pair after the other, in the order of their differences. One sorted pass
    // therefore visits every candidate and updates the counts instead of counting them again.
    changes.sort_unstable_by(|one: &Change, other| one.difference.total_cmp(&other.difference));
    let mut right = Right::new(sizes);
    let mut best = right.clone();
    let mut epsilon = 0.0;
    for tied in changes.chunk_by(|one, other| one.difference == other.difference) {
        // Equal differences become ties at the same threshold, so the accuracy is compared only after all of
        // them.
        tied.iter().for_each(|change| right.change(u64::from(change.pairs), change.rights));
        // A strict comparison keeps the smallest of the best thresholds.
        if right.exceeds(&best) {
            (best, epsilon) = (right.clone(), tied[0].difference);
        }
    }
    Ok((!groups.is_empty()).then(|| Calibrated { value: best.sum() / groups.len() as f64, epsilon }))
}

/// Appends to `changes` every pair of one group on which the tie threshold decides whether the metric agrees
/// with the human scores. Returns the number of pairs with agreement at the threshold 0.
fn collect(human: &[f64], metric: &[f64], pairs: u32, changes: &mut Vec<Change>) -> i64 {
    let mut right = 0;
    for (at, (h, m)) in human.iter().zip(metric).enumerate() {
        for (other_h, other_m) in human[..at].iter().zip(metric) {
            let human = h - other_h;
            let metric = m - other_m;
            let difference = metric.abs();
            if human == 0.0 {
                if difference == 0.0 {
                    right += 1
                } else {
                    changes.push(Change { difference, pairs, rights: true })
                }
            } else if difference > 0.0 && (human > 0.0) == (metric > 0.0) {
                right += 1;
                changes.push(Change { difference, pairs, rights: false });
            }
        }
    }
    right
}

/// Numbers of score pairs that the metric orders or ties like the human raters. Groups of scores (such as all
/// outputs for one item) with equal numbers of pairs share an entry, because their pairs have equal weights.
#[derive(Clone)]
struct Right {
    sizes: Vec<(u64, i64)>,
    /// Least common multiple of the numbers of pairs in all groups. It is a common denominator for the
    /// groups' shares of correctly ordered pairs. `None` if it is 2⁸⁰ or more.
    common: Option<i128>,
}

impl Right {
    fn new(sizes: Vec<(u64, i64)>) -> Self {
        // A share is at most the multiple times the number of groups. The rest of the 128 bits leaves room
        // for 2⁴⁷ groups, so sums of shares cannot overflow.
        let limit = 1_i128 << 80;
        let common = sizes.iter().try_fold(1_i128, |common, &(size, _)| {
            let size = i128::from(size);
            Some(common / gcd(common, size) * size).filter(|common| *common < limit)
        });
        Right { sizes, common }
    }

    fn change(&mut self, size: u64, rights: bool) {
        let place = self.sizes.partition_point(|(known, _)| *known < size);
        if let Some((_, right)) = self.sizes.get_mut(place) {
            *right += if rights { 1 } else { -1 };
        }
    }

    /// Returns `true` if the metric agrees better with the human raters in `self` than in `other`. The
    /// agreement is the share of correctly ordered pairs, summed over groups. The comparison is exact if
    /// [`Right::common`] is known; otherwise the sums are floats.
    fn exceeds(&self, other: &Right) -> bool {
        match self.common {
            Some(common) => self.scaled(common) > other.scaled(common),
            None => self.sum() > other.sum(),
        }
    }

    fn scaled(&self, common: i128) -> i128 {
        self.sizes.iter().map(|&(size, right)| i128::from(right) * (common / i128::from(size))).sum()
    }

    /// Adds up the groups' shares of score pairs on which the metric agrees with the human scores.
    fn sum(&self) -> f64 {
        self.sizes.iter().map(|&(size, right)| right as f64 / size as f64).sum()
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;
    use crate::agreement::PairCounts;

    quickcheck! {
        /// Checks that [`calibrate`] finds the same threshold as trying every candidate threshold.
        fn the_sweep_finds_what_all_candidates_give(values: Vec<(u8, u8)>, classes: u8) -> bool {
            let class = |value: u8| f64::from(value % (classes % 7 + 1));
            let cells: Vec<(f64, f64)> =
                values.iter().take(24).map(|&(h, m)| (class(h), f64::from(m % 16) / 4.0)).collect();
            let groups: Vec<(Vec<f64>, Vec<f64>)> =
                [4, 3, 5, 2].iter().scan(&cells[..], |rest, &size| {
                    let (group, others) = rest.split_at(size.min(rest.len()));
                    *rest = others;
                    Some(group.iter().copied().unzip())
                }).collect();
            let views = || groups.iter().map(|(h, m)| (&h[..], &m[..]));
            let used: Vec<_> = views().filter(|(h, _)| h.len() > 1).collect();
            let at = |epsilon: f64| used.iter()
                .map(|(h, m)| PairCounts::direct(h, m, epsilon).accuracy().unwrap()).sum::<f64>() / used.len() as f64;
            let Some(found) = calibrate(views()).unwrap() else { return used.is_empty() };
            let best = (0..16).map(|step| f64::from(step) / 4.0)
                .fold((f64::MIN, 0.0), |best, epsilon| if at(epsilon) > best.0 + 1e-9 { (at(epsilon), epsilon) } else { best });
            (found.value - best.0).abs() < 1e-12 && found.epsilon == best.1
        }
    }
}
