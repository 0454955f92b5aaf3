//! [`LabelCounts`]: the statistics, in one of two forms: counts by the name of a label, or a row of declared labels.

use std::collections::BTreeMap;
use std::sync::Arc;

use bleuprint_core::{InputError, InputErrorKind, Restore, Result, SegmentCounts, Stats};
use serde::{Deserialize as _, Deserializer, Serialize, Serializer};

use crate::named::NamedCounts;
use crate::row::{LabelRow, Layout};
use crate::tally::{Sums, Tally};

/// The counts of labels: for each the right predictions, all predictions and the references.
///
/// Labels that nobody declared are kept by name, as a map that merges; at most 1,048,576 labels of at most 4,096 bytes. Declared
/// ones are a row of three columns each: it subtracts too, and is a table elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelCounts(Form);

#[derive(Debug, Clone, PartialEq)]
enum Form {
    Named(NamedCounts),
    Row(LabelRow),
}

/// Applies a verb of [`Stats`] to either form.
macro_rules! either {
    ($counts:expr, $inner:ident => $verb:expr) => {
        match $counts {
            Form::Named($inner) => $verb,
            Form::Row($inner) => $verb,
        }
    };
}

/// The same for two counts of one form.
macro_rules! both {
    ($own:expr, $other:expr, $left:ident, $right:ident => $verb:expr) => {
        match ($own, $other) {
            (Form::Named($left), Form::Named($right)) => $verb,
            (Form::Row($left), Form::Row($right)) => $verb,
            _ => Err(InputError::malformed_state("labels by name, and declared ones")),
        }
    };
}

impl Default for LabelCounts {
    fn default() -> Self {
        LabelCounts::zero(None)
    }
}

impl LabelCounts {
    pub(crate) fn zero(layout: Option<&Arc<Layout>>) -> Self {
        let row = |layout: &Arc<Layout>| Form::Row(LabelRow::new(layout.clone()));
        LabelCounts(layout.map_or_else(|| Form::Named(NamedCounts::default()), row))
    }

    /// Adds the counts of one segment: all of them, or none and an error.
    pub(crate) fn observe(&mut self, seen: Seen<'_>) -> Result<()> {
        either!(&mut self.0, counts => counts.observe(seen))
    }

    pub(crate) fn view(&self) -> View<'_> {
        either!(&self.0, counts => counts.view())
    }

    /// Whether the counts are of this form.
    pub(crate) fn require_layout(&self, layout: Option<&Arc<Layout>>) -> Result<()> {
        LabelCounts::zero(layout).check_merge(self)
    }
}

impl Stats for LabelCounts {
    fn merge(&mut self, other: &Self) -> Result<()> {
        both!(&mut self.0, &other.0, own, other => own.merge(other))
    }
    fn check_merge(&self, other: &Self) -> Result<()> {
        both!(&self.0, &other.0, own, other => own.check_merge(other))
    }
    fn merge_times(&mut self, other: &Self, times: u64) -> Result<()> {
        both!(&mut self.0, &other.0, own, other => own.merge_times(other, times))
    }
    fn check(&self, counts: &SegmentCounts) -> Result<()> {
        either!(&self.0, own => own.check(counts))
    }
    fn is_row(&self) -> bool {
        either!(&self.0, own => own.is_row())
    }
    fn column_names(&self) -> Vec<String> {
        either!(&self.0, own => own.column_names())
    }
    fn write_row(&self, row: &mut Vec<u64>) -> Result<()> {
        either!(&self.0, own => own.write_row(row))
    }
    fn read_row(&mut self, row: &[u64]) -> Result<()> {
        either!(&mut self.0, own => own.read_row(row))
    }
    fn retract(&mut self, other: &Self) -> Result<()> {
        both!(&mut self.0, &other.0, own, other => own.retract(other))
    }
}

impl Serialize for LabelCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        either!(&self.0, own => own.serialize(serializer))
    }
}

/// The labels of a row are in the key, so its cells alone are stored.
impl Restore for LabelCounts {
    fn restore<'de, D: Deserializer<'de>>(&self, deserializer: D) -> Result<Self, D::Error> {
        Ok(LabelCounts(match &self.0 {
            Form::Named(_) => Form::Named(NamedCounts::deserialize(deserializer)?),
            Form::Row(row) => Form::Row(row.with_cells(Vec::deserialize(deserializer)?)?),
        }))
    }
}

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

/// What finishing reads, of either form.
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
    InputErrorKind::CountRange { column: column.to_owned(), left, operation: '+', right }.into()
}

pub(crate) fn limited(what: &str, given: usize, most: usize) -> Result<()> {
    if given <= most {
        return Ok(());
    }
    let (what, given, limit) = (what.to_owned(), given.to_string(), format!("at most {most}"));
    Err(InputErrorKind::Limit { what, given, limit }.into())
}

#[cfg(test)]
impl From<NamedCounts> for LabelCounts {
    fn from(counts: NamedCounts) -> Self {
        LabelCounts(Form::Named(counts))
    }
}
