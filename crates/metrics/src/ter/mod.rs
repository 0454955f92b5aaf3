//! TER, the translation edit rate: edits that turn the hypothesis into a reference, where moving a block of
//! words is one edit.
//!
//! ```text
//! TER = 100 · Σ edits / Σ reference length        edits = shifts + insertions + deletions + substitutions
//! ```
//!
//! With several references, the reference with the fewest edits counts, and the length is the mean of their
//! lengths. Edits are summed over segments before the division.
//!
//! Finding the fewest edits with shifts is NP-hard, so the definition is a greedy search with fixed limits
//! and a fixed order. It starts from the hypothesis and repeatedly applies the shift that lowers the edit
//! distance most. A block of up to 10 words may move if it occurs in the reference at most 50 words away and
//! both places contain an error. Ties go to the longer block, then to the earlier block, then to the earlier
//! target. After 1000 candidates for one hypothesis and reference the search ends; the best shift of its last
//! round is not applied. Distances are computed within a beam of 25 words on both sides of the diagonal, so
//! they may exceed the edit distance.
//!
//! | singular case | result |
//! |---|---|
//! | empty hypothesis, empty reference | no edits, 0 |
//! | references empty throughout, with edits | 100 |
//! | an empty reference | a reference of length 0; it is in the mean |
//! | empty hypothesis | one edit for each word of the reference: 100 |
//! | no reference | error |
//! | more than 16 references, unless their number divides 720720 | error: their mean length is not exact |
//!
//! Range from 0 without limit, lower is better; `a b c d e` against `x` is 500. Source: Snover et al. 2006;
//! numbers match sacreBLEU 2.6.0 bit for bit, with one exception. sacreBLEU adds the mean lengths as
//! floats, segment by segment, and this sum is exact. If segments have 3 references, or another number that
//! is not a power of 2, the last bits of a corpus score may differ. Segment scores still match.
//!
//! Texts are split by the tokenizer `tercom`; any other tokens work too. A segment takes up to a thousand
//! candidates. Each is linear in the number of words that its shift spans, and mostly cheaper than a pass
//! over the hypothesis.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_metrics::Ter;
//!
//! let mut ter = Accumulator::<_, [&str]>::new(Ter::default());
//! let words = |text: &'static str| text.split(' ').collect::<Vec<_>>();
//! ter.push(&words("d e f g h a b c"), &[&words("a b c d e f g h")]).unwrap();
//! assert_eq!(ter.total().stats().edits, 1);
//! assert_eq!(ter.score().unwrap().score.score, 12.5);
//! ```

mod beam;
mod bits;
mod entry;
mod masks;
#[cfg(test)]
mod naive;
mod search;
mod single;
mod table;
#[cfg(test)]
mod tests;
mod wide;

use core::any::{Any, TypeId};
use core::fmt;
use core::hash::Hash;

use bleuprint_core::{
    Identity, InputError, Metric, Observe, PartValue, Quotient, Result, Scale, Score, ScorePart, Segment,
    SegmentCounts, ShowPart, Stats, columns,
};
use bleuprint_ngram::Interner;
use bleuprint_registry::{Opt, settings};

use crate::edit::require_few_tokens;
use crate::shared::{AVERAGE_UNITS, RefLengths, offer_single};

pub(crate) use entry::ENTRY;
pub(crate) use search::{SearchScratch as Shifts, edits_by};

/// Number of columns that TER computes on each side of the diagonal of its distance table. If the reference
/// is more than 50 times as long as the hypothesis, half the ratio of the two lengths is added.
const BEAM_WIDTH: usize = 25;

/// Limit of the number of shifts tried for one hypothesis and reference, over all rounds of the search.
const MAX_CANDIDATES: usize = 1000;
const MAX_LENGTH: usize = 10;

/// Maximum distance of a shift, in words: between the position of the block in the hypothesis and the
/// position of the equal words in the reference.
const MAX_DISTANCE: usize = 50;

/// Exclusive limit of token ids that index tables directly; larger ids are renumbered first. The tables are
/// filled anew for every segment.
const MOST_IDS: u32 = 1 << 9;

settings! {
    /// Metric TER (translation edit rate); [the module](self) has the definition. The search has no options; the
    /// fields describe the tokens for the signature.
    #[derive(Copy, Eq)]
    pub struct Ter {
        /// Cut punctuation off words
        normalized: bool = Opt::flag("ter-normalized").counted("norm", "nr");
        /// Delete punctuation
        no_punct: bool = Opt::flag("ter-no-punct").counted("punct", "pn").words("no", "yes");
        /// Let normalization and the deletion of punctuation know East Asian text
        asian_support: bool = Opt::flag("ter-asian-support").counted("asian", "as");
        /// Keep capital letters
        case_sensitive: bool = Opt::flag("ter-case-sensitive");
    }
    in help: case_sensitive, asian_support, no_punct, normalized;
}

impl Ter {
    /// Records in the signature whether the tokenizer separates punctuation from words. The score does not
    /// change.
    #[must_use]
    pub fn normalized(self, normalized: bool) -> Self {
        Ter { normalized, ..self }
    }

    /// Records in the signature whether the tokenizer deletes punctuation. The score does not change.
    #[must_use]
    pub fn no_punct(self, no_punct: bool) -> Self {
        Ter { no_punct, ..self }
    }

    /// Records in the signature whether the tokenizer handles East Asian text. The score does not change.
    #[must_use]
    pub fn asian_support(self, asian_support: bool) -> Self {
        Ter { asian_support, ..self }
    }
}

columns! {
    /// Statistics of TER: number of edits and reference length, summed over segments.
    pub struct TerStats {
        /// Number of shifts, insertions, deletions and substitutions from the hypothesis to the reference
        /// that needs the fewest.
        edits,
        /// Mean length of a segment's references, summed over segments, in units of 1/[`AVERAGE_UNITS`] word,
        /// so that it is exact.
        ref_len
    }
}

impl TerStats {
    /// Returns the mean length of the references in words, summed over segments.
    pub(crate) fn ref_words(&self) -> f64 {
        self.ref_len as f64 / AVERAGE_UNITS as f64
    }
}

/// TER score in percent, with the number of edits and the reference length whose ratio it is.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct TerScore {
    /// Translation edit rate in percent, from 0 without an upper limit.
    pub score: f64,
    /// Number of shifts, insertions, deletions and substitutions over all segments.
    pub edits: u64,
    /// Mean length of the references in words, summed over segments.
    pub ref_len: f64,
}

impl Score for TerScore {
    fn value(&self) -> f64 {
        self.score
    }

    fn parts(&self) -> Vec<ScorePart> {
        vec![
            ScorePart::new("num_edits", ShowPart::Hidden, PartValue::Count(self.edits)),
            ScorePart::new("ref_length", ShowPart::Hidden, PartValue::Number(self.ref_len)),
        ]
    }
}

/// Writes only the value of the score, at full precision unless the format requests fewer decimals.
impl fmt::Display for TerScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.score.fmt(f)
    }
}

/// Working memory of TER's search for shifts, reused from segment to segment.
#[derive(Debug, Clone, Default)]
pub struct TerScratch {
    interner: Interner,
    search: search::SearchScratch,
}

impl Metric for Ter {
    type Stats = TerStats;
    type Score = TerScore;
    type Scratch = TerScratch;

    fn identity(&self) -> Identity {
        self.add_to_identity(Identity::new("ter", 1, Scale { percent: true, ..Scale::ERROR_RATE }))
            .named("TER")
            .tells_variants_of("tercom", "t")
    }
    fn finalize(&self, stats: &TerStats, _: &SegmentCounts) -> Result<TerScore> {
        let edits = stats.edits;
        let ref_len = stats.ref_words();
        let score = match edits {
            0 => 0.0,
            _ if stats.ref_len == 0 => 100.0,
            edits => 100.0 * (edits as f64 / ref_len),
        };
        Ok(TerScore { score, edits, ref_len })
    }
    fn quotient(&self) -> Option<Quotient> {
        // The mean reference length is counted in units of a fraction of a token.
        let factor = 100.0 * AVERAGE_UNITS as f64;
        Some(Quotient { numerator: &["edits"], denominator: &["ref_len"], factor })
    }

    fn check(&self, stats: &TerStats, counts: &SegmentCounts) -> Result<()> {
        // With the same number of references in every segment, each mean is a multiple of this unit.
        // Otherwise any whole number is possible.
        let unit = match counts.per_segment() {
            None if counts.segments == 0 && *stats == TerStats::default() => return Ok(()),
            Some(references @ 1..) => AVERAGE_UNITS / references,
            None if counts.segments > 0 => 1,
            None | Some(0) => 0,
        };
        if unit == 0 || !stats.ref_len.is_multiple_of(unit) {
            let TerStats { edits, ref_len } = stats;
            return Err(InputError::malformed_state(format!(
                "{edits} edits and {ref_len} units of reference length, over {} segments with {} references",
                counts.segments, counts.references
            )));
        }
        Ok(())
    }

    fn extension(&self, kind: TypeId) -> Option<Box<dyn Any>> {
        offer_single(kind, *self)
    }
}

impl<T: Hash + Eq> Observe<[T]> for Ter {
    fn observe(
        &self,
        scratch: &mut TerScratch,
        stats: &mut TerStats,
        segment: Segment<'_, [T]>,
    ) -> Result<()> {
        let hypothesis = segment.hypothesis;
        let references = segment.references()?;
        require_few_tokens(hypothesis, references)?;
        let ref_len = RefLengths::of_segment(hypothesis.len(), references.iter().map(|r| r.len()));
        RefLengths::require_average_of(references.len())?;
        let TerScratch { interner, search } = scratch;
        let ids = interner.number_segment(hypothesis, references, MOST_IDS);
        let mut fewest = u64::MAX;
        for reference in ids.references() {
            // A reference that cannot have fewer edits than the best so far need not be searched.
            let limit = fewest.saturating_sub(1);
            let edits = search::edits(search, ids.hypothesis, reference, ids.bound, limit)?;
            fewest = edits.map_or(fewest, |edits| edits.min(fewest));
        }
        stats.merge(&TerStats { edits: fewest, ref_len: ref_len.average })
    }
}
