//! [`CountRows`]: a table of a metric's counts with one row for each segment. Scores of a corpus, of a part
//! of it and of resamples are computed from sums of its rows.

use bleuprint_core::{InputError, InputErrorKind, Result};

/// Table of counts: one row for each segment, one column for each count of a metric.
///
/// ```
/// use bleuprint_inference::CountRows;
/// let rows = CountRows::new(2, vec![1, 10, 2, 20, 3, 30]).unwrap();
/// assert_eq!((rows.len(), rows.row(1)), (3, &[2, 20][..]));
/// assert_eq!(rows.total().unwrap(), [6, 60]);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CountRows {
    columns: usize,
    counts: Vec<u64>,
}

impl CountRows {
    /// Creates a table from rows of `columns` counts each, stored one after another in `counts`.
    ///
    /// # Errors
    /// Returns [`MalformedState`](InputErrorKind::MalformedState) if `columns` is 0 or the last row is
    /// incomplete.
    pub fn new(columns: usize, counts: Vec<u64>) -> Result<Self> {
        if columns == 0 || !counts.len().is_multiple_of(columns) {
            let message = format!("{} counts do not make rows of {columns} columns", counts.len());
            return Err(InputError::malformed_state(message));
        }
        Ok(CountRows { columns, counts })
    }

    /// Creates an empty table whose rows have `columns` counts each.
    pub fn with_columns(columns: usize) -> Self {
        CountRows { columns: columns.max(1), counts: Vec::new() }
    }

    /// Appends the row of counts of one segment.
    ///
    /// # Errors
    /// Returns [`MalformedState`](InputErrorKind::MalformedState) if the number of counts is not the number
    /// of columns.
    pub fn push(&mut self, row: &[u64]) -> Result<()> {
        if row.len() != self.columns {
            return Err(InputError::row_length(self.columns, row.len()));
        }
        self.counts.extend_from_slice(row);
        Ok(())
    }

    /// Returns the number of rows, which is the number of segments.
    pub fn len(&self) -> usize {
        self.counts.len().checked_div(self.columns).unwrap_or(0)
    }

    /// Returns `true` if the table has no rows.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Returns the number of columns: the counts in each row.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the counts of one segment. The slice is empty if the index is beyond the last segment.
    pub fn row(&self, segment: usize) -> &[u64] {
        self.counts.get(segment * self.columns..(segment + 1) * self.columns).unwrap_or_default()
    }

    /// Returns an iterator over the rows of counts, segment by segment.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u64]> + Clone {
        self.counts.chunks_exact(self.columns.max(1))
    }

    pub(crate) fn column(&self, column: usize) -> impl Iterator<Item = u64> + Clone {
        self.counts.iter().skip(column).step_by(self.columns.max(1)).copied()
    }

    /// Returns the sum of all rows: the metric's counts on the whole corpus.
    ///
    /// # Errors
    /// Returns [`CountRange`](InputErrorKind::CountRange) if a sum does not fit 64 bits.
    pub fn total(&self) -> Result<Vec<u64>> {
        self.sum_of(0..self.len())
    }

    /// Returns the sum of the rows with these indices, from 0. A repeated index is added repeatedly.
    ///
    /// # Errors
    /// Returns [`CountRange`](InputErrorKind::CountRange) if a sum does not fit 64 bits, and an error if an
    /// index is beyond the last segment.
    pub(crate) fn sum_of(&self, segments: impl IntoIterator<Item = usize>) -> Result<Vec<u64>> {
        let mut sum = vec![0; self.columns];
        for segment in segments {
            if segment >= self.len() {
                let message = format!("segment index {segment} of {} segments", self.len());
                return Err(InputError::malformed(message));
            }
            add_row(&mut sum, self.row(segment))?;
        }
        Ok(sum)
    }
}

/// Adds a row of counts to a row of sums, column by column.
///
/// # Errors
/// Returns [`CountRange`](InputErrorKind::CountRange) if a sum does not fit 64 bits.
pub fn add_row(sum: &mut [u64], row: &[u64]) -> Result<()> {
    combine(sum, row, '+', u64::checked_add)
}

pub(crate) fn subtract_row(sum: &mut [u64], row: &[u64]) -> Result<()> {
    combine(sum, row, '-', u64::checked_sub)
}

fn combine(sum: &mut [u64], row: &[u64], operation: char, apply: fn(u64, u64) -> Option<u64>) -> Result<()> {
    for (index, (left, &right)) in sum.iter_mut().zip(row).enumerate() {
        *left = apply(*left, right)
            .ok_or_else(|| InputError::count_range(format!("{}", index + 1), *left, operation, right))?;
    }
    Ok(())
}

/// Requires that two lists have equal lengths; `left` and `right` name the lists in the error.
///
/// # Errors
/// Returns [`LengthMismatch`](InputErrorKind::LengthMismatch) if the lengths differ.
pub fn require_equal(left: &str, left_len: usize, right: &str, right_len: usize) -> Result<()> {
    if left_len == right_len {
        return Ok(());
    }
    let left = left.to_owned();
    let right = right.to_owned();
    let left_len = left_len as u64;
    let right_len = right_len as u64;
    Err(InputErrorKind::LengthMismatch { left, left_len, right, right_len }.into())
}

/// Returns the number of segments and requires that it is equal for all systems.
///
/// # Errors
/// Returns [`EmptyCorpus`](InputErrorKind::EmptyCorpus) if there are no segments, and
/// [`LengthMismatch`](InputErrorKind::LengthMismatch) if the numbers differ.
pub(crate) fn require_parallel(systems: &[&CountRows]) -> Result<usize> {
    let segments = systems.first().map_or(0, |rows| rows.len());
    if segments == 0 {
        return Err(InputErrorKind::EmptyCorpus.into());
    }
    for (index, rows) in systems.iter().enumerate() {
        require_equal("system 1", segments, &format!("system {}", index + 1), rows.len())?;
    }
    Ok(segments)
}
