//! Stored form of sets and counts of n-grams: sorted by their tokens, so that equal tables are stored alike.
//!
//! ```text
//! {"tokens": ["be", "to"], "ngrams": [[[0, 1], [1, 0]]], "counts": [[2, 2], [1, 2]]}
//! ```
//!
//! `ngrams` holds one list for each order from 2 up. An n-gram has two numbers: the index of its prefix in
//! the list of the order below, and the index of its last token. `counts` holds one list for each order from
//! 1 up.

use bleuprint_core::{InputError, Result};
use bleuprint_ngram::{NgramSet, Numbers, ranks};
use serde::{Deserialize, Serialize};

use super::{MAX_ORDER, NgramCounts};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredSet {
    tokens: Vec<String>,
    ngrams: Vec<Vec<(u32, u32)>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredCounts {
    tokens: Vec<String>,
    ngrams: Vec<Vec<(u32, u32)>>,
    counts: Vec<Vec<u64>>,
}

impl StoredSet {
    fn new(set: &NgramSet, sorted: &Numbers) -> Self {
        let mut orders = (1..).zip(sorted);
        let tokens = orders.next().map_or(&[][..], |(_, numbers)| numbers);
        let token_ranks = ranks(tokens);
        let mut prefix_ranks = token_ranks.clone();
        let tokens = tokens.iter().filter_map(|&number| set.vocabulary().token(number)).map(str::to_owned);
        let ngrams = orders.map(|(order, numbers)| {
            let parts = numbers.iter().filter_map(|&number| set.parts(order, number));
            let place =
                |(prefix, token): (u32, u32)| (prefix_ranks[prefix as usize], token_ranks[token as usize]);
            let placed = parts.map(place).collect();
            prefix_ranks = ranks(numbers);
            placed
        });
        StoredSet { tokens: tokens.collect(), ngrams: ngrams.collect() }
    }
}

impl From<&NgramSet> for StoredSet {
    fn from(set: &NgramSet) -> Self {
        StoredSet::new(set, &set.sorted())
    }
}

impl TryFrom<StoredSet> for NgramSet {
    type Error = InputError;

    fn try_from(stored: StoredSet) -> Result<Self> {
        if stored.ngrams.len() >= MAX_ORDER {
            let order = stored.ngrams.len() + 1;
            let message = format!("n-grams of order {order}, but the highest is {MAX_ORDER}");
            return Err(InputError::malformed_state(message));
        }
        let tokens = stored.tokens.iter().map(String::as_str);
        NgramSet::from_parts(tokens, stored.ngrams.iter().map(Vec::as_slice)).ok_or_else(|| {
            InputError::malformed_state("a token or n-gram comes twice, or is without its prefix or suffix")
        })
    }
}

impl From<NgramCounts> for StoredCounts {
    fn from(from: NgramCounts) -> Self {
        let sorted = from.ngrams().sorted();
        let StoredSet { tokens, ngrams } = StoredSet::new(from.ngrams(), &sorted);
        let place = |(order, numbers): (usize, &Vec<u32>)| {
            let counts = from.counts(order);
            numbers.iter().map(|&number| counts[number as usize]).collect()
        };
        StoredCounts { tokens, ngrams, counts: (1..).zip(&sorted).map(place).collect() }
    }
}

impl TryFrom<StoredCounts> for NgramCounts {
    type Error = InputError;

    fn try_from(stored: StoredCounts) -> Result<Self> {
        let StoredCounts { tokens, ngrams, counts } = stored;
        let ngrams = NgramSet::try_from(StoredSet { tokens, ngrams })?;
        NgramCounts::from_parts(ngrams, counts)
    }
}
