//! chrF and chrF++: the F-score of character n-grams, and of word n-grams.
//!
//! Matches are clipped: each n-gram counts at most as often as in the text that has fewer of it. Counts are
//! summed over all segments. For every order `n`:
//!
//! ```text
//! P_n = matches_n / n-grams of the hypotheses        R_n = matches_n / n-grams of the references
//!
//!                  (1 + β²) · P · R
//! chrF_β = 100 · ──────────────────      P, R = the means of P_n and R_n over the orders that both sides have
//!                     β² · P + R
//! ```
//!
//! Character n-grams have orders 1 to 6. Characters are code points without whitespace, and n-grams cross
//! word boundaries. chrF++ adds word n-grams of orders 1 and 2. One ASCII punctuation mark is split off each
//! word, at its end or else at its start. β = 2 gives recall four times the weight of precision.
//!
//! If a segment has several references, it counts with the reference of the best segment score; ties go to
//! the first. With epsilon smoothing the score is the mean of the F-scores of all orders, and a precision or
//! recall without n-grams is 10^-16.
//!
//! | singular case | result |
//! |---|---|
//! | empty hypothesis, empty reference, or both | 0; the segment adds only the n-grams of the reference |
//! | a reference without n-grams of an order | the hypothesis adds none of that order either |
//! | texts shorter than an order | that order is left out of the means |
//! | no match in any order | 0 |
//! | `a` against `a` | 100, from order 1 alone; 16.67 with epsilon smoothing, which counts all six orders |
//! | no reference | error |
//!
//! The range is 0 to 100; higher is better. Sources: Popović 2015, chrF: character n-gram F-score for
//! automatic MT evaluation; Popović 2017, chrF++: words helping character n-grams. Scores match sacreBLEU
//! 2.6.0 on CPython 3.11 bit for bit. The order of the references matters if two of them give the same
//! segment score, as it does in sacreBLEU. Time is linear in the characters, once for each reference.
//!
//! Tokens of any kind (`[T]`) can take the place of characters; word orders require text.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_metrics::Chrf;
//!
//! let mut chrf = Accumulator::<_, str>::new(Chrf::default());
//! chrf.push("the cat sat.", &["the cat sits."]).unwrap();
//! assert_eq!(format!("{:.2}", chrf.score().unwrap().score.score), "55.22");
//!
//! let mut plus_plus = Accumulator::<_, str>::new(Chrf::plus_plus());
//! plus_plus.push("the cat sat.", &["the cat sits."]).unwrap();
//! let scored = plus_plus.score().unwrap();
//! assert!(format!("{scored:.2}").starts_with("chrF2++|nrefs:1|"));
//! assert_eq!(format!("{:.2}", scored.score.score), "54.98");
//! ```

mod builder;
mod chains;
mod characters;
mod count;
mod entry;
mod finish;
#[cfg(test)]
mod naive;
mod pairs;
mod pools;
mod prepared;
mod single;
mod stats;
#[cfg(test)]
mod tests;
mod words;

use core::any::{Any, TypeId};
use core::hash::Hash;

use bleuprint_core::{
    Answer, Ask, Identity, InputError, Metric, Observe, PlainScore, Prepared, Result, Scale, Segment,
    SegmentCounts, Wanted,
};

use count::{ChrfOrders, CountsByOrder, NgramCounter};
use finish::ChrfFinish;
use pools::ChrfPool;

pub use builder::ChrfBuilder;
pub(crate) use entry::ENTRY;
use prepared::PreparedChrf;
pub use stats::{ChrfNgramCounts, ChrfStats};

pub(crate) const MAX_ORDER_LIMIT: usize = 100;

/// Configuration of chrF: highest n-gram orders, β, and the treatment of whitespace and of orders without
/// n-grams.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chrf {
    orders: ChrfOrders,
    beta: f64,
    finish: ChrfFinish,
}

/// Working memory of chrF, tables and buffers, that is reused from segment to segment.
#[derive(Debug, Clone, Default)]
pub struct ChrfScratch {
    counter: NgramCounter,
    best: CountsByOrder,
}

impl Default for Chrf {
    /// Returns chrF2, the default configuration: character n-grams of orders 1 to 6, without word n-grams.
    fn default() -> Self {
        let ChrfBuilder { eps_smoothing, char_order, word_order, whitespace, beta, .. } =
            ChrfBuilder::default();
        let orders = ChrfOrders { characters: char_order, words: word_order, whitespace };
        Chrf::new(orders, beta, eps_smoothing)
    }
}

impl Chrf {
    /// Returns chrF2++: character n-grams of orders 1 to 6, and word n-grams of orders 1 and 2.
    pub fn plus_plus() -> Self {
        let Chrf { orders, beta, finish } = Chrf::default();
        Chrf::new(ChrfOrders { words: 2, ..orders }, beta, finish.smoothed)
    }

    /// Returns a builder with sacreBLEU's defaults.
    pub fn builder() -> ChrfBuilder {
        ChrfBuilder::default()
    }

    pub(crate) fn char_order(&self) -> usize {
        self.orders.characters
    }

    pub(crate) fn word_order(&self) -> usize {
        self.orders.words
    }

    fn new(orders: ChrfOrders, beta: f64, smoothed: bool) -> Self {
        Chrf { orders, beta, finish: ChrfFinish::new(beta, smoothed) }
    }
}

impl Metric for Chrf {
    type Stats = ChrfStats;
    type Score = PlainScore;
    type Scratch = ChrfScratch;

    /// Returns chrF's identity: name, settings and statistics key. β and the smoothing choose among
    /// references, so they change the counts and belong to the key. Like in sacreBLEU, the name shows β and
    /// the signature does not.
    fn identity(&self) -> Identity {
        let Chrf { orders: ChrfOrders { characters, words, whitespace }, beta, finish } = *self;
        let settings = ChrfBuilder {
            eps_smoothing: finish.smoothed,
            char_order: characters,
            word_order: words,
            whitespace,
            beta,
            lowercase: false,
        };
        settings
            .add_to_identity(Identity::new("chrf", 1, Scale::PERCENT))
            .named(format!("chrF{beta}{}", "+".repeat(words)))
            .needing(|needs| needs.reference_order = true)
    }

    fn zero(&self) -> ChrfStats {
        ChrfStats::zero(self.orders.characters, self.orders.words)
    }

    fn finalize(&self, stats: &ChrfStats, _: &SegmentCounts) -> Result<PlainScore> {
        Ok(PlainScore::new(self.finish.score(stats.all().copied())))
    }

    fn check(&self, stats: &ChrfStats, counts: &SegmentCounts) -> Result<()> {
        stats.check(self, counts)
    }

    fn extension(&self, kind: TypeId) -> Option<Box<dyn Any>> {
        crate::shared::offer_single(kind, *self)
    }
}

impl Observe<str> for Chrf {
    fn observe(
        &self,
        scratch: &mut ChrfScratch,
        stats: &mut ChrfStats,
        segment: Segment<'_, str>,
    ) -> Result<()> {
        let hypothesis = segment.hypothesis;
        let references = segment.references()?;
        check_lengths(hypothesis.len(), references.iter().map(|text| text.len()))?;
        self.observe_best(scratch, stats, references.len(), |counter, each| {
            counter.count_texts(self.orders, hypothesis, references, each);
        })
    }

    fn prepare(&self, scratch: &mut ChrfScratch, references: &[&str]) -> Result<Prepared> {
        Ok(Prepared::new(references.len(), self.prepare_texts(scratch, references)?))
    }

    fn observe_prepared(
        &self,
        scratch: &mut ChrfScratch,
        stats: &mut ChrfStats,
        segment: Segment<'_, str>,
        prepared: &Prepared,
    ) -> Result<()> {
        match prepared.get::<PreparedChrf>() {
            Some(prepared) => self.observe_prepared_texts(scratch, stats, segment.hypothesis, prepared),
            None => self.observe(scratch, stats, segment),
        }
    }

    fn ask(&self, _: &mut ChrfScratch, ask: Ask<'_, str>) -> Result<Option<Answer<'_, ChrfStats>>> {
        Ok(self.answer(ask.wanted, || ChrfPool::of_texts(self, ask.hypotheses, ask.references)))
    }
}

/// Counts chrF over tokens: n-grams of tokens take the place of n-grams of characters.
impl<T: Hash + Eq> Observe<[T]> for Chrf {
    fn observe(
        &self,
        scratch: &mut ChrfScratch,
        stats: &mut ChrfStats,
        segment: Segment<'_, [T]>,
    ) -> Result<()> {
        let hypothesis = segment.hypothesis;
        let references = segment.references()?;
        let ChrfOrders { characters, words, .. } = self.orders;
        if words > 0 {
            return Err(InputError::limit("the order of words, over tokens that are not text,", words, "0"));
        }
        self.observe_best(scratch, stats, references.len(), |counter, each| {
            counter.count_tokens(characters, hypothesis, references, each);
        })
    }

    fn ask(&self, _: &mut ChrfScratch, ask: Ask<'_, [T]>) -> Result<Option<Answer<'_, ChrfStats>>> {
        Ok(self.answer(ask.wanted, || ChrfPool::of_tokens(self, ask.hypotheses, ask.references)))
    }
}

impl Chrf {
    fn answer(
        &self,
        wanted: Wanted,
        pool: impl FnOnce() -> Option<ChrfPool>,
    ) -> Option<Answer<'static, ChrfStats>> {
        match wanted {
            Wanted::Pairs => pool().map(|pool| Answer::Scores(Box::new(pool))),
            Wanted::Aggregate => pool().map(|pool| Answer::Stats(pool.aggregate(self))),
            _ => None,
        }
    }

    fn observe_best(
        &self,
        scratch: &mut ChrfScratch,
        stats: &mut ChrfStats,
        references: usize,
        count: impl FnOnce(&mut NgramCounter, &mut dyn FnMut(&CountsByOrder)),
    ) -> Result<()> {
        let ChrfScratch { counter, best } = scratch;
        let mut best_score = None;
        count(counter, &mut |counts| {
            // A single reference is always the best, so its score need not be computed.
            let score = if references > 1 { self.finish.score(counts.iter().copied()) } else { 0.0 };
            // A strict comparison keeps the first of equal references, like sacreBLEU.
            if best_score.is_none_or(|best| score > best) {
                best_score = Some(score);
                best.clear();
                best.extend_from_slice(counts);
            }
        });
        stats.add_segment(best)
    }
}

/// Returns an error if the texts of a segment are too long: positions in texts are 32-bit numbers.
fn check_lengths(hypothesis: usize, references: impl Iterator<Item = usize>) -> Result<()> {
    let bytes = references.fold(hypothesis, usize::saturating_add);
    if u32::try_from(bytes).is_ok() {
        return Ok(());
    }
    Err(InputError::limit(
        "the length of the texts of a segment",
        format_args!("{bytes} bytes"),
        format!("at most {} bytes", u32::MAX),
    ))
}
