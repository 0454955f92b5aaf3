//! CUSUM control chart, which accumulates evidence that a score has dropped. Its alarm threshold is derived
//! from an acceptable rate of false alarms.
//!
//! An observation is the difference `x` between the mean linear score of `n` segments and the baseline's
//! mean. Its standard error is `s = σ·√φ/√n`, with the standard deviation `σ` of a segment's score and the
//! over-dispersion `φ`. For a drop of `δ` points, `μ = δ/s` and `k = μ/2`:
//!
//! ```text
//! L = max(0, L − μ·x/s − μ²/2)                  the evidence, a likelihood ratio; the alarm is L ≥ H
//! ARL = (eᵇ − b − 1)/(2k²),  b = H + 1.166·μ    mean number of observations to a false alarm (Siegmund 1985)
//! ```
//!
//! For a constant `n`, `L = 2k·C` and `H = 2k·h`, with the usual `C = max(0, C − x/s − k)` and its threshold
//! `h`. For a varying `n`, `L` is still the correct sum; `H` then gives the wanted rate of false alarms on
//! average over the observed `n`.

use bleuprint_math::exp_m1;

/// Siegmund's correction of the threshold, for the amount by which the evidence exceeds the threshold when an
/// alarm is raised.
const EXCESS: f64 = 1.166;

/// Observation of a monitored score: the mean difference from the baseline over some segments, with its
/// standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a number and its error")]
pub struct Observation {
    /// Mean difference of the score from the baseline, in points; a negative difference is worse.
    pub difference: f64,
    /// Standard error of the difference from the baseline, in points.
    pub error: f64,
}

/// Returns the mean number of observations until a CUSUM chart raises a false alarm, by Siegmund's
/// approximation. `k` is the chart's reference value and `h` its threshold, in units of the standard error.
///
/// ```
/// use bleuprint_track::run_length;
/// assert_eq!(run_length(0.5, 5.0).round(), 938.0);
/// ```
pub fn run_length(k: f64, h: f64) -> f64 {
    false_alarms(2.0 * k, 2.0 * k * h).recip()
}

/// Returns the expected number of false alarms per observation, for an alarm threshold of the log likelihood
/// ratio. `mu` is the drop to detect divided by the standard error of an observation.
fn false_alarms(mu: f64, threshold: f64) -> f64 {
    let b = threshold + EXCESS * mu;
    // For small b the difference would lose its digits, so the series is used.
    let excess = if b < 1e-3 { b * b / 2.0 + b * b * b / 6.0 } else { exp_m1(b) - b };
    (mu * mu / 2.0) / excess
}

/// CUSUM control chart: adds up the evidence of successive observations that a score has dropped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chart {
    drop: f64,
    threshold: f64,
    evidence: f64,
}

impl Chart {
    /// Creates a control chart that detects a drop of `drop` points, with `rate` false alarms per
    /// observation. `errors` are standard errors of typical observations.
    ///
    /// ```
    /// use bleuprint_track::{Chart, Observation, run_length};
    /// let chart = Chart::new(1.0, &[2.0], 1.0 / 8760.0);
    /// assert!((run_length(0.25, chart.threshold() / 0.5) / 8760.0 - 1.0).abs() < 1e-9);
    /// ```
    pub fn new(drop: f64, errors: &[f64], rate: f64) -> Self {
        let mean = |threshold: f64| {
            errors.iter().map(|error| false_alarms(drop / error, threshold)).sum::<f64>()
                / errors.len() as f64
        };
        // The rate falls as the threshold rises, so bisection finds it.
        let mut low = 0.0_f64;
        let mut high = 1.0_f64;
        while mean(high) > rate && high < 1e6 {
            high *= 2.0;
        }
        // 200 halvings exceed the precision of a float for every start.
        for _ in 0..200 {
            let middle = (low + high) / 2.0;
            if mean(middle) > rate { low = middle } else { high = middle }
        }
        Chart { drop, threshold: high, evidence: 0.0 }
    }

    /// Returns this chart with the evidence that `earlier`, a chart of the same stream of scores, has
    /// collected.
    #[must_use]
    pub fn after(self, earlier: &Chart) -> Self {
        Chart { evidence: earlier.evidence, ..self }
    }

    /// Returns the alarm threshold: the logarithm of the likelihood ratio above which the chart raises an
    /// alarm.
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// Adds an observation to the chart, and returns the evidence for a drop as a multiple of the threshold.
    /// A value of 1 or more is an alarm, after which the evidence restarts at 0.
    pub fn add(&mut self, observation: Observation) -> f64 {
        let Observation { difference, error } = observation;
        let mu = self.drop / error;
        self.evidence = (self.evidence - mu * difference / error - mu * mu / 2.0).max(0.0);
        let share =
            if self.evidence > 0.0 { self.evidence / self.threshold.max(f64::MIN_POSITIVE) } else { 0.0 };
        if share >= 1.0 {
            self.evidence = 0.0;
        }
        share
    }
}

/// Returns the over-dispersion of observations: the factor by which their variance exceeds the variance for
/// independent segments, at least 1.
///
/// The formula is `Σ (x − x̄)²/e² / (m − 1)` over `m` observations. Here `x` is an observation's difference,
/// `e` the standard error that it would have with independent segments, and `x̄` the mean weighted by `1/e²`.
///
/// ```
/// use bleuprint_track::{Observation, over_dispersion};
/// let observations = [-2.0, 2.0, -2.0, 2.0].map(|difference| Observation { difference, error: 1.0 });
/// assert_eq!(over_dispersion(&observations), 16.0 / 3.0);
/// ```
pub fn over_dispersion(observations: &[Observation]) -> f64 {
    let weight = |one: &Observation| (one.error * one.error).recip();
    let weights: f64 = observations.iter().map(weight).sum();
    let mean = observations.iter().map(|one| weight(one) * one.difference).sum::<f64>() / weights;
    let squares: f64 =
        observations.iter().map(|one| weight(one) * (one.difference - mean) * (one.difference - mean)).sum();
    let factor = squares / (observations.len() as f64 - 1.0);
    // A factor below 1 would make alarms more sensitive than independent segments justify.
    if factor.is_finite() { factor.max(1.0) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_lengths_are_those_of_tables() {
        // Exact average run lengths of one-sided CUSUM charts for normal data (spc::xcusum.arl of R 0.7.1):
        // the approximation is known to be within a few percent.
        for (k, h, exact) in [(0.5, 4.0, 335.4), (0.5, 5.0, 930.9), (0.25, 8.0, 736.8)] {
            let ratio = run_length(k, h) / exact;
            assert!((0.95..1.05).contains(&ratio), "{k} {h}: {ratio}");
        }
    }

    #[test]
    fn sizes_that_vary_have_the_wanted_mean_rate() {
        let errors = [1.0, 2.0, 4.0];
        let rate = 1e-3;
        let chart = Chart::new(1.0, &errors, rate);
        let mean = errors.iter().map(|error| false_alarms(1.0 / error, chart.threshold())).sum::<f64>() / 3.0;
        assert!((mean / rate - 1.0).abs() < 1e-9);
    }

    #[test]
    fn an_alarm_starts_the_sum_anew() {
        let mut chart = Chart::new(1.0, &[1.0], 0.01);
        let bad = Observation { difference: -3.0, error: 1.0 };
        let shares: Vec<f64> = (0..4).map(|_| chart.add(bad)).collect();
        let first = shares.iter().position(|&share| share >= 1.0).unwrap();
        assert!(shares[first + 1] < shares[first], "{shares:?}");
        assert_eq!(chart.clone().add(Observation { difference: 9.0, error: 1.0 }), 0.0);
    }
}
