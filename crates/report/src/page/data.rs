//! [`PageData`]: everything that an HTML report shows, as plain data; the HTML file contains it as JSON.

use bleuprint_core::PartValue;
use serde::Serialize;

use super::{PageFigure, PageFinisher, PageNgrams, PageWords};

/// Name and version of the JSON format of a report's data.
pub const FORMAT: &str = "bleuprint-report/1";

/// Data of a report that compares several systems on the same segments, under one or more metrics.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageData {
    /// Name and version of the data format; always [`FORMAT`].
    pub format: &'static str,
    /// Version of bleuprint that made the report.
    pub version: String,
    /// Title of the report.
    pub title: String,
    /// Number of segments of the test set.
    pub segments: usize,
    /// Names of the systems.
    pub systems: Vec<String>,
    /// Results of each metric; the report shows the first metric when it is opened.
    pub metrics: Vec<PageMetric>,
    /// Value of the segment label named `id`, for each segment; empty if segments have no such label.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ids: Vec<String>,
    /// Name of a segment label, such as `document`. Resamples draw segments with equal values of this label
    /// together; absent if resamples draw single segments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Index of the unit (such as a document) that each segment belongs to; empty if each segment is a unit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub units: Vec<usize>,
    /// Sentences about data that was left out or added when the input was read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// Labels of the segments, such as domain or speaker, that the report can group by.
    pub fields: Vec<PageField>,
    /// Number of tokens of each segment's first reference.
    pub lengths: Vec<u64>,
    /// Description of the method that computes confidence intervals and p-values.
    pub test: String,
    /// Number of outputs that equal a reference, for each system; `None` if the report has no texts.
    pub identical: Option<Vec<u64>>,
    /// N-grams whose number of matches differs most between systems; `None` if the report has no texts.
    pub ngrams: Option<PageNgrams>,
    /// Aligned words for metrics that count word errors; empty if the report has no texts.
    /// [`PageMetric::words`] is an index into this list.
    pub words: Vec<PageWords>,
    /// Texts of the segments; `None` if the report does not show texts.
    pub texts: Option<PageTexts>,
}

/// Results of one metric for all systems, as an HTML report shows them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageMetric {
    /// Unique name of the metric, under which its scores are printed.
    pub name: String,
    /// Signature of the metric, which lists its settings.
    pub signature: String,
    /// Number of decimals to print for scores of this metric.
    pub digits: usize,
    /// `true` if higher scores are better.
    pub higher: bool,
    /// Number of segments left out of the comparison because at least one system has no score for them.
    pub missing: usize,
    /// Highest score that the metric can give; `None` if scores have no upper limit.
    pub max: Option<f64>,
    /// Scores of all systems under this metric.
    pub scores: Vec<PageScore>,
    /// Comparisons of all pairs of systems under this metric.
    pub pairs: Vec<PagePair>,
    /// Formula with which the browser computes a score from summed counts; `None` if the report stores
    /// segment scores instead.
    pub finisher: Option<PageFinisher>,
    /// Per-segment counts of each system as one flat list, from which the browser computes scores; empty if
    /// `finisher` is `None`.
    pub rows: Vec<Vec<u64>>,
    /// Scores of all segments, one list for each system, for metrics whose score the browser cannot compute
    /// from counts (`finisher` is `None`). An undefined score is `null`.
    pub sentences: Vec<Vec<Option<f64>>>,
    /// Leave-one-out (jackknife) scores, one list for each system: entry `i` is the score of all segments
    /// except segment `i`. Used for metrics whose score the browser cannot compute from counts (`finisher` is
    /// `None`).
    pub left_out: Vec<Vec<Option<f64>>>,
    /// Index of the metric's aligned words in [`PageData::words`]; `None` if the metric does not align words.
    pub words: Option<usize>,
    /// Details of the scores that the report shows as figures: curves (such as ROC curves) or tables; empty
    /// if the metric has none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<PageFigure>,
    /// Drawings of segments as rows of intervals on a time axis, such as who spoke when. The list has one
    /// entry for each system, with one drawing for each segment. It is empty if the metric draws none.
    ///
    /// The rows of a drawing are described at [`Answer::Picture`](bleuprint_core::Answer::Picture).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Vec<Option<PagePicture>>>,
    /// Results for groups of segments: for each label name, one entry for each value of the label, in order.
    pub slices: std::collections::BTreeMap<String, Vec<PageSlice>>,
}

/// Drawing of one segment as rows of intervals on an axis, such as who spoke when. Each row has a key that
/// selects its style, a printed label, and the start and end of its intervals.
type PagePicture = Vec<(String, String, PartValue)>;

/// Score of one system with its 95 % confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PageScore {
    /// Score of the system on all segments.
    pub score: f64,
    /// Lower end of the score's 95 % confidence interval.
    pub lower: f64,
    /// Upper end of the score's 95 % confidence interval.
    pub upper: f64,
}

/// Comparison of two systems by the difference of their scores, first minus second.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PagePair {
    /// Index of the first of the two compared systems.
    pub first: usize,
    /// Index of the second of the two compared systems.
    pub second: usize,
    /// Score of the first system minus the score of the second.
    pub difference: f64,
    /// Lower end of the 95 % confidence interval of the difference.
    pub lower: f64,
    /// Upper end of the 95 % confidence interval of the difference.
    pub upper: f64,
    /// P-value of the difference. It is corrected for the number of system pairs, except within groups of
    /// segments.
    pub p: f64,
    /// `true` if `p` is the smallest p-value that the number of resamples allows, so that the true p-value
    /// may be lower.
    pub least: bool,
    /// Description of the method that computed the confidence interval and the p-value.
    pub method: String,
    /// Warning about the confidence interval, or the reason why it is missing; `None` if neither applies.
    pub caution: Option<String>,
}

/// Scores of one metric on one group of segments, such as one domain.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageSlice {
    /// Score of each system on the group; `None` if the score is undefined there.
    pub scores: Vec<Option<f64>>,
    /// Pairs of system indices `(i, j)`, `i < j`, each with the standard error of the score difference. Used
    /// for metrics without a [`PageFinisher`].
    pub pairs: Vec<(usize, usize, Option<f64>)>,
    /// Significance test of each pair of systems on this group; left out if there are many systems.
    pub tests: Vec<PagePair>,
}

/// Label of the segments, such as domain, with the value that each segment has.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageField {
    /// Name of the segment label, such as `domain`.
    pub name: String,
    /// Distinct values of the segment label, such as `news` and `law`.
    pub labels: Vec<String>,
    /// Index of each segment's value in `labels`.
    pub of: Vec<usize>,
}

/// Texts of references, outputs and sources. Token borders are marked by a space, or by `glue` if the
/// original text has no space there.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageTexts {
    /// Character inserted between two adjacent tokens that have no space between them. It occurs in none of
    /// the texts.
    pub glue: char,
    /// `true` if the report has the texts of all segments.
    pub whole: bool,
    /// Text of each reference, in one list for each segment; `None` if the text was left out of the report.
    pub references: Vec<Vec<Option<String>>>,
    /// Outputs for all segments, in one list for each system; `None` if the text was left out of the report.
    pub hypotheses: Vec<Vec<Option<String>>>,
    /// Source text of each segment; `None` if the sources are unknown.
    pub source: Option<Vec<Option<String>>>,
}
