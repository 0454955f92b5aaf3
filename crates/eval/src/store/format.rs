//! The lines of a file of statistics, as data.

use bleuprint_core::{InputError, InputErrorKind, Metric as _, Result};
use bleuprint_inference::CountRows;
use bleuprint_registry::AnyMetric;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::Fingerprint;

pub(crate) const FORMAT: &str = "bleuprint-stats/2";

/// The previous version, still read: it has no sources.
pub(super) const WITHOUT_SOURCES: &str = "bleuprint-stats/1";

/// The writing program, as named in files: this library and its version.
pub const TOOL: &str = concat!("bleuprint ", env!("CARGO_PKG_VERSION"));

/// The first line: the metrics and their settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "closed: the format, which has a version")]
pub struct Header {
    /// The name and version of the format.
    pub format: String,
    /// The program that wrote the file, and its version.
    pub tool: String,
    /// The name of the system.
    pub system: String,
    /// The metrics, in the order of the states.
    pub metrics: Vec<StoredMetric>,
    /// The names of the labels of segments.
    pub labels: Vec<String>,
    /// True if there is a line per segment.
    pub each: bool,
}

/// One metric of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "closed: the format, which has a version")]
pub struct StoredMetric {
    /// The metric as a user names it, with options.
    pub spec: String,
    /// The state key.
    pub key: String,
    /// The signature of the score that was asked for.
    pub signature: String,
    /// The names of the counts, where a state is a row of counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<Vec<String>>,
    /// The state of the first pass, for a metric of two passes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learned: Option<Value>,
}

/// The state of one metric.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
#[expect(clippy::exhaustive_enums, reason = "closed: the format, which has a version")]
pub enum StoredState {
    /// A row of counts.
    Row(Vec<u64>),
    /// Whatever the metric serializes.
    Other(Value),
}

impl StoredState {
    pub(crate) fn row(&self) -> Option<&[u64]> {
        match self {
            StoredState::Row(row) => Some(row),
            StoredState::Other(_) => None,
        }
    }

    pub(super) fn parse(metric: &StoredMetric, raw: &RawValue) -> Result<Self, String> {
        let wrong = |error: serde_json::Error| error.to_string();
        let Some(columns) = &metric.columns else {
            return serde_json::from_str(raw.get()).map(StoredState::Other).map_err(wrong);
        };
        let row: Vec<u64> = serde_json::from_str(raw.get()).map_err(wrong)?;
        if row.len() != columns.len() {
            let counts = row.len();
            let names = columns.len();
            return Err(format!("{counts} counts for {names} columns"));
        }
        Ok(StoredState::Row(row))
    }
}

/// The line of a segment.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(clippy::exhaustive_structs, reason = "closed: the format, which has a version")]
pub struct StoredSegment {
    /// The fingerprint of its references.
    pub references: Fingerprint,
    /// The fingerprint of its source, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Fingerprint>,
    /// Its labels, in the order of the header.
    pub labels: Vec<Option<String>>,
    /// Its states, in the order of the header.
    pub states: Vec<StoredState>,
}

/// The line of a segment, its states not yet read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SegmentLine<'l> {
    pub(super) references: Fingerprint,
    #[serde(default)]
    pub(super) source: Option<Fingerprint>,
    pub(super) labels: Vec<Option<String>>,
    #[serde(borrow)]
    pub(super) states: Vec<&'l RawValue>,
}

/// The last line, but for its checksum.
#[derive(Serialize)]
pub(super) struct EndLine<'s> {
    pub(super) segments: u64,
    pub(super) references: Fingerprint,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) source: Option<Fingerprint>,
    pub(super) total: &'s [StoredState],
}

/// The last line, its states not yet read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawEndLine<'l> {
    pub(super) segments: u64,
    pub(super) references: Fingerprint,
    #[serde(default)]
    pub(super) source: Option<Fingerprint>,
    #[serde(borrow)]
    pub(super) total: Vec<&'l RawValue>,
    pub(super) sha256: String,
}

/// A file of statistics in memory.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct StoredStatistics {
    /// The header: the system, the metrics and the labels.
    pub header: Header,
    /// The segments; none where the file holds the total alone.
    pub segments: Vec<StoredSegment>,
    /// The number of segments.
    pub segment_count: u64,
    /// The sum of the fingerprints of their references.
    pub references: Fingerprint,
    /// The sum of the fingerprints of their known sources.
    pub source: Option<Fingerprint>,
    /// The total of each metric.
    pub total: Vec<StoredState>,
}

impl StoredStatistics {
    /// These segments, and the merge of their states.
    pub fn new(header: Header, segments: Vec<StoredSegment>, total: Vec<StoredState>) -> Self {
        StoredStatistics {
            segment_count: segments.len() as u64,
            references: Fingerprint::sum(segments.iter().map(|one| Some(one.references))).unwrap_or_default(),
            source: Fingerprint::sum(segments.iter().map(|one| one.source)),
            header,
            segments,
            total,
        }
    }

    /// The counts of the segments of one metric, by its place in the header.
    ///
    /// # Errors
    /// [`NotLinear`](InputErrorKind::Malformed) where the states are not rows, or there are no segments.
    pub fn rows(&self, metric: usize) -> Result<CountRows> {
        let stored = self.header.metrics.get(metric);
        let columns = stored.and_then(|stored| stored.columns.as_ref()).ok_or_else(|| {
            let name = stored.map_or("", |stored| stored.spec.as_str());
            InputError::malformed(format!("the states of `{name}` are not rows of counts"))
        })?;
        if !self.header.each {
            let message = "the file holds a total alone, but statistics of each segment are needed";
            return Err(InputError::malformed(message));
        }
        let mut rows = CountRows::with_columns(columns.len());
        for segment in &self.segments {
            rows.push(segment.states.get(metric).and_then(StoredState::row).unwrap_or_default())?;
        }
        Ok(rows)
    }

    /// True if these statistics and others are of the same segments: equal references and, where both know them, equal
    /// sources; one by one where both have lines of segments.
    pub(crate) fn require_same_segments(&self, name: &str, other: &Self, other_name: &str) -> Result<()> {
        if self.segment_count != other.segment_count {
            let left = name.to_owned();
            let right = other_name.to_owned();
            let left_len = self.segment_count;
            let right_len = other.segment_count;
            return Err(InputErrorKind::LengthMismatch { left, left_len, right, right_len }.into());
        }
        let refuse =
            |message: String| Err(InputError::malformed(format!("{name} and {other_name} {message}")));
        let mut pairs = (1..).zip(self.segments.iter().zip(&other.segments));
        if let Some((at, (one, two))) = pairs.find(|(_, (one, two))| one.is_of_other_texts(two)) {
            let text = if one.references == two.references { "source" } else { "references" };
            return refuse(format!("differ in the {text} of segment {at}"));
        }
        if self.references != other.references {
            return refuse("were counted against other references".to_owned());
        }
        match (self.source, other.source) {
            (Some(one), Some(two)) if one != two => refuse("were counted against other sources".to_owned()),
            _ => Ok(()),
        }
    }

    /// True if the sources are known, where a metric looks at them.
    ///
    /// # Errors
    /// A metric that needs the source, and a segment whose source is not known: `bleuprint-stats/1` says nothing of
    /// sources.
    pub fn require_sources(&self, metric: &AnyMetric) -> Result<()> {
        let known = self.source.is_some() && self.segments.iter().all(|segment| segment.source.is_some());
        if known || self.segment_count == 0 || !metric.identity().needs().source {
            return Ok(());
        }
        Err(InputError::malformed(format!(
            "{} looks at the source, but this file of {} does not say which source was looked at: write it again",
            metric.identity().name(),
            self.header.format
        )))
    }
}

impl StoredSegment {
    /// True if the references differ, or the sources where both are known.
    pub(crate) fn is_of_other_texts(&self, other: &Self) -> bool {
        let sources = self.source.zip(other.source);
        self.references != other.references || sources.is_some_and(|(one, two)| one != two)
    }
}
