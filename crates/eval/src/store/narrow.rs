//! Converts rows of counts from earlier versions, in which an exact sum of real numbers had eight integer
//! columns. Today it has nine.

use bleuprint_core::{InputErrorKind, Metric as _, Result, StateKey, column_names};
use bleuprint_registry::AnyMetric;

use super::{Header, StoredState, StoredStatistics};

/// Name of the ninth and last column of an exact sum of real numbers, which earlier versions did not have.
const LAST: &str = "digit_7";
const COLUMNS: [&str; 8] =
    ["count", "digit_0", "digit_1", "digit_2", "digit_3", "digit_4", "digit_5", "digit_6"];

/// Positions, in a row of integer counts, of exact sums of real numbers in an earlier version's layout of
/// eight columns. Today's layout has a ninth column, whose value is `2^31 · count` for such sums.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NarrowSums {
    /// Position of each exact sum of real numbers in a row of counts: the index of its first column, which is
    /// named `count`.
    places: Vec<usize>,
}

impl NarrowSums {
    /// Finds exact sums of real numbers that have eight columns, as in an earlier version, by the names of a
    /// row's columns. Returns `None` if there are none.
    pub(crate) fn among<N: AsRef<str>>(columns: &[N]) -> Option<Self> {
        let name = |place: usize| columns.get(place).map(AsRef::as_ref);
        let is_sum = |&place: &usize| {
            let Some(prefix) = name(place).and_then(|first| first.strip_suffix(COLUMNS[0])) else {
                return false;
            };
            let own = |(offset, column)| {
                name(place + offset).and_then(|own| own.strip_prefix(prefix)) == Some(column)
            };
            // A sum with the ninth column is in today's form already.
            COLUMNS.into_iter().enumerate().all(own) && !own((COLUMNS.len(), LAST))
        };
        let places: Vec<usize> = (0..columns.len()).filter(is_sum).collect();
        (!places.is_empty()).then_some(NarrowSums { places })
    }

    /// Finds the exact sums of real numbers in rows that an earlier version stored under the state key `key`,
    /// with eight columns for each sum. Returns `None` if `key` is the metric's present key, because nothing
    /// must then be converted.
    ///
    /// # Errors
    /// Returns [`UnlikeStates`](InputErrorKind::UnlikeStates) if `key` belongs to another metric.
    pub fn from_metric(metric: &AnyMetric, key: &StateKey) -> Result<Option<Self>> {
        if !metric.identity().require_own(key)? {
            return Ok(None);
        }
        let narrow = |name: &String| !name.ends_with(LAST);
        let columns: Vec<String> = column_names(metric).into_iter().filter(narrow).collect();
        Ok(NarrowSums::among(&columns))
    }

    /// Returns the column names of today's layout: after the eight columns of each exact sum of real numbers,
    /// the name of its ninth column is inserted.
    pub(crate) fn names<N: AsRef<str>>(&self, columns: &[N]) -> Vec<String> {
        let mut wide: Vec<String> = columns.iter().map(|name| name.as_ref().to_owned()).collect();
        // The last sum comes first, so that an insertion does not move the sums that are still to do.
        for &place in self.places.iter().rev().filter(|place| **place < columns.len()) {
            let last = format!("{}{LAST}", columns[place].as_ref().trim_end_matches(COLUMNS[0]));
            wide.insert((place + COLUMNS.len()).min(wide.len()), last);
        }
        wide
    }

    /// Returns the state key that a metric's rows have after the conversion to today's layout. It is `key`
    /// with a layout version that is higher by 1.
    ///
    /// # Errors
    /// Returns an error if the key cannot be parsed.
    pub fn key(&self, key: &str) -> Result<String> {
        let mut key: StateKey = key.parse()?;
        key.parts.iter_mut().for_each(|part| part.schema = part.schema.saturating_add(1));
        Ok(key.to_string())
    }

    /// Converts a row of counts of an earlier version to today's layout: inserts the ninth column of each
    /// exact sum of real numbers.
    ///
    /// # Errors
    /// Returns an error if an exact sum has more than `2^33` values.
    pub fn row(&self, row: &[u64]) -> Result<Vec<u64>> {
        let mut wide = row.to_vec();
        for &place in self.places.iter().rev().filter(|place| **place + COLUMNS.len() <= row.len()) {
            let left = row[place];
            let right = 1 << 31;
            let last = left.checked_mul(right).ok_or_else(|| InputErrorKind::CountRange {
                column: LAST.to_owned(),
                left,
                operation: '*',
                right,
            })?;
            wide.insert(place + COLUMNS.len(), last);
        }
        Ok(wide)
    }
}

impl Header {
    /// Converts the header of a file whose exact sums of real numbers have eight columns, as in earlier
    /// versions, to nine columns. Also returns, for each metric, the positions of these sums.
    ///
    /// # Errors
    /// Returns an error if a key cannot be parsed.
    pub fn widened(mut self) -> Result<(Self, Vec<Option<NarrowSums>>)> {
        let mut narrow = Vec::with_capacity(self.metrics.len());
        for metric in &mut self.metrics {
            let sums = metric.columns.as_ref().and_then(|columns| NarrowSums::among(columns));
            if let (Some(columns), Some(sums)) = (&mut metric.columns, &sums) {
                *columns = sums.names(columns);
                metric.key = sums.key(&metric.key)?;
            }
            narrow.push(sums);
        }
        Ok((self, narrow))
    }
}

impl StoredStatistics {
    /// Converts the statistics of a file from an earlier version, whose exact sums had eight columns, to nine
    /// columns.
    pub(super) fn widened(mut self) -> Result<Self> {
        let (header, narrow) = self.header.widened()?;
        self.header = header;
        let states = self.segments.iter_mut().map(|segment| &mut segment.states).chain([&mut self.total]);
        for states in states {
            for (state, sums) in states.iter_mut().zip(&narrow) {
                if let (StoredState::Row(row), Some(sums)) = (state, sums) {
                    *row = sums.row(row)?;
                }
            }
        }
        Ok(self)
    }
}

#[cfg(test)]
#[test]
fn a_sum_of_eight_columns_gets_its_ninth() {
    let sums = NarrowSums::among(&COLUMNS).unwrap();
    let wide = sums.row(&[1, 0, 0, 0, 0, 0, 1 << 31, (1 << 31) + 2]).unwrap();
    assert_eq!(wide[..], bleuprint_core::ExactSum::from_value(2.5).unwrap().columns[..]);
    assert!(NarrowSums::among(&sums.names(&COLUMNS)).is_none());
}
