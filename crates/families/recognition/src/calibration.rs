//! Calibration of confidences: whether of the words with confidence 0.8 eight in ten are right.
//!
//! ```text
//! ECE   = Σ over bins of |right words - Σ confidences| / N          B equal bins: (k/B, (k+1)/B], and 0 in the first
//! Brier = Σ (confidence - right)² / N                               right is 1 or 0
//! ```
//!
//! A word is right if jiwer's alignment pairs it with an equal word of the reference; with `right=given` the record says so itself, for
//! anything that is right or wrong. Confidences are whole millionths, so bins merge exactly. Deleted words have no confidence: their number is a part of the score.
//!
//! | singular case | result |
//! |---|---|
//! | no word with a confidence | no score |
//! | a confidence that is NaN, below 0 or above 1 | error |
//! | words without a reference, several references | error |
//!
//! Range 0 to 1, lower is better. Sources: Naeini et al. 2015, Brier 1950; numbers are those of the definition. Time is that of the
//! alignment.
//!
//! ```
//! use bleuprint_core::{Accumulator, Segment};
//! use bleuprint_recognition::{Calibration, CalibrationOf, Confidence, Confidences};
//!
//! let mut ece = Accumulator::<_, Confidences, String>::new(Calibration::new(CalibrationOf::Ece, 10).unwrap());
//! let words = Confidences(vec![Confidence::Word("the".into(), 0.9), Confidence::Word("cad".into(), 0.4)]);
//! ece.push_segment(Segment::of(&words, &[&"the cat".to_owned()], None)).unwrap();
//! assert_eq!(ece.score().unwrap().value(), 0.25);
//! ```

use std::fmt::Display;

use bleuprint_core::{
    ConfigError, Form, Identity, InputError, InputErrorKind, Linear, Metric, Observe, PartValue, PlainScore,
    Result, Scale, Segment, SegmentCounts, Stats as _,
};
use bleuprint_metrics::edit::{Aligner, AlignmentRule, Operation};
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Opt, Preset};
use bleuprint_text::whitespace;
use serde::{Deserialize, Serialize};

use crate::quotients::{hidden, numbers, quotient};

/// Parts of a whole confidence.
const MILLION: u64 = 1_000_000;
const MOST_BINS: usize = 10_000;

/// The words of a segment with their confidences: in JSON an array of `[word, confidence]`, `[confidence, right]` or objects of
/// `word` and `confidence`. The reference is a text.
///
/// ```
/// use bleuprint_recognition::{Confidence, Confidences};
/// let read: Confidences = serde_json::from_str(r#"[["a", 0.5], [1, false], {"word": "b", "confidence": 0.25}]"#).unwrap();
/// assert_eq!(read.0[1], Confidence::Known(1.0, false));
/// assert_eq!(read.0[2], Confidence::Word("b".into(), 0.25));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(transparent)]
#[expect(clippy::exhaustive_structs, reason = "closed: the confidences, and nothing else")]
pub struct Confidences(pub Vec<Confidence>);

/// One confidence.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(from = "Item")]
#[non_exhaustive]
pub enum Confidence {
    /// Of a word, which is compared with the reference.
    Word(String, f64),
    /// Of something that is known to be right or wrong.
    Known(f64, bool),
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "[word, confidence], [confidence, right], or an object with word and confidence"
)]
enum Item {
    Word(String, f64),
    Known(f64, bool),
    Object {
        word: String,
        #[serde(alias = "probability")]
        confidence: f64,
    },
}

impl From<Item> for Confidence {
    fn from(item: Item) -> Self {
        match item {
            Item::Word(word, confidence) | Item::Object { word, confidence } => {
                Confidence::Word(word, confidence)
            }
            Item::Known(confidence, right) => Confidence::Known(confidence, right),
        }
    }
}

impl Form for Confidences {
    const NAME: &'static str = "confidences";
    type Reference = String;
    type Source = Self;
}

/// The number that is the score; the other is a part.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CalibrationOf {
    /// The expected calibration error.
    #[default]
    Ece,
    /// The Brier score.
    Brier,
}

bleuprint_core::choice!(CalibrationOf: Ece "ece", Brier "brier");

/// The metric.
#[derive(Debug, Clone)]
pub struct Calibration {
    of: CalibrationOf,
    bins: usize,
    /// Whether the data say themselves what is right.
    given: bool,
}

/// Words, right words and the sum of confidences in millionths for each bin; the sum of squared errors in millionths of
/// millionths; deleted words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct CalibrationStats {
    /// Words, right words, and millionths, of each bin.
    pub bins: Vec<[u64; 3]>,
    /// The sum of squared errors.
    pub squared: u64,
    /// Words of references without a word in their place.
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
        // The bin whose upper limit is the first that is not below; 0 is in the first.
        let place = (millionths * self.bins.len() as u64).div_ceil(MILLION).saturating_sub(1);
        let bin = &mut self.bins[place as usize];
        *bin = [bin[0] + 1, bin[1] + u64::from(right), bin[2] + millionths];
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
    if (0.0..=1.0).contains(&confidence) {
        return Ok((confidence * MILLION as f64).round_ties_even() as u64);
    }
    Err(InputError::limit("a confidence", confidence, "from 0 to 1"))
}

impl Calibration {
    /// The number over this number of bins.
    ///
    /// # Errors
    /// [`ConfigError::OutOfRange`] for no bin, or more than 10,000.
    pub fn new(of: CalibrationOf, bins: usize) -> Result<Self, ConfigError> {
        Ok(Calibration { of, bins: BINS.check(bins)?, given: false })
    }

    /// The same for data that say themselves what is right, without references.
    #[must_use]
    pub fn of_given(self) -> Self {
        Calibration { given: true, ..self }
    }

    fn value(&self, stats: &CalibrationStats) -> Result<f64> {
        let value = match self.of {
            CalibrationOf::Ece => stats.ece(),
            CalibrationOf::Brier => stats.brier(),
        };
        value.ok_or_else(|| InputError::no_score("ece", "no word has a confidence"))
    }
}

/// Adds words, which the reference judges.
fn add_words(
    aligner: &mut Aligner,
    stats: &mut CalibrationStats,
    words: &[(&str, f64)],
    reference: &str,
) -> Result<()> {
    let reference: Vec<&str> = whitespace::split(reference).collect();
    let hypothesis: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    let aligned = aligner.align(AlignmentRule::Jiwer, &reference, &hypothesis)?;
    stats.deletions += aligned.counts().deletions;
    for chunk in aligned.chunks {
        let right = chunk.operation == Operation::Hit;
        words[chunk.hypothesis].iter().try_for_each(|&(_, confidence)| stats.add(confidence, right))?;
    }
    Ok(())
}

impl Metric for Calibration {
    type Stats = CalibrationStats;
    type Score = PlainScore;
    type Scratch = Aligner;

    fn identity(&self) -> Identity {
        let identity = Identity::new("ece", 1, Scale::lower_is_better(0.0, 1.0))
            .headed(if self.of == CalibrationOf::Ece { "ECE" } else { "Brier" })
            .option(BINS, self.bins)
            .option(RIGHT, if self.given { "given" } else { "aligned" })
            .option(OF, self.of)
            .over_form::<Confidences>();
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
        if stats.bins.len() != self.bins {
            return Err(InputError::row_length(3 * self.bins + 2, 3 * stats.bins.len() + 2));
        }
        stats.check_bounds(counts)
    }
}

impl<C: ?Sized> Observe<Confidences, String, C> for Calibration {
    fn observe(
        &self,
        aligner: &mut Aligner,
        stats: &mut CalibrationStats,
        segment: Segment<'_, Confidences, String, C>,
    ) -> Result<()> {
        let (mut one, mut words) = (self.zero(), Vec::new());
        let Confidences(items) = segment.hypothesis;
        for item in items {
            match item {
                Confidence::Word(word, confidence) if !self.given => words.push((&**word, *confidence)),
                Confidence::Known(confidence, right) if self.given => one.add(*confidence, *right)?,
                Confidence::Word(..) => {
                    return Err(InputError::malformed("right=given takes [confidence, right], not words"));
                }
                Confidence::Known(..) => {
                    return Err(InputError::malformed(
                        "[confidence, right] is for right=given, not for words",
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

const BINS: Opt<usize> = Opt::integer("ece-bins", 10)
    .limits(1, MOST_BINS as u64)
    .counted("bins", "bins")
    .help("The number of bins of equal width");

const RIGHT: Opt<&str> = Opt::word("ece-right", &["aligned", "given"], "aligned")
    .counted("right", "right")
    .unless_default()
    .help("Right words are aligned with an equal word of the reference, or given with their confidence");

const OF: Opt<CalibrationOf> =
    Opt::choice("ece-of").finished("of", "of").help("The number that is the score");

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "ece",
    "Expected calibration error and Brier score of confidences of words",
    |options: &MetricOptions| {
        let metric = Calibration::new(OF.of(options)?, BINS.of(options)?)?;
        let metric = if RIGHT.of(options)? == "given" { metric.of_given() } else { metric };
        Ok(AnyMetric::over_own::<Confidences, _>(metric))
    },
)
.presets(&[Preset {
    name: "brier",
    options: &[("ece-of", "brier")],
    summary: "The Brier score of confidences",
}])
.papers(&[crate::paper("naeini-etal-2015-obtaining"), crate::paper("brier-1950-verification")])
.options(&[BINS.spec, RIGHT.spec, OF.spec]);
