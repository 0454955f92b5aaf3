//! Corrections of p-values for multiple testing: Holm, and Benjamini and Hochberg.

use std::cmp::Ordering;

/// Correction of p-values for multiple testing.
///
/// ```
/// use bleuprint_inference::Correction;
/// assert_eq!(Correction::Holm.apply(&[0.01, 0.5, 0.02]), [0.03, 0.5, 0.04]);
/// assert_eq!(Correction::BenjaminiHochberg.apply(&[0.01, 0.5, 0.02]), [0.03, 0.5, 0.03]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Correction {
    /// Holm's step-down correction. At a significance level of 5 %, the probability of any false finding is
    /// at most 5 %.
    ///
    /// The smallest of `m` p-values is multiplied by `m`, the next one by `m − 1`, and so on. A corrected
    /// value is at most 1 and at least the corrected value before it. Source: Holm 1979.
    Holm,
    /// Benjamini and Hochberg's step-up correction. At a level of 5 %, at most 5 % of the findings are
    /// expected to be false, if the tests are independent or positively dependent.
    ///
    /// The i-th smallest of `m` p-values is multiplied by `m/i`. A corrected value is at most 1 and at most
    /// the corrected value after it. Source: Benjamini and Hochberg 1995.
    BenjaminiHochberg,
}

bleuprint_core::choice!(Correction: Holm "holm", BenjaminiHochberg "bh");

/// Returns the indices below `count`, sorted stably by the function `compare`.
pub(crate) fn order(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&one, &other| compare(one, other));
    order
}

impl Correction {
    /// Returns the p-values after correction for multiple testing, in the order of `p_values`.
    pub fn apply(self, p_values: &[f64]) -> Vec<f64> {
        let count = p_values.len();
        let order = order(count, &|one, other| p_values[one].total_cmp(&p_values[other]));
        let mut corrected = vec![0.0; count];
        match self {
            Correction::Holm => {
                // Upwards from the smallest: a larger p-value must not become more significant than a smaller
                // one, although its factor is lower.
                let mut least = 0.0_f64;
                for (rank, &index) in order.iter().enumerate() {
                    least = least.max(p_values[index] * (count - rank) as f64).min(1.0);
                    corrected[index] = least;
                }
            }
            Correction::BenjaminiHochberg => {
                // Downwards from the largest, because a step-up method takes the minimum over all larger
                // p-values.
                let mut most = 1.0_f64;
                for (rank, &index) in order.iter().enumerate().rev() {
                    most = most.min(p_values[index] * count as f64 / (rank + 1) as f64);
                    corrected[index] = most;
                }
            }
        }
        corrected
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    #[test]
    fn corrected_values_keep_their_order_and_stay_below_one() {
        assert!(Correction::Holm.apply(&[]).is_empty());
        assert_eq!(Correction::Holm.apply(&[0.5]), [0.5]);
        assert_eq!(Correction::Holm.apply(&[0.9, 0.02, 0.02]), [0.9, 0.06, 0.06]);
        assert_eq!(Correction::Holm.apply(&[0.9, 0.8]), [1.0, 1.0]);
    }

    quickcheck! {
        fn holm_lies_between_nothing_and_bonferroni(values: Vec<u16>) -> bool {
            let values: Vec<f64> = values.iter().map(|&value| f64::from(value) / 65_535.0).collect();
            let corrected = Correction::Holm.apply(&values);
            let count = values.len() as f64;
            values.iter().zip(&corrected).all(|(&p, &c)| p <= c && c <= (p * count).min(1.0))
        }
    }
}
