//! [`Unpaired`]: compares systems on different segments, for example in an A/B test with different users.

pub(crate) mod arm;
mod permutation;
mod quotient;

use bleuprint_core::{InputError, InputErrorKind, Result};

use self::permutation::permutation;
use self::quotient::is_quotient;
use crate::compare::caution::MOST_REDRAWN;
use crate::compare::inverted::Differences;
use crate::compare::matrix::{all_pairs, ranking};
use crate::{
    Approach, Arithmetic, Arm, Caution, Correction, CountRows, DifferenceMethod, FEWEST_UNITS,
    FEWEST_UNITS_OF_LOOK, Finish, Inconclusive, Interval, NumpyRandom, PairMatrix, PairTest, Power,
    ResamplePlan, Scores, Sequence, SequentialLook, StudentTest, Units, UnpairedPair, UnpairedRates,
    bootstrap_from,
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

    fn pair(
        &self,
        (test, max): (UnpairedTest, f64),
        (first, one): (usize, &PreparedSide),
        (second, other): (usize, &PreparedSide),
        pairs: usize,
        finish: &Finish<'_>,
    ) -> Result<PairTest> {
        let student = StudentTest::welch(&one.arm, &other.arm)?;
        let alpha = self.power.significance;
        let [lower, upper] = student.interval(1.0 - alpha);
        let welch = Interval::between(student.difference, lower, upper);
        let mut interval = welch;
        let mut p_value = student.p_value();
        let mut arrangements = None;
        let no_spread = p_value.is_nan();
        let (mut least_p, mut caution, mut smallest) = (false, None, None);
        let method = match test {
            UnpairedTest::Rates => DifferenceMethod::MiettinenNurminen,
            UnpairedTest::Bootstrap if !no_spread => DifferenceMethod::UnpairedBootstrap,
            UnpairedTest::Permutation => DifferenceMethod::Permutation,
            UnpairedTest::Welch | UnpairedTest::Bootstrap => DifferenceMethod::Welch,
        };
        match test {
            UnpairedTest::Welch => {}
            UnpairedTest::Rates => {
                let [of_first, of_second] = [one, other].map(|side| [side.right, side.arm.units as u64]);
                let rates = UnpairedRates::new(of_first, of_second)?;
                let [lower, upper] = rates.interval(1.0 - alpha).map(|end| end * max);
                interval = Interval::between(student.difference, lower, upper);
                p_value = rates.p_value();
                if student.standard_error == 0.0 {
                    // Rates of 0 or 1 have a standard error of 0 but are still uncertain, so the smallest
                    // difference uses a rate half a success away.
                    let variance = |[right, of]: [u64; 2]| {
                        let rate = (right as f64 + 0.5) / (of as f64 + 1.0);
                        rate * (1.0 - rate) / of as f64
                    };
                    let error = (variance(of_first) + variance(of_second)).sqrt();
                    smallest = Some(self.power.smallest_difference(error * max));
                }
            }
            UnpairedTest::Bootstrap if no_spread => {}
            UnpairedTest::Bootstrap => {
                (interval, p_value, least_p, caution) = of_resamples([one, other], &student, alpha);
            }
            UnpairedTest::Permutation => {
                let plan = ResamplePlan {
                    seed: self.plan.seed.wrapping_add(pair_number(first, second)),
                    ..self.plan
                };
                let permuted = permutation([&one.units, &other.units], finish, plan, true)?;
                (p_value, arrangements, least_p) = (permuted.p_value(), permuted.all, permuted.is_least());
                let critical = permuted.critical(alpha);
                let half =
                    if critical.is_finite() { critical * student.standard_error } else { f64::INFINITY };
                let [lower, upper] = [-half, half].map(|half| student.difference + half);
                interval = Interval::between(student.difference, lower, upper);
            }
        }
        let too_few = one.arm.units.min(other.arm.units) < FEWEST_UNITS;
        let refused = caution.is_some_and(|caution: Caution| caution.refuses());
        let inconclusive = match p_value.is_nan() && !refused {
            _ if too_few => Some(Inconclusive::TooFewUnits),
            true => Some(Inconclusive::NoSpread),
            false => None,
        };
        let unpaired = UnpairedPair {
            statistic: student.statistic(),
            freedom: student.freedom,
            arrangements,
            design_effect: design_effect(one, other, student.standard_error),
            needed: self.wanted.and_then(|wanted| {
                let ratio = other.arm.units as f64 / one.arm.units as f64;
                let needed =
                    self.power.units_needed([one.arm.deviation(), other.arm.deviation()], ratio, wanted);
                // A test of fewer units would be reported as inconclusive.
                needed.map(|needed| needed.map(|units| units.max(FEWEST_UNITS as u64)))
            }),
            smallest_planned: self
                .planned_error(one, other)
                .map(|error| self.power.smallest_difference(error)),
            look: self.look(one, other, &student, pairs)?,
            inconclusive,
        };
        let p_value = if inconclusive.is_some() { f64::NAN } else { p_value };
        Ok(PairTest {
            first,
            second,
            difference: student.difference,
            interval,
            p_value,
            corrected: p_value,
            method,
            least_p,
            redrawn: one.redrawn.max(other.redrawn),
            caution,
            standard_error: student.standard_error,
            smallest_difference: smallest
                .unwrap_or_else(|| self.power.smallest_difference(student.standard_error)),
            mcnemar: None,
            unpaired: Some(unpaired),
            paired_units: None,
        })
    }

    /// Returns the standard error that the score difference would have at the planned number of units; `None`
    /// if no number is planned.
    fn planned_error(&self, one: &PreparedSide, other: &PreparedSide) -> Option<f64> {
        let planned = self.expected? as f64;
        Some(((one.arm.deviation().powi(2) + other.arm.deviation().powi(2)) / planned).sqrt())
    }

    /// Returns the sequential result of a pair, which stays valid while more data arrives. The significance
    /// level is divided by the number of pairs, so that it holds for all pairs together.
    fn look(
        &self,
        one: &PreparedSide,
        other: &PreparedSide,
        student: &StudentTest,
        pairs: usize,
    ) -> Result<Option<SequentialLook>> {
        let Some(planned) = self.planned_error(one, other).filter(|&error| error > 0.0) else {
            return Ok(None);
        };
        if one.arm.units.min(other.arm.units) < FEWEST_UNITS_OF_LOOK {
            return Ok(None);
        }
        let sequence = Sequence::new(self.power.significance / pairs as f64, (planned * planned).recip())?;
        Ok(Some(sequence.look(student.difference, student.standard_error)))
    }
}

/// Returns a number for a pair of systems, from which its random draws are seeded. Adding systems leaves the
/// numbers of earlier pairs unchanged.
fn pair_number(first: usize, second: usize) -> u128 {
    (second * second.saturating_sub(1) / 2 + first) as u128
}

/// Returns the design effect: the squared standard error over units (such as users) divided by the squared
/// error for independent segments. It is above 1 if segments of a unit are similar. `None` if each segment is
/// a unit.
fn design_effect(one: &PreparedSide, other: &PreparedSide, standard_error: f64) -> Option<f64> {
    let of_segments = one.variance_of_segments? + other.variance_of_segments?;
    Some(standard_error * standard_error / of_segments).filter(|effect| effect.is_finite())
}

/// Returns the percentile interval of the resampled score difference, its p-value, and `true` if no smaller
/// p-value is possible. The last value is a reason to doubt the interval, if any. The p-value is the least
/// level whose interval excludes 0.
fn of_resamples(
    [one, other]: [&PreparedSide; 2],
    student: &StudentTest,
    level: f64,
) -> (Interval, f64, bool, Option<Caution>) {
    let arms = [&one.arm, &other.arm];
    let none = Interval::between(student.difference, f64::NAN, f64::NAN);
    let redrawn = one.redrawn.max(other.redrawn);
    if redrawn > MOST_REDRAWN || one.resampled.iter().chain(&other.resampled).any(|score| score.is_nan()) {
        let of = (one.units.len() + other.units.len()) as u64;
        return (none, f64::NAN, false, Some(Caution::Unscored { share: redrawn, segments: 0, of }));
    }
    let pairs = one.resampled.iter().zip(&other.resampled);
    let differences: Vec<f64> = pairs.map(|(one, other)| one - other).collect();
    let caution = Caution::of_bias(student.difference, &differences);
    if caution.is_some_and(|caution| caution.refuses()) {
        return (none, f64::NAN, false, caution);
    }
    let differences = Differences::new(differences);
    let (share, least) = differences.share();
    let p_value = (2.0 * student.tail_of_share(share, arms)).min(1.0);
    (differences.interval(student.tail_of_percentiles(0.5 * level, arms)), p_value, least, caution)
}

#[cfg(test)]
mod tests;
