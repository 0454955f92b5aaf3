//! Paired bootstrap test of two systems: is their score difference larger than resampling of segments alone
//! would explain?

use crate::Scores;
use crate::resample::mean::pairwise_sum;

/// Rule that decides which resampled score differences count as extreme, compared with the observed
/// difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AtLeast {
    /// Strictly larger differences count as extreme, as in sacreBLEU; ties do not.
    Larger,
    /// Larger and equal differences count as extreme, as in the definition of the test. Ties then make the
    /// p-value larger.
    AsLarge,
}

impl AtLeast {
    /// Returns `true` if the difference `resampled` counts as extreme, compared with the observed difference
    /// `seen`.
    pub(crate) fn holds<T: PartialOrd>(self, resampled: T, seen: T) -> bool {
        match self {
            AtLeast::Larger => resampled > seen,
            AtLeast::AsLarge => resampled >= seen,
        }
    }
}

/// Returns the p-value of the paired bootstrap test (Koehn 2004, in sacreBLEU's form).
///
/// With `d` the absolute score differences on `n` resamples and `seen` the observed difference,
/// `p = (1 + #{d − mean(d) > seen}) / (1 + n)`. If all of `d` and also `seen` are 0, the systems are not
/// distinguishable and p is 1. For such systems sacreBLEU itself returns the smallest possible p, because it
/// compares with `>`.
pub(crate) fn paired_bootstrap(one: &Scores, other: &Scores, seen: f64, extreme: AtLeast) -> f64 {
    let count = one.len().min(other.len());
    let (exceeding, all_zero) = match (one, other) {
        // If both are single, NumPy subtracts, averages and compares in single precision. The rounding
        // decides ties, so the p-value equals sacreBLEU's only with the same precision.
        (Scores::Single(one), Scores::Single(other)) => {
            let differences: Vec<f32> = one.iter().zip(other).map(|(a, b)| (b - a).abs()).collect();
            let mean = pairwise_sum(&differences) / count as f32;
            let exceeding =
                differences.iter().filter(|&&difference| extreme.holds(difference - mean, seen as f32));
            (exceeding.count(), differences.iter().all(|&difference| difference == 0.0))
        }
        (one, other) => {
            let one = one.to_f64();
            let other = other.to_f64();
            let differences: Vec<f64> = one.iter().zip(&other).map(|(a, b)| (b - a).abs()).collect();
            let mean = pairwise_sum(&differences) / count as f64;
            let exceeding = differences.iter().filter(|&&difference| extreme.holds(difference - mean, seen));
            (exceeding.count(), differences.iter().all(|&difference| difference == 0.0))
        }
    };
    if seen == 0.0 && all_zero {
        return 1.0;
    }
    // The observed difference counts as one of the resamples, so that no p-value is 0.
    (exceeding + 1) as f64 / (count + 1) as f64
}
