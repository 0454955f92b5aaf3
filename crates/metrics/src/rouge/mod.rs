//! ROUGE: the share of the references' n-grams, or of their longest common subsequence, found in a summary.
//!
//! ```text
//! ROUGE-N      hits = Σ over n-grams of min(count in hypothesis, count in reference)
//!              P = hits / n-grams of the hypothesis          R = hits / n-grams of the reference
//! ROUGE-L      hits = length of the longest common subsequence, P and R over tokens
//! ROUGE-Lsum   the same sentence by sentence, see `SentenceRouge`
//! ROUGE-S      hits = Σ over pairs of tokens in order, at most `skip` tokens between them, of min(count, count)
//! ROUGE-SU     the same, and every token except a text's last one counts as a pair
//! ROUGE-W      subsequences sentence by sentence in which a run of k tokens counts k^w, see `SentenceRouge`
//!
//! F = P · R / ((1 − α) · P + α · R), α = 1/2
//! ```
//!
//! All three are means over segments. With several references, the reference with the best F counts, with
//! its P and R. Ties go to the better R, so that the order of references does not matter; rouge_score takes
//! the first listed. [`ReferencesRule`] lists the other rules. The presets of S, SU and W sum over the
//! references, as ROUGE-1.5.5 does.
//!
//! | singular case | result |
//! |---|---|
//! | no n-gram on either side, or no hit | 0, 0, 0 |
//! | an empty reference among others | scores 0; never the best one unless all are 0 |
//! | no reference | error |
//! | nothing observed | 0 |
//!
//! Range 0 to 1, higher is better. Source: Lin 2004, ROUGE: A Package for Automatic Evaluation of
//! Summaries; numbers of segments as `score_multi` of Google's rouge_score 0.1.2, to the last bit, over its
//! tokens (the tokenizers `rouge` and `rouge-stem`). The mean over segments is exact and rounded once;
//! rouge_score's `BootstrapAggregator` and HF evaluate report a random median of resampled means instead.
//! Time is linear in the tokens for ROUGE-N; for ROUGE-L it is the product of the lengths over 64, and for
//! long texts that are much alike in proportion to the tokens left out; for S and SU the number of pairs.
//!
//! S, SU and W have the arithmetic of ROUGE-1.5.5 (Lin and Och 2004; its `-2 SKIP`, `-u`, `-w`). They agree
//! within 1e-12 before its rounding of each text to five decimals, over its tokens (`rouge155` and
//! `rouge155-stem`). ROUGE-1.5.5 divides by zero for an empty reference, which scores 0 here.
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

mod band;
mod entry;
pub(crate) mod lcs;
mod lsum;
mod options;
mod rule;
mod short;
mod skips;
mod summary;
#[cfg(test)]
mod tests;
mod weighted;

use core::hash::Hash;

use std::borrow::Cow;

use bleuprint_core::{
    Answer, Ask, ConfigError, Identity, Metric, Observe, Result, Scale, Segment, SegmentCounts, Wanted,
};
use bleuprint_ngram::pairwise::Counts;
use bleuprint_ngram::{Interner, Scratch, as_ids};
use smallvec::SmallVec;

use self::lcs::Lcs;
use self::rule::{Hits, RougeRule};
use self::short::{PairCounts, ShortCounts};
use self::skips::{SkipScratch, Skips};
use crate::shared::{FMeasure, FScore, FinishPairs, MAX_ORDER_LIMIT, Means, ngram_pairs};
pub(crate) use entry::ENTRY;
pub use lsum::{SentenceRouge, SentenceRougeScratch};
pub use options::ReferencesRule;
use options::RougeSettings;

/// Metric ROUGE-N, ROUGE-L, ROUGE-S or ROUGE-SU: n-grams, subsequences or token pairs in common with
/// references.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rouge {
    units: Units,
    rule: RougeRule,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Units {
    Ngrams(usize),
    Subsequence,
    Skips(Skips),
}

/// Selects the matches of one kind of units among those of a pair.
type SelectMatches = fn(&PairCounts) -> u64;

impl Units {
    /// Returns the order of these units and the function that selects their matches, if [`ShortCounts`] counts
    /// them. Tokens of a subsequence have order 1.
    fn in_short_counts(self) -> Option<(usize, SelectMatches)> {
        match self {
            Units::Ngrams(1) => Some((1, |counts| counts.unigrams)),
            Units::Ngrams(2) => Some((2, |counts| counts.bigrams)),
            Units::Subsequence => Some((1, |counts| counts.common)),
            Units::Ngrams(_) | Units::Skips(_) => None,
        }
    }
}

/// Exclusive limit of token ids that index tables directly; larger ids are renumbered first.
const MOST_IDS: u32 = 1 << 16;

/// Statistics of ROUGE: sums of F, precision and recall over segments.
pub type RougeStats = Means<3>;

impl Rouge {
    /// Creates ROUGE-N, the overlap of n-grams of this order.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] unless `1 ≤ order ≤ 1000`.
    pub fn n(order: usize) -> Result<Self, ConfigError> {
        if !(1..=MAX_ORDER_LIMIT).contains(&order) {
            return Err(ConfigError::out_of_range("order", order, "from 1 to 1000"));
        }
        Ok(Rouge { units: Units::Ngrams(order), rule: RougeRule::DEFAULT })
    }

    /// Creates ROUGE-L, which compares texts by their longest common subsequence.
    pub fn l() -> Self {
        Rouge { units: Units::Subsequence, rule: RougeRule::DEFAULT }
    }

    /// Creates ROUGE-S, the overlap of pairs of tokens with at most `skip` tokens between them; `None` allows
    /// any number. Counts are summed over the references.
    ///
    /// ```
    /// use bleuprint_core::Accumulator;
    /// use bleuprint_metrics::Rouge;
    /// let mut rouge = Accumulator::<_, [&str]>::new(Rouge::s(None));
    /// rouge.push(&["police", "kill", "the", "gunman"], &[&["police", "killed", "the", "gunman"]]).unwrap();
    /// assert_eq!(rouge.score().unwrap().value(), 3.0 / 6.0); // Lin and Och 2004, section 5
    /// ```
    pub fn s(skip: Option<u64>) -> Self {
        let skips = Skips { gap: skip, unigrams: false };
        Rouge {
            units: Units::Skips(skips),
            rule: RougeRule { over: ReferencesRule::Sum, ..RougeRule::DEFAULT },
        }
    }

    /// Creates ROUGE-SU. Like ROUGE-S, it counts pairs of tokens in common, with at most `skip` tokens
    /// between them. Each single token except the last one of a text counts as a pair, too.
    pub fn su(skip: Option<u64>) -> Self {
        let skips = Skips { gap: skip, unigrams: true };
        Rouge { units: Units::Skips(skips), ..Rouge::s(skip) }
    }

    /// Sets the rule that combines several references of a segment.
    #[must_use]
    pub fn with_references(self, over: ReferencesRule) -> Self {
        Rouge { rule: RougeRule { over, ..self.rule }, ..self }
    }

    pub(crate) fn with_alpha(self, alpha: f64) -> Result<Self, ConfigError> {
        Ok(Rouge {
            rule: RougeRule { alpha: RougeSettings::OPTION.alpha.check(alpha)?, ..self.rule },
            ..self
        })
    }

    fn measure<T: Hash + Eq>(
        &self,
        scratch: &mut RougeScratch,
        hypothesis: &[T],
        references: &[&[T]],
    ) -> Result<FMeasure> {
        let RougeScratch { short, ngrams, interner, lcs, skips: tables } = scratch;
        if let Some((hypothesis, references)) = as_ids(hypothesis, references)
            && let Some((order, hits)) = self.units.in_short_counts()
            && let Some(counts) = short.count(hypothesis, references)
        {
            let of = |(counts, reference): (&PairCounts, &&[u32])| {
                Ok(Hits::new(hits(counts), ngrams_of(hypothesis, order), ngrams_of(reference, order)))
            };
            return self.rule.combine(1.0, counts.iter().zip(references).map(of));
        }
        match self.units {
            Units::Ngrams(order) => {
                let mut clipped: SmallVec<[u64; 9]> = SmallVec::from_elem(0, order);
                self.rule.combine(
                    1.0,
                    references.iter().map(|reference| {
                        bleuprint_ngram::overlap(ngrams, hypothesis, &[*reference], &mut clipped);
                        let clipped = clipped[order - 1];
                        Ok(Hits::new(clipped, ngrams_of(hypothesis, order), ngrams_of(reference, order)))
                    }),
                )
            }
            Units::Subsequence | Units::Skips(_) => {
                // Skip pairs keep a table by id, so they need ids without gaps.
                let most = if self.units == Units::Subsequence { MOST_IDS } else { 0 };
                let ids = interner.number_segment(hypothesis, references, most);
                let hypothesis = ids.hypothesis;
                let distinct = ids.bound;
                self.rule.combine(
                    1.0,
                    ids.references().map(|reference| {
                        Ok(match self.units {
                            Units::Skips(skips) => Hits::new(
                                skips.hits(tables, hypothesis, reference, distinct)?,
                                skips.units(hypothesis.len()),
                                skips.units(reference.len()),
                            ),
                            _ => Hits::new(
                                lcs.length(hypothesis, reference, distinct)? as u64,
                                hypothesis.len() as u64,
                                reference.len() as u64,
                            ),
                        })
                    }),
                )
            }
        }
    }
}

/// Working memory of ROUGE, one per thread.
#[derive(Debug, Default)]
pub struct RougeScratch {
    short: ShortCounts,
    ngrams: Scratch,
    interner: Interner,
    lcs: Lcs,
    skips: SkipScratch,
}

impl Metric for Rouge {
    type Stats = RougeStats;
    type Score = FScore;
    type Scratch = RougeScratch;

    fn identity(&self) -> Identity {
        match self.units {
            Units::Ngrams(order) => self.rule.identity(&order.to_string()),
            Units::Subsequence => self.rule.identity("L"),
            Units::Skips(Skips { gap, unigrams }) => {
                self.rule.identity(if unigrams { "SU" } else { "S" }).option(RougeSettings::OPTION.skip, gap)
            }
        }
    }
    fn scale(&self) -> Scale {
        RougeRule::SCALE
    }
    fn headline_names(&self) -> Vec<Cow<'static, str>> {
        FScore::headline_names()
    }
    fn finalize(&self, stats: &RougeStats, counts: &SegmentCounts) -> Result<FScore> {
        Ok(finish(stats, counts))
    }
    fn check(&self, stats: &RougeStats, counts: &SegmentCounts) -> Result<()> {
        stats.check(counts, [self.scale(); 3])
    }
}

impl<T: Hash + Eq> Observe<[T]> for Rouge {
    fn observe(
        &self,
        scratch: &mut RougeScratch,
        stats: &mut RougeStats,
        segment: Segment<'_, [T]>,
    ) -> Result<()> {
        let measure = self.measure(scratch, segment.hypothesis, segment.references()?)?;
        stats.push([measure.f, measure.precision, measure.recall])
    }

    /// Returns the ROUGE-N scores of all pairs of a pool's hypotheses and references at once; see
    /// [`bleuprint_ngram::pairwise`]. Returns `None` for other ROUGE variants, or if `ask` requests something
    /// else than pair scores. The caller then scores pair by pair.
    fn ask(&self, _: &mut RougeScratch, ask: Ask<'_, [T]>) -> Result<Option<Answer<'_, RougeStats>>> {
        let (Wanted::Pairs, Units::Ngrams(order)) = (ask.wanted, self.units) else { return Ok(None) };
        let ngrams = Ngrams(order, self.rule.alpha);
        Ok(ngram_pairs(ngrams, order, ask.hypotheses, ask.references).map(Answer::Scores))
    }
}

/// Scorer by ROUGE-N of pairs of a hypothesis and one reference. The fields are the n-gram order, and the
/// weight α of precision in F. No rule for several references is needed.
struct Ngrams(usize, f64);

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
        let Ngrams(order, alpha) = *self;
        let ngrams_of = |len: usize| (len + 1).saturating_sub(order) as u64;
        for (lane, (score, &ref_len)) in scores.iter_mut().zip(ref_lens).enumerate() {
            let hits = f64::from(clipped[order - 1][lane]);
            let shares = [ngrams_of(hyp_len), ngrams_of(ref_len)].map(|ngrams| hits / ngrams.max(1) as f64);
            *score = FMeasure::from_rates(shares[0], shares[1], alpha).f;
        }
    }
}

fn ngrams_of<T>(tokens: &[T], order: usize) -> u64 {
    (tokens.len() + 1).saturating_sub(order) as u64
}

fn finish(stats: &RougeStats, counts: &SegmentCounts) -> FScore {
    let [f1, precision, recall] = stats.means();
    FScore { f1, precision, recall, segments: counts.segments }
}
