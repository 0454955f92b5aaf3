//! [`Average`]: from the counts of labels to one precision, recall and F.

use bleuprint_core::{ExactSum, Result, Stats as _};

use crate::seen::View;
use crate::tally::{FRule, Prf, Sums, Tally};

/// The average over labels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Average {
    /// Quotients of summed counts.
    Micro,
    /// The mean over labels that are seen on either side.
    #[default]
    Macro,
    /// The mean over labels by their number in the references.
    Weighted,
    /// The mean over segments of the quotients of their sets.
    Samples,
}

bleuprint_core::choice!(Average: Micro "micro", Macro "macro", Weighted "weighted", Samples "samples"; 1);

/// The rules of quotients: the definition of F, and the value of a quotient without a denominator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rule {
    pub(crate) f: FRule,
    pub(crate) zero: f64,
}

impl Rule {
    pub(crate) fn of(self, tally: Tally) -> Prf {
        tally.sums().quotients(self.f, self.zero)
    }
}

/// The labels that averages are over: the seen ones or, of all that `only` names, each, the unseen with counts of 0.
pub(crate) fn chosen<'v>(view: &View<'v>, only: Option<&'v [String]>) -> Vec<(&'v str, Tally)> {
    let Some(only) = only else { return view.labels.clone() };
    let of = |label: &'v String| {
        let found = view.labels.binary_search_by_key(&&**label, |(name, _)| *name);
        (&**label, found.map_or_else(|_| Tally::default(), |at| view.labels[at].1))
    };
    only.iter().map(of).collect()
}

/// Precision, recall and F; none where the definition gives none.
pub(crate) fn average(
    average: Average,
    labels: &[(&str, Tally)],
    sets: &[(Tally, u64)],
    rule: Rule,
) -> Result<Option<Prf>> {
    match average {
        Average::Micro => {
            let sums = Sums::of(labels.iter().map(|(_, tally)| *tally));
            Ok((!labels.is_empty()).then(|| sums.quotients(rule.f, rule.zero)))
        }
        Average::Macro => mean(labels.iter().map(|(_, tally)| (rule.of(*tally), 1))),
        Average::Weighted => mean(labels.iter().map(|(_, tally)| (rule.of(*tally), tally.gold))),
        Average::Samples => mean(sets.iter().map(|(set, times)| (rule.of(*set), *times))),
    }
}

/// The exact mean by whole weights, rounded once.
fn mean(weighted: impl Iterator<Item = (Prf, u64)>) -> Result<Option<Prf>> {
    let mut sums = [ExactSum::default(); 3];
    for (Prf { precision, recall, f }, weight) in weighted.filter(|(_, weight)| *weight > 0) {
        for (sum, value) in sums.iter_mut().zip([precision, recall, f]) {
            sum.merge_times(&ExactSum::of(value)?, weight)?;
        }
    }
    let [precision, recall, f] = sums.map(|sum| sum.mean(sum.count()));
    Ok((sums[0].count() > 0).then_some(Prf { precision, recall, f }))
}

/// The exact mean of the recalls of labels that the references have.
pub(crate) fn balanced(labels: &[(&str, Tally)]) -> Result<Option<f64>> {
    let rule = Rule { f: FRule::OfCounts(1.0), zero: 0.0 };
    let present = labels.iter().filter(|(_, tally)| tally.gold > 0);
    Ok(mean(present.map(|(_, tally)| (rule.of(*tally), 1)))?.map(|mean| mean.recall))
}
