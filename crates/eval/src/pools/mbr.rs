//! Minimum Bayes risk (MBR): chooses the candidates that agree most with other outputs of the model.
//!
//! ```text
//! utility(h) = Σ w_r · score(h, r) / Σ w_r          over the pseudo-references r
//!               r                 r
//! ```
//!
//! The sum runs from the first reference to the last, so the number of threads does not change the result.
//! The weights are 1, given weights, or `exp(l - max l)` of log-probabilities `l`; only their ratios matter.
//! The best candidates have the highest utility, or the lowest if a lower score is better. Among
//! candidates of the same utility, the earlier one is better.
//!
//! ```
//! use bleuprint_core::Direction;
//! use bleuprint_eval::mbr::{self, MbrWeights};
//! use bleuprint_metrics::Bleu;
//!
//! let candidates: [&[u32]; 3] = [&[1, 2, 3, 4, 5], &[1, 2, 3, 4], &[7, 8]];
//! let bleu = Bleu::default().sentence();
//! let utilities = mbr::utilities(&bleu, &candidates, &candidates, MbrWeights::Equal).unwrap();
//! assert_eq!(mbr::best(&utilities, Direction::HigherIsBetter, 2), [1, 0]);
//! ```
//!
//! The candidates may also be the pseudo-references, as is usual; each is then among its own references.
//! Source: Eikema and Aziz 2020.
//!
//! [`aggregated_utilities`] returns an approximation in linear time.

use core::cmp::Ordering;

use bleuprint_core::{
    Answer, Ask, ConfigError, Direction, InputError, Observe, Result, Segment, SegmentCounts, Wanted,
};
use bleuprint_math::exp;
use bleuprint_registry::Numbers;

use super::pairwise::{finite_number, rows};

/// Weights of the pseudo-references in minimum Bayes risk. Each weight is finite and not negative, and not
/// all are zero.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub enum MbrWeights<'w> {
    /// Equal weights for all pseudo-references.
    #[default]
    Equal,
    /// One weight for each pseudo-reference: finite, not negative, not all 0.
    Linear(&'w [f64]),
    /// Logarithm of the weight of each pseudo-reference, such as its log-probability, normalized or not.
    /// Minus infinity is a weight of 0.
    Logarithms(&'w [f64]),
}

impl MbrWeights<'_> {
    /// Returns one weight for each of `references` pseudo-references. Only the ratios of the weights are
    /// meaningful.
    fn factors(&self, references: usize) -> Result<Vec<f64>, ConfigError> {
        let given = match self {
            MbrWeights::Equal => return Ok(vec![1.0; references]),
            MbrWeights::Linear(given) | MbrWeights::Logarithms(given) => *given,
        };
        if given.len() != references {
            let limit = format!("as many as the references, {references}");
            return Err(ConfigError::out_of_range("the number of weights", given.len(), &limit));
        }
        // Logarithms are taken relative to the highest one, so that no exponential overflows and the largest
        // weight is 1.
        let highest = given.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let logarithms = matches!(self, MbrWeights::Logarithms(_));
        let (limit, fits): (_, fn(f64) -> bool) = if logarithms {
            ("a number, or minus infinity", |log| log < f64::INFINITY)
        } else {
            ("a number of at least 0", |weight| (0.0..f64::INFINITY).contains(&weight))
        };
        if let Some(bad) = given.iter().find(|weight| !fits(**weight)) {
            return Err(ConfigError::out_of_range("a weight", bad, limit));
        }
        if references > 0 && highest <= if logarithms { f64::NEG_INFINITY } else { 0.0 } {
            return Err(ConfigError::out_of_range("the highest weight", highest, "above 0"));
        }
        let factor = |&weight: &f64| if logarithms { exp(weight - highest) } else { weight };
        Ok(given.iter().map(factor).collect())
    }
}

/// Returns the expected score (utility) of each hypothesis: its weighted mean score over the
/// pseudo-references, or 0 without references.
///
/// # Errors
/// Returns [`ConfigError::OutOfRange`] for weights that [`MbrWeights`] does not allow, and an error for a
/// pair without a score.
pub fn utilities<M, S>(
    metric: &M,
    hypotheses: &[&S],
    references: &[&S],
    weights: MbrWeights<'_>,
) -> Result<Vec<f64>, MbrError>
where
    M: Observe<S>,
    S: ?Sized + Sync,
{
    let factors = weights.factors(references.len())?;
    let mut utilities = vec![0.0; hypotheses.len()];
    // Parts of a row come from left to right, so the sum of a row has the same order for every number of
    // threads.
    rows(metric, hypotheses, references, |hypothesis, first, scores| {
        let utility = &mut utilities[hypothesis];
        let factors = &factors[first..];
        *utility = scores.iter().zip(factors).fold(*utility, |sum, (score, factor)| sum + factor * score);
    })?;
    let total = factors.iter().fold(0.0, |sum, factor| sum + factor);
    if !references.is_empty() {
        utilities.iter_mut().for_each(|utility| *utility /= total);
    }
    Ok(utilities)
}

/// Returns the expected score (utility) of each hypothesis from scores that another program computed.
/// `scores` has a row for each hypothesis with a number for each pseudo-reference, on the scale of the
/// metric.
///
/// ```
/// use bleuprint_eval::mbr::{self, MbrWeights};
///
/// let comet = bleuprint_metrics::registry().build("given:name=comet,scale=0..1").unwrap();
/// let scores = [vec![1.0, 0.5, 0.25], vec![0.75, 1.0, 0.5]];
/// assert_eq!(mbr::given_utilities(&comet, &scores, MbrWeights::Linear(&[2.0, 1.0, 1.0])).unwrap(), [0.6875, 0.75]);
/// assert!(mbr::given_utilities(&comet, &[vec![1.5]], MbrWeights::Equal).is_err());
/// ```
///
/// # Errors
/// Returns [`ConfigError::OutOfRange`] for weights that [`MbrWeights`] does not allow. Also returns an error
/// if rows differ in length, or if the metric rejects a number.
pub fn given_utilities<M>(
    metric: &M,
    scores: &[Vec<f64>],
    weights: MbrWeights<'_>,
) -> Result<Vec<f64>, MbrError>
where
    M: Observe<Numbers>,
{
    let references = scores.first().map_or(0, Vec::len);
    let factors = weights.factors(references)?;
    let total = factors.iter().fold(0.0, |sum, factor| sum + factor);
    let mut scratch = M::Scratch::default();
    let counts = SegmentCounts::of_segment(0);
    let mut utility = |(number, row): (usize, &Vec<f64>)| {
        bleuprint_inference::require_equal(
            "the first hypothesis",
            references,
            &format!("hypothesis {number}"),
            row.len(),
        )?;
        let mut sum = 0.0;
        for (score, factor) in row.iter().zip(&factors) {
            // Each number passes through the metric, so that its range is checked like any other input.
            let mut stats = metric.zero();
            metric.observe(&mut scratch, &mut stats, Segment::new(core::slice::from_ref(score), &[]))?;
            sum += factor * metric.number(&stats, &counts)?;
        }
        Ok(if references > 0 { sum / total } else { 0.0 })
    };
    (1..).zip(scores).map(&mut utility).collect()
}

/// Approximates the expected scores of [`utilities`] with equal weights, in linear time. Each hypothesis is
/// scored once, against the summed counts of all references; its own counts are multiplied by the number of
/// references ([`Wanted::Aggregate`]):
///
/// ```text
/// matches of order n = Σ min(R · count in the hypothesis, Σ counts in the references)      R references
///                      over n-grams
/// ```
///
/// The scores, and their order, may differ from a mean over references; for one reference they are equal.
/// Sources: DeNero et al. 2009 (BLEU); Vamvas and Sennrich 2024 (chrF).
///
/// ```
/// use bleuprint_eval::mbr::{self, MbrWeights};
/// use bleuprint_metrics::Bleu;
///
/// let candidates: [&[u32]; 3] = [&[1, 2, 3, 4, 5], &[1, 2, 3, 4], &[7, 8]];
/// let bleu = Bleu::default().sentence();
/// let rough = mbr::aggregated_utilities(&bleu, &candidates, &candidates).unwrap();
/// assert_eq!(mbr::best(&rough, bleuprint_core::Direction::HigherIsBetter, 3)[2], 2);
/// let one = mbr::aggregated_utilities(&bleu, &candidates, &candidates[..1]).unwrap();
/// assert_eq!(one, mbr::utilities(&bleu, &candidates, &candidates[..1], MbrWeights::Equal).unwrap());
/// ```
///
/// # Errors
/// Returns [`ConfigError::Conflict`] if the metric cannot count all references together, and an error for a
/// hypothesis without a score.
pub fn aggregated_utilities<M, S>(
    metric: &M,
    hypotheses: &[&S],
    references: &[&S],
) -> Result<Vec<f64>, MbrError>
where
    M: Observe<S>,
    S: ?Sized + Sync,
{
    if references.is_empty() {
        return Ok(vec![0.0; hypotheses.len()]);
    }
    let ask = Ask::new(Wanted::Aggregate, hypotheses, references);
    let answer = metric.ask(&mut M::Scratch::default(), ask)?;
    let Some(Answer::Stats(all)) = answer else {
        let name = metric.identity().name();
        let message = format!("{name} cannot count all references together: score all pairs instead");
        return Err(ConfigError::Conflict(message).into());
    };
    Ok(all.iter().map(|stats| finite_number(metric, stats, &ask.counts())).collect::<Result<_>>()?)
}

/// Returns the indices of the `count` best candidates, the best first. The best have the highest expected
/// score, or the lowest if a lower score is better. Among candidates of the same score, the earlier one
/// is better. Returns all candidates if there are at most `count`.
pub fn best(utilities: &[f64], direction: Direction, count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..utilities.len()).collect();
    // The sort is stable, so equal candidates keep their order.
    order.sort_by(|&a, &b| {
        let rising = utilities[a].partial_cmp(&utilities[b]).unwrap_or(Ordering::Equal);
        if direction == Direction::HigherIsBetter { rising.reverse() } else { rising }
    });
    order.truncate(count);
    order
}

/// Error of minimum Bayes risk scoring: invalid weights, or a pair without a score.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MbrError {
    /// The weights of the pseudo-references are invalid.
    Weights(ConfigError),
    /// The metric has no score for a pair of hypothesis and reference.
    Pair(InputError),
}

impl core::fmt::Display for MbrError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            MbrError::Weights(error) => error.fmt(f),
            MbrError::Pair(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for MbrError {}

impl From<ConfigError> for MbrError {
    fn from(error: ConfigError) -> Self {
        MbrError::Weights(error)
    }
}

impl From<InputError> for MbrError {
    fn from(error: InputError) -> Self {
        MbrError::Pair(error)
    }
}

#[cfg(test)]
mod tests {
    use super::MbrWeights;

    #[test]
    fn weights_that_are_none_are_refused() {
        let message = |weights: MbrWeights<'_>| weights.factors(2).unwrap_err().to_string();
        assert_eq!(
            message(MbrWeights::Linear(&[1.0])),
            "the number of weights is 1, but must be as many as the references, 2"
        );
        assert!(message(MbrWeights::Linear(&[1.0, f64::NAN])).starts_with("a weight is NaN"));
        assert!(message(MbrWeights::Linear(&[0.0, 0.0])).contains("above 0"));
        assert!(message(MbrWeights::Logarithms(&[f64::NEG_INFINITY; 2])).contains("above 0"));
        assert!(message(MbrWeights::Logarithms(&[0.0, f64::INFINITY])).starts_with("a weight is inf"));
        assert!(message(MbrWeights::Linear(&[1.0, -1.0])).starts_with("a weight is -1"));
        let weights =
            MbrWeights::Logarithms(&[-1000.0, -1000.0 + bleuprint_math::ln(2.0)]).factors(2).unwrap();
        assert!((weights[0] - 0.5).abs() < 1e-12 && weights[1] == 1.0);
        assert_eq!(MbrWeights::Logarithms(&[-1e300, -1e300]).factors(2).unwrap(), [1.0, 1.0]);
        assert_eq!(MbrWeights::Logarithms(&[5000.0, f64::NEG_INFINITY]).factors(2).unwrap(), [1.0, 0.0]);
    }
}
