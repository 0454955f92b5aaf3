//! Texts scored against each other under a panel: generic loops of the library, compiled for a panel in this package, which is optimised.

use bleuprint::InputError;
use bleuprint::eval::mbr::{self, MbrError, Weights};
use bleuprint::eval::{self, Panel, PanelState};

/// The state of each text, with all others as its references.
///
/// # Errors
/// Those of [`eval::leave_one_out`].
pub fn leave_one_out(panel: &Panel, texts: &[&str]) -> Result<Vec<PanelState>, InputError> {
    eval::leave_one_out(panel, texts)
}

/// The expected utility of each candidate, over pairs or under aggregated references.
///
/// # Errors
/// Those of [`mbr::utilities`] and [`mbr::aggregated_utilities`].
pub fn utilities(
    panel: &Panel,
    candidates: &[&str],
    references: &[&str],
    weights: Weights<'_>,
    aggregate: bool,
) -> Result<Vec<f64>, MbrError> {
    match aggregate {
        true => mbr::aggregated_utilities(panel, candidates, references),
        false => mbr::utilities(panel, candidates, references, weights),
    }
}
