//! [`compare_all`]: every pair of systems, not only against a baseline.

use bleuprint_core::{InputError, Result};

use super::inverted::{Arranged, Differences};
use super::matrix::{all_pairs, ranking};
use super::mcnemar::Exact;
use super::randomization::{SystemPair, swapped};
use crate::rows::require_parallel;
use crate::{
    Arithmetic, Correction, CountRows, Finish, Interval, PairMatrix, PairTest, Power, ResamplePlan, Scores,
    leave_one_out, resampled, standard_error,
};

/// The computation of a p-value and an interval: one procedure, so that p is below the level if and only if the interval
/// excludes 0. [`Significance::paired`](crate::Significance::paired) has sacreBLEU's p-values instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Test {
    /// Paired bootstrap resampling. The interval is of percentiles, and p is the least level whose interval excludes 0:
    /// `2 (k + 1)/(n + 1)`, with `k` of `n` resampled differences on the other side of 0.
    Bootstrap,
    /// Paired approximate randomization: `p = (1 + as large)/(1 + trials)`. The interval is `d ± c`, with `c` the quantile of the
    /// differences of trials. By [`McNemar`](crate::McNemar) where that gives the p-value of all swaps.
    Randomization,
}

/// A comparison to make, and its test.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "closed: a test needs all of it")]
pub struct Design {
    /// The test; by default the exact one of [`McNemar`](crate::McNemar) where segments are right or wrong, and else the bootstrap.
    pub test: Option<Test>,
    /// Its seed and number of resamples or trials.
    pub plan: ResamplePlan,
    /// The good direction of the score.
    pub higher_is_better: bool,
    /// The level of significance, and how sure the smallest detectable difference is to be found.
    pub power: Power,
}

/// Compares every pair of systems in exact arithmetic.
pub(crate) fn compare_all(systems: &[&CountRows], finish: &Finish<'_>, design: Design) -> Result<PairMatrix> {
    require_parallel(systems)?;
    let total = |rows: &&CountRows| Ok::<f64, InputError>(finish(&rows.total()?));
    let scores = systems.iter().map(total).collect::<Result<Vec<f64>, _>>()?;
    let exact = exact_tests(systems, &all_pairs(systems.len()), finish, design.test)?;
    let left_out = systems.iter().map(|rows| leave_one_out(rows, finish)).collect::<Result<Vec<_>, _>>()?;
    let resampled = || {
        let resampled = resampled(systems, Arithmetic::Exact(finish), design.plan)?;
        Ok(resampled.iter().map(Scores::to_f64).collect())
    };
    let parts = SystemParts { scores, exact, left_out };
    matrix_of(parts, design, &resampled, &|pairs| swapped(systems, pairs, finish, design.plan))
}

/// The scores of systems, and without one segment each; and the exact test of each pair, if there is one.
pub(crate) struct SystemParts {
    pub(crate) scores: Vec<f64>,
    pub(crate) exact: Vec<Option<Exact>>,
    pub(crate) left_out: Vec<Vec<f64>>,
}

/// For each trial the differences of each pair.
type Swapped<'s> = dyn Fn(&[SystemPair]) -> Result<Vec<Vec<f64>>> + 's;

/// Every pair of systems. `resampled` gives the scores of resamples of each system, `swapped` the differences of each trial of
/// each pair: only those are drawn that the test needs.
pub(crate) fn matrix_of(
    parts: SystemParts,
    design: Design,
    resampled: &dyn Fn() -> Result<Vec<Vec<f64>>>,
    swapped: &Swapped<'_>,
) -> Result<PairMatrix> {
    let SystemParts { scores, exact, left_out } = parts;
    let level = design.power.significance;
    let pairs = all_pairs(scores.len());
    let all_exact = !exact.is_empty() && exact.iter().all(Option::is_some);
    let (test, drawn): (_, Vec<(f64, Interval)>) = match design.test {
        _ if all_exact => ("mcnemar", Vec::new()),
        None | Some(Test::Bootstrap) => {
            let resampled = resampled()?;
            let of_pair = |&(first, second): &(usize, usize)| {
                let differences = Differences::new(differences(&resampled[first], &resampled[second]));
                (2.0 * differences.share(), differences.interval(0.5 * level))
            };
            ("paired-bootstrap", pairs.iter().map(of_pair).collect())
        }
        Some(Test::Randomization) => {
            let pair = |&(first, second): &(usize, usize)| SystemPair {
                first,
                second,
                difference: (scores[first] - scores[second]).abs(),
            };
            let trials = swapped(&pairs.iter().map(pair).collect::<Vec<_>>())?;
            let of_pair = |(place, &(first, second)): (usize, &(usize, usize))| {
                // A trial without a score tells the two apart no better than the one seen.
                let statistic =
                    |trial: &Vec<f64>| if trial[place].is_nan() { f64::INFINITY } else { trial[place] };
                let difference = scores[first] - scores[second];
                let arranged = Arranged::new(difference.abs(), trials.iter().map(statistic).collect(), None);
                let half = arranged.critical(level);
                (arranged.p_value(), Interval::between(difference, difference - half, difference + half))
            };
            ("paired-randomization", pairs.iter().enumerate().map(of_pair).collect())
        }
    };
    let tested: Vec<(f64, Interval)> = (0..pairs.len())
        .map(|place| match &exact[place] {
            Some(exact) => (exact.counts.p_value(), exact.interval(level)),
            None => drawn[place],
        })
        .collect();
    let p_values: Vec<f64> = tested.iter().map(|(p_value, _)| *p_value).collect();
    let corrected = Correction::Holm.apply(&p_values);
    let of_pair = |(place, &(first, second)): (usize, &(usize, usize))| {
        let standard_error = standard_error(&differences(&left_out[first], &left_out[second]));
        let (p_value, interval) = tested[place];
        PairTest {
            first,
            second,
            difference: scores[first] - scores[second],
            interval,
            p_value,
            corrected: corrected[place],
            standard_error,
            smallest_difference: design.power.smallest_difference(standard_error),
            mcnemar: exact[place].as_ref().map(|exact| exact.counts),
            unpaired: None,
            paired_units: None,
        }
    };
    let pairs: Vec<PairTest> = pairs.iter().enumerate().map(of_pair).collect();
    let ranks = ranking(&scores, &pairs, design.higher_is_better, level);
    Ok(PairMatrix { test, scores, pairs, ranks, arms: Vec::new() })
}

fn differences(one: &[f64], other: &[f64]) -> Vec<f64> {
    one.iter().zip(other).map(|(one, other)| one - other).collect()
}

/// The exact test of each pair, if there is one that may stand for the test asked for.
fn exact_tests(
    systems: &[&CountRows],
    pairs: &[(usize, usize)],
    finish: &Finish<'_>,
    test: Option<Test>,
) -> Result<Vec<Option<Exact>>> {
    if test == Some(Test::Bootstrap) {
        return Ok(vec![None; pairs.len()]);
    }
    let of_pair = |&(first, second): &(usize, usize)| Exact::of_rows(systems[first], systems[second], finish);
    pairs.iter().map(of_pair).collect()
}
