//! Matthews' correlation and Cohen's kappa, exact in whole numbers up to one rounding.

use std::collections::BTreeMap;

use bleuprint_core::{InputError, Result};
use bleuprint_math::quotient;

use crate::tally::{Sums, Tally};

bleuprint_core::choice! {
    /// The cost of a pair of labels in kappa.
    pub enum Weights {
        /// 1 for unlike labels.
        None = "none",
        /// The distance of the labels in their declared order.
        Linear = "linear",
        /// Its square.
        Quadratic = "quadratic",
    }
}

impl Weights {
    /// The weight of a pair at this distance.
    pub(crate) fn of(self, distance: u64) -> u128 {
        match self {
            Weights::None => (distance > 0).into(),
            Weights::Linear => distance.into(),
            Weights::Quadratic => u128::from(distance).saturating_pow(2),
        }
    }
}

/// Matthews' correlation; 0 where all references or all predictions are one label.
pub(crate) fn mcc(labels: &[(&str, Tally)]) -> Result<f64> {
    let Sums { right, gold: n, .. } = Sums::of(labels.iter().map(|(_, tally)| *tally));
    let [mut both, mut predicted, mut gold] = [0_u128; 3];
    for sums in labels.iter().map(|(_, tally)| tally.sums()) {
        both = plus(both, sums.predicted, sums.gold)?;
        predicted = plus(predicted, sums.predicted, sums.predicted)?;
        gold = plus(gold, sums.gold, sums.gold)?;
    }
    let square = plus(0, n, n)?;
    let spread = plus(0, square.saturating_sub(predicted), square.saturating_sub(gold))?;
    let all = plus(0, right, n)?;
    let above = if all < both { -((both - all) as f64) } else { (all - both) as f64 };
    Ok(if spread == 0 { 0.0 } else { above / (spread as f64).sqrt() })
}

/// Cohen's kappa; none where chance explains everything.
pub(crate) fn kappa(labels: &[(&str, Tally)]) -> Result<Option<f64>> {
    let Sums { right, gold: n, .. } = Sums::of(labels.iter().map(|(_, tally)| *tally));
    let mut both = 0;
    for sums in labels.iter().map(|(_, tally)| tally.sums()) {
        both = plus(both, sums.predicted, sums.gold)?;
    }
    one_minus(plus(0, n, n.saturating_sub(right))?, plus(0, n, n)?.saturating_sub(both))
}

/// Kappa by the distance of labels in this order; `seen` is the sum of the weights of all pairs.
pub(crate) fn weighted_kappa(
    order: &[String],
    weights: Weights,
    labels: &[(&str, Tally)],
    seen: u128,
) -> Result<Option<f64>> {
    let places: BTreeMap<&str, u64> = order.iter().map(|name| &**name).zip(0..).collect();
    let place = |label: &str| places.get(label).copied().unwrap_or_default();
    let sums: Vec<(u64, Sums)> = labels.iter().map(|(label, tally)| (place(label), tally.sums())).collect();
    let mut chance = 0;
    for (i, gold) in &sums {
        let mut of_gold = 0;
        for (j, predicted) in &sums {
            of_gold = plus(of_gold, weights.of(i.abs_diff(*j)), predicted.predicted)?;
        }
        chance = plus(chance, gold.gold, of_gold)?;
    }
    let n = Sums::of(labels.iter().map(|(_, tally)| *tally)).gold;
    one_minus(plus(0, n, seen)?, chance)
}

/// `sum + left · right`, or an error beyond 128 bits.
fn plus(sum: u128, left: u128, right: u128) -> Result<u128> {
    left.checked_mul(right).and_then(|product| sum.checked_add(product)).ok_or_else(|| {
        InputError::limit(
            "a product of counts of labels",
            format_args!("{sum} + {left} * {right}"),
            "below 2^128",
        )
    })
}

/// `1 - part / whole`, rounded once; none where `whole` is 0.
fn one_minus(part: u128, whole: u128) -> Result<Option<f64>> {
    let rounded = |difference: u128| (whole > 0).then(|| quotient(&difference.into(), &whole.into()));
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
        let labels = [("a", Tally::from([3, 4, 5])), ("b", Tally::from([2, 4, 3]))];
        // Of 8 pairs 3 have unlike labels.
        let order = ["b".to_owned(), "a".to_owned()];
        for weights in [Weights::None, Weights::Linear, Weights::Quadratic] {
            assert_eq!(
                kappa(&labels).unwrap(),
                weighted_kappa(&order, weights, &labels, 3).unwrap(),
                "two labels have one distance"
            );
        }
    }
}
