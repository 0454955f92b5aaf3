//! [`Unions`]: statistics that are sets, united many times without building a set each time.

use crate::Result;
use crate::prelude::*;

/// Statistics of many segments, prepared for computing the union of any of them fast. Resampling and
/// randomization unite the same segments thousands of times.
///
/// The returned statistics can be finished, but not merged, stored or subtracted.
pub trait Unions<S>: Send + Sync {
    /// Returns statistics with the same score as the given segments merged. `members` gives the index of each
    /// segment, and the number of times to merge it.
    ///
    /// # Errors
    /// Returns an error if an index is beyond the last segment or if a sum does not fit 64 bits.
    fn union(&self, members: &mut dyn Iterator<Item = (usize, u64)>) -> Result<S>;

    /// Returns, for each segment of the range, statistics with the same score as all other segments of the
    /// range merged.
    ///
    /// # Errors
    /// Returns the errors of [`Unions::union`].
    fn without_each(&self, members: core::ops::Range<usize>) -> Result<Vec<S>>;
}

/// Unions of statistics that a function converts to another type.
pub struct MappedUnions<S, F> {
    /// Unions of the unconverted statistics.
    inner: Box<dyn Unions<S>>,
    map: F,
}

impl<S, F> MappedUnions<S, F> {
    /// Creates unions whose results are converted by `map`.
    pub fn new(inner: Box<dyn Unions<S>>, map: F) -> Self {
        MappedUnions { inner, map }
    }
}

impl<S, T, F: Fn(S) -> T + Send + Sync> Unions<T> for MappedUnions<S, F> {
    fn union(&self, members: &mut dyn Iterator<Item = (usize, u64)>) -> Result<T> {
        self.inner.union(members).map(&self.map)
    }

    fn without_each(&self, members: core::ops::Range<usize>) -> Result<Vec<T>> {
        Ok(self.inner.without_each(members)?.into_iter().map(&self.map).collect())
    }
}
