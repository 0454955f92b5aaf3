//! [`of_units`]: adds the number of units and the design effect to a comparison of systems whose segments
//! form units, such as documents.

use crate::{FEWEST_UNITS, Inconclusive, PairMatrix, PairedUnits, Units, standard_error};

/// Adds the number of units (such as documents) and the design effect to each compared pair of systems.
/// `left_out` has the leave-one-out scores: each system's score without one segment, for each segment in
/// turn.
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
