//! [`Units`]: groups of dependent segments that are resampled as a whole.

use std::collections::HashSet;

use bleuprint_core::{InputError, Result};

use crate::CountRows;
use crate::groups::groups;
use crate::rows::require_equal;

/// Smallest number of units on a side for a conclusion. With fewer units, a difference is reported as
/// inconclusive.
pub const FEWEST_UNITS: usize = 10;

/// Clusters of segments with a common label, such as a user, a document or a conversation.
///
/// Segments of one user are similar. A test that counts each segment as an independent draw finds differences
/// that do not exist. The counts of a unit are the sum of the counts of its segments.
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
    /// Creates one unit, a group of segments that are resampled together, for each distinct label. `labels`
    /// has one label per segment, and the units are in the order of their first segments.
    pub fn by(labels: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        Units { groups: groups(labels) }
    }

    pub(crate) fn len(&self) -> usize {
        self.groups.len()
    }

    /// Returns the segment indices of each unit, a group of segments that are resampled together. `segments`
    /// is the expected number of segments of the data.
    ///
    /// # Errors
    /// Returns [`LengthMismatch`](bleuprint_core::InputErrorKind::LengthMismatch) if the number of labels is
    /// not `segments`.
    pub(crate) fn members(&self, segments: usize) -> Result<impl Iterator<Item = &[usize]>> {
        let labelled = self.groups.iter().map(|(_, members)| members.len()).sum();
        require_equal("the segments", segments, "the labels", labelled)?;
        Ok(self.groups.iter().map(|(_, members)| &members[..]))
    }

    /// Returns a table with one row for each unit: the summed counts of its segments.
    ///
    /// # Errors
    /// Returns [`LengthMismatch`](bleuprint_core::InputErrorKind::LengthMismatch) if the numbers of segments
    /// and labels differ, and an error if a sum does not fit 64 bits.
    pub fn rows(&self, segments: &CountRows) -> Result<CountRows> {
        let mut units = CountRows::with_columns(segments.columns());
        for members in self.members(segments.len())? {
            units.push(&segments.sum_of(members.iter().copied())?)?;
        }
        Ok(units)
    }

    /// Requires that no unit is on both sides of a comparison, because the samples would not be independent.
    /// `label` names the kind of unit, `name` and `other_name` name the sides.
    ///
    /// # Errors
    /// Returns an error that names the first unit on both sides.
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
