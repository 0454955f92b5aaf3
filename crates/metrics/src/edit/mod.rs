//! Edit distances between sequences of ids, and alignments with the fewest edits.

mod align;
mod matrix;
mod most_hits;
#[cfg(test)]
mod naive;
mod strip;
mod sweep;
#[cfg(test)]
mod tests;

pub(crate) use align::{AlignScratch, align};
pub(crate) use most_hits::{MostHitsScratch, most_hits};

/// A step of an alignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Equal tokens.
    Hit,
    /// A token of the hypothesis in the place of another one of the reference.
    Substitution,
    /// A token of the reference that the hypothesis lacks.
    Deletion,
    /// A token of the hypothesis that the reference has not.
    Insertion,
}
