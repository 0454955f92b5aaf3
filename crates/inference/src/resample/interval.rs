//! [`Interval`]: a confidence interval, for example the middle 95 % of resampled scores. [`Scores`]: the
//! resampled scores.

use bleuprint_core::NumpyNumber;
use bleuprint_math::exact_mean;

use crate::resample::mean::pairwise_sum;

/// Scores of all bootstrap resamples of one system, in the float type in which they were computed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Scores {
    /// Resampled scores in double precision.
    Double(Vec<f64>),
    /// Resampled scores in single precision, which sacreBLEU's bootstrap uses for some metrics under NumPy 2.
    Single(Vec<f32>),
}

impl FromIterator<NumpyNumber> for Scores {
    /// Collects scores as `f32` if all of them are `f32`. A single `f64` converts all to `f64`, as in NumPy.
    fn from_iter<I: IntoIterator<Item = NumpyNumber>>(numbers: I) -> Self {
        let numbers: Vec<NumpyNumber> = numbers.into_iter().collect();
        let single = |number: &NumpyNumber| match *number {
            NumpyNumber::Single(value) => Some(value),
            NumpyNumber::Double(_) => None,
        };
        match numbers.iter().map(single).collect() {
            Some(singles) => Scores::Single(singles),
            None => Scores::Double(numbers.into_iter().map(f64::from).collect()),
        }
    }
}

impl Scores {
    pub(crate) fn len(&self) -> usize {
        match self {
            Scores::Double(scores) => scores.len(),
            Scores::Single(scores) => scores.len(),
        }
    }

    pub(crate) fn to_f64(&self) -> Vec<f64> {
        match self {
            Scores::Double(scores) => scores.clone(),
            Scores::Single(scores) => scores.iter().map(|&score| f64::from(score)).collect(),
        }
    }

    /// Returns the confidence interval that `sacrebleu --confidence` prints: the mean of the resampled
    /// scores, and the range of their middle 95 %. The mean is summed exactly and rounded once.
    pub(crate) fn interval(&self) -> Interval {
        // sacreBLEU calls Python's `statistics.mean` here, which sums exact fractions; its paired tests call
        // NumPy.
        let mean = match self {
            Scores::Double(scores) => exact_mean(scores),
            Scores::Single(_) => f64::from(exact_mean(&self.to_f64()) as f32),
        };
        self.interval_around(mean)
    }

    /// Returns the confidence interval that sacreBLEU's paired bootstrap prints: the mean of the resampled
    /// scores, and the range of their middle 95 %. The mean is NumPy's mean of the sorted scores.
    pub(crate) fn paired_interval(&self) -> Interval {
        // Sorted first, because the rounding of NumPy's sum depends on the order.
        let mean = match self {
            Scores::Double(scores) => pairwise_sum(&sorted(scores)) / scores.len() as f64,
            Scores::Single(scores) => f64::from(pairwise_sum(&sorted(scores)) / scores.len() as f32),
        };
        self.interval_around(mean)
    }

    fn interval_around(&self, mean: f64) -> Interval {
        let (low, high) = interval_indices(self.len());
        match self {
            Scores::Double(scores) => {
                let sorted = sorted(scores);
                let at = |index: usize| sorted.get(index).copied().unwrap_or(f64::NAN);
                Interval { mean, lower: at(low), upper: at(high), half_width: 0.5 * (at(high) - at(low)) }
            }
            Scores::Single(scores) => {
                let sorted = sorted(scores);
                let at = |index: usize| sorted.get(index).copied().unwrap_or(f32::NAN);
                let lower = f64::from(at(low));
                let upper = f64::from(at(high));
                Interval { mean, lower, upper, half_width: f64::from(0.5 * (at(high) - at(low))) }
            }
        }
    }
}

/// Confidence interval of a score or of a score difference. For a score it covers the middle 95 % of the
/// resamples; for a difference, the significance test defines it.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Interval {
    /// Mean of the resampled scores, or the score difference itself if the test does not resample.
    pub mean: f64,
    /// Lower end of the confidence interval.
    pub lower: f64,
    /// Upper end of the confidence interval.
    pub upper: f64,
    /// Half of the interval's width, `(upper − lower)/2`, which sacreBLEU prints after `±`.
    pub half_width: f64,
}

impl Interval {
    /// Creates a confidence interval from its mean and its two ends.
    pub(crate) fn between(mean: f64, lower: f64, upper: f64) -> Self {
        Interval { mean, lower, upper, half_width: 0.5 * (upper - lower) }
    }

    /// Returns the interval that covers the middle 95 % of the values, such as scores of resamples. Their
    /// mean is exact and rounded once.
    pub fn from_values(values: Vec<f64>) -> Self {
        Scores::Double(values).interval()
    }

    /// Returns the interval of resampled scores as in sacreBLEU's paired tests: the mean comes from NumPy's
    /// sum of the sorted values.
    pub fn paired(values: Vec<f64>) -> Self {
        Scores::Double(values).paired_interval()
    }
}

/// Returns the indices of the interval's lower and upper end among `count` sorted scores. 2.5 % of the scores
/// are below the lower end, and 2.5 % are above the upper end.
fn interval_indices(count: usize) -> (usize, usize) {
    let low = count / 40;
    (low, count.saturating_sub(low + 1))
}

fn sorted<T: Copy + PartialOrd>(values: &[T]) -> Vec<T> {
    let mut sorted = values.to_vec();
    sorted.sort_by(|one, other| one.partial_cmp(other).unwrap_or(core::cmp::Ordering::Equal));
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_a_fortieth_from_the_extremes() {
        let interval = Interval::from_values((0..1000).rev().map(f64::from).collect());
        assert_eq!(interval, Interval { mean: 499.5, lower: 25.0, upper: 974.0, half_width: 474.5 });
        let few = Interval::from_values(vec![3.0, 1.0]);
        assert_eq!((few.lower, few.upper), (1.0, 3.0));
        assert!(Interval::from_values(Vec::new()).mean.is_nan());
    }

    #[test]
    fn one_double_makes_all_double() {
        let single = NumpyNumber::Single(0.1);
        assert_eq!([single, single].into_iter().collect::<Scores>(), Scores::Single(vec![0.1, 0.1]));
        let mixed: Scores = [single, NumpyNumber::Double(0.0)].into_iter().collect();
        assert_eq!(mixed, Scores::Double(vec![f64::from(0.1_f32), 0.0]));
    }
}
