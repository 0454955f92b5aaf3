//! Scores as data for reports: headline numbers and parts.

use core::fmt;

use serde::Serialize;

use crate::prelude::*;
use crate::{ExactSum, InputError, Result, Signature};

/// The good end of a scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "closed: the two directions")]
pub enum Direction {
    /// As for BLEU.
    HigherIsBetter,
    /// As for error rates.
    LowerIsBetter,
}

/// The range of a score and its direction.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Scale::PERCENT`")]
pub struct Scale {
    /// The least value, possibly minus infinity.
    pub min: f64,
    /// The greatest value, possibly infinite. Rounding may exceed it by an ulp: a perfect BLEU is
    /// `100.00000000000004`, as in sacreBLEU.
    pub max: f64,
    /// The good end.
    pub direction: Direction,
    /// Whether scores are in percent; else they are shown with more decimals, to say as much.
    pub percent: bool,
}

impl Scale {
    /// 0 to 100, higher is better.
    pub const PERCENT: Scale = Scale { max: 100.0, percent: true, ..Scale::UNIT };
    /// 0 to 1, higher is better.
    pub const UNIT: Scale =
        Scale { min: 0.0, max: 1.0, direction: Direction::HigherIsBetter, percent: false };
    /// From 0 without limit, as a fraction, lower is better.
    pub const ERROR_RATE: Scale = Scale { direction: Direction::LowerIsBetter, ..Scale::UNBOUNDED };
    /// From 0 without limit, higher is better.
    pub const UNBOUNDED: Scale = Scale { max: f64::INFINITY, ..Scale::UNIT };

    /// From `min` to `max`, higher is better.
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

    /// From `min` to `max`, lower is better.
    pub const fn lower_is_better(min: f64, max: f64) -> Self {
        Scale { min, max, direction: Direction::LowerIsBetter, percent: false }
    }

    /// The tolerance beyond the ends, for rounding, relative to the end.
    const SLACK: f64 = 1e-9;

    /// Whether a score can lie here; it may exceed the ends by rounding. NaN and infinite values never can.
    pub fn contains(&self, value: f64) -> bool {
        let slack = |end: f64| if end.is_finite() { end.abs().max(1.0) * Self::SLACK } else { 0.0 };
        value.is_finite() && value >= self.min - slack(self.min) && value <= self.max + slack(self.max)
    }

    /// Whether this can be the sum of one value of each segment, with a mean on this scale.
    ///
    /// # Errors
    /// [`MalformedState`](crate::InputErrorKind::MalformedState), which names a column, the number of values or the mean.
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

/// The value of one part of a score.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
#[expect(clippy::exhaustive_enums, reason = "closed: every output shows each form")]
pub enum PartValue {
    /// A count.
    Count(u64),
    /// Counts per order.
    Counts(Vec<u64>),
    /// A number.
    Number(f64),
    /// Numbers per order.
    Numbers(Vec<f64>),
    /// The points of a curve, in ascending order: reports draw it.
    Points(Vec<(f64, f64)>),
    /// Counts of pairs, of a name of references and one of hypotheses: reports write a table of all names.
    Pairs(Vec<(String, String, u64)>),
}

/// The form of a part in the line of text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "closed: every line shows each form")]
pub enum ShowPart {
    /// In JSON only.
    Hidden,
    /// In front, bare, with this many decimals; numbers per order joined by slashes.
    Bare(usize),
    /// In the parentheses behind, as `label = value`, with this many decimals for numbers.
    Labelled(Cow<'static, str>, usize),
}

/// One named part of a score.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ScorePart {
    /// The name in JSON, as in `ref_len`.
    pub key: Cow<'static, str>,
    /// Its form in the line of text.
    pub show: ShowPart,
    /// The value, unrounded.
    pub value: PartValue,
}

impl ScorePart {
    /// A part of this form.
    pub fn new(key: impl Into<Cow<'static, str>>, show: ShowPart, value: PartValue) -> Self {
        ScorePart { key: key.into(), show, value }
    }

    /// A count, shown under its name.
    pub fn count(key: impl Into<Cow<'static, str>>, count: u64) -> Self {
        Self::labelled(key.into(), 0, PartValue::Count(count))
    }

    /// A number, shown under its name with this many decimals.
    pub fn number(key: impl Into<Cow<'static, str>>, number: f64, decimals: usize) -> Self {
        Self::labelled(key.into(), decimals, PartValue::Number(number))
    }

    fn labelled(key: Cow<'static, str>, decimals: usize, value: PartValue) -> Self {
        ScorePart { key: key.clone(), show: ShowPart::Labelled(key, decimals), value }
    }
}

/// A finished score that can be reported without knowing the metric.
///
/// Most scores have one headline number. A score may have several of equal rank, such as precision, recall and F1: its
/// metric names them ([`Metric::headline_names`](crate::Metric::headline_names)), and the first of them is [`Score::value`].
pub trait Score: Send + Sync + 'static {
    /// The (first) headline number, on the metric's [`scale`](crate::Metric::scale).
    fn value(&self) -> f64;

    /// The headline numbers, one for each name.
    fn headlines(&self) -> Vec<f64> {
        vec![self.value()]
    }

    /// The parts, in display order.
    fn parts(&self) -> Vec<ScorePart> {
        Vec::new()
    }
}

/// A bare number is a score without parts.
impl Score for f64 {
    fn value(&self) -> f64 {
        *self
    }
}

/// Headline numbers, for which the metric has names.
impl<const N: usize> Score for [f64; N] {
    fn value(&self) -> f64 {
        self.first().copied().unwrap_or(f64::NAN)
    }

    fn headlines(&self) -> Vec<f64> {
        self.to_vec()
    }
}

/// A ready score: a number and its parts.
///
/// ```
/// use bleuprint_core::{PlainScore, Score};
/// let score = PlainScore::new(50.0).with_count("matched", 1);
/// assert_eq!((score.value(), score.parts().len(), format!("{score:.1}")), (50.0, 1, "50.0".to_string()));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PlainScore {
    /// The number.
    pub score: f64,
    /// The headline numbers, where these are not the number alone: of a mean several, or none.
    pub(crate) headlines: Option<Vec<f64>>,
    parts: Vec<ScorePart>,
}

impl PlainScore {
    /// A number without parts yet.
    pub fn new(score: f64) -> Self {
        PlainScore { score, headlines: None, parts: Vec::new() }
    }

    /// Adds a part.
    #[must_use]
    pub fn with(mut self, part: ScorePart) -> Self {
        self.parts.push(part);
        self
    }

    /// Adds a count, shown under its name.
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

/// A score that travels with its signature. It prints as `NAME|signature = number`, at full precision unless the
/// format asks for fewer decimals.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(clippy::exhaustive_structs, reason = "closed: a score and its signature")]
pub struct Scored<T> {
    /// The score.
    pub score: T,
    /// The settings it depends on.
    pub signature: Signature,
}

impl<T: Score> Scored<T> {
    /// The (first) headline number.
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
