//! A vocabulary: distinct tokens that can be kept across segments, stored as text and numbered by first
//! insertion.
//!
//! One string holds all texts, end to end. A slot of the hash table holds a part of the token's hash and its
//! number; the text decides if two tokens are equal. The hash is keyed, so that tokens cannot be crafted to
//! collide.

use alloc::string::String;
use alloc::vec::Vec;
use core::hash::BuildHasher;
use core::ops::Range;
use foldhash::fast::RandomState;

/// Distinct tokens and their numbers: 0, 1, 2, .. in the order in which they were first inserted.
///
/// ```
/// let mut vocabulary = bleuprint_ngram::Vocabulary::default();
/// assert_eq!(["to", "be", "to"].map(|token| vocabulary.insert(token)), [Some(0), Some(1), Some(0)]);
/// assert_eq!((vocabulary.get("be"), vocabulary.get("or")), (Some(1), None));
/// assert_eq!((vocabulary.token(1), vocabulary.len()), (Some("be"), 2));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    state: RandomState,
    text: String,
    ends: Vec<usize>,
    slots: Vec<VocabularySlot>,
}

#[derive(Debug, Clone, Copy, Default)]
struct VocabularySlot {
    fragment: u32,
    next: u32,
}

const FEWEST: usize = 64;

impl Vocabulary {
    /// Returns the number of distinct tokens.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns `true` if the vocabulary is empty.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the text of the token with the id `number`, or `None` if no token has this id.
    pub fn token(&self, number: u32) -> Option<&str> {
        self.text.get(self.range(number)?)
    }

    #[inline]
    fn range(&self, number: u32) -> Option<Range<usize>> {
        let number = number as usize;
        let start = if number == 0 { 0 } else { *self.ends.get(number - 1)? };
        Some(start..*self.ends.get(number)?)
    }

    /// Compares bytes, because a part of a text would be tested for whole characters.
    #[inline]
    fn is(&self, number: u32, token: &str) -> bool {
        self.range(number).and_then(|range| self.text.as_bytes().get(range)) == Some(token.as_bytes())
    }

    /// Returns the texts of all tokens of the vocabulary, in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let token = &self.text[start..end];
            start = end;
            token
        })
    }

    /// Returns the id of a token, or `None` if it is not in the vocabulary.
    pub fn get(&self, token: &str) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        self.find(token, self.state.hash_one(token)).ok()
    }

    /// Returns the number of a token, which is added if it is new; `None` if the vocabulary already holds
    /// `2^32 - 1` tokens.
    pub fn insert(&mut self, token: &str) -> Option<u32> {
        if 2 * (self.len() + 1) > self.slots.len() {
            self.grow();
        }
        let hash = self.state.hash_one(token);
        match self.find(token, hash) {
            Ok(number) => Some(number),
            Err(free) => {
                let next = u32::try_from(self.len() + 1).ok()?;
                self.slots[free] = VocabularySlot { fragment: fragment(hash), next };
                self.text.push_str(token);
                self.ends.push(self.text.len());
                Some(next - 1)
            }
        }
    }

    /// Searches the hash table for a token. Returns `Ok` with its number, or `Err` with the free slot for it.
    #[inline]
    fn find(&self, token: &str, hash: u64) -> Result<u32, usize> {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            let Some(number) = slot.next.checked_sub(1) else { return Err(at) };
            if slot.fragment == fragment(hash) && self.is(number, token) {
                return Ok(number);
            }
            at = (at + 1) & mask;
        }
    }

    /// Doubles the number of slots in the hash table, so that at least half are free after the next token.
    #[cold]
    fn grow(&mut self) {
        let slots = (4 * (self.len() + 1)).next_power_of_two().max(FEWEST);
        let mut next = Vec::new();
        next.resize(slots, VocabularySlot::default());
        for (number, token) in (1..).zip(self.iter()) {
            let hash = self.state.hash_one(token);
            let mut at = hash as usize & (slots - 1);
            while next[at].next != 0 {
                at = (at + 1) & (slots - 1);
            }
            next[at] = VocabularySlot { fragment: fragment(hash), next: number };
        }
        self.slots = next;
    }
}

/// Returns the half of a token's hash that is stored in the hash table slot for quick comparison. The other
/// half chooses the slot.
fn fragment(hash: u64) -> u32 {
    (hash >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeMap;
    use alloc::string::ToString;

    quickcheck::quickcheck! {
        fn numbers_are_those_of_a_map(tokens: Vec<String>, asked: Vec<u8>) -> bool {
            let (mut vocabulary, mut naive) = (Vocabulary::default(), BTreeMap::<String, u32>::new());
            let numbers: Vec<String> = asked.iter().map(ToString::to_string).collect();
            for token in tokens.iter().chain(&numbers) {
                let next = naive.len() as u32;
                let expected = *naive.entry(token.clone()).or_insert(next);
                if vocabulary.insert(token) != Some(expected) {
                    return false;
                }
            }
            let texts: Vec<&str> = vocabulary.iter().collect();
            let same = naive.iter().all(|(token, &number)| {
                vocabulary.get(token) == Some(number) && texts[number as usize] == token
            });
            same && texts.len() == naive.len() && vocabulary.get("no such token").is_none()
        }
    }

    #[test]
    fn many_tokens_keep_their_numbers() {
        let mut vocabulary = Vocabulary::default();
        for round in 0..2 {
            for number in 0..10_000u32 {
                assert_eq!(vocabulary.insert(&number.to_string()), Some(number), "{round}");
            }
        }
        assert_eq!(vocabulary.token(1234), Some("1234"));
        assert_eq!((vocabulary.token(10_000), vocabulary.len()), (None, 10_000));
    }

    #[test]
    fn an_empty_vocabulary_has_nothing() {
        let vocabulary = Vocabulary::default();
        assert_eq!((vocabulary.get(""), vocabulary.token(0), vocabulary.is_empty()), (None, None, true));
        let mut vocabulary = vocabulary;
        assert_eq!(
            (vocabulary.insert(""), vocabulary.insert(""), vocabulary.get("")),
            (Some(0), Some(0), Some(0))
        );
        assert!(!vocabulary.is_empty());
    }
}
