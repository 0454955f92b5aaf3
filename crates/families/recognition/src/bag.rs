//! Errors without the positions of words: of each segment alone the words and their numbers count.
//!
//! ```text
//! m   = Σ over words of min(count in the reference, count in the hypothesis)
//! PER = Σ over segments of max(R, H) - m / Σ R          bow = Σ over segments of R + H - 2 m / Σ R
//! ```
//!
//! with R and H words of a reference and its hypothesis. PER counts a word in the place of another once, bow twice: as one that is
//! missing, and one that is too much. PER is at most WER.
//!
//! | singular case | result |
//! |---|---|
//! | no word in the references | no score |
//! | several references, no reference | error |
//!
//! Range from 0, lower is better. Source: Tillmann et al. 1997 (PER); numbers are those of the definition. Time is linear.
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
use bleuprint_registry::{AnyMetric, MetricEntry, Opt, Preset};

use crate::quotients::{numbers, quotient};

/// The metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bag {
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Per,
    Bow,
}

bleuprint_core::choice!(Kind: Per "per", Bow "bow");

columns! {
    /// Words of both sides, and those in common.
    pub struct BagCounts {
        /// Words of references.
        ref_len <= longer,
        /// Words of hypotheses.
        hyp_len <= longer,
        /// Words in common.
        matches <= ref_len & hyp_len,
        /// Words of the longer side of each segment.
        longer
    }
}

impl Bag {
    /// The position-independent error rate.
    pub const PER: Bag = Bag { kind: Kind::Per };
    /// The differences of bags of words.
    pub const BOW: Bag = Bag { kind: Kind::Bow };

    fn value(self, stats: &BagCounts) -> Option<f64> {
        let &BagCounts { ref_len, hyp_len, matches, longer } = stats;
        let errors = match self.kind {
            Kind::Per => longer.saturating_sub(matches),
            Kind::Bow => ref_len.saturating_sub(matches).saturating_add(hyp_len.saturating_sub(matches)),
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
        let heading = if self.kind == Kind::Per { "PER" } else { "bow" };
        Identity::new("per", 1, Scale::ERROR_RATE)
            .headed(heading)
            .option(OF, self.kind)
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
        let (hypothesis, reference) = (segment.hypothesis, segment.one_reference("per")?);
        require_few_tokens(hypothesis, &[reference])?;
        interner.intern_segment(hypothesis, &[reference]);
        counts.clear();
        counts.resize(interner.distinct(), [0; 2]);
        interner.reference(0).iter().for_each(|&id| counts[id as usize][0] += 1);
        interner.hypothesis().iter().for_each(|&id| counts[id as usize][1] += 1);
        let matches = counts.iter().map(|&[own, other]| u64::from(own.min(other))).sum();
        let (ref_len, hyp_len) = (reference.len() as u64, hypothesis.len() as u64);
        stats.merge(&BagCounts { ref_len, hyp_len, matches, longer: ref_len.max(hyp_len) })
    }
}

const OF: Opt<Kind> = Opt::choice("per-of")
    .finished("of", "of")
    .help("A word in the place of another counts once (per) or twice (bow)");

pub(crate) const ENTRY: MetricEntry = MetricEntry::new(
    "per",
    "Errors without the positions of words: PER, and differences of bags",
    |options| {
        Ok(AnyMetric::over_tokens(Bag { kind: OF.of(options)? }).with_default_tokens("jiwer", Case::Mixed))
    },
)
.presets(&[Preset {
    name: "bow",
    options: &[("per-of", "bow")],
    summary: "Differences of bags of words: a word in the place of another counts twice",
}])
.papers(&[crate::paper("tillmann-etal-1997-accelerated")])
.options(&[OF.spec]);
