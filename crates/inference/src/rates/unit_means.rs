//! [`UnitMeans`]: the difference of two systems' mean scores on the same segments, with an interval over
//! units such as documents (ratio estimator).

use bleuprint_core::{InputErrorKind, Result};
use bleuprint_math::exact_mean;

use super::extended;
use super::paired::smallest_difference;
use crate::distribution::{normal_quantile, student_tail};
use crate::{Power, student_quantile};

/// Sums over the segments of one unit, such as a document: the number of segments, the sum of the first
/// system's values, the sum of the second system's values.
pub type UnitSums = [f64; 3];

/// Difference of two means over the same segments. The segments form units, such as documents or the samples
/// of one item.
///
/// The difference is `d = Σ (a_i − b_i)/Σ n_i`, with `a_i` and `b_i` the systems' sums over the `n_i`
/// segments of unit `i`. Its standard error over m units is `√(m/(m − 1) Σ (a_i − b_i − d n_i)²)/Σ n_i`.
/// Interval and test use Student's distribution with m − 1 degrees of freedom. Sources: Cochran 1977 (6.4),
/// Miller 2024.
///
/// ```
/// use bleuprint_inference::UnitMeans;
/// let units = [[2.0, 2.0, 1.0], [3.0, 1.0, 1.0], [2.0, 2.0, 0.0], [1.0, 0.0, 1.0]];
/// let means = UnitMeans::new(&units, Some(1.0)).unwrap();
/// assert_eq!(means.difference(), 0.25);
/// let interval = means.interval(0.95).unwrap();
/// assert!(interval[0] < 0.0 && means.p_value() > 0.05);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnitMeans {
    units: usize,
    difference: f64,
    standard_error: f64,
    spread: Spread,
    /// Largest possible difference of two means; `None` if the metric's scale is unbounded.
    range: Option<f64>,
}

/// Spread of the two systems' differences among units, such as documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spread {
    /// The systems' differences vary among units (such as documents), so there is a standard error.
    Some,
    /// The systems have equal values in every unit, such as a document.
    Equal,
    /// The systems differ by the same nonzero amount in every unit (such as a document), so the standard
    /// error is 0.
    Constant,
}

/// Relative tolerance for rounding: a standard error counts as 0 if it is below this share of the largest
/// difference of means in a unit.
const ROUNDING: f64 = 1e-12;

impl UnitMeans {
    /// Creates the comparison of two means from sums over units, such as documents. Units without segments
    /// are dropped. `range` is the largest possible difference of the means; `None` for an unbounded scale.
    ///
    /// # Errors
    /// Returns [`EmptyCorpus`](InputErrorKind::EmptyCorpus) if no unit has a segment.
    pub fn new(units: &[UnitSums], range: Option<f64>) -> Result<Self> {
        let counted: Vec<UnitSums> = units.iter().copied().filter(|[segments, ..]| *segments > 0.0).collect();
        if counted.is_empty() {
            return Err(InputErrorKind::EmptyCorpus.into());
        }
        let m = counted.len() as f64;
        // Exact sums, so that the order of the units does not change the result.
        let sum = |of: &dyn Fn(&UnitSums) -> f64| exact_mean(&counted.iter().map(of).collect::<Vec<_>>()) * m;
        let segments: f64 = counted.iter().map(|[segments, ..]| segments).sum();
        let difference = sum(&|[_, first, second]| first - second) / segments;
        let squares = sum(&|[segments, first, second]| (first - second - difference * segments).powi(2));
        let standard_error = if m > 1.0 { (m / (m - 1.0) * squares).sqrt() / segments } else { 0.0 };
        let differences = counted.iter().map(|[segments, first, second]| ((first - second) / segments).abs());
        let largest = differences.fold(0.0, f64::max);
        let spread = match (standard_error <= ROUNDING * largest, largest == 0.0) {
            (false, _) => Spread::Some,
            (true, true) => Spread::Equal,
            (true, false) => Spread::Constant,
        };
        let standard_error = if spread == Spread::Some { standard_error } else { 0.0 };
        Ok(UnitMeans { units: counted.len(), difference, standard_error, spread, range })
    }

    /// Returns the difference of the two systems' means: the first minus the second.
    pub fn difference(&self) -> f64 {
        self.difference
    }

    /// Returns the number of units (groups of segments, such as documents) that have segments.
    pub fn units(&self) -> usize {
        self.units
    }

    /// Returns the standard error of the difference of means; 0 if all units (such as documents) differ by
    /// the same amount.
    pub fn standard_error(&self) -> f64 {
        self.standard_error
    }

    fn freedom(&self) -> f64 {
        self.units as f64 - 1.0
    }

    /// Returns the two-sided p-value of the hypothesis that both means are equal; NaN for one unit. If all
    /// units differ by the same amount, it is the p-value of the sign test.
    pub fn p_value(&self) -> f64 {
        match self.spread {
            _ if self.units < 2 => f64::NAN,
            Spread::Equal => 1.0,
            // Sign test: all m units have the same sign with probability 2 · 2^−m. The limit keeps the cast
            // in range; 0.5 to the power of 1,099 is already 0.
            Spread::Constant => 0.5_f64.powi(self.units.min(1_100) as i32 - 1),
            Spread::Some => {
                (2.0 * student_tail((self.difference / self.standard_error).abs(), self.freedom())).min(1.0)
            }
        }
    }

    /// Returns the one-sided p-value: the probability of at least the observed difference of means if the
    /// true difference is `value`.
    pub fn p_above(&self, value: f64) -> f64 {
        if self.standard_error == 0.0 {
            return if self.difference > value { 0.0 } else { 1.0 };
        }
        student_tail((self.difference - value) / self.standard_error, self.freedom())
    }

    /// Returns the interval of the difference of means with confidence `level`. Returns `None` for a single
    /// unit (such as one document), and if the means are equal in every unit and the scale is unbounded.
    pub fn interval(&self, level: f64) -> Option<[f64; 2]> {
        if self.units < 2 {
            return None;
        }
        let [lower, upper] = match self.spread {
            Spread::Some => {
                let half = student_quantile(0.5 - 0.5 * level, self.freedom()) * self.standard_error;
                [self.difference - half, self.difference + half]
            }
            // Like Wilson's interval of a share of 0: units that would differ may just not have been seen.
            Spread::Equal => {
                let z = normal_quantile(0.5 + 0.5 * level);
                let half = self.range? * z * z / (self.units as f64 + z * z);
                [-half, half]
            }
            Spread::Constant => extended([self.difference; 2], self.p_value(), level),
        };
        let range = self.range.unwrap_or(f64::INFINITY);
        Some([lower.max(-range), upper.min(range)])
    }

    /// Returns `true` if the two systems differ by the same nonzero amount in all units (such as documents).
    /// The standard error is then 0.
    pub fn is_constant(&self) -> bool {
        self.spread == Spread::Constant
    }

    /// Returns the smallest true difference of the two means that the test would detect with this power. The
    /// number of units and the standard error are assumed to stay the same.
    ///
    /// The formula is `(t + z_power) se`. Here `t` is the quantile of Student's distribution for the
    /// significance level, `z_power` the normal quantile for the power, and `se` the standard error. If `se`
    /// is 0, the units are treated as right or wrong; the result is then NaN if the scale has no bounds.
    pub fn smallest_difference(&self, power: &Power) -> f64 {
        let tail = if power.two_sided { 0.5 * power.significance } else { power.significance };
        if self.standard_error > 0.0 {
            let t = student_quantile(tail, self.freedom());
            return (t + normal_quantile(power.power)) * self.standard_error;
        }
        let range = self.range.unwrap_or(f64::NAN);
        range * smallest_difference(self.units as f64, 0.0, power.factor())
    }
}
