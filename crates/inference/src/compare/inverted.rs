//! Intervals and p-values of a score difference that always agree: p is below the level if and only if the
//! interval excludes 0.

use bleuprint_math::exact_mean;

use crate::Interval;

/// Differences of two systems' scores on bootstrap resamples.
pub(crate) struct Differences {
    /// Score differences of two systems on bootstrap resamples, in ascending order.
    sorted: Vec<f64>,
    mean: f64,
}

impl Differences {
    pub(crate) fn new(mut differences: Vec<f64>) -> Self {
        let mean = exact_mean(&differences);
        differences.sort_unstable_by(f64::total_cmp);
        Differences { sorted: differences, mean }
    }

    /// Returns the smallest tail share for which the percentile interval excludes 0: `(k + 1)/(R + 1)`, at
    /// most ½. `R` is the number of resampled differences. `k` counts those at or below 0, or those at or
    /// above 0, whichever are fewer. The flag is `true` if `k = 0`, so that `R` resamples cannot give a
    /// smaller share.
    pub(crate) fn share(&self) -> (f64, bool) {
        let on = |side: fn(&f64) -> bool| self.sorted.iter().filter(|difference| side(difference)).count();
        // Differences of exactly 0 count for both sides, because they are evidence for neither.
        let across = on(|difference| *difference <= 0.0).min(on(|difference| *difference >= 0.0));
        (((across + 1) as f64 / (self.sorted.len() + 1) as f64).min(0.5), across == 0)
    }

    /// Returns the percentile interval of the resampled differences: the share `tail` of them is below it,
    /// and the same share is above it.
    pub(crate) fn interval(&self, tail: f64) -> Interval {
        let count = self.sorted.len();
        // The largest number of differences outside an end for which `share` is still below the tail. The 2
        // is one for the strict comparison and one for the `+ 1` of the share.
        let beyond = ((tail * (count + 1) as f64).ceil() as usize).checked_sub(2);
        let at = |place: usize| self.sorted.get(place).copied().unwrap_or(f64::NAN);
        let (lower, upper) = match beyond {
            Some(beyond) => (at(beyond), at(count.saturating_sub(1 + beyond))),
            // With so few resamples no p-value is below this level, so the interval must include 0.
            None => (at(0).min(0.0), at(count.saturating_sub(1)).max(0.0)),
        };
        Interval::between(self.mean, lower, upper)
    }
}

/// Factor slightly below 1 by which the observed statistic is multiplied before trials are compared with it,
/// so that differences by rounding count as ties.
const AS_LARGE: f64 = 1.0 - 1e-9;

/// Test statistic of the observed data and of its arrangements: data whose outputs were swapped between two
/// systems or relabelled.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Arranged {
    /// Test statistic of the observed data, before outputs are swapped between the systems.
    seen: f64,
    /// Test statistics after swaps or relabellings of outputs (arrangements), in descending order.
    statistics: Vec<f64>,
    /// Number of all possible swaps or relabellings of outputs (arrangements) if the test tried all; `None`
    /// if it drew some at random.
    pub(crate) all: Option<u64>,
}

impl Arranged {
    pub(crate) fn new(seen: f64, mut statistics: Vec<f64>, all: Option<u64>) -> Self {
        statistics.sort_unstable_by(f64::total_cmp);
        statistics.reverse();
        Arranged { seen, statistics, all }
    }

    /// Returns the p-value: the share of arrangements (swapped or relabelled outputs) whose statistic is at
    /// least the observed one. For `n` random arrangements, `k` with such a statistic, it is
    /// `(1 + k)/(1 + n)`.
    pub(crate) fn p_value(&self) -> f64 {
        let as_large = self.statistics.partition_point(|&value| value >= self.seen * AS_LARGE);
        (as_large + self.seen_once()) as f64 / (self.statistics.len() + self.seen_once()) as f64
    }

    /// Returns `true` if the p-value is the smallest that this number of random swaps can give.
    pub(crate) fn is_least(&self) -> bool {
        self.all.is_none() && self.statistics.first().is_none_or(|&value| value < self.seen * AS_LARGE)
    }

    /// Returns the critical value: an observed test statistic above it has a p-value below `level`. It is
    /// infinite if there are too few swapped or relabelled data sets for this level.
    pub(crate) fn critical(&self, level: f64) -> f64 {
        let all = (self.statistics.len() + self.seen_once()) as f64;
        let most = ((level * all).ceil() as usize).checked_sub(1 + self.seen_once());
        most.and_then(|most| self.statistics.get(most)).map_or(f64::INFINITY, |value| value / AS_LARGE)
    }

    /// Returns how many times the observed data is added to the randomized data: once for random swaps. It is
    /// 0 if all swaps were tried, because these include the observed data.
    fn seen_once(&self) -> usize {
        usize::from(self.all.is_none())
    }
}

/// Score difference of two systems with its paired randomization test, which gives a p-value and an interval
/// of any level.
#[derive(Debug, Clone, PartialEq)]
pub struct SwappedDifference {
    difference: f64,
    arranged: Arranged,
}

impl SwappedDifference {
    pub(crate) fn new(difference: f64, trials: impl Iterator<Item = f64>) -> Self {
        // A trial without a score counts as larger than the observed difference, which is cautious: p can
        // only grow.
        let statistics = trials.map(|trial| if trial.is_nan() { f64::INFINITY } else { trial });
        SwappedDifference {
            difference,
            arranged: Arranged::new(difference.abs(), statistics.collect(), None),
        }
    }

    /// Returns the difference of scores: the first system's score minus the second's.
    pub fn difference(&self) -> f64 {
        self.difference
    }

    /// Returns the two-sided p-value of the hypothesis that both systems are equally good.
    pub fn p_value(&self) -> f64 {
        self.arranged.p_value()
    }

    /// Returns the confidence interval `d ± c` of the score difference `d` at this level. `c` is the smallest
    /// difference that the test rejects. Returns `None` if there are too few trials to reject any.
    pub fn interval(&self, level: f64) -> Option<[f64; 2]> {
        let half = self.arranged.critical(1.0 - level);
        half.is_finite().then_some([self.difference - half, self.difference + half])
    }
}
