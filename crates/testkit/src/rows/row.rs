//! [`FamilyRow`] and [`LawRow`]: the lines of the files in `tests/rows` of a family.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;

/// One case: segments or files, and the results of metrics.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FamilyRow {
    pub(super) why: String,
    pub(super) program: Option<String>,
    #[serde(default)]
    pub(super) files: BTreeMap<String, RowFile>,
    pub(super) reader: Option<RowReader>,
    #[serde(default)]
    pub(super) segments: Vec<RowSegment>,
    /// Result of each metric with options: a score, numbers by name, a message, or null for any error.
    #[serde(default)]
    pub(super) expected: BTreeMap<String, Value>,
    /// Counts of all segments by the names of the columns, for each metric with options.
    #[serde(default)]
    pub(super) counts: BTreeMap<String, BTreeMap<String, Value>>,
    /// Pairs of matched names of all segments, for each metric with options.
    #[serde(default)]
    pub(super) pairs: BTreeMap<String, Vec<[Option<String>; 2]>>,
    /// Score of each segment by itself, for each metric with options.
    #[serde(default)]
    pub(super) each: BTreeMap<String, Vec<Value>>,
    #[serde(default)]
    pub(super) tolerance: f64,
}

impl FamilyRow {
    /// Returns the metrics with options of which a result is expected.
    pub(super) fn metrics(&self) -> BTreeSet<&String> {
        let lists = self.each.keys().chain(self.counts.keys()).chain(self.pairs.keys());
        self.expected.keys().chain(lists).collect()
    }
}

/// Content of a file: a text, or bytes that are no text.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum RowFile {
    Text(String),
    Bytes(Vec<u8>),
}

/// Files that a reader of the family opens.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RowReader {
    pub(super) name: String,
    pub(super) reference: String,
    #[serde(default)]
    pub(super) systems: Vec<String>,
    #[serde(default)]
    pub(super) options: BTreeMap<String, String>,
}

/// One segment, as a file of records has it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RowSegment {
    pub(super) hypothesis: Value,
    /// The one reference, which may be a list.
    pub(super) reference: Option<Value>,
    #[serde(default)]
    pub(super) references: Vec<Value>,
    pub(super) source: Option<Value>,
}

impl RowSegment {
    pub(super) fn all_references(&self) -> impl Iterator<Item = &Value> {
        self.reference.iter().chain(&self.references)
    }
}

/// Metrics with options that obey the laws, and segments to vary.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LawRow {
    pub(super) why: String,
    pub(super) metrics: Vec<String>,
    #[serde(default)]
    pub(super) files: BTreeMap<String, RowFile>,
    #[serde(default)]
    pub(super) segments: Vec<RowSegment>,
}
