//! ROUGE: the share of the references' n-grams, or of their longest common subsequence, found in a summary.
//!
//! ```text
//! ROUGE-N      hits = Σ over n-grams of min(count in hypothesis, count in reference)
//!              P = hits / n-grams of the hypothesis          R = hits / n-grams of the reference
//! ROUGE-L      hits = length of the longest common subsequence, P and R over tokens
//! ROUGE-Lsum   the same sentence by sentence, see `RougeLsum`
//!
//! F = 2 · P · R / (P + R)
//! ```
//!
//! All three are means over segments. Of several references the one with the best F counts, with its P and R (between
//! equal F the one with the better R, so that their order does not matter; rouge_score takes the first listed); or
//! else the means over the references count, see [`OverReferences`].
//!
//! | singular case | result |
//! |---|---|
//! | no n-gram on either side, or no hit | 0, 0, 0 |
//! | empty reference beside others | scores 0; never the best one unless all are 0 |
//! | no reference | error |
//! | nothing observed | 0 |
//!
//! Range 0 to 1, higher is better. Source: Lin 2004, ROUGE: A Package for Automatic Evaluation of Summaries; numbers
//! of segments as `score_multi` of Google's rouge_score 0.1.2, to the last bit, over its tokens (the tokenizers
//! `rouge` and `rouge-stem`). The mean over segments is exact and rounded once; rouge_score's `BootstrapAggregator`
//! and HF evaluate report a random median of resampled means instead. Time is linear in the tokens for ROUGE-N; for
//! ROUGE-L it is the product of the lengths over 64.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_metrics::Rouge;
//!
//! let words = |text: &'static str| text.split(' ').collect::<Vec<_>>();
//! let (hypothesis, reference) = (words("the cat was under the bed"), words("the cat was found under the bed"));
//! let mut rouge_2 = Accumulator::<_, [&str]>::new(Rouge::n(2).unwrap());
//! rouge_2.push(&hypothesis, &[&reference]).unwrap();
//! let score = rouge_2.score().unwrap().score;
//! assert_eq!((score.precision, score.recall), (4.0 / 5.0, 4.0 / 6.0));
//! ```

mod entry;
mod lcs;
mod lsum;
mod options;
mod summary;
#[cfg(test)]
mod tests;

use core::hash::Hash;

use std::borrow::Cow;

use bleuprint_core::{
    ConfigError, ExactSum, Identity, Metric, Observe, PairScorer, Result, Scale, Segment, SegmentCounts,
};
use bleuprint_ngram::pairwise::Counts;
use bleuprint_ngram::{Interner, Scratch};
use smallvec::SmallVec;

use self::lcs::Lcs;
use crate::shared::{FMeasure, FScore, FinishPairs, MAX_ORDER_LIMIT, Means, ngram_pairs};
pub(crate) use entry::ENTRY;
pub use lsum::{RougeLsum, RougeLsumScratch};
pub use options::OverReferences;
use options::{ORDER, REFERENCES};

/// ROUGE-N or ROUGE-L.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rouge {
    units: Units,
    over: OverReferences,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Units {
    /// n-grams of this order.
    Ngrams(usize),
    /// Tokens of the longest common subsequence.
    Subsequence,
}

/// The sums over segments of F, precision and recall.
pub type RougeStats = Means<3>;

impl Rouge {
    /// ROUGE-N over n-grams of this order.
    ///
    /// # Errors
    /// [`ConfigError::OutOfRange`] unless `1 ≤ order ≤ 65535`.
    pub fn n(order: usize) -> Result<Self, ConfigError> {
        if !(1..=MAX_ORDER_LIMIT).contains(&order) {
            return Err(ConfigError::out_of_range("order", order, "from 1 to 65535"));
        }
        Ok(Rouge { units: Units::Ngrams(order), over: REFERENCES.default() })
    }

    /// ROUGE-L: the longest common subsequence.
    pub fn l() -> Self {
        Rouge { units: Units::Subsequence, over: REFERENCES.default() }
    }

    /// The same with another rule for several references.
    #[must_use]
    pub fn with_references(self, over: OverReferences) -> Self {
        Rouge { over, ..self }
    }

    /// Of one segment, the numbers with each reference, put together by the rule.
    fn measure<T: Hash + Eq>(
        &self,
        scratch: &mut RougeScratch,
        hypothesis: &[T],
        references: &[&[T]],
    ) -> Result<FMeasure> {
        let RougeScratch { ngrams, interner, lcs } = scratch;
        match self.units {
            Units::Ngrams(order) => {
                let mut clipped: SmallVec<[u64; 9]> = SmallVec::from_elem(0, order);
                let ngrams_of = |tokens: &[T]| (tokens.len() + 1).saturating_sub(order) as u64;
                self.over.combine(references.iter().map(|reference| {
                    bleuprint_ngram::overlap(ngrams, hypothesis, &[*reference], &mut clipped);
                    FMeasure::new(clipped[order - 1], ngrams_of(hypothesis), ngrams_of(reference))
                }))
            }
            Units::Subsequence => {
                interner.intern_segment(hypothesis, references);
                let distinct = interner.distinct();
                self.over.combine(interner.references().map(|reference| {
                    let length = lcs.length(interner.hypothesis(), reference, distinct);
                    FMeasure::new(length as u64, hypothesis.len() as u64, reference.len() as u64)
                }))
            }
        }
    }
}

impl OverReferences {
    /// The numbers of a segment from those with each reference; their order does not matter.
    fn combine(self, measures: impl ExactSizeIterator<Item = FMeasure>) -> Result<FMeasure> {
        match self {
            OverReferences::Best => Ok(measures.fold(FMeasure::default(), FMeasure::better)),
            OverReferences::Average => {
                let (mut sums, count) = ([ExactSum::new(); 3], measures.len() as u64);
                for FMeasure { precision, recall, f } in measures {
                    for (sum, value) in sums.iter_mut().zip([precision, recall, f]) {
                        sum.add(value)?;
                    }
                }
                let [precision, recall, f] = sums.map(|sum| sum.mean(count));
                Ok(FMeasure { precision, recall, f })
            }
        }
    }
}

/// Reusable tables, one per thread.
#[derive(Debug, Default)]
pub struct RougeScratch {
    ngrams: Scratch,
    interner: Interner,
    lcs: Lcs,
}

impl Metric for Rouge {
    type Stats = RougeStats;
    type Score = FScore;
    type Scratch = RougeScratch;

    fn identity(&self) -> Identity {
        match self.units {
            Units::Ngrams(order) => identity(&order.to_string(), self.over),
            Units::Subsequence => identity("L", self.over),
        }
    }
    fn headline_names(&self) -> Vec<Cow<'static, str>> {
        crate::shared::headline_names()
    }
    fn finalize(&self, stats: &RougeStats, counts: &SegmentCounts) -> Result<FScore> {
        Ok(finish(stats, counts))
    }
    fn check(&self, stats: &RougeStats, counts: &SegmentCounts) -> Result<()> {
        stats.check(counts, self.scale())
    }
}

impl<T: Hash + Eq> Observe<[T]> for Rouge {
    fn observe(
        &self,
        scratch: &mut RougeScratch,
        stats: &mut RougeStats,
        segment: Segment<'_, [T]>,
    ) -> Result<()> {
        let measure = self.measure(scratch, segment.hypothesis(), segment.references()?)?;
        stats.push([measure.f, measure.precision, measure.recall])
    }

    /// ROUGE-N by rows of counts, see [`bleuprint_ngram::pairwise`]; ROUGE-L pair by pair.
    fn pair_scorer<'m>(
        &'m self,
        hypotheses: &[&[T]],
        references: &[&[T]],
    ) -> Result<Option<Box<dyn PairScorer + 'm>>> {
        Ok(match self.units {
            Units::Ngrams(order) => ngram_pairs(Ngrams(order), order, hypotheses, references),
            Units::Subsequence => None,
        })
    }
}

/// N-grams of this order. With one reference the best is the mean, and of one segment the mean is its F.
struct Ngrams(usize);

impl FinishPairs for Ngrams {
    type Tables = ();

    fn tables(&self) {}

    fn finish(
        &self,
        (): &mut (),
        hyp_len: usize,
        clipped: &[Counts],
        ref_lens: &[usize],
        scores: &mut [f64],
    ) {
        let Ngrams(order) = *self;
        let ngrams_of = |len: usize| (len + 1).saturating_sub(order) as u64;
        for (lane, (score, &ref_len)) in scores.iter_mut().zip(ref_lens).enumerate() {
            let hits = u64::from(clipped[order - 1][lane]);
            *score = FMeasure::new(hits, ngrams_of(hyp_len), ngrams_of(ref_len)).f;
        }
    }
}

/// The printed name has the kind, so the signature leaves it out.
fn identity(kind: &str, over: OverReferences) -> Identity {
    Identity::new("rouge", 1, Scale::UNIT)
        .named(format!("ROUGE-{kind}"))
        .keyed(ORDER.spec.field.key, kind)
        .option(REFERENCES, over)
}

fn finish(stats: &RougeStats, counts: &SegmentCounts) -> FScore {
    let [f1, precision, recall] = stats.means();
    FScore { f1, precision, recall, segments: counts.segments }
}
