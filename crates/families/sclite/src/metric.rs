//! [`Sclite`]: sclite's word error rate, for references with alternatives such as `{ wanna / want to }`.

use bleuprint_core::{
    Choice as _, Identity, InputError, Metric, Observe, PlainScore, Quotient, Result, Segment, SegmentCounts,
    Stats as _, columns,
};
use bleuprint_metrics::EditRate;
use bleuprint_metrics::edit::EditCounts;
use bleuprint_registry::{AnyMetric, MetricEntry, Opt, Paper, Preset};

use crate::align::{SegmentScratch, StepKind, steps};
use crate::network::Network;
use crate::options::{Optional, ScliteSettings};

columns! {
    /// Counts of sclite's word alignments: the numbers of steps of each kind, and of segments with errors.
    pub struct ScliteCounts {
        /// Number of aligned pairs of equal words.
        correct,
        /// Number of aligned pairs of different words.
        substitutions,
        /// Number of reference words without a counterpart in the hypothesis.
        deletions,
        /// Number of hypothesis words without a counterpart in the reference.
        insertions,
        /// Number of optional words in one text (hypothesis or reference) that the other text leaves out.
        skipped,
        /// Number of segments with at least one error.
        wrong <= segments,
    }
}

impl ScliteCounts {
    /// Counts the alignment steps of one segment by their kinds.
    ///
    /// ```
    /// use bleuprint_sclite::{StepKind, ScliteCounts};
    /// let counts = ScliteCounts::from_steps([StepKind::Correct, StepKind::Insertion].into_iter());
    /// assert_eq!((counts.correct, counts.insertions, counts.wrong), (1, 1, 1));
    /// ```
    pub fn from_steps(kinds: impl Iterator<Item = StepKind>) -> Self {
        let mut counts = ScliteCounts::default();
        for kind in kinds {
            *match kind {
                StepKind::Correct => &mut counts.correct,
                StepKind::Substitution => &mut counts.substitutions,
                StepKind::Deletion => &mut counts.deletions,
                StepKind::Insertion => &mut counts.insertions,
                StepKind::Skipped => &mut counts.skipped,
            } += 1;
        }
        counts.wrong = u64::from(counts.substitutions + counts.deletions + counts.insertions > 0);
        counts
    }

    /// Converts the counts to hits, substitutions, deletions and insertions. Optional words that are left out
    /// count as hits if `optional` is [`Optional::Sclite`].
    fn edits(&self, optional: Optional) -> EditCounts {
        let skipped = if optional == Optional::Sclite { self.skipped } else { 0 };
        let ScliteCounts { correct, substitutions, deletions, insertions, .. } = *self;
        EditCounts { hits: correct.saturating_add(skipped), substitutions, deletions, insertions }
    }
}

/// Metric with sclite's word error rate for texts with alternatives. The [crate documentation](crate) has the
/// definition.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sclite {
    settings: ScliteSettings,
    of: ScliteNumber,
}

/// Error measure that is reported as the score, such as WER or MER. All measures are computed from the same
/// counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum ScliteNumber {
    #[default]
    Er,
    Wer,
    Mer,
    Wil,
    Wip,
}

bleuprint_core::choice!(ScliteNumber: Er "er", Wer "wer", Mer "mer", Wil "wil", Wip "wip");

impl ScliteNumber {
    fn rate(self) -> EditRate {
        match self {
            ScliteNumber::Er => EditRate::ER,
            ScliteNumber::Wer => EditRate::WER,
            ScliteNumber::Mer => EditRate::MER,
            ScliteNumber::Wil => EditRate::WIL,
            ScliteNumber::Wip => EditRate::WIP,
        }
    }
}

impl Sclite {
    /// Creates sclite's word error rate with these alignment settings.
    ///
    /// ```
    /// use bleuprint_core::{Accumulator, Metric as _};
    /// use bleuprint_sclite::{Sclite, ScliteSettings};
    ///
    /// let mut rate = Accumulator::<_, str>::new(Sclite::new(ScliteSettings::default()));
    /// rate.push("want to go", &["{ wanna / want to } go"]).unwrap();
    /// assert_eq!(rate.total().stats().correct, 3);
    /// assert!(rate.push("a", &["{ a / b"]).unwrap_err().to_string().contains("character 1: this brace is not closed"));
    /// ```
    pub fn new(settings: ScliteSettings) -> Self {
        Sclite { settings, of: ScliteNumber::Er }
    }
}

impl Metric for Sclite {
    type Stats = ScliteCounts;
    type Score = PlainScore;
    type Scratch = SegmentScratch;

    fn identity(&self) -> Identity {
        let identity = Identity::new("sclite", 1, self.of.rate().identity().scale());
        let identity = match self.of {
            ScliteNumber::Er => identity,
            of => identity.headed(format!("sclite {}", of.name())),
        };
        self.settings.identify(identity).option(OF, self.of)
    }

    fn finalize(&self, stats: &ScliteCounts, counts: &SegmentCounts) -> Result<PlainScore> {
        let mut score = self.of.rate().finalize(&stats.edits(self.settings.optional), counts)?;
        if self.settings.optional != Optional::Word {
            score = score.with_count("skipped", stats.skipped);
        }
        Ok(score.with_count("segments", counts.segments).with_count("wrong_segments", stats.wrong))
    }

    fn quotient(&self) -> Option<Quotient> {
        // Optional words that are left out are hits by sclite's rule.
        let words: &[&str] = match self.settings.optional {
            Optional::Sclite => &["correct", "skipped", "substitutions", "deletions"],
            _ => &["correct", "substitutions", "deletions"],
        };
        let factor = match self.of {
            ScliteNumber::Er => 100.0,
            ScliteNumber::Wer => 1.0,
            ScliteNumber::Mer | ScliteNumber::Wil | ScliteNumber::Wip => return None,
        };
        let numerator = &["substitutions", "deletions", "insertions"];
        Some(Quotient { numerator, denominator: words, factor })
    }

    fn check(&self, stats: &ScliteCounts, counts: &SegmentCounts) -> Result<()> {
        // `wrong` is at most the errors, because a wrong segment has at least one. Skipped words are no
        // errors by any rule.
        stats.check(counts)?;
        let errors = stats.edits(Optional::Free).edits();
        EditRate::ER.check(&stats.edits(Optional::Sclite), counts)?;
        InputError::require_at_most("segments with errors", stats.wrong, "errors", errors)
    }
}

impl Observe<str> for Sclite {
    fn observe(
        &self,
        scratch: &mut SegmentScratch,
        counts: &mut ScliteCounts,
        segment: Segment<'_, str>,
    ) -> Result<()> {
        let reference = self.settings.cased(segment.one_reference("sclite")?);
        let hypothesis = self.settings.cased(segment.hypothesis);
        let [reference, hypothesis] = Network::both(&reference, &hypothesis, self.settings)?;
        let steps = steps(scratch, &reference, &hypothesis, self.settings)?;
        counts.merge(&ScliteCounts::from_steps(steps.iter().map(|step| step.kind)))
    }
}

pub(crate) const SCTK: &str = "sclite 2.10 (sctk 2.4.10)";

pub(crate) const PAPERS: &[Paper] = &[Paper::from_key(include_str!("papers.bib"), "fiscus-1998-sclite")];

const OF: Opt<ScliteNumber> = Opt::choice("sclite-of")
    .finished("of", "of")
    .unless_default()
    .help("The number that becomes the score: the error rate in percent (er), or the named measure");

/// Returns the preset with this name and these options, which scores references with alternatives.
const fn alternatives(name: &'static str, options: &'static [(&'static str, &'static str)]) -> Preset {
    Preset {
        name,
        options,
        summary: "The measure of the same name over references with alternatives, with the fewest errors",
    }
}

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "sclite",
    "Word error rate in percent of references with alternatives, optional words and fragments",
    |options| {
        Ok(AnyMetric::for_text(Sclite {
            settings: ScliteSettings::from_options(options)?,
            of: OF.value_in(options)?,
        }))
    },
)
.presets(&[
    alternatives("alternatives_wer", &[("sclite-of", "wer"), ("equal-costs", "yes"), ("keep-case", "yes")]),
    alternatives("alternatives_mer", &[("sclite-of", "mer"), ("equal-costs", "yes"), ("keep-case", "yes")]),
    alternatives("alternatives_wil", &[("sclite-of", "wil"), ("equal-costs", "yes"), ("keep-case", "yes")]),
    alternatives("alternatives_wip", &[("sclite-of", "wip"), ("equal-costs", "yes"), ("keep-case", "yes")]),
])
.agrees_with(SCTK)
.papers(PAPERS)
.options(&[
    ScliteSettings::OPTION.optional.spec,
    ScliteSettings::OPTION.fragments.spec,
    ScliteSettings::OPTION.case.spec,
    ScliteSettings::OPTION.equal_costs.spec,
    OF.spec,
])
.example(r#"{"hypothesis": "uh the cat", "reference": "{uh / um / @} the cat sat"}"#);
