//! [`Unpaired`]: compares systems on different segments, for example in an A/B test with different users.

pub(crate) mod arm;
mod pair;
mod permutation;
mod quotient;

use bleuprint_core::{InputError, InputErrorKind, Result};

use self::quotient::is_quotient;
use crate::compare::matrix::{all_pairs, ranking};
use crate::{
    Approach, Arithmetic, Arm, Correction, CountRows, Finish, NumpyRandom, PairMatrix, PairTest, Power,
    ResamplePlan, Scores, Units, bootstrap_from,
};

/// Significance test of two systems on different segments. It computes both the p-value and the interval, so
/// p is below the level if and only if the interval excludes 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnpairedTest {
    /// Welch's t test: the score difference divided by its standard error, compared with Student's
    /// distribution. It uses no random numbers.
    Welch,
    /// Bootstrap that resamples each system separately. The interval is between percentiles of the score
    /// differences, widened for few units; p is the smallest level whose interval excludes 0. System `k` uses
    /// the seed plus `k`, so adding a system leaves the resamples of the other systems unchanged.
    Bootstrap,
    /// Miettinen and Nurminen's score interval and test of two rates: see
    /// [`UnpairedRates`](crate::UnpairedRates).
    Rates,
    /// Permutation test that assigns units (such as users) to the two systems at random. With the difference
    /// `d` and its standard error `se`, it compares `|d*/se*|` of each trial with `|d/se|`:
    /// `p = (1 + trials at least as large)/(1 + trials)`. The interval is `d ± c se`, where `c` is a quantile
    /// of `|d*/se*|`. If there are at most 20,000 assignments, it tries all.
    Permutation,
}

/// Settings for the comparison of systems on different segments.
///
/// ```
/// use bleuprint_inference::{Power, ResamplePlan, CountRows, Unpaired, UnpairedTest};
/// let right = |every: u64, count: u64| {
///     CountRows::new(2, (0..count).flat_map(|at| [u64::from(at % 10 >= every), 1]).collect()).unwrap()
/// };
/// let percent = |row: &[u64]| 100.0 * row[0] as f64 / row[1] as f64;
/// let (one, other) = (right(2, 400), right(4, 300));
/// let design = Unpaired { test: Some(UnpairedTest::Welch), ..Unpaired::default() };
/// let matrix = design.compare(&[(&one, None), (&other, None)], &percent).unwrap();
/// let pair = &matrix.pairs[0];
/// assert!((pair.difference - 20.0).abs() < 1e-12 && pair.p_value < 1e-6 && pair.interval.lower > 12.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct Unpaired {
    /// Significance test to use. If `None`, rates use [`UnpairedTest::Rates`], other means and quotients of
    /// counts use Welch's test, and all other scores use the bootstrap.
    pub test: Option<UnpairedTest>,
    /// Seed of the random draws, and number of bootstrap resamples or permutation trials.
    pub plan: ResamplePlan,
    /// `true` if a higher score is better.
    pub higher_is_better: bool,
    /// Significance level, and the power (probability of detection) for which the smallest detectable
    /// difference is reported.
    pub power: Power,
    /// Planned number of units (such as users) in each system. If set, the result also has an interval that
    /// stays valid if it is computed again and again while data arrives.
    pub expected: Option<u64>,
    /// Score difference, in points, that the user wants to detect. The result reports the number of units
    /// (such as users) needed for it.
    pub wanted: Option<f64>,
}

impl Default for Unpaired {
    fn default() -> Self {
        Unpaired {
            test: None,
            plan: ResamplePlan::new(ResamplePlan::RESAMPLES),
            higher_is_better: true,
            power: Power::default(),
            expected: None,
            wanted: None,
        }
    }
}

/// Data of one system: the counts of its segments, and the units (such as users) that the segments belong to.
/// Without units, each segment is a unit.
type Side<'r> = (&'r CountRows, Option<&'r Units>);

/// Values of one system that are computed once and used in all its comparisons with other systems: its score,
/// standard error and resampled scores.
struct PreparedSide {
    units: CountRows,
    arm: Arm,
    /// Squared standard error of the system's score for independent segments; `None` if each segment is a
    /// unit anyway.
    variance_of_segments: Option<f64>,
    resampled: Vec<f64>,
    redrawn: f64,
    /// Number of segments that the system gets right, for the test of two rates; 0 for all other tests.
    right: u64,
}

impl Unpaired {
    /// Compares every pair of systems. Pairs without a p-value count as p = 1 in Holm's correction of the
    /// other p-values.
    ///
    /// # Errors
    /// Returns an error if:
    /// - a system has fewer than two units, or its units do not match its segments;
    /// - a system has no score, or would have none without one of its units;
    /// - a sum does not fit 64 bits;
    /// - the planned number of units is 0, or the wanted difference is not above 0.
    pub fn compare(&self, sides: &[Side<'_>], finish: &Finish<'_>) -> Result<PairMatrix> {
        self.compare_as(Approach::Other, f64::NAN, sides, finish)
    }

    /// Compares every pair of systems with the tests for one kind of score: mean, rate or other. `approach`
    /// is this kind, determined from all systems together. The segments of a rate score 0 or `max`.
    ///
    /// # Errors
    /// Returns the errors of [`Unpaired::compare`]. Also returns an error if the test of rates is requested,
    /// but segments are not simply right or wrong, or belong to larger units.
    pub fn compare_as(
        &self,
        approach: Approach,
        max: f64,
        sides: &[Side<'_>],
        finish: &Finish<'_>,
    ) -> Result<PairMatrix> {
        if let Some(wanted) = self.wanted.filter(|wanted| !(wanted.is_finite() && *wanted > 0.0)) {
            let message = format!("a wanted difference of {wanted}: a number above 0 is needed");
            return Err(InputError::malformed(message));
        }
        let segments = sides.iter().all(|(_, units)| units.is_none());
        let rates = approach == Approach::Rate && segments;
        let test = match self.test {
            Some(UnpairedTest::Rates) if !rates => {
                let message = "the test of rates needs segments that are right or wrong, each a unit";
                return Err(InputError::malformed(message));
            }
            // Drawing segments with replacement would shrink sets and vocabularies; permutation uses every
            // unit once.
            None | Some(UnpairedTest::Bootstrap) if approach == Approach::Repeats => {
                UnpairedTest::Permutation
            }
            Some(test) => test,
            None if rates => UnpairedTest::Rates,
            None => self.usual_test(sides, finish)?,
        };
        let prepare = |(place, side): (usize, &Side<'_>)| self.prepare((test, max), place, *side, finish);
        let sides = sides.iter().enumerate().map(prepare).collect::<Result<Vec<_>>>()?;
        let pairs = all_pairs(sides.len());
        let tested = |&(first, second): &(usize, usize)| {
            self.pair((test, max), (first, &sides[first]), (second, &sides[second]), pairs.len(), finish)
        };
        let mut tested = pairs.iter().map(tested).collect::<Result<Vec<_>>>()?;
        let counted = |pair: &PairTest| if pair.p_value.is_nan() { 1.0 } else { pair.p_value };
        let corrected = Correction::Holm.apply(&tested.iter().map(counted).collect::<Vec<_>>());
        for (pair, corrected) in tested.iter_mut().zip(corrected) {
            pair.corrected = if pair.p_value.is_nan() { f64::NAN } else { corrected };
        }
        let scores: Vec<f64> = sides.iter().map(|side| side.arm.score).collect();
        let ranks = ranking(&scores, &tested, self.higher_is_better, self.power.significance);
        let test = match test {
            UnpairedTest::Rates => "miettinen-nurminen",
            UnpairedTest::Welch => "welch",
            UnpairedTest::Bootstrap => "bootstrap",
            UnpairedTest::Permutation => "permutation",
        };
        Ok(PairMatrix {
            test,
            scores,
            pairs: tested,
            ranks,
            arms: sides.iter().map(|side| side.arm).collect(),
        })
    }

    /// Chooses the significance test if the caller requires none: Welch's test if the metric's score is a
    /// quotient of two sums over segments (such as a mean), otherwise the bootstrap.
    ///
    /// The scores of all systems are examined for this. Systems whose segments all have the same score are
    /// ignored, because they cannot show whether the score is a quotient.
    fn usual_test(&self, sides: &[Side<'_>], finish: &Finish<'_>) -> Result<UnpairedTest> {
        let told = sides.iter().map(|side| is_quotient(side.0, finish)).collect::<Result<Vec<_>>>()?;
        let mut told = told.into_iter().flatten().peekable();
        let quotients = told.peek().is_some() && told.all(|is| is);
        Ok(if quotients { UnpairedTest::Welch } else { UnpairedTest::Bootstrap })
    }

    fn prepare(
        &self,
        (test, max): (UnpairedTest, f64),
        place: usize,
        (rows, units): Side<'_>,
        finish: &Finish<'_>,
    ) -> Result<PreparedSide> {
        let of_segments = units.map(|_| Arm::from_units(rows, finish)).transpose()?;
        let units = match units {
            Some(units) => units.rows(rows)?,
            None => rows.clone(),
        };
        let arm = Arm::from_units(&units, finish)?;
        let (resampled, redrawn) = if test == UnpairedTest::Bootstrap && units.len() > 1 {
            // The seed depends on the place alone, so that more systems leave these resamples unchanged.
            let random = NumpyRandom::new(self.plan.seed.wrapping_add(place as u128));
            let (scores, redrawn) =
                bootstrap_from(random, self.plan.count, &[&units], Arithmetic::Exact(finish))?;
            (scores.first().map(Scores::to_f64).unwrap_or_default(), redrawn)
        } else {
            (Vec::new(), 0.0)
        };
        let right = match test {
            UnpairedTest::Rates => units.iter().filter(|row| finish(row) == max).count() as u64,
            _ => 0,
        };
        let numbers = [arm.score, arm.standard_error];
        if !numbers.iter().all(|number| number.is_finite()) {
            let reason = format!("some units of system {} alone, left out, have none", place + 1);
            return Err(InputErrorKind::NoScore { metric: "the metric".to_owned(), reason }.into());
        }
        let variance_of_segments = of_segments.map(|arm| arm.standard_error * arm.standard_error);
        Ok(PreparedSide { units, arm, variance_of_segments, resampled, redrawn, right })
    }
}

#[cfg(test)]
mod tests;
