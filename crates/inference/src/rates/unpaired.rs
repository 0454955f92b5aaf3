//! [`UnpairedRates`]: the difference of two systems' shares of right segments on different segments, by
//! Miettinen and Nurminen's score interval and test.

use bleuprint_core::Result;

use super::end_of;
use crate::Proportion;
use crate::distribution::{normal_quantile, normal_tail};

/// Comparison of two independent rates, such as two systems' shares of right segments on different segments.
/// Each rate is given as successes and trials.
///
/// The interval and the test use the same score statistic, so `p < 0.05` if and only if the 95 % interval
/// excludes 0. Source: Miettinen and Nurminen 1985.
///
/// ```
/// use bleuprint_inference::UnpairedRates;
/// let rates = UnpairedRates::new([56, 70], [48, 80]).unwrap();
/// let [lower, upper] = rates.interval(0.95);
/// assert!((lower - 0.0528).abs() < 5e-5 && (upper - 0.3382).abs() < 5e-5);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnpairedRates {
    /// Successes (right segments) and trials (all segments) of the first system.
    first: [f64; 2],
    /// Successes (right segments) and trials (all segments) of the second system.
    second: [f64; 2],
}

impl UnpairedRates {
    /// Creates the comparison of two rates. Each rate is an array of its successes and trials.
    ///
    /// # Errors
    /// Returns [`Limit`](bleuprint_core::InputErrorKind::Limit) if a side has no trials, or more successes
    /// than trials.
    pub fn new(first: [u64; 2], second: [u64; 2]) -> Result<Self> {
        for [successes, trials] in [first, second] {
            Proportion::new(successes, trials)?;
        }
        let numbers = |side: [u64; 2]| side.map(|count| count as f64);
        Ok(UnpairedRates { first: numbers(first), second: numbers(second) })
    }

    /// Returns the difference of the rates of right segments: the first system's minus the second's.
    pub fn difference(&self) -> f64 {
        self.first[0] / self.first[1] - self.second[0] / self.second[1]
    }

    /// Returns the maximum likelihood estimates of both rates under the restriction that they differ by `d`.
    /// The second rate is a root of the likelihood's cubic equation.
    fn restricted(&self, d: f64) -> [f64; 2] {
        let ([x1, n1], [x2, n2]) = (self.first, self.second);
        let (n, x) = (n1 + n2, x1 + x2);
        let l3 = n;
        let l2 = (n1 + 2.0 * n2) * d - n - x;
        let l1 = (n2 * d - n - 2.0 * x2) * d + x;
        let l0 = x2 * d * (1.0 - d);
        let third = l2 / (3.0 * l3);
        let q = third * third * third - l1 * l2 / (6.0 * l3 * l3) + l0 / (2.0 * l3);
        let s = (third * third - l1 / (3.0 * l3)).max(0.0);
        // All three roots are real; this sign selects the root for which both rates are between 0 and 1.
        // Clamping removes only rounding.
        let p = s.sqrt().copysign(q);
        let second = if p == 0.0 { -third } else { 2.0 * p * cosine_of_third(q / (p * s)) - third };
        [(second + d).clamp(0.0, 1.0), second.clamp(0.0, 1.0)]
    }

    /// Returns the statistic of the score test for the hypothesis that the true difference of the rates is
    /// `d`. The statistic decreases as `d` grows.
    pub(crate) fn statistic(&self, d: f64) -> f64 {
        let [r1, r2] = self.restricted(d);
        let (n1, n2) = (self.first[1], self.second[1]);
        let n = n1 + n2;
        // The factor n/(n − 1) is Miettinen and Nurminen's; without it the statistic is Mee's.
        let variance = (r1 * (1.0 - r1) / n1 + r2 * (1.0 - r2) / n2) * n / (n - 1.0);
        let numerator = self.difference() - d;
        if variance <= 0.0 {
            return if numerator == 0.0 { 0.0 } else { f64::INFINITY.copysign(numerator) };
        }
        numerator / variance.sqrt()
    }

    /// Returns the interval of the difference of rates with confidence `level`: all differences that the
    /// score test does not reject.
    pub fn interval(&self, level: f64) -> [f64; 2] {
        let z = normal_quantile(0.5 + 0.5 * level);
        let statistic = |d: f64| self.statistic(d);
        [-1.0, 1.0].map(|outside| end_of(&statistic, z, self.difference(), outside))
    }

    /// Returns the two-sided p-value of the score test of the hypothesis that both rates are equal.
    pub fn p_value(&self) -> f64 {
        (2.0 * normal_tail(self.statistic(0.0).abs())).min(1.0)
    }
}

/// Returns `cos((π + acos(w))/3)`, with `w` clamped to −1 to 1: the root of `4 c³ − 3 c + w` between −½ and
/// ½.
///
/// The root is found by Newton's method, because the last bits of trigonometric functions depend on the
/// platform.
fn cosine_of_third(w: f64) -> f64 {
    let w = w.clamp(-1.0, 1.0);
    let value = |c: f64| (4.0 * c * c - 3.0) * c + w;
    let (mut low, mut high) = (-0.5, 0.5);
    let mut c = w / 3.0;
    for _ in 0..200 {
        let there = value(c);
        // The polynomial decreases from −½ to ½, so its sign says on which side the root is.
        if there > 0.0 {
            low = c;
        } else {
            high = c;
        }
        let slope = 12.0 * c * c - 3.0;
        let mut next = c - there / slope;
        // Newton's step leaves the bracket near the ends, where the slope is 0 and the quotient infinite or
        // NaN.
        if !(next > low && next < high) {
            next = 0.5 * (low + high);
        }
        if (next - c).abs() <= f64::EPSILON * c.abs() || next == c {
            return next;
        }
        c = next;
    }
    c
}
