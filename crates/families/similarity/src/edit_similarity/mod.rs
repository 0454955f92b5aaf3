//! Edit similarity: the share of two texts that edits leave unchanged, by one of five formulas.
//!
//! ```text
//! levenshtein    1 - d / max(|a|, |b|)         d: insertions, deletions, substitutions
//! indel          1 - (T - 2 M) / T             M: length of a longest common subsequence, T = |a| + |b|
//! difflib        2 m / T                       m: total length of the equal blocks that difflib finds
//! jaro           (c/|a| + c/|b| + (c - t)/c) / 3      c items in common within a window, t of them transposed, halved
//! jaro_winkler   j + 0.1 p (1 - j)             j: Jaro similarity; p: common prefix of at most 4, if j > 0.7
//! ```
//!
//! `a` is the hypothesis, `b` the reference. The corpus score is the exact mean over segments of the highest
//! similarity over references. Programs call all five formulas "similarity" or "ratio", so the signature
//! names the formula. For text, the tokens are code points, including white space; case is kept and nothing
//! is normalized. In Rust, tokens may have any type.
//!
//! | kind | same function |
//! |---|---|
//! | `levenshtein` | rapidfuzz `Levenshtein.normalized_similarity` |
//! | `indel` | rapidfuzz `Indel`, `fuzz.ratio` / 100 (the last bit may differ), `Levenshtein.ratio`, thefuzz |
//! | `difflib` | Python `difflib.SequenceMatcher(None, a, b).ratio()` |
//! | `jaro`, `jaro_winkler` | rapidfuzz `Jaro.similarity`, `JaroWinkler.similarity`; its `normalized_similarity` is 1 - (1 - s), with other last bits |
//!
//! | singular case | result |
//! |---|---|
//! | both empty | 1 |
//! | one empty | 0 |
//! | no reference | error |
//! | nothing observed | 0 |
//!
//! The range is 0 to 1, or with [`percent`](EditSimilarity::percent) whole numbers from 0 to 100; higher is
//! better. Sources: Levenshtein 1966; Ratcliff and Metzener 1988 (difflib); Jaro 1989; Winkler 1990. The
//! numbers match rapidfuzz 3.14.6 and difflib of CPython 3.11.7 bit for bit. Time is the product of the
//! lengths over 64 for the first two kinds, linear for Jaro, and for difflib the product of the lengths for
//! each level of blocks.
//!
//! ```
//! use bleuprint_core::Accumulator;
//! use bleuprint_similarity::{EditKind, EditSimilarity};
//!
//! let similarity = |kind| {
//!     let mut all = Accumulator::<_, [u8]>::new(EditSimilarity::new(kind));
//!     all.push(b"private Thread currentThread;", &[b"private volatile Thread currentThread;"]).unwrap();
//!     all.score().unwrap().value()
//! };
//! assert_eq!(similarity(EditKind::Levenshtein), 0.7631578947368421);
//! assert_eq!(similarity(EditKind::Indel), 0.8656716417910448);
//! assert_eq!(similarity(EditKind::Difflib), 0.8656716417910447);
//! ```

mod difflib;
mod entry;
mod jaro;

use core::hash::Hash;

use bleuprint_core::{ExactSum, Identity, InputError, Location, Observe, Result, Scale, Segment};
use bleuprint_metrics::PairTables;
use bleuprint_metrics::edit::require_few_tokens;
use bleuprint_ngram::Interner;
use bleuprint_registry::{Opt, settings};

use crate::mean::{highest, mean_of_segments};

use difflib::Blocks;
pub use entry::EditKind;
pub(crate) use entry::{ENTRY, LEVENSHTEIN_1966};
use jaro::Windows;

/// Token ids below this number index tables directly; larger ids are renumbered first.
const MOST_IDS: u32 = 1 << 16;

settings! {
    /// Metric edit similarity of two sequences, by one of the five formulas of [`EditKind`]. The [module
    /// documentation](self) has the definition.
    #[derive(Copy, Eq)]
    pub struct EditSimilarity {
        /// The function: rapidfuzz's Levenshtein, Indel (fuzz.ratio), difflib's ratio, Jaro, Jaro-Winkler
        kind: EditKind = Opt::choice("edit-similarity-kind").counted("kind", "k");
        /// With kind=difflib: frequent items start no block in references of 200 items or more, as in difflib
        without_autojunk: bool = Opt::either("edit-similarity-autojunk", &["yes", "no"]).counted("autojunk", "aj");
        /// Whether values stay exact, or are rounded to whole percent as in thefuzz and fuzzywuzzy
        percent: bool = Opt::either("edit-similarity-round", &["none", "percent"]).counted("round", "r").unless_default();
    }
}

impl EditSimilarity {
    /// Creates the metric for this formula of edit similarity. With difflib's formula, the metric ignores
    /// frequent items (`autojunk`), as difflib does by default.
    pub fn new(kind: EditKind) -> Self {
        EditSimilarity { kind, ..EditSimilarity::default() }
    }

    /// Disables difflib's rule `autojunk`. With `autojunk`, no equal block starts with an item that is
    /// frequent in the reference, if the reference has 200 items or more.
    #[must_use]
    pub fn without_autojunk(self) -> Self {
        EditSimilarity { without_autojunk: true, ..self }
    }

    /// Rounds every value to whole percent, ties to even, as thefuzz and fuzzywuzzy do.
    #[must_use]
    pub fn percent(self) -> Self {
        EditSimilarity { percent: true, ..self }
    }

    fn add(self, sum: &mut ExactSum, value: f64) -> Result<()> {
        Ok(sum.add(if self.percent { (100.0 * value).round_ties_even() } else { value })?)
    }

    fn value<T: Hash + Eq>(self, scratch: &mut EditSimilarityScratch, a: &[T], b: &[T]) -> Result<f64> {
        let all = (a.len() + b.len()) as f64;
        if a.is_empty() || b.is_empty() {
            return Ok(if a.is_empty() && b.is_empty() { 1.0 } else { 0.0 });
        }
        let EditSimilarityScratch { pairs, interner, blocks, windows } = scratch;
        Ok(match self.kind {
            EditKind::Levenshtein => levenshtein(pairs.edits(a, b)?, a, b),
            EditKind::Indel => 1.0 - (all - 2.0 * pairs.common(a, b)? as f64) / all,
            EditKind::Difflib => {
                require_few_tokens(a, &[b])?;
                let sum = if b.len() <= difflib::MOST_BITS {
                    let references = [b];
                    let ids = interner.number_segment(a, &references, MOST_IDS);
                    let b = ids.references().next().unwrap_or_default();
                    blocks.matching_short(ids.hypothesis, b, ids.bound, !self.without_autojunk)?
                } else {
                    interner.intern_segment(a, &[b]);
                    blocks.matching(interner.hypothesis(), interner.reference(0), !self.without_autojunk)?
                };
                2.0 * sum as f64 / all
            }
            kind => {
                require_few_tokens(a, &[b])?;
                let references = [b];
                let ids = interner.number_segment(a, &references, MOST_IDS);
                let a = ids.hypothesis;
                let b = ids.references().next().unwrap_or_default();
                let jaro = windows.jaro(a, b, ids.bound);
                if kind == EditKind::Jaro { jaro } else { jaro::winkler(jaro, a, b) }
            }
        })
    }
}

/// Working memory of edit similarity, reused from segment to segment.
#[derive(Debug, Default)]
pub struct EditSimilarityScratch {
    pairs: PairTables,
    interner: Interner,
    blocks: Blocks,
    windows: Windows,
}

mean_of_segments!(EditSimilarity, EditSimilarityScratch, self => {
    let scale = if self.percent { Scale::PERCENT } else { Scale::UNIT };
    let identity = Identity::new("edit_similarity", 1, scale).option(Self::OPTION.kind, self.kind);
    let identity = match self.kind {
        EditKind::Difflib => identity.option(Self::OPTION.without_autojunk, self.without_autojunk),
        _ => identity,
    };
    identity.option(Self::OPTION.percent, self.percent)
};
    /// Returns the number of segments that a caller should compare in one call. The Levenshtein similarity
    /// compares several short texts in parallel.
    fn batch(&self) -> usize {
        if self.kind == EditKind::Levenshtein { PairTables::TOGETHER } else { 1 }
    }
);

/// Returns the Levenshtein similarity of two sequences that are `edits` edits apart; at least one of them is
/// not empty.
fn levenshtein<T>(edits: u64, a: &[T], b: &[T]) -> f64 {
    1.0 - edits as f64 / a.len().max(b.len()) as f64
}

impl<T: Hash + Eq> Observe<[T]> for EditSimilarity {
    fn observe(
        &self,
        scratch: &mut EditSimilarityScratch,
        sum: &mut ExactSum,
        segment: Segment<'_, [T]>,
    ) -> Result<()> {
        let references = segment.references()?.iter();
        let value = highest(references.map(|reference| self.value(scratch, segment.hypothesis, reference)))?;
        self.add(sum, value)
    }

    fn observe_each(
        &self,
        scratch: &mut EditSimilarityScratch,
        sums: &mut [ExactSum],
        segments: &[Segment<'_, [T]>],
    ) -> Result<()> {
        let at = |place: usize| move |error: InputError| error.at(Location::segment(place as u64 + 1));
        let pairs = segments.iter().map(|segment| match segment.references {
            [reference] if self.kind == EditKind::Levenshtein && !reference.is_empty() => {
                (segment.hypothesis, *reference)
            }
            // Other segments get an empty pair, which the loop below observes one by one.
            _ => Default::default(),
        });
        let pairs: Vec<(&[T], &[T])> = pairs.collect();
        let edits = scratch.pairs.edits_of_each(&pairs)?;
        for (place, (sum, segment)) in sums.iter_mut().zip(segments).enumerate() {
            match pairs[place] {
                ([], _) => self.observe(scratch, sum, *segment),
                (a, b) => self.add(sum, levenshtein(edits[place], a, b)),
            }
            .map_err(at(place))?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[test]
fn every_kind_obeys_the_laws() {
    use bleuprint_core::Choice as _;
    use bleuprint_registry::laws;
    for &kind in EditKind::ALL {
        laws::check(&EditSimilarity::new(kind));
    }
    laws::check(&EditSimilarity::new(EditKind::Difflib).without_autojunk().percent());
}
