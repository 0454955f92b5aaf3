//! [`Cause`]: likely causes of a different score that are not settings.

use std::fmt;

/// Mistake that leads to a different score although the data and settings are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// The mean of the BLEU scores of the segments was reported in place of the corpus score.
    SegmentMean,
    /// The hypotheses were scored against this reference only, counted from 1.
    Reference(usize),
    /// Hypotheses and references swapped. If there are several references, the first reference serves as the
    /// hypothesis.
    Swapped,
    /// The last segment was missing when the corpus was scored.
    LastLineMissing,
    /// The hypotheses were already tokenized by the tokenizer `13a` before they were scored.
    HypothesesTokenized,
    /// The references were already tokenized by the tokenizer `13a` before the hypotheses were scored.
    ReferencesTokenized,
    /// The mean of the scores of batches with this number of segments was reported.
    BatchMean(usize),
    /// Byte order marks at the start of the files were removed before scoring.
    MarkDropped,
    /// Byte order marks at the start of the files were scored as characters of the text.
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

/// Numbers of segments in a batch that are tried, from the most to the least common.
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
