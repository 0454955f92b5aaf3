//! Means of segment scores, stored as `N` exact sums that merge, one for each number of the score.
//!
//! ROUGE, the token F1 of question answering and METEOR are means of floats over segments. Their statistics
//! are exact sums of whole numbers ([`ExactSum`]) and are rounded once at the end. They merge and subtract
//! in any order, and no segment allocates.

use core::fmt::Display;

use bleuprint_core::export::ByName;
use bleuprint_core::{ExactSum, Linear, Result, Scale, SegmentCounts, Stats as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Statistics of a metric that is a mean over segments: `N` exact sums. Each segment adds one number to each
/// sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Means<const N: usize> {
    sums: [ExactSum; N],
}

impl<const N: usize> Default for Means<N> {
    fn default() -> Self {
        Means { sums: [ExactSum::default(); N] }
    }
}

impl<const N: usize> Means<N> {
    /// Adds the `N` numbers of a segment to the `N` sums, or none of them on an error.
    ///
    /// ```
    /// let mut means = bleuprint_metrics::Means::default();
    /// means.push([0.5, 1.0]).unwrap();
    /// means.push([0.25, 0.0]).unwrap();
    /// assert_eq!(means.means(), [0.375, 0.5]);
    /// ```
    ///
    /// # Errors
    /// Returns an error if a number is not finite or has a magnitude of 2³¹ or more.
    pub fn push(&mut self, values: [f64; N]) -> Result<()> {
        for (index, (sum, value)) in self.sums.iter_mut().zip(values).enumerate() {
            if let Err(error) = sum.add(ExactSum::nearest(value)) {
                self.take_back(&values[..index])?;
                return Err(error.into());
            }
        }
        Ok(())
    }

    /// Subtracts the values that [`push`](Self::push) added to the first sums before an error. Errors are rare,
    /// and a copy of all sums for each segment would take as long as the additions.
    #[cold]
    fn take_back(&mut self, values: &[f64]) -> Result<()> {
        let mut added = self.sums.iter_mut().zip(values);
        added.try_for_each(|(sum, &value)| sum.retract(&ExactSum::from_value(value)?))
    }

    /// Returns the means over segments of the `N` numbers, each rounded once; they are 0 if no segment was
    /// added.
    pub fn means(&self) -> [f64; N] {
        self.sums.map(|sum| sum.mean(sum.count().max(1)))
    }

    pub(crate) fn sums(&self) -> &[ExactSum; N] {
        &self.sums
    }

    /// Rejects sums that are impossible for this number of segments if each segment's numbers are within
    /// `scales`.
    ///
    /// # Errors
    /// Returns the errors of [`Scale::check_mean`].
    pub fn check(&self, counts: &SegmentCounts, scales: [Scale; N]) -> Result<()> {
        self.sums.iter().zip(scales).try_for_each(|(sum, scale)| scale.check_mean(sum, counts.segments))
    }
}

impl<const N: usize> Linear for Means<N> {
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
        for (index, sum) in self.sums.iter_mut().enumerate() {
            Linear::columns(sum, &mut |name, count| visit(&format_args!("sum_{index}.{name}"), count));
        }
    }

    fn add(&mut self, other: &Self) -> Result<()> {
        let mut next = *self;
        for (sum, added) in next.sums.iter_mut().zip(&other.sums) {
            // `add_columns` repeats the failed addition column by column, so that its error names the
            // column.
            if Linear::add(sum, added).is_err() {
                return self.add_columns(other);
            }
        }
        *self = next;
        Ok(())
    }
}

impl<const N: usize> Serialize for Means<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ByName(self).serialize(serializer)
    }
}

impl<'de, const N: usize> Deserialize<'de> for Means<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        ByName::deserialize(deserializer).map(|ByName(means)| means)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_cannot_be_held_leaves_the_sums_as_they_are() {
        let mut means = Means::<2>::default();
        means.push([0.5, 0.25]).unwrap();
        let before = means;
        assert!(means.push([0.5, f64::NAN]).is_err());
        assert_eq!(means, before);
        assert_eq!(means.means(), [0.5, 0.25]);
    }

    #[test]
    fn impossible_sums_are_refused() {
        let mut means = Means::<1>::default();
        means.push([1.5]).unwrap();
        assert!(means.check(&SegmentCounts::of_segment(1), [Scale::UNIT]).is_err());
        assert!(means.check(&SegmentCounts::of_segment(1), [Scale::PERCENT]).is_ok());
        assert!(means.check(&SegmentCounts::default(), [Scale::PERCENT]).is_err());
    }
}
