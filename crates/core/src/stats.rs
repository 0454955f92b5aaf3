//! [`Stats`]: what is merged. [`Linear`]: statistics that are a row of counts, so that they also subtract.
//!
//! Laws, for all states `a`, `b`, `c` that share a state key, with `0` the metric's `zero()`:
//!
//! ```text
//! identity        0 ⊕ a = a = a ⊕ 0
//! associativity   (a ⊕ b) ⊕ c = a ⊕ (b ⊕ c)
//! commutativity   a ⊕ b = b ⊕ a
//! retraction      (a ⊕ b) ⊖ b = a                      (Linear only)
//! rows            row(a ⊕ b) = row(a) + row(b)         (Linear only)
//! ```
//!
//! [`crate::laws`] checks them on any metric.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::{InputError, InputErrorKind};

/// Plain data that can be combined with another value of the same kind.
///
/// `merge` is total and cannot fail: states of other configurations are kept apart one level up, by
/// [`StateKey`](crate::StateKey). Counts saturate instead of wrapping; where a lost count must be an error, use
/// [`Linear::checked_merge`], as [`Tagged`](crate::Tagged) does.
pub trait Stats: Clone + Send + Sync + 'static {
    /// Combines `other` into `self`: `self ⊕ other`.
    fn merge(&mut self, other: &Self);
}

/// Statistics that are a row of `u64` counts: they subtract, resample and fit a table.
///
/// The shape (the number and the meaning of the columns) is that of the metric's `zero()`.
pub trait Linear: Stats {
    /// The name of every column, in order.
    fn columns(&self) -> Vec<String>;

    /// Appends the counts to `row`, in the order of [`Linear::columns`].
    fn write_row(&self, row: &mut Vec<u64>);

    /// Replaces the counts by those of `row`.
    ///
    /// # Errors
    /// [`InputErrorKind::MalformedState`] when the row has another length than [`Linear::columns`]. Whether the
    /// counts can belong together is for [`Metric::check`](crate::Metric::check) to say.
    fn read_row(&mut self, row: &[u64]) -> Result<(), InputError>;

    /// The counts as a row of their own.
    fn row(&self) -> Vec<u64> {
        let mut row = Vec::new();
        self.write_row(&mut row);
        row
    }

    /// `self ⊕ other`, or an error, and `self` unchanged, if a count would not fit 64 bits.
    fn checked_merge(&mut self, other: &Self) -> Result<(), InputError> {
        self.combine(other, '+', u64::checked_add)
    }

    /// `self ⊖ other`: takes out what was merged in before.
    ///
    /// # Errors
    /// [`InputErrorKind::CountRange`], with `self` unchanged, if a count would fall below zero: `other` was never
    /// part of `self`.
    fn retract(&mut self, other: &Self) -> Result<(), InputError> {
        self.combine(other, '-', u64::checked_sub)
    }

    #[doc(hidden)]
    fn combine(
        &mut self,
        other: &Self,
        operation: char,
        apply: fn(u64, u64) -> Option<u64>,
    ) -> Result<(), InputError> {
        let (mut left, right) = (self.row(), other.row());
        if left.len() != right.len() {
            return Err(row_length(left.len(), right.len()));
        }
        for (index, (l, r)) in left.iter_mut().zip(&right).enumerate() {
            *l = apply(*l, *r).ok_or_else(|| {
                let column = self.columns().get(index).cloned().unwrap_or_default();
                InputError::new(InputErrorKind::CountRange { column, left: *l, operation, right: *r })
            })?;
        }
        self.read_row(&left)
    }
}

/// The error for a row of the wrong length.
pub fn row_length(expected: usize, given: usize) -> InputError {
    InputError::malformed_state(alloc::format!("a row of {given} counts, where {expected} were expected"))
}

/// How many references the observed segments had: enough to tell "always two" from "various".
///
/// Kept beside every metric's own statistics, because the number of references is part of the signature but of
/// no metric. It is a row of counts like the rest, so it merges and subtracts: all segments had the same number
/// of references exactly when `segments · Σ r² = (Σ r)²` (the equality case of Cauchy's inequality).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct References {
    /// The number of segments.
    pub segments: u64,
    /// `Σ r`: the number of references of all segments.
    pub references: u64,
    /// `Σ r²`.
    pub references_squared: u64,
}

/// The number of references per segment, as the signature states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReferencesPerSegment {
    /// Nothing was observed yet.
    Unknown,
    /// Every segment had this many.
    Constant(u64),
    /// Segments differed.
    Various,
}

impl References {
    /// One segment with `references` references.
    pub fn of_segment(references: usize) -> Self {
        let references = references as u64;
        References { segments: 1, references, references_squared: references.saturating_mul(references) }
    }

    /// The number of references per segment.
    ///
    /// ```
    /// use bleuprint_core::{References, ReferencesPerSegment, Stats};
    /// let mut seen = References::of_segment(2);
    /// seen.merge(&References::of_segment(2));
    /// assert_eq!(seen.per_segment(), ReferencesPerSegment::Constant(2));
    /// seen.merge(&References::of_segment(1));
    /// assert_eq!(seen.per_segment(), ReferencesPerSegment::Various);
    /// ```
    pub fn per_segment(&self) -> ReferencesPerSegment {
        if self.segments == 0 {
            return ReferencesPerSegment::Unknown;
        }
        let sum = u128::from(self.references);
        if sum.checked_mul(sum) == Some(u128::from(self.segments) * u128::from(self.references_squared)) {
            ReferencesPerSegment::Constant(self.references / self.segments)
        } else {
            ReferencesPerSegment::Various
        }
    }

    /// Whether such counts can have been observed.
    pub(crate) fn check(&self) -> Result<(), InputError> {
        let sum = u128::from(self.references);
        let bound = u128::from(self.segments) * u128::from(self.references_squared);
        if self.references < self.segments || self.references_squared < self.references || sum * sum > bound {
            return Err(InputError::malformed_state(alloc::format!(
                "{} segments cannot have {} references with squares {}",
                self.segments,
                self.references,
                self.references_squared
            )));
        }
        Ok(())
    }
}

impl Stats for References {
    fn merge(&mut self, other: &Self) {
        self.segments = self.segments.saturating_add(other.segments);
        self.references = self.references.saturating_add(other.references);
        self.references_squared = self.references_squared.saturating_add(other.references_squared);
    }
}

impl Linear for References {
    fn columns(&self) -> Vec<String> {
        ["segments", "references", "references_squared"].map(ToOwned::to_owned).to_vec()
    }

    fn write_row(&self, row: &mut Vec<u64>) {
        row.extend([self.segments, self.references, self.references_squared]);
    }

    fn read_row(&mut self, row: &[u64]) -> Result<(), InputError> {
        let &[segments, references, references_squared] = row else {
            return Err(row_length(3, row.len()));
        };
        *self = References { segments, references, references_squared };
        Ok(())
    }
}

/// A metric's statistics together with how many segments and references they came from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Observed<S> {
    /// How many segments and references.
    pub references: References,
    /// The metric's own statistics.
    pub stats: S,
}

impl<S: Stats> Stats for Observed<S> {
    fn merge(&mut self, other: &Self) {
        self.references.merge(&other.references);
        self.stats.merge(&other.stats);
    }
}

impl<S: Linear> Linear for Observed<S> {
    fn columns(&self) -> Vec<String> {
        let mut columns = self.references.columns();
        columns.extend(self.stats.columns());
        columns
    }

    fn write_row(&self, row: &mut Vec<u64>) {
        self.references.write_row(row);
        self.stats.write_row(row);
    }

    fn read_row(&mut self, row: &[u64]) -> Result<(), InputError> {
        let (references, stats) =
            row.split_at_checked(3).ok_or_else(|| row_length(self.columns().len(), row.len()))?;
        // The metric's row first: if it does not fit, nothing has changed.
        self.stats.read_row(stats)?;
        self.references.read_row(references)
    }
}
