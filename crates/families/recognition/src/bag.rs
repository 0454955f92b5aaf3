//! Errors without word positions: how far the words of a hypothesis, counted without their order, differ from
//! the reference.
//!
//! ```text
//! m   = Σ over words of min(count in the reference, count in the hypothesis)
//! PER = Σ (max(R, H) - m) / Σ R          bow = Σ (R + H - 2 m) / Σ R          sums over segments
//! ```
//!
//! R and H are the numbers of words of a reference and its hypothesis. PER counts a word in place of another
//! once; bow counts it twice, as a missing and a surplus word. PER is at most WER.
//!
//! | singular case | result |
//! |---|---|
//! | no word in the references | no score |
//! | several references, no reference | error |
//!
//! The range is from 0, lower is better. Source: Tillmann et al. 1997 (PER); the numbers follow the
//! definition. Time is linear.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_recognition::Bag;
//!
//! let mut per = Accumulator::<_, [&str]>::new(Bag::PER);
//! per.push(&["cat", "the", "sad"], &[&["the", "cat", "sat"]]).unwrap();
//! assert_eq!(per.score().unwrap().value(), 1.0 / 3.0);
//! assert_eq!(per.total().score(&Bag::BOW).unwrap().value(), 2.0 / 3.0);
//! ```

use std::hash::Hash;

use bleuprint_core::{
    Case, Identity, InputError, Metric, Observe, PlainScore, Result, Scale, Segment, SegmentCounts,
    Stats as _, columns,
};
use bleuprint_metrics::edit::require_few_tokens;
use bleuprint_ngram::Interner;
use bleuprint_registry::{AnyMetric, MetricEntry, Opt, Preset, settings};

use crate::quotients::{numbers, quotient};

settings! {
    /// Word error metric that ignores word positions: PER, or the difference of bags of words.
    #[derive(Copy, Eq, Hash)]
    pub struct Bag {
        /// Whether a word in place of another counts once (per) or twice (bow)
        kind: BagKind = Opt::choice("per-of").finished("of", "of");
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum BagKind {
    Per,
    Bow,
}

bleuprint_core::choice!(BagKind: Per "per", Bow "bow");

columns! {
    /// Numbers of words of the hypothesis, of the reference, and of words that both have.
    pub struct BagCounts {
        /// Number of words of the references.
        ref_len <= longer,
        /// Number of words of the hypotheses.
        hyp_len <= longer,
        /// Number of words that hypothesis and reference have in common, regardless of their positions.
        matches <= ref_len & hyp_len,
        /// Number of words of the longer text, hypothesis or reference, summed over segments.
        longer
    }
}

impl Bag {
    /// PER, the position-independent word error rate.
    pub const PER: Bag = Bag { kind: BagKind::Per };
    /// Difference of the bags of words of hypothesis and reference: the metric `bow`.
    pub const BOW: Bag = Bag { kind: BagKind::Bow };

    fn value(self, stats: &BagCounts) -> Option<f64> {
        let &BagCounts { ref_len, hyp_len, matches, longer } = stats;
        // State read from outside may break the bounds until it is checked, so subtraction saturates.
        let errors = match self.kind {
            BagKind::Per => longer.saturating_sub(matches),
            BagKind::Bow => ref_len.saturating_sub(matches).saturating_add(hyp_len.saturating_sub(matches)),
        };
        quotient(errors, ref_len)
    }

    fn score(self, stats: &BagCounts) -> Result<f64> {
        self.value(stats).ok_or_else(|| InputError::no_score("per", "the references have no word"))
    }
}

impl Metric for Bag {
    type Stats = BagCounts;
    type Score = PlainScore;
    type Scratch = (Interner, Vec<[u32; 2]>);

    fn identity(&self) -> Identity {
        let heading = if self.kind == BagKind::Per { "PER" } else { "bow" };
        self.add_to_identity(Identity::new("per", 1, Scale::ERROR_RATE))
            .headed(heading)
            .needing(|needs| needs.one_reference = true)
    }

    fn finalize(&self, stats: &BagCounts, _: &SegmentCounts) -> Result<PlainScore> {
        let both = [("per", Bag::PER.value(stats)), ("bow", Bag::BOW.value(stats))];
        Ok(numbers(PlainScore::new(self.score(stats)?), both)
            .with_count("ref_len", stats.ref_len)
            .with_count("hyp_len", stats.hyp_len)
            .with_count("matches", stats.matches))
    }

    fn number(&self, stats: &BagCounts, _: &SegmentCounts) -> Result<f64> {
        self.score(stats)
    }
}

impl<T: Hash + Eq> Observe<[T]> for Bag {
    fn observe(
        &self,
        (interner, counts): &mut (Interner, Vec<[u32; 2]>),
        stats: &mut BagCounts,
        segment: Segment<'_, [T]>,
    ) -> Result<()> {
        let hypothesis = segment.hypothesis;
        let reference = segment.one_reference("per")?;
        require_few_tokens(hypothesis, &[reference])?;
        interner.intern_segment(hypothesis, &[reference]);
        counts.clear();
        // Ids are numbered without gaps, so a list replaces a map.
        counts.resize(interner.distinct(), [0; 2]);
        interner.reference(0).iter().for_each(|&id| counts[id as usize][0] += 1);
        interner.hypothesis().iter().for_each(|&id| counts[id as usize][1] += 1);
        let matches = counts.iter().map(|&[own, other]| u64::from(own.min(other))).sum();
        // `longer` is the maximum of each segment: the maximum of the sums would let segments cancel out.
        let ref_len = reference.len() as u64;
        let hyp_len = hypothesis.len() as u64;
        stats.merge(&BagCounts { ref_len, hyp_len, matches, longer: ref_len.max(hyp_len) })
    }
}

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new(
        "per",
        "Errors without the positions of words: PER, and differences of bags",
        |options| {
            Ok(AnyMetric::for_tokens(Bag::from_options(options)?).with_default_tokens("jiwer", Case::Mixed))
        },
    )
    .presets(&[Preset {
        name: "bow",
        options: &[("per-of", "bow")],
        summary: "Differences of bags of words: a word in the place of another counts twice",
    }])
    .papers(&[crate::paper("tillmann-etal-1997-accelerated")])
    .options(Bag::SPECS)
    .example(r#"{"hypothesis": "the cat sat on the mat", "reference": "the cat sat on a mat"}"#);
