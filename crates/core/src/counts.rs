//! [`SegmentCounts`]: the numbers of observed segments and of their references.
//!
//! They are kept beside every metric's own statistics, because the number of references is part of every signature,
//! and means need the number of segments.

use core::fmt::Display;

use crate::{InputError, Linear, Result};

/// The number of segments, and enough about their references to tell "always two" from "various".
///
/// It is a row of counts like all linear statistics, so it merges and subtracts. All segments had the same number
/// of references exactly when `segments · Σ r² = (Σ r)²` (the equality case of Cauchy's inequality).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "closed: the first three columns of every row")]
pub struct SegmentCounts {
    /// The number of segments.
    pub segments: u64,
    /// `Σ r`: the number of references of all segments.
    pub references: u64,
    /// `Σ r²`.
    pub references_squared: u64,
}

impl SegmentCounts {
    /// The number of columns in front of a metric's own.
    pub const COLUMNS: usize = 3;

    /// One segment with `references` references.
    pub fn of_segment(references: usize) -> Self {
        let references = references as u64;
        SegmentCounts { segments: 1, references, references_squared: references.saturating_mul(references) }
    }

    /// The number of references of every segment; none if it varies, or if there is no segment.
    ///
    /// ```
    /// use bleuprint_core::{SegmentCounts, Stats};
    /// let mut counts = SegmentCounts::of_segment(2);
    /// counts.merge(&SegmentCounts::of_segment(2)).unwrap();
    /// assert_eq!(counts.per_segment(), Some(2));
    /// counts.merge(&SegmentCounts::of_segment(1)).unwrap();
    /// assert_eq!(counts.per_segment(), None);
    /// ```
    pub fn per_segment(&self) -> Option<u64> {
        let sum = u128::from(self.references);
        let constant = sum * sum == u128::from(self.segments) * u128::from(self.references_squared);
        self.references.checked_div(self.segments).filter(|_| constant)
    }

    /// Whether segments can have given these counts.
    ///
    /// # Errors
    /// [`MalformedState`](crate::InputErrorKind::MalformedState). Segments without references are possible; the metric
    /// decides whether it needs any.
    pub(crate) fn check(&self) -> Result<()> {
        let SegmentCounts { segments, references, references_squared: squares } = *self;
        let (sum, bound) = (u128::from(references), u128::from(segments) * u128::from(squares));
        if squares < references || sum * sum > bound {
            return Err(InputError::malformed_state(format!(
                "{segments} segments cannot have {references} references with squares {squares}"
            )));
        }
        Ok(())
    }
}

impl Linear for SegmentCounts {
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
        visit(&"segments", &mut self.segments);
        visit(&"references", &mut self.references);
        visit(&"references_squared", &mut self.references_squared);
    }

    fn add(&mut self, other: &Self) -> Result<()> {
        let sum = (
            self.segments.checked_add(other.segments),
            self.references.checked_add(other.references),
            self.references_squared.checked_add(other.references_squared),
        );
        let (Some(segments), Some(references), Some(references_squared)) = sum else {
            return self.add_columns(other);
        };
        *self = SegmentCounts { segments, references, references_squared };
        Ok(())
    }

    /// Counts of some of the segments of `counts`, such as those of one label.
    fn check_bounds(&self, counts: &SegmentCounts) -> Result<()> {
        self.check()?;
        let most = InputError::require_at_most;
        most("segments of a part", self.segments, "segments", counts.segments)?;
        most("references of a part", self.references, "references", counts.references)?;
        most("squares of a part", self.references_squared, "squares", counts.references_squared)
    }
}
