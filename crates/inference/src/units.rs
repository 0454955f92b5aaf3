//! [`Units`]: what is resampled as a whole, where segments depend on each other.

use std::collections::HashSet;

use bleuprint_core::{InputError, Result};

use crate::CountRows;
use crate::groups::groups;
use crate::rows::require_equal;

/// With fewer units on a side, an interval says too little: differences are printed as inconclusive.
pub const FEWEST_UNITS: usize = 10;

/// Clusters of segments that share a label: those of a user, a document or a conversation.
///
/// Segments of one user are alike; a test that counts each as a draw of its own finds differences that are not there. The
/// counts of a unit are the sum of those of its segments.
///
/// ```
/// use bleuprint_inference::Units;
/// let users = Units::by(["ann", "bob", "ann"]);
/// assert!(users.require_disjoint("user", "A", &Units::by(["bob"]), "B").is_err());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Units {
    groups: Vec<(String, Vec<usize>)>,
}

impl Units {
    /// One unit for each label, in the order of their first segments.
    pub fn by(labels: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        Units { groups: groups(labels) }
    }

    pub(crate) fn len(&self) -> usize {
        self.groups.len()
    }

    /// The segments of each unit.
    ///
    /// # Errors
    /// [`LengthMismatch`](bleuprint_core::InputErrorKind::LengthMismatch) of segments and labels.
    pub(crate) fn members(&self, segments: usize) -> Result<impl Iterator<Item = &[usize]>> {
        let labelled = self.groups.iter().map(|(_, members)| members.len()).sum();
        require_equal("the segments", segments, "the labels", labelled)?;
        Ok(self.groups.iter().map(|(_, members)| &members[..]))
    }

    /// The counts of each unit.
    ///
    /// # Errors
    /// [`LengthMismatch`](bleuprint_core::InputErrorKind::LengthMismatch) of segments and labels; sums that do not fit 64
    /// bits.
    pub fn rows(&self, segments: &CountRows) -> Result<CountRows> {
        let mut units = CountRows::with_columns(segments.columns());
        for members in self.members(segments.len())? {
            units.push(&segments.sum_of(members.iter().copied())?)?;
        }
        Ok(units)
    }

    /// Requires that no unit is on both sides: the samples would depend on each other.
    ///
    /// # Errors
    /// The first unit of both, by `label` and the names of the two.
    pub fn require_disjoint(&self, label: &str, name: &str, other: &Units, other_name: &str) -> Result<()> {
        let theirs: HashSet<&str> = other.groups.iter().map(|(unit, _)| unit.as_str()).collect();
        let mut both = self.groups.iter().filter(|(unit, _)| theirs.contains(unit.as_str()));
        let Some((unit, _)) = both.next() else { return Ok(()) };
        let more = match both.count() {
            0 => String::new(),
            count => format!(", as are {count} more"),
        };
        Err(InputError::malformed(format!(
            "the {label} `{unit}` is in {name} and in {other_name}{more}: an unpaired test needs sides that share none"
        )))
    }
}
