//! NIST: n-gram precision in which n-grams rare in the references weigh more.
//!
//! ```text
//! info(w_1 .. w_n) = log2( count(w_1 .. w_{n-1}) / count(w_1 .. w_n) )      counts over all references of all segments
//! NIST = Σ over orders n = 1 .. 5 of ( Σ info of matched n-grams / n-grams of the hypotheses ) · penalty
//! penalty = exp( -β · ln(ratio)² ) for ratio = hypothesis length / mean reference length < 1, else 1
//! ```
//!
//! β makes the penalty 0.5 at two thirds of the length. The prefix count of a unigram is the number of all
//! tokens. NistMatches are clipped by the greatest count in any single reference. There are two passes:
//! [`ReferenceNgrams`] counts the references, and [`Information`] made from its counts configures [`Nist`].
//! The key of the statistics includes a fingerprint of the information, so that statistics under different
//! weights do not merge.
//!
//! [`NistArithmetic`] selects the program whose arithmetic is used:
//!
//! | rules | difference |
//! |---|---|
//! | standard | the formula above; mteval without the two rules of the next row |
//! | mteval | a bigram that starts with the word `0` weighs as a unigram does; no score if all references of a segment are empty |
//! | NLTK | each order uses only the reference with the greatest precision at that order; lengths are the lengths of the chosen references |
//!
//! | singular case | standard, mteval | NLTK |
//! |---|---|---|
//! | no hypothesis has n-grams of some order | the order adds 0 | no score |
//! | empty hypotheses throughout | 0 | no score |
//! | references empty throughout | 0 (mteval: no score) | no score |
//! | a reference has an n-gram that [`Information`] does not contain | error | error |
//! | no reference | error | error |
//!
//! Range from 0 without limit, higher is better. Source: Doddington 2002, Automatic Evaluation of Machine
//! Translation Quality Using N-gram Co-occurrence Statistics. Numbers match mteval-v13a and v14 within
//! 1e-12 (over `mteval` tokens in lower case of A to Z). They match `sentence_nist` and `corpus_nist` of
//! NLTK 3.10.4 bit for bit for one segment, and within 1e-12 for several, which NLTK adds in floats in the
//! given order. Both programs use the logarithms of the C library, through Perl and CPython. Time is linear
//! in the tokens; memory is linear in the distinct n-grams of the references.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_metrics::nist::{Information, Nist, ReferenceNgrams, NistArithmetic};
//!
//! let (hypothesis, reference) = (["the", "cat", "sat"], ["the", "cat", "sat", "down"]);
//! let mut first = Accumulator::<_, [&str]>::new(ReferenceNgrams::default());
//! first.push(&hypothesis, &[&reference]).unwrap();
//!
//! let information = Information::new(first.total().stats(), NistArithmetic::Standard);
//! let mut nist = Accumulator::<_, [&str]>::new(Nist::new(information));
//! nist.push(&hypothesis, &[&reference]).unwrap();
//! assert!((nist.score().unwrap().score.score - 1.411).abs() < 1e-3);
//! ```

mod entry;
mod finish;
mod information;
mod matches;
mod segment;
mod stats;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use bleuprint_core::{
    Identity, InputError, Metric, Observe, PartValue, PlainScore, Result, Scale, ScorePart, Segment,
    SegmentCounts, ShowPart, Stats, counted,
};
use bleuprint_ngram::Word;

pub(crate) use entry::ENTRY;
pub use entry::NistArithmetic;
use entry::NistSettings;
pub use information::Information;
pub use segment::NistScratch;
pub use stats::{NistStats, ReferenceNgrams};

use finish::NistSums;

/// Second pass of NIST: the metric that scores with the n-gram weights ("information") of the first pass.
#[derive(Debug, Clone)]
pub struct Nist {
    information: Arc<Information>,
}

impl Nist {
    /// Creates NIST with these n-gram weights; the n-gram orders and the rules of arithmetic come from them.
    pub fn new(information: impl Into<Arc<Information>>) -> Self {
        Nist { information: information.into() }
    }
}

impl Metric for Nist {
    type Stats = NistStats;
    type Score = PlainScore;
    type Scratch = NistScratch;

    fn identity(&self) -> Identity {
        let Information { rules, .. } = *self.information;
        NistSettings { max_order: self.information.max_order(), rules }
            .add_to_identity(Identity::new("nist", 1, Scale::UNBOUNDED))
            .wider_sums()
            .needing(|needs| needs.tokens = true)
            .named("NIST")
            .counted("info", "info", format_args!("{:016x}", self.information.fingerprint))
    }
    fn zero(&self) -> NistStats {
        NistStats::new(self.information.max_order())
    }

    fn finalize(&self, stats: &NistStats, counts: &SegmentCounts) -> Result<PlainScore> {
        let nltk = self.information.rules == NistArithmetic::Nltk;
        if self.information.rules == NistArithmetic::Mteval && stats.unreferenced > 0 {
            let empty = counted(stats.unreferenced, "segment has");
            let reason = format!("{empty} empty references only, and mteval divides by their length");
            return Err(InputError::no_score("NIST", reason));
        }
        // mteval's number of reference systems is the number of references per segment.
        let per_segment = counts.references as f64 / counts.segments.max(1) as f64;
        let sums = NistSums {
            info: stats.info.iter().map(|info| info.to_f64()).collect(),
            totals: stats.total.clone(),
            hyp_len: stats.hyp_len as f64,
            ref_len: if nltk { stats.ref_len as f64 } else { stats.ref_len as f64 / per_segment },
        };
        let finished = if nltk {
            finish::nltk(&sums).ok_or_else(|| stats::division_by_zero(&stats.total))?
        } else {
            finish::standard(&sums)
        };
        let numbers = |key, numbers| ScorePart::new(key, ShowPart::Hidden, PartValue::Numbers(numbers));
        let score = finished.cumulative.last().copied().unwrap_or(0.0);
        Ok(PlainScore::new(score)
            .with(numbers("individual", finished.individual))
            .with(numbers("cumulative", finished.cumulative))
            .with(ScorePart::number("penalty", finished.penalty, 3))
            .with_count("hyp_len", stats.hyp_len)
            .with_count("ref_len", stats.ref_len))
    }

    fn check(&self, stats: &NistStats, counts: &SegmentCounts) -> Result<()> {
        stats.check(self.information.max_order(), self.information.rules, counts)
    }
}

impl<T: Word> Observe<[T]> for Nist {
    fn observe(
        &self,
        scratch: &mut NistScratch,
        stats: &mut NistStats,
        segment: Segment<'_, [T]>,
    ) -> Result<()> {
        let hypothesis = segment.hypothesis;
        let references = segment.references()?;
        let lengths = segment::measure(&self.information, scratch, hypothesis, references)?;
        let unreferenced = references.iter().all(|reference| reference.is_empty());
        scratch.segment.hold_segment(&scratch.orders, lengths, unreferenced)?;
        stats.merge(&scratch.segment)
    }
}
