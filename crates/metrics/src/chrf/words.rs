//! Splits texts into the words of chrF++, like sacreBLEU, and gives each distinct word a number.
//!
//! Words are separated by whitespace. One punctuation mark is split off a word of more than one character:
//! the last character if it is punctuation, otherwise the first. Punctuation is the 32 characters of ASCII.
//!
//! ```text
//! (hi)     (hi  )          "hi     "  hi          ...    ..  .
//! “hi”     “hi”            U.S.    U.S  .         don't  don't
//! ```
//!
//! The first and last 8 bytes identify a word of at most 16 bytes. Longer words are compared in full.

use core::hint::select_unpredictable;
use std::hash::{BuildHasher, RandomState};

use super::characters::is_whitespace;

pub(crate) const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Default)]
pub(crate) struct ChrfWords {
    /// Text that is split into words, padded with spaces to blocks of 64 bytes. The last block is all spaces,
    /// so that 8 bytes can be read from every position.
    bytes: Vec<u8>,
    /// Byte offsets at which the runs of non-whitespace start and end, in turn. Entries after the last are
    /// leftovers of earlier texts.
    bounds: Vec<u32>,
    /// Start and end of each word of the text in bytes. Entries after the last word are leftovers of earlier
    /// texts.
    spans: Vec<[u32; 2]>,
    len: usize,
}

/// Word with its first and last 8 bytes as integers. Zeros pad a shorter head; the tail is 0 if the head has
/// all bytes.
#[derive(Debug, Clone, Copy)]
struct HashedWord<'t> {
    bytes: &'t [u8],
    len: usize,
    head: u64,
    tail: u64,
}

/// Returns `true` for the ASCII bytes 9 to 13 and 28 to 32, which Python treats as whitespace.
#[inline]
fn is_ascii_whitespace(byte: u8) -> bool {
    (byte.wrapping_sub(9) < 5) | (byte.wrapping_sub(28) < 5)
}

/// Returns `true` if the byte can begin whitespace outside ASCII: U+0085, U+00A0, U+1680, U+2000 to U+205F or
/// U+3000.
#[inline]
fn may_lead_whitespace(byte: u8) -> bool {
    (byte == 0xC2) | (byte.wrapping_sub(0xE1) < 3)
}

#[inline(always)]
fn bits(block: &[u8; 64], test: impl Fn(u8) -> bool) -> u64 {
    let mut flags = [0; 64];
    for (flag, &byte) in flags.iter_mut().zip(block) {
        *flag = u8::from(test(byte));
    }
    // The product moves the lowest bits of 8 bytes into the highest byte, in order.
    let eight = |flags: &[u8; 8]| u64::from_le_bytes(*flags).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let (eights, _) = flags.as_chunks();
    eights.iter().rev().fold(0, |bits, flags| bits << 8 | eight(flags))
}

const IS_PUNCTUATION: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).is_ascii_punctuation();
        byte += 1;
    }
    table
};

impl ChrfWords {
    /// Splits a text of less than 2^32 bytes into words.
    pub(crate) fn split(&mut self, text: &str) {
        self.bytes.clear();
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes.resize((text.len() / 64 + 2) * 64, b' ');
        let bounds = self.find_bounds(text);
        self.len = self.split_punctuation(bounds);
    }

    /// Finds where each run without whitespace starts and ends, 64 bytes at a time. Returns the number of
    /// offsets found.
    fn find_bounds(&mut self, text: &str) -> usize {
        if self.bounds.len() < self.bytes.len() {
            self.bounds.resize(self.bytes.len(), 0);
        }
        let mut len = 0;
        let mut before = 0;
        let mut white_until = 0;
        let (blocks, _) = self.bytes.as_chunks();
        for (start, block) in (0..).step_by(64).zip(blocks) {
            let mut inside = bits(block, |byte| !is_ascii_whitespace(byte));
            // A whitespace character can reach from the block before into this one.
            inside &= u64::MAX.unbounded_shl((white_until as u32).saturating_sub(start));
            let mut leads = bits(block, may_lead_whitespace);
            while leads != 0 {
                let at = (start + leads.trailing_zeros()) as usize;
                if let Some(c) = text[at..].chars().next().filter(|&c| is_whitespace(c)) {
                    white_until = at + c.len_utf8();
                    let bytes = u64::MAX >> (64 - c.len_utf8());
                    inside &= !(bytes << leads.trailing_zeros());
                }
                leads &= leads - 1;
            }
            // A bit differs from its predecessor exactly at a bound; `before` carries the last bit of the
            // block before.
            let mut changes = inside ^ (inside << 1 | before);
            before = inside >> 63;
            while changes != 0 {
                self.bounds[len] = start + changes.trailing_zeros();
                len += 1;
                changes &= changes - 1;
            }
        }
        len
    }

    /// Splits each run without whitespace into a word and its punctuation mark at the front or the end, as
    /// chrF++ does. Returns the number of words.
    fn split_punctuation(&mut self, bounds: usize) -> usize {
        let (runs, _) = self.bounds[..bounds].as_chunks();
        if self.spans.len() < bounds {
            self.spans.resize(bounds, [0; 2]);
        }
        let mut len = 0;
        for &[start, end] in runs {
            let is_punctuation = |at: u32| IS_PUNCTUATION[usize::from(self.bytes[at as usize])];
            let several = end - start > 1;
            let last = is_punctuation(end - 1) & several;
            let first = is_punctuation(start) & several;
            let middle = select_unpredictable(last, end - 1, select_unpredictable(first, start + 1, end));
            self.spans[len] = [start, middle];
            // Both spans are written always, and the second one counts only if it is not empty: no branch
            // depends on the text.
            self.spans[len + 1] = [middle, end];
            len += 1 + usize::from(middle < end);
        }
        len
    }

    fn iter(&self) -> impl ExactSizeIterator<Item = HashedWord<'_>> {
        self.spans[..self.len].iter().map(|&[start, end]| self.word(start as usize, end as usize))
    }

    #[inline]
    fn word(&self, start: usize, end: usize) -> HashedWord<'_> {
        let eight = |at: usize| self.bytes[at..].first_chunk().map_or(0, |eight| u64::from_le_bytes(*eight));
        // Branches on the length could not be predicted.
        let len = end - start;
        let head = eight(start) & u64::MAX >> (64 - 8 * len.clamp(1, 8));
        let tail = select_unpredictable(len > 8, eight(end.saturating_sub(8)), 0);
        HashedWord { bytes: &self.bytes[start..end], len, head, tail }
    }
}

/// Hash table that numbers distinct words. Equality is always checked, and the hash is keyed, so that crafted
/// words cannot force collisions.
///
/// The caller must ensure that all texts numbered together have less than 2^32 bytes.
#[derive(Debug, Clone)]
pub(crate) struct WordNumbers {
    keys: [u64; 2],
    /// Hash table of the distinct words and their numbers. It is empty, or its size is a power of two and at
    /// most half of the slots are full. A slot with a number below `base` is free, because its word is from
    /// an earlier use of the table.
    slots: Vec<WordSlot>,
    base: u32,
    /// Bytes of all distinct words of more than 16 bytes, joined without separators. `ends` has the end of
    /// each word in them.
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

#[derive(Debug, Clone, Copy, Default)]
struct WordSlot {
    head: u64,
    tail: u64,
    len: u32,
    number: u32,
}

impl Default for WordNumbers {
    fn default() -> Self {
        let random = RandomState::new();
        let keys = [0u8, 1].map(|key| random.hash_one(key));
        WordNumbers { keys, slots: Vec::new(), base: 1, bytes: Vec::new(), ends: Vec::new() }
    }
}

impl WordNumbers {
    pub(crate) fn clear(&mut self) {
        self.base += self.ends.len() as u32;
        if self.base > u32::MAX / 2 {
            self.slots.fill(WordSlot::default());
            self.base = 1;
        }
        self.bytes.clear();
        self.ends.clear();
    }

    pub(crate) fn define(&mut self, words: &ChrfWords, numbers: &mut Vec<u32>) {
        numbers.clear();
        for word in words.iter() {
            if 2 * self.ends.len() >= self.slots.len() {
                self.grow();
            }
            let (at, number) = self.find(word);
            numbers.push(if number == NONE { self.insert(word, at) } else { number });
        }
    }

    pub(crate) fn look_up(&self, words: &ChrfWords, numbers: &mut Vec<u32>) {
        numbers.clear();
        numbers.extend(words.iter().map(|word| self.find(word).1));
    }

    /// Looks a word up in the hash table and returns its slot and its number. For a new word, returns a free
    /// slot and [`NONE`].
    #[inline(always)]
    fn find(&self, word: HashedWord<'_>) -> (usize, u32) {
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = self.hash(word) as usize & mask;
        while let Some(slot) = self.slots.get(at) {
            let free = slot.number < self.base;
            // Short words are compared without a branch, because it could not be predicted.
            let alike =
                !free & (slot.head == word.head) & (slot.tail == word.tail) & (slot.len as usize == word.len);
            let number = select_unpredictable(alike, slot.number.wrapping_sub(self.base), NONE);
            if free | (alike && (word.len <= 16 || self.bytes_of(number) == word.bytes)) {
                return (at, number);
            }
            at = (at + 1) & mask;
        }
        (at, NONE)
    }

    #[inline]
    fn hash(&self, word: HashedWord<'_>) -> u64 {
        let [key, other] = self.keys;
        let mut hash = fold(word.head ^ key, word.tail ^ other);
        // Only longer words are stored with their bytes, so `place_anew` could not hash those of shorter
        // words again.
        if word.len > 16 {
            for eight in word.bytes[8..].as_chunks().0 {
                hash = fold(hash ^ u64::from_le_bytes(*eight), key);
            }
        }
        hash
    }

    fn insert(&mut self, word: HashedWord<'_>, at: usize) -> u32 {
        let number = self.ends.len() as u32;
        if word.len > 16 {
            self.bytes.extend_from_slice(word.bytes);
        }
        self.ends.push(self.bytes.len() as u32);
        let len = word.len as u32;
        self.slots[at] = WordSlot { head: word.head, tail: word.tail, len, number: self.base + number };
        number
    }

    fn bytes_of(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start as usize..self.ends[number] as usize]
    }

    /// Shrinks the hash table to the smallest size for its words. Prepared references keep the table in
    /// memory.
    pub(crate) fn shrink(&mut self) {
        self.place_anew((2 * self.ends.len()).next_power_of_two());
        self.bytes.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    fn grow(&mut self) {
        self.place_anew((2 * self.slots.len()).max(FEWEST));
    }

    fn place_anew(&mut self, slots: usize) {
        let old = core::mem::replace(&mut self.slots, vec![WordSlot::default(); slots]);
        for slot in old.iter().filter(|slot| slot.number >= self.base) {
            let bytes = self.bytes_of(slot.number - self.base);
            let word = HashedWord { bytes, len: slot.len as usize, head: slot.head, tail: slot.tail };
            let (at, _) = self.find(word);
            self.slots[at] = *slot;
        }
    }
}

const FEWEST: usize = 256;

#[inline]
fn fold(a: u64, b: u64) -> u64 {
    // A product whose halves are XORed mixes all bits of both operands with one multiplication.
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<String> {
        let mut words = ChrfWords::default();
        words.split("what was before");
        words.split(text);
        let strings = words.iter().map(|word| String::from_utf8(word.bytes.to_vec()).unwrap());
        strings.collect()
    }

    fn words(text: &str) -> ChrfWords {
        let mut words = ChrfWords::default();
        words.split(text);
        words
    }

    #[test]
    fn one_mark_of_punctuation_is_split_off() {
        for (text, words) in [
            ("(hi) \"hi ... x)!", &["(hi", ")", "\"", "hi", "..", ".", "x)", "!"][..]),
            ("“hi” U.S. don't . é! !é", &["“hi”", "U.S", ".", "don't", ".", "é", "!", "!", "é"]),
            (" a\u{1c}b\u{a0}\u{3000}c\u{200b}d\n", &["a", "b", "c\u{200b}d"]),
            ("", &[]),
        ] {
            assert_eq!(split(text), words, "{text:?}");
        }
    }

    #[test]
    fn every_whitespace_splits() {
        for c in (0..=0x10_FFFF).filter_map(char::from_u32) {
            let text = format!("é{c}é{c}");
            let naive: Vec<&str> = text.split(is_whitespace).filter(|word| !word.is_empty()).collect();
            let expected = if c.is_ascii_punctuation() { 2 } else { naive.len() };
            assert_eq!(split(&text).len(), expected, "{c:?}");
        }
    }

    /// Checks whitespace at every position of the 64-byte blocks.
    #[test]
    fn whitespace_is_found_across_blocks() {
        for c in [' ', '\u{a0}', '\u{2003}', '\u{3000}', '。'] {
            for len in 55..70 {
                let text = format!("{}{c}{}{c}", "a".repeat(len), "b".repeat(129 - len));
                let naive: Vec<&str> = text.split(is_whitespace).filter(|word| !word.is_empty()).collect();
                assert_eq!(split(&text), naive, "{c:?} {len}");
            }
        }
    }

    #[test]
    fn numbers_follow_first_occurrence() {
        let mut lexicon = WordNumbers::default();
        let mut numbers = Vec::new();
        lexicon.look_up(&words("a b"), &mut numbers);
        assert_eq!(numbers, [NONE; 2]);
        for _ in 0..3 {
            lexicon.clear();
            lexicon.define(&words("a b a, c"), &mut numbers);
            assert_eq!(numbers, [0, 1, 0, 2, 3]);
            lexicon.look_up(&words("c d ,, b"), &mut numbers);
            assert_eq!(numbers, [3, NONE, 2, 2, 1]);
        }
        let many: String = (0..1000).map(|word| format!("{word} ")).collect();
        lexicon.define(&words(&many), &mut numbers);
        assert_eq!(numbers, (4..1004).collect::<Vec<_>>());
        for _ in 0..2 {
            lexicon.look_up(&words(&many), &mut numbers);
            assert_eq!(numbers, (4..1004).collect::<Vec<_>>());
            lexicon.shrink();
        }
        lexicon.look_up(&words("d"), &mut numbers);
        assert_eq!(numbers, [NONE]);
    }

    #[test]
    fn words_alike_are_told_apart() {
        let mut all: Vec<String> = (0..40).map(|len| format!("a{}b", "\0".repeat(len))).collect();
        all.extend((8..32).map(|at| format!("{}x{}", "y".repeat(at), "y".repeat(40 - at))));
        let mut lexicon = WordNumbers::default();
        let mut numbers = Vec::new();
        lexicon.define(&words(&all.join(" ")), &mut numbers);
        assert_eq!(numbers, (0..all.len() as u32).collect::<Vec<_>>());
    }

    #[test]
    fn numbers_that_run_out_begin_anew() {
        let mut lexicon = WordNumbers::default();
        let mut numbers = Vec::new();
        lexicon.define(&words("a b"), &mut numbers);
        lexicon.base = u32::MAX / 2;
        lexicon.clear();
        assert_eq!(lexicon.base, 1);
        lexicon.look_up(&words("a"), &mut numbers);
        assert_eq!(numbers, [NONE]);
    }
}
