//! [`LabelRow`]: the counts of declared labels as a row, which subtracts and is a column of any table.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::Arc;

use bleuprint_core::{ConfigError, InputError, Linear, Result, counted};
use serde::{Serialize, Serializer};

use crate::seen::{Seen, View, out_of_range};
use crate::tally::{Count as _, Tally};

/// The most labels of a row.
const MOST_LABELS: usize = 1 << 12;

/// The counts of declared labels: three columns for each, and those that all labels share.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct LabelRow {
    layout: Arc<Layout>,
    cells: Vec<u64>,
}

/// The meaning of the columns.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Layout {
    names: Vec<String>,
    places: BTreeMap<String, usize>,
    kind: RowKind,
}

/// The columns that all labels share.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum RowKind {
    /// None.
    #[default]
    Types,
    /// The sums of distances of labels in their order, and of their squares.
    Ordered,
    /// The number of segments whose sets are equal.
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

impl Layout {
    /// # Errors
    /// More labels than a row has room for.
    pub(crate) fn new(option: &str, names: &[String], kind: RowKind) -> Result<Self, ConfigError> {
        if names.is_empty() || names.len() > MOST_LABELS {
            let given = counted(names.len(), "label");
            return Err(ConfigError::out_of_range(option, given, &format!("from 1 to {MOST_LABELS} labels")));
        }
        let places = names.iter().cloned().zip(0..).collect();
        Ok(Layout { names: names.to_vec(), places, kind })
    }

    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    fn columns(&self) -> usize {
        3 * self.names.len() + self.kind.shared().len()
    }

    /// The place of a label in its order.
    ///
    /// # Errors
    /// A label that is not declared.
    pub(crate) fn place(&self, label: &str) -> Result<usize> {
        self.places.get(label).copied().ok_or_else(|| {
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
    pub(crate) fn new(layout: Arc<Layout>) -> Self {
        LabelRow { cells: vec![0; layout.columns()], layout }
    }

    /// The same row with other cells.
    pub(crate) fn with_cells<E: serde::de::Error>(&self, cells: Vec<u64>) -> Result<Self, E> {
        match cells.len() == self.cells.len() {
            true => Ok(LabelRow { layout: self.layout.clone(), cells }),
            false => Err(E::invalid_length(cells.len(), &"a count for each column")),
        }
    }

    fn shared(&self) -> &[u64] {
        self.cells.get(3 * self.layout.names.len()..).unwrap_or_default()
    }

    /// The shared columns of one segment.
    fn shared_of(&self, seen: &Seen<'_>) -> Result<Vec<u64>> {
        let mut shared = vec![0; self.layout.kind.shared().len()];
        match self.layout.kind {
            RowKind::Types => {}
            RowKind::Ordered => {
                for &((gold, predicted), times) in seen.pairs {
                    let distance = self.layout.place(gold)?.abs_diff(self.layout.place(predicted)?) as u64;
                    // A line has fewer than 2^32 labels, and labels have fewer places than 2^13.
                    shared[0] += distance * times;
                    shared[1] += distance * distance * times;
                }
            }
            RowKind::Sets => shared[0] = seen.set.is_some_and(Tally::is_equal).into(),
        }
        Ok(shared)
    }
}

impl LabelRow {
    pub(crate) fn observe(&mut self, seen: Seen<'_>) -> Result<()> {
        let mut more = Vec::new();
        for (label, tally) in seen.labels {
            let place = 3 * self.layout.place(label)?;
            more.extend((place..).zip(<[u64; 3]>::from(*tally)));
        }
        more.extend((3 * self.layout.names.len()..).zip(self.shared_of(&seen)?));
        // Every column is there once, so that the first look foretells the second.
        for &(column, count) in &more {
            let own = self.cells[column];
            own.plus(count, 1).ok_or_else(|| out_of_range(&self.layout.name(column), own, count))?;
        }
        for (column, count) in more {
            self.cells[column] += count;
        }
        Ok(())
    }

    pub(crate) fn view(&self) -> View<'_> {
        let tally = |place: usize| Tally::from([0, 1, 2].map(|column| self.cells[3 * place + column]));
        let all = self.layout.order().map(|(label, place)| (label, tally(place)));
        let labels = all.filter(|(_, tally)| tally.is_seen()).collect();
        let shared = self.shared();
        let equal = if self.layout.kind == RowKind::Sets { shared[0] } else { 0 };
        let distances = <[u64; 2]>::try_from(shared).ok();
        View { labels, equal, distances, ..View::default() }
    }
}

impl Layout {
    /// Labels in the order of their bytes, with their places.
    fn order(&self) -> impl Iterator<Item = (&str, usize)> {
        self.places.iter().map(|(label, &place)| (&**label, place))
    }
}

impl Linear for LabelRow {
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
        let layout = &self.layout;
        for (column, cell) in self.cells.iter_mut().enumerate() {
            visit(&Named { layout, column }, cell);
        }
    }

    fn add(&mut self, other: &Self) -> Result<()> {
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

/// The name of a column, written only where it is asked for.
struct Named<'l> {
    layout: &'l Layout,
    column: usize,
}

impl Display for Named<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.layout.name(self.column))
    }
}

impl Serialize for LabelRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.cells.serialize(serializer)
    }
}
