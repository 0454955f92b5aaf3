//! [`matrix_of`]: compares every pair of systems, not only each system with a baseline.

use bleuprint_core::Result;

use super::caution::{Caution, DifferenceMethod, MOST_REDRAWN};
use super::closed::Found;
use super::inverted::{Arranged, Differences};
use super::matrix::{all_pairs, ranking};
use super::randomization::SystemPair;
use crate::distribution::student::{tail_of_percentile, tail_of_share};
use crate::work::threads::map_with;
use crate::{Correction, Interval, PairMatrix, PairTest, Power, ResamplePlan, Resamples, standard_error};

/// Significance test for two systems on the same segments. Its p-value and interval always agree: p is below
/// the level if and only if the interval excludes 0. [`Significance::paired`](crate::Significance::paired)
/// computes sacreBLEU's p-values, which come without such an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Test {
    /// Paired bootstrap resampling. The interval consists of percentiles, widened for few units; p is the
    /// smallest level whose interval excludes 0. Metrics that ignore repeated segments use randomization,
    /// because resampling repeats segments.
    Bootstrap,
    /// Paired approximate randomization, which swaps outputs of the two systems:
    /// `p = (1 + trials with a difference at least as large as observed)/(1 + trials)`. The interval of a
    /// difference `d` is `d ± c`, with `c` a quantile of the trials' differences. Rates use McNemar's
    /// p-value, which counts all swaps, and Tango's interval.
    Randomization,
}

/// Settings for the comparison of systems on the same segments.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "closed: a test needs all of it")]
pub struct Design {
    /// Significance test that the caller requires. `None` uses a closed form for rates and for means over
    /// units, and otherwise the bootstrap.
    pub test: Option<Test>,
    /// Seed and number of the bootstrap resamples or randomization trials.
    pub plan: ResamplePlan,
    /// `true` if higher scores are better.
    pub higher_is_better: bool,
    /// Significance level of the tests, and the power (probability of detection) for which the smallest
    /// detectable difference is computed.
    pub power: Power,
}

/// Precomputed results of the systems from which pairs are compared: scores, scores without one unit, and
/// closed-form tests.
pub(crate) struct SystemParts {
    /// Score of each system on all segments.
    pub(crate) scores: Vec<f64>,
    /// Test results of all pairs of systems in closed form, if the metric has one; otherwise pairs are
    /// resampled.
    pub(crate) closed: Option<Vec<Found>>,
    /// Leave-one-out scores: for each system, its score without one unit (such as a document), for each unit
    /// in turn.
    pub(crate) left_out: Vec<Vec<f64>>,
    /// `true` if a repeated segment does not change the metric's score, as for a number of distinct words.
    pub(crate) repeats: bool,
}

/// Function that returns, for each trial of the randomization test, the absolute score difference of each
/// pair of systems after their outputs were swapped at random.
type Swapped<'s> = dyn Fn(&[SystemPair]) -> Result<Vec<Vec<f64>>> + 's;

/// Compares every pair of systems. `resampled` returns scores on bootstrap resamples, `swapped` the
/// differences of randomization trials; only the function that the test needs is called. `scored_alone`
/// returns the number of units that have a score by themselves.
pub(crate) fn matrix_of(
    parts: SystemParts,
    design: Design,
    resampled: &dyn Fn() -> Result<Resamples>,
    swapped: &Swapped<'_>,
    scored_alone: &dyn Fn() -> u64,
) -> Result<PairMatrix> {
    let SystemParts { scores, closed, left_out, repeats } = parts;
    let level = design.power.significance;
    let of_resamples = design.test != Some(Test::Randomization) && !repeats;
    let found: Vec<Found> = match closed {
        Some(closed) => closed,
        None if of_resamples => {
            let units = left_out.first().map_or(0, Vec::len);
            found_by_bootstrap(&scores, &resampled()?, units, level, scored_alone)
        }
        None => found_by_randomization(&scores, swapped, level)?,
    };
    let test = match found.first().map(|found| found.method) {
        Some(DifferenceMethod::Tango | DifferenceMethod::TangoOfUnits) => "mcnemar",
        Some(method) => method.name(),
        None if of_resamples => "paired-bootstrap",
        None => "paired-randomization",
    };
    let tested = pair_tests(&found, &scores, &left_out, &design.power);
    let ranks = ranking(&scores, &tested, design.higher_is_better, level);
    Ok(PairMatrix { test, scores, pairs: tested, ranks, arms: Vec::new() })
}

/// Tests every pair of systems by the paired bootstrap. `units` is the number of units that are drawn.
fn found_by_bootstrap(
    scores: &[f64],
    resamples: &Resamples,
    units: usize,
    level: f64,
    scored_alone: &dyn Fn() -> u64,
) -> Vec<Found> {
    let Resamples { scores: drawn, redrawn } = resamples;
    let redrawn = *redrawn;
    let unscored = redrawn > MOST_REDRAWN || drawn.iter().flatten().any(|score| score.is_nan());
    let alone = if unscored { scored_alone() } else { 0 };
    let pairs = all_pairs(scores.len());
    let of_pair = |(): &mut (), place: usize| {
        let (first, second) = pairs[place];
        let difference = scores[first] - scores[second];
        if unscored {
            let caution = Caution::Unscored { share: redrawn, segments: alone, of: units as u64 };
            return Found { redrawn, ..without_interval(difference, caution) };
        }
        let differences = differences(&drawn[first], &drawn[second]);
        Found { redrawn, ..found_in_resamples(difference, differences, units, level) }
    };
    map_with(pairs.len(), || (), of_pair)
}

/// Returns the result of the paired bootstrap for two systems, from their score difference on all segments
/// and on every resample.
fn found_in_resamples(difference: f64, differences: Vec<f64>, units: usize, level: f64) -> Found {
    let caution = Caution::of_bias(difference, &differences);
    if let Some(caution) = caution.filter(Caution::refuses) {
        return without_interval(difference, caution);
    }
    let differences = Differences::new(differences);
    let (share, least) = differences.share();
    // The share is converted into a level in the way in which the interval's percentiles are widened, so that
    // p and interval agree.
    let p_value = (2.0 * tail_of_share(share, units)).min(1.0);
    let interval = differences.interval(tail_of_percentile(0.5 * level, units));
    Found { least, caution, ..Found::of(DifferenceMethod::PairedBootstrap, p_value, interval) }
}

/// Returns the result of a paired bootstrap that has neither p-value nor interval, for the reason `caution`.
fn without_interval(difference: f64, caution: Caution) -> Found {
    let none = Interval::between(difference, f64::NAN, f64::NAN);
    Found { caution: Some(caution), ..Found::of(DifferenceMethod::PairedBootstrap, f64::NAN, none) }
}

/// Tests every pair of systems by paired randomization.
fn found_by_randomization(scores: &[f64], swapped: &Swapped<'_>, level: f64) -> Result<Vec<Found>> {
    let pairs = all_pairs(scores.len());
    let pair = |&(first, second): &(usize, usize)| SystemPair {
        first,
        second,
        difference: (scores[first] - scores[second]).abs(),
    };
    let trials = swapped(&pairs.iter().map(pair).collect::<Vec<_>>())?;
    let of_pair = |(): &mut (), place: usize| {
        let (first, second) = pairs[place];
        // A trial without a score counts as larger than the observed difference, which is cautious: p can
        // only grow.
        let statistic = |trial: &Vec<f64>| if trial[place].is_nan() { f64::INFINITY } else { trial[place] };
        let difference = scores[first] - scores[second];
        let arranged = Arranged::new(difference.abs(), trials.iter().map(statistic).collect(), None);
        let half = arranged.critical(level);
        let interval = Interval::between(difference, difference - half, difference + half);
        let method = DifferenceMethod::PairedRandomization;
        Found { least: arranged.is_least(), ..Found::of(method, arranged.p_value(), interval) }
    };
    Ok(map_with(pairs.len(), || (), of_pair))
}

/// Completes the results of all pairs: corrects the p-values by Holm's method, and adds the standard error and
/// the smallest detectable difference where a method has none of its own.
fn pair_tests(found: &[Found], scores: &[f64], left_out: &[Vec<f64>], power: &Power) -> Vec<PairTest> {
    // A pair without a p-value still counts in Holm's correction: leaving it out would make the others
    // smaller.
    let p_value = |found: &Found| if found.p_value.is_nan() { 1.0 } else { found.p_value };
    let corrected = Correction::Holm.apply(&found.iter().map(p_value).collect::<Vec<_>>());
    let pairs = all_pairs(scores.len());
    let of_pair = |(): &mut (), place: usize| {
        let (first, second) = pairs[place];
        let found = &found[place];
        let corrected = corrected[place];
        let of_units = || standard_error(&differences(&left_out[first], &left_out[second]));
        let standard_error = found.standard_error.unwrap_or_else(of_units);
        PairTest {
            first,
            second,
            difference: scores[first] - scores[second],
            interval: found.interval,
            p_value: found.p_value,
            corrected: if found.p_value.is_nan() { f64::NAN } else { corrected },
            method: found.method,
            least_p: found.least,
            redrawn: found.redrawn,
            caution: found.caution,
            standard_error,
            smallest_difference: found.smallest.unwrap_or_else(|| power.smallest_difference(standard_error)),
            mcnemar: found.mcnemar,
            unpaired: None,
            paired_units: None,
        }
    };
    map_with(pairs.len(), || (), of_pair)
}

fn differences(one: &[f64], other: &[f64]) -> Vec<f64> {
    one.iter().zip(other).map(|(one, other)| one - other).collect()
}
