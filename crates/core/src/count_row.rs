//! [`CountRow`]: a row of any number of counts; and [`CountWriter`], by which a closure adds to it.

use core::fmt::Display;
use core::ops::Deref;

use serde::{Deserialize, Serialize};

use crate::prelude::*;
use crate::stats::add_rows;
use crate::{InputError, Linear, Result};

/// Statistics that are a row of counts whose number is known at run time; [`Totals::counts`](crate::Totals::counts)
/// makes a metric of them. Columns are named by their index.
///
/// ```
/// use bleuprint_core::{CountRow, Stats};
/// let mut row = CountRow::new(3);
/// row.merge(&CountRow::from(vec![1, 0, 2])).unwrap();
/// assert_eq!(row[2], 2);
/// assert!(row.merge(&CountRow::new(4)).is_err());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CountRow(Vec<u64>);

impl CountRow {
    /// Creates a row of this number of counts, all 0.
    pub fn new(columns: usize) -> Self {
        CountRow(vec![0; columns])
    }

    pub(crate) fn require_like(&self, other: &Self) -> Result<()> {
        if self.0.len() == other.0.len() {
            return Ok(());
        }
        Err(InputError::row_length(self.0.len(), other.0.len()))
    }

    /// Runs `write` on this row. After an error the row is unchanged.
    pub(crate) fn write(&mut self, write: impl Fn(&mut CountWriter<'_>) -> Result<()>) -> Result<()> {
        let mut writer = CountWriter::new(&mut self.0, usize::MAX);
        let Err(error) = write(&mut writer).and_then(|()| writer.finish()) else { return Ok(()) };
        // A copy of a long row for each segment would cost more than the segment. So the segment is counted
        // once more, alone, up to the call that failed, and its counts are taken back.
        let written = writer.written;
        let mut undone = CountRow::new(self.0.len());
        let mut again = CountWriter::new(&mut undone.0, written);
        // The error of the second run is the error of the first.
        let _ = write(&mut again);
        self.0.iter_mut().zip(&undone.0).for_each(|(own, undone)| *own = own.saturating_sub(*undone));
        Err(error)
    }
}

impl From<Vec<u64>> for CountRow {
    fn from(counts: Vec<u64>) -> Self {
        CountRow(counts)
    }
}

impl Deref for CountRow {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        &self.0
    }
}

impl Linear for CountRow {
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
        self.0.iter_mut().enumerate().for_each(|(column, count)| visit(&column, count));
    }

    fn add(&mut self, other: &Self) -> Result<()> {
        // A default row, as maps and wrappers create it, does not know its length.
        if self.0.is_empty() {
            self.clone_from(other);
            return Ok(());
        }
        if add_rows(&mut self.0, &other.0) { Ok(()) } else { self.add_columns(other) }
    }
}

/// Adds the counts of one segment to a total, for [`Totals::counts`](crate::Totals::counts).
#[derive(Debug)]
pub struct CountWriter<'t> {
    total: &'t mut [u64],
    /// Number of calls of [`CountWriter::add`] that changed the total.
    written: usize,
    most: usize,
    refused: Option<InputError>,
}

impl<'t> CountWriter<'t> {
    fn new(total: &'t mut [u64], most: usize) -> Self {
        CountWriter { total, written: 0, most, refused: None }
    }

    /// Adds `count` to a column of the total. A column beyond the row and a sum beyond 64 bits are errors of
    /// the segment, which is then not counted.
    #[inline]
    pub fn add(&mut self, column: usize, count: u64) {
        if let Some(total) = self.total.get_mut(column)
            && let Some(sum) = total.checked_add(count)
            && self.written < self.most
        {
            *total = sum;
            self.written += 1;
        } else {
            self.refuse(column, count);
        }
    }

    #[cold]
    fn refuse(&mut self, column: usize, count: u64) {
        if self.refused.is_none() {
            self.refused = Some(match self.total.get(column) {
                Some(total) => InputError::count_range(column.to_string(), *total, '+', count),
                None => {
                    let limit = format!("below the number of columns, {}", self.total.len());
                    InputError::limit("a column of counts", column, limit)
                }
            });
        }
        // All later calls end here too, so that the counts of a refused segment can be taken back.
        self.most = 0;
    }

    fn finish(&mut self) -> Result<()> {
        self.refused.take().map_or(Ok(()), Err)
    }
}
