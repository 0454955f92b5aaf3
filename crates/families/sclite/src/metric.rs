//! [`Sclite`]: the error rate of references with alternatives.

use bleuprint_core::{
    Choice as _, Identity, InputError, Metric, Observe, PlainScore, Result, Segment, SegmentCounts,
    Stats as _, columns,
};
use bleuprint_metrics::EditRate;
use bleuprint_metrics::edit::EditCounts;
use bleuprint_registry::{AnyMetric, MetricEntry, Opt, Paper, Preset};

use crate::align::{Kind, Scratch, steps};
use crate::network::Network;
use crate::options::{CASE, EQUAL, FRAGMENTS, OPTIONAL, Optional, Settings};

columns! {
    /// The steps of alignments, by kind, and the segments with errors.
    pub struct ScliteCounts {
        /// Pairs of equal words.
        correct,
        /// Pairs of words that differ.
        substitutions,
        /// Words of references alone.
        deletions,
        /// Words of hypotheses alone.
        insertions,
        /// Optional words left out on one side.
        skipped,
        /// Segments with an error.
        wrong <= segments,
    }
}

impl ScliteCounts {
    /// The counts of the steps of a segment.
    ///
    /// ```
    /// use bleuprint_sclite::{Kind, ScliteCounts};
    /// let counts = ScliteCounts::of([Kind::Correct, Kind::Insertion].into_iter());
    /// assert_eq!((counts.correct, counts.insertions, counts.wrong), (1, 1, 1));
    /// ```
    pub fn of(kinds: impl Iterator<Item = Kind>) -> Self {
        let mut counts = ScliteCounts::default();
        for kind in kinds {
            *match kind {
                Kind::Correct => &mut counts.correct,
                Kind::Substitution => &mut counts.substitutions,
                Kind::Deletion => &mut counts.deletions,
                Kind::Insertion => &mut counts.insertions,
                Kind::Skipped => &mut counts.skipped,
            } += 1;
        }
        counts.wrong = u64::from(counts.substitutions + counts.deletions + counts.insertions > 0);
        counts
    }

    /// As the counts of error rates; left out optional words are hits with sclite's rule.
    fn edits(&self, optional: Optional) -> EditCounts {
        let skipped = if optional == Optional::Sclite { self.skipped } else { 0 };
        let ScliteCounts { correct, substitutions, deletions, insertions, .. } = *self;
        EditCounts { hits: correct.saturating_add(skipped), substitutions, deletions, insertions }
    }
}

/// The error rate of sclite over text; [the package](crate) has the definition.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sclite {
    settings: Settings,
    of: Of,
}

/// The number that is the score, of the same counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Of {
    #[default]
    Er,
    Wer,
    Mer,
    Wil,
    Wip,
}

bleuprint_core::choice!(Of: Er "er", Wer "wer", Mer "mer", Wil "wil", Wip "wip");

impl Of {
    fn rate(self) -> EditRate {
        match self {
            Of::Er => EditRate::ER,
            Of::Wer => EditRate::WER,
            Of::Mer => EditRate::MER,
            Of::Wil => EditRate::WIL,
            Of::Wip => EditRate::WIP,
        }
    }
}

impl Sclite {
    /// The metric with these choices.
    ///
    /// ```
    /// use bleuprint_core::{Accumulator, Metric as _};
    /// use bleuprint_sclite::{Sclite, Settings};
    ///
    /// let mut rate = Accumulator::<_, str>::new(Sclite::new(Settings::default()));
    /// rate.push("want to go", &["{ wanna / want to } go"]).unwrap();
    /// assert_eq!(rate.total().stats().correct, 3);
    /// assert!(rate.push("a", &["{ a / b"]).unwrap_err().to_string().contains("character 1: this brace is not closed"));
    /// ```
    pub fn new(settings: Settings) -> Self {
        Sclite { settings, of: Of::Er }
    }
}

impl Metric for Sclite {
    type Stats = ScliteCounts;
    type Score = PlainScore;
    type Scratch = Scratch;

    fn identity(&self) -> Identity {
        let identity = Identity::new("sclite", 1, self.of.rate().identity().scale());
        let identity = match self.of {
            Of::Er => identity,
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

    fn check(&self, stats: &ScliteCounts, counts: &SegmentCounts) -> Result<()> {
        stats.check(counts)?;
        let errors = stats.edits(Optional::Free).edits();
        EditRate::ER.check(&stats.edits(Optional::Sclite), counts)?;
        InputError::require_at_most("segments with errors", stats.wrong, "errors", errors)
    }
}

impl Observe<str> for Sclite {
    fn observe(
        &self,
        scratch: &mut Scratch,
        counts: &mut ScliteCounts,
        segment: Segment<'_, str>,
    ) -> Result<()> {
        let reference = self.settings.cased(segment.one_reference("sclite")?);
        let hypothesis = self.settings.cased(segment.hypothesis);
        let [reference, hypothesis] = Network::both(&reference, &hypothesis, self.settings)?;
        let steps = steps(scratch, &reference, &hypothesis, self.settings)?;
        counts.merge(&ScliteCounts::of(steps.iter().map(|step| step.kind)))
    }
}

pub(crate) const SCTK: &str = "sclite 2.10 (sctk 2.4.10)";

pub(crate) const PAPERS: &[Paper] = &[Paper::of(include_str!("papers.bib"), "fiscus-1998-sclite")];

const OF: Opt<Of> = Opt::choice("sclite-of")
    .finished("of", "of")
    .unless_default()
    .help("The number that is the score: the error rate in percent (er), or a measure of its own name");

/// The metric of this name over references with alternatives.
const fn alternatives(name: &'static str, options: &'static [(&'static str, &'static str)]) -> Preset {
    Preset { name, options, summary: "The same of references with alternatives, with the fewest errors" }
}

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "sclite",
    "Word error rate in percent of references with alternatives, optional words and fragments",
    |options| Ok(AnyMetric::over_text(Sclite { settings: Settings::of(options)?, of: OF.of(options)? })),
)
.presets(&[
    alternatives("alternatives_wer", &[("sclite-of", "wer"), ("equal-costs", "yes"), ("keep-case", "yes")]),
    alternatives("alternatives_mer", &[("sclite-of", "mer"), ("equal-costs", "yes"), ("keep-case", "yes")]),
    alternatives("alternatives_wil", &[("sclite-of", "wil"), ("equal-costs", "yes"), ("keep-case", "yes")]),
    alternatives("alternatives_wip", &[("sclite-of", "wip"), ("equal-costs", "yes"), ("keep-case", "yes")]),
])
.agrees_with(SCTK)
.papers(PAPERS)
.options(&[OPTIONAL.spec, FRAGMENTS.spec, CASE.spec, EQUAL.spec, OF.spec]);
