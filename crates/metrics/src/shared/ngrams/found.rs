//! Finds the n-grams of a segment in a stored set of n-grams, with one exact look-up for each distinct
//! n-gram.

use core::hash::Hash;

use bleuprint_ngram::{NgramSet, NumberedNgrams, Word};

/// Map from the ids of a segment's n-grams to their ids in a stored set of n-grams, such as the n-grams of a
/// whole corpus.
///
/// Look-ups begin with tokens and proceed order by order. An n-gram can be found only if its tokens and its
/// prefix, the n-gram without the last token, were looked up before.
#[derive(Debug, Clone, Default)]
pub(crate) struct FoundNgrams {
    pub(crate) numbered: NumberedNgrams,
    /// Id that each token has in the stored set of n-grams, indexed by the token's id in the segment.
    tokens: Vec<Option<u32>>,
    /// Result of the last look-up: for each n-gram of the current order, numbered within the segment, its id in
    /// the stored n-gram set, or `None` if the set does not have it.
    found: Vec<Option<u32>>,
    below: Vec<Option<u32>>,
}

impl FoundNgrams {
    /// Finds the id that each token of a segment has in a stored set of n-grams, and stores the ids for the
    /// method `found`. Only tokens for which `wanted` is true are looked up.
    ///
    /// Call it after [`NumberedNgrams::begin`], with the same sequences.
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

    /// Finds the id that each n-gram of the current order has in a stored set of n-grams, and stores the ids
    /// for the method `found`. Only n-grams for which `wanted` is true are looked up.
    ///
    /// Call it after [`NumberedNgrams::climb`].
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
