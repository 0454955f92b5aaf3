//! [`Unions`]: statistics that are sets, united many times without building a set each time.

use crate::Result;
use crate::prelude::*;

/// The statistics of many segments, prepared so that the union of any of them is counted fast. Resampling and randomization
/// unite the same segments thousands of times.
///
/// Statistics that it returns can be finished, but not merged, stored or subtracted.
pub trait Unions<S>: Send + Sync {
    /// Returns statistics that finish as the merged statistics of these, by index, each merged this number of times.
    ///
    /// # Errors
    /// An index beyond the last; sums that do not fit 64 bits.
    fn union(&self, members: &mut dyn Iterator<Item = (usize, u64)>) -> Result<S>;

    /// Returns for each of some statistics, by index, those that finish as the merged statistics of all the others of them.
    ///
    /// # Errors
    /// Those of [`Unions::union`].
    fn without_each(&self, members: core::ops::Range<usize>) -> Result<Vec<S>>;
}

/// Unions of statistics behind another type.
pub struct MappedUnions<S, F> {
    /// The unions.
    inner: Box<dyn Unions<S>>,
    map: F,
}

impl<S, F> MappedUnions<S, F> {
    /// Creates unions whose statistics are mapped.
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
