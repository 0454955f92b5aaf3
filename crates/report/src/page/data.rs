//! [`PageData`]: the content of a report as plain data, which the page holds as JSON.

use bleuprint_core::PartValue;
use serde::Serialize;

use super::{PageFigure, PageFinisher, PageNgrams, PageWords};

/// Name and version of the data format.
pub const FORMAT: &str = "bleuprint-report/1";

/// Data of a report: several systems on the same segments under several metrics.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageData {
    /// Name and version of the format: [`FORMAT`].
    pub format: &'static str,
    /// Version of the program that made the report.
    pub version: String,
    /// Title of the report.
    pub title: String,
    /// Number of segments.
    pub segments: usize,
    /// Names of the systems.
    pub systems: Vec<String>,
    /// Metrics of the report; the page begins with the first.
    pub metrics: Vec<PageMetric>,
    /// Value of the label `id` for each segment; empty without this label.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<String>,
    /// Labels of the segments.
    pub fields: Vec<PageField>,
    /// Length of the first reference of each segment, in tokens.
    pub lengths: Vec<u64>,
    /// Method of intervals and p-values, as text.
    pub test: String,
    /// Number of each system's outputs that equal a reference, if there are texts.
    pub identical: Option<Vec<u64>>,
    /// N-grams in which systems differ most, if there are texts.
    pub ngrams: Option<PageNgrams>,
    /// Words of metrics that count errors of aligned words, if there are texts; see [`PageMetric::words`].
    pub words: Vec<PageWords>,
    /// Texts of the segments, if they are shown.
    pub texts: Option<PageTexts>,
}

/// Results of one metric.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageMetric {
    /// Unique name that scores are printed under.
    pub name: String,
    /// Signature of the metric.
    pub signature: String,
    /// Number of decimals of scores.
    pub digits: usize,
    /// `true` if higher scores are better.
    pub higher: bool,
    /// Number of segments left out, because a system has no number for them.
    pub missing: usize,
    /// Highest possible score, if there is one.
    pub max: Option<f64>,
    /// Score of each system.
    pub scores: Vec<PageScore>,
    /// Comparisons of every pair of systems.
    pub pairs: Vec<PagePair>,
    /// Formula from sums of rows to scores. Without it the page holds the scores of segments.
    pub finisher: Option<PageFinisher>,
    /// Rows of counts of each system's segments, one after the other; empty without a finisher.
    pub rows: Vec<Vec<u64>>,
    /// Score of each segment of each system, if there is no finisher; `null` for no score.
    pub sentences: Vec<Vec<Option<f64>>>,
    /// Score of all segments except this one, if there is no finisher.
    pub left_out: Vec<Vec<Option<f64>>>,
    /// Index of the metric's words in [`PageData::words`], if it aligns words.
    pub words: Option<usize>,
    /// Curves and tables of the scores, if the metric has any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<PageFigure>,
    /// Rows of the picture of each segment of each system, if the metric draws one. A row has a key, a label
    /// and a value, as in [`Answer::Picture`](bleuprint_core::Answer::Picture).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Vec<Option<PagePicture>>>,
    /// Groups by the name of their field, in the order of the field's values.
    pub slices: std::collections::BTreeMap<String, Vec<PageSlice>>,
}

/// Key, label and value of each row of a picture of a segment.
type PagePicture = Vec<(String, String, PartValue)>;

/// Score of a system with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PageScore {
    /// Score of the system.
    pub score: f64,
    /// Lower end of the score's 95 % interval.
    pub lower: f64,
    /// Upper end of the score's 95 % interval.
    pub upper: f64,
}

/// Comparison of two systems: the first minus the second.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PagePair {
    /// Index of the first system.
    pub first: usize,
    /// Index of the second system.
    pub second: usize,
    /// Score of the first system minus the score of the second.
    pub difference: f64,
    /// Lower end of the difference's 95 % interval.
    pub lower: f64,
    /// Upper end of the difference's 95 % interval.
    pub upper: f64,
    /// P-value, corrected for the number of pairs; in groups it is not corrected.
    pub p: f64,
    /// `true` if the p-value is the smallest that the resamples can show.
    pub least: bool,
    /// Method of the interval and the p-value, as text.
    pub method: String,
    /// Doubt about the interval, or the reason why there is none.
    pub caution: Option<String>,
}

/// Results of one group of segments under one metric.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageSlice {
    /// Score of each system, if it has one.
    pub scores: Vec<Option<f64>>,
    /// Standard error of the difference for each pair of systems, the first index below the second, for
    /// metrics without a finisher.
    pub pairs: Vec<(usize, usize, Option<f64>)>,
    /// Test of each pair on these segments, if there are few systems.
    pub tests: Vec<PagePair>,
}

/// Label of the segments.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageField {
    /// Name of the label.
    pub name: String,
    /// Values of the label.
    pub labels: Vec<String>,
    /// Index in `labels` of the value of each segment.
    pub of: Vec<usize>,
}

/// Texts with the borders of their tokens: a space, or `glue` if the text has no space between two tokens.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageTexts {
    /// Character that marks the border between two tokens without a space between them; it occurs in no
    /// text.
    pub glue: char,
    /// `true` if every segment has its texts.
    pub whole: bool,
    /// Text of each reference of each segment; `None` if it was left out.
    pub references: Vec<Vec<Option<String>>>,
    /// Output of each system for each segment; `None` if it was left out.
    pub hypotheses: Vec<Vec<Option<String>>>,
    /// Source of each segment, if known.
    pub source: Option<Vec<Option<String>>>,
}
