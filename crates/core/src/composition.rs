//! [`Composition`]: how the score of a corpus follows from its segments.

/// Relation between the score of a corpus and the scores of its segments. It decides which confidence
/// intervals and significance tests are used. State keys and signatures (printed settings) do not contain the
/// relation.
///
/// A metric declares it in its [`Identity`](crate::Identity); property tests check the declaration.
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
    /// The corpus score is a function of merged counts and not a mean of segment scores, as in BLEU.
    /// Confidence intervals come from resampling.
    #[default]
    Other,
    /// The corpus score is the mean of the segment scores.
    Mean,
    /// The score is the share of segments that are right: each scores 0 or the maximum of the scale, and the
    /// score is their mean.
    Rate,
    /// The corpus score is the mean of the segment scores. The mean is treated as a rate if every segment of
    /// every compared system scores 0 or the scale's maximum.
    MeanOrRate,
    /// The score depends on sets, vocabularies or entropies, to which a repeated segment adds no new
    /// evidence. Drawing segments with replacement shrinks such statistics, so they have no percentile
    /// interval.
    Repeats,
}

crate::choice!(Composition: Other "other", Mean "mean", Rate "rate", MeanOrRate "mean-or-rate", Repeats "repeats");
