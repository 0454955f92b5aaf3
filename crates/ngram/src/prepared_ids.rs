//! References given as token ids, whose n-gram tables are built once to count matches of many hypotheses.

use crate::claims;
use crate::intern::MAX_TOKENS;
use crate::masks::{self, ReferenceMasks};
use crate::overlap::total;
use crate::rows::ReferenceRows;
use crate::rungs::Rungs;
use crate::wide::{self, WideMasks};
use crate::{Scratch, overlap};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// References given as token ids, with n-gram tables that are built once and matched with many hypotheses.
/// The value owns its tables and is `Send + Sync`.
///
/// Use them for rewards, with many samples per prompt, and for minimum-Bayes-risk decoding, which scores
/// every candidate against every other one. Short references become masks with a table of 4 kB, and
/// one reference of 65 to 128 tokens of 12 kB. Longer ones take 64 to 128 bytes per n-gram and at least 16 kB per
/// order.
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
    tables: PreparedIdTables,
    lengths: Vec<usize>,
    max_order: usize,
}

#[derive(Debug, Clone)]
enum PreparedIdTables {
    Masks(ReferenceMasks<256>),
    WideMasks(WideMasks<512>),
    Rungs(Box<Rungs>),
    /// Copies of the references without tables, used if they have more tokens than 31 bits can number.
    Copies(Vec<Vec<u32>>),
}

impl PreparedIds {
    /// Builds the n-gram tables of the references, for n-gram orders 1 to `max_order`. Time
    /// `O(tokens · max_order)`. `_scratch` is not used.
    pub fn new(_scratch: &mut Scratch, references: &[&[u32]], max_order: usize) -> Self {
        Self::from_rows(ReferenceRows::Borrowed(references), max_order)
    }

    pub(crate) fn from_rows(references: ReferenceRows<'_>, max_order: usize) -> Self {
        let tables = if masks::fit(references) {
            let mut masks = ReferenceMasks::default();
            masks.load(references);
            PreparedIdTables::Masks(masks)
        } else if references.len() == 1 && references.get(0).len() <= wide::WIDTH && max_order <= wide::ORDERS
        {
            let mut masks = WideMasks::default();
            masks.load(references.get(0));
            PreparedIdTables::WideMasks(masks)
        } else if total(0, references.iter().map(<[u32]>::len)) > MAX_TOKENS {
            PreparedIdTables::Copies(references.iter().map(<[u32]>::to_vec).collect())
        } else {
            PreparedIdTables::Rungs(Box::new(Rungs::new(references, max_order)))
        };
        PreparedIds { tables, lengths: references.iter().map(<[u32]>::len).collect(), max_order }
    }

    /// Counts the clipped n-gram matches of a hypothesis with these references, like
    /// [`overlap`](crate::overlap()). Orders above `max_order` get 0.
    ///
    /// Time `O(hypothesis · orders)`, whatever the length of the references.
    pub fn overlap(&self, scratch: &mut Scratch, hypothesis: &[u32], clipped: &mut [u64]) {
        let (counted, beyond) = clipped.split_at_mut(self.max_order.min(clipped.len()));
        beyond.fill(0);
        match &self.tables {
            PreparedIdTables::Masks(masks) => {
                claims::count(
                    masks.fields(),
                    hypothesis.iter().map(masks.lookup()),
                    counted,
                    &mut scratch.room,
                );
            }
            PreparedIdTables::WideMasks(masks) => wide::count(masks, hypothesis, counted),
            PreparedIdTables::Rungs(rungs) => rungs.overlap(&mut scratch.climber, hypothesis, counted),
            PreparedIdTables::Copies(references) => {
                let references: Vec<&[u32]> = references.iter().map(Vec::as_slice).collect();
                overlap(scratch, hypothesis, &references, counted);
            }
        }
    }

    /// Returns the highest n-gram order for which the reference tables were built.
    pub fn max_order(&self) -> usize {
        self.max_order
    }

    /// Returns the length of each reference in tokens.
    pub fn reference_lengths(&self) -> &[usize] {
        &self.lengths
    }
}
