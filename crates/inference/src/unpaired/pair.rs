//! Compares two systems on different segments by one of the tests: the p-value, the interval, and what more
//! data would show.

use bleuprint_core::Result;

use super::permutation::permutation;
use super::{PreparedSide, Unpaired, UnpairedTest};
use crate::compare::caution::MOST_REDRAWN;
use crate::compare::inverted::Differences;
use crate::{
    Caution, DifferenceMethod, FEWEST_UNITS, FEWEST_UNITS_OF_LOOK, Finish, Inconclusive, Interval, PairTest,
    ResamplePlan, Sequence, SequentialLook, StudentTest, UnpairedPair, UnpairedRates,
};

/// Result of one test of a pair: the p-value and the interval that agrees with it.
struct PairFinding {
    method: DifferenceMethod,
    interval: Interval,
    p_value: f64,
    /// `true` if no smaller p-value is possible with this number of resamples or trials.
    least_p: bool,
    /// Reason to doubt the interval, or why there is none.
    caution: Option<Caution>,
    /// Smallest detectable difference, if it does not follow from the standard error.
    smallest: Option<f64>,
    /// Number of assignments of units, if the permutation test has tried all.
    arrangements: Option<u64>,
}

impl PairFinding {
    fn new(method: DifferenceMethod, interval: Interval, p_value: f64) -> Self {
        PairFinding {
            method,
            interval,
            p_value,
            least_p: false,
            caution: None,
            smallest: None,
            arrangements: None,
        }
    }
}

impl Unpaired {
    /// Compares the system at the index `first` with the system at the index `second`, of `pairs` pairs. The
    /// segments of a rate score 0 or `max`.
    pub(super) fn pair(
        &self,
        (test, max): (UnpairedTest, f64),
        (first, one): (usize, &PreparedSide),
        (second, other): (usize, &PreparedSide),
        pairs: usize,
        finish: &Finish<'_>,
    ) -> Result<PairTest> {
        let student = StudentTest::welch(&one.arm, &other.arm)?;
        let level = self.power.significance;
        let no_spread = student.p_value().is_nan();
        let found = match test {
            UnpairedTest::Welch => by_welch(&student, level),
            UnpairedTest::Rates => self.by_rates([one, other], &student, max)?,
            // Without any spread, every resample has the observed difference.
            UnpairedTest::Bootstrap if no_spread => by_welch(&student, level),
            UnpairedTest::Bootstrap => by_bootstrap([one, other], &student, level),
            UnpairedTest::Permutation => {
                self.by_permutation([one, other], pair_number(first, second), &student, finish)?
            }
        };
        let inconclusive = inconclusive([one, other], &found);
        let p_value = if inconclusive.is_some() { f64::NAN } else { found.p_value };
        let of_error = || self.power.smallest_difference(student.standard_error);
        Ok(PairTest {
            first,
            second,
            difference: student.difference,
            interval: found.interval,
            p_value,
            corrected: p_value,
            method: found.method,
            least_p: found.least_p,
            redrawn: one.redrawn.max(other.redrawn),
            caution: found.caution,
            standard_error: student.standard_error,
            smallest_difference: found.smallest.unwrap_or_else(of_error),
            mcnemar: None,
            unpaired: Some(UnpairedPair {
                statistic: student.statistic(),
                freedom: student.freedom,
                arrangements: found.arrangements,
                design_effect: design_effect(one, other, student.standard_error),
                needed: self.units_needed(one, other),
                smallest_planned: self
                    .planned_error(one, other)
                    .map(|error| self.power.smallest_difference(error)),
                look: self.look(one, other, &student, pairs)?,
                inconclusive,
            }),
            paired_units: None,
        })
    }

    /// Tests the difference of two rates by Miettinen and Nurminen's score test.
    fn by_rates(&self, sides: [&PreparedSide; 2], student: &StudentTest, max: f64) -> Result<PairFinding> {
        let [of_first, of_second] = sides.map(|side| [side.right, side.arm.units as u64]);
        let rates = UnpairedRates::new(of_first, of_second)?;
        let [lower, upper] = rates.interval(1.0 - self.power.significance).map(|end| end * max);
        let interval = Interval::between(student.difference, lower, upper);
        // Rates of 0 or 1 have a standard error of 0 but are still uncertain, so the smallest difference uses a
        // rate half a success away.
        let smallest = (student.standard_error == 0.0).then(|| {
            let variance = |[right, of]: [u64; 2]| {
                let rate = (right as f64 + 0.5) / (of as f64 + 1.0);
                rate * (1.0 - rate) / of as f64
            };
            let error = (variance(of_first) + variance(of_second)).sqrt();
            self.power.smallest_difference(error * max)
        });
        let found = PairFinding::new(DifferenceMethod::MiettinenNurminen, interval, rates.p_value());
        Ok(PairFinding { smallest, ..found })
    }

    /// Tests the difference by the permutation of units between the systems. `number` is the number of the
    /// pair, which seeds its draws.
    fn by_permutation(
        &self,
        [one, other]: [&PreparedSide; 2],
        number: u128,
        student: &StudentTest,
        finish: &Finish<'_>,
    ) -> Result<PairFinding> {
        let plan = ResamplePlan { seed: self.plan.seed.wrapping_add(number), ..self.plan };
        let permuted = permutation([&one.units, &other.units], finish, plan, true)?;
        let critical = permuted.critical(self.power.significance);
        let half = if critical.is_finite() { critical * student.standard_error } else { f64::INFINITY };
        let [lower, upper] = [-half, half].map(|half| student.difference + half);
        let interval = Interval::between(student.difference, lower, upper);
        let found = PairFinding::new(DifferenceMethod::Permutation, interval, permuted.p_value());
        Ok(PairFinding { least_p: permuted.is_least(), arrangements: permuted.all, ..found })
    }

    /// Returns the number of units that each system needs for the wanted difference; `None` if no difference
    /// is wanted or no number of units suffices.
    fn units_needed(&self, one: &PreparedSide, other: &PreparedSide) -> Option<[u64; 2]> {
        let ratio = other.arm.units as f64 / one.arm.units as f64;
        let deviations = [one.arm.deviation(), other.arm.deviation()];
        let needed = self.power.units_needed(deviations, ratio, self.wanted?)?;
        // A test of fewer units would be reported as inconclusive.
        Some(needed.map(|units| units.max(FEWEST_UNITS as u64)))
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

/// Tests the difference by Welch's t test.
fn by_welch(student: &StudentTest, level: f64) -> PairFinding {
    let [lower, upper] = student.interval(1.0 - level);
    let interval = Interval::between(student.difference, lower, upper);
    PairFinding::new(DifferenceMethod::Welch, interval, student.p_value())
}

/// Tests the difference by the resampled scores of both systems. The interval is between percentiles of the
/// resampled differences; the p-value is the least level whose interval excludes 0.
fn by_bootstrap([one, other]: [&PreparedSide; 2], student: &StudentTest, level: f64) -> PairFinding {
    let method = DifferenceMethod::UnpairedBootstrap;
    let arms = [&one.arm, &other.arm];
    let without_interval = |caution: Caution| {
        let none = Interval::between(student.difference, f64::NAN, f64::NAN);
        PairFinding { caution: Some(caution), ..PairFinding::new(method, none, f64::NAN) }
    };
    let redrawn = one.redrawn.max(other.redrawn);
    if redrawn > MOST_REDRAWN || one.resampled.iter().chain(&other.resampled).any(|score| score.is_nan()) {
        let of = (one.units.len() + other.units.len()) as u64;
        return without_interval(Caution::Unscored { share: redrawn, segments: 0, of });
    }
    let pairs = one.resampled.iter().zip(&other.resampled);
    let differences: Vec<f64> = pairs.map(|(one, other)| one - other).collect();
    let caution = Caution::of_bias(student.difference, &differences);
    if let Some(caution) = caution.filter(Caution::refuses) {
        return without_interval(caution);
    }
    let differences = Differences::new(differences);
    let (share, least_p) = differences.share();
    let p_value = (2.0 * student.tail_of_share(share, arms)).min(1.0);
    let interval = differences.interval(student.tail_of_percentiles(0.5 * level, arms));
    PairFinding { least_p, caution, ..PairFinding::new(method, interval, p_value) }
}

/// Returns why a pair has no conclusion; `None` if it has one, or if a caution refuses the interval.
fn inconclusive([one, other]: [&PreparedSide; 2], found: &PairFinding) -> Option<Inconclusive> {
    if one.arm.units.min(other.arm.units) < FEWEST_UNITS {
        return Some(Inconclusive::TooFewUnits);
    }
    let refused = found.caution.is_some_and(|caution| caution.refuses());
    (found.p_value.is_nan() && !refused).then_some(Inconclusive::NoSpread)
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
