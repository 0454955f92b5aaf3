//! Finds the n-grams of a segment in a stored set of n-grams, with one exact look-up for each distinct
//! n-gram.

use core::hash::Hash;

use bleuprint_ngram::{NgramSet, NumberedNgrams, Word};

/// Ids of one segment's n-grams, each with the id of the equal n-gram in a stored set that outlives the
/// segment.
///
/// If the caller wants an n-gram looked up, it must also have wanted the n-gram's prefix and tokens at the
/// lower orders.
#[derive(Debug, Clone, Default)]
pub(crate) struct FoundNgrams {
    pub(crate) numbered: NumberedNgrams,
    /// Id that each token has in the stored set of n-grams, indexed by the token's id in the segment.
    tokens: Vec<Option<u32>>,
    /// Id that each n-gram of the current order has in the stored set, indexed by the n-gram's id in the
    /// segment.
    found: Vec<Option<u32>>,
    below: Vec<Option<u32>>,
}

impl FoundNgrams {
    /// Looks up the tokens of a segment for which `wanted` is true in a stored set of n-grams. Call it after
    /// [`NumberedNgrams::begin`] with the same sequences.
    pub(crate) fn find_tokens<T: Word + Hash + Eq>(
        &mut self,
        set: &NgramSet,
        first: &[T],
        rest: &[&[T]],
        wanted: impl Fn(u32) -> bool,
    ) {
        self.tokens.clear();
        for (index, tokens) in [first].iter().chain(rest).enumerate() {
            for (&number, token) in self.numbered.tokens(index).iter().zip(*tokens) {
                if number as usize == self.tokens.len() {
                    let find = || token.with_word(|word| set.find_token(word));
                    self.tokens.push(if wanted(number) { find() } else { None });
                }
            }
        }
        self.found.clone_from(&self.tokens);
    }

    /// Looks up the n-grams of the current order for which `wanted` is true in a stored set. Call it after
    /// [`NumberedNgrams::climb`].
    pub(crate) fn find(&mut self, set: &NgramSet, wanted: impl Fn(u32) -> bool) {
        core::mem::swap(&mut self.found, &mut self.below);
        let order = self.numbered.order();
        let below = &self.below;
        let tokens = &self.tokens;
        let find = |number: u32| {
            let (prefix, token) = self.numbered.origin(number).filter(|_| wanted(number))?;
            set.find(order, below[prefix as usize]?, tokens[token as usize]?)
        };
        self.found.clear();
        self.found.extend((0..self.numbered.distinct() as u32).map(find));
    }

    pub(crate) fn found(&self) -> &[Option<u32>] {
        &self.found
    }
}
