//! Calibration of confidences: whether a recognizer is right as often as it claims, for example for 80 % of
//! the words with confidence 0.8.
//!
//! ```text
//! ECE   = Σ over bins of |right words - Σ confidences| / N      bin k of B: (k/B, (k+1)/B], 0 in the first
//! Brier = Σ (confidence - right)² / N                               right is 1 or 0
//! ```
//!
//! `N` is the number of words that have a confidence, and `B` the number of bins. A word is right if jiwer's
//! alignment pairs it with an equal word of the reference. With `right=given`, the data state whether each
//! word or answer is right. Confidences are rounded to whole millionths, so sums are exact. Deleted words
//! have no confidence; their number is reported with the score.
//!
//! | singular case | result |
//! |---|---|
//! | no word with a confidence | no score |
//! | a confidence that is NaN, below 0 or above 1 | error |
//! | words without a reference, several references | error |
//!
//! The range is 0 to 1, lower is better. Sources: Naeini et al. 2015, Brier 1950; the numbers follow the
//! definition. The running time is the time to align the words.
//!
//! ```
//! use bleuprint_core::{Accumulator, Segment};
//! use bleuprint_recognition::{CalibrationError, CalibrationOf, WordConfidence, WordConfidences};
//!
//! let mut ece = Accumulator::<_, WordConfidences, String>::new(CalibrationError::new(CalibrationOf::Ece, 10).unwrap());
//! let words = WordConfidences(vec![WordConfidence::Word("the".into(), 0.9), WordConfidence::Word("cad".into(), 0.4)]);
//! ece.push_segment(Segment::with_source(&words, &[&"the cat".to_owned()], None)).unwrap();
//! assert_eq!(ece.score().unwrap().value(), 0.25);
//! ```

use std::fmt::Display;

use bleuprint_core::{
    ConfigError, Form, Identity, InputError, InputErrorKind, Linear, Metric, Observe, PartValue, PlainScore,
    Result, Scale, Segment, SegmentCounts, Stats as _,
};
use bleuprint_metrics::edit::{Aligner, AlignmentRule, EditOperation};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Opt, Preset, settings};
use bleuprint_text::whitespace;
use serde::{Deserialize, Serialize};

use crate::quotients::{hidden, numbers, quotient};

/// Stored value of a confidence of 1, because confidences are stored in whole millionths.
const MILLION: u64 = 1_000_000;
const MOST_BINS: usize = 10_000;

/// Recognized words of a segment with their confidences. In JSON it is an array of `[word, confidence]`,
/// `[confidence, right]`, or objects with `word` and `confidence`. The reference is a text.
///
/// ```
/// use bleuprint_recognition::{WordConfidence, WordConfidences};
/// let read: WordConfidences = serde_json::from_str(r#"[["a", 0.5], [1, false], {"word": "b", "confidence": 0.25}]"#).unwrap();
/// assert_eq!(read.0[1], WordConfidence::Known(1.0, false));
/// assert_eq!(read.0[2], WordConfidence::Word("b".into(), 0.25));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(transparent)]
#[expect(clippy::exhaustive_structs, reason = "closed: the confidences, and nothing else")]
pub struct WordConfidences(pub Vec<WordConfidence>);

/// Confidence of a recognizer or model in one word or answer.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(from = "CalibrationItem")]
#[non_exhaustive]
pub enum WordConfidence {
    /// A recognized word with its confidence; the reference decides whether the word is right.
    Word(String, f64),
    /// A confidence with a given verdict: `true` if the word or answer is right.
    Known(f64, bool),
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "[word, confidence], [confidence, right], or an object with word and confidence"
)]
enum CalibrationItem {
    Word(String, f64),
    Known(f64, bool),
    Object {
        word: String,
        #[serde(alias = "probability")]
        confidence: f64,
    },
}

impl From<CalibrationItem> for WordConfidence {
    fn from(item: CalibrationItem) -> Self {
        match item {
            CalibrationItem::Word(word, confidence) | CalibrationItem::Object { word, confidence } => {
                WordConfidence::Word(word, confidence)
            }
            CalibrationItem::Known(confidence, right) => WordConfidence::Known(confidence, right),
        }
    }
}

impl Form for WordConfidences {
    const NAME: &'static str = "confidences";
    type Reference = String;
    type Source = Self;
}

/// The calibration measure that becomes the score: expected calibration error or Brier score. The other
/// measure is reported, too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CalibrationOf {
    /// Expected calibration error: the mean difference between confidence and share of right words, over bins
    /// of confidence.
    #[default]
    Ece,
    /// Brier score: the mean squared difference between confidence and verdict (1 or 0).
    Brier,
}

bleuprint_core::choice!(CalibrationOf: Ece "ece", Brier "brier");

settings! {
    /// Metric of the calibration of confidences: expected calibration error or Brier score.
    pub struct CalibrationError {
        /// The number of bins of equal width
        bins: usize = Opt::integer("ece-bins", 10).limits(1, MOST_BINS as u64).counted("bins", "bins");
        /// Whether words are right if they are aligned with an equal word of the reference (aligned), or as the data say (given)
        given: bool = Opt::either("ece-right", &["aligned", "given"]).counted("right", "right").unless_default();
        /// The number that becomes the score: ece or brier
        of: CalibrationOf = Opt::choice("ece-of").finished("of", "of");
    }
}

/// Counts for calibration: number of words, of right words and sum of confidences in each bin of confidence,
/// and totals over all words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct CalibrationStats {
    /// Counts of each bin of confidence: words, right words, and the sum of confidences in millionths.
    pub bins: Vec<[u64; 3]>,
    /// Sum over words of the squared difference between confidence and verdict (1 or 0), in units of
    /// `10^-12`.
    pub squared: u64,
    /// Number of reference words that are aligned with no hypothesis word.
    pub deletions: u64,
}

impl Linear for CalibrationStats {
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
        for (bin, counts) in self.bins.iter_mut().enumerate() {
            for (name, count) in ["words", "right", "confidence"].into_iter().zip(counts) {
                visit(&format_args!("{name}_{bin}"), count);
            }
        }
        visit(&"squared", &mut self.squared);
        visit(&"deletions", &mut self.deletions);
    }

    fn check_bounds(&self, _: &SegmentCounts) -> Result<()> {
        for &[words, right, confidence] in &self.bins {
            InputError::require_at_most("right words", right, "words", words)?;
            InputError::require_at_most("millionths", confidence, "words", words.saturating_mul(MILLION))?;
        }
        let most = self.words().saturating_mul(MILLION * MILLION);
        InputError::require_at_most("squared errors", self.squared, "words", most)
    }
}

impl CalibrationStats {
    fn sum(&self, at: usize) -> u64 {
        self.bins.iter().fold(0, |sum: u64, bin| sum.saturating_add(bin[at]))
    }

    fn words(&self) -> u64 {
        self.sum(0)
    }

    fn ece(&self) -> Option<f64> {
        let wrong = self.bins.iter().map(|&[_, right, confidence]| {
            let right = u128::from(right) * u128::from(MILLION);
            right.abs_diff(confidence.into())
        });
        let words = self.words();
        (words > 0).then(|| wrong.sum::<u128>() as f64 / (words as f64 * MILLION as f64))
    }

    fn brier(&self) -> Option<f64> {
        let words = self.words();
        (words > 0).then(|| self.squared as f64 / (words as f64 * (MILLION * MILLION) as f64))
    }

    fn add(&mut self, confidence: f64, right: bool) -> Result<()> {
        let millionths = millionths(confidence)?;
        // Bins are open below and closed above, so the division rounds up. A confidence of 0 belongs to the
        // first bin.
        let place = (millionths * self.bins.len() as u64).div_ceil(MILLION).saturating_sub(1);
        let bin = &mut self.bins[place as usize];
        *bin = [bin[0] + 1, bin[1] + u64::from(right), bin[2] + millionths];
        // Both factors are at most 1e6, so the product fits.
        let error = if right { MILLION - millionths } else { millionths };
        let sum = self.squared.checked_add(error * error);
        let column = "squared".to_owned();
        let range =
            InputErrorKind::CountRange { column, left: self.squared, operation: '+', right: error * error };
        self.squared = sum.ok_or(range)?;
        Ok(())
    }
}

fn millionths(confidence: f64) -> Result<u64> {
    if let Some(confidence) = Scale::UNIT.nearest(confidence) {
        return Ok((confidence * MILLION as f64).round_ties_even() as u64);
    }
    Err(InputError::limit("a confidence", confidence, "from 0 to 1"))
}

impl CalibrationError {
    /// Creates the calibration metric with `bins` bins of confidence of equal width.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] if there is no bin, or more than 10,000.
    pub fn new(of: CalibrationOf, bins: usize) -> Result<Self, ConfigError> {
        Ok(CalibrationError { of, bins: CalibrationError::OPTION.bins.check(bins)?, given: false })
    }

    /// Makes the metric read from the data whether each word is right, instead of comparing the words with
    /// references.
    #[must_use]
    pub fn of_given(self) -> Self {
        CalibrationError { given: true, ..self }
    }

    fn value(&self, stats: &CalibrationStats) -> Result<f64> {
        let value = match self.of {
            CalibrationOf::Ece => stats.ece(),
            CalibrationOf::Brier => stats.brier(),
        };
        value.ok_or_else(|| InputError::no_score("ece", "no word has a confidence"))
    }
}

/// Adds the confidences of a segment's words; the alignment with the reference decides which words are right.
fn add_words(
    aligner: &mut Aligner,
    stats: &mut CalibrationStats,
    words: &[(&str, f64)],
    reference: &str,
) -> Result<()> {
    let reference: Vec<&str> = whitespace::split(reference).collect();
    // Recognizers that write subwords, such as Whisper, put the blank before a word into the word.
    let hypothesis: Vec<&str> = words.iter().map(|(word, _)| whitespace::strip(word)).collect();
    let aligned = aligner.align(AlignmentRule::Jiwer, &reference, &hypothesis)?;
    stats.deletions += aligned.counts().deletions;
    for chunk in aligned.chunks {
        let right = chunk.operation == EditOperation::Hit;
        words[chunk.hypothesis].iter().try_for_each(|&(_, confidence)| stats.add(confidence, right))?;
    }
    Ok(())
}

impl Metric for CalibrationError {
    type Stats = CalibrationStats;
    type Score = PlainScore;
    type Scratch = Aligner;

    fn identity(&self) -> Identity {
        let identity = self
            .add_to_identity(Identity::new("ece", 1, Scale::lower_is_better(0.0, 1.0)))
            .headed(if self.of == CalibrationOf::Ece { "ECE" } else { "Brier" })
            .for_form::<WordConfidences>();
        if self.given {
            identity.reference_free()
        } else {
            identity.needing(|needs| needs.one_reference = true)
        }
    }

    fn zero(&self) -> CalibrationStats {
        CalibrationStats { bins: vec![[0; 3]; self.bins], ..CalibrationStats::default() }
    }

    fn finalize(&self, stats: &CalibrationStats, _: &SegmentCounts) -> Result<PlainScore> {
        let words = stats.words();
        let confidence = quotient(stats.sum(2), words).map(|mean| mean / MILLION as f64);
        let score = numbers(
            PlainScore::new(self.value(stats)?),
            [
                ("ece", stats.ece()),
                ("brier", stats.brier()),
                ("accuracy", quotient(stats.sum(1), words)),
                ("confidence", confidence),
            ],
        );
        let score = score.with_count("words", words).with_count("deletions", stats.deletions);
        // An empty bin has no point on the reliability curve.
        let point = |&[words, right, confidence]: &[u64; 3]| {
            Some((quotient(confidence, words)? / MILLION as f64, quotient(right, words)?))
        };
        let points = stats.bins.iter().filter_map(point).collect();
        Ok(hidden(score, "reliability".to_owned(), PartValue::Points(points)))
    }

    fn number(&self, stats: &CalibrationStats, _: &SegmentCounts) -> Result<f64> {
        self.value(stats)
    }

    fn check(&self, stats: &CalibrationStats, counts: &SegmentCounts) -> Result<()> {
        // Bins of another number cannot be merged, so such a state is rejected before its sums are read.
        if stats.bins.len() != self.bins {
            return Err(InputError::row_length(3 * self.bins + 2, 3 * stats.bins.len() + 2));
        }
        stats.check_bounds(counts)
    }
}

impl<C: ?Sized> Observe<WordConfidences, String, C> for CalibrationError {
    fn observe(
        &self,
        aligner: &mut Aligner,
        stats: &mut CalibrationStats,
        segment: Segment<'_, WordConfidences, String, C>,
    ) -> Result<()> {
        let mut one = self.zero();
        let mut words = Vec::new();
        let WordConfidences(items) = segment.hypothesis;
        for item in items {
            match item {
                WordConfidence::Word(word, confidence) if !self.given => words.push((&**word, *confidence)),
                WordConfidence::Known(confidence, right) if self.given => one.add(*confidence, *right)?,
                WordConfidence::Word(..) => {
                    return Err(InputError::malformed(
                        "with right=given each item is [confidence, right], not a word",
                    ));
                }
                WordConfidence::Known(..) => {
                    return Err(InputError::malformed(
                        "[confidence, right] needs right=given; without it each item is [word, confidence]",
                    ));
                }
            }
        }
        if !self.given {
            add_words(aligner, &mut one, &words, segment.one_reference("ece")?)?;
        }
        stats.merge(&one)
    }
}

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "ece",
    "Expected calibration error and Brier score of confidences of words",
    |options: &MetricOptions| {
        Ok(AnyMetric::for_own::<WordConfidences, _>(CalibrationError::from_options(options)?))
    },
)
.presets(&[Preset {
    name: "brier",
    options: &[("ece-of", "brier")],
    summary: "The Brier score of confidences",
}])
.papers(&[crate::paper("naeini-etal-2015-obtaining"), crate::paper("brier-1950-verification")])
.options(CalibrationError::SPECS)
.example(r#"{"hypothesis": [["the", 0.9], ["cap", 0.3]], "reference": "the cat"}"#);
