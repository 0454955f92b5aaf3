//! BLEU: the share of the hypotheses' n-grams found in the references, with a penalty for short hypotheses.
//!
//! ```text
//!                      N
//! BLEU = BP · exp(  Σ  w_n · ln p_n )          p_n = 100 · clipped_n / total_n,   w_n = 1/N
//!                     n=1
//!
//! clipped_n = Σ over segments, over distinct n-grams g of the hypothesis:  min( count in the hypothesis,
//!                                                          max over references of the count in that reference )
//! total_n   = Σ over segments:  max(0, c − n + 1)
//! BP        = 1 if c ≥ r, else exp(1 − r/c)     c tokens of the hypotheses, r effective reference length
//! ```
//!
//! All counts are summed over the corpus before anything is divided. The BLEU of a corpus is therefore not
//! the mean of the BLEUs of its segments.
//!
//! | singular case | result |
//! |---|---|
//! | no order has a match | 0, with precisions 0, whatever the smoothing |
//! | an order without matches | 0 without smoothing; see [`Smoothing`] |
//! | an order without n-grams (all hypotheses shorter) | 0, or left out under effective order |
//! | empty hypotheses | 0, BP 0 (1 if the references are empty too) |
//! | an empty reference | a reference of length 0 |
//! | no reference | error |
//! | a perfect match | 100.00000000000004: `exp(ln 100)` in `f64` |
//!
//! A smoothing floor above 1, which sacreBLEU accepts, is rejected: a precision could exceed 100 %.
//!
//! The range is 0 to 100; higher is better. Source: Papineni et al. 2002. Scores match sacreBLEU 2.6.0 bit
//! for bit on CPython 3.11 with the `ln` and `exp` of glibc. Time is linear in the tokens of a segment; see
//! `bleuprint-ngram`.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_metrics::Bleu;
//!
//! let mut bleu = Accumulator::<_, [&str]>::new(Bleu::default());
//! let hypothesis = ["Fall", "leaves", "rustled", "softly", "beneath", "our", "weary", "feet"];
//! let reference = ["Crisp", "autumn", "leaves", "rustled", "softly", "beneath", "our", "weary", "feet"];
//! bleu.push(&hypothesis, &[&reference]).unwrap();
//! assert_eq!(bleu.score().unwrap().score.score, 74.20884818558928);
//! ```

mod builder;
#[cfg(feature = "all")]
pub mod dialect;
#[cfg(feature = "all")]
mod entry;
mod finish;
mod float;
mod options;
mod pair_scores;
mod pools;
mod prefixes;
mod prepared;
mod score;
mod single;
mod smoothing;
mod stats;

use core::any::{Any, TypeId};
use core::hash::Hash;

use bleuprint_core::export::Arc;
use bleuprint_core::{
    Answer, Ask, Identity, Metric, Observe, Prepared, Result, Scale, Segment, SegmentCounts, Signature,
    StateKey, Wanted,
};
use bleuprint_ngram::Scratch;
use smallvec::SmallVec;

use crate::shared::{DescribedOnce, RefLengths, ngram_pairs, offer_single, serves_orders_from};
pub use builder::BleuBuilder;
#[cfg(feature = "all")]
pub use dialect::{Dialect, DialectBleu, DialectError, DialectScore};
#[cfg(feature = "all")]
pub(crate) use entry::ENTRY;
pub use float::Float;
use options::BleuSettings;
pub use options::{RefLen, Summation};
use prepared::PreparedBleu;
pub use score::BleuScore;
pub use smoothing::Smoothing;
pub use stats::{BleuOrderCounts, BleuStats};

/// Configuration of BLEU; the defaults are sacreBLEU's. [The module](self) has the definition.
#[derive(Debug, Clone, PartialEq)]
pub struct Bleu {
    max_order: usize,
    weights: Option<Vec<f64>>,
    smoothing: Smoothing,
    effective_order: bool,
    ref_len: RefLen,
    summation: Summation,
    described: DescribedOnce,
}

impl Default for Bleu {
    fn default() -> Self {
        let BleuSettings { max_order, weights, smoothing, effective_order, ref_len, summation, .. } =
            BleuSettings::default();
        let described = DescribedOnce::default();
        Bleu { max_order, weights, smoothing, effective_order, ref_len, summation, described }
    }
}

impl Bleu {
    /// Default highest order of n-grams: 4, as in the paper.
    pub const DEFAULT_MAX_ORDER: usize = options::DEFAULT_MAX_ORDER;

    /// Returns a builder with sacreBLEU's defaults.
    pub fn builder() -> BleuBuilder {
        BleuBuilder::default()
    }

    /// Returns this BLEU for single segments: the same options, but n-gram orders longer than the hypothesis
    /// are left out of the mean ("effective order").
    ///
    /// Both count the same n-grams. The returned BLEU can therefore score the statistics of segments that
    /// this BLEU has counted.
    ///
    /// ```
    /// use bleuprint_core::Accumulator;
    /// use bleuprint_metrics::Bleu;
    /// let corpus = Bleu::default();
    /// let segment = Accumulator::<_, [char]>::new(&corpus).push(&['a', 'b'], &[&['a', 'b']]).unwrap();
    /// assert_eq!(segment.score(&corpus).unwrap().score.score, 0.0);
    /// assert_eq!(segment.score(&corpus.sentence()).unwrap().score.score, 100.00000000000004);
    /// ```
    #[must_use]
    pub fn sentence(&self) -> Bleu {
        Bleu { effective_order: true, ..self.clone() }
    }

    /// Returns the highest order of n-grams.
    pub fn max_order(&self) -> usize {
        self.max_order
    }

    pub(crate) fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    pub(crate) fn smoothing(&self) -> Smoothing {
        self.smoothing
    }

    pub(crate) fn effective_order(&self) -> bool {
        self.effective_order
    }

    pub(crate) fn ref_len(&self) -> RefLen {
        self.ref_len
    }

    /// Returns the method by which the logarithms of the precisions are added.
    pub fn summation(&self) -> Summation {
        self.summation
    }

    /// Computes BLEU from its statistics in the floating-point type `F`, for example `f32`;
    /// [`Metric::finalize`] uses `f64`.
    ///
    /// # Errors
    /// Returns the errors of [`Metric::finalize`].
    pub fn finalize_as<F: Float>(&self, stats: &BleuStats) -> Result<BleuScore<F>> {
        finish::finish(self, stats, self.max_order)
    }
}

impl Metric for Bleu {
    type Stats = BleuStats;
    type Score = BleuScore;
    type Scratch = Scratch;

    /// Returns the metric's identity: its name, its settings and the key of its statistics. Only the highest
    /// order affects the counts, so the same statistics serve every smoothing, reference length rule and
    /// weights.
    fn identity(&self) -> Identity {
        Identity::new("bleu", 1, Scale::PERCENT)
            .named("BLEU")
            .option(BleuSettings::OPTION.effective_order, self.effective_order)
            .option(BleuSettings::OPTION.smoothing, self.smoothing)
            .option(BleuSettings::OPTION.smooth_value, self.smoothing.unrounded_value())
            .option(BleuSettings::OPTION.max_order, self.max_order)
            .option(BleuSettings::OPTION.ref_len, self.ref_len)
            .option(BleuSettings::OPTION.weights, self.weights.clone())
            .option(BleuSettings::OPTION.summation, self.summation)
    }
    fn zero(&self) -> BleuStats {
        BleuStats::zero(self.max_order)
    }

    /// Computes BLEU from its statistics.
    ///
    /// # Errors
    /// Returns [`CannotFinish`](bleuprint_core::InputErrorKind::CannotFinish) in two cases:
    /// - the statistics have fewer orders than this configuration;
    /// - the rule is the average reference length, and that average is not exact.
    fn finalize(&self, stats: &BleuStats, _: &SegmentCounts) -> Result<BleuScore> {
        self.finalize_as(stats)
    }

    fn check(&self, stats: &BleuStats, counts: &SegmentCounts) -> Result<()> {
        stats.check(stats.orders.len().max(self.max_order), counts)
    }

    fn state_key(&self) -> Arc<StateKey> {
        self.described.state_key(self)
    }

    fn signature_over(&self, state: &Arc<StateKey>, counts: &SegmentCounts) -> Signature {
        self.described.signature(self, state, counts)
    }

    /// Accepts saved BLEU statistics that count n-grams up to this BLEU's highest order or a higher one.
    fn serves(&self, key: &StateKey) -> Result<()> {
        serves_orders_from(self.max_order, &self.state_key(), key)
    }

    /// Returns BLEU's single-precision scorer for bootstrap resamples if `kind` requests it, otherwise
    /// `None`. There is no such scorer for weights or the average reference length, because sacreBLEU has
    /// neither.
    fn extension(&self, kind: TypeId) -> Option<Box<dyn Any>> {
        let known = self.weights.is_none() && self.ref_len != RefLen::Average;
        known.then(|| offer_single(kind, self.clone())).flatten()
    }
}

impl<T: Hash + Eq> Observe<[T]> for Bleu {
    fn observe(&self, scratch: &mut Scratch, stats: &mut BleuStats, segment: Segment<'_, [T]>) -> Result<()> {
        let hypothesis = segment.hypothesis;
        let references = segment.references()?;
        let ref_len = RefLengths::of_segment(hypothesis.len(), references.iter().map(|r| r.len()));
        if self.ref_len == RefLen::Average {
            RefLengths::require_average_of(references.len())?;
        }
        let mut clipped: SmallVec<[u64; 8]> = SmallVec::from_elem(0, self.max_order);
        // All orders are counted in one pass over the n-grams, which shares the look-ups between orders.
        bleuprint_ngram::overlap(scratch, hypothesis, references, &mut clipped);
        stats.add_segment(hypothesis.len(), ref_len, &clipped)
    }

    /// Counts the n-grams of references once, for many hypotheses, if the tokens are integer ids. References
    /// of other tokens stay unprepared: `observe` counts them again for each hypothesis.
    fn prepare(&self, scratch: &mut Scratch, references: &[&[T]]) -> Result<Prepared> {
        let Some((_, ids)) = bleuprint_ngram::as_ids(&[], references) else { return Ok(Prepared::default()) };
        Ok(Prepared::new(references.len(), self.prepare_ids(scratch, ids)?))
    }

    #[inline]
    fn observe_prepared(
        &self,
        scratch: &mut Scratch,
        stats: &mut BleuStats,
        segment: Segment<'_, [T]>,
        prepared: &Prepared,
    ) -> Result<()> {
        match (prepared.get::<PreparedBleu>(), bleuprint_ngram::as_ids(segment.hypothesis, &[])) {
            (Some(prepared), Some((ids, _))) => self.observe_prepared_ids(scratch, stats, ids, prepared),
            _ => self.observe(scratch, stats, segment),
        }
    }

    fn observe_prefixes(
        &self,
        scratch: &mut Scratch,
        segment: Segment<'_, [T]>,
        each: &mut dyn FnMut(&BleuStats) -> Result<()>,
    ) -> Result<bool> {
        match bleuprint_ngram::as_ids(segment.hypothesis, segment.references) {
            Some((hypothesis, references)) => {
                prefixes::observe_prefixes(self, scratch, Segment::new(hypothesis, references), each)
            }
            None => Ok(false),
        }
    }

    fn ask(&self, _: &mut Scratch, ask: Ask<'_, [T]>) -> Result<Option<Answer<'_, BleuStats>>> {
        let Ask { hypotheses, references, .. } = ask;
        Ok(match ask.wanted {
            Wanted::Pairs => ngram_pairs(self, self.max_order, hypotheses, references).map(Answer::Scores),
            // Each hypothesis is compared with all others of the pool, so both sides must be the same list.
            Wanted::LeaveOneOut if hypotheses == references => {
                pools::leave_one_out(self, hypotheses)?.map(Answer::Stats)
            }
            Wanted::Aggregate => pools::aggregate(self, hypotheses, references).map(Answer::Stats),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests;
