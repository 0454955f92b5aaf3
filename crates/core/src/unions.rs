//! [`Unions`]: merges many selections of statistics that are sets, without building a set for each selection.

use crate::Result;
use crate::prelude::*;

/// Set statistics of many segments, prepared so that the union of any selection of segments is computed fast.
/// Resampling and randomization need thousands of such unions.
///
/// The returned statistics can be scored, but not merged, stored or subtracted.
pub trait Unions<S>: Send + Sync {
    /// Returns the merged statistics of the given segments, which can be scored but not merged further.
    /// `members` yields the index of each segment, and the number of times to merge it.
    ///
    /// # Errors
    /// Returns an error if an index is beyond the last segment or if a sum does not fit 64 bits.
    fn union(&self, members: &mut dyn Iterator<Item = (usize, u64)>) -> Result<S>;

    /// Returns statistics for each segment of a range, merged from all segments of the range except this one.
    /// They can be scored, but not merged further.
    ///
    /// # Errors
    /// Returns the errors of [`Unions::union`].
    fn without_each(&self, members: core::ops::Range<usize>) -> Result<Vec<S>>;
}

/// An implementation of [`Unions`] that converts the merged statistics of another implementation to another
/// type.
pub struct MappedUnions<S, F> {
    /// The inner [`Unions`], which merges the statistics of segments. The function `map` then converts the
    /// result.
    inner: Box<dyn Unions<S>>,
    map: F,
}

impl<S, F> MappedUnions<S, F> {
    /// Creates a [`Unions`] that merges statistics of segments by `inner` and converts each result by `map`.
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
