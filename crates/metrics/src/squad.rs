//! SQuAD: exact match and token F1 of short answers, the measures of question answering.
//!
//! ```text
//! EM = 100 · (answers whose tokens equal those of a reference) / segments
//! F1 = 100 · mean over segments of max over references of 2 · P · R / (P + R)
//!      P = common tokens / tokens of the answer        R = common tokens / tokens of the reference
//! ```
//!
//! Common tokens are counted with clipping. SQuAD's normalization of answers is a tokenizer: `squad` (lower
//! case, no ASCII punctuation, no articles), or `squad-cjk` for scripts without spaces. Each measure takes
//! its own best reference.
//!
//! | singular case | EM | F1 |
//! |---|---|---|
//! | no token on both sides | a match | 0, as in the script of version 1.1 |
//! | no token on one side, nothing in common | no match | 0 |
//! | no reference | error | error |
//! | nothing observed | 0 | 0 |
//!
//! Range 0 to 100, higher is better. Source: Rajpurkar et al. 2016, SQuAD. The F1 of every answer matches
//! the evaluation script v1.1 bit for bit. The script adds the answers in a running float, this metric in
//! an exact sum; corpora differ at most in the last digits. Time is linear in the tokens.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_metrics::squad::{SquadEm, SquadF1};
//!
//! let mut f1 = Accumulator::<_, [&str]>::new(SquadF1);
//! f1.push(&["new", "york", "city"], &[&["york"], &["new", "york"]]).unwrap();
//! assert_eq!(f1.score().unwrap().score.score, 80.0);
//! let mut em = Accumulator::<_, [&str]>::new(SquadEm);
//! em.push(&["1869"], &[&["in", "1869"], &["1869"]]).unwrap();
//! assert_eq!(em.score().unwrap().score.score, 100.0);
//! ```

use core::hash::Hash;

use bleuprint_core::{
    Case, Composition, ConfigError, Identity, Metric, Observe, PlainScore, Quotient, Result, Scale, Segment,
    SegmentCounts,
};
use bleuprint_ngram::Scratch;
use bleuprint_registry::{AnyMetric, MetricEntry, MetricOptions, Opt, Paper, settings};

use crate::exact_match::{ExactMatch, ExactMatchStats};
use crate::shared::{FMeasure, Means};

/// Metric [`ExactMatch`] over the tokens of short answers, under the name that SQuAD uses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "closed: the definition has no options")]
pub struct SquadEm;

impl Metric for SquadEm {
    type Stats = ExactMatchStats;
    type Score = PlainScore;
    type Scratch = ();

    fn identity(&self) -> Identity {
        Identity::new("squad_em", 1, ExactMatch.scale()).named("SQuAD-EM").composed(Composition::Rate)
    }
    fn zero(&self) -> ExactMatchStats {
        ExactMatch.zero()
    }
    fn finalize(&self, stats: &ExactMatchStats, counts: &SegmentCounts) -> Result<PlainScore> {
        ExactMatch.finalize(stats, counts)
    }
    fn quotient(&self) -> Option<Quotient> {
        ExactMatch.quotient()
    }
    fn check(&self, stats: &ExactMatchStats, counts: &SegmentCounts) -> Result<()> {
        ExactMatch.check(stats, counts)
    }
}

impl<T: PartialEq> Observe<[T]> for SquadEm {
    fn observe(
        &self,
        scratch: &mut (),
        stats: &mut ExactMatchStats,
        segment: Segment<'_, [T]>,
    ) -> Result<()> {
        ExactMatch.observe(scratch, stats, segment)
    }
}

/// Metric token F1 of short answers: the best F1 over the references, averaged over segments.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "closed: the definition has no options")]
pub struct SquadF1;

impl Metric for SquadF1 {
    type Stats = Means<1>;
    type Score = PlainScore;
    type Scratch = Scratch;

    fn identity(&self) -> Identity {
        Identity::new("squad_f1", 1, Scale::PERCENT)
            .wider_sums()
            .named("SQuAD-F1")
            .composed(Composition::Mean)
    }
    fn finalize(&self, stats: &Means<1>, counts: &SegmentCounts) -> Result<PlainScore> {
        // The order of operations is the SQuAD script's, so that the last bit agrees.
        let [sum] = stats.sums();
        let score = 100.0 * sum.to_f64() / sum.count().max(1) as f64;
        Ok(PlainScore::new(score).with_count("segments", counts.segments))
    }
    fn check(&self, stats: &Means<1>, counts: &SegmentCounts) -> Result<()> {
        stats.check(counts, [Scale::UNIT])
    }
}

impl<T: Hash + Eq> Observe<[T]> for SquadF1 {
    fn observe(&self, scratch: &mut Scratch, stats: &mut Means<1>, segment: Segment<'_, [T]>) -> Result<()> {
        let hypothesis = segment.hypothesis;
        let f1 = segment.references()?.iter().map(|reference| {
            let mut common = [0];
            bleuprint_ngram::overlap(scratch, hypothesis, &[*reference], &mut common);
            FMeasure::new(common[0], hypothesis.len() as u64, reference.len() as u64).f
        });
        stats.push([f1.fold(0.0, f64::max)])
    }
}

settings! {
    struct SquadSettings {
        /// How answers are made comparable: as SQuAD does, for scripts without spaces, or by whitespace alone
        normalize: &'static str = Opt::word("squad-normalize", &["squad", "cjk", "none"], "squad");
    }
}

pub(crate) const PAPERS: &[Paper] = &[crate::paper("rajpurkar-etal-2016-squad")];

pub(crate) const F1: MetricEntry = MetricEntry::new(
    "squad_f1",
    "The F1 of the tokens of short answers, the best over references",
    |options| over_answers(AnyMetric::for_ids(SquadF1)?, options),
)
.papers(PAPERS)
.agrees_with("SQuAD evaluation script v1.1")
.options(SquadSettings::SPECS)
.example(r#"{"hypothesis": "the black cat", "references": ["black cat", "a cat"]}"#);

pub(crate) const EM: MetricEntry = MetricEntry::new(
    "squad_em",
    "The share of short answers that equal a reference, normalized",
    |options| over_answers(AnyMetric::for_ids(SquadEm)?, options),
)
.papers(PAPERS)
.agrees_with("SQuAD evaluation script v1.1")
.options(SquadSettings::SPECS)
.example(r#"{"hypothesis": "the black cat", "references": ["black cat", "a cat"]}"#);

fn over_answers(metric: AnyMetric, options: &MetricOptions) -> Result<AnyMetric, ConfigError> {
    Ok(match SquadSettings::from_options(options)?.normalize {
        // Case is the user's.
        "none" => metric.with_tokenizer("none"),
        // The tokenizers convert the text to lower case themselves.
        "cjk" => metric.with_tokenizer("squad-cjk").with_case(Case::Mixed),
        name => metric.with_tokenizer(name).with_case(Case::Mixed),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_obey_the_laws() {
        bleuprint_registry::laws::check(&SquadEm);
        bleuprint_registry::laws::check(&SquadF1);
    }

    #[test]
    fn nothing_against_nothing_is_a_match_without_f1() {
        let segment = || Segment::<[u8]>::new(&[], &[&[]]);
        let mut em = ExactMatchStats::default();
        let mut f1 = Means::default();
        SquadEm.observe(&mut (), &mut em, segment()).unwrap();
        SquadF1.observe(&mut Scratch::default(), &mut f1, segment()).unwrap();
        assert_eq!((em.matched, f1.means()), (1, [0.0]));
    }
}
