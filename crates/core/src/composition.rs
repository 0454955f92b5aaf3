//! [`Composition`]: how the score of a corpus follows from its segments.

/// How the score of a corpus follows from the scores of its segments. Intervals and tests depend on it; it is part of neither
/// the state key nor the signature.
///
/// A metric declares it in its [`Identity`](crate::Identity); the laws check the declaration.
///
/// ```
/// use bleuprint_core::{Composition, Identity, Scale};
/// let accuracy = Identity::new("accuracy", 1, Scale::UNIT).composed(Composition::Rate);
/// assert_eq!(accuracy.composition(), Composition::Rate);
/// assert_eq!(accuracy.key(), Identity::new("accuracy", 1, Scale::UNIT).key());
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Composition {
    /// Some other function of merged statistics, as in BLEU. Intervals come from resampling.
    #[default]
    Other,
    /// The mean of the scores of segments.
    Mean,
    /// The share of segments that are right: each scores 0 or the maximum of the scale, and the score is their mean.
    Rate,
    /// The mean of the scores of segments, and a rate where every segment of every system of a run scores 0 or the maximum.
    MeanOrRate,
    /// A function of statistics to which a repeated segment adds no new evidence: sets, vocabularies, entropies. Drawing segments with
    /// replacement shrinks them, so they have no percentile interval.
    Repeats,
}

crate::choice!(Composition: Other "other", Mean "mean", Rate "rate", MeanOrRate "mean-or-rate", Repeats "repeats");
