//! Scores as data for reports: headline numbers and parts.

use core::fmt;

use serde::Serialize;

use crate::prelude::*;
use crate::{ExactSum, InputError, Result, Signature};

/// The better end of a scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "closed: the two directions")]
pub enum Direction {
    /// Higher is better, as for BLEU.
    HigherIsBetter,
    /// Lower is better, as for error rates.
    LowerIsBetter,
}

/// The range of a score and its direction.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Scale::PERCENT`")]
pub struct Scale {
    /// Smallest value, possibly minus infinity.
    pub min: f64,
    /// Largest value, possibly infinite. Rounding may exceed it slightly: a perfect BLEU is
    /// `100.00000000000004`, as in sacreBLEU.
    pub max: f64,
    /// Direction in which scores on the scale are better.
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

    /// Tolerance for rounding at the two ends of a scale, relative to the value of the end.
    const SLACK: f64 = 1e-9;

    /// Returns `true` if a score can have this value; it may exceed the ends by rounding. NaN and infinite
    /// values are never possible.
    pub fn contains(&self, value: f64) -> bool {
        // `max(1.0)` keeps an absolute tolerance near 0, where a relative tolerance vanishes.
        let slack = |end: f64| if end.is_finite() { end.abs().max(1.0) * Self::SLACK } else { 0.0 };
        value.is_finite() && value >= self.min - slack(self.min) && value <= self.max + slack(self.max)
    }

    /// Checks that `sum` can hold one value of each of these segments, with a mean on this scale.
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

/// The value of one part of a score, such as a count or a list of precisions.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
#[expect(clippy::exhaustive_enums, reason = "closed: every output shows each form")]
pub enum PartValue {
    /// The part is a count.
    Count(u64),
    /// The part is a list of counts, one per n-gram order.
    Counts(Vec<u64>),
    /// The part is a number.
    Number(f64),
    /// The part is a list of numbers, one per n-gram order.
    Numbers(Vec<f64>),
    /// The part is a curve: its points in ascending order, which reports draw.
    Points(Vec<(f64, f64)>),
    /// The part is a table: counts of pairs of a reference name and a hypothesis name.
    Pairs(Vec<(String, String, u64)>),
}

/// How a part of a score appears in the line of text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "closed: every line shows each form")]
pub enum ShowPart {
    /// The part appears in JSON, but not in the line.
    Hidden,
    /// The part stands in the line before the parentheses, without a label, with this many decimals. Numbers
    /// per order are joined by slashes.
    Bare(usize),
    /// The part appears in the parentheses at the end, as `label = value`, with this many decimals for
    /// numbers.
    Labelled(Cow<'static, str>, usize),
}

/// One named part of a score.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ScorePart {
    /// Name of the part in JSON, such as `ref_len`.
    pub key: Cow<'static, str>,
    /// How the part appears in the printed line of the score.
    pub show: ShowPart,
    /// Value of the part, unrounded.
    pub value: PartValue,
}

impl ScorePart {
    /// Creates a part of a score with its name in JSON, its place in the printed line, and its value.
    pub fn new(key: impl Into<Cow<'static, str>>, show: ShowPart, value: PartValue) -> Self {
        ScorePart { key: key.into(), show, value }
    }

    /// Creates a count that is shown under its name.
    pub fn count(key: impl Into<Cow<'static, str>>, count: u64) -> Self {
        Self::labelled(key.into(), 0, PartValue::Count(count))
    }

    /// Creates a number that is shown under its name with this many decimals.
    pub fn number(key: impl Into<Cow<'static, str>>, number: f64, decimals: usize) -> Self {
        Self::labelled(key.into(), decimals, PartValue::Number(number))
    }

    fn labelled(key: Cow<'static, str>, decimals: usize, value: PartValue) -> Self {
        ScorePart { key: key.clone(), show: ShowPart::Labelled(key, decimals), value }
    }
}

/// A finished score that can be reported without knowing its metric.
///
/// Most scores have one headline number. A score may have several of equal rank, such as precision, recall
/// and F1. The metric names them ([`Metric::headline_names`](crate::Metric::headline_names)), and the first
/// is [`Score::value`].
pub trait Score: Send + Sync + 'static {
    /// Returns the first headline number, on the metric's [`scale`](crate::Metric::scale).
    fn value(&self) -> f64;

    /// Returns the headline numbers, one for each name.
    fn headlines(&self) -> Vec<f64> {
        vec![self.value()]
    }

    /// Returns the parts in display order.
    fn parts(&self) -> Vec<ScorePart> {
        Vec::new()
    }
}

/// A plain number is a score without parts.
impl Score for f64 {
    fn value(&self) -> f64 {
        *self
    }
}

/// An array is a score with several headline numbers, for which the metric has names.
impl<const N: usize> Score for [f64; N] {
    fn value(&self) -> f64 {
        self.first().copied().unwrap_or(f64::NAN)
    }

    fn headlines(&self) -> Vec<f64> {
        self.to_vec()
    }
}

/// A ready-made score: a number and its parts.
///
/// ```
/// use bleuprint_core::{PlainScore, Score};
/// let score = PlainScore::new(50.0).with_count("matched", 1);
/// assert_eq!((score.value(), score.parts().len(), format!("{score:.1}")), (50.0, 1, "50.0".to_string()));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PlainScore {
    /// Value of the score.
    pub score: f64,
    /// Headline numbers of the metric, if the score is not the only one: a mean may have several, or none.
    pub(crate) headlines: Option<Vec<f64>>,
    parts: Vec<ScorePart>,
}

impl PlainScore {
    /// Creates a score without parts.
    pub fn new(score: f64) -> Self {
        PlainScore { score, headlines: None, parts: Vec::new() }
    }

    /// Adds a part.
    #[must_use]
    pub fn with(mut self, part: ScorePart) -> Self {
        self.parts.push(part);
        self
    }

    /// Adds a count that is shown under its name.
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

/// A score with its signature. It prints as `NAME|signature = number`, at full precision unless the format
/// requests fewer decimals.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(clippy::exhaustive_structs, reason = "closed: a score and its signature")]
pub struct Scored<T> {
    /// Score of the metric.
    pub score: T,
    /// Settings that the score depends on.
    pub signature: Signature,
}

impl<T: Score> Scored<T> {
    /// Returns the first headline number.
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
