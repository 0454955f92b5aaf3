//! Oracle WER: the word error rate of the best of the hypotheses of a recognizer.
//!
//! ```text
//! oracle@k = Σ over segments of the fewest edits of the first k hypotheses / Σ words of references
//! ```
//!
//! A segment with fewer than k hypotheses counts all of its own. Words are the pieces between white space. One state has the number
//! at every k.
//!
//! | singular case | result |
//! |---|---|
//! | no hypothesis | all words are deleted, and the segment is counted in `empty` |
//! | no word in the references | no score |
//! | more than 10,000 hypotheses | error |
//! | several references, no reference | error |
//!
//! Range from 0, lower is better; oracle@k never rises with k. Numbers as `--oracle-wer` of texterrors 1.1.9, which fails without a
//! hypothesis. Time is that of the edits of every hypothesis.
//!
//! ```
//! use bleuprint_core::{Accumulator, Segment};
//! use bleuprint_recognition::{Hypotheses, OracleWer};
//!
//! let mut oracle = Accumulator::<_, Hypotheses, String>::new(OracleWer::new(None));
//! let list = Hypotheses::from(["the cat sad", "the cat sat"]);
//! oracle.push_segment(Segment::of(&list, &[&"the cat sat".to_owned()], None)).unwrap();
//! assert_eq!(oracle.score().unwrap().value(), 0.0);
//! ```

use bleuprint_core::{
    ConfigError, Form, Identity, InputError, InputErrorKind, Metric, Observe, PartValue, PlainScore, Result,
    Scale, Segment, SegmentCounts, Stats,
};
use bleuprint_metrics::PairTables;
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Opt};
use bleuprint_text::whitespace;
use serde::{Deserialize, Serialize};

use crate::quotients::{hidden, quotient};

/// The most hypotheses of a segment.
const MOST: usize = 10_000;

/// The hypotheses of a segment, the likeliest first. In JSON an array of texts; the reference is a text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
#[expect(clippy::exhaustive_structs, reason = "closed: the hypotheses, and nothing else")]
pub struct Hypotheses(pub Vec<String>);

impl<T: Into<String>, const N: usize> From<[T; N]> for Hypotheses {
    fn from(texts: [T; N]) -> Self {
        Hypotheses(texts.into_iter().map(Into::into).collect())
    }
}

impl Form for Hypotheses {
    const NAME: &'static str = "hypotheses";
    type Reference = String;
    type Source = Self;
}

/// The metric.
#[derive(Debug, Clone, Default)]
pub struct OracleWer {
    k: Option<u64>,
}

/// The words of references, and the fewest edits of the first 1, 2, .. hypotheses.
///
/// Behind the last k all numbers are that of the last: so states of unlike lengths merge.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OracleStats {
    words: u64,
    empty: u64,
    edits: Vec<u64>,
}

impl OracleStats {
    /// The edits of the best of the first `k` hypotheses.
    fn edits(&self, k: usize) -> u64 {
        let last = self.edits.len().min(k).checked_sub(1);
        last.and_then(|last| self.edits.get(last)).copied().unwrap_or_default()
    }
}

/// All counts or none.
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
        if self.edits.len() > MOST || !self.edits.is_sorted_by(|one, next| one >= next) {
            return wrong("the edits of more than 10,000 hypotheses, or edits that rise with their number");
        }
        if counts.segments == 0 && *self != OracleStats::default() {
            return wrong("words or edits of no segment");
        }
        if counts.segments > 0 && self.edits.is_empty() {
            return wrong("segments without edits");
        }
        Ok(())
    }
}

impl OracleWer {
    /// The rate of the first `k` hypotheses, or of all.
    pub fn new(k: Option<u64>) -> Self {
        OracleWer { k }
    }

    fn value(&self, stats: &OracleStats) -> Result<f64> {
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
        Identity::new("oracle_wer", 1, Scale::ERROR_RATE)
            .headed("oracle WER")
            .option(K, self.k)
            .needing(|needs| needs.one_reference = true)
            .over_form::<Hypotheses>()
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

impl<C: ?Sized> Observe<Hypotheses, String, C> for OracleWer {
    fn observe(
        &self,
        tables: &mut PairTables,
        stats: &mut OracleStats,
        segment: Segment<'_, Hypotheses, String, C>,
    ) -> Result<()> {
        let Hypotheses(list) = segment.hypothesis;
        if list.len() > MOST {
            return Err(InputError::limit(
                "the number of hypotheses of a segment",
                list.len(),
                format!("at most {MOST}"),
            ));
        }
        let reference: Vec<&str> = whitespace::split(segment.one_reference("oracle_wer")?).collect();
        let (mut edits, mut least) = (Vec::with_capacity(list.len().max(1)), u64::MAX);
        for hypothesis in list {
            let words: Vec<&str> = whitespace::split(hypothesis).collect();
            least = least.min(tables.edits(&words, &reference)?);
            edits.push(least);
        }
        if list.is_empty() {
            edits.push(reference.len() as u64);
        }
        let (words, empty) = (reference.len() as u64, list.is_empty().into());
        stats.merge(&OracleStats { words, empty, edits })
    }
}

const K: Opt<Option<u64>> = Opt::optional_integer("oracle-wer-k", "all")
    .limits(1, MOST as u64)
    .finished("k", "k")
    .help("The number of hypotheses of which the best counts");

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "oracle_wer",
    "The word error rate of the best of n hypotheses",
    |options: &MetricOptions| -> Result<AnyMetric, ConfigError> {
        Ok(AnyMetric::over_own::<Hypotheses, _>(OracleWer::new(K.of(options)?)))
    },
)
.agrees_with("texterrors 1.1.9")
.options(&[K.spec])
.papers(&[crate::paper("ostendorf-etal-1991-integration")]);
