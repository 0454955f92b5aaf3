//! The stored form of sets and counts of n-grams: sorted by their tokens, so that equal ones are stored alike.
//!
//! ```text
//! {"tokens": ["be", "to"], "ngrams": [[[0, 1], [1, 0]]], "counts": [[2, 2], [1, 2]]}
//! ```
//!
//! `ngrams` holds one list for each order from 2 up; an n-gram is the place of its prefix in the list below and the
//! place of its last token. `counts` holds one list for each order from 1 up.

use bleuprint_core::InputError;
use bleuprint_ngram::{NgramSet, ranks};
use serde::{Deserialize, Serialize};

use super::counts::MOST;
use super::{MAX_ORDER, NgramCounts};

/// A set of n-grams, sorted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredSet {
    tokens: Vec<String>,
    ngrams: Vec<Vec<(u32, u32)>>,
}

/// Counts of n-grams, sorted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredCounts {
    tokens: Vec<String>,
    ngrams: Vec<Vec<(u32, u32)>>,
    counts: Vec<Vec<u64>>,
}

/// The stored form of a set.
pub(crate) fn write_set(set: &NgramSet) -> StoredSet {
    let sorted = set.sorted();
    let rank = |order: usize| sorted.get(order - 1).map_or_else(Vec::new, |numbers| ranks(numbers));
    let (token_ranks, mut prefix_ranks) = (rank(1), rank(1));
    let tokens = sorted[0].iter().filter_map(|&number| set.vocabulary().token(number));
    let tokens = tokens.map(str::to_owned).collect();
    let mut ngrams = Vec::with_capacity(set.max_order() - 1);
    for order in 2..=set.max_order() {
        let parts = sorted[order - 1].iter().filter_map(|&number| set.parts(order, number));
        let placed =
            parts.map(|(prefix, token)| (prefix_ranks[prefix as usize], token_ranks[token as usize]));
        ngrams.push(placed.collect());
        prefix_ranks = rank(order);
    }
    StoredSet { tokens, ngrams }
}

/// The set of a stored form.
///
/// # Errors
/// A malformed state, for n-grams that no sequences have and for orders above [`MAX_ORDER`].
pub(crate) fn read_set(stored: &StoredSet) -> Result<NgramSet, InputError> {
    if stored.ngrams.len() >= MAX_ORDER {
        let order = stored.ngrams.len() + 1;
        return Err(InputError::malformed_state(format!(
            "n-grams of order {order}, but the highest is {MAX_ORDER}"
        )));
    }
    let tokens = stored.tokens.iter().map(String::as_str);
    NgramSet::from_parts(tokens, stored.ngrams.iter().map(Vec::as_slice)).ok_or_else(|| {
        InputError::malformed_state("a token or n-gram comes twice, or is without its prefix or suffix")
    })
}

impl From<NgramCounts> for StoredCounts {
    fn from(from: NgramCounts) -> Self {
        let StoredSet { tokens, ngrams } = write_set(&from.ngrams);
        let sorted = from.ngrams.sorted();
        let counts = sorted.iter().zip(&from.counts);
        let place =
            |(numbers, counts): (&Vec<u32>, &Vec<u64>)| numbers.iter().map(|&n| counts[n as usize]).collect();
        StoredCounts { tokens, ngrams, counts: counts.map(place).collect() }
    }
}

impl TryFrom<StoredCounts> for NgramCounts {
    type Error = InputError;

    fn try_from(stored: StoredCounts) -> Result<Self, InputError> {
        let StoredCounts { tokens, ngrams, counts } = stored;
        let ngrams = read_set(&StoredSet { tokens, ngrams })?;
        let lengths = |order: usize| ngrams.len(order);
        if counts.len() != ngrams.max_order()
            || !(1..).zip(&counts).all(|(order, row)| row.len() == lengths(order))
        {
            return Err(InputError::malformed_state("not as many counts as n-grams"));
        }
        if let Some(order) = counts.iter().position(|row| row.contains(&0)) {
            return Err(InputError::malformed_state(format!(
                "an n-gram of order {} that was counted 0 times",
                order + 1
            )));
        }
        let fits = |row: &Vec<u64>| row.iter().try_fold(0, |sum: u64, &count| sum.checked_add(count));
        if !counts.iter().all(|row| fits(row).is_some_and(|sum| sum <= MOST)) {
            return Err(InputError::malformed_state("counts of n-grams that sum to more than 2^63"));
        }
        Ok(NgramCounts { ngrams, counts })
    }
}
