//! [`Cause`]: likely mistakes that explain a different BLEU score although the settings agree.

use std::fmt;

/// Mistake that leads to a different BLEU score although data and settings agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// Mistake: the mean of the segments' BLEU scores was reported in place of the corpus score.
    SegmentMean,
    /// Mistake: only one of several references was used, the reference with this index, counted from 1.
    Reference(usize),
    /// Mistake: the files of hypotheses and references were swapped. If there are several references, the
    /// first served as the hypothesis.
    Swapped,
    /// Mistake: the corpus was scored without its last segment.
    LastLineMissing,
    /// Mistake: the hypotheses, but not the references, had been tokenized by `13a` before scoring.
    HypothesesTokenized,
    /// Mistake: the references, but not the hypotheses, had been tokenized by `13a` before scoring.
    ReferencesTokenized,
    /// Mistake: the mean of the BLEU scores of batches with this number of segments was reported in place of
    /// the corpus score.
    BatchMean(usize),
    /// Difference: byte order marks at the start of the files were removed before scoring.
    MarkDropped,
    /// Difference: byte order marks at the start of the files were scored as characters of the text.
    MarkKept,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::SegmentMean => f.write_str("mean of sentence scores"),
            Cause::Reference(number) => write!(f, "reference {number} alone"),
            Cause::Swapped => f.write_str("hypotheses and references swapped"),
            Cause::LastLineMissing => f.write_str("last line missing"),
            Cause::HypothesesTokenized => f.write_str("hypotheses tokenized before, by 13a"),
            Cause::ReferencesTokenized => f.write_str("references tokenized before, by 13a"),
            Cause::BatchMean(size) => write!(f, "mean of batches of {size}"),
            Cause::MarkDropped => f.write_str("byte order mark dropped, --encoding utf-8-sig"),
            Cause::MarkKept => f.write_str("byte order mark kept, --encoding utf-8"),
        }
    }
}

/// Batch sizes in segments that are tried as explanations of a score, from the most to the least common.
pub(super) const BATCHES: [usize; 10] = [32, 16, 64, 8, 128, 10, 100, 50, 256, 4];

impl Cause {
    // The ranks order explanations that fit a score equally well. Ten batch sizes are tried, and one of them
    // can fit by chance, so batches rank last.
    pub(super) fn rarity(self) -> usize {
        match self {
            Cause::SegmentMean | Cause::MarkDropped | Cause::MarkKept => 0,
            Cause::Reference(number) => number,
            Cause::Swapped => 5,
            Cause::LastLineMissing => 6,
            Cause::HypothesesTokenized => 7,
            Cause::ReferencesTokenized => 8,
            Cause::BatchMean(size) => {
                9 + BATCHES.iter().position(|batch| *batch == size).unwrap_or(BATCHES.len())
            }
        }
    }
}
