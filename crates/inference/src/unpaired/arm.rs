//! [`Arm`]: score of one system in a comparison of systems on different segments. [`StudentTest`]: test of a
//! score difference by Student's t distribution.

use bleuprint_core::{InputError, Result, counted};

use crate::distribution::{normal_quantile, normal_tail, student_tail};
use crate::{CountRows, Finish, leave_one_out, standard_error, student_quantile};

/// Score, standard error and number of units of one system, for comparing systems on different segments.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Arm {
    /// Score of the system on all its segments.
    pub score: f64,
    /// Number of independent units: segments, or groups of dependent segments such as documents.
    pub units: usize,
    /// Standard error of the score, by the jackknife over units such as documents.
    pub standard_error: f64,
}

impl Arm {
    /// Computes a system's score from summed counts, and its jackknife standard error over units. For a mean
    /// of `n` values `x` the error is `√(Σ(x − x̄)²/(n(n − 1)))`, as in textbooks. For a quotient of sums
    /// over `G` units, `s = Σ N_g/Σ D_g`, it approaches `√(G/(G − 1) · Σ(N_g − s D_g)²)/Σ D_g`.
    pub(crate) fn from_units(units: &CountRows, finish: &Finish<'_>) -> Result<Self> {
        let standard_error = standard_error(&leave_one_out(units, finish)?);
        Ok(Arm { score: finish(&units.total()?), units: units.len(), standard_error })
    }

    /// Returns the standard deviation of the score of a single unit: the standard error times `√G`, with `G`
    /// the number of units.
    pub(crate) fn deviation(&self) -> f64 {
        self.standard_error * (self.units as f64).sqrt()
    }

    fn variance(&self) -> f64 {
        self.standard_error * self.standard_error
    }
}

/// Test of the score difference of two systems by Student's t distribution, from its standard error and
/// degrees of freedom.
///
/// The p-value of a difference `d` with standard error `se` comes from `t = d/se`. The interval is
/// `d ± t_{α/2,ν} se`, with the quantile of Student's distribution for the level `α` and `ν` degrees of
/// freedom. If `se = 0`, a difference of 0 has p = 1, and any other difference has the p-value NaN.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct StudentTest {
    /// Score of the first system minus score of the second system.
    pub difference: f64,
    /// Standard error of the score difference.
    pub standard_error: f64,
    /// Degrees of freedom of Student's t distribution, by which the difference is tested.
    pub freedom: f64,
}

impl StudentTest {
    /// Creates Welch's test of the score difference of two systems: `se² = v_1 + v_2` with
    /// `ν = (v_1 + v_2)²/(v_1²/(G_1 − 1) + v_2²/(G_2 − 1))` degrees of freedom. `v` are the squared standard
    /// errors, `G` the numbers of units. Sources: Welch 1947, Satterthwaite 1946.
    ///
    /// # Errors
    /// Returns an error if a system has fewer than two units.
    pub(crate) fn welch(first: &Arm, second: &Arm) -> Result<Self> {
        if let Some(arm) = [first, second].iter().find(|arm| arm.units < 2) {
            let units = counted(arm.units, "unit");
            let message = format!("{units} on one side: an unpaired test takes at least 2 on each");
            return Err(InputError::malformed(message));
        }
        let one = first.variance();
        let other = second.variance();
        let squares = one * one / (first.units - 1) as f64 + other * other / (second.units - 1) as f64;
        let freedom = (one + other) * (one + other) / squares;
        Ok(StudentTest {
            difference: first.score - second.score,
            standard_error: (one + other).sqrt(),
            // Squares of tiny variances underflow to 0. The smaller number of units minus 1 is the least that
            // `ν` can be.
            freedom: if freedom.is_finite() { freedom } else { (first.units.min(second.units) - 1) as f64 },
        })
    }

    /// Returns the t statistic: the score difference divided by its standard error. It is infinite or NaN if
    /// the standard error is 0.
    pub(crate) fn statistic(&self) -> f64 {
        self.difference / self.standard_error
    }

    /// Returns the two-sided p-value: the probability of a difference at least as large if the systems are
    /// equal. It is NaN if the scores differ but the standard error is 0.
    pub(crate) fn p_value(&self) -> f64 {
        if self.standard_error == 0.0 {
            return if self.difference == 0.0 { 1.0 } else { f64::NAN };
        }
        (2.0 * student_tail(self.statistic().abs(), self.freedom)).min(1.0)
    }

    /// Returns the confidence interval of the score difference, which contains the true difference with
    /// probability `confidence`.
    pub(crate) fn interval(&self, confidence: f64) -> [f64; 2] {
        let half = student_quantile(0.5 - 0.5 * confidence, self.freedom) * self.standard_error;
        [self.difference - half, self.difference + half]
    }

    /// Returns the share of resampled score differences to cut off at each end of a percentile interval, so
    /// that each end errs with probability `tail`. With few units (such as documents) the share is smaller
    /// than `tail`, because resamples then spread too little.
    ///
    /// The spread of resamples is too small by the factor `√(Σ v (G − 1)/G / Σ v)`, summed over the two
    /// systems. Here `v` is a system's squared standard error and `G` its number of units. See
    /// [`tail_of_percentile`](crate::distribution::student::tail_of_percentile) for one system. Source:
    /// Hesterberg 2015.
    pub(super) fn tail_of_percentiles(&self, tail: f64, arms: [&Arm; 2]) -> f64 {
        normal_tail(inflation(arms) * student_quantile(tail, self.freedom))
    }

    /// Returns the one-sided error probability of a confidence bound, given the share of resampled score
    /// differences beyond it. Twice this probability is a p-value. `arms` are the two compared systems. This
    /// function is the inverse of [`StudentTest::tail_of_percentiles`].
    pub(super) fn tail_of_share(&self, share: f64, arms: [&Arm; 2]) -> f64 {
        student_tail(-normal_quantile(share) / inflation(arms), self.freedom)
    }
}

fn inflation(arms: [&Arm; 2]) -> f64 {
    let sum = |of: fn(&Arm) -> f64| arms.iter().map(|arm| of(arm)).sum::<f64>();
    // Resampling n units divides squared deviations by n, the unbiased variance by n − 1.
    let resampled = sum(|arm| arm.variance() * (arm.units as f64 - 1.0) / arm.units as f64);
    let inflation = (sum(Arm::variance) / resampled).sqrt();
    if inflation.is_finite() { inflation } else { 1.0 }
}
