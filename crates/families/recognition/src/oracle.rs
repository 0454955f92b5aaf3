//! Oracle WER: the word error rate of the best among several hypotheses of a recognizer for each segment.
//!
//! ```text
//! oracle@k = Σ over segments of the fewest edits of the first k hypotheses / Σ words of references
//! ```
//!
//! A segment with fewer than k hypotheses uses all of them. Words are separated by white space. One state can
//! be scored at every k.
//!
//! | singular case | result |
//! |---|---|
//! | no hypothesis | all words are deleted, and the segment is counted in `empty` |
//! | no word in the references | no score |
//! | more than 10,000 hypotheses | error |
//! | several references, no reference | error |
//!
//! The range is from 0, lower is better; oracle@k never rises with k. The numbers equal `--oracle-wer` of
//! texterrors 1.1.9, which fails if there is no hypothesis. The running time is the time to count the edits
//! of every hypothesis.
//!
//! ```
//! use bleuprint_core::{Accumulator, Segment};
//! use bleuprint_recognition::{RankedHypotheses, OracleWer};
//!
//! let mut oracle = Accumulator::<_, RankedHypotheses, String>::new(OracleWer::new(None));
//! let list = RankedHypotheses::from(["the cat sad", "the cat sat"]);
//! oracle.push_segment(Segment::with_source(&list, &[&"the cat sat".to_owned()], None)).unwrap();
//! assert_eq!(oracle.score().unwrap().value(), 0.0);
//! ```

use bleuprint_core::{
    ConfigError, Form, Identity, InputError, InputErrorKind, Metric, Observe, PartValue, PlainScore, Result,
    Scale, Segment, SegmentCounts, Stats,
};
use bleuprint_metrics::PairTables;
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Opt, settings};
use bleuprint_text::whitespace;
use serde::{Deserialize, Serialize};

use crate::quotients::{hidden, quotient};

/// Largest number of hypotheses that a recognizer may give for one segment.
const MOST: usize = 10_000;

/// Hypotheses of a segment, most likely first. In JSON it is an array of texts; the reference is a text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
#[expect(clippy::exhaustive_structs, reason = "closed: the hypotheses, and nothing else")]
pub struct RankedHypotheses(pub Vec<String>);

impl<T: Into<String>, const N: usize> From<[T; N]> for RankedHypotheses {
    fn from(texts: [T; N]) -> Self {
        RankedHypotheses(texts.into_iter().map(Into::into).collect())
    }
}

impl Form for RankedHypotheses {
    const NAME: &'static str = "hypotheses";
    type Reference = String;
    type Source = Self;
}

settings! {
    /// Metric: word error rate of the best of the first `k` hypotheses of each segment.
    pub struct OracleWer {
        /// The number of hypotheses of which the best counts
        k: Option<u64> = Opt::optional_integer("oracle-wer-k", "all").limits(1, MOST as u64).finished("k", "k");
    }
}

/// Number of reference words, and sums over segments of the fewest edits among the first 1, 2, .. hypotheses.
///
/// For k above the largest number of hypotheses, the sum stays the same. States of different lengths can
/// therefore be merged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OracleStats {
    words: u64,
    empty: u64,
    edits: Vec<u64>,
}

impl OracleStats {
    /// Returns the sum over segments of the edits of the best among the first `k` hypotheses.
    fn edits(&self, k: usize) -> u64 {
        let last = self.edits.len().min(k).checked_sub(1);
        last.and_then(|last| self.edits.get(last)).copied().unwrap_or_default()
    }
}

/// Merges counts of words and edits; changes nothing if a sum overflows.
impl Stats for OracleStats {
    fn merge(&mut self, other: &Self) -> Result<()> {
        let plus = |name: &str, left: u64, right: u64| {
            let column = name.to_owned();
            let wrong = InputErrorKind::CountRange { column, left, operation: '+', right };
            left.checked_add(right).ok_or(wrong)
        };
        let length = self.edits.len().max(other.edits.len());
        let edits = (1..=length).map(|k| plus("edits", self.edits(k), other.edits(k)));
        *self = OracleStats {
            words: plus("words", self.words, other.words)?,
            empty: plus("empty", self.empty, other.empty)?,
            edits: edits.collect::<Result<_, _>>()?,
        };
        Ok(())
    }

    fn check(&self, counts: &SegmentCounts) -> Result<()> {
        let wrong = |message: &str| Err(InputError::malformed_state(message));
        InputError::require_at_most("empty lists", self.empty, "segments", counts.segments)?;
        // A running minimum can only fall, so a rising list was not written by this metric.
        if self.edits.len() > MOST || !self.edits.is_sorted_by(|one, next| one >= next) {
            return wrong(
                "edits for more than 10,000 hypotheses, or edits that rise with the number of hypotheses",
            );
        }
        if counts.segments == 0 && *self != OracleStats::default() {
            return wrong("there are words or edits, but no segment");
        }
        if counts.segments > 0 && self.edits.is_empty() {
            return wrong("there are segments, but no edits");
        }
        Ok(())
    }
}

impl OracleWer {
    /// Creates the metric of the word error rate of the best hypothesis among several for each segment. It
    /// considers a segment's first `k` hypotheses, or all with `None`.
    pub fn new(k: Option<u64>) -> Self {
        OracleWer { k }
    }

    fn value(&self, stats: &OracleStats) -> Result<f64> {
        // Any number above the longest list means all hypotheses, because the last entry is repeated.
        let k = self.k.map_or(MOST, |k| k as usize);
        let value = quotient(stats.edits(k), stats.words);
        value.ok_or_else(|| InputError::no_score("oracle_wer", "the references have no word"))
    }
}

impl Metric for OracleWer {
    type Stats = OracleStats;
    type Score = PlainScore;
    type Scratch = PairTables;

    fn identity(&self) -> Identity {
        self.add_to_identity(Identity::new("oracle_wer", 1, Scale::ERROR_RATE))
            .headed("oracle WER")
            .needing(|needs| needs.one_reference = true)
            .for_form::<RankedHypotheses>()
    }

    fn finalize(&self, stats: &OracleStats, _: &SegmentCounts) -> Result<PlainScore> {
        let score = PlainScore::new(self.value(stats)?).with_count("words", stats.words);
        let score = match stats.empty {
            0 => score,
            empty => score.with_count("empty", empty),
        };
        let at = |k: usize| Some((k as f64, quotient(stats.edits(k), stats.words)?));
        let points = (1..=stats.edits.len()).filter_map(at).collect();
        Ok(hidden(score, "curve".to_owned(), PartValue::Points(points)))
    }

    fn number(&self, stats: &OracleStats, _: &SegmentCounts) -> Result<f64> {
        self.value(stats)
    }
}

impl<C: ?Sized> Observe<RankedHypotheses, String, C> for OracleWer {
    fn observe(
        &self,
        tables: &mut PairTables,
        stats: &mut OracleStats,
        segment: Segment<'_, RankedHypotheses, String, C>,
    ) -> Result<()> {
        let RankedHypotheses(list) = segment.hypothesis;
        if list.len() > MOST {
            return Err(InputError::limit(
                "the number of hypotheses of a segment",
                list.len(),
                format!("at most {MOST}"),
            ));
        }
        let reference: Vec<&str> = whitespace::split(segment.one_reference("oracle_wer")?).collect();
        // The running minimum makes the list fall with k, so one state serves every k.
        let mut edits = Vec::with_capacity(list.len().max(1));
        let mut least = u64::MAX;
        for hypothesis in list {
            let words: Vec<&str> = whitespace::split(hypothesis).collect();
            least = least.min(tables.edits(&words, &reference)?);
            edits.push(least);
        }
        // An empty list deletes all words. texterrors fails here.
        if list.is_empty() {
            edits.push(reference.len() as u64);
        }
        let words = reference.len() as u64;
        let empty = list.is_empty().into();
        stats.merge(&OracleStats { words, empty, edits })
    }
}

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "oracle_wer",
    "The word error rate of the best of n hypotheses",
    |options: &MetricOptions| -> Result<AnyMetric, ConfigError> {
        Ok(AnyMetric::for_own::<RankedHypotheses, _>(OracleWer::from_options(options)?))
    },
)
.agrees_with("texterrors 1.1.9")
.options(OracleWer::SPECS)
.papers(&[crate::paper("ostendorf-etal-1991-integration")])
.example(r#"{"hypothesis": ["the cap", "the cat"], "reference": "the cat sat"}"#);
