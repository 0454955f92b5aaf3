//! [`compare_all`]: every pair of systems, not only against a baseline.

use bleuprint_core::{InputError, Result};

use super::bootstrap::require_parallel;
use super::{
    Arithmetic, Arm, AtLeast, Finish, Inconclusive, Interval, McNemar, Pair, PairedUnits, Plan, Power, Rank,
    Rows, UnpairedPair, Win, bootstrap, holm, leave_one_out, paired_bootstrap, randomization, ranks,
    standard_error,
};

/// How a p-value is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Test {
    /// Paired bootstrap resampling.
    Bootstrap,
    /// Paired approximate randomization; by [`McNemar`] where that gives the p-value of all swaps.
    Randomization,
}

/// What to compare, and how.
#[derive(Debug, Clone, Copy)]
pub struct Design {
    /// The test; by default the exact one of [`McNemar`] where segments are right or wrong, and else the bootstrap.
    pub test: Option<Test>,
    /// Its seed and number of resamples or trials.
    pub plan: Plan,
    /// Which direction of the score is good.
    pub higher_is_better: bool,
    /// The level of significance, and how sure the smallest detectable difference is to be found.
    pub power: Power,
}

/// One pair of systems.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct PairTest {
    /// The first system, by index.
    pub first: usize,
    /// The second, with a greater index.
    pub second: usize,
    /// Score of the first minus score of the second.
    pub difference: f64,
    /// The bootstrap interval of that difference.
    pub interval: Interval,
    /// The p-value of this pair alone; NaN where [`PairTest::inconclusive`] says why there is none.
    pub p_value: f64,
    /// Holm's correction for all pairs.
    pub corrected: f64,
    /// The standard error of the difference.
    pub standard_error: f64,
    /// The smallest difference that such a test would find on these segments with the power asked for.
    pub smallest_difference: f64,
    /// The segments that one system alone gets right, where the p-value is exactly that of [`McNemar`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcnemar: Option<McNemar>,
    /// What else is known of systems on different segments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unpaired: Option<UnpairedPair>,
    /// What else is known of systems whose segments are drawn by units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paired_units: Option<PairedUnits>,
}

impl PairTest {
    /// Why the pair has no verdict.
    pub fn inconclusive(&self) -> Option<Inconclusive> {
        let of_units = self.paired_units.and_then(|units| units.inconclusive);
        of_units.or_else(|| self.unpaired.and_then(|unpaired| unpaired.inconclusive))
    }

    /// How much the dependence within units adds to the squared standard error, where there are units.
    pub fn design_effect(&self) -> Option<f64> {
        let of_units = self.paired_units.and_then(|units| units.design_effect);
        of_units.or_else(|| self.unpaired.and_then(|unpaired| unpaired.design_effect))
    }
}

/// All pairs, and the ranking that follows.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Matrix {
    /// The name of the test.
    pub test: &'static str,
    /// The score of each system on all segments.
    pub scores: Vec<f64>,
    /// Every pair, in the order of the systems.
    pub pairs: Vec<PairTest>,
    /// The systems from best to worst, with rank ranges and clusters of the corrected p-values.
    pub ranks: Vec<Rank>,
    /// The units and the standard error of each system, where there are no pairs of segments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arms: Vec<Arm>,
}

impl Matrix {
    /// Scores alone.
    pub(crate) fn untested(scores: Vec<f64>) -> Self {
        Matrix { test: "none", scores, pairs: Vec::new(), ranks: Vec::new(), arms: Vec::new() }
    }
}

/// Compares every pair of systems in exact arithmetic.
///
/// ```
/// use bleuprint_eval::resample::{Design, Plan, Power, Rows, Test, compare_all};
/// let system = |bad: u64| Rows::new(2, (0..300).flat_map(|i| [u64::from(i % 10 >= bad), 1]).collect()).unwrap();
/// let (good, poor, same) = (system(1), system(6), system(6));
/// let percent = |row: &[u64]| 100.0 * row[0] as f64 / row[1].max(1) as f64;
/// let plan = Plan::of(1000);
/// let design = Design { test: Some(Test::Bootstrap), plan, higher_is_better: true, power: Power::default() };
/// let matrix = compare_all(&[&good, &poor, &same], &percent, design).unwrap();
/// assert_eq!(matrix.pairs[0].difference, 50.0);
/// assert!(matrix.pairs[0].corrected < 0.05 && matrix.pairs[2].corrected == 1.0);
/// assert_eq!(matrix.ranks.iter().map(|rank| rank.cluster).collect::<Vec<_>>(), [1, 2, 2]);
/// ```
///
/// # Errors
/// Those of [`bootstrap`].
pub fn compare_all(systems: &[&Rows], finish: &Finish<'_>, design: Design) -> Result<Matrix> {
    require_parallel(systems)?;
    let total = |rows: &&Rows| Ok::<f64, InputError>(finish(&rows.total()?));
    let scores = systems.iter().map(total).collect::<Result<Vec<f64>, _>>()?;
    let pairs = all_pairs(systems.len());
    let resamples = match design.test {
        None | Some(Test::Bootstrap) => design.plan,
        Some(Test::Randomization) => Plan { count: Plan::RESAMPLES, ..design.plan },
    };
    let resampled = bootstrap(systems, Arithmetic::Exact(finish), resamples)?;
    let seen = |&(first, second): &(usize, usize)| (scores[first] - scores[second]).abs();
    let exact = exact_tests(systems, &pairs, finish, design.test)?;
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
            randomization(systems, &pairs, finish, design.plan, AtLeast::AsLarge)?
        }
    };
    for (p_value, exact) in p_values.iter_mut().zip(&exact) {
        *p_value = exact.map_or(*p_value, |exact| exact.p_value());
    }
    let left_out = systems.iter().map(|rows| leave_one_out(rows, finish)).collect::<Result<Vec<_>, _>>()?;
    let resampled: Vec<Vec<f64>> = resampled.iter().map(super::Scores::to_f64).collect();
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

/// A pair with its p-values.
type Tested<'p> = ((&'p (usize, usize), &'p f64), f64);

/// Every pair of so many systems.
pub(super) fn all_pairs(systems: usize) -> Vec<(usize, usize)> {
    (0..systems).flat_map(|first| (first + 1..systems).map(move |second| (first, second))).collect()
}

/// The exact test of each pair, where there is one that may stand for the test asked for.
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

/// Ranks by the corrected p-values of all pairs.
pub(super) fn ranking(
    scores: &[f64],
    pairs: &[PairTest],
    higher_is_better: bool,
    significance: f64,
) -> Vec<Rank> {
    let gain = |difference: f64| if higher_is_better { difference } else { -difference };
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&one, &other| gain(scores[other]).total_cmp(&gain(scores[one])));
    let significant = pairs.iter().filter(|pair| pair.corrected <= significance);
    let win = |pair: &PairTest| match gain(pair.difference) > 0.0 {
        true => Win { better: pair.first, worse: pair.second },
        false => Win { better: pair.second, worse: pair.first },
    };
    ranks(&order, &significant.map(win).collect::<Vec<_>>())
}
