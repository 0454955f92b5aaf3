//! [`PerOrder`]: one value for each n-gram order.

use core::ops::{Deref, DerefMut};

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// One value for each n-gram order, from order 1 on. It dereferences to a slice; up to four values need no
/// allocation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PerOrder<T>(SmallVec<[T; 4]>);

impl<T: Clone> PerOrder<T> {
    pub(crate) fn filled(value: T, max_order: usize) -> Self {
        PerOrder(SmallVec::from_elem(value, max_order))
    }
}

impl<T> Deref for PerOrder<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> DerefMut for PerOrder<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T> FromIterator<T> for PerOrder<T> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        PerOrder(values.into_iter().collect())
    }
}

impl<'a, T> IntoIterator for &'a PerOrder<T> {
    type Item = &'a T;
    type IntoIter = core::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut PerOrder<T> {
    type Item = &'a mut T;
    type IntoIter = core::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl<T: PartialEq, const N: usize> PartialEq<[T; N]> for PerOrder<T> {
    fn eq(&self, other: &[T; N]) -> bool {
        **self == other[..]
    }
}
