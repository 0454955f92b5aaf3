//! The trait [`Score`] for results of metrics: named numbers and details that reports can print.

use core::fmt;

use serde::Serialize;

use crate::prelude::*;
use crate::{ExactSum, InputError, Result, Signature};

/// Direction of a metric's scores: which values are better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "closed: the two directions")]
pub enum Direction {
    /// Higher is better, as for BLEU.
    HigherIsBetter,
    /// Lower is better, as for error rates.
    LowerIsBetter,
}

/// Range of a metric's scores, and whether higher or lower is better.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Scale::PERCENT`")]
pub struct Scale {
    /// Smallest possible score, possibly minus infinity.
    pub min: f64,
    /// Largest possible score, possibly infinite. Rounding may exceed it slightly: a perfect BLEU is
    /// `100.00000000000004`, as in sacreBLEU.
    pub max: f64,
    /// Direction of better scores: higher or lower.
    pub direction: Direction,
    /// `true` if scores are in percent. Other scores are printed with more decimals, to keep the same
    /// precision.
    pub percent: bool,
}

impl Scale {
    /// Scale of percentages: 0 to 100, higher is better.
    pub const PERCENT: Scale = Scale { max: 100.0, percent: true, ..Scale::UNIT };
    /// Scale of fractions: 0 to 1, higher is better.
    pub const UNIT: Scale =
        Scale { min: 0.0, max: 1.0, direction: Direction::HigherIsBetter, percent: false };
    /// Scale of error rates: fractions from 0 without limit, lower is better.
    pub const ERROR_RATE: Scale = Scale { direction: Direction::LowerIsBetter, ..Scale::UNBOUNDED };
    /// Scale of numbers from 0 without limit, higher is better.
    pub const UNBOUNDED: Scale = Scale { max: f64::INFINITY, ..Scale::UNIT };

    /// Creates a scale from `min` to `max` on which higher is better.
    ///
    /// ```
    /// use bleuprint_core::{Direction, Scale};
    /// assert_eq!(Scale { percent: true, ..Scale::higher_is_better(0.0, 100.0) }, Scale::PERCENT);
    /// assert_eq!(Scale::lower_is_better(0.0, f64::INFINITY), Scale::ERROR_RATE);
    /// assert_eq!(Scale::lower_is_better(-1.0, 1.0).direction, Direction::LowerIsBetter);
    /// ```
    pub const fn higher_is_better(min: f64, max: f64) -> Self {
        Scale { min, max, direction: Direction::HigherIsBetter, percent: false }
    }

    /// Creates a scale from `min` to `max` on which lower is better.
    pub const fn lower_is_better(min: f64, max: f64) -> Self {
        Scale { min, max, direction: Direction::LowerIsBetter, percent: false }
    }

    /// Relative tolerance for rounding when a score is compared with the ends of its range.
    const SLACK: f64 = 1e-9;

    /// Returns `true` if a score on this scale can have this value. Rounding may exceed the ends slightly.
    /// NaN and infinite values are never possible.
    pub fn contains(&self, value: f64) -> bool {
        // `max(1.0)` keeps an absolute tolerance near 0, where a relative tolerance vanishes.
        let slack = |end: f64| if end.is_finite() { end.abs().max(1.0) * Self::SLACK } else { 0.0 };
        value.is_finite() && value >= self.min - slack(self.min) && value <= self.max + slack(self.max)
    }

    /// Returns `value` if it is on the scale. Returns `None` if it is off the scale, NaN or infinite. A value
    /// that rounding has moved slightly beyond an end, as [`Scale::contains`] allows, becomes the end.
    ///
    /// ```
    /// use bleuprint_core::Scale;
    /// assert_eq!(Scale::UNIT.nearest(1.0000000000000002), Some(1.0));
    /// assert_eq!((Scale::UNIT.nearest(0.25), Scale::UNIT.nearest(1.1)), (Some(0.25), None));
    /// ```
    pub fn nearest(&self, value: f64) -> Option<f64> {
        self.contains(value).then(|| value.clamp(self.min, self.max))
    }

    /// Checks that `sum` can be a sum of segment scores on this scale, with one value for each of `segments`
    /// segments.
    ///
    /// # Errors
    /// Returns [`MalformedState`](crate::InputErrorKind::MalformedState) with the column, the number of
    /// values or the mean that is impossible.
    pub fn check_mean(&self, sum: &ExactSum, segments: u64) -> Result<()> {
        let ExactSum { columns } = *sum;
        let mean = ExactSum::try_from(columns)?.mean(segments.max(1));
        let message = if sum.count() != segments {
            format!("a sum of {} values over {segments} segments", sum.count())
        } else if segments > 0 && !self.contains(mean) {
            format!("a mean of {mean}, on a scale from {} to {}", self.min, self.max)
        } else {
            return Ok(());
        };
        Err(InputError::malformed_state(message))
    }
}

/// The value of one detail of a score, such as a count or a list of precisions.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
#[expect(clippy::exhaustive_enums, reason = "closed: every output shows each form")]
pub enum PartValue {
    /// A count, such as a number of words.
    Count(u64),
    /// A list of counts, one per n-gram order.
    Counts(Vec<u64>),
    /// A real number, such as a precision.
    Number(f64),
    /// A list of numbers, one per n-gram order.
    Numbers(Vec<f64>),
    /// Points (x, y) of a curve in a report, in ascending order of x.
    Points(Vec<(f64, f64)>),
    /// A confusion table: each entry is a reference name, a hypothesis name and their count.
    Pairs(Vec<(String, String, u64)>),
}

/// How a detail of a score, such as a precision, appears in the printed line of text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "closed: every line shows each form")]
pub enum ShowPart {
    /// The detail is not printed in the line of text; it appears only in JSON.
    Hidden,
    /// The detail is printed without a label after the score and before the parentheses of labelled details.
    /// The field is the number of decimals; slashes join the numbers of a list.
    Bare(usize),
    /// The detail is printed in the parentheses at the end of the line, as `label = value`. The fields are
    /// the label and the number of decimals.
    Labelled(Cow<'static, str>, usize),
}

/// A named detail of a score, such as the brevity penalty of BLEU.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ScorePart {
    /// Name of the score's detail in JSON, such as `ref_len`.
    pub key: Cow<'static, str>,
    /// How the detail appears in the printed line of the score.
    pub show: ShowPart,
    /// Value of the detail, unrounded.
    pub value: PartValue,
}

impl ScorePart {
    /// Creates a detail of a score: its name in JSON, how the printed line shows it, and its value.
    pub fn new(key: impl Into<Cow<'static, str>>, show: ShowPart, value: PartValue) -> Self {
        ScorePart { key: key.into(), show, value }
    }

    /// Creates a detail of a score from a count, printed under its name.
    pub fn count(key: impl Into<Cow<'static, str>>, count: u64) -> Self {
        Self::labelled(key.into(), 0, PartValue::Count(count))
    }

    /// Creates a detail of a score from a number, printed under its name with `decimals` decimals.
    pub fn number(key: impl Into<Cow<'static, str>>, number: f64, decimals: usize) -> Self {
        Self::labelled(key.into(), decimals, PartValue::Number(number))
    }

    fn labelled(key: Cow<'static, str>, decimals: usize, value: PartValue) -> Self {
        ScorePart { key: key.clone(), show: ShowPart::Labelled(key, decimals), value }
    }
}

/// Trait for the result of a metric, so that it can be reported without knowing the metric.
///
/// Most scores are one number. A score may have several numbers of equal rank, its headlines, such as
/// precision, recall and F1. The metric names them
/// ([`Metric::headline_names`](crate::Metric::headline_names)), and the first is [`Score::value`].
pub trait Score: Send + Sync + 'static {
    /// Returns the main number of the score, on the metric's [`scale`](crate::Metric::scale).
    fn value(&self) -> f64;

    /// Returns the main numbers of the score, such as precision, recall and F1. They have the order of
    /// [`Metric::headline_names`](crate::Metric::headline_names).
    fn headlines(&self) -> Vec<f64> {
        vec![self.value()]
    }

    /// Returns the details of the score, such as counts and precisions, in display order.
    fn parts(&self) -> Vec<ScorePart> {
        Vec::new()
    }
}

/// Makes a plain number a score, without further details.
impl Score for f64 {
    fn value(&self) -> f64 {
        *self
    }
}

/// Makes an array a score with several numbers, such as precision and recall, which the metric names.
impl<const N: usize> Score for [f64; N] {
    fn value(&self) -> f64 {
        self.first().copied().unwrap_or(f64::NAN)
    }

    fn headlines(&self) -> Vec<f64> {
        self.to_vec()
    }
}

/// A general-purpose score: a number with optional named details.
///
/// ```
/// use bleuprint_core::{PlainScore, Score};
/// let score = PlainScore::new(50.0).with_count("matched", 1);
/// assert_eq!((score.value(), score.parts().len(), format!("{score:.1}")), (50.0, 1, "50.0".to_string()));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PlainScore {
    /// Main number of the score.
    pub score: f64,
    /// All main numbers of the score, possibly none; `None` if `score` is the only main number.
    pub(crate) headlines: Option<Vec<f64>>,
    parts: Vec<ScorePart>,
}

impl PlainScore {
    /// Creates a score from a number, without further details.
    pub fn new(score: f64) -> Self {
        PlainScore { score, headlines: None, parts: Vec::new() }
    }

    /// Adds a named detail, such as a precision, to the score.
    #[must_use]
    pub fn with(mut self, part: ScorePart) -> Self {
        self.parts.push(part);
        self
    }

    /// Adds a count as a detail of the score, printed under its name.
    #[must_use]
    pub fn with_count(self, key: impl Into<Cow<'static, str>>, count: u64) -> Self {
        self.with(ScorePart::count(key, count))
    }
}

impl Score for PlainScore {
    fn value(&self) -> f64 {
        self.score
    }

    fn headlines(&self) -> Vec<f64> {
        self.headlines.clone().unwrap_or_else(|| vec![self.score])
    }

    fn parts(&self) -> Vec<ScorePart> {
        self.parts.clone()
    }
}

impl fmt::Display for PlainScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.score.fmt(f)
    }
}

/// A score with its signature. Both print as `NAME|signature = number`, at full precision unless the format
/// requests fewer decimals.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(clippy::exhaustive_structs, reason = "closed: a score and its signature")]
pub struct Scored<T> {
    /// Result that the metric computed, such as a number.
    pub score: T,
    /// Signature: the settings that the score depends on, such as the tokenizer.
    pub signature: Signature,
}

impl<T: Score> Scored<T> {
    /// Returns the main number of the score.
    pub fn value(&self) -> f64 {
        self.score.value()
    }
}

impl<T: fmt::Display> fmt::Display for Scored<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = ", self.signature)?;
        self.score.fmt(f)
    }
}
