//! Matthews' correlation and Cohen's kappa of predicted and reference labels, computed from integers and
//! rounded once at the end.

use std::collections::BTreeMap;

use bleuprint_core::{InputError, Result};
use bleuprint_math::quotient;

use crate::tally::{LabelSums, LabelTally};

bleuprint_core::choice! {
    /// How much a wrong label costs in Cohen's kappa.
    pub enum KappaWeights {
        /// Unweighted kappa: every wrong label costs 1, however far it is from the reference label.
        None = "none",
        /// Linear weights: a wrong label costs its distance from the reference label in the declared order of
        /// labels.
        Linear = "linear",
        /// Quadratic weights: a wrong label costs the square of its distance from the reference label in the
        /// declared order of labels.
        Quadratic = "quadratic",
    }
}

impl KappaWeights {
    /// Returns the cost of a pair of labels that are `distance` places apart in the declared order.
    pub(crate) fn weight(self, distance: u64) -> u128 {
        match self {
            KappaWeights::None => (distance > 0).into(),
            KappaWeights::Linear => distance.into(),
            KappaWeights::Quadratic => u128::from(distance).saturating_pow(2),
        }
    }
}

/// Returns Matthews' correlation of predictions and references, or 0 if all references or all predictions
/// have the same label.
pub(crate) fn mcc(labels: &[(&str, LabelTally)]) -> Result<f64> {
    let LabelSums { right, gold: n, .. } = LabelSums::from_tallies(labels.iter().map(|(_, tally)| *tally));
    let [mut both, mut predicted, mut gold] = [0_u128; 3];
    for sums in labels.iter().map(|(_, tally)| tally.sums()) {
        // The sums are Σ p_k g_k, Σ p_k² and Σ g_k² of the formula in the module `labels`. Integers of 128
        // bits keep every product of two 64-bit counts exact, so that the order of labels cannot change the
        // result.
        both = plus(both, sums.predicted, sums.gold)?;
        predicted = plus(predicted, sums.predicted, sums.predicted)?;
        gold = plus(gold, sums.gold, sums.gold)?;
    }
    let square = plus(0, n, n)?;
    let spread = plus(0, square.saturating_sub(predicted), square.saturating_sub(gold))?;
    let all = plus(0, right, n)?;
    // The difference can be negative, but the integers are unsigned: subtract the smaller and set the sign
    // after.
    let above = if all < both { -((both - all) as f64) } else { (all - both) as f64 };
    // A spread of 0 means that one side has a single label. scikit-learn returns 0 for it, too.
    Ok(if spread == 0 { 0.0 } else { above / (spread as f64).sqrt() })
}

/// Returns Cohen's kappa of predictions and references, or `None` if chance alone already explains full
/// agreement.
pub(crate) fn kappa(labels: &[(&str, LabelTally)]) -> Result<Option<f64>> {
    let LabelSums { right, gold: n, .. } = LabelSums::from_tallies(labels.iter().map(|(_, tally)| *tally));
    let mut both = 0;
    for sums in labels.iter().map(|(_, tally)| tally.sums()) {
        both = plus(both, sums.predicted, sums.gold)?;
    }
    // Kappa is 1 minus observed disagreement over expected disagreement. Both are scaled by n², so that they
    // stay integers and a single division rounds.
    one_minus(plus(0, n, n.saturating_sub(right))?, plus(0, n, n)?.saturating_sub(both))
}

/// Returns Cohen's kappa with costs for pairs of labels. `order` is the declared order of labels, and `seen`
/// is the sum of the costs of all observed pairs.
pub(crate) fn weighted_kappa(
    order: &[String],
    weights: KappaWeights,
    labels: &[(&str, LabelTally)],
    seen: u128,
) -> Result<Option<f64>> {
    let places: BTreeMap<&str, u64> = order.iter().map(|name| &**name).zip(0..).collect();
    let place = |label: &str| places.get(label).copied().unwrap_or_default();
    let sums: Vec<(u64, LabelSums)> =
        labels.iter().map(|(label, tally)| (place(label), tally.sums())).collect();
    // The expected cost is over all pairs of labels, so the loop is quadratic in the labels and independent
    // of the number of segments.
    let mut chance = 0;
    for (i, gold) in &sums {
        let mut of_gold = 0;
        for (j, predicted) in &sums {
            of_gold = plus(of_gold, weights.weight(i.abs_diff(*j)), predicted.predicted)?;
        }
        chance = plus(chance, gold.gold, of_gold)?;
    }
    let n = LabelSums::from_tallies(labels.iter().map(|(_, tally)| *tally)).gold;
    one_minus(plus(0, n, seen)?, chance)
}

/// Returns `sum + left · right`, or an error if the result needs more than 128 bits.
fn plus(sum: u128, left: u128, right: u128) -> Result<u128> {
    left.checked_mul(right).and_then(|product| sum.checked_add(product)).ok_or_else(|| {
        InputError::limit(
            "a product of counts of labels",
            format_args!("{sum} + {left} * {right}"),
            "below 2^128",
        )
    })
}

/// Returns `1 - part / whole`, rounded once to an `f64`, or `None` if `whole` is 0.
fn one_minus(part: u128, whole: u128) -> Result<Option<f64>> {
    let rounded = |difference: u128| (whole > 0).then(|| quotient(&difference.into(), &whole.into()));
    // Subtracting before the division keeps the numerator exact; `1 - part / whole` in floats would round
    // twice.
    Ok(match whole.checked_sub(part) {
        Some(difference) => rounded(difference),
        None => rounded(part - whole).map(|quotient| -quotient),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_have_a_sign_and_a_limit() {
        assert_eq!(one_minus(3, 2).unwrap(), Some(-0.5));
        assert_eq!(one_minus(0, 0).unwrap(), None);
        assert!(plus(1, u128::MAX, 1).is_err());
    }

    #[test]
    fn unweighted_kappa_is_that_of_weights_of_one() {
        let labels = [("a", LabelTally::from([3, 4, 5])), ("b", LabelTally::from([2, 4, 3]))];
        // Three of the eight pairs have two different labels.
        let order = ["b".to_owned(), "a".to_owned()];
        for weights in [KappaWeights::None, KappaWeights::Linear, KappaWeights::Quadratic] {
            assert_eq!(
                kappa(&labels).unwrap(),
                weighted_kappa(&order, weights, &labels, 3).unwrap(),
                "two labels have one distance"
            );
        }
    }
}
