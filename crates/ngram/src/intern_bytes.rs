//! Assigns ids to tokens that are pieces of a text, by comparing them in the text eight bytes at a time.
//!
//! A token of up to 16 bytes is identified by its length, its first eight bytes and its last eight, so
//! equality needs no second look at the text. For longer tokens the bytes in between are stored and compared.

use crate::intern::MAX_TOKENS;
use alloc::vec::Vec;
use core::hash::BuildHasher;
use core::hint::select_unpredictable;
use foldhash::fast::RandomState;

/// Assigns the ids 0, 1, 2, .. to the distinct tokens of several texts, in the order in which they first
/// occur. A token is a span of bytes.
///
/// It works like [`Interner`](crate::Interner). The texts need not outlive the call, so one buffer can hold
/// all of them in turn. [`clear`](Self::clear) keeps the memory for reuse. Tokens of equal hash are always
/// compared. The hash has a random key, so tokens cannot be crafted to collide. Expected time `O(bytes)`.
///
/// ```
/// let mut interner = bleuprint_ngram::ByteInterner::default();
/// interner.append(b"the cat the", &[(0, 3), (4, 7), (8, 11)]);
/// interner.append(b"a cat", &[(0, 1), (2, 5)]);
/// assert_eq!((interner.ids(0), interner.ids(1)), (&[0, 1, 0][..], &[2, 1][..]));
/// assert_eq!((interner.len(), interner.distinct()), (2, 3));
/// ```
#[derive(Debug, Clone, Default)]
pub struct ByteInterner {
    keys: PieceKeys,
    slots: Vec<BytesSlot>,
    /// Smallest token id since the last [`clear`](Self::clear), which does not restart the ids. Hash table
    /// slots with smaller ids are stale and count as free.
    base: u32,
    distinct: u32,
    middles: Vec<u8>,
    /// Memory for ids, of which the first `used` are valid. It never shrinks, so that texts to come need not
    /// clear it again.
    ids: Vec<u32>,
    used: usize,
    ends: Vec<usize>,
}

#[derive(Debug, Clone)]
struct PieceKeys([u64; 2]);

impl Default for PieceKeys {
    fn default() -> Self {
        PieceKeys([0_u8; 2].map(|number| RandomState::default().hash_one(number)))
    }
}

/// The key of a token in the hash table: the whole token up to 16 bytes, else its first and last 8 bytes.
#[derive(Debug, Clone, Copy, Default)]
struct PieceKey {
    first: u64,
    last: u64,
    len: u32,
}

/// A slot of a hash table from tokens to ids; it is free if its id is below the smallest id in use (`base`).
#[derive(Debug, Clone, Copy, Default)]
struct BytesSlot {
    first: u64,
    last: u64,
    len: u32,
    id: u32,
    middle: usize,
}

/// Greatest number of bytes of a token that its key contains as a whole.
const SHORT: usize = 2 * WORD;

/// Number of bytes that are read at once.
const WORD: usize = 8;

/// Minimal number of slots of the hash table (32 kB). A short text touches few of them, with hardly a
/// collision.
const FEWEST: usize = 1024;

/// Maximal number of new tokens for which hash table slots are provided in advance; the slots take 4 MiB.
const MOST_AT_ONCE: usize = if cfg!(test) { 8 } else { 1 << 16 };

impl ByteInterner {
    /// Removes all texts and tokens.
    pub fn clear(&mut self) {
        self.base = self.base.saturating_add(self.distinct).max(1);
        self.distinct = 0;
        self.middles.clear();
        self.used = 0;
        self.ends.clear();
    }

    /// Assigns ids to the tokens of one more text. A token is a span `(start, end)` of the text: the bytes
    /// from `start` up to, but without, `end`.
    ///
    /// A span is cut at the end of the text. Tokens beyond 2^31 - 1 in all texts together are ignored.
    pub fn append(&mut self, text: &[u8], spans: &[(u32, u32)]) {
        let text_len = text.len();
        // Eight bytes are read at once, so a shorter text is padded.
        let mut padded = [0; 8];
        let text = match padded.get_mut(..text.len()) {
            Some(short) => {
                short.copy_from_slice(text);
                &padded
            }
            None => text,
        };
        let mut rest = &spans[..MAX_TOKENS.saturating_sub(self.used).min(spans.len())];
        while !rest.is_empty() {
            // A text of millions of tokens has far fewer distinct ones. The table grows with those, not with
            // the text.
            let (piece, others) = rest.split_at(rest.len().min(MOST_AT_ONCE.max(self.distinct as usize)));
            self.append_pieces(text, text_len, piece);
            rest = others;
        }
        self.ends.push(self.used);
    }

    /// Assigns ids to tokens of a text. `text_len` is the length of the text without the padding at its end.
    fn append_pieces(&mut self, text: &[u8], text_len: usize, spans: &[(u32, u32)]) {
        self.make_room(spans.len());
        let known = self.used;
        self.used += spans.len();
        if self.ids.len() < self.used {
            self.ids.resize(self.used, 0);
        }
        let ByteInterner { keys, slots, base, distinct, middles, ids, .. } = self;
        // Local variables stay in registers. In memory, each insertion would wait for the one before.
        let keys = &PieceKeys(keys.0);
        let mut next = *base + *distinct;
        let base = *base;
        let slots = &mut slots[..];
        for (out, &(start, end)) in ids[known..].iter_mut().zip(spans) {
            let end = (end as usize).min(text_len);
            let start = (start as usize).min(end);
            let PieceKey { first, last, len } = PieceKey::from_slice(text, start, end);
            let id = if len as usize > SHORT {
                insert_long(slots, keys, middles, base, next, &text[start..end])
            } else {
                let at = keys.hash(first, last) as usize & (slots.len() - 1);
                let slot = &mut slots[at];
                // A new token is unpredictable, so no branch depends on it. One comparison finds the rare
                // collision; two conditions would become two branches.
                let free = ((i64::from(slot.id) - i64::from(base)) >> 63) as u64;
                if slot.unlike(first, last, len) > free {
                    insert_farther(slots, at, base, next, first, last, len)
                } else {
                    let id = select_unpredictable(slot.id < base, next, slot.id);
                    (slot.first, slot.last, slot.len, slot.id) = (first, last, len, id);
                    id
                }
            };
            next += u32::from(id == next);
            *out = id - base;
        }
        *distinct = next - base;
    }

    /// Returns the token ids of the text at `index`; empty beyond the last text.
    pub fn ids(&self, index: usize) -> &[u32] {
        let Some(&end) = self.ends.get(index) else { return &[] };
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.ids[start..end]
    }

    /// Returns the number of texts that were added.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns `true` if no text was added.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the number of distinct tokens in all texts, an exclusive upper bound of the ids.
    pub fn distinct(&self) -> usize {
        self.distinct as usize
    }

    /// Ensures that half of the hash table's slots stay free after `more` tokens are added.
    fn make_room(&mut self, more: usize) {
        let needed = (2 * (self.distinct as usize + more)).next_power_of_two().max(FEWEST);
        if needed <= self.slots.len() && (self.base as usize) < MAX_TOKENS {
            return;
        }
        let len = needed.max(self.slots.len());
        let old = core::mem::replace(&mut self.slots, alloc::vec![BytesSlot::default(); len]);
        let base = self.base;
        self.base = 1;
        for slot in old.into_iter().filter(|slot| base > 0 && slot.id >= base) {
            let middle = slot.middle_in(&self.middles);
            let hash = self.keys.hash(slot.first, slot.last);
            let hash = if middle.is_empty() { hash } else { self.keys.add_middle(hash, middle) };
            let mut at = hash as usize & (len - 1);
            while self.slots[at].id > 0 {
                at = (at + 1) & (len - 1);
            }
            self.slots[at] = BytesSlot { id: 1 + slot.id - base, ..slot };
        }
    }
}

/// Finds or inserts a token of at most 16 bytes in the slots after `home`, a slot that holds another token.
/// Returns the token's id, which is `next` for a new token.
///
/// The parts of the key are parameters of their own: a structure of three would be passed in memory, and
/// written there for every token.
#[inline(never)]
fn insert_farther(
    slots: &mut [BytesSlot],
    home: usize,
    base: u32,
    next: u32,
    first: u64,
    last: u64,
    len: u32,
) -> u32 {
    let mut at = home;
    loop {
        at = (at + 1) & (slots.len() - 1);
        let slot = &mut slots[at];
        if slot.id < base {
            slot.set(PieceKey { first, last, len }, next, 0);
        }
        if slot.unlike(first, last, len) == 0 {
            return slot.id;
        }
    }
}

/// Finds or inserts a token of more than 16 bytes. Returns the token's id, which is `next` for a new token.
#[inline(never)]
fn insert_long(
    slots: &mut [BytesSlot],
    keys: &PieceKeys,
    middles: &mut Vec<u8>,
    base: u32,
    next: u32,
    token: &[u8],
) -> u32 {
    let piece = PieceKey::from_slice(token, 0, token.len());
    let middle = &token[WORD..token.len() - WORD];
    let mut at = keys.add_middle(keys.hash(piece.first, piece.last), middle) as usize & (slots.len() - 1);
    loop {
        let slot = &mut slots[at];
        if slot.id < base {
            slot.set(piece, next, middles.len());
            middles.extend_from_slice(middle);
            return next;
        }
        if slot.unlike(piece.first, piece.last, piece.len) == 0 && slot.middle_in(middles) == middle {
            return slot.id;
        }
        at = (at + 1) & (slots.len() - 1);
    }
}

impl BytesSlot {
    /// Returns 0 if this slot's token has the same length, first 8 bytes and last 8 bytes. (A derived
    /// comparison compiles to a function call for 20 bytes, which is three times as slow as everything else.)
    #[inline(always)]
    fn unlike(&self, first: u64, last: u64, len: u32) -> u64 {
        (self.first ^ first) | (self.last ^ last) | u64::from(self.len ^ len)
    }

    /// Writes a token's key and id to this slot, one field at a time. Copying the whole key would write it in
    /// halves and read it as a whole, which stalls the processor.
    #[inline]
    fn set(&mut self, piece: PieceKey, id: u32, middle: usize) {
        (self.first, self.last, self.len) = (piece.first, piece.last, piece.len);
        (self.id, self.middle) = (id, middle);
    }

    #[inline]
    fn middle_in(self, middles: &[u8]) -> &[u8] {
        let len = (self.len as usize).saturating_sub(SHORT);
        if len == 0 { &[] } else { &middles[self.middle..self.middle + len] }
    }
}

impl PieceKey {
    /// Reads a token from a text of at least 8 bytes. It does not branch on lengths, which are unpredictable:
    /// bytes next to the token are read too, and masked.
    #[inline(always)]
    fn from_slice(text: &[u8], start: usize, end: usize) -> PieceKey {
        const KEPT: [u64; WORD + 1] = [
            0,
            0xFF,
            0xFFFF,
            0xFF_FFFF,
            u32::MAX as u64,
            u64::MAX >> 24,
            u64::MAX >> 16,
            u64::MAX >> 8,
            u64::MAX,
        ];
        let len = end - start;
        // Near the end of the text the last eight bytes are read, and the bytes before the piece are shifted
        // out.
        let from = start.min(text.len() - WORD);
        let first = eight_bytes(text, from).wrapping_shr(8 * (start - from) as u32);
        // A token of more than 8 bytes has 8 bytes before its end. The compiler would make a branch of an `if`.
        let last = eight_bytes(text, select_unpredictable(len > WORD, end.wrapping_sub(WORD), from));
        let last = select_unpredictable(len > WORD, last, 0);
        PieceKey { first: first & KEPT[len.min(WORD)], last, len: len as u32 }
    }
}

/// Returns the eight bytes of a text from `start` as a number; 0 if there are fewer.
#[inline]
fn eight_bytes(text: &[u8], start: usize) -> u64 {
    let eight = text.get(start..).and_then(<[u8]>::first_chunk);
    eight.map_or(0, |eight| u64::from_le_bytes(*eight))
}

impl PieceKeys {
    /// Returns the hash of a token from its first and its last bytes. The length has no part in it: at most
    /// eight tokens differ in their length alone.
    #[inline(always)]
    fn hash(&self, first: u64, last: u64) -> u64 {
        fold(first ^ self.0[0], last ^ self.0[1])
    }

    /// Adds the bytes between the first 8 and the last 8 of a long token to the hash of these.
    fn add_middle(&self, hash: u64, middle: &[u8]) -> u64 {
        let (eights, rest) = middle.as_chunks();
        // The last eight bytes overlap those before them, so that only a short middle is read byte by byte.
        let last = match middle.last_chunk() {
            Some(last) => u64::from_le_bytes(*last),
            None => rest.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)),
        };
        let numbers = eights.iter().map(|eight| u64::from_le_bytes(*eight));
        let start = hash ^ middle.len() as u64;
        numbers.chain([last]).fold(start, |hash, number| fold(hash ^ number, self.0[1]))
    }
}

/// Multiplies two numbers and combines the two halves of the product, so that every bit of the factors
/// reaches the low bits of the hash.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::String;

    #[test]
    fn texts_of_many_tokens_are_interned_as_short_ones_are() {
        let words: Vec<String> = (0..4000_u32).map(|i| format!("w{}", i.wrapping_mul(i) % 1009)).collect();
        let mut text = String::new();
        let mut spans = Vec::new();
        for word in &words {
            let start = text.len() as u32;
            text.push_str(word);
            spans.push((start, text.len() as u32));
        }
        let mut interner = ByteInterner::default();
        for _ in 0..2 {
            interner.clear();
            interner.append(text.as_bytes(), &spans);
            interner.append(text.as_bytes(), &spans[..10]);
            let mut seen: Vec<&String> = Vec::new();
            for (word, &id) in words.iter().zip(interner.ids(0)) {
                if id as usize == seen.len() {
                    seen.push(word);
                }
                assert_eq!(seen[id as usize], word);
            }
            assert_eq!((interner.ids(0).len(), interner.distinct()), (4000, seen.len()));
            assert_eq!(interner.ids(1), &interner.ids(0)[..10]);
            // Room for the distinct tokens, not for all.
            assert!(interner.slots.len() < 8 * seen.len());
        }
    }

    /// Assigns ids by comparing each token with all tokens before it.
    fn ids_by_comparison(tokens: &[Vec<u8>]) -> Vec<u32> {
        let mut seen: Vec<&Vec<u8>> = Vec::new();
        let mut ids = Vec::new();
        for token in tokens {
            let known = seen.iter().position(|other| *other == token);
            ids.push(known.unwrap_or(seen.len()) as u32);
            if known.is_none() {
                seen.push(token);
            }
        }
        ids
    }

    /// Text with the starts and lengths of its tokens, as quickcheck draws them.
    type DrawnText = (Vec<u8>, Vec<(u8, u8)>);

    /// Text with the starts and ends of its tokens.
    type CutText = (Vec<u8>, Vec<(u32, u32)>);

    quickcheck::quickcheck! {
        /// Texts of few letters have many tokens that differ in one byte or in their length alone.
        fn ids_are_those_of_comparison(texts: Vec<DrawnText>) -> bool {
            let mut interner = ByteInterner::default();
            interner.append(b"another text", &[(0, 7), (8, 12)]);
            interner.clear();
            let texts: Vec<CutText> = texts.into_iter().map(|(text, spans)| {
                let text: Vec<u8> = text.repeat(3).iter().map(|byte| byte % 2 * (byte / 128)).collect();
                let spans = spans.iter().map(|&(start, len)| (u32::from(start), u32::from(start) + u32::from(len % 40)));
                (text, spans.collect())
            }).collect();
            for (text, spans) in &texts {
                interner.append(text, spans);
            }
            let cut = |(text, spans): &CutText| -> Vec<Vec<u8>> {
                let place = |at: u32| (at as usize).min(text.len());
                spans.iter().map(|&(start, end)| text[place(start)..place(end)].to_vec()).collect()
            };
            let tokens: Vec<Vec<u8>> = texts.iter().flat_map(cut).collect();
            let ids: Vec<u32> = (0..texts.len()).flat_map(|text| interner.ids(text).to_vec()).collect();
            ids == ids_by_comparison(&tokens)
        }
    }

    #[test]
    fn ids_stay_where_a_table_that_was_used_grows() {
        let text: String = (100..1000_u32).map(|number| format!("{number}")).collect();
        let spans: Vec<(u32, u32)> = (0..900).map(|place| (3 * place, 3 * place + 3)).collect();
        let mut interner = ByteInterner::default();
        interner.append(b"x y", &[(0, 1), (2, 3)]);
        interner.clear();
        interner.append(text.as_bytes(), &spans);
        interner.append(text.as_bytes(), &spans);
        assert!(interner.ids(0).iter().copied().eq(0..900));
        assert_eq!(interner.ids(1), interner.ids(0));
    }
}
