//! [`Seen`]: the counts of one segment, as statistics take them. [`View`]: all counts, as finishing reads them.

use std::collections::BTreeMap;

use bleuprint_core::{InputError, Result};

use crate::tally::{Sums, Tally};

/// The counts of one segment.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Seen<'s> {
    /// Labels, each once.
    pub(crate) labels: &'s [(&'s str, Tally)],
    /// Pairs of single labels, each once, with their numbers.
    pub(crate) pairs: &'s [(Pair<'s>, u64)],
    /// Whether pairs are counted by name.
    pub(crate) confusion: bool,
    /// The sizes of a set.
    pub(crate) set: Option<Tally>,
}

/// The label of the reference, and the predicted one.
pub(crate) type Pair<'s> = (&'s str, &'s str);

/// All counts, of either form of statistics.
#[derive(Debug, Default)]
pub(crate) struct View<'c> {
    /// Labels with a count, in the order of their bytes.
    pub(crate) labels: Vec<(&'c str, Tally)>,
    /// Pairs with a count, where they are counted, in the order of their bytes.
    pub(crate) pairs: Vec<(Pair<'c>, u64)>,
    /// The sizes of sets, with the number of segments, where they are kept.
    pub(crate) sets: Vec<(Tally, u64)>,
    /// The number of segments whose sets are equal, where sets are counted.
    pub(crate) equal: u64,
    /// The sums of distances of labels and of their squares, where labels have an order.
    pub(crate) distances: Option<[u64; 2]>,
}

impl View<'_> {
    /// Whether a configuration with or without pairs and sets can have counted this.
    pub(crate) fn check(&self, confusion: bool, sets: bool) -> Result<()> {
        let refuse = |message: String| Err(InputError::malformed_state(message));
        if let Some((label, tally)) = self.labels.iter().find(|(_, tally)| !tally.is_possible()) {
            return refuse(format!("the label `{label}` has the counts {tally:?}"));
        }
        if self.pairs.is_empty() == confusion && !self.labels.is_empty() || !sets && !self.sets.is_empty() {
            return refuse("pairs or sets of labels that are not counted, or none that are".to_owned());
        }
        Ok(())
    }

    /// Whether the sizes of sets are those of the labels in this number of segments.
    pub(crate) fn check_sets(&self, segments: u64) -> Result<()> {
        let mut all = Sums::default();
        let mut sets = 0;
        for (set, times) in &self.sets {
            if !set.is_possible() {
                return Err(InputError::malformed_state(format!("sets of the sizes {set:?}")));
            }
            let (sums, times) = (set.sums(), u128::from(*times));
            sets += times;
            all.right = all.right.saturating_add(sums.right.saturating_mul(times));
            all.predicted = all.predicted.saturating_add(sums.predicted.saturating_mul(times));
            all.gold = all.gold.saturating_add(sums.gold.saturating_mul(times));
        }
        let labels = Sums::of(self.labels.iter().map(|(_, tally)| *tally));
        if sets != segments.into() || all != labels {
            let message =
                format!("{sets} sets with {all:?} in {segments} segments, of labels with {labels:?}");
            return Err(InputError::malformed_state(message));
        }
        Ok(())
    }

    /// Whether wrong labels among so many can be at these distances.
    pub(crate) fn check_distances(&self, labels: usize) -> Result<()> {
        let Some(distances) = self.distances else { return Ok(()) };
        let Sums { right, gold, .. } = Sums::of(self.labels.iter().map(|(_, tally)| *tally));
        let ([distance, squared], most) = (distances.map(u128::from), labels.saturating_sub(1) as u128);
        let wrong = gold.saturating_sub(right);
        let possible = wrong <= distance && distance <= squared && squared <= distance.saturating_mul(most);
        if possible && distance <= wrong.saturating_mul(most) {
            return Ok(());
        }
        Err(InputError::malformed_state(format!("{wrong} wrong labels at distances {distances:?}")))
    }
}

/// The counts of labels that pairs have: pairs are one state for everything.
pub(crate) fn labels_of<'c>(pairs: &[(Pair<'c>, u64)]) -> Vec<(&'c str, Tally)> {
    let mut labels = BTreeMap::<&str, Tally>::new();
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

/// The error of a count that leaves 64 bits.
pub(crate) fn out_of_range(column: &str, left: u64, right: u64) -> InputError {
    InputError::count_range(column, left, '+', right)
}

pub(crate) fn limited(what: &str, given: usize, most: usize) -> Result<()> {
    if given <= most {
        return Ok(());
    }
    Err(InputError::limit(what, given, format!("at most {most}")))
}
