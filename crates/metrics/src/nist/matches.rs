//! Distinct n-grams of a hypothesis, order by order, with their counts in the hypothesis and its references.
//!
//! N-grams are numbered within the segment, in the order of their first occurrence in the hypothesis, so the
//! tables are as small as the segment and stay in the cache. An n-gram can match only if its prefix does, so
//! places whose n-gram matched nothing are dropped before the next order.

use std::collections::HashMap;

use bleuprint_ngram::{NgramSet, Word};

/// Number of a token that the set lacks, and of an n-gram that does not exist.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Default)]
pub(super) struct NistMatches {
    hypothesis: NgramPlaces,
    references: Vec<NgramPlaces>,
    /// Number within the segment of each token of the set; [`NONE`] except while tokens are numbered.
    of_token: Vec<u32>,
    children: NgramChildren,
    ngrams: Vec<MatchedNgram>,
    /// The n-grams of the order below, in which `prefix` is an index.
    below: Vec<MatchedNgram>,
}

/// A distinct n-gram of the hypothesis.
#[derive(Debug, Clone, Copy)]
pub(super) struct MatchedNgram {
    /// Number of the n-gram without its last token, among the n-grams of the order below.
    pub(super) prefix: u32,
    /// Number of the last token in the set.
    pub(super) token: u32,
    pub(super) in_hypothesis: u32,
    /// Greatest count in one reference.
    pub(super) most: u32,
    /// Count in the reference that is being counted, otherwise 0.
    pub(super) in_reference: u32,
    /// Number of the n-gram in the set, its count there, and its information weight. They are looked up
    /// only for n-grams that match.
    pub(super) number: u32,
    pub(super) count: u64,
    pub(super) weight: f64,
}

/// Numbers of the tokens of a text in the set, and the places of the n-grams that are still of interest.
#[derive(Debug, Clone, Default)]
struct NgramPlaces {
    tokens: Vec<u32>,
    /// Start of each n-gram and its number within the segment, in the order of the text.
    ngrams: Vec<(usize, u32)>,
}

/// Map from prefix and last token to the number of the n-gram. Most prefixes go on in one way, and this one
/// needs no hash.
#[derive(Debug, Clone, Default)]
struct NgramChildren {
    firsts: Vec<FirstChild>,
    others: HashMap<(u32, u32), u32>,
}

#[derive(Debug, Clone, Copy)]
struct FirstChild {
    token: u32,
    ngram: u32,
    /// Whether `others` has more n-grams of this prefix.
    more: bool,
}

impl NistMatches {
    /// Finds the numbers of all tokens.
    pub(super) fn begin<T: Word>(&mut self, set: &NgramSet, hypothesis: &[T], references: &[&[T]]) {
        self.of_token.resize(set.len(1).max(self.of_token.len()), NONE);
        self.hypothesis.begin(set, hypothesis);
        self.references.resize_with(references.len(), NgramPlaces::default);
        for (places, reference) in self.references.iter_mut().zip(references) {
            places.begin(set, reference);
        }
    }

    /// Returns the numbers in the set of the tokens of each reference.
    pub(super) fn reference_tokens(&self) -> impl Iterator<Item = &[u32]> {
        self.references.iter().map(|places| &places.tokens[..])
    }

    pub(super) fn ngrams(&self) -> &[MatchedNgram] {
        &self.ngrams
    }

    /// Calls `weigh` with each n-gram that matches a reference, and with the n-gram of its prefix, which is
    /// `None` at order 1.
    pub(super) fn each_match<E>(
        &mut self,
        mut weigh: impl FnMut(&mut MatchedNgram, Option<&MatchedNgram>) -> Result<(), E>,
    ) -> Result<(), E> {
        let below = &self.below;
        let mut matched = self.ngrams.iter_mut().filter(|ngram| ngram.most > 0);
        matched.try_for_each(|ngram| weigh(ngram, below.get(ngram.prefix as usize)))
    }

    /// Numbers and counts the tokens.
    pub(super) fn count_tokens(&mut self) {
        let NistMatches { hypothesis, references, of_token, ngrams, below, .. } = self;
        below.clear();
        ngrams.clear();
        for (start, &token) in hypothesis.tokens.iter().enumerate() {
            // The set lacks the token, so no known token of a reference equals it.
            let Some(number) = of_token.get_mut(token as usize) else { continue };
            if *number == NONE {
                *number = ngrams.len() as u32;
                ngrams.push(MatchedNgram::new(NONE, token));
            }
            ngrams[*number as usize].in_hypothesis += 1;
            hypothesis.ngrams.push((start, *number));
        }
        for reference in references {
            for (start, &token) in reference.tokens.iter().enumerate() {
                let number = of_token.get(token as usize).copied().unwrap_or(NONE);
                if let Some(ngram) = ngrams.get_mut(number as usize) {
                    ngram.in_reference += 1;
                    reference.ngrams.push((start, number));
                }
            }
            ngrams.iter_mut().for_each(MatchedNgram::end_reference);
        }
        for ngram in ngrams {
            of_token[ngram.token as usize] = NONE;
        }
    }

    /// Numbers and counts the n-grams of order `order`, given those of the order below.
    pub(super) fn climb(&mut self, order: usize) {
        core::mem::swap(&mut self.ngrams, &mut self.below);
        let NistMatches { hypothesis, references, children, ngrams, below, .. } = self;
        ngrams.clear();
        children.clear(below.len());
        hypothesis.go_on(order, |prefix, token| {
            if token == NONE || below[prefix as usize].most == 0 {
                return NONE;
            }
            let number = children.insert(prefix, token, ngrams.len() as u32);
            if number as usize == ngrams.len() {
                ngrams.push(MatchedNgram::new(prefix, token));
            }
            ngrams[number as usize].in_hypothesis += 1;
            number
        });
        for reference in references {
            reference.go_on(order, |prefix, token| {
                let number = children.find(prefix, token);
                if let Some(ngram) = ngrams.get_mut(number as usize) {
                    ngram.in_reference += 1;
                }
                number
            });
            ngrams.iter_mut().for_each(MatchedNgram::end_reference);
        }
    }

    /// Calls `read` with the n-grams, whose `in_reference` then is their count in the reference `index`.
    pub(super) fn with_reference<R>(&mut self, index: usize, read: impl FnOnce(&[MatchedNgram]) -> R) -> R {
        for &(_, number) in &self.references[index].ngrams {
            self.ngrams[number as usize].in_reference += 1;
        }
        let result = read(&self.ngrams);
        self.ngrams.iter_mut().for_each(|ngram| ngram.in_reference = 0);
        result
    }
}

impl MatchedNgram {
    fn new(prefix: u32, token: u32) -> Self {
        MatchedNgram {
            prefix,
            token,
            in_hypothesis: 0,
            most: 0,
            in_reference: 0,
            number: NONE,
            count: 0,
            weight: 0.0,
        }
    }

    fn end_reference(&mut self) {
        self.most = self.most.max(self.in_reference);
        self.in_reference = 0;
    }
}

impl NgramPlaces {
    fn begin<T: Word>(&mut self, set: &NgramSet, tokens: &[T]) {
        let find = |token: &T| token.with_word(|word| set.find_token(word)).unwrap_or(NONE);
        self.tokens.clear();
        self.tokens.extend(tokens.iter().map(find));
        self.ngrams.clear();
    }

    /// Replaces the number of each n-gram by the number of the n-gram of order `order` at the same start,
    /// which `number` returns for a prefix and a last token. NgramPlaces for which it returns [`NONE`] are dropped.
    fn go_on(&mut self, order: usize, mut number: impl FnMut(u32, u32) -> u32) {
        let tokens = &self.tokens;
        self.ngrams.retain_mut(|(start, ngram)| {
            let Some(&token) = tokens.get(*start + order - 1) else { return false };
            *ngram = number(*ngram, token);
            *ngram != NONE
        });
    }
}

impl NgramChildren {
    /// Removes all n-grams, and makes room for this number of prefixes.
    fn clear(&mut self, prefixes: usize) {
        self.firsts.clear();
        self.firsts.resize(prefixes, FirstChild { token: NONE, ngram: NONE, more: false });
        self.others.clear();
    }

    /// Returns the number of an n-gram, which is `next` if the n-gram is new.
    fn insert(&mut self, prefix: u32, token: u32, next: u32) -> u32 {
        let first = &mut self.firsts[prefix as usize];
        if first.ngram == NONE {
            *first = FirstChild { token, ngram: next, more: false };
        }
        if first.token == token {
            return first.ngram;
        }
        first.more = true;
        *self.others.entry((prefix, token)).or_insert(next)
    }

    /// Returns the number of an n-gram, or [`NONE`].
    fn find(&self, prefix: u32, token: u32) -> u32 {
        let first = self.firsts[prefix as usize];
        if first.token == token {
            return first.ngram;
        }
        if !first.more {
            return NONE;
        }
        self.others.get(&(prefix, token)).copied().unwrap_or(NONE)
    }
}
