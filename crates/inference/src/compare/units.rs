//! [`compare_units`]: every pair of systems, where segments of one unit depend on each other.

use bleuprint_core::Result;

use crate::compare::matrix::ranking;
use crate::{
    CountRows, Design, FEWEST_UNITS, Finish, Inconclusive, PairMatrix, PairedUnits, Units, compare_all,
    leave_one_out, standard_error,
};

/// [`compare_all`] of units, as documents or users, in place of segments: the counts of a unit are those of its segments,
/// summed first. A resample draws units, a trial swaps the outputs of whole units, and the standard error leaves out one unit
/// at a time. With fewer than [`FEWEST_UNITS`] there is no p-value.
///
/// # Errors
/// Those of [`Units::rows`] and [`compare_all`].
pub(crate) fn compare_units(
    systems: &[&CountRows],
    units: &Units,
    finish: &Finish<'_>,
    design: Design,
) -> Result<PairMatrix> {
    let summed = systems.iter().map(|rows| units.rows(rows)).collect::<Result<Vec<_>>>()?;
    let matrix = compare_all(&summed.iter().collect::<Vec<_>>(), finish, design)?;
    let left_out = systems.iter().map(|rows| leave_one_out(rows, finish)).collect::<Result<Vec<_>>>()?;
    Ok(of_units(matrix, &left_out, units, design))
}

/// A comparison of units, with the effect of the design; `left_out` are the scores without one segment each.
pub(crate) fn of_units(
    mut matrix: PairMatrix,
    left_out: &[Vec<f64>],
    units: &Units,
    design: Design,
) -> PairMatrix {
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
    matrix
}
