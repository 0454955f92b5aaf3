//! [`SegmentCounts`]: the numbers of observed segments and of their references.
//!
//! They are stored next to a metric's own statistics: every signature prints the number of references, and
//! means divide by the number of segments.

use core::fmt::Display;

use crate::{InputError, Linear, Result};

/// Numbers of segments and of their references. They also show whether all segments have the same number of
/// references.
///
/// These numbers are a row of counts like all linear statistics, so they merge and subtract. All segments
/// have the same number of references exactly if `segments · Σ r² = (Σ r)²` (the equality case of Cauchy's
/// inequality).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "closed: the first three columns of every row")]
pub struct SegmentCounts {
    /// Number of segments, each a hypothesis with its references.
    pub segments: u64,
    /// Total number of references over all segments: `Σ r`, where `r` is the number of references of a
    /// segment.
    pub references: u64,
    /// Sum over segments of the squared number of references: `Σ r²`. Together with `Σ r` it shows whether
    /// `r` varies.
    pub references_squared: u64,
}

impl SegmentCounts {
    /// Number of fields of [`SegmentCounts`]. A stored row of counts begins with these three columns; the
    /// columns of the metric follow.
    pub const COLUMNS: usize = 3;

    /// Creates the counts of one segment with `references` references.
    pub fn of_segment(references: usize) -> Self {
        let references = references as u64;
        SegmentCounts { segments: 1, references, references_squared: references.saturating_mul(references) }
    }

    /// Returns the number of references of each segment; `None` if this number varies, or if there is no
    /// segment.
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

    /// Checks that the three counts are consistent. For example, two segments with five references in total
    /// cannot have a sum of squares below 13.
    ///
    /// # Errors
    /// Returns [`MalformedState`](crate::InputErrorKind::MalformedState) if no data can have these counts.
    /// Segments without references are allowed here; the metric decides if it needs any.
    pub(crate) fn check(&self) -> Result<()> {
        // A natural number is at most its square, so `Σ r ≤ Σ r²`; Cauchy's inequality gives
        // `(Σ r)² ≤ segments · Σ r²`. Products of two `u64` fit `u128`.
        let SegmentCounts { segments, references, references_squared: squares } = *self;
        let sum = u128::from(references);
        let bound = u128::from(segments) * u128::from(squares);
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
        // The common case, without a pointer to a closure: this runs once for each segment. The slow way
        // repeats the sum to name the column in its error.
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

    /// Checks that counts of a subset of segments, such as the segments with one label, do not exceed the
    /// `counts` of all segments.
    fn check_bounds(&self, counts: &SegmentCounts) -> Result<()> {
        self.check()?;
        let most = InputError::require_at_most;
        most("segments of a part", self.segments, "segments", counts.segments)?;
        most("references of a part", self.references, "references", counts.references)?;
        most("squares of a part", self.references_squared, "squares", counts.references_squared)
    }
}
