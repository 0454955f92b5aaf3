//! [`calibrate()`]: the difference of a metric's scores below which a pair is best called a tie.

use bleuprint_core::{InputError, Result};
use serde::Serialize;

use super::counts::pairs_of;

/// More pairs than this take too much memory.
const MOST_PAIRS: u64 = 50_000_000;

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Calibrated {
    /// The mean over groups of the share of pairs that are right, with these ties.
    pub value: f64,
    /// A metric ties a pair if its scores differ by at most this.
    pub epsilon: f64,
}

/// A pair whose decision changes once the metric ties it.
struct Change {
    difference: f64,
    pairs: u32,
    /// True if it becomes right, because the people tied it; false if it becomes wrong, because both agreed.
    rights: bool,
}

/// Finds the `epsilon` with the best accuracy, pairs within `epsilon` being ties (Deutsch et al. 2023): 0, or one of the
/// differences of the metric's scores within a group, the smallest of the best ones. `groups` are vectors of people's scores
/// and of the metric's.
///
/// Decisions are counted in integers, so that nothing drifts along the candidates. The best `epsilon` for tau-23 is the same.
/// None without pairs.
///
/// # Errors
/// [`Limit`](bleuprint_core::InputErrorKind::Limit) beyond 50 million pairs.
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
    let mut sizes: Vec<(u64, i64)> = groups.iter().map(|(human, _)| (pairs_of(human.len()), 0)).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut changes = Vec::new();
    for (human, metric) in &groups {
        let size = pairs_of(human.len());
        let place = sizes.partition_point(|(known, _)| *known < size);
        sizes[place].1 += collect(human, metric, size as u32, &mut changes);
    }
    changes.sort_unstable_by(|one: &Change, other| one.difference.total_cmp(&other.difference));
    let mut right = Right::new(sizes);
    let mut best = right.clone();
    let mut epsilon = 0.0;
    for tied in changes.chunk_by(|one, other| one.difference == other.difference) {
        tied.iter().for_each(|change| right.change(u64::from(change.pairs), change.rights));
        if right.exceeds(&best) {
            (best, epsilon) = (right.clone(), tied[0].difference);
        }
    }
    Ok((!groups.is_empty()).then(|| Calibrated { value: best.sum() / groups.len() as f64, epsilon }))
}

/// Adds the changes of a group, and returns the pairs that are right without them.
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

/// The right decisions in groups of each number of pairs.
#[derive(Clone)]
struct Right {
    sizes: Vec<(u64, i64)>,
    /// The number of which all numbers of pairs are divisors, if it is small enough.
    common: Option<i128>,
}

impl Right {
    fn new(sizes: Vec<(u64, i64)>) -> Self {
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

    /// True if the sum of shares is larger: exactly, or in floats that are not carried along.
    fn exceeds(&self, other: &Right) -> bool {
        match self.common {
            Some(common) => self.scaled(common) > other.scaled(common),
            None => self.sum() > other.sum(),
        }
    }

    fn scaled(&self, common: i128) -> i128 {
        self.sizes.iter().map(|&(size, right)| i128::from(right) * (common / i128::from(size))).sum()
    }

    /// The sum over groups of the share of right decisions.
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
        /// Every candidate, counted anew.
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
