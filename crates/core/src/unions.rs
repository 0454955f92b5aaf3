//! [`Unions`]: fast repeated merging of selections of statistics that are sets, without building a set each
//! time.

use crate::Result;
use crate::prelude::*;

/// Set statistics of many segments, prepared so that the union of any selection of segments is computed fast.
/// Resampling and randomization need thousands of such unions.
///
/// The returned statistics can be scored, but not merged, stored or subtracted.
pub trait Unions<S>: Send + Sync {
    /// Returns statistics with the score that merging the given segments would give. `members` yields the
    /// index of each segment, and the number of times to merge it.
    ///
    /// # Errors
    /// Returns an error if an index is beyond the last segment or if a sum does not fit 64 bits.
    fn union(&self, members: &mut dyn Iterator<Item = (usize, u64)>) -> Result<S>;

    /// Returns, for each segment of a range, statistics with the score that merging all other segments of the
    /// range would give.
    ///
    /// # Errors
    /// Returns the errors of [`Unions::union`].
    fn without_each(&self, members: core::ops::Range<usize>) -> Result<Vec<S>>;
}

/// Wraps prepared set statistics ([`Unions`]) and converts each result to another type by a function.
pub struct MappedUnions<S, F> {
    /// Prepared set statistics, whose results are then converted.
    inner: Box<dyn Unions<S>>,
    map: F,
}

impl<S, F> MappedUnions<S, F> {
    /// Creates prepared set statistics that convert the results of `inner` by `map`.
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
