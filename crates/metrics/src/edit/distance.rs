//! Computes the fewest edits between two sequences, without an alignment.

use bleuprint_core::Result;

use super::strip::Steps;
use super::sweep::{DiagonalBand, FIRST_GUESS, Nothing, Strips};

#[derive(Debug, Clone, Default)]
pub(crate) struct DistanceScratch {
    one: Strips<1>,
    four: Strips<4>,
    steps: Vec<Steps>,
    last: Vec<u32>,
}

/// Returns the fewest edits between two sequences, whose token ids are below `distinct`. Time is
/// `O(reference · hypothesis / 64)`, and for long similar sequences proportional to the edits.
pub(crate) fn distance(
    scratch: &mut DistanceScratch,
    reference: &[u32],
    hypothesis: &[u32],
    distinct: usize,
) -> Result<u64> {
    let rows = reference.len();
    let columns = hypothesis.len();
    if rows == 0 || columns == 0 {
        return Ok(rows.max(columns) as u64);
    }
    crate::shared::require_table("the edit distance", reference, hypothesis)?;
    let DistanceScratch { one, four, steps, last } = scratch;
    let mut guess = FIRST_GUESS + rows.abs_diff(columns);
    loop {
        let band = DiagonalBand::within_edits(rows, columns, guess);
        // A single word avoids the empty rows of wider strips.
        if rows <= Strips::<1>::ROWS {
            one.reserve(distinct);
            one.sweep(reference, hypothesis, band, steps, Some(last), &mut Nothing)?;
        } else {
            four.reserve(distinct);
            four.sweep(reference, hypothesis, band, steps, Some(last), &mut Nothing)?;
        }
        // The result is the cost of a path, so it is an upper bound. A band for that many edits contains a
        // best path, so the second guess is exact.
        let edits = last[rows] as usize;
        if edits <= guess {
            return Ok(edits as u64);
        }
        guess = edits;
    }
}
