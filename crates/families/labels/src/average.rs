//! [`Average`]: computes one precision, recall and F from the counts of all labels.

use bleuprint_core::{ExactSum, Result, Stats as _};

use crate::seen::CountsView;
use crate::tally::{FRule, LabelSums, LabelTally, Prf};

/// Method of averaging precision, recall and F over all labels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Average {
    /// Precision, recall and F of the counts summed over all labels.
    Micro,
    /// The unweighted mean of precision, recall and F over the labels that occur in a hypothesis or a
    /// reference.
    #[default]
    Macro,
    /// The mean of precision, recall and F over labels, weighted by the number of references with the label.
    Weighted,
    /// The mean over segments of the precision, recall and F of each segment's set of labels.
    Samples,
}

bleuprint_core::choice!(Average: Micro "micro", Macro "macro", Weighted "weighted", Samples "samples"; 1);

bleuprint_core::choice! {
    /// The value of a precision, recall or F whose denominator is 0, like scikit-learn's `zero_division`.
    pub enum ZeroQuotient {
        /// A precision, recall or F whose denominator is 0 counts as 0.
        Zero = "0",
        /// A precision, recall or F whose denominator is 0 counts as 1.
        One = "1",
        /// A precision, recall or F whose denominator is 0 is left out of the average over labels.
        LeftOut = "nan",
    }
}

impl ZeroQuotient {
    /// Returns the value of a number whose denominator is 0; NaN stands for a number that is left out.
    pub(crate) fn value(self) -> f64 {
        match self {
            ZeroQuotient::Zero => 0.0,
            ZeroQuotient::One => 1.0,
            ZeroQuotient::LeftOut => f64::NAN,
        }
    }
}

/// Formula of F for a label (`f`), and the value of a precision, recall or F whose denominator is 0 (`zero`).
/// NaN leaves this number out of averages.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct AverageRule {
    pub(crate) f: FRule,
    pub(crate) zero: f64,
}

impl AverageRule {
    pub(crate) fn precision_recall_f(self, tally: LabelTally) -> Prf {
        tally.sums().quotients(self.f, self.zero)
    }
}

/// Returns the labels to average over: all observed labels, or exactly the labels in `only`. A label in
/// `only` that was never observed has counts of 0.
pub(crate) fn chosen<'v>(view: &CountsView<'v>, only: Option<&'v [String]>) -> Vec<(&'v str, LabelTally)> {
    let Some(only) = only else { return view.labels.clone() };
    let of = |label: &'v String| {
        // The labels of a view are sorted by their bytes, so a binary search finds each.
        let found = view.labels.binary_search_by_key(&&**label, |(name, _)| *name);
        (&**label, found.map_or_else(|_| LabelTally::default(), |at| view.labels[at].1))
    };
    only.iter().map(of).collect()
}

/// Returns the average precision, recall and F over labels, or `None` if there is nothing to average over.
pub(crate) fn average(
    average: Average,
    labels: &[(&str, LabelTally)],
    sets: &[(LabelTally, u64)],
    rule: AverageRule,
) -> Result<Option<Prf>> {
    match average {
        Average::Micro => {
            let sums = LabelSums::from_tallies(labels.iter().map(|(_, tally)| *tally));
            // Without any label the sums are 0, and a quotient would report `zero` for an empty corpus. It
            // has no score instead.
            Ok((!labels.is_empty()).then(|| sums.quotients(rule.f, rule.zero)))
        }
        Average::Macro => mean(labels.iter().map(|(_, tally)| (rule.precision_recall_f(*tally), 1))),
        Average::Weighted => {
            mean(labels.iter().map(|(_, tally)| (rule.precision_recall_f(*tally), tally.gold)))
        }
        Average::Samples => mean(sets.iter().map(|(set, times)| (rule.precision_recall_f(*set), *times))),
    }
}

/// Returns the weighted means of precision, recall and F, each rounded once, or `None` if no value has a
/// weight. NaN values are left out; a mean without any value is NaN.
fn mean(weighted: impl Iterator<Item = (Prf, u64)>) -> Result<Option<Prf>> {
    // Exact sums make the mean independent of the order of labels and of how states were merged.
    let mut sums = [ExactSum::default(); 3];
    for (Prf { precision, recall, f }, weight) in weighted.filter(|(_, weight)| *weight > 0) {
        for (sum, value) in sums.iter_mut().zip([precision, recall, f]).filter(|(_, value)| !value.is_nan()) {
            sum.merge_times(&ExactSum::from_value(value)?, weight)?;
        }
    }
    let any = sums.iter().any(|sum| sum.count() > 0);
    let mean = |sum: ExactSum| if sum.count() > 0 { sum.mean(sum.count()) } else { f64::NAN };
    let [precision, recall, f] = sums.map(mean);
    Ok(any.then_some(Prf { precision, recall, f }))
}

/// Returns balanced accuracy, the exact mean of the recalls of all labels that occur in the references.
pub(crate) fn balanced(labels: &[(&str, LabelTally)]) -> Result<Option<f64>> {
    // Only recall is used here, so the definition of F makes no difference.
    let rule = AverageRule { f: FRule::OfCounts(1.0), zero: 0.0 };
    let present = labels.iter().filter(|(_, tally)| tally.gold > 0);
    Ok(mean(present.map(|(_, tally)| (rule.precision_recall_f(*tally), 1)))?.map(|mean| mean.recall))
}
