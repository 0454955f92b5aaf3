//! [`CountRows`]: the counts of every segment, one row per segment, from which resamples and slices are summed.

use bleuprint_core::{InputError, InputErrorKind, Result};

/// A table of counts: one row per segment, one column per count.
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
    /// Rows of `columns` counts each, one after the other.
    ///
    /// # Errors
    /// [`MalformedState`](InputErrorKind::MalformedState) when the counts do not make whole rows.
    pub fn new(columns: usize, counts: Vec<u64>) -> Result<Self> {
        if columns == 0 || !counts.len().is_multiple_of(columns) {
            let message = format!("{} counts do not make rows of {columns} columns", counts.len());
            return Err(InputError::malformed_state(message));
        }
        Ok(CountRows { columns, counts })
    }

    /// No rows yet, of `columns` counts each.
    pub fn with_columns(columns: usize) -> Self {
        CountRows { columns: columns.max(1), counts: Vec::new() }
    }

    /// Adds a row.
    ///
    /// # Errors
    /// [`MalformedState`](InputErrorKind::MalformedState) when it has another number of counts.
    pub fn push(&mut self, row: &[u64]) -> Result<()> {
        if row.len() != self.columns {
            return Err(InputError::row_length(self.columns, row.len()));
        }
        self.counts.extend_from_slice(row);
        Ok(())
    }

    /// The number of segments.
    pub fn len(&self) -> usize {
        self.counts.len().checked_div(self.columns).unwrap_or(0)
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The number of counts of a segment.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The counts of one segment; empty beyond the last.
    pub fn row(&self, segment: usize) -> &[u64] {
        self.counts.get(segment * self.columns..(segment + 1) * self.columns).unwrap_or_default()
    }

    /// The rows, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u64]> + Clone {
        self.counts.chunks_exact(self.columns.max(1))
    }

    pub(crate) fn column(&self, column: usize) -> impl Iterator<Item = u64> + Clone {
        self.counts.iter().skip(column).step_by(self.columns.max(1)).copied()
    }

    /// The sum of all rows: the statistics of the corpus.
    ///
    /// # Errors
    /// [`CountRange`](InputErrorKind::CountRange) when a sum does not fit 64 bits.
    pub fn total(&self) -> Result<Vec<u64>> {
        self.sum_of(0..self.len())
    }

    /// The sum of some rows, by index from 0; repeated ones count as often as they occur.
    ///
    /// # Errors
    /// [`CountRange`](InputErrorKind::CountRange) when a sum does not fit 64 bits; an index beyond the last segment.
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

/// `sum + row`, checked.
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

/// Requires equal lengths.
///
/// # Errors
/// [`LengthMismatch`](InputErrorKind::LengthMismatch).
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

/// The number of segments of all systems.
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
