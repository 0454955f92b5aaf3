//! [`Runs`]: how much the scores of repeated runs (such as with different seeds) vary, and how this widens
//! the confidence bounds of their mean.

use bleuprint_inference::{NumpyRandom, student_quantile};

/// Repeated runs of one recipe, such as training with different seeds. They are judged by the mean of their
/// scores; another set of runs would have another mean.
///
/// With the scores `x_1 .. x_R` of the runs on all units, the error of their mean is distributed as
/// `s/√R · T`. Here `s` is their standard deviation, and `T` a Student variable with `R − 1` degrees of
/// freedom. Every resample of the units is shifted by such an error, so its percentiles include the variation
/// among segments and among runs.
///
/// Unlike units, runs are not drawn with replacement: a percentile over such draws never exceeds the most
/// extreme run. Yet in 1 of 8 cases, all of 3 runs are above the mean of their recipe. Student's variable
/// accounts for the small number of runs. It assumes that the scores of runs are about normal.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "closed: two numbers")]
pub struct Runs {
    /// Number of repeated runs, such as with different seeds.
    pub count: usize,
    /// Standard error of the runs' mean score due to the variation between runs; 0 for a single run.
    pub error: f64,
}

impl Runs {
    /// Computes the variation between repeated runs from the score of each run over all units (segments or
    /// documents).
    ///
    /// ```
    /// use bleuprint_gate::Runs;
    /// assert_eq!(Runs::from_scores(&[26.0, 28.0]), Runs { count: 2, error: 1.0 });
    /// assert_eq!(Runs::from_scores(&[26.0]).error, 0.0);
    /// ```
    pub fn from_scores(scores: &[f64]) -> Self {
        let count = scores.len();
        if count < 2 {
            return Runs { count, error: 0.0 };
        }
        let mean = scores.iter().sum::<f64>() / count as f64;
        let squares: f64 = scores.iter().map(|score| (score - mean) * (score - mean)).sum();
        Runs { count, error: (squares / (count - 1) as f64 / count as f64).sqrt() }
    }

    pub(crate) fn spread(&self, resampled: &mut [f64], seed: u128) {
        if self.count < 2 || self.error == 0.0 {
            return;
        }
        // The steps are evenly spaced quantiles of the distribution in random order: only the order is
        // random, so the result is less noisy than with drawn steps. The lower half of the seed is the
        // policy's, from which the units were drawn; another upper half gives an independent stream.
        let mut random = NumpyRandom::new(seed ^ (1 << 64));
        let count = resampled.len();
        let mut order: Vec<usize> = (0..count).collect();
        for last in (1..count).rev() {
            let mut other = [0];
            random.fill_indices(last as u32 + 1, &mut other);
            order.swap(last, other[0] as usize);
        }
        for (value, place) in resampled.iter_mut().zip(order) {
            let below = (place as f64 + 0.5) / count as f64;
            // The quantile function takes an upper tail, so the lower half is mirrored.
            let (tail, side) = if below < 0.5 { (below, -1.0) } else { (1.0 - below, 1.0) };
            *value += side * self.error * student_quantile(tail, (self.count - 1) as f64);
        }
    }

    /// Returns the degrees of freedom for the sum of two variances (Welch 1947, Satterthwaite 1946). One is
    /// of the mean over `units` segments or documents, whose standard error is given; the other is of the
    /// mean over repeated runs.
    pub(crate) fn freedom(&self, error_of_units: f64, units: usize) -> f64 {
        let ours = self.error.powi(2);
        let others = error_of_units.powi(2);
        let own = (self.count.max(2) - 1) as f64;
        let other = (units.max(2) - 1) as f64;
        let freedom = (ours + others).powi(2) / (ours.powi(2) / own + others.powi(2) / other);
        if freedom.is_finite() { freedom } else { other }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_those_of_student() {
        let runs = Runs { count: 4, error: 2.0 };
        let mut steps = vec![0.0; 20_000];
        runs.spread(&mut steps, 12345);
        steps.sort_by(f64::total_cmp);
        // Quantiles of 3 degrees of freedom: 0.7649 at 25 %, 2.3534 at 5 %.
        for (tail, quantile) in [(0.25, 0.7649), (0.05, 2.3534)] {
            let place = (tail * 20_000.0) as usize;
            for found in [-steps[place], steps[19_999 - place]] {
                assert!((found - 2.0 * quantile).abs() < 0.01, "{tail}: {found}");
            }
        }
        let mut alone = vec![1.0; 3];
        Runs { count: 1, error: 0.0 }.spread(&mut alone, 1);
        assert_eq!(alone, [1.0; 3]);
    }

    #[test]
    fn freedom_lies_between_that_of_runs_and_that_of_units() {
        let runs = Runs { count: 3, error: 1.0 };
        assert!((runs.freedom(1e-6, 500) - 2.0).abs() < 1e-6);
        assert!((runs.freedom(1e6, 500) - 499.0).abs() < 1e-3);
        assert_eq!(Runs { count: 3, error: 0.0 }.freedom(0.0, 500), 499.0);
    }
}
