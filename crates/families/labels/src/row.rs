//! [`LabelRow`]: the counts of declared labels as a row of numbers, which can be subtracted and exported.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::Arc;

use bleuprint_core::{ConfigError, InputError, Linear, Result, counted};
use serde::{Serialize, Serializer};

use crate::seen::{CountsView, SeenLabels, out_of_range};
use crate::tally::{CheckedCount as _, LabelTally};

/// Maximum number of labels that the user can declare.
const MOST_LABELS: usize = 1 << 12;

/// The counts of labels that the user declared: three columns for each label (right, predicted, reference),
/// then the columns of its [`RowKind`].
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct LabelRow {
    layout: Arc<LabelColumns>,
    cells: Vec<u64>,
}

/// Layout of the columns of a [`LabelRow`]: the declared labels in order, then the kind of the last columns.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct LabelColumns {
    names: Vec<String>,
    places: BTreeMap<String, usize>,
    kind: RowKind,
}

/// The kind of a [`LabelRow`], a row of label counts: which columns follow the three columns (right,
/// predicted, reference) of each label.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum RowKind {
    /// A row of span counts: three columns (right, predicted, reference) for each type of spans, and no
    /// further columns.
    #[default]
    Types,
    /// A row of counts of ordered labels. Two columns follow the columns of the labels: the sum of the
    /// distances between reference and predicted labels in the declared order, and the sum of the squared
    /// distances.
    Ordered,
    /// A row of counts of label sets. One column follows the columns of the labels: the number of segments
    /// whose predicted set of labels equals the reference set.
    Sets,
}

impl RowKind {
    fn shared(self) -> &'static [&'static str] {
        match self {
            RowKind::Types => &[],
            RowKind::Ordered => &["distance", "distance_squared"],
            RowKind::Sets => &["equal"],
        }
    }
}

impl LabelColumns {
    /// Creates the columns of a row of label counts: three (right, predicted, reference) for each label in
    /// `names`, then the columns of `kind`, such as label distances.
    ///
    /// # Errors
    /// Returns an error if there are no labels, or more than 4,096.
    pub(crate) fn new(option: &str, names: &[String], kind: RowKind) -> Result<Self, ConfigError> {
        if names.is_empty() || names.len() > MOST_LABELS {
            let given = counted(names.len(), "label");
            return Err(ConfigError::out_of_range(option, given, &format!("from 1 to {MOST_LABELS} labels")));
        }
        let places = names.iter().cloned().zip(0..).collect();
        Ok(LabelColumns { names: names.to_vec(), places, kind })
    }

    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    fn columns(&self) -> usize {
        3 * self.names.len() + self.kind.shared().len()
    }

    /// Returns the index of a label in the declared order.
    ///
    /// # Errors
    /// Returns an error if the label is not declared.
    pub(crate) fn place(&self, label: &str) -> Result<usize> {
        self.places.get(label).copied().ok_or_else(|| {
            // Twenty names are enough to recognize a wrong list without flooding the terminal.
            let known: Vec<&str> = self.names.iter().take(20).map(String::as_str).collect();
            let more = if self.names.len() > known.len() { ", .." } else { "" };
            InputError::malformed(format!(
                "the label `{label}` is not declared; expected one of: {}{more}",
                known.join(", ")
            ))
        })
    }

    fn name(&self, column: usize) -> String {
        match column.checked_sub(3 * self.names.len()) {
            Some(shared) => self.kind.shared().get(shared).copied().unwrap_or_default().to_owned(),
            None => format!("{}.{}", ["right", "predicted", "gold"][column % 3], self.names[column / 3]),
        }
    }
}

impl LabelRow {
    pub(crate) fn new(layout: Arc<LabelColumns>) -> Self {
        LabelRow { cells: vec![0; layout.columns()], layout }
    }

    /// Returns a row of label counts with the columns of `self` and the values `cells`. Returns an error if
    /// the number of values differs from the number of columns.
    pub(crate) fn with_cells<E: serde::de::Error>(&self, cells: Vec<u64>) -> Result<Self, E> {
        if cells.len() == self.cells.len() {
            Ok(LabelRow { layout: self.layout.clone(), cells })
        } else {
            Err(E::invalid_length(cells.len(), &"a count for each column"))
        }
    }

    fn shared(&self) -> &[u64] {
        self.cells.get(3 * self.layout.names.len()..).unwrap_or_default()
    }

    /// Returns the counts of one segment in the last columns of the row: label distances, or 1 if the
    /// predicted and the reference set are equal.
    fn shared_of(&self, seen: &SeenLabels<'_>) -> Result<Vec<u64>> {
        let mut shared = vec![0; self.layout.kind.shared().len()];
        match self.layout.kind {
            RowKind::Types => {}
            RowKind::Ordered => {
                for &((gold, predicted), times) in seen.pairs {
                    let distance = self.layout.place(gold)?.abs_diff(self.layout.place(predicted)?) as u64;
                    // This cannot overflow: a line has fewer than 2^32 labels, and distances are below 2^12.
                    shared[0] += distance * times;
                    shared[1] += distance * distance * times;
                }
            }
            RowKind::Sets => shared[0] = seen.set.is_some_and(LabelTally::is_equal).into(),
        }
        Ok(shared)
    }
}

impl LabelRow {
    pub(crate) fn observe(&mut self, seen: SeenLabels<'_>) -> Result<()> {
        let mut more = Vec::new();
        for (label, tally) in seen.labels {
            let place = 3 * self.layout.place(label)?;
            more.extend((place..).zip(<[u64; 3]>::from(*tally)));
        }
        more.extend((3 * self.layout.names.len()..).zip(self.shared_of(&seen)?));
        // Every column occurs once in `more`, so that this check also covers the additions below. After an
        // error no cell has changed.
        for &(column, count) in &more {
            let own = self.cells[column];
            own.plus(count, 1).ok_or_else(|| out_of_range(&self.layout.name(column), own, count))?;
        }
        for (column, count) in more {
            self.cells[column] += count;
        }
        Ok(())
    }

    pub(crate) fn view(&self) -> CountsView<'_> {
        let tally = |place: usize| LabelTally::from([0, 1, 2].map(|column| self.cells[3 * place + column]));
        let all = self.layout.order().map(|(label, place)| (label, tally(place)));
        let labels = all.filter(|(_, tally)| tally.is_seen()).collect();
        let shared = self.shared();
        let equal = if self.layout.kind == RowKind::Sets { shared[0] } else { 0 };
        let distances = <[u64; 2]>::try_from(shared).ok();
        CountsView { labels, equal, distances, ..CountsView::default() }
    }
}

impl LabelColumns {
    /// Returns all declared labels sorted by their bytes, each with its index in the declared order.
    fn order(&self) -> impl Iterator<Item = (&str, usize)> {
        self.places.iter().map(|(label, &place)| (&**label, place))
    }
}

impl Linear for LabelRow {
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
        let layout = &self.layout;
        for (column, cell) in self.cells.iter_mut().enumerate() {
            visit(&ColumnName { layout, column }, cell);
        }
    }

    fn add(&mut self, other: &Self) -> Result<()> {
        // One pass of checks and one of plain additions are faster than named errors for each column. The
        // slow path runs only to name the column that overflows.
        let fits = |(own, more): (&u64, &u64)| own.checked_add(*more).is_some();
        if self.layout != other.layout {
            return Err(InputError::malformed_state("rows of other labels"));
        }
        if !self.cells.iter().zip(&other.cells).all(fits) {
            return self.add_columns(other);
        }
        self.cells.iter_mut().zip(&other.cells).for_each(|(own, more)| *own += more);
        Ok(())
    }
}

/// Name of a column of label counts, which is put together only when it is printed.
struct ColumnName<'l> {
    layout: &'l LabelColumns,
    column: usize,
}

impl Display for ColumnName<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.layout.name(self.column))
    }
}

impl Serialize for LabelRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.cells.serialize(serializer)
    }
}
