//! TER (to be written).

mod beam;
mod bits;
mod masks;
#[cfg(test)]
mod naive;
pub(crate) mod search;
mod table;
#[cfg(test)]
mod tests;
mod wide;

/// Columns on each side of the diagonal that are computed; half the ratio of the lengths more where that is longer.
const BEAM_WIDTH: usize = 25;

/// Candidates that are looked at for one hypothesis and reference, over all its shifts.
const MAX_CANDIDATES: usize = 1000;

/// Words that are shifted at once.
const MAX_LENGTH: usize = 10;

/// The most words between the place of a block in the hypothesis and that of its like in the reference.
const MAX_DISTANCE: usize = 50;
