//! [`Cause`]: likely causes of another number besides settings.

use std::fmt;

/// A cause of another number for the same data and settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// The mean of the scores of segments, where the score of the corpus is meant.
    SegmentMean,
    /// This reference alone, counted from 1.
    Reference(usize),
    /// Hypotheses taken for references; of several, the first reference for hypotheses.
    Swapped,
    /// Without the last segment.
    LastLineMissing,
    /// The hypotheses were tokenized before, by 13a.
    HypothesesTokenized,
    /// The references were.
    ReferencesTokenized,
    /// The mean of the scores of batches of this number of segments.
    BatchMean(usize),
    /// Without the byte order marks that the files begin with.
    MarkDropped,
    /// With the byte order marks that the files begin with, as characters.
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

/// The sizes of batches that are tried, the most usual first.
pub(super) const BATCHES: [usize; 10] = [32, 16, 64, 8, 128, 10, 100, 50, 256, 4];

impl Cause {
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
