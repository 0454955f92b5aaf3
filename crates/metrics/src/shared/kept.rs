//! [`KeptRows`]: statistics of metrics that need all values, such as medians, areas under a curve and rank correlations.

use std::collections::BTreeMap;

use bleuprint_core::{InputError, InputErrorKind, Result, SegmentCounts, Stats};
use serde::{Deserialize, Serialize};

/// Largest number of distinct rows of numbers that the statistics keep: about 200 MB if a row has two
/// numbers.
const MOST: usize = 1 << 22;

/// Exact multiset of rows of `N` finite numbers in ascending order; equal rows are counted.
///
/// Merging in any order gives the same statistics; subtraction is not supported. At most 4,194,304 distinct
/// rows are kept; one more is an error, and no row is dropped. Negative zero is stored as zero.
///
/// ```
/// use bleuprint_core::Stats;
/// use bleuprint_metrics::KeptRows;
///
/// let mut kept = KeptRows::from_row([2.5]).unwrap();
/// kept.merge_times(&KeptRows::from_row([-1.0]).unwrap(), 3).unwrap();
/// assert_eq!(kept.iter().collect::<Vec<_>>(), [([-1.0], 3), ([2.5], 1)]);
/// assert_eq!((kept.len(), kept.median()), (4, Some(-1.0)));
/// assert!(KeptRows::from_row([f64::NAN]).is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<(Vec<u64>, u64)>", try_from = "Vec<(Vec<u64>, u64)>")]
pub struct KeptRows<const N: usize> {
    /// How often each row of `N` values was observed. A value is stored as an integer that sorts like the
    /// float.
    rows: BTreeMap<[u64; N], u64>,
}

impl<const N: usize> Default for KeptRows<N> {
    fn default() -> Self {
        KeptRows { rows: BTreeMap::new() }
    }
}

const SIGN: u64 = 1 << 63;

fn key_of(number: f64) -> Result<u64> {
    if !number.is_finite() {
        return Err(InputError::limit("a value to keep", number, "finite"));
    }
    // Adding 0.0 turns negative zero into zero. Inverting negative numbers and setting the sign bit of
    // others makes the integers sort as the numbers do.
    let bits = (number + 0.0).to_bits();
    Ok(if bits & SIGN == 0 { bits | SIGN } else { !bits })
}

fn number_of(key: u64) -> f64 {
    f64::from_bits(if key & SIGN == 0 { !key } else { key & !SIGN })
}

impl<const N: usize> KeptRows<N> {
    /// Creates statistics that hold one row, an array of `N` numbers.
    ///
    /// # Errors
    /// Returns an error with the number if it is NaN or infinite.
    pub fn from_row(row: [f64; N]) -> Result<Self> {
        let mut key = [0; N];
        for (key, number) in key.iter_mut().zip(row) {
            *key = key_of(number)?;
        }
        Ok(KeptRows { rows: BTreeMap::from([(key, 1)]) })
    }

    /// Returns the distinct rows (arrays of `N` numbers) in ascending order, each with how often it was
    /// added.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = ([f64; N], u64)> {
        self.rows.iter().map(|(key, times)| (key.map(number_of), *times))
    }

    /// Returns the number of rows that were added, where a row is an array of `N` numbers. Equal rows are
    /// counted each time.
    pub fn len(&self) -> u64 {
        self.rows.values().fold(0, |sum: u64, times| sum.saturating_add(*times))
    }

    /// Returns `true` if no row was added, where a row is an array of `N` numbers.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn merged(&self, other: &Self, times: u64) -> Result<Vec<([u64; N], u64)>> {
        let sum = |(key, count): (&[u64; N], &u64)| {
            let own = self.rows.get(key).copied().unwrap_or(0);
            let sum = count.checked_mul(times).and_then(|more| own.checked_add(more));
            let refused = || {
                let column = format!("{:?}", key.map(number_of));
                InputErrorKind::CountRange {
                    column,
                    left: own,
                    operation: '+',
                    right: count.saturating_mul(times),
                }
            };
            Ok((*key, sum.ok_or_else(refused)?))
        };
        let merged = other.rows.iter().map(sum).collect::<Result<Vec<_>>>()?;
        let new = merged.iter().filter(|(key, _)| !self.rows.contains_key(key)).count();
        limited(self.rows.len() + new)?;
        Ok(merged)
    }
}

impl KeptRows<1> {
    /// Returns the median: the middle number, or the mean of the two middle numbers; `None` if there are no
    /// numbers.
    pub fn median(&self) -> Option<f64> {
        let count = self.len();
        let at = |place: u64| {
            let mut before = 0_u64;
            self.iter().find(|(_, times)| {
                before = before.saturating_add(*times);
                place < before
            })
        };
        let ([low], _) = at(count.checked_sub(1)? / 2)?;
        let ([high], _) = at(count / 2)?;
        Some(if low == high { low } else { 0.5 * low + 0.5 * high })
    }
}

fn limited(rows: usize) -> Result<()> {
    if rows <= MOST {
        return Ok(());
    }
    Err(InputError::limit("the number of different values kept", rows, format!("at most {MOST}")))
}

impl<const N: usize> Stats for KeptRows<N> {
    fn merge(&mut self, other: &Self) -> Result<()> {
        self.merge_times(other, 1)
    }

    fn merge_times(&mut self, other: &Self, times: u64) -> Result<()> {
        if times > 0 {
            let merged = self.merged(other, times)?;
            self.rows.extend(merged);
        }
        Ok(())
    }

    fn check_merge(&self, other: &Self) -> Result<()> {
        self.merged(other, 1).map(drop)
    }

    fn check(&self, counts: &SegmentCounts) -> Result<()> {
        limited(self.rows.len())?;
        if counts.segments == 0 && !self.is_empty() {
            return Err(InputError::malformed_state("values are kept, but there are no segments"));
        }
        Ok(())
    }
}

impl<const N: usize> From<KeptRows<N>> for Vec<(Vec<u64>, u64)> {
    fn from(kept: KeptRows<N>) -> Self {
        kept.rows.into_iter().map(|(key, times)| (key.to_vec(), times)).collect()
    }
}

impl<const N: usize> TryFrom<Vec<(Vec<u64>, u64)>> for KeptRows<N> {
    type Error = InputError;

    fn try_from(stored: Vec<(Vec<u64>, u64)>) -> Result<Self> {
        limited(stored.len())?;
        let mut rows = BTreeMap::new();
        for (key, times) in stored {
            let malformed =
                |reason: &str| InputError::malformed_state(format!("kept values {key:?}: {reason}"));
            let row: [u64; N] = (&key[..]).try_into().map_err(|_| malformed(&format!("not {N} numbers")))?;
            // Only finite numbers have a key, and negative zero shares the key of zero, so other keys are
            // malformed.
            if row.iter().any(|&key| key_of(number_of(key)).ok() != Some(key)) {
                return Err(malformed("not finite"));
            }
            if times == 0 || rows.last_key_value().is_some_and(|(last, _)| *last >= row) {
                return Err(malformed("not in order, or none"));
            }
            rows.insert(row, times);
        }
        Ok(KeptRows { rows })
    }
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    quickcheck! {
        fn values_are_kept_in_order(values: Vec<f64>) -> bool {
            let mut values: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
            let mut kept = KeptRows::<1>::default();
            values.iter().for_each(|&value| kept.merge(&KeptRows::from_row([value]).unwrap()).unwrap());
            values.sort_by(f64::total_cmp);
            let sorted: Vec<f64> =
                kept.iter().flat_map(|([value], times)| vec![value; times as usize]).collect();
            let stored = Vec::from(kept.clone());
            sorted.iter().zip(&values).all(|(one, other)| one == other)
                && sorted.len() == values.len()
                && KeptRows::try_from(stored) == Ok(kept)
        }
    }

    #[test]
    fn stored_values_that_are_none_are_refused() {
        let read = |stored: &[(u64, u64)]| {
            KeptRows::<1>::try_from(
                stored.iter().map(|(key, times)| (vec![*key], *times)).collect::<Vec<_>>(),
            )
        };
        let [low, high] = [1.0, 2.0].map(|number| key_of(number).unwrap());
        assert!(read(&[(low, 1), (high, 2)]).is_ok());
        for refused in
            [&[(high, 1), (low, 1)][..], &[(low, 1), (low, 1)], &[(low, 0)], &[(0, 1)], &[(u64::MAX, 1)]]
        {
            assert!(read(refused).is_err(), "{refused:?}");
        }
        assert!(read(&[(!(SIGN), 1)]).is_err(), "negative zero");
        assert!(KeptRows::<2>::try_from(vec![(vec![low], 1)]).is_err());
        let mut full = KeptRows::from_row([1.0]).unwrap();
        full.merge_times(&KeptRows::from_row([1.0]).unwrap(), u64::MAX - 1).unwrap();
        assert!(full.merge(&KeptRows::from_row([1.0]).unwrap()).is_err() && full.len() == u64::MAX);
    }
}
