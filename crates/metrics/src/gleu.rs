//! GLEU: the smaller of n-gram precision and recall, all orders pooled; BLEU for single sentences, "Google BLEU".
//!
//! ```text
//! GLEU = Σ matches / Σ max( n-grams of the hypothesis, n-grams of the reference )
//! ```
//!
//! n-grams of orders 1 to 4 are pooled; matches are clipped. With several references, the one with the best
//! ratio counts. Ties go to the shorter reference, so that the order of references does not matter, or, as in
//! NLTK, to the [first](GleuTies::First) listed. Corpora sum both counts over segments. It is not the GLEU of
//! grammatical error correction.
//!
//! | singular case | result |
//! |---|---|
//! | empty hypothesis or no match | adds to the denominator only |
//! | no n-gram on either side, throughout | 0 |
//! | no reference | error |
//!
//! Range 0 to 1, higher is better. Source: Wu et al. 2016, Google's Neural Machine Translation System;
//! numbers as `corpus_gleu` and `sentence_gleu` of NLTK 3.10.4 and `google_bleu` of HF evaluate (which
//! tokenizes by 13a), to the last bit with [`GleuTies::First`], and without it where no two references of a
//! segment tie. A single segment has the same number either way. Time is linear in the tokens, once per
//! reference.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_metrics::Gleu;
//!
//! let mut gleu = Accumulator::<_, [&str]>::new(Gleu::default());
//! gleu.push(&["the", "cat", "was", "on", "the", "mat"], &[&["the", "cat", "is", "on", "the", "mat"]]).unwrap();
//! assert_eq!(gleu.score().unwrap().score.score, 0.5);
//! ```

use core::hash::Hash;

use bleuprint_core::{
    Answer, Ask, ConfigError, Identity, InputError, InputErrorKind, Metric, Observe, PlainScore, Result,
    Scale, Segment, SegmentCounts, Stats, Wanted, columns,
};
use bleuprint_ngram::Scratch;
use bleuprint_ngram::pairwise::Counts;
use bleuprint_registry::{AnyMetric, MetricEntry, Opt, settings};
use smallvec::SmallVec;

use crate::shared::{FinishPairs, MAX_ORDER_LIMIT, ngram_pairs};

/// Rule that chooses among a segment's references with an equal GLEU ratio of matches to n-grams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum GleuTies {
    /// Among references with equal GLEU, the one with fewer n-grams is chosen. The order of references then
    /// does not matter.
    Shorter,
    /// Among references with equal GLEU, the first listed is chosen, as in NLTK. A corpus score then depends
    /// on the order of references.
    First,
}

bleuprint_core::choice!(GleuTies: Shorter "shorter", First "first");

settings! {
    /// Metric GLEU (the smaller of n-gram precision and recall) with its settings: the lowest and highest n-gram
    /// order, and the rule that chooses among references with equal GLEU.
    #[derive(Copy, Eq)]
    pub struct Gleu {
        /// The lowest order of n-gram
        min_order: usize = Opt::integer("min-order", 1).counted("min", "min").unless_default();
        /// The highest order of n-gram
        max_order: usize =
            Opt::integer("max-order", 4).limits(1, MAX_ORDER_LIMIT as u64).counted("max", "max").unless_default();
        /// Which reference counts among equally good ones; NLTK takes the first
        ties: GleuTies = Opt::choice("ties").counted("ties", "ties").added_later();
    }
}

impl Gleu {
    /// Creates GLEU that pools the n-grams of orders `min_order` to `max_order`; the default is 1 to 4.
    ///
    /// # Errors
    /// Returns [`ConfigError::OutOfRange`] unless `1 ≤ min_order ≤ max_order ≤ 1000`.
    pub fn new(min_order: usize, max_order: usize) -> Result<Self, ConfigError> {
        Gleu::OPTION.max_order.check(max_order)?;
        if !(1..=max_order).contains(&min_order) {
            return Err(ConfigError::out_of_range("min-order", min_order, "from 1 to the highest order"));
        }
        Ok(Gleu { min_order, max_order, ..Gleu::default() })
    }

    /// Sets the rule that chooses among references whose ratio of matches to n-grams is equal.
    ///
    /// ```
    /// use bleuprint_core::Accumulator;
    /// use bleuprint_metrics::{Gleu, gleu::GleuTies};
    ///
    /// let total = |gleu: Gleu| {
    ///     let mut corpus = Accumulator::<_, [char]>::new(gleu);
    ///     corpus.push(&['a'], &[&['x', 'y'], &['z']]).unwrap();
    ///     corpus.total().stats().total
    /// };
    /// assert_eq!(total(Gleu::default()), 1);
    /// assert_eq!(total(Gleu::default().ties(GleuTies::First)), 3);
    /// ```
    #[must_use]
    pub fn ties(self, ties: GleuTies) -> Self {
        Gleu { ties, ..self }
    }

    fn ngrams(&self, len: usize) -> u64 {
        (self.min_order..=self.max_order.min(len)).map(|order| (len + 1 - order) as u64).sum()
    }
}

columns! {
    /// Statistics of GLEU: numbers of matches and n-grams, summed over segments.
    pub struct GleuStats {
        /// Number of hypothesis n-grams that match the chosen reference of each segment. An n-gram counts at
        /// most as often as in the reference.
        matches,
        /// Number of n-grams of the hypothesis or of the chosen reference, whichever is larger.
        total
    }
}

impl GleuStats {
    fn ratio(&self) -> f64 {
        if self.total == 0 { 0.0 } else { self.matches as f64 / self.total as f64 }
    }

    /// Returns `true` if this reference is preferred to `other`, which is listed earlier: by the better ratio
    /// of matches to n-grams, or else by fewer n-grams under [`GleuTies::Shorter`].
    fn preferred(&self, other: &Self, ties: GleuTies) -> bool {
        if self.total == 0 || other.total == 0 {
            return other.total == 0 && self.total > 0;
        }
        // Fractions are compared by whole products, because rounded quotients could hide or create ties.
        let crosswise = |a: &Self, b: &Self| u128::from(a.matches) * u128::from(b.total);
        let own = crosswise(self, other);
        let others = crosswise(other, self);
        own > others || own == others && ties == GleuTies::Shorter && self.total < other.total
    }
}

impl Metric for Gleu {
    type Stats = GleuStats;
    type Score = PlainScore;
    type Scratch = Scratch;

    fn identity(&self) -> Identity {
        let identity = self.add_to_identity(Identity::new("gleu", 1, Scale::UNIT)).named("GLEU");
        identity.needing(|needs| needs.reference_order = self.ties == GleuTies::First)
    }
    fn finalize(&self, stats: &GleuStats, _: &SegmentCounts) -> Result<PlainScore> {
        let score = PlainScore::new(stats.ratio());
        Ok(score.with_count("matches", stats.matches).with_count("total", stats.total))
    }

    fn check(&self, stats: &GleuStats, counts: &SegmentCounts) -> Result<()> {
        if counts.segments == 0 && stats.total > 0 {
            return Err(InputError::malformed_state(format!("{} n-grams of no segments", stats.total)));
        }
        InputError::require_at_most("matches", stats.matches, "total", stats.total)
    }
}

impl<T: Hash + Eq> Observe<[T]> for Gleu {
    fn observe(&self, scratch: &mut Scratch, stats: &mut GleuStats, segment: Segment<'_, [T]>) -> Result<()> {
        let hypothesis = segment.hypothesis;
        let mut best: Option<GleuStats> = None;
        let mut clipped: SmallVec<[u64; 8]> = SmallVec::from_elem(0, self.max_order);
        for reference in segment.references()? {
            bleuprint_ngram::overlap(scratch, hypothesis, &[*reference], &mut clipped);
            let counted = GleuStats {
                matches: clipped[self.min_order - 1..].iter().sum(),
                total: self.ngrams(hypothesis.len()).max(self.ngrams(reference.len())),
            };
            if best.is_none_or(|best| counted.preferred(&best, self.ties)) {
                best = Some(counted);
            }
        }
        stats.merge(&best.ok_or(InputErrorKind::NoReferences)?)
    }

    fn ask(&self, _: &mut Scratch, ask: Ask<'_, [T]>) -> Result<Option<Answer<'_, GleuStats>>> {
        let Wanted::Pairs = ask.wanted else { return Ok(None) };
        Ok(ngram_pairs(self, self.max_order, ask.hypotheses, ask.references).map(Answer::Scores))
    }
}

impl FinishPairs for &Gleu {
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
        let own = self.ngrams(hyp_len);
        for (lane, (score, &ref_len)) in scores.iter_mut().zip(ref_lens).enumerate() {
            let matches = clipped[self.min_order - 1..].iter().map(|order| u64::from(order[lane])).sum();
            *score = GleuStats { matches, total: own.max(self.ngrams(ref_len)) }.ratio();
        }
    }
}

pub(crate) const ENTRY: MetricEntry =
    MetricEntry::new("gleu", "The smaller of n-gram precision and recall, orders pooled", |options| {
        let Gleu { min_order, max_order, ties } = Gleu::from_options(options)?;
        AnyMetric::for_ids(Gleu::new(min_order, max_order)?.ties(ties))
    })
    .aliases(&["google_bleu"])
    .papers(&[crate::paper("wu-etal-2016-gnmt")])
    .agrees_with("NLTK 3.10.4; where references tie, with ties=first")
    .options(Gleu::SPECS)
    .example(crate::TEXT_EXAMPLE);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn obeys_the_laws() {
        bleuprint_registry::laws::check(&Gleu::default());
        bleuprint_registry::laws::check(&Gleu::new(2, 3).unwrap());
        bleuprint_registry::laws::check(&Gleu::default().ties(GleuTies::First));
    }

    #[test]
    fn orders_out_of_range_are_refused() {
        for (min, max) in [(0, 4), (5, 4), (1, 0), (1, MAX_ORDER_LIMIT + 1)] {
            assert!(Gleu::new(min, max).is_err(), "{min} {max}");
        }
    }

    #[test]
    fn references_that_tie_leave_the_shorter() {
        let references: [&[u8]; 2] = [b"xyzzy", b"xyz"];
        let mut stats = GleuStats::default();
        Gleu::default()
            .observe(&mut Scratch::default(), &mut stats, Segment::new(&b"ab"[..], &references))
            .unwrap();
        assert_eq!(stats, GleuStats { matches: 0, total: 6 });
    }

    /// Tests that GLEU chooses the first of equally good references, with values of `corpus_gleu` from NLTK
    /// 3.10.4.
    ///
    /// The hypotheses are `a` and `b`. The references `axy` and `a` of the first one are not equally good, so
    /// the better one is chosen in any order. The references `xy` and `z` of the second one are equally good:
    /// the score is 1/4 with `xy` first and 1/2 with `z` first.
    #[test]
    fn the_first_of_equals_counts_as_in_nltk() {
        let score = |references: [&[u8]; 2]| {
            let mut corpus =
                bleuprint_core::Accumulator::<_, [u8]>::new(Gleu::default().ties(GleuTies::First));
            corpus.push(b"a", &references).unwrap();
            corpus.push(b"b", &[b"b"]).unwrap();
            corpus.score().unwrap().score.score
        };
        assert_eq!([score([b"axy", b"a"]), score([b"a", b"axy"])], [1.0, 1.0]);
        assert_eq!([score([b"xy", b"z"]), score([b"z", b"xy"])], [0.25, 0.5]);
    }

    #[test]
    fn an_empty_reference_does_not_hide_a_real_one() {
        let references: [&[u8]; 2] = [b"", b"ab"];
        let mut stats = GleuStats::default();
        Gleu::default()
            .observe(&mut Scratch::default(), &mut stats, Segment::new(&b""[..], &references))
            .unwrap();
        assert_eq!(stats, GleuStats { matches: 0, total: 3 });
    }
}
