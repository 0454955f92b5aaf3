//! Computes the chrF score from counts in sacreBLEU's order of operations, so that it matches bit for bit.

use bleuprint_math::pow;

use super::ChrfNgramCounts;

pub(super) const EPSILON: f64 = 1e-16;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ChrfFinish {
    /// Square of chrF's β, which weighs recall relative to precision.
    pub(crate) factor: f64,
    /// `true` if chrF's mean includes every n-gram order. A precision or recall without n-grams is then
    /// 10^-16.
    pub(crate) smoothed: bool,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct OrderSums {
    f: f64,
    precision: f64,
    recall: f64,
    orders: u32,
    /// Number of n-gram orders in which both the hypothesis and the reference have n-grams; chrF averages
    /// over these.
    effective: u32,
}

impl ChrfFinish {
    pub(crate) fn new(beta: f64, smoothed: bool) -> Self {
        // Python calls `pow`, whose last bit differs from `beta * beta` for one β in a thousand.
        ChrfFinish { factor: pow(beta, 2.0), smoothed }
    }

    #[inline]
    pub(crate) fn score(self, counts: impl Iterator<Item = ChrfNgramCounts>) -> f64 {
        let mut sums = OrderSums::default();
        counts.for_each(|counts| sums.add(self.factor, counts));
        self.finish_sums(&sums)
    }

    #[inline]
    pub(super) fn finish_sums(self, sums: &OrderSums) -> f64 {
        let factor = self.factor;
        // All sums are made in one pass, because the pools score many references with the same loop under
        // both settings.
        if self.smoothed {
            return (100.0 * sums.f) / f64::from(sums.orders);
        }
        if sums.effective == 0 {
            return 0.0;
        }
        let precision = sums.precision / f64::from(sums.effective);
        let recall = sums.recall / f64::from(sums.effective);
        // Both are 0 without matches, and the division below would be 0/0.
        if precision + recall == 0.0 {
            return 0.0;
        }
        100.0 * (((1.0 + factor) * precision * recall) / (factor * precision + recall))
    }
}

impl OrderSums {
    #[inline]
    pub(super) fn add(&mut self, factor: f64, counts: ChrfNgramCounts) {
        let ChrfNgramCounts { hypothesis, reference, matches } = counts;
        // Only the smoothed F-score uses the epsilon. sacreBLEU makes both kinds of sums in one loop as well.
        let share = |total: u64| if total > 0 { matches as f64 / total as f64 } else { EPSILON };
        let precision = share(hypothesis);
        let recall = share(reference);
        let denominator = factor * precision + recall;
        self.f +=
            if denominator > 0.0 { ((1.0 + factor) * precision * recall) / denominator } else { EPSILON };
        if hypothesis > 0 && reference > 0 {
            self.precision += precision;
            self.recall += recall;
            self.effective += 1;
        }
        self.orders += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(rows: &[[u64; 3]]) -> Vec<ChrfNgramCounts> {
        let counts =
            |&[hypothesis, reference, matches]: &[u64; 3]| ChrfNgramCounts { hypothesis, reference, matches };
        rows.iter().map(counts).collect()
    }

    #[test]
    fn ab_against_abc() {
        let counts = counts(&[[2, 3, 2], [1, 2, 1], [0, 1, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]);
        assert_eq!(ChrfFinish::new(2.0, false).score(counts.iter().copied()), 63.636363636363626);
        assert_eq!(ChrfFinish::new(2.0, true).score(counts.iter().copied()), 21.16402116402116);
    }

    #[test]
    fn nothing_scores_zero_or_epsilons() {
        let counts = counts(&[[0; 3]; 6]);
        assert_eq!(ChrfFinish::new(2.0, false).score(counts.iter().copied()), 0.0);
        assert_eq!(ChrfFinish::new(2.0, true).score(counts.iter().copied()), 1.0000000000000002e-14);
    }

    /// Checks that chrF squares β like CPython's `beta ** 2`. For the β of this test, `beta * beta` gives
    /// another last bit.
    #[test]
    #[cfg(target_env = "gnu")]
    fn beta_is_squared_by_pow() {
        let beta = 3.5543694881303063;
        assert_eq!(ChrfFinish::new(beta, false).factor, 12.633542458151695);
        assert_eq!(beta * beta, 12.633542458151696);
        assert_eq!(
            [0.0, 0.5, 1.0, 2.0, 3.0].map(|beta| ChrfFinish::new(beta, false).factor),
            [0.0, 0.25, 1.0, 4.0, 9.0]
        );
    }
}
