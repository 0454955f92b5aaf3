//! Metric over spans: precision, recall and F of entities, chunks and slots, with their types and both ends.
//!
//! ```text
//! P = right / predicted       R = right / gold       F = 2 · P · R / (P + R)         of spans; 0 if P and R are 0
//! micro = quotients of summed counts, the default;  macro, weighted = exact means over types, plain and by gold spans
//! ```
//!
//! A text is a sequence of tags `PREFIX-TYPE` or `O`, separated by white space, one for each token. Records
//! have lists of tags (`tags=list`), or spans (`tags=spans`: `[["PER", 0, 1]]`, both ends from 0 and
//! inclusive). Spans may overlap, and one side may be tags. A predicted span is right if the reference has a
//! span with the same type, first and last token. Tags are read as in conlleval and seqeval by default: every
//! tag is valid, and an `I` without a `B` begins a span. The default does not support BILOU: set the scheme
//! ([`Scheme`]). The patterns of strict schemes are seqeval's. In IOB1 and IOE1 these patterns lose spans
//! that the papers count, such as a single `E-X`.
//!
//! | singular case | result |
//! |---|---|
//! | no tags on both sides | adds nothing |
//! | no span on either side in all segments; weighted without spans in references | no score |
//! | no predicted span (P), or no reference span (R) | this number is 0, or 1 with `zero=1`; F is then computed from P and R |
//! | a tag without a type | the type `_` |
//! | different numbers of tags; a prefix outside a strict scheme; a type that is not declared; several references; a span twice in the reference, or after the last tag of the other side | error |
//! | a span twice in the hypothesis | the repetition is a false alarm |
//! | a word before tags, as in a row of CoNLL | error |
//!
//! With `match=strict`, `exact`, `partial` or `type` spans that overlap are pairs, as in SemEval 2013 (task 9.1): a
//! predicted span is paired with a span of the reference that no earlier one took: a right one, else the first that
//! it overlaps. `partial` counts pairs with other ends by half; counts are then in halves. The numbers equal those of
//! nervaluate 1.2.1.
//!
//! Range 0 to 1, higher is better. Source: seqeval 1.2.2, with the same spans and averages within 1e-15;
//! Tjong Kim Sang and De Meulder 2003 (CoNLL-2003). The statistics, three counts for each type, serve every
//! average. Time is linear.
//!
//! ```
//! use bleuprint_core::{Accumulator, Score};
//! use bleuprint_labels::{SpanOptions, Spans};
//!
//! let mut spans = Accumulator::<_, str>::new(Spans::new(SpanOptions::default()).unwrap());
//! // Two tokens of a name of three: most tags are right, and no span is.
//! spans.push("B-PER I-PER O O", &["B-PER I-PER I-PER O"]).unwrap();
//! assert_eq!(spans.score().unwrap().score.value(), 0.0);
//! spans.push("B-LOC O", &["B-LOC O"]).unwrap();
//! assert_eq!(spans.score().unwrap().score.value(), 0.5);
//! assert!(spans.push("B-LOC", &["B-LOC O"]).is_err());
//! ```

mod given;
mod remarks;
mod scheme;
mod semeval;

use std::sync::Arc;

use bleuprint_core::{
    Choice as _, ConfigError, Identity, InputError, Metric, Observe, PlainScore, Result, Scale, Segment,
    SegmentCounts, Stats as _,
};
use bleuprint_registry::{AnyMetric, DataRemarks, MetricEntry, MetricOptions, Opt, OptionDefault, settings};
use bleuprint_text::whitespace;

use crate::average::{Average, AverageRule, ZeroQuotient, average};
use crate::counts::LabelCounts;
use crate::list::TextList;
use crate::names;
use crate::read::require_equal;
use crate::row::{LabelColumns, RowKind};
use crate::seen::{CountsView, SeenLabels};
use crate::show;
use crate::tally::{CheckedCount as _, FRule, LabelTally, Prf};
use given::SpanMarks;
use remarks::TagRemarks;
pub use scheme::{Scheme, TagAffix};
use scheme::{Span, refuse_row};
pub use semeval::SpanMatch;

bleuprint_core::choice! {
    /// The number that becomes the score of the metric [`Spans`]: F, precision or recall, averaged over types
    /// of spans.
    pub enum SpanScore {
        /// F, the harmonic mean of precision and recall, averaged over the types of spans.
        F = "f",
        /// Precision, the share of predicted spans that are right, averaged over the types of spans.
        Precision = "precision",
        /// Recall, the share of reference spans that are predicted, averaged over the types of spans.
        Recall = "recall",
    }
}

/// Options of the metric [`Spans`], such as the tagging scheme and which number is the score.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct SpanOptions {
    /// The tagging scheme, such as IOB2, by which a text's tags are read as spans.
    pub scheme: Scheme,
    /// The end of a tag that has its prefix.
    pub affix: TagAffix,
    /// When a predicted span is right.
    pub matched: SpanMatch,
    /// All possible types of spans: a span of any other type is an error. `None` accepts all types.
    pub types: Option<Vec<String>>,
    /// The number that becomes the score: F, precision or recall, averaged over types of spans.
    pub score: SpanScore,
    /// How precision, recall and F are averaged over types of spans; [`Average::Samples`] is an error.
    pub average: Average,
    /// Value of a precision, recall or F whose denominator is 0.
    pub zero: ZeroQuotient,
    /// `true` to show precision, recall and F of every type of spans in the text output, too.
    pub per_type: bool,
}

impl Default for SpanOptions {
    fn default() -> Self {
        SpanOptions {
            scheme: Scheme::Default,
            affix: TagAffix::Prefix,
            matched: SpanMatch::Equal,
            types: None,
            score: SpanScore::F,
            average: Average::Micro,
            zero: ZeroQuotient::Zero,
            per_type: false,
        }
    }
}

settings! {
    /// The options as users give them, from which [`SpanOptions`] follow.
    struct SpanSettings {
        /// The reading of tags; strict schemes refuse other prefixes
        scheme: Scheme = Opt::choice("spans-scheme").counted("scheme", "sch");
        /// The end of a tag that has the prefix: B-PER or PER-B
        affix: TagAffix = Opt::choice("spans-affix").counted("affix", "af").added_later();
        /// When a span is right: equal to one of the reference, or as SemEval 2013 pairs overlapping spans (strict, exact ends,
        /// partial, type)
        matched: SpanMatch = Opt::choice("spans-match").counted("match", "mt").added_later();
        /// All types, with / between: counts are a row then, and any other type is an error
        types: Option<String> = Opt::name("spans-types", "any").counted("types", "ty");
        /// The number that is the score
        score: SpanScore = Opt::choice("spans-score").finished("of", "of");
        /// The average over types; samples is none of spans
        average: Average = {
            let mut option = Opt::choice("spans-average").finished("average", "avg");
            option.spec.default = OptionDefault::Word(Average::NAMES[0]);
            option
        };
        /// The value of a quotient whose denominator is 0; nan leaves it out of the average
        zero: ZeroQuotient = Opt::choice("spans-zero").finished("zero", "z");
        /// The data: tags with white space between, a list of tags, or a list of spans [type, first, last]
        tags: &'static str =
            Opt::word("spans-tags", &["text", "list", "spans"], "text").finished("tags", "tg").unless_default();
        /// Show precision, recall and F of every type
        per_type: bool = Opt::either("spans-per", &["all", "type"]);
    }
}

/// Metric that compares predicted with reference spans, such as named entities with a type; [the
/// module](self) has the definition.
#[derive(Debug, Clone, Default)]
pub struct Spans {
    options: SpanOptions,
    layout: Option<Arc<LabelColumns>>,
    /// Format of the data, as signatures name it: `list` or `spans`; `None` for text.
    data: Option<&'static str>,
    remarks: TagRemarks,
}

impl Spans {
    /// Creates the metric over spans with these options.
    ///
    /// # Errors
    /// Returns an error for the average over samples, or for more than 4,096 declared types.
    pub fn new(options: SpanOptions) -> Result<Self, ConfigError> {
        if options.average == Average::Samples {
            return Err(ConfigError::Conflict(
                "spans have no average over samples: set average=micro".into(),
            ));
        }
        let layout = |names: &Vec<String>| LabelColumns::new("spans-types", names, RowKind::Types);
        let layout = options.types.as_ref().map(layout).transpose()?.map(Arc::new);
        Ok(Spans { options, layout, data: None, remarks: TagRemarks::default() })
    }

    fn rule(&self) -> AverageRule {
        // seqeval computes F from the rounded precision and recall, scikit-learn from the counts. The two
        // differ in the last bits.
        AverageRule { f: FRule::OfQuotients, zero: self.options.zero.value() }
    }

    fn average(&self, view: &CountsView<'_>) -> Result<Prf> {
        let average = average(self.options.average, &view.labels, &[], self.rule())?;
        let nan = |prf: &Prf| self.headline(*prf).is_nan();
        average
            .filter(|prf| !nan(prf))
            .ok_or_else(|| InputError::no_score(self.identity().name(), "there is no span to average over"))
    }

    fn headline(&self, prf: Prf) -> f64 {
        match self.options.score {
            SpanScore::F => prf.f,
            SpanScore::Precision => prf.precision,
            SpanScore::Recall => prf.recall,
        }
    }

    /// Adds one segment whose spans are given as one tag for each token. [`Observe::observe`] splits a text
    /// into tags.
    ///
    /// # Errors
    /// Returns an error if the numbers of tags differ, or for an empty tag, a prefix outside the scheme, or
    /// an undeclared type.
    pub fn observe_tags(
        &self,
        stats: &mut LabelCounts,
        hypothesis: &[&str],
        reference: &[&str],
    ) -> Result<()> {
        require_equal(reference.len(), hypothesis.len())?;
        let affix = self.options.affix;
        for tags in [reference, hypothesis] {
            refuse_row(tags.iter().copied(), affix)?;
            self.remarks.look_at(tags.iter().copied(), affix);
        }
        let [gold, predicted] = [reference, hypothesis].map(|tags| self.options.scheme.spans(tags, affix));
        self.observe_spans(stats, [&gold?, &predicted?])
    }

    fn observe_spans(&self, stats: &mut LabelCounts, [gold, predicted]: [&[Span<'_>]; 2]) -> Result<()> {
        let labels = match self.options.matched {
            SpanMatch::Equal => tallies(gold, predicted),
            rule => semeval::tallies(gold, predicted, rule),
        };
        // Check all types before any count changes, so that an undeclared type leaves the statistics as they
        // were.
        if let Some(layout) = &self.layout {
            labels.iter().try_for_each(|(kind, _)| layout.place(kind).map(drop))?;
        }
        stats.observe(SeenLabels { labels: &labels, ..SeenLabels::default() })
    }
}

/// Returns the counts of each type of spans. Both lists of spans must be sorted by [`in_order`], and the
/// reference must have no span twice.
fn tallies<'t>(gold: &[Span<'t>], predicted: &[Span<'t>]) -> Vec<(&'t str, LabelTally)> {
    let mut types: Vec<(&str, LabelTally)> = gold.iter().map(|span| (span.0, LabelTally::GOLD)).collect();
    // Both lists are sorted, so one pass over them finds the spans in common. A table of spans would hash
    // every type.
    let mut at = 0;
    let mut before = None;
    for span in predicted {
        at += gold[at..].iter().take_while(|other| in_order(other) < in_order(span)).count();
        // Each span of the reference is found once, so a repeated span is a false alarm.
        let repeated = before.replace(span) == Some(span);
        match gold.get(at) {
            Some(own) if own == span && !repeated => types[at].1 = LabelTally::RIGHT,
            _ => types.push((span.0, LabelTally::PREDICTED)),
        }
    }
    // Equal types are next to each other after the sort, so that they can be summed in place.
    types.sort_unstable_by_key(|(kind, _)| *kind);
    types.dedup_by(|(kind, more), (own, tally)| {
        let same = kind == own;
        if same {
            *tally = tally.plus(*more, 1).unwrap_or(*tally);
        }
        same
    });
    types
}

/// Returns the sort key of a span: its last token, then its first token, then its type.
fn in_order<'t>(&(kind, first, last): &Span<'t>) -> (usize, usize, &'t str) {
    (last, first, kind)
}

impl Metric for Spans {
    type Stats = LabelCounts;
    type Score = PlainScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        let options = &self.options;
        let name = match options.score {
            SpanScore::F => "F1",
            SpanScore::Precision => "precision",
            SpanScore::Recall => "recall",
        };
        Identity::new("spans", 1, Scale::UNIT)
            .needing(|needs| needs.one_reference = true)
            .option(SpanSettings::OPTION.scheme, options.scheme)
            .option(SpanSettings::OPTION.affix, options.affix)
            .option(SpanSettings::OPTION.matched, options.matched)
            .option(SpanSettings::OPTION.types, options.types.as_deref().map(names::print))
            .option(SpanSettings::OPTION.score, options.score)
            .option(SpanSettings::OPTION.average, options.average)
            .option(SpanSettings::OPTION.zero, options.zero)
            .option(SpanSettings::OPTION.tags, self.data.unwrap_or(SpanSettings::OPTION.tags.default()))
            .headed(format!("span {}", show::averaged(name, options.average)))
    }

    fn zero(&self) -> LabelCounts {
        LabelCounts::zero(self.layout.as_ref())
    }

    fn finalize(&self, stats: &LabelCounts, _: &SegmentCounts) -> Result<PlainScore> {
        let view = stats.view();
        let prf = self.average(&view)?;
        let score = show::prf(PlainScore::new(self.headline(prf)), prf);
        let score = score.with_count("types", view.labels.len() as u64);
        let unit = if self.options.matched == SpanMatch::Equal { 1 } else { 2 };
        Ok(show::each(score, "type", &view.labels, self.rule(), self.options.per_type, unit))
    }

    fn number(&self, stats: &LabelCounts, _: &SegmentCounts) -> Result<f64> {
        Ok(self.headline(self.average(&stats.view())?))
    }

    fn check(&self, stats: &LabelCounts, counts: &SegmentCounts) -> Result<()> {
        stats.check(counts)?;
        stats.require_layout(self.layout.as_ref())?;
        let view = stats.view();
        view.check(false, false)?;
        if counts.segments == 0 && !view.labels.is_empty() {
            return Err(InputError::malformed_state("spans, but no segments"));
        }
        Ok(())
    }
}

impl Observe<str> for Spans {
    fn observe(&self, (): &mut (), stats: &mut LabelCounts, segment: Segment<'_, str>) -> Result<()> {
        let texts = [segment.one_reference("spans")?, segment.hypothesis];
        let both = texts.map(whitespace::split);
        if self.options.scheme == Scheme::Default {
            for text in texts {
                refuse_row(whitespace::split(text), self.options.affix)?;
                self.remarks.look_at(whitespace::split(text), self.options.affix);
            }
            // Splitting at white space gives no empty tags, so that different numbers of tags are the only
            // possible error here.
            let [gold, predicted] = both.map(|tags| scheme::loose(tags, self.options.affix));
            let (gold, tags) = gold?;
            let (predicted, others) = predicted?;
            require_equal(tags, others)?;
            return self.observe_spans(stats, [&gold, &predicted]);
        }
        let [reference, hypothesis] = both.map(Iterator::collect::<Vec<_>>);
        self.observe_tags(stats, &hypothesis, &reference)
    }
}

impl Observe<TextList> for Spans {
    fn observe(&self, (): &mut (), stats: &mut LabelCounts, segment: Segment<'_, TextList>) -> Result<()> {
        let reference = segment.one_reference("spans")?.strs();
        self.observe_tags(stats, &segment.hypothesis.strs(), &reference)
    }
}

impl Observe<SpanMarks> for Spans {
    fn observe(&self, (): &mut (), stats: &mut LabelCounts, segment: Segment<'_, SpanMarks>) -> Result<()> {
        let reference = segment.one_reference("spans")?;
        let [gold, predicted] =
            given::both(self.options.scheme, self.options.affix, reference, segment.hypothesis)?;
        self.observe_spans(stats, [&gold, &predicted])
    }
}

fn build(options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    let given = SpanSettings::from_options(options)?;
    let types =
        given.types.map(|text| names::read(SpanSettings::OPTION.types.spec.name, &text)).transpose()?;
    let spans = Spans::new(SpanOptions {
        scheme: given.scheme,
        affix: given.affix,
        matched: given.matched,
        types,
        score: given.score,
        average: given.average,
        zero: given.zero,
        per_type: given.per_type,
    })?;
    let of = |data| Spans { data: Some(data), ..spans.clone() };
    let remarks = spans.remarks.clone();
    let mut metric = match given.tags {
        "list" => AnyMetric::for_own::<TextList, _>(of("list")),
        "spans" => AnyMetric::for_own::<SpanMarks, _>(of("spans")),
        _ => AnyMetric::for_text(spans),
    };
    metric.view.remarks = DataRemarks::new(move || remarks.sentences());
    Ok(metric)
}

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "spans",
    "Spans of tags against spans: precision, recall and F of entities, with types and ends",
    build,
)
.agrees_with("seqeval 1.2.2, nervaluate 1.2.1 (match=strict, exact, partial, type)")
.rows_with("types=PER/LOC, all types")
.papers(&[crate::paper("tjong-kim-sang-de-meulder-2003-conll")])
.options(SpanSettings::SPECS)
.example(r#"{"hypothesis": "B-PER I-PER O B-LOC", "reference": "B-PER I-PER O O"}"#);

#[cfg(test)]
mod tests;
