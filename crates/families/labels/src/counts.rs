//! [`LabelCounts`]: the statistics, in one of two forms: counts by the name of a label, or a row of declared labels.

use std::sync::Arc;

use bleuprint_core::{InputError, Restore, Result, SegmentCounts, Stats};
use serde::{Deserialize as _, Deserializer, Serialize, Serializer};

use crate::named::NamedCounts;
use crate::row::{LabelRow, Layout};
use crate::seen::{Seen, View};

/// The counts of labels: for each the right predictions, all predictions and the references.
///
/// Without declared labels the counts are a map by name, which merges; at most 1,048,576 labels of at most 4,096 bytes. Declared
/// labels are a row of three columns each: it subtracts too, and is a table elsewhere.
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

#[cfg(test)]
impl From<NamedCounts> for LabelCounts {
    fn from(counts: NamedCounts) -> Self {
        LabelCounts(Form::Named(counts))
    }
}
