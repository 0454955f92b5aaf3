//! Scoring of texts against each other. The generic loops of the library are compiled for a panel in this
//! package, which release builds optimise.

use bleuprint::InputError;
use bleuprint::eval::mbr::{self, MbrError, Weights};
use bleuprint::eval::{self, Panel, PanelState};

/// Returns the state of each text, with all other texts as its references.
///
/// # Errors
/// Returns the errors of [`eval::leave_one_out`].
pub fn leave_one_out(panel: &Panel, texts: &[&str]) -> Result<Vec<PanelState>, InputError> {
    eval::leave_one_out(panel, texts)
}

/// Returns the expected utility of each candidate, over pairs or with aggregated references.
///
/// # Errors
/// Returns the errors of [`mbr::utilities`] and [`mbr::aggregated_utilities`].
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
