//! [`compare_all`]: every pair of systems, not only against a baseline.

use bleuprint_core::{InputError, Result};

use super::matrix::{all_pairs, ranking};
use crate::rows::require_parallel;
use crate::{
    Arithmetic, AtLeast, Finish, Interval, Matrix, McNemar, Pair, PairTest, Plan, Power, Rows, Scores, holm,
    leave_one_out, paired_bootstrap, randomization, resampled, standard_error,
};

/// The computation of a p-value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Test {
    /// Paired bootstrap resampling.
    Bootstrap,
    /// Paired approximate randomization; by [`McNemar`] where that gives the p-value of all swaps.
    Randomization,
}

/// A comparison to make, and its test.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "closed: a test needs all of it")]
pub struct Design {
    /// The test; by default the exact one of [`McNemar`] where segments are right or wrong, and else the bootstrap.
    pub test: Option<Test>,
    /// Its seed and number of resamples or trials.
    pub plan: Plan,
    /// The good direction of the score.
    pub higher_is_better: bool,
    /// The level of significance, and how sure the smallest detectable difference is to be found.
    pub power: Power,
}

/// Compares every pair of systems in exact arithmetic.
pub(crate) fn compare_all(systems: &[&Rows], finish: &Finish<'_>, design: Design) -> Result<Matrix> {
    require_parallel(systems)?;
    let total = |rows: &&Rows| Ok::<f64, InputError>(finish(&rows.total()?));
    let scores = systems.iter().map(total).collect::<Result<Vec<f64>, _>>()?;
    let resampled = resampled(systems, Arithmetic::Exact(finish), design.resamples())?;
    let exact = exact_tests(systems, &all_pairs(systems.len()), finish, design.test)?;
    let left_out = systems.iter().map(|rows| leave_one_out(rows, finish)).collect::<Result<Vec<_>, _>>()?;
    let swapped = |pairs: &[Pair]| randomization(systems, pairs, finish, design.plan, AtLeast::AsLarge);
    matrix_of(Parts { scores, resampled, exact, left_out }, design, swapped)
}

impl Design {
    /// The resamples of intervals.
    pub(crate) fn resamples(&self) -> Plan {
        match self.test {
            None | Some(Test::Bootstrap) => self.plan,
            Some(Test::Randomization) => Plan { count: Plan::RESAMPLES, ..self.plan },
        }
    }
}

/// The scores of systems, of their resamples and without one segment each; and the exact test of each pair, if there is one.
pub(crate) struct Parts {
    pub(crate) scores: Vec<f64>,
    pub(crate) resampled: Vec<Scores>,
    pub(crate) exact: Vec<Option<McNemar>>,
    pub(crate) left_out: Vec<Vec<f64>>,
}

/// Every pair of systems; `randomization` gives the p-values of swaps, where they are asked for.
pub(crate) fn matrix_of(
    parts: Parts,
    design: Design,
    randomization: impl FnOnce(&[Pair]) -> Result<Vec<f64>>,
) -> Result<Matrix> {
    let Parts { scores, resampled, exact, left_out } = parts;
    let pairs = all_pairs(scores.len());
    let seen = |&(first, second): &(usize, usize)| (scores[first] - scores[second]).abs();
    let mut p_values: Vec<f64> = match design.test {
        None | Some(Test::Bootstrap) => pairs
            .iter()
            .map(|pair| {
                paired_bootstrap(&resampled[pair.0], &resampled[pair.1], seen(pair), AtLeast::AsLarge)
            })
            .collect(),
        Some(Test::Randomization) => {
            let pair = |pair: &(usize, usize)| Pair { first: pair.0, second: pair.1, difference: seen(pair) };
            let pairs: Vec<Pair> = pairs.iter().map(pair).collect();
            randomization(&pairs)?
        }
    };
    for (p_value, exact) in p_values.iter_mut().zip(&exact) {
        *p_value = exact.map_or(*p_value, |exact| exact.p_value());
    }
    let resampled: Vec<Vec<f64>> = resampled.iter().map(Scores::to_f64).collect();
    let difference =
        |one: &[f64], other: &[f64]| one.iter().zip(other).map(|(a, b)| a - b).collect::<Vec<f64>>();
    let test = |(((&(first, second), &p_value), corrected), &mcnemar): (Tested<'_>, &Option<McNemar>)| {
        let standard_error = standard_error(&difference(&left_out[first], &left_out[second]));
        PairTest {
            first,
            second,
            difference: scores[first] - scores[second],
            interval: Interval::of(difference(&resampled[first], &resampled[second])),
            p_value,
            corrected,
            standard_error,
            smallest_difference: design.power.smallest_difference(standard_error),
            mcnemar,
            unpaired: None,
            paired_units: None,
        }
    };
    let pairs: Vec<PairTest> =
        pairs.iter().zip(&p_values).zip(holm(&p_values)).zip(&exact).map(test).collect();
    let ranks = ranking(&scores, &pairs, design.higher_is_better, design.power.significance);
    let all_exact = !exact.is_empty() && exact.iter().all(Option::is_some);
    let test = match design.test {
        _ if all_exact => "mcnemar",
        None | Some(Test::Bootstrap) => "paired-bootstrap",
        Some(Test::Randomization) => "paired-randomization",
    };
    Ok(Matrix { test, scores, pairs, ranks, arms: Vec::new() })
}

type Tested<'p> = ((&'p (usize, usize), &'p f64), f64);

/// The exact test of each pair, if there is one that may stand for the test asked for.
fn exact_tests(
    systems: &[&Rows],
    pairs: &[(usize, usize)],
    finish: &Finish<'_>,
    test: Option<Test>,
) -> Result<Vec<Option<McNemar>>> {
    if test == Some(Test::Bootstrap) {
        return Ok(vec![None; pairs.len()]);
    }
    let of_pair =
        |&(first, second): &(usize, usize)| McNemar::of_rows(systems[first], systems[second], finish);
    pairs.iter().map(of_pair).collect()
}
