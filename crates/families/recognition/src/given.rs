//! Recall of given spans of references, such as marked entities.
//!
//! ```text
//! recall = hits / spans          of the spans of a label, or of all
//! ```
//!
//! A span is `[start, end, label]` in words of the reference, without the word at `end`, and is given in the
//! source of its segment. It is a hit if all its words are aligned with equal, consecutive words of the
//! hypothesis. Hypotheses have no spans, so there is no precision.
//!
//! | singular case | result |
//! |---|---|
//! | no span, or none with the label | no score |
//! | a span without words, or beyond the reference | error |
//! | several references, no reference, no source | error |
//!
//! The range is 0 to 1, higher is better. The definition is this crate's. Words are separated by white space.
//! The running time is the time to align the words.
//!
//! ```
//! use bleuprint_core::{Accumulator, Segment};
//! use bleuprint_recognition::{AlignmentProgram, SpanRecall, SpokenText, Spans};
//!
//! let mut recall = Accumulator::<_, SpokenText, String, Spans>::new(SpanRecall::new(None, AlignmentProgram::Jiwer));
//! let (heard, reference) = (SpokenText("an saw new york".to_owned()), "ann saw new york".to_owned());
//! let spans = vec![(0, 1, "person".to_owned()), (2, 4, "place".to_owned())];
//! recall.push_segment(Segment::with_source(&heard, &[&reference], Some(&spans))).unwrap();
//! assert_eq!(recall.score().unwrap().value(), 0.5);
//! ```

use bleuprint_core::{
    Form, Identity, InputError, Metric, Observe, PlainScore, Quotient, Result, Scale, Segment, SegmentCounts,
    Stats as _, columns,
};
use bleuprint_registry::{AnyMetric, MetricEntry, Opt, settings};
use bleuprint_text::whitespace;
use serde::Deserialize;

use crate::AlignmentProgram;
use crate::like::{AlignTables, LIKE, run_of};
use crate::quotients::{numbers, quotient};

/// Text of a hypothesis, for a metric whose references have marked spans.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
#[expect(clippy::exhaustive_structs, reason = "closed: a text")]
pub struct SpokenText(pub String);

/// Start, end and label of each span; start and end are word positions in the reference, and the end is
/// excluded.
pub type Spans = Vec<(usize, usize, String)>;

impl Form for SpokenText {
    const NAME: &'static str = "spoken-text";
    type Reference = String;
    type Source = Spans;
}

settings! {
    /// Metric: share of the marked spans of references whose words are recognized.
    pub struct SpanRecall {
        like: AlignmentProgram = LIKE;
        /// The label whose spans are counted
        label: Option<String> = Opt::name("span-recall-label", "all").counted("label", "label");
    }
    in help: label, like;
}

columns! {
    /// Numbers of marked spans in the references, and of spans that the hypotheses recognize.
    pub struct SpanHits {
        /// Number of marked spans in the references.
        spans,
        /// Number of marked spans whose words the hypothesis has, in consecutive positions.
        hits <= spans
    }
}

impl SpanRecall {
    /// Creates the metric of the share of marked reference spans that are recognized, for the spans with this
    /// label or for all spans. `like` is the program whose word alignment is used.
    pub fn new(label: Option<String>, like: AlignmentProgram) -> Self {
        SpanRecall { label, like }
    }

    fn value(stats: &SpanHits) -> Result<f64> {
        quotient(stats.hits, stats.spans)
            .ok_or_else(|| InputError::no_score("span_recall", "the references have no span that counts"))
    }
}

impl Metric for SpanRecall {
    type Stats = SpanHits;
    type Score = PlainScore;
    type Scratch = AlignTables;

    fn identity(&self) -> Identity {
        self.add_to_identity(Identity::new("span_recall", 1, Scale::UNIT))
            .headed("span recall")
            .needing(|needs| (needs.one_reference, needs.source) = (true, true))
            .for_form::<SpokenText>()
    }

    fn finalize(&self, stats: &SpanHits, _: &SegmentCounts) -> Result<PlainScore> {
        let score = PlainScore::new(SpanRecall::value(stats)?);
        let error = quotient(stats.spans.saturating_sub(stats.hits), stats.spans);
        Ok(numbers(score, [("error", error)]).with_count("spans", stats.spans).with_count("hits", stats.hits))
    }

    fn quotient(&self) -> Option<Quotient> {
        Some(Quotient { numerator: &["hits"], denominator: &["spans"], factor: 1.0 })
    }

    fn number(&self, stats: &SpanHits, _: &SegmentCounts) -> Result<f64> {
        SpanRecall::value(stats)
    }
}

impl Observe<SpokenText, String, Spans> for SpanRecall {
    fn observe(
        &self,
        tables: &mut AlignTables,
        stats: &mut SpanHits,
        segment: Segment<'_, SpokenText, String, Spans>,
    ) -> Result<()> {
        let reference: Vec<&str> = whitespace::split(segment.one_reference("span_recall")?).collect();
        let hypothesis: Vec<&str> = whitespace::split(&segment.hypothesis.0).collect();
        let chunks = self.like.align(tables, &reference, &hypothesis)?;
        let mut one = SpanHits::default();
        for (start, end, label) in segment.source()? {
            if start >= end || *end > reference.len() {
                return Err(InputError::limit(
                    format!("the span [{start}, {end}] `{label}`"),
                    format_args!("{start} to {end}"),
                    format!("of a word or more, and at most [0, {}]", reference.len()),
                ));
            }
            // Every span is validated before labels are compared, so a broken span of another label is an
            // error too.
            if self.label.as_ref().is_none_or(|wanted| wanted == label) {
                one.spans += 1;
                one.hits += u64::from(run_of(&chunks, *start..*end).is_some());
            }
        }
        stats.merge(&one)
    }
}

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "span_recall",
    "Recall of given spans of references, such as marked entities",
    |options| Ok(AnyMetric::for_own::<SpokenText, _>(SpanRecall::from_options(options)?)),
)
.papers(&[crate::paper("makhoul-etal-1999-performance")])
.options(SpanRecall::SPECS)
.example(r#"{"hypothesis": "call an now", "reference": "call ann now", "source": [[1, 2, "name"], [2, 3, "time"]]}"#);
