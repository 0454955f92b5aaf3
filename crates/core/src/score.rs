//! What a score says of itself: its value, its scale, and the parts it is made of, as data for reports.

use alloc::string::String;
use alloc::vec::Vec;

use crate::Signature;

/// Which end of the scale is the good one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// As for BLEU.
    HigherIsBetter,
    /// As for error rates.
    LowerIsBetter,
}

/// The range of a score and its direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// The least value.
    pub min: f64,
    /// The greatest value; infinite where there is none. Rounding may exceed it by an ulp: a perfect BLEU is
    /// `100.00000000000004`, as in sacreBLEU.
    pub max: f64,
    /// Which end is good.
    pub direction: Direction,
}

impl Scale {
    /// 0 to 100, the more the better.
    pub const PERCENT: Scale = Scale { min: 0.0, max: 100.0, direction: Direction::HigherIsBetter };
    /// From 0 without limit, in percent, the less the better.
    pub const ERROR_PERCENT: Scale =
        Scale { min: 0.0, max: f64::INFINITY, direction: Direction::LowerIsBetter };
}

/// The value of one part of a score.
#[derive(Debug, Clone, PartialEq)]
pub enum PartValue {
    /// A count.
    Count(u64),
    /// Counts per order.
    Counts(Vec<u64>),
    /// A number.
    Number(f64),
    /// Numbers per order.
    Numbers(Vec<f64>),
}

/// One named part of a score.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The name in JSON, as in `ref_len`.
    pub key: &'static str,
    /// How the line of text shows it.
    pub show: Show,
    /// The value, unrounded.
    pub value: PartValue,
}

/// How the line of text shows a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Show {
    /// In JSON only.
    Hidden,
    /// In front, bare, with this many decimals; numbers per order joined by slashes.
    Bare(usize),
    /// In the parentheses behind, as `label = value`, with this many decimals for numbers.
    Labelled(&'static str, usize),
}

/// A finished score that can be reported without knowing the metric.
pub trait Score: Send + Sync + 'static {
    /// The headline number, on [`Score::scale`].
    fn value(&self) -> f64;

    /// Range and direction.
    fn scale(&self) -> Scale;

    /// The parts, in the order in which they are shown.
    fn parts(&self) -> Vec<Part>;
}

/// A score that travels with its signature.
#[derive(Debug, Clone, PartialEq)]
pub struct Scored<T> {
    /// The score.
    pub score: T,
    /// What it depends on.
    pub signature: Signature,
}

/// A score whose metric is known only at run time.
#[derive(Debug, Clone, PartialEq)]
pub struct AnyScore {
    /// The name it is printed under, as in `BLEU`.
    pub name: String,
    /// The headline number.
    pub value: f64,
    /// Range and direction.
    pub scale: Scale,
    /// The parts.
    pub parts: Vec<Part>,
}

impl AnyScore {
    /// Copies a score out of its type.
    pub fn new(name: String, score: &dyn Score) -> Self {
        AnyScore { name, value: score.value(), scale: score.scale(), parts: score.parts() }
    }
}
