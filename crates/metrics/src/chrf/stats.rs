//! Statistics of chrF: for every order the number of n-grams of the hypothesis, of the reference, and of
//! matches.

use core::fmt::Display;

use bleuprint_core::{InputError, Linear, Result, SegmentCounts};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::Chrf;

/// chrF's counts of hypothesis, reference and matching n-grams of one order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "closed: the columns of an order")]
pub struct ChrfNgramCounts {
    /// Number of hypothesis n-grams of one order, summed over segments. A segment whose reference has no
    /// n-gram of this order adds nothing.
    pub hypothesis: u64,
    /// Number of reference n-grams of one order, summed over segments.
    pub reference: u64,
    /// Number of n-grams of one order that hypothesis and reference have in common, summed over segments. A
    /// distinct n-gram adds the smaller of its counts in hypothesis and reference.
    pub matches: u64,
}

/// Statistics of [`Chrf`]: for each order of character and word n-grams, the numbers of hypothesis, reference
/// and matching n-grams.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChrfStats {
    characters: SmallVec<[ChrfNgramCounts; 6]>,
    words: SmallVec<[ChrfNgramCounts; 2]>,
}

impl ChrfNgramCounts {
    fn counts(self) -> [u64; 3] {
        [self.hypothesis, self.reference, self.matches]
    }

    fn add_unchecked(&mut self, other: &ChrfNgramCounts) {
        self.hypothesis = self.hypothesis.wrapping_add(other.hypothesis);
        self.reference = self.reference.wrapping_add(other.reference);
        self.matches = self.matches.wrapping_add(other.matches);
    }

    fn has_room_for(self, other: &ChrfNgramCounts) -> bool {
        let mut pairs = self.counts().into_iter().zip(other.counts());
        pairs.all(|(own, other)| own.checked_add(other).is_some())
    }
}

impl ChrfStats {
    pub(crate) fn zero(characters: usize, words: usize) -> Self {
        let zeros = ChrfNgramCounts::default();
        ChrfStats {
            characters: SmallVec::from_elem(zeros, characters),
            words: SmallVec::from_elem(zeros, words),
        }
    }

    pub(crate) fn of_counts(counts: &[ChrfNgramCounts], characters: usize) -> Self {
        let (characters, words) = counts.split_at(characters.min(counts.len()));
        ChrfStats { characters: characters.into(), words: words.into() }
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &ChrfNgramCounts> + Clone {
        self.characters.iter().chain(&self.words)
    }

    pub(crate) fn add_segment(&mut self, counts: &[ChrfNgramCounts]) -> Result<()> {
        if self.add_where_fits(counts.iter()) {
            return Ok(());
        }
        self.add_columns(&ChrfStats::of_counts(counts, self.characters.len()))
    }

    fn add_where_fits<'c>(&mut self, counts: impl Iterator<Item = &'c ChrfNgramCounts> + Clone) -> bool {
        let fits = self.all().zip(counts.clone()).all(|(own, other)| own.has_room_for(other));
        if fits {
            let all = self.characters.iter_mut().chain(&mut self.words);
            all.zip(counts).for_each(|(own, other)| own.add_unchecked(other));
        }
        fits
    }

    pub(crate) fn check(&self, chrf: &Chrf, counts: &SegmentCounts) -> Result<()> {
        let given = (self.characters.len(), self.words.len());
        let expected = (chrf.char_order(), chrf.word_order());
        if given != expected {
            let message =
                format!("{given:?} orders of characters and words, where {expected:?} are expected");
            return Err(InputError::malformed_state(message));
        }
        for (what, orders) in [("character", &self.characters[..]), ("word", &self.words[..])] {
            check_orders(orders, counts.segments)
                .map_err(|error| InputError::malformed_state(format!("{what} n-grams: {}", error.kind())))?;
        }
        Ok(())
    }
}

fn check_orders(orders: &[ChrfNgramCounts], segments: u64) -> Result<()> {
    for &ChrfNgramCounts { hypothesis, reference, matches } in orders {
        InputError::require_at_most("matches", matches, "n-grams of the hypothesis", hypothesis)?;
        InputError::require_at_most("matches", matches, "n-grams of the reference", reference)?;
        if segments == 0 {
            InputError::require_at_most("n-grams", reference, "without segments", 0)?;
        }
    }
    for pair in orders.windows(2) {
        // A match of order n + 1 contains a match of order n, so no count may grow with the order.
        for (next, this) in pair[1].counts().into_iter().zip(pair[0].counts()) {
            InputError::require_at_most("a count", next, "that of the order before", this)?;
        }
        // A segment whose reference has n-grams of an order has one fewer of the next order.
        let fewer = pair[0].reference - pair[1].reference;
        InputError::require_at_most("fewer n-grams of the reference", fewer, "segments", segments)?;
    }
    Ok(())
}

impl Linear for ChrfStats {
    fn columns(&mut self, visit: &mut dyn FnMut(&dyn Display, &mut u64)) {
        for (what, orders) in [("char", &mut self.characters[..]), ("word", &mut self.words[..])] {
            for (n, ChrfNgramCounts { hypothesis, reference, matches }) in (1..).zip(orders) {
                visit(&format_args!("{what}_{n}_hyp"), hypothesis);
                visit(&format_args!("{what}_{n}_ref"), reference);
                visit(&format_args!("{what}_{n}_match"), matches);
            }
        }
    }

    fn add(&mut self, other: &Self) -> Result<()> {
        let alike = self.characters.len() == other.characters.len() && self.words.len() == other.words.len();
        if alike && self.add_where_fits(other.all()) { Ok(()) } else { self.add_columns(other) }
    }
}

#[cfg(test)]
mod tests {
    use bleuprint_core::Stats as _;

    use super::*;

    fn counts(hypothesis: u64, reference: u64, matches: u64) -> ChrfNgramCounts {
        ChrfNgramCounts { hypothesis, reference, matches }
    }

    fn check(characters: &[ChrfNgramCounts], segments: u64) -> Result<(), String> {
        let chrf = Chrf::builder().char_order(2).build().unwrap();
        let stats = ChrfStats { characters: characters.into(), words: SmallVec::new() };
        let counts = SegmentCounts { segments, ..SegmentCounts::default() };
        stats.check(&chrf, &counts).map_err(|error| error.to_string())
    }

    #[test]
    fn impossible_counts_are_refused() {
        assert_eq!(check(&[counts(2, 3, 2), counts(1, 2, 1)], 1), Ok(()));
        for (characters, segments) in [
            (&[counts(2, 3, 2)][..], 1),
            (&[counts(2, 3, 3), counts(1, 2, 1)], 1),
            (&[counts(3, 2, 3), counts(1, 1, 1)], 1),
            (&[counts(2, 3, 1), counts(1, 2, 2)], 1),
            (&[counts(2, 3, 2), counts(1, 1, 1)], 1),
            (&[counts(2, 3, 2), counts(3, 3, 1)], 1),
            (&[counts(1, 1, 1), counts(0, 0, 0)], 0),
        ] {
            assert!(check(characters, segments).is_err(), "{characters:?} {segments}");
        }
    }

    #[test]
    fn columns_name_kind_order_and_side() {
        let names = ChrfStats::zero(1, 1).column_names();
        assert_eq!(
            names,
            ["char_1_hyp", "char_1_ref", "char_1_match", "word_1_hyp", "word_1_ref", "word_1_match"]
        );
    }
}
