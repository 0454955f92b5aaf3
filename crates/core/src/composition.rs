//! [`Composition`]: how the score of a corpus follows from its segments. [`Quotient`]: which counts it divides.

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

/// Formula of a metric whose score is a quotient of summed counts: the sum of some columns of the statistics
/// over the sum of others, times a factor.
///
/// Programs that have only the counts, such as the page of a report, compute scores with it. The formula need
/// not hold where the denominator is 0, because definitions differ there; property tests check all other
/// states.
///
/// ```
/// use bleuprint_core::Quotient;
/// // WER: 2 errors of 10 words are 0.2.
/// let wer = Quotient {
///     numerator: &["substitutions", "deletions", "insertions"],
///     denominator: &["hits", "substitutions", "deletions"],
///     factor: 1.0,
/// };
/// assert_eq!(wer.denominator.len(), 3);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "closed: a formula needs all of it")]
pub struct Quotient {
    /// Names of the columns whose sum is the numerator. The columns of a state begin with `segments`.
    pub numerator: &'static [&'static str],
    /// Names of the columns whose sum is the denominator.
    pub denominator: &'static [&'static str],
    /// Factor by which the quotient is multiplied, such as 100 for a percentage.
    pub factor: f64,
}
