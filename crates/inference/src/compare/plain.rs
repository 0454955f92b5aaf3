//! Comparisons of systems from rows of counts and a function that turns a sum of rows into a score. Only
//! tests use them.

use bleuprint_core::{Result, Scale};

use super::closed::{Approach, SegmentNumbers};
use super::pairs::{SystemParts, matrix_of};
use super::randomization::swapped;
use super::units::of_units;
use crate::{
    Arithmetic, CountRows, Design, Finish, PairMatrix, Resamples, Scores, Units, leave_one_out, resampled,
};

/// Compares every pair of systems by resampling their segments.
pub(crate) fn compare_all(systems: &[&CountRows], finish: &Finish<'_>, design: Design) -> Result<PairMatrix> {
    compare_as(Approach::Other, systems, finish, design)
}

/// Compares every pair of systems with the tests for a kind of score: mean, rate or other. A right segment
/// scores 100.
pub(crate) fn compare_as(
    approach: Approach,
    systems: &[&CountRows],
    finish: &Finish<'_>,
    design: Design,
) -> Result<PairMatrix> {
    let scores = systems.iter().map(|rows| Ok(finish(&rows.total()?))).collect::<Result<_>>()?;
    let numbers = SegmentNumbers {
        weights: systems[0].iter().map(|_| 1.0).collect(),
        scores: systems.iter().map(|rows| rows.iter().map(finish).collect()).collect(),
    };
    let closed = numbers.rates(approach, Scale::PERCENT, design.test, &design.power)?;
    let left_out = systems.iter().map(|rows| leave_one_out(rows, finish)).collect::<Result<Vec<_>>>()?;
    let parts = SystemParts { scores, closed, left_out, repeats: false };
    let drawn = || {
        let (scores, redrawn) = resampled(systems, Arithmetic::Exact(finish), design.plan)?;
        Ok(Resamples { scores: scores.iter().map(Scores::to_f64).collect(), redrawn })
    };
    matrix_of(parts, design, &drawn, &|pairs| swapped(systems, pairs, finish, design.plan), &|| 0)
}

/// Compares every pair of systems by resampling units (groups of dependent segments, such as documents).
pub(crate) fn compare_units(
    systems: &[&CountRows],
    units: &Units,
    finish: &Finish<'_>,
    design: Design,
) -> Result<PairMatrix> {
    let summed = systems.iter().map(|rows| units.rows(rows)).collect::<Result<Vec<_>>>()?;
    let matrix = compare_all(&summed.iter().collect::<Vec<_>>(), finish, design)?;
    let left_out = systems.iter().map(|rows| leave_one_out(rows, finish)).collect::<Result<Vec<_>>>()?;
    Ok(of_units(matrix, &left_out, units))
}
