//! Paired bootstrap: is the difference of two systems larger than resampling alone makes it?

use crate::Scores;
use crate::resample::mean::pairwise_sum;

/// The resampled differences that count as extreme as the one that was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AtLeast {
    /// Larger ones only, as in sacreBLEU.
    Larger,
    /// Equal ones too, by the definition of the test; ties count against significance.
    AsLarge,
}

impl AtLeast {
    /// True if a resampled difference counts.
    pub(crate) fn holds<T: PartialOrd>(self, resampled: T, seen: T) -> bool {
        match self {
            AtLeast::Larger => resampled > seen,
            AtLeast::AsLarge => resampled >= seen,
        }
    }
}

/// The p-value of the paired bootstrap (Koehn 2004, in sacreBLEU's form).
///
/// With `d` the absolute differences of the resampled scores, `p = (1 + #{d − mean(d) > seen}) / (1 + n)`. If all of
/// `d` are 0 and so is `seen`, nothing tells the systems apart and p is 1 (sacreBLEU, which compares strictly, gives
/// the smallest p there is, and calls identical systems significantly different).
pub(crate) fn paired_bootstrap(one: &Scores, other: &Scores, seen: f64, extreme: AtLeast) -> f64 {
    let count = one.len().min(other.len());
    let (exceeding, all_zero) = match (one, other) {
        // Where both are single, NumPy subtracts, averages and compares in single precision.
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
    (exceeding + 1) as f64 / (count + 1) as f64
}
