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
    #[inline]
    pub(crate) fn write(&mut self, write: impl Fn(&mut CountWriter<'_>) -> Result<()>) -> Result<()> {
        let mut writer = CountWriter { total: &mut self.0, beyond: None, overflows: 0 };
        let written = write(&mut writer);
        if written.is_ok() && writer.beyond.is_none() && writer.overflows == 0 {
            return written;
        }
        Err(self.undo(write))
    }

    /// Takes back what `write` has added, and returns the error of the segment. A copy of a long row for each
    /// segment would cost more than the segment, so the segment is counted once more, alone. Sums wrap around,
    /// so this is exact after an overflow too.
    #[cold]
    fn undo(&mut self, write: impl Fn(&mut CountWriter<'_>) -> Result<()>) -> InputError {
        let columns = self.0.len();
        let mut again = CountRow::new(columns);
        let mut writer = CountWriter { total: &mut again.0, beyond: None, overflows: 0 };
        let written = write(&mut writer);
        let CountWriter { beyond, .. } = writer;
        self.0.iter_mut().zip(&again.0).for_each(|(own, again)| *own = own.wrapping_sub(*again));
        if let Some(column) = beyond {
            let limit = format!("below the number of columns, {columns}");
            return InputError::limit("a column of counts", column, limit);
        }
        // The default addition names the column that overflows. A segment that overflows alone has no such sum.
        let alone = || InputError::limit("the counts of one segment", "more than 64 bits", "of 64 bits");
        written.and(self.clone().add_columns(&again)).err().unwrap_or_else(alone)
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
        if add_rows(&mut self.0, &other.0) { Ok(()) } else { self.add_columns(other) }
    }
}

/// Adds the counts of one segment to a total, for [`Totals::counts`](crate::Totals::counts).
#[derive(Debug)]
pub struct CountWriter<'t> {
    total: &'t mut [u64],
    /// First column that the row does not have.
    beyond: Option<usize>,
    /// Number of sums beyond 64 bits: adding a carry takes one instruction, and remembering a flag two.
    overflows: u64,
}

impl CountWriter<'_> {
    /// Adds `count` to a column of the total. A column beyond the row and a sum beyond 64 bits are errors of
    /// the segment, which is then not counted.
    #[inline]
    pub fn add(&mut self, column: usize, count: u64) {
        // The error is made once for the segment, so that the loop of a closure only notes that there is one.
        let Some(total) = self.total.get_mut(column) else {
            self.beyond = self.beyond.or(Some(column));
            return;
        };
        let (sum, overflows) = total.overflowing_add(count);
        *total = sum;
        self.overflows += u64::from(overflows);
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeMap;

    use super::*;
    use crate::{Accumulator, Identity, Scale, Segment, Stats as _, Totals};

    #[test]
    fn a_row_of_another_length_is_refused() {
        let row = CountRow::from(vec![1, 2]);
        assert!(row.clone().merge(&CountRow::default()).is_err());
        assert!(CountRow::default().merge(&row).is_err());
        // A map needs no empty row for a new key.
        let mut by_label = BTreeMap::from([("a", row.clone())]);
        by_label.merge_times(&BTreeMap::from([("a", row.clone()), ("b", row)]), 3).unwrap();
        assert_eq!([&by_label["a"][..], &by_label["b"][..]], [[4, 8], [3, 6]]);
    }

    #[test]
    fn a_refused_segment_leaves_the_total_unchanged() {
        let score = |row: &CountRow, _: &_| Ok(row[0] as f64);
        let identity = Identity::new("counts", 1, Scale::UNBOUNDED).reference_free();
        let of = |segment: Segment<'_, [u32]>, counts: &mut CountWriter<'_>| {
            for id in segment.hypothesis {
                match id {
                    0..10 => counts.add(*id as usize, u64::MAX / 2),
                    10 => return Err(InputError::malformed("ten")),
                    _ => counts.add(*id as usize, 1),
                }
            }
            Ok(())
        };
        let mut all = Accumulator::<_, [u32]>::new(Totals::counts(identity, 3, of, score));
        all.push(&[0, 1], &[]).unwrap();
        all.push(&[0], &[]).unwrap();
        let before = all.total().clone();
        for (ids, words) in [
            (&[1, 0, 0, 2][..], "count out of range in column `0`"),
            (&[1, 99, 2], "a column of counts is 99, but must be below the number of columns, 3"),
            (&[1, 2, 10], "ten"),
        ] {
            let error = all.push(ids, &[]).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
            assert_eq!(all.total(), &before);
            let error = all.add(Segment::new(ids, &[])).unwrap_err().to_string();
            assert!(error.contains(words) && error.starts_with("segment 3: "), "{error}");
            assert_eq!(all.total(), &before);
        }
    }
}
