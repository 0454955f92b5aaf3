//! [`Units`]: groups of dependent segments, such as documents, that are resampled as a whole.

use std::collections::HashSet;

use bleuprint_core::{InputError, Result};

use crate::CountRows;
use crate::groups::groups;
use crate::rows::require_equal;

/// Smallest number of units (such as users or documents) in each system for a conclusion. With fewer units, a
/// difference is reported as inconclusive.
pub const FEWEST_UNITS: usize = 10;

/// Groups of dependent segments with a common label, such as a user, a document or a conversation, for tests
/// that resample whole groups.
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
    /// Creates one group of segments for each distinct label, such as a user. `labels` has one label for each
    /// segment; the groups are in the order of their first segments.
    pub fn by(labels: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        Units { groups: groups(labels) }
    }

    /// Returns the number of units (groups of segments).
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// Returns `true` if there are no units (groups of segments).
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Returns the segment indices of each group of dependent segments, such as a document. `segments` is the
    /// expected number of segments of the data.
    ///
    /// # Errors
    /// Returns [`LengthMismatch`](bleuprint_core::InputErrorKind::LengthMismatch) if the number of labels is
    /// not `segments`.
    pub(crate) fn members(&self, segments: usize) -> Result<impl Iterator<Item = &[usize]>> {
        let labelled = self.groups.iter().map(|(_, members)| members.len()).sum();
        require_equal("the segments", segments, "the labels", labelled)?;
        Ok(self.groups.iter().map(|(_, members)| &members[..]))
    }

    /// Returns a table with one row for each group of dependent segments, such as a document: the summed
    /// counts of its segments.
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

    /// Requires that no unit (such as a user) occurs in both of two systems, because the samples would not be
    /// independent. `label` names the kind of unit, `name` and `other_name` name the systems.
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
