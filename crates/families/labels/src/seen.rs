//! [`SeenLabels`]: the label counts of one segment. [`CountsView`]: the label counts of a corpus, from which
//! scores are computed.

use std::collections::BTreeMap;

use bleuprint_core::{InputError, Result};

use crate::tally::{LabelSums, LabelTally};

/// The counts of the labels of one segment, before they are added to the counts of the corpus.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SeenLabels<'s> {
    /// The counts of each label of the segment; each label occurs once.
    pub(crate) labels: &'s [(&'s str, LabelTally)],
    /// Each pair of reference label and predicted label with its number of positions; each pair occurs once.
    pub(crate) pairs: &'s [(Pair<'s>, u64)],
    /// `true` to count how often each reference label was predicted as each other label, for the confusion
    /// matrix.
    pub(crate) confusion: bool,
    /// Sizes of the segment's predicted set, reference set and intersection; `None` without label sets.
    pub(crate) set: Option<LabelTally>,
}

/// A reference label, and the label that was predicted for it.
pub(crate) type Pair<'s> = (&'s str, &'s str);

/// All label counts of a corpus, borrowed from a metric's statistics. The statistics count either the labels
/// found in the data or the labels that the user declared.
#[derive(Debug, Default)]
pub(crate) struct CountsView<'c> {
    /// Labels with their counts, sorted by their bytes.
    pub(crate) labels: Vec<(&'c str, LabelTally)>,
    /// Pairs of reference label and predicted label with their counts, sorted by their bytes; empty if pairs
    /// are not counted.
    pub(crate) pairs: Vec<(Pair<'c>, u64)>,
    /// Sizes of a segment's predicted set, reference set and intersection, each combination with its number
    /// of segments; empty if sets are not counted.
    pub(crate) sets: Vec<(LabelTally, u64)>,
    /// Number of segments whose reference set equals the predicted set; 0 if sets are not counted.
    pub(crate) equal: u64,
    /// Sum of the distances between reference and predicted labels, and sum of the squared distances; `None`
    /// if labels have no declared order.
    pub(crate) distances: Option<[u64; 2]>,
}

impl CountsView<'_> {
    /// Returns an error unless a metric with these settings can have produced these label counts.
    pub(crate) fn check(&self, confusion: bool, sets: bool) -> Result<()> {
        let refuse = |message: String| Err(InputError::malformed_state(message));
        if let Some((label, tally)) = self.labels.iter().find(|(_, tally)| !tally.is_possible()) {
            return refuse(format!("the label `{label}` has the counts {tally:?}"));
        }
        // A state of another configuration has pairs or sets where this one has none, or the reverse.
        if self.pairs.is_empty() == confusion && !self.labels.is_empty() || !sets && !self.sets.is_empty() {
            return refuse(
                "the counts are of another configuration: pairs or sets of labels are missing, or not wanted"
                    .to_owned(),
            );
        }
        Ok(())
    }

    /// Checks that the stored sizes of label sets agree with the stored counts of single labels. Returns an
    /// error unless both have equal sums, and there is one set for each of the `segments` segments.
    pub(crate) fn check_sets(&self, segments: u64) -> Result<()> {
        let mut all = LabelSums::default();
        let mut sets = 0;
        for (set, times) in &self.sets {
            if !set.is_possible() {
                return Err(InputError::malformed_state(format!("sets of the sizes {set:?}")));
                // Saturated sums of a forged state cannot equal the sums of real labels, so that saturation hides
                // nothing.
            }
            let sums = set.sums();
            let times = u128::from(*times);
            sets += times;
            all.right = all.right.saturating_add(sums.right.saturating_mul(times));
            all.predicted = all.predicted.saturating_add(sums.predicted.saturating_mul(times));
            all.gold = all.gold.saturating_add(sums.gold.saturating_mul(times));
        }
        let labels = LabelSums::from_tallies(self.labels.iter().map(|(_, tally)| *tally));
        if sets != segments.into() || all != labels {
            let message =
                format!("{sets} sets with {all:?} in {segments} segments, of labels with {labels:?}");
            return Err(InputError::malformed_state(message));
        }
        Ok(())
    }

    /// Checks the stored sums of distances between reference and predicted labels. Returns an error unless
    /// they are possible for the stored number of wrong predictions. `labels` is the number of declared
    /// labels.
    pub(crate) fn check_distances(&self, labels: usize) -> Result<()> {
        let Some(distances) = self.distances else { return Ok(()) };
        let LabelSums { right, gold, .. } =
            LabelSums::from_tallies(self.labels.iter().map(|(_, tally)| *tally));
        let [distance, squared] = distances.map(u128::from);
        let most = labels.saturating_sub(1) as u128;
        let wrong = gold.saturating_sub(right);
        // A wrong label is at a distance from 1 to `most`, so that for each of them 1 ≤ d ≤ d² ≤ d · most.
        // The sums keep these inequalities.
        let possible = wrong <= distance && distance <= squared && squared <= distance.saturating_mul(most);
        if possible && distance <= wrong.saturating_mul(most) {
            return Ok(());
        }
        Err(InputError::malformed_state(format!("{wrong} wrong labels at distances {distances:?}")))
    }
}

/// Returns the counts of each label, computed from the counts of pairs of reference label and predicted
/// label.
pub(crate) fn labels_of<'c>(pairs: &[(Pair<'c>, u64)]) -> Vec<(&'c str, LabelTally)> {
    let mut labels = BTreeMap::<&str, LabelTally>::new();
    for &((gold, predicted), times) in pairs {
        let own = labels.entry(gold).or_default();
        own.gold = own.gold.saturating_add(times);
        if gold == predicted {
            own.right = own.right.saturating_add(times);
        }
        let own = labels.entry(predicted).or_default();
        own.predicted = own.predicted.saturating_add(times);
    }
    labels.into_iter().collect()
}

/// Returns the error for the count of a label in `column` that exceeds 64 bits.
pub(crate) fn out_of_range(column: &str, left: u64, right: u64) -> InputError {
    InputError::count_range(column, left, '+', right)
}

pub(crate) fn limited(what: &str, given: usize, most: usize) -> Result<()> {
    if given <= most {
        return Ok(());
    }
    Err(InputError::limit(what, given, format!("at most {most}")))
}
