//! Data types for the lines of a file of statistics (metric counts of every segment).

use bleuprint_core::{InputError, Metric as _, Result};
use bleuprint_inference::CountRows;
use bleuprint_registry::AnyMetric;
use bleuprint_text::read::LeftOut;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::Fingerprint;

pub(crate) const FORMAT: &str = "bleuprint-stats/2";

/// Previous version of the format of statistics files, which can still be read; it records no sources.
pub(super) const WITHOUT_SOURCES: &str = "bleuprint-stats/1";

/// Name and version of this library, which are written to files of statistics as the program that wrote them.
pub const TOOL: &str = concat!("bleuprint ", env!("CARGO_PKG_VERSION"));

/// First line of a file of statistics: the system, the metrics and their settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "closed: the format, which has a version")]
pub struct Header {
    /// Name and version of the file format, such as `bleuprint-stats/2`.
    pub format: String,
    /// Name and version of the program that wrote the file.
    pub tool: String,
    /// Name of the system whose hypotheses were counted.
    pub system: String,
    /// Metrics of the file, in the order in which each line lists their statistics.
    pub metrics: Vec<StoredMetric>,
    /// Names of the segments' labels, such as `domain`. The label values of each segment have the same order.
    pub labels: Vec<String>,
    /// `true` if the file has a line for each segment, `false` if it has only a total.
    pub each: bool,
    /// Label whose equal values mark segments that resamples draw together. Single segments are drawn if it
    /// is absent, or if it is `segment`, which is written if the labels suggest a unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Labels whose values together identify a segment. If the list is absent, the label `id` identifies a
    /// segment, provided that its values are all different.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<String>,
    /// Parts of the data that the readers left out or added.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
}

/// Description of one metric in the header of a statistics file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "closed: the format, which has a version")]
pub struct StoredMetric {
    /// Metric name with options, as the user wrote it, such as `bleu:max-order=2`.
    pub spec: String,
    /// State key: the metric's settings and tokenization as text. Statistics with equal keys can be merged.
    pub key: String,
    /// Signature of the metric's score: the settings that a score must be reported with.
    pub signature: String,
    /// Names of the metric's counts, if its statistics are a row of counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<Vec<String>>,
    /// Tables that the metric learned in a first pass over the references, such as document frequencies for
    /// CIDEr; `None` if it learns nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learned: Option<Value>,
}

/// Statistics of one metric (its state), as a file stores them.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
#[expect(clippy::exhaustive_enums, reason = "closed: the format, which has a version")]
pub enum StoredState {
    /// Statistics that are a row of counts, which can be added.
    Row(Vec<u64>),
    /// Statistics that are not a row of counts, such as a set of words, as the JSON value that the metric
    /// serializes.
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

/// Line of one segment in a file of statistics: fingerprints of its texts, its labels, and its statistics.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(clippy::exhaustive_structs, reason = "closed: the format, which has a version")]
pub struct StoredSegment {
    /// Fingerprint (hash) of the segment's references.
    pub references: Fingerprint,
    /// Fingerprint (hash) of the segment's source, if the source is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Fingerprint>,
    /// Label values of the segment, in the order of the label names in the header.
    pub labels: Vec<Option<String>>,
    /// Statistics of the segment for each metric, in the order of the metrics in the header.
    pub states: Vec<StoredState>,
}

/// Line of a segment whose metric statistics are not parsed yet, because the header decides their types.
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

/// Last line of a file of statistics, with the totals but without the checksum that is added on writing.
#[derive(Serialize)]
pub(super) struct EndLine<'s> {
    pub(super) segments: u64,
    pub(super) references: Fingerprint,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) source: Option<Fingerprint>,
    pub(super) total: &'s [StoredState],
}

/// Last line of a file of statistics, whose totals are not parsed yet.
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

/// Content of a file of statistics in memory: metric counts of every segment of one system, and their total.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct StoredStatistics {
    /// Header of the file: the system, the metrics and the names of labels.
    pub header: Header,
    /// Statistics of each segment; empty if the file holds only a total.
    pub segments: Vec<StoredSegment>,
    /// Number of counted segments, also if the file holds only a total.
    pub segment_count: u64,
    /// Sum of the fingerprints (hashes) of all segments' references, to check that two files are about the
    /// same references.
    pub references: Fingerprint,
    /// Sum of the fingerprints (hashes) of all segments' source texts, to check that two files are about the
    /// same texts. Segments without a recorded source text are not in the sum; `None` if no segment has one.
    pub source: Option<Fingerprint>,
    /// Statistics of each metric, merged over all segments.
    pub total: Vec<StoredState>,
}

impl StoredStatistics {
    /// Creates the content of a file of statistics from the statistics of the segments and from their merged
    /// total.
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

    /// Returns the counts of every segment for one metric. `metric` is its index in the header.
    ///
    /// # Errors
    /// Returns [`Malformed`](bleuprint_core::InputErrorKind::Malformed) if the metric's statistics are not
    /// rows of counts, or if the file lists no segments.
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

    /// Requires that the source of every segment is known if `metric` reads sources.
    ///
    /// # Errors
    /// Returns an error with the metric's name. Files of `bleuprint-stats/1` record no sources.
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
