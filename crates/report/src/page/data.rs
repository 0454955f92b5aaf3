//! [`PageData`]: the content of a report as plain data, which the page carries as JSON.

use bleuprint_core::PartValue;
use serde::Serialize;

use super::{PageFigure, PageFinisher, PageNgrams, PageWords};

/// The name and version of the data.
pub const FORMAT: &str = "bleuprint-report/1";

/// Several systems on the same segments under several metrics.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageData {
    /// [`FORMAT`].
    pub format: &'static str,
    /// The version of the program.
    pub version: String,
    /// The sentence on top.
    pub title: String,
    /// The number of segments.
    pub segments: usize,
    /// The systems.
    pub systems: Vec<String>,
    /// The metrics; the first is shown first.
    pub metrics: Vec<PageMetric>,
    /// The label `id` of each segment, if there is one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<String>,
    /// Labels of the segments.
    pub fields: Vec<PageField>,
    /// The length of the first reference of each segment, in tokens.
    pub lengths: Vec<u64>,
    /// The method of intervals and p-values, in words.
    pub test: String,
    /// For each system, the number of outputs that equal a reference, if there are texts.
    pub identical: Option<Vec<u64>>,
    /// The n-grams that tell systems apart, if there are texts.
    pub ngrams: Option<PageNgrams>,
    /// The words of metrics that count errors of aligned words, if there are texts; see [`PageMetric::words`].
    pub words: Vec<PageWords>,
    /// The texts, if they are shown.
    pub texts: Option<PageTexts>,
}

/// One metric.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageMetric {
    /// The name that scores are printed under; unique.
    pub name: String,
    /// The signature.
    pub signature: String,
    /// Decimals of scores.
    pub digits: usize,
    /// True if higher scores are better.
    pub higher: bool,
    /// The number of segments that are left out, as a system has no number there.
    pub missing: usize,
    /// The greatest score, if there is one.
    pub max: Option<f64>,
    /// The score of each system.
    pub scores: Vec<PageScore>,
    /// Every pair of systems.
    pub pairs: Vec<PagePair>,
    /// The finisher of sums of rows; without one the page has scores of segments.
    pub finisher: Option<PageFinisher>,
    /// With a finisher: the rows of the segments of each system, one after the other.
    pub rows: Vec<Vec<u64>>,
    /// Without: the score of each segment of each system. `null` for none.
    pub sentences: Vec<Vec<Option<f64>>>,
    /// Without: the score of all segments but this one.
    pub left_out: Vec<Vec<Option<f64>>>,
    /// The index of its words in the page, if it aligns words.
    pub words: Option<usize>,
    /// Curves and tables of the scores, if they have some.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<PageFigure>,
    /// The rows of the picture of each segment of each system, if the metric draws some: key, label and value, as
    /// [`Answer::Picture`](bleuprint_core::Answer::Picture) has them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Vec<Option<PagePicture>>>,
    /// By the name of the field, the groups in the order of its labels.
    pub slices: std::collections::BTreeMap<String, Vec<PageSlice>>,
}

/// Key, label and value of each row.
type PagePicture = Vec<(String, String, PartValue)>;

/// The score of a system.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PageScore {
    /// The score.
    pub score: f64,
    /// The lower end of its 95 % interval.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
}

/// Two systems, the first minus the second.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PagePair {
    /// The first system.
    pub first: usize,
    /// The second.
    pub second: usize,
    /// The difference of their scores.
    pub difference: f64,
    /// The lower end of its 95 % interval.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
    /// The p-value, corrected for the number of pairs; in groups, of the group alone.
    pub p: f64,
    /// True if the p-value is the least that the resamples can show.
    pub least: bool,
    /// The method of interval and p-value, in words.
    pub method: String,
    /// A doubt about the interval, or why there is none.
    pub caution: Option<String>,
}

/// One group of segments under one metric.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageSlice {
    /// The score of each system, if any.
    pub scores: Vec<Option<f64>>,
    /// For pairs of systems, first below second, the standard error of the difference; for metrics without a finisher.
    pub pairs: Vec<(usize, usize, Option<f64>)>,
    /// The test of each pair on these segments, if there are few systems.
    pub tests: Vec<PagePair>,
}

/// A label of the segments.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageField {
    /// Its name.
    pub name: String,
    /// Its values.
    pub labels: Vec<String>,
    /// For each segment, the index of its value.
    pub of: Vec<usize>,
}

/// The texts, with the borders of their tokens: a space, or `glue` if nothing was written between two tokens.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageTexts {
    /// A character that no text has.
    pub glue: char,
    /// True if every segment has its texts.
    pub whole: bool,
    /// Each reference of each segment; `None` if the text was left out.
    pub references: Vec<Vec<Option<String>>>,
    /// Each output of each system.
    pub hypotheses: Vec<Vec<Option<String>>>,
    /// The source of the outputs.
    pub source: Option<Vec<Option<String>>>,
}
