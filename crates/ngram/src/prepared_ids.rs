//! References of ids, prepared once, matched against many hypotheses.

use crate::claims;
use crate::intern::MAX_TOKENS;
use crate::masks::{self, Masks};
use crate::overlap::total;
use crate::rows::Rows;
use crate::rungs::Rungs;
use crate::{Scratch, overlap};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Prepared references of ids: owned, `Send + Sync`, for many hypotheses.
///
/// For rewards, with many samples per prompt, and for minimum-Bayes-risk decoding, with every candidate scored against
/// every other one. Short references become masks, with a table of 4 kB; longer ones take 64 to 128 bytes per n-gram
/// and at least 16 kB per order.
///
/// ```
/// use bleuprint_ngram::{PreparedIds, Scratch};
///
/// let mut scratch = Scratch::default();
/// let prepared = PreparedIds::new(&mut scratch, &[&[7, 8, 9], &[7, 7]], 2);
/// let mut clipped = [0; 2];
/// prepared.overlap(&mut scratch, &[7, 7, 8, 1], &mut clipped);
/// assert_eq!(clipped, [3, 2]);
/// assert_eq!(prepared.reference_lengths(), [3, 2]);
/// ```
#[derive(Debug, Clone)]
pub struct PreparedIds {
    tables: Tables,
    lengths: Vec<usize>,
    max_order: usize,
}

#[derive(Debug, Clone)]
enum Tables {
    Masks(Masks<256>),
    Rungs(Box<Rungs>),
    /// More tokens than 31 bits can number: nothing is prepared.
    Copies(Vec<Vec<u32>>),
}

impl PreparedIds {
    /// Does the work that depends on the references alone, for orders up to `max_order`: `O(tokens · max_order)`.
    ///
    pub fn new(_scratch: &mut Scratch, references: &[&[u32]], max_order: usize) -> Self {
        Self::from_rows(Rows::Borrowed(references), max_order)
    }

    pub(crate) fn from_rows(references: Rows<'_>, max_order: usize) -> Self {
        let tables = if masks::fit(references) {
            let mut masks = Masks::default();
            masks.load(references);
            Tables::Masks(masks)
        } else if total(0, references.iter().map(<[u32]>::len)) > MAX_TOKENS {
            Tables::Copies(references.iter().map(<[u32]>::to_vec).collect())
        } else {
            Tables::Rungs(Box::new(Rungs::new(references, max_order)))
        };
        PreparedIds { tables, lengths: references.iter().map(<[u32]>::len).collect(), max_order }
    }

    /// As [`overlap`](crate::overlap()) against the prepared references; orders above `max_order` come out as 0.
    ///
    /// Time `O(hypothesis · orders)`, whatever the length of the references.
    pub fn overlap(&self, scratch: &mut Scratch, hypothesis: &[u32], clipped: &mut [u64]) {
        let (counted, beyond) = clipped.split_at_mut(self.max_order.min(clipped.len()));
        beyond.fill(0);
        match &self.tables {
            Tables::Masks(masks) => {
                claims::count(
                    masks.fields(),
                    hypothesis.iter().map(masks.lookup()),
                    counted,
                    &mut scratch.room,
                );
            }
            Tables::Rungs(rungs) => rungs.overlap(&mut scratch.climber, hypothesis, counted),
            Tables::Copies(references) => {
                let references: Vec<&[u32]> = references.iter().map(Vec::as_slice).collect();
                overlap(scratch, hypothesis, &references, counted);
            }
        }
    }

    /// The highest prepared order.
    pub fn max_order(&self) -> usize {
        self.max_order
    }

    /// The length of each reference.
    pub fn reference_lengths(&self) -> &[usize] {
        &self.lengths
    }
}
