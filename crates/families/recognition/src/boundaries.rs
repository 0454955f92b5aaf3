//! Times of words: how far the start and end times of recognized words are from the reference times.
//!
//! ```text
//! mean = Σ over right words of (|start difference| + |end difference|) / (2 · right words), in ms
//! ```
//!
//! Right words are words that jiwer's alignment pairs with an equal word. Times are whole microseconds, so
//! sums merge exactly. The score also reports the means of starts and of ends, and the shares of both that
//! are at most 50 and 200 ms away. It also has the numbers of right words and of reference words. A mean over
//! few right words describes only the easy ones.
//!
//! | singular case | result |
//! |---|---|
//! | no right word | no score |
//! | a time that is NaN, infinite or beyond 1e7 s | error |
//! | an end before its start | counts: each border is compared with the same border of the reference |
//! | several references, no reference | error |
//!
//! The range is from 0, lower is better. The numbers follow the definition. The running time is the time to
//! align the words.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_recognition::{Boundaries, Edge, TimedWords};
//!
//! let timed = |text| serde_json::from_str::<TimedWords>(text).unwrap();
//! let mut mean = Accumulator::<_, TimedWords>::new(Boundaries::new(Edge::Both));
//! let reference = timed(r#"[["the", 0.0, 0.3], ["cat", 0.4, 0.7]]"#);
//! mean.push(&timed(r#"[["the", 0.1, 0.3], ["cad", 0.5, 0.9]]"#), &[&reference]).unwrap();
//! assert_eq!(mean.score().unwrap().value(), 50.0);
//! ```

use bleuprint_core::{
    Form, Identity, InputError, Metric, Observe, PlainScore, Result, Scale, Segment, SegmentCounts,
    Stats as _, columns,
};
use bleuprint_metrics::edit::{Aligner, AlignmentRule, EditOperation};
use bleuprint_registry::{AnyMetric, MetricEntry, Opt, settings};
use bleuprint_text::whitespace::strip;
use serde::Deserialize;

use crate::quotients::{numbers, quotient};

/// Recognized words with start and end times in seconds. In JSON it is an array of `[word, start, end]`, or
/// of objects with these keys.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(transparent)]
pub struct TimedWords(Vec<TimedWord>);

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(from = "BoundaryItem")]
struct TimedWord {
    word: String,
    times: [f64; 2],
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "[word, start, end], or an object with word, start and end")]
enum BoundaryItem {
    List(String, f64, f64),
    Object { word: String, start: f64, end: f64 },
}

impl From<BoundaryItem> for TimedWord {
    fn from(item: BoundaryItem) -> Self {
        let (BoundaryItem::List(word, start, end) | BoundaryItem::Object { word, start, end }) = item;
        TimedWord { word, times: [start, end] }
    }
}

impl Form for TimedWords {
    const NAME: &'static str = "timed-words";
    type Reference = Self;
    type Source = Self;
}

/// Choice of the word times (starts, ends or both) whose mean distance from the reference is the score.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Edge {
    /// The start and end times of words: the score is the mean distance of both from the reference times.
    #[default]
    Both,
    /// The start times of words only: the score is their mean distance from the reference times.
    Start,
    /// The end times of words only: the score is their mean distance from the reference times.
    End,
}

bleuprint_core::choice!(Edge: Both "both", Start "start", End "end");

settings! {
    /// Metric: mean distance in milliseconds of the start and end times of recognized words from the reference
    /// times.
    #[derive(Copy, Eq)]
    pub struct Boundaries {
        /// The borders whose mean distance is the score: both, start or end
        edge: Edge = Opt::choice("boundaries-of").finished("of", "of");
    }
}

columns! {
    /// Sums of the time distances between correctly recognized words and reference words, in microseconds,
    /// and numbers of words.
    pub struct BoundaryTimes {
        /// Number of hypothesis words that are aligned with an equal reference word.
        words <= ref_len,
        /// Sum of the distances in microseconds between the start times of aligned equal words.
        start,
        /// Sum of the distances in microseconds between the end times of aligned equal words.
        end,
        /// Number of start and end times of words that are at most 50 ms away from the reference time.
        within_50 <= within_200,
        /// Number of start and end times of words that are at most 200 ms away from the reference time.
        within_200,
        /// Number of words of the references.
        ref_len
    }
}

fn microseconds(seconds: f64) -> Result<i64> {
    // At most 1e13 microseconds, so a difference of two times fits in i64, and a sum over many words in u64.
    const MOST: f64 = 1e7;
    if seconds.abs() <= MOST {
        return Ok((seconds * 1e6).round_ties_even() as i64);
    }
    Err(InputError::limit("the time of a word", seconds, format!("at most {MOST} seconds")))
}

impl BoundaryTimes {
    fn add(&mut self, own: &[i64; 2], other: &[i64; 2]) {
        let [start, end] = [0, 1].map(|at| own[at].abs_diff(other[at]));
        let within = |limit: u64| [start, end].iter().filter(|distance| **distance <= limit).count() as u64;
        self.words += 1;
        self.start += start;
        self.end += end;
        self.within_50 += within(50_000);
        self.within_200 += within(200_000);
    }

    /// Returns the mean distance, in milliseconds, of the word times that `edge` selects from the reference
    /// times. Returns `None` if no word is recognized correctly.
    fn mean(&self, edge: Edge) -> Option<f64> {
        let (sum, borders) = match edge {
            Edge::Both => (self.start.saturating_add(self.end), self.words.saturating_mul(2)),
            Edge::Start => (self.start, self.words),
            Edge::End => (self.end, self.words),
        };
        quotient(sum, borders).map(|mean| mean / 1e3)
    }
}

impl Boundaries {
    /// Creates the metric of the mean distance of word times from the reference times: start times, end times
    /// or both.
    pub fn new(edge: Edge) -> Self {
        Boundaries { edge }
    }

    fn value(self, stats: &BoundaryTimes) -> Result<f64> {
        let mean = stats.mean(self.edge);
        mean.ok_or_else(|| InputError::no_score("boundaries", "no word is right"))
    }
}

impl Metric for Boundaries {
    type Stats = BoundaryTimes;
    type Score = PlainScore;
    type Scratch = Aligner;

    fn identity(&self) -> Identity {
        self.add_to_identity(Identity::new("boundaries", 1, Scale::lower_is_better(0.0, f64::INFINITY)))
            .headed("border ms")
            .needing(|needs| needs.one_reference = true)
            .for_form::<TimedWords>()
    }

    fn finalize(&self, stats: &BoundaryTimes, _: &SegmentCounts) -> Result<PlainScore> {
        let borders = stats.words.saturating_mul(2);
        let parts = [
            ("start_ms", stats.mean(Edge::Start)),
            ("end_ms", stats.mean(Edge::End)),
            ("within_50", quotient(stats.within_50, borders)),
            ("within_200", quotient(stats.within_200, borders)),
        ];
        let score = numbers(PlainScore::new(self.value(stats)?), parts);
        Ok(score.with_count("words", stats.words).with_count("ref_len", stats.ref_len))
    }

    fn number(&self, stats: &BoundaryTimes, _: &SegmentCounts) -> Result<f64> {
        self.value(stats)
    }

    fn check(&self, stats: &BoundaryTimes, counts: &SegmentCounts) -> Result<()> {
        stats.check(counts)?;
        // Every right word has two borders. The declared bounds of columns cannot express this factor.
        let borders = stats.words.saturating_mul(2);
        InputError::require_at_most("borders within 200 ms", stats.within_200, "borders", borders)
    }
}

impl<C: ?Sized> Observe<TimedWords, TimedWords, C> for Boundaries {
    fn observe(
        &self,
        aligner: &mut Aligner,
        stats: &mut BoundaryTimes,
        segment: Segment<'_, TimedWords, TimedWords, C>,
    ) -> Result<()> {
        // Recognizers that write subwords, such as Whisper, put the blank before a word into the word.
        let sides = [segment.one_reference("boundaries")?, segment.hypothesis];
        let words =
            sides.map(|TimedWords(words)| words.iter().map(|one| strip(&one.word)).collect::<Vec<&str>>());
        let times = |TimedWords(words): &TimedWords| -> Result<Vec<[i64; 2]>> {
            let both = |one: &TimedWord| Ok([microseconds(one.times[0])?, microseconds(one.times[1])?]);
            words.iter().map(both).collect()
        };
        let own = times(sides[0])?;
        let other = times(sides[1])?;
        let mut one = BoundaryTimes { ref_len: own.len() as u64, ..BoundaryTimes::default() };
        for chunk in aligner.align(AlignmentRule::Jiwer, &words[0], &words[1])?.chunks {
            if chunk.operation == EditOperation::Hit {
                let pairs = own[chunk.reference].iter().zip(&other[chunk.hypothesis]);
                pairs.for_each(|(own, other)| one.add(own, other));
            }
        }
        stats.merge(&one)
    }
}

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "boundaries",
    "The mean distance of starts and ends of words, in milliseconds",
    |options| Ok(AnyMetric::for_own::<TimedWords, _>(Boundaries::from_options(options)?)),
)
.options(Boundaries::SPECS)
.papers(&[crate::paper("mcauliffe-etal-2017-montreal")])
.example(r#"{"hypothesis": [["cat", 0.2, 0.6]], "reference": [["cat", 0.25, 0.6]]}"#);
