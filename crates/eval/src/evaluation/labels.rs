//! [`RunLabels`]: labels of segments, such as a domain, and the groups of segments with equal labels.

use bleuprint_core::{InputError, Result};
use bleuprint_inference::groups;

use crate::store::StoredStatistics;

/// Name of the label for the number of tokens in a segment's first reference. Segments are grouped by it in
/// ranges of ten tokens.
pub const LENGTH: &str = "length";

/// Labels of segments, such as a domain: a list of label names, and for each segment an optional value of
/// each label.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct RunLabels {
    /// Names of the labels, such as `domain`. The values of each segment have the same order.
    pub names: Vec<String>,
    /// Label values of the segments: one list for each segment, with one entry for each label name.
    pub values: Vec<Vec<Option<String>>>,
}

impl RunLabels {
    /// Creates an empty set of labels for `segments` segments.
    pub fn none(segments: usize) -> Self {
        RunLabels { names: Vec::new(), values: vec![Vec::new(); segments] }
    }

    /// Returns the segment labels that are stored in a file of statistics.
    pub fn of_file(file: &StoredStatistics) -> Self {
        RunLabels {
            names: file.header.labels.clone(),
            values: file.segments.iter().map(|segment| segment.labels.clone()).collect(),
        }
    }

    /// Returns the value of the label `name` for every segment.
    ///
    /// # Errors
    /// Returns an error if there is no label of this name, or if a segment has no value.
    pub fn values_of(&self, name: &str) -> Result<Vec<&str>> {
        let place = self.require(name)?;
        let mut of_segments = Vec::with_capacity(self.values.len());
        for (index, values) in self.values.iter().enumerate() {
            let missing = || InputError::malformed(format!("segment {} has no `{name}`", index + 1));
            of_segments.push(values.get(place).and_then(|value| value.as_deref()).ok_or_else(missing)?);
        }
        Ok(of_segments)
    }

    /// Returns the index of a label.
    pub(super) fn require(&self, name: &str) -> Result<usize> {
        self.names.iter().position(|known| known == name).ok_or_else(|| {
            let known = if self.names.is_empty() {
                format!("none; --label {name}=FILE gives it, one label a line, and --segments has a column")
            } else {
                self.names.join(", ")
            };
            InputError::malformed(format!("the segments have no label `{name}`; they have: {known}"))
        })
    }

    /// Groups the segments by the value of the label `by`: returns each value with the indices of its
    /// segments. Values of [`LENGTH`] are grouped in ranges of ten.
    pub(crate) fn grouped(&self, by: &str) -> Result<Vec<(String, Vec<usize>)>> {
        Ok(grouped(by, &self.values_of(by)?))
    }
}

/// Groups segments by their value of the label `by`: returns each value with the indices of its segments.
/// Values of [`LENGTH`] are grouped in ranges of ten, if all of them are whole numbers.
pub fn grouped(by: &str, values: &[impl AsRef<str>]) -> Vec<(String, Vec<usize>)> {
    let lengths = || values.iter().map(|label| label.as_ref().parse::<usize>().ok()).collect::<Option<_>>();
    let lengths: Option<Vec<usize>> = if by == LENGTH { lengths() } else { None };
    let Some(lengths) = lengths else { return groups(values) };
    let tens = lengths.into_iter().map(|length| {
        // The last group is open: a few very long segments would else form a group each.
        if length < 60 {
            format!("{}-{}", length / 10 * 10, length / 10 * 10 + 9)
        } else {
            "60 or more".to_owned()
        }
    });
    let mut groups = groups(tens);
    groups.sort_by_key(|(label, _)| {
        label.split(['-', ' ']).next().and_then(|start| start.parse::<usize>().ok())
    });
    groups
}
