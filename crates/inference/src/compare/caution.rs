//! [`Caution`]: what a reader must know about an interval, or why there is none; [`DifferenceMethod`]: where an interval and
//! a p-value come from.

use core::fmt;

use bleuprint_math::exact_mean;

/// The least share of resamples drawn again that withholds an interval.
pub(crate) const MOST_REDRAWN: f64 = 0.2;

/// A doubt about an interval, or the reason for its absence.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Caution {
    /// The mean of the resamples is more than a quarter of their standard deviation off the number of all segments.
    Biased {
        /// Mean of the resamples.
        mean: f64,
        /// Number of all segments.
        value: f64,
        /// Standard deviation of the resamples.
        spread: f64,
    },
    /// The same by more than a whole standard deviation: there is no interval.
    Shrunk {
        /// Mean of the resamples.
        mean: f64,
        /// Number of all segments.
        value: f64,
        /// Standard deviation of the resamples.
        spread: f64,
    },
    /// Too many resamples have no score: there is no interval.
    Unscored {
        /// Share of the resamples without a score.
        share: f64,
        /// Segments that have a score alone.
        segments: u64,
        /// All segments.
        of: u64,
    },
    /// Repeated segments are no new evidence under this metric: a score alone has no interval.
    Repeats,
    /// All units differ by the same amount: the p-value is that of the sign test.
    ConstantUnits,
    /// No unit differs, and the scale has no ends: there is no interval.
    NoUnitDiffers,
    /// There is one unit: there is no interval and no p-value.
    OneUnit,
}

impl Caution {
    /// Returns `true` if there is no interval.
    pub fn refuses(&self) -> bool {
        !matches!(self, Caution::Biased { .. } | Caution::ConstantUnits)
    }

    /// Returns a doubt about resamples whose mean is off the number of all segments. Source: Efron and Tibshirani 1993, 10.6.
    pub fn of_bias(value: f64, resampled: &[f64]) -> Option<Self> {
        let mean = exact_mean(resampled);
        let bias = (mean - value).abs();
        // Rounding to single precision is not a bias.
        if bias.is_nan() || bias <= 1e-6 * value.abs().max(mean.abs()) {
            return None;
        }
        let squares: f64 = resampled.iter().map(|one| (one - mean) * (one - mean)).sum();
        let spread = (squares / resampled.len().max(1) as f64).sqrt();
        if bias > spread {
            return Some(Caution::Shrunk { mean, value, spread });
        }
        (bias > 0.25 * spread).then_some(Caution::Biased { mean, value, spread })
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

/// The method behind an interval and a p-value of a difference: one method gives both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum DifferenceMethod {
    /// Tango's score interval and McNemar's exact test, of segments that are right or wrong.
    Tango,
    /// The same over units whose segments are all alike.
    TangoOfUnits,
    /// The ratio estimator over units and Student's distribution.
    UnitMeans,
    /// Percentiles of paired resamples, widened for few units.
    PairedBootstrap,
    /// Paired randomization.
    PairedRandomization,
    /// Miettinen and Nurminen's score interval and test, of segments that are right or wrong.
    MiettinenNurminen,
    /// Welch's test.
    Welch,
    /// Percentiles of resamples of each side.
    UnpairedBootstrap,
    /// Studentized permutation.
    Permutation,
}

impl DifferenceMethod {
    /// Returns the name, as in JSON.
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

    /// Returns the method in words, as printed lines have it.
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
