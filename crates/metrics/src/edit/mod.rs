//! Error rates: the fewest edits between hypothesis and reference; WER, CER, MER, WIL and WIP as jiwer counts them, and ER.
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
//! A *deletion* is a token of the reference that the hypothesis lacks, an *insertion* one that it has too much. Many
//! alignments may have the fewest edits, and H depends on which of them is counted; it is the one that rapidfuzz
//! chooses (`align.rs` says how), so that all numbers are jiwer's. [`alignment()`] gives the steps themselves.
//!
//! | singular case | WER, CER | MER | WIL | WIP | ER |
//! |---|---|---|---|---|---|
//! | references empty throughout, hypotheses too | 0 | 0 | 0 | 1 | 0 |
//! | references empty throughout, with insertions | I, which is no rate | 1 | 1 | 0 | 100 |
//! | hypotheses empty throughout | 1 | 1 | 1 | 0 | 100 |
//! | several references | the one with the lowest word error rate, then the fewest edits, then the most hits | | | | |
//! | no reference | error | | | | |
//!
//! Ranges: WER, CER and ER from 0 without limit, MER, WIL and WIP from 0 to 1; lower is better but for WIP. Sources:
//! Levenshtein 1966; Morris et al. 2004. Numbers as jiwer 4.0.0 with rapidfuzz 3.14.6, to the last bit, for one
//! reference (jiwer knows no more); ER as NIST's sclite. jiwer's words are those of the tokenizer `jiwer`, and for CER
//! the characters of `jiwer-char`; nothing is lower-cased. Time is the product of the lengths over 64, and for long
//! sequences that are much alike in proportion to the edits. Memory is linear.
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
    Direction, Identity, Metric, Observe, PlainScore, Result, Scale, Segment, SegmentCounts, Stats,
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

/// One of the seven measures of [this module](self).
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
    /// The word error rate.
    pub const WER: EditRate = EditRate { measure: Measure::Wer };
    /// The word error rate under the name that it has over characters.
    pub const CER: EditRate = EditRate { measure: Measure::Cer };
    /// The match error rate.
    pub const MER: EditRate = EditRate { measure: Measure::Mer };
    /// The match error rate under the name that it has over characters.
    pub(crate) const CMER: EditRate = EditRate { measure: Measure::Cmer };
    /// The word information lost.
    pub const WIL: EditRate = EditRate { measure: Measure::Wil };
    /// The word information preserved.
    pub const WIP: EditRate = EditRate { measure: Measure::Wip };
    /// The error rate in percent.
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

/// Two quotients, then their product: so jiwer rounds.
fn preserved(counts: &EditCounts) -> f64 {
    match (counts.ref_len(), counts.hyp_len()) {
        (0, 0) => 1.0,
        (0, _) | (_, 0) => 0.0,
        (ref_len, hyp_len) => {
            let hits = counts.hits as f64;
            (hits / ref_len as f64) * (hits / hyp_len as f64)
        }
    }
}

/// Tables by id of this size are small: ids below need not be dense.
const MOST_IDS: u32 = 1 << 16;

/// Tables reused from segment to segment.
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

    fn check(&self, stats: &EditCounts, counts: &SegmentCounts) -> Result<()> {
        stats.check(counts)
    }

    /// Many segments of characters are aligned side by side; of words, whose alignment is a small part of the work, one.
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
