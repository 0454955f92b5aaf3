//! [`Caution`]: a reason to doubt a confidence interval, or the reason why there is none.
//! [`DifferenceMethod`]: the method that computed the interval and the p-value of a score difference.

use core::fmt;

use bleuprint_math::exact_mean;

/// Greatest share of bootstrap resamples that may be drawn again because they have no score. Above it there
/// is no confidence interval, because the remaining resamples no longer represent the test set.
pub(crate) const MOST_REDRAWN: f64 = 0.2;

/// Reason to doubt a confidence interval, or reason why there is none.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Caution {
    /// The bootstrap resamples are biased: their mean score is far from the score on all segments. It differs
    /// by more than a quarter of their standard deviation, and by more than two standard errors of the mean.
    Biased {
        /// Mean score of the bootstrap resamples.
        mean: f64,
        /// Score on all segments, without resampling.
        value: f64,
        /// Standard deviation of the scores of the bootstrap resamples.
        spread: f64,
    },
    /// There is no interval, because the bootstrap resamples are too biased. Their mean score differs from
    /// the score on all segments by more than their standard deviation, and by more than two standard errors
    /// of the mean.
    Shrunk {
        /// Mean score of the bootstrap resamples.
        mean: f64,
        /// Score on all segments, without resampling.
        value: f64,
        /// Standard deviation of the scores of the bootstrap resamples.
        spread: f64,
    },
    /// There is no interval of the score, because too many bootstrap resamples have no score.
    Unscored {
        /// Share of the bootstrap resamples without a score, from 0 to 1.
        share: f64,
        /// Number of segments for which the metric has a score if the segment is scored alone.
        segments: u64,
        /// Number of all segments of the test set.
        of: u64,
    },
    /// There is no interval of the score, because repeating a segment in a resample changes nothing for this
    /// metric, for example for a count of distinct words. Scores of resamples are therefore too low.
    Repeats,
    /// Two systems differ by the same amount in every unit (such as a document), so the p-value comes from
    /// the sign test.
    ConstantUnits,
    /// There is no interval of the difference: the two systems have equal scores in every unit (such as a
    /// document), and the metric's scale is unbounded.
    NoUnitDiffers,
    /// There is neither an interval nor a p-value, because all segments belong to one unit, such as one
    /// document.
    OneUnit,
}

impl Caution {
    /// Returns `true` if this caution means that there is no confidence interval.
    pub fn refuses(&self) -> bool {
        !matches!(self, Caution::Biased { .. } | Caution::ConstantUnits)
    }

    /// Returns a caution if the mean of the scores on bootstrap resamples differs too much from `value`, the
    /// score on all segments. Source: Efron and Tibshirani 1993, 10.6.
    pub fn of_bias(value: f64, resampled: &[f64]) -> Option<Self> {
        let mean = exact_mean(resampled);
        let bias = (mean - value).abs();
        // A smaller difference may come from rounding to single precision, so it is not a bias.
        if bias.is_nan() || bias <= 1e-6 * value.abs().max(mean.abs()) {
            return None;
        }
        let squares: f64 = resampled.iter().map(|one| (one - mean) * (one - mean)).sum();
        let spread = (squares / resampled.len().max(1) as f64).sqrt();
        // The mean of few resamples differs by chance, so a difference of up to two standard errors of the mean
        // is not a bias. From 65 resamples on, two standard errors are at most a quarter of the spread.
        let noise = 2.0 * spread / ((resampled.len().max(2) - 1) as f64).sqrt();
        if bias > spread.max(noise) {
            return Some(Caution::Shrunk { mean, value, spread });
        }
        (bias > noise.max(0.25 * spread)).then_some(Caution::Biased { mean, value, spread })
    }
}

impl fmt::Display for Caution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Caution::Biased { mean, value, .. } => write!(
                f,
                "the mean of the resamples is {mean:.4}, but the number of all segments {value:.4}: the interval is doubtful"
            ),
            Caution::Shrunk { mean, value, spread } => write!(
                f,
                "no interval: the mean of the resamples is {mean:.4}, but the number of all segments {value:.4}, more than their \
                 standard deviation of {spread:.4} away"
            ),
            Caution::Unscored { share, segments, of } => {
                write!(f, "no interval: {:.1} % of the resamples have no score", 100.0 * share)?;
                match segments {
                    0 => Ok(()),
                    _ => write!(f, "; {segments} of {of} segments have one alone"),
                }
            }
            Caution::Repeats => write!(
                f,
                "no interval: repeated segments are no new evidence under this metric, so resampling shrinks its score"
            ),
            Caution::ConstantUnits => {
                write!(f, "all units differ by the same amount: p is that of the sign test")
            }
            Caution::NoUnitDiffers => write!(f, "no interval: no unit differs"),
            Caution::OneUnit => write!(f, "no interval and no p: there is one unit"),
        }
    }
}

/// Method that computed both the confidence interval and the p-value of a score difference between two
/// systems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum DifferenceMethod {
    /// Tango's score interval and McNemar's exact test, for segments that each system gets right or wrong.
    Tango,
    /// Tango's score interval and McNemar's exact test over units, such as documents. In each unit, all
    /// segments are right or all are wrong.
    TangoOfUnits,
    /// Student's t interval and test of a ratio estimator: the difference of mean scores, over units such as
    /// documents.
    UnitMeans,
    /// Paired bootstrap: percentiles of the score differences on resamples that both systems share, widened
    /// if there are few units.
    PairedBootstrap,
    /// Paired randomization test, which swaps outputs between the two systems.
    PairedRandomization,
    /// Miettinen and Nurminen's score interval and test, for two systems on different segments, each right or
    /// wrong.
    MiettinenNurminen,
    /// Welch's t test of two systems on different segments.
    Welch,
    /// Unpaired bootstrap: percentiles of the score differences if each system's segments are resampled
    /// separately.
    UnpairedBootstrap,
    /// Permutation test that relabels segments between two systems and compares
    /// `|difference/standard error|`.
    Permutation,
}

impl DifferenceMethod {
    /// Returns the method's name as it is written in JSON, for example `paired-bootstrap`.
    pub fn name(self) -> &'static str {
        match self {
            DifferenceMethod::Tango => "tango",
            DifferenceMethod::TangoOfUnits => "tango-of-units",
            DifferenceMethod::UnitMeans => "unit-means",
            DifferenceMethod::PairedBootstrap => "paired-bootstrap",
            DifferenceMethod::PairedRandomization => "paired-randomization",
            DifferenceMethod::MiettinenNurminen => "miettinen-nurminen",
            DifferenceMethod::Welch => "welch",
            DifferenceMethod::UnpairedBootstrap => "unpaired-bootstrap",
            DifferenceMethod::Permutation => "permutation",
        }
    }

    /// Returns the method's description for a report, for example "paired bootstrap".
    pub fn in_words(self) -> &'static str {
        match self {
            DifferenceMethod::Tango => "Tango's interval and McNemar's exact test",
            DifferenceMethod::TangoOfUnits => "Tango's interval and McNemar's exact test over units",
            DifferenceMethod::UnitMeans => "t interval of the ratio estimator over units",
            DifferenceMethod::PairedBootstrap => "paired bootstrap",
            DifferenceMethod::PairedRandomization => "paired randomization",
            DifferenceMethod::MiettinenNurminen => "Miettinen and Nurminen's interval and test",
            DifferenceMethod::Welch => "Welch's test",
            DifferenceMethod::UnpairedBootstrap => "bootstrap of each system",
            DifferenceMethod::Permutation => "studentized permutation",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Caution;

    /// Returns `count` numbers with mean 0 and standard deviation 1, as simulated scores of resamples.
    fn resamples(count: usize) -> Vec<f64> {
        (0..count).map(|at| if at % 2 == 0 { 1.0 } else { -1.0 }).collect()
    }

    #[test]
    fn few_resamples_have_an_allowance_for_noise() {
        let of = |value, count| Caution::of_bias(value, &resamples(count));
        // Two standard errors of the mean are 1.155, 0.516 and 0.063.
        for (count, quiet, biased) in [(4, 1.15, None), (16, 0.51, Some(0.52)), (1000, 0.249, Some(0.251))] {
            assert_eq!(of(quiet, count), None, "{count}");
            if let Some(value) = biased {
                assert_eq!(of(value, count), Some(Caution::Biased { mean: 0.0, value, spread: 1.0 }));
            }
        }
        for (count, value) in [(4, 1.16), (16, 1.01), (1000, 1.01)] {
            assert_eq!(of(value, count), Some(Caution::Shrunk { mean: 0.0, value, spread: 1.0 }));
        }
        // Resamples that do not vary have no noise.
        let spread = 0.0;
        for constant in [&[0.5][..], &[0.5; 4]] {
            assert_eq!(
                Caution::of_bias(0.75, constant),
                Some(Caution::Shrunk { mean: 0.5, value: 0.75, spread })
            );
        }
    }
}
