//! Computes ROUGE's precision, recall and F of a segment from the matches with each reference.

use bleuprint_core::{Composition, ExactSum, Identity, Result, Scale};
use bleuprint_math::pow;

use super::options::{ReferencesRule, RougeSettings};
use crate::shared::FMeasure;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RougeRule {
    pub(super) over: ReferencesRule,
    pub(super) alpha: f64,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Hits {
    pub(super) hits: f64,
    pub(super) hypothesis: f64,
    pub(super) reference: f64,
    pub(super) base: f64,
}

impl Hits {
    pub(super) fn new(hits: u64, hypothesis: u64, reference: u64) -> Self {
        let [hits, hypothesis, reference] = [hits, hypothesis, reference].map(|count| count as f64);
        Hits { hits, hypothesis, reference, base: reference }
    }

    fn sum(all: impl Iterator<Item = Result<Hits>>) -> Result<Hits> {
        // Exact sums, so that the result does not depend on the order of references.
        let mut sums = [ExactSum::default(); 4];
        for one in all {
            let Hits { hits, hypothesis, reference, base } = one?;
            for (sum, value) in sums.iter_mut().zip([hits, hypothesis, reference, base]) {
                sum.add(value)?;
            }
        }
        let [hits, hypothesis, reference, base] = sums.map(|sum| sum.to_f64());
        Ok(Hits { hits, hypothesis, reference, base })
    }
}

impl RougeRule {
    pub(super) const DEFAULT: RougeRule = RougeRule { over: ReferencesRule::Best, alpha: 0.5 };
    /// Scale of all variants. Every state that is made from statistics is checked against it.
    pub(super) const SCALE: Scale = Scale::UNIT;

    /// Returns the identity (name and settings) of a ROUGE variant such as `2` or `L`. The printed name
    /// contains the variant, so no other signature field repeats it.
    pub(super) fn identity(self, kind: &str) -> Identity {
        Identity::new("rouge", 1, RougeRule::SCALE)
            .wider_sums()
            .named(format!("ROUGE-{kind}"))
            .keyed(RougeSettings::OPTION.kind.spec.field.key, kind)
            .option(RougeSettings::OPTION.references, self.over)
            .option(RougeSettings::OPTION.alpha, self.alpha)
            .composed(Composition::Mean)
    }

    /// Combines the matches of a hypothesis with each reference into precision, recall and F of a segment.
    /// The order of references does not matter.
    ///
    /// `weight` is the exponent `w` of ROUGE-W, in which a run of `k` consecutive matches counts `k^w`.
    /// Precision and recall are raised to the power `1/w`. For all other variants `w` is 1.
    pub(super) fn combine(
        self,
        weight: f64,
        mut references: impl ExactSizeIterator<Item = Result<Hits>>,
    ) -> Result<FMeasure> {
        let measure = |hits: &Hits| self.measure(weight, hits);
        match self.over {
            ReferencesRule::Best => {
                references.try_fold(FMeasure::default(), |best, hits| Ok(best.better(measure(&hits?))))
            }
            ReferencesRule::BestRecall => {
                let mut best = (0.0, FMeasure::default());
                for hits in references {
                    let hits = hits?;
                    let one = (if hits.hits > 0.0 { hits.hits / hits.base } else { 0.0 }, measure(&hits));
                    best = match one.0.total_cmp(&best.0) {
                        core::cmp::Ordering::Less => best,
                        core::cmp::Ordering::Equal => (one.0, best.1.better(one.1)),
                        core::cmp::Ordering::Greater => one,
                    };
                }
                Ok(best.1)
            }
            ReferencesRule::Average => {
                let mut sums = [ExactSum::default(); 3];
                let count = references.len() as u64;
                for hits in references {
                    let FMeasure { precision, recall, f } = measure(&hits?);
                    for (sum, value) in sums.iter_mut().zip([precision, recall, f]) {
                        sum.add(value)?;
                    }
                }
                let [precision, recall, f] = sums.map(|sum| sum.mean(count));
                Ok(FMeasure { precision, recall, f })
            }
            ReferencesRule::Each => {
                let mut precision = 0.0_f64;
                let mut recall = 0.0_f64;
                for hits in references {
                    let one = measure(&hits?);
                    (precision, recall) = (precision.max(one.precision), recall.max(one.recall));
                }
                Ok(FMeasure::from_rates(precision, recall, self.alpha))
            }
            ReferencesRule::Sum => Ok(measure(&Hits::sum(references)?)),
        }
    }

    fn measure(self, weight: f64, &Hits { hits, hypothesis, reference, .. }: &Hits) -> FMeasure {
        if hits == 0.0 {
            return FMeasure::default();
        }
        // The root may exceed 1 by a rounding error, which `min` removes.
        let share = |of: f64| if weight == 1.0 { hits / of } else { pow(hits / of, weight.recip()).min(1.0) };
        FMeasure::from_rates(share(hypothesis), share(reference), self.alpha)
    }
}
