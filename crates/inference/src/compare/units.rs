//! [`of_units`]: completes a comparison over units of segments that depend on each other.

use crate::{FEWEST_UNITS, Inconclusive, PairMatrix, PairedUnits, Units, standard_error};

/// Adds the number of units and the design effect to a comparison over units. `left_out` has, for each
/// system, its scores without one segment, for each segment in turn.
pub(crate) fn of_units(mut matrix: PairMatrix, left_out: &[Vec<f64>], units: &Units) -> PairMatrix {
    let too_few = units.len() < FEWEST_UNITS;
    for pair in &mut matrix.pairs {
        let differences =
            left_out[pair.first].iter().zip(&left_out[pair.second]).map(|(one, other)| one - other);
        let of_segments = standard_error(&differences.collect::<Vec<_>>());
        // The design effect compares variances. It is not finite if no segment differs.
        let effect = (pair.standard_error / of_segments).powi(2);
        pair.paired_units = Some(PairedUnits {
            units: units.len(),
            design_effect: Some(effect).filter(|effect| effect.is_finite()),
            inconclusive: too_few.then_some(Inconclusive::TooFewUnits),
        });
    }
    matrix
}
