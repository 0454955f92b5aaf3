//! [`compare_units`]: every pair of systems, where segments of one unit depend on each other.

use bleuprint_core::Result;

use crate::compare::matrix::ranking;
use crate::{
    Design, FEWEST_UNITS, Finish, Inconclusive, Matrix, PairedUnits, Rows, Units, compare_all, leave_one_out,
    standard_error,
};

/// [`compare_all`] of units, as documents or users, in place of segments: the counts of a unit are those of its segments,
/// summed first. A resample draws units, a trial swaps the outputs of whole units, and the standard error leaves out one unit
/// at a time. With fewer than [`FEWEST_UNITS`] there is no p-value.
///
/// ```
/// use bleuprint_inference::{Design, Plan, Power, Rows, Units, compare_all, compare_units};
/// // Documents of four segments, which succeed or fail together.
/// let system = |bad: u64| Rows::new(2, (0..240).flat_map(|at| [u64::from(at / 4 % 10 >= bad), 1]).collect()).unwrap();
/// let (one, other) = (system(3), system(4));
/// let rate = |row: &[u64]| row[0] as f64 / row[1] as f64;
/// let design = Design { test: None, plan: Plan::of(500), higher_is_better: true, power: Power::default() };
/// let documents = Units::by((0..240).map(|at| (at / 4).to_string()));
/// let pair = compare_units(&[&one, &other], &documents, &rate, design).unwrap().pairs[0];
/// let naive = compare_all(&[&one, &other], &rate, design).unwrap().pairs[0];
/// assert!(pair.difference == naive.difference && pair.p_value > naive.p_value);
/// assert!((pair.paired_units.unwrap().design_effect.unwrap() - 4.0).abs() < 0.1);
/// ```
///
/// # Errors
/// Those of [`Units::rows`] and [`compare_all`].
pub fn compare_units(
    systems: &[&Rows],
    units: &Units,
    finish: &Finish<'_>,
    design: Design,
) -> Result<Matrix> {
    let summed = systems.iter().map(|rows| units.rows(rows)).collect::<Result<Vec<_>>>()?;
    let mut matrix = compare_all(&summed.iter().collect::<Vec<_>>(), finish, design)?;
    let left_out = systems.iter().map(|rows| leave_one_out(rows, finish)).collect::<Result<Vec<_>>>()?;
    let too_few = units.len() < FEWEST_UNITS;
    for pair in &mut matrix.pairs {
        let differences =
            left_out[pair.first].iter().zip(&left_out[pair.second]).map(|(one, other)| one - other);
        let of_segments = standard_error(&differences.collect::<Vec<_>>());
        let effect = (pair.standard_error / of_segments).powi(2);
        pair.paired_units = Some(PairedUnits {
            units: units.len(),
            design_effect: Some(effect).filter(|effect| effect.is_finite()),
            inconclusive: too_few.then_some(Inconclusive::TooFewUnits),
        });
        if too_few {
            (pair.p_value, pair.corrected, pair.mcnemar) = (f64::NAN, f64::NAN, None);
        }
    }
    if too_few {
        let significance = design.power.significance;
        matrix.ranks = ranking(&matrix.scores, &matrix.pairs, design.higher_is_better, significance);
    }
    Ok(matrix)
}
