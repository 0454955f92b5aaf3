//! N-grams that two systems match a different number of times, and sums of counts: for evaluations alone.

use core::cmp::Reverse;

use super::{NgramMatches, NgramTable, NgramWin, pack, unpack};

/// N-gram that two systems match a different number of times: its index in the table, with both numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DifferingNgram {
    pub(crate) ngram: usize,
    pub(crate) first: u64,
    pub(crate) second: u64,
}

impl NgramMatches {
    /// Adds the counts of other segments, which `other` has counted for the same systems.
    pub(crate) fn merge(&mut self, other: NgramMatches) {
        let ids: Vec<u32> = other.words.iter().map(|word| self.id(word)).collect();
        let stride = self.systems + 1;
        for (packed, from) in other.places {
            let mapped: Vec<u32> = unpack(packed).into_iter().map(|id| ids[id as usize - 1]).collect();
            let to = self.place(pack(&mapped));
            let counts = &other.counts[from..from + stride];
            self.counts[to..to + stride].iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }
}

impl NgramTable {
    /// Returns the n-grams that two systems match a different number of times, the largest differences first.
    /// Among equal differences, n-grams with more matches of `first` come first, then the order of the tokens
    /// decides.
    pub(crate) fn differing(&self, first: usize, second: usize) -> Vec<DifferingNgram> {
        let counts = |ngram: usize| DifferingNgram {
            ngram,
            first: self.matches(ngram, first),
            second: self.matches(ngram, second),
        };
        let mut all: Vec<DifferingNgram> =
            (0..self.ngrams.len()).map(counts).filter(|found| found.first != found.second).collect();
        // `false` sorts before `true`, so n-grams of the first system come first among equal differences. Packed
        // n-grams sort like their tokens.
        all.sort_unstable_by_key(|found| {
            let difference = Reverse(found.first.abs_diff(found.second));
            (difference, found.first < found.second, self.ngrams[found.ngram])
        });
        all
    }

    /// Returns the number of tokens of an n-gram.
    pub(crate) fn order(&self, ngram: usize) -> usize {
        self.ngrams.get(ngram).map_or(0, |packed| unpack(*packed).len())
    }

    /// Returns the n-gram with its tokens.
    pub(crate) fn win(&self, found: DifferingNgram, points: Option<f64>) -> NgramWin {
        NgramWin {
            tokens: self.tokens(found.ngram).into_iter().map(str::to_owned).collect(),
            first: found.first,
            second: found.second,
            references: self.counts(found.ngram)[0],
            points,
        }
    }
}
