//! Error rates: the fewest edits between hypothesis and reference; WER, CER, MER, WIL, WIP and ER.
//!
//! With H hits, S substitutions, D deletions and I insertions, summed over the corpus:
//!
//! ```text
//! WER = (S + D + I) / (H + S + D)          word error rate; over characters CER
//! MER = (S + D + I) / (H + S + D + I)      match error rate
//! WIP = H/(H + S + D) · H/(H + S + I)      word information preserved
//! WIL = 1 - WIP                            word information lost
//! ER  = 100 · (S + D + I) / (H + S + D)    error rate over any tokens, in percent
//! ```
//!
//! A *deletion* is a reference token that the hypothesis lacks; an *insertion* is a hypothesis token that the
//! reference lacks. Many alignments can have the fewest edits, and H depends on which is counted. The metric
//! counts the one that rapidfuzz chooses (`align.rs` describes the choice), so all numbers match jiwer.
//! [`alignment()`] returns the steps.
//!
//! | singular case | WER, CER | MER | WIL | WIP | ER |
//! |---|---|---|---|---|---|
//! | references empty throughout, hypotheses too | 0 | 0 | 0 | 1 | 0 |
//! | references empty throughout, with insertions | the number I of insertions | 1 | 1 | 0 | 100 |
//! | hypotheses empty throughout | 1 | 1 | 1 | 0 | 100 |
//! | several references | the reference with the lowest word error rate, then the fewest edits, then the most hits | | | | |
//! | no reference | error | | | | |
//!
//! WER, CER and ER are at least 0 without a limit; MER, WIL and WIP are in 0 to 1. Lower is better, except
//! for WIP. Sources: Levenshtein 1966; Morris et al. 2004.
//!
//! Numbers match jiwer 4.0.0 with rapidfuzz 3.14.6 bit for bit with one reference, the most that jiwer
//! supports. ER follows NIST's sclite. jiwer's words are the tokens of the tokenizer `jiwer`, and its
//! characters for CER the tokens of `jiwer-char`; nothing is converted to lower case. Time is the product of the
//! lengths over 64, and for long similar sequences proportional to the edits. Memory is linear.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_metrics::EditRate;
//!
//! let mut wer = Accumulator::<_, [&str]>::new(EditRate::WER);
//! wer.push(&["the", "cat", "sat", "down"], &[&["a", "cat", "sat"]]).unwrap();
//! let counts = wer.total().stats();
//! assert_eq!((counts.hits, counts.substitutions, counts.insertions), (2, 1, 1));
//! assert_eq!(wer.score().unwrap().score.score, 2.0 / 3.0);
//! ```

pub(crate) mod align;
mod alignment;
mod compounds;
mod counts;
pub(crate) mod distance;
mod entry;
mod grid;
mod lanes;
mod matrix;
#[cfg(test)]
mod naive;
mod ordered;
pub(crate) mod path;
mod segments;
pub(crate) mod strip;
mod sweep;
mod tables;
#[cfg(test)]
mod tests;
pub(crate) mod together;
mod topmost;

use core::hash::Hash;

use bleuprint_core::{
    Direction, Identity, Metric, Observe, PlainScore, Quotient, Result, Scale, Segment, SegmentCounts, Stats,
};
use bleuprint_ngram::Interner;

use align::{AlignScratch, align};
pub use alignment::{AlignedLines, Aligner, Alignment, AlignmentRule, Chunk, EditOperation, alignment};
pub use compounds::CompoundWer;
pub(crate) use counts::require_few;
pub use counts::{EditCounts, require_few_tokens};
pub(crate) use entry::{CER, CMER, ER, MER, WER, WIL, WIP};
pub use segments::{Borders, Resegmented, resegment};
pub use tables::{ErrorTables, Occurrences, WordErrors};
use together::{PairsTogether, TOGETHER};

/// Error rate by edit distance: one of WER, CER, MER, WIL and the other measures of [this module](self).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EditRate {
    measure: Measure,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Measure {
    Wer,
    Cer,
    Mer,
    Cmer,
    Wil,
    Wip,
    Er,
}

impl EditRate {
    /// Word error rate (WER): the number of word edits per reference word.
    pub const WER: EditRate = EditRate { measure: Measure::Wer };
    /// Character error rate (CER): the number of character edits per reference character, computed like WER.
    pub const CER: EditRate = EditRate { measure: Measure::Cer };
    /// Match error rate (MER): the number of edits divided by the number of edits and hits.
    pub const MER: EditRate = EditRate { measure: Measure::Mer };
    /// Match error rate over characters (CMER), computed like the match error rate over words.
    pub(crate) const CMER: EditRate = EditRate { measure: Measure::Cmer };
    /// Word information lost (WIL): 1 minus the word information preserved.
    pub const WIL: EditRate = EditRate { measure: Measure::Wil };
    /// Word information preserved (WIP): the share of hits in the reference times the share of hits in the
    /// hypothesis.
    pub const WIP: EditRate = EditRate { measure: Measure::Wip };
    /// Error rate in percent: 100 times the number of edits per reference token.
    pub const ER: EditRate = EditRate { measure: Measure::Er };

    fn value(self, counts: &EditCounts) -> f64 {
        let edits = counts.edits() as f64;
        match self.measure {
            Measure::Wer | Measure::Cer => edits / (counts.ref_len().max(1)) as f64,
            Measure::Mer | Measure::Cmer => {
                edits / (counts.hits.saturating_add(counts.edits()).max(1)) as f64
            }
            Measure::Wil => 1.0 - preserved(counts),
            Measure::Wip => preserved(counts),
            Measure::Er if edits > 0.0 && counts.ref_len() == 0 => 100.0,
            Measure::Er => 100.0 * edits / (counts.ref_len().max(1)) as f64,
        }
    }
}

/// Returns the word information preserved: `hits / reference tokens` times `hits / hypothesis tokens`,
/// rounded like in jiwer.
fn preserved(counts: &EditCounts) -> f64 {
    match (counts.ref_len(), counts.hyp_len()) {
        // jiwer's rules: two empty sides preserve everything, one empty side nothing.
        (0, 0) => 1.0,
        (0, _) | (_, 0) => 0.0,
        (ref_len, hyp_len) => {
            let hits = counts.hits as f64;
            (hits / ref_len as f64) * (hits / hyp_len as f64)
        }
    }
}

/// Exclusive limit of token ids that index tables directly; larger ids are renumbered first.
const MOST_IDS: u32 = 1 << 16;

/// Working memory for edit-distance alignments, reused from segment to segment.
#[derive(Debug, Clone, Default)]
pub struct EditScratch {
    interner: Interner,
    align: AlignScratch,
    together: PairsTogether,
}

impl Metric for EditRate {
    type Stats = EditCounts;
    type Score = PlainScore;
    type Scratch = EditScratch;

    fn identity(&self) -> Identity {
        const LOST: Scale = Scale { direction: Direction::LowerIsBetter, ..Scale::UNIT };
        let (metric, name, scale) = match self.measure {
            Measure::Wer => ("wer", "WER", Scale::ERROR_RATE),
            Measure::Cer => ("cer", "CER", Scale::ERROR_RATE),
            Measure::Mer => ("mer", "MER", LOST),
            Measure::Cmer => ("cmer", "CMER", LOST),
            Measure::Wil => ("wil", "WIL", LOST),
            Measure::Wip => ("wip", "WIP", Scale::UNIT),
            Measure::Er => ("error_rate", "ER", Scale { percent: true, ..Scale::ERROR_RATE }),
        };
        Identity::new(metric, 1, scale).named(name)
    }
    fn finalize(&self, counts: &EditCounts, _: &SegmentCounts) -> Result<PlainScore> {
        let score = PlainScore::new(self.value(counts))
            .with_count("hits", counts.hits)
            .with_count("substitutions", counts.substitutions)
            .with_count("deletions", counts.deletions)
            .with_count("insertions", counts.insertions);
        Ok(if self.measure == Measure::Er { score.with_count("ref_len", counts.ref_len()) } else { score })
    }

    fn quotient(&self) -> Option<Quotient> {
        let denominator: &[&str] = match self.measure {
            Measure::Wer | Measure::Cer | Measure::Er => &["hits", "substitutions", "deletions"],
            Measure::Mer | Measure::Cmer => &["hits", "substitutions", "deletions", "insertions"],
            Measure::Wil | Measure::Wip => return None,
        };
        let factor = if self.measure == Measure::Er { 100.0 } else { 1.0 };
        Some(Quotient { numerator: &["substitutions", "deletions", "insertions"], denominator, factor })
    }

    fn check(&self, stats: &EditCounts, counts: &SegmentCounts) -> Result<()> {
        stats.check(counts)
    }

    /// Returns the number of segments to observe together. Characters are aligned many segments at a time;
    /// words are not, because their alignment is a small part of the work.
    fn batch(&self) -> usize {
        if matches!(self.measure, Measure::Cer | Measure::Cmer) { TOGETHER } else { 1 }
    }
}

impl<T: Hash + Eq> Observe<[T]> for EditRate {
    fn observe(
        &self,
        scratch: &mut EditScratch,
        counts: &mut EditCounts,
        segment: Segment<'_, [T]>,
    ) -> Result<()> {
        let hypothesis = segment.hypothesis;
        let references = segment.references()?;
        require_few_tokens(hypothesis, references)?;
        let EditScratch { interner, align: tables, .. } = scratch;
        let ids = interner.number_segment(hypothesis, references, MOST_IDS);
        let counted = ids
            .references()
            .map(|reference| align(tables, reference, ids.hypothesis, ids.bound, EditCounts::default()));
        counts.merge(&EditCounts::preferred(counted)?)
    }

    fn observe_each(
        &self,
        scratch: &mut EditScratch,
        stats: &mut [EditCounts],
        segments: &[Segment<'_, [T]>],
    ) -> Result<()> {
        together::observe_each(self, scratch, stats, segments)
    }
}
