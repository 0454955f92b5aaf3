//! Intervals and p-values of one procedure: p is below the level if and only if the interval excludes 0.

use bleuprint_math::exact_mean;

use crate::Interval;

/// Differences of the scores of resamples.
pub(crate) struct Differences {
    /// The smallest first.
    sorted: Vec<f64>,
    mean: f64,
}

impl Differences {
    pub(crate) fn new(mut differences: Vec<f64>) -> Self {
        let mean = exact_mean(&differences);
        differences.sort_unstable_by(f64::total_cmp);
        Differences { sorted: differences, mean }
    }

    /// The smallest share beyond an end of an interval that excludes 0: `(k + 1)/(R + 1)`, with `k` of `R` differences on the
    /// other side of 0; at most one half. And `true` if no number of resamples like this shows a smaller one, `k = 0`.
    pub(crate) fn share(&self) -> (f64, bool) {
        let on = |side: fn(&f64) -> bool| self.sorted.iter().filter(|difference| side(difference)).count();
        let across = on(|difference| *difference <= 0.0).min(on(|difference| *difference >= 0.0));
        (((across + 1) as f64 / (self.sorted.len() + 1) as f64).min(0.5), across == 0)
    }

    /// The interval with this share of the differences beyond each end.
    pub(crate) fn interval(&self, tail: f64) -> Interval {
        let count = self.sorted.len();
        // The greatest number of differences beyond an end whose share is below the tail.
        let beyond = ((tail * (count + 1) as f64).ceil() as usize).checked_sub(2);
        let at = |place: usize| self.sorted.get(place).copied().unwrap_or(f64::NAN);
        let (lower, upper) = match beyond {
            Some(beyond) => (at(beyond), at(count.saturating_sub(1 + beyond))),
            // Of so few resamples no interval of this level excludes 0.
            None => (at(0).min(0.0), at(count.saturating_sub(1)).max(0.0)),
        };
        Interval::between(self.mean, lower, upper)
    }
}

/// Statistics as large as the one seen up to this share, so that rounding splits no ties.
const AS_LARGE: f64 = 1.0 - 1e-9;

/// The statistics of arrangements: of units swapped or relabelled.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Arranged {
    seen: f64,
    /// The largest first.
    statistics: Vec<f64>,
    /// Their number, where all were tried.
    pub(crate) all: Option<u64>,
}

impl Arranged {
    pub(crate) fn new(seen: f64, mut statistics: Vec<f64>, all: Option<u64>) -> Self {
        statistics.sort_unstable_by(f64::total_cmp);
        statistics.reverse();
        Arranged { seen, statistics, all }
    }

    /// The share of the arrangements whose statistic is at least as large as the one seen; of random ones,
    /// `(1 + as large)/(1 + count)`.
    pub(crate) fn p_value(&self) -> f64 {
        let as_large = self.statistics.partition_point(|&value| value >= self.seen * AS_LARGE);
        (as_large + self.seen_once()) as f64 / (self.statistics.len() + self.seen_once()) as f64
    }

    /// Returns `true` if no number of random arrangements like this shows a smaller p-value.
    pub(crate) fn is_least(&self) -> bool {
        self.all.is_none() && self.statistics.first().is_none_or(|&value| value < self.seen * AS_LARGE)
    }

    /// The statistic that one must exceed to have a p-value below this level; infinite if none has.
    pub(crate) fn critical(&self, level: f64) -> f64 {
        let all = (self.statistics.len() + self.seen_once()) as f64;
        let most = ((level * all).ceil() as usize).checked_sub(1 + self.seen_once());
        most.and_then(|most| self.statistics.get(most)).map_or(f64::INFINITY, |value| value / AS_LARGE)
    }

    /// The arrangement seen is one of all, and one more than the random ones.
    fn seen_once(&self) -> usize {
        usize::from(self.all.is_none())
    }
}

/// The difference of two systems with its paired randomization test, at any level.
#[derive(Debug, Clone, PartialEq)]
pub struct SwappedDifference {
    difference: f64,
    arranged: Arranged,
}

impl SwappedDifference {
    pub(crate) fn new(difference: f64, trials: impl Iterator<Item = f64>) -> Self {
        // A trial without a score tells the two apart no better than the one seen.
        let statistics = trials.map(|trial| if trial.is_nan() { f64::INFINITY } else { trial });
        SwappedDifference {
            difference,
            arranged: Arranged::new(difference.abs(), statistics.collect(), None),
        }
    }

    /// Returns the difference, the first minus the second.
    pub fn difference(&self) -> f64 {
        self.difference
    }

    /// Returns the two-sided p-value.
    pub fn p_value(&self) -> f64 {
        self.arranged.p_value()
    }

    /// Returns `d ± c` with `c` the least difference that is rejected at this level; `None` if so few trials reject none.
    pub fn interval(&self, level: f64) -> Option<[f64; 2]> {
        let half = self.arranged.critical(1.0 - level);
        half.is_finite().then_some([self.difference - half, self.difference + half])
    }
}
