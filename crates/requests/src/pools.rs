//! Functions that score the texts of a list against each other, such as for minimum Bayes risk (MBR)
//! decoding. They call the library's generic functions. Release builds optimize this crate for speed, so the
//! functions are compiled here.

use bleuprint::InputError;
use bleuprint::eval::mbr::{self, MbrError, MbrWeights};
use bleuprint::eval::{self, Panel, PanelState};

/// Returns the metric state of each text, computed with all other texts as its references.
///
/// # Errors
/// Returns the errors of [`eval::leave_one_out`].
pub fn leave_one_out(panel: &Panel, texts: &[&str]) -> Result<Vec<PanelState>, InputError> {
    eval::leave_one_out(panel, texts)
}

/// Returns the expected utility (MBR) of each candidate, from scores of all pairs or with aggregated
/// references.
///
/// # Errors
/// Returns the errors of [`mbr::utilities`] and [`mbr::aggregated_utilities`].
pub fn utilities(
    panel: &Panel,
    candidates: &[&str],
    references: &[&str],
    weights: MbrWeights<'_>,
    aggregate: bool,
) -> Result<Vec<f64>, MbrError> {
    if aggregate {
        mbr::aggregated_utilities(panel, candidates, references)
    } else {
        mbr::utilities(panel, candidates, references, weights)
    }
}
