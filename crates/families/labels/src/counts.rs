//! [`LabelCounts`]: the statistics of metrics over labels, stored by label name or as a row of declared
//! labels.

use std::sync::Arc;

use bleuprint_core::{InputError, Restore, Result, SegmentCounts, Stats};
use serde::{Deserialize as _, Deserializer, Serialize, Serializer};

use crate::named::NamedCounts;
use crate::row::{LabelColumns, LabelRow};
use crate::seen::{CountsView, SeenLabels};

/// The statistics of metrics over labels: for every label the numbers of correct predictions, predictions and
/// references.
///
/// Without declared labels, the counts are a map from names. Such maps merge, and hold at most 1,048,576
/// labels of at most 4,096 bytes each. Declared labels become a row with three columns for each label. Such
/// rows can also be subtracted and exported as a table.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelCounts(CountsForm);

#[derive(Debug, Clone, PartialEq)]
enum CountsForm {
    Named(NamedCounts),
    Row(LabelRow),
}

/// Calls a method of [`Stats`] on label counts, however they are stored: as a map from label names, or as a
/// row of numbers for labels that the user declared.
macro_rules! either {
    ($counts:expr, $inner:ident => $verb:expr) => {
        match $counts {
            CountsForm::Named($inner) => $verb,
            CountsForm::Row($inner) => $verb,
        }
    };
}

/// Calls a method of [`Stats`] on two label counts. Both must be maps from label names, or both rows of
/// numbers for labels that the user declared.
macro_rules! both {
    ($own:expr, $other:expr, $left:ident, $right:ident => $verb:expr) => {
        match ($own, $other) {
            (CountsForm::Named($left), CountsForm::Named($right)) => $verb,
            (CountsForm::Row($left), CountsForm::Row($right)) => $verb,
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
    pub(crate) fn zero(layout: Option<&Arc<LabelColumns>>) -> Self {
        let row = |layout: &Arc<LabelColumns>| CountsForm::Row(LabelRow::new(layout.clone()));
        LabelCounts(layout.map_or_else(|| CountsForm::Named(NamedCounts::default()), row))
    }

    /// Adds the label counts of one segment. After an error the counts are unchanged.
    pub(crate) fn observe(&mut self, seen: SeenLabels<'_>) -> Result<()> {
        either!(&mut self.0, counts => counts.observe(seen))
    }

    pub(crate) fn view(&self) -> CountsView<'_> {
        either!(&self.0, counts => counts.view())
    }

    /// Returns an error unless the counts are of exactly the labels in `layout`, which the user declared.
    /// With `None`, they must be counts of undeclared labels, stored by name.
    pub(crate) fn require_layout(&self, layout: Option<&Arc<LabelColumns>>) -> Result<()> {
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

/// Reads stored counts of labels. Counts of declared labels are stored without names, because the names are
/// in the metric's key.
impl Restore for LabelCounts {
    fn restore<'de, D: Deserializer<'de>>(&self, deserializer: D) -> Result<Self, D::Error> {
        Ok(LabelCounts(match &self.0 {
            CountsForm::Named(_) => CountsForm::Named(NamedCounts::deserialize(deserializer)?),
            CountsForm::Row(row) => CountsForm::Row(row.with_cells(Vec::deserialize(deserializer)?)?),
        }))
    }
}

#[cfg(test)]
impl From<NamedCounts> for LabelCounts {
    fn from(counts: NamedCounts) -> Self {
        LabelCounts(CountsForm::Named(counts))
    }
}
