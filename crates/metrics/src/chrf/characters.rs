//! Texts as sequences of one-byte character numbers, for the n-gram matching in [chains](super::chains).
//!
//! An ASCII code point is its own number. Other code points are numbered from 128 up in order of appearance
//! in the text that *defines* the alphabet. Texts that are *looked up* in it get [`UNKNOWN`] for all others.
//! A text with more than 120 other code points does not fit; its n-grams are then counted over code points.
//!
//! Whitespace is defined like in Python's `str`, 29 code points: `char::is_whitespace` and U+001C to U+001F.

use core::hint::select_unpredictable;

/// First of the one-byte numbers that represent code points outside ASCII; the last is [`LAST_ID`].
const FIRST_ID: u32 = 128;
const LAST_ID: u32 = 247;
const UNKNOWN: u8 = 0xFB;

/// Guard byte before the first character of every text. It differs from every character number, so no match
/// extends beyond the start of a text.
const FRONT: u8 = 0xFD;

/// Guard byte after the end of a text that defines the character numbers. A text that is looked up in them
/// ends in [`BEHIND_LOOKED_UP`] instead.
///
/// Both guards differ from all characters and from each other, so that a match never extends past an end.
const BEHIND_DEFINED: u8 = 0xFE;
const BEHIND_LOOKED_UP: u8 = 0xFF;
pub(crate) const WINDOW: usize = 8;
// Code points of at most two bytes in UTF-8: Latin, Greek, Cyrillic, Hebrew, Arabic. They index a table
// directly.
const LOW: usize = 0x800;

/// Number of slots of the hash table that maps code points above [`LOW`] to their one-byte numbers, a power
/// of two. At most an eighth of it is in use, so probes are short.
const SLOTS: usize = 1024;

/// Characters of a text as one-byte numbers, at positions from 1 on. Position 0 is a guard byte, so that 0
/// can mean "no position".
#[derive(Debug, Clone, Default)]
pub(crate) struct CharacterRow {
    bytes: Vec<u8>,
    len: usize,
}

/// Table of the one-byte numbers of the code points outside ASCII in a segment's texts. Entries carry the
/// segment's generation number, so that nothing need be cleared between segments.
#[derive(Debug, Clone, Default)]
pub(crate) struct Alphabet {
    /// Tag of each code point below [`LOW`]. The low byte is the code point's one-byte number. The other
    /// bytes are the generation (segment) in which it got this number.
    low: Vec<u32>,
    slots: Vec<CharacterSlot>,
    generation: u32,
    next: u32,
}

struct CharacterNumbers<'t> {
    low: &'t mut [u32; LOW],
    slots: &'t mut [CharacterSlot; SLOTS],
    generation: u32,
    next: u32,
}

#[derive(Debug, Clone, Copy, Default)]
struct CharacterSlot {
    code: u32,
    tag: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CharacterSide {
    Defines,
    LookedUp,
}

const LAST_WHITESPACE: u32 = 0x3000;

/// Returns `true` if Python's `str.isspace` returns true for this character.
#[inline]
pub(crate) const fn is_whitespace(c: char) -> bool {
    match c as u32 {
        0x09..=0x0D | 0x1C..=0x20 => true,
        0..=0x7F => false,
        0x85 | 0xA0 | 0x1680 | 0x2000..=0x200A | 0x2028 | 0x2029 | 0x202F | 0x205F | 0x3000 => true,
        _ => false,
    }
}

/// Number of bytes that each ASCII character takes when chrF copies a text: 0 if it is dropped, otherwise 1.
/// Row 0 is for texts without whitespace; row 1 keeps whitespace.
const STEPS: [[u8; 128]; 2] = {
    let mut steps = [[1; 128]; 2];
    let mut byte = 0;
    while byte < 128 {
        steps[0][byte] = !is_whitespace(byte as u8 as char) as u8;
        byte += 1;
    }
    steps
};

impl CharacterRow {
    /// Returns the number of characters of the text, which are at positions 1 to `len`.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(crate) fn guarded(&self) -> &[u8] {
        &self.bytes[..self.bytes.len().min(1 + self.len + WINDOW)]
    }

    /// Replaces the stored characters by token ids, one byte each, so that n-grams of tokens are counted like
    /// n-grams of characters. Returns `false` if an id is too large for a byte.
    ///
    /// The id `u32::MAX` marks an unknown token.
    pub(crate) fn read_ids(&mut self, ids: &[u32], side: CharacterSide) -> bool {
        let mut largest = 0;
        for (byte, &id) in self.begin(ids.len()).iter_mut().zip(ids) {
            let known = id != u32::MAX;
            *byte = if known { id as u8 } else { UNKNOWN };
            largest = largest.max(if known { id } else { 0 });
        }
        self.end(ids.len(), side);
        // The check comes last, so that the loop has no early exit and can use vector instructions.
        largest <= LAST_ID
    }

    fn begin(&mut self, len: usize) -> &mut [u8] {
        if self.bytes.len() < 1 + len + WINDOW {
            self.bytes.resize(1 + len + WINDOW, FRONT);
        }
        &mut self.bytes[1..1 + len + WINDOW]
    }

    fn end(&mut self, len: usize, side: CharacterSide) {
        let behind = if side == CharacterSide::Defines { BEHIND_DEFINED } else { BEHIND_LOOKED_UP };
        self.bytes[1 + len..][..WINDOW].fill(behind);
        self.len = len;
    }
}

impl Alphabet {
    pub(crate) fn clear(&mut self) {
        // Generations have 24 bits of a tag. When they run out, old tags could look current, so the tables
        // are cleared.
        self.generation = (self.generation + 1) & 0xFF_FFFF;
        if self.generation == 0 || self.slots.is_empty() {
            self.low.clear();
            self.low.resize(LOW, 0);
            self.slots.clear();
            self.slots.resize(SLOTS, CharacterSlot::default());
            self.generation = 1;
        }
        self.next = FIRST_ID;
    }

    /// Numbers the distinct code points in `letters`, all outside ASCII, in their order, with one byte each.
    /// Returns `false` if there are more than one byte can number.
    pub(crate) fn define(&mut self, letters: &str) -> bool {
        if let Some(mut numbers) = self.numbers() {
            for c in letters.chars() {
                numbers.id::<true>(c.into());
            }
            self.next = numbers.next;
        }
        self.next <= LAST_ID + 1
    }

    pub(crate) fn letters(&self) -> Box<str> {
        let low = (0..).zip(&self.low).map(|(code, &tag)| CharacterSlot { code, tag });
        let all = low.chain(self.slots.iter().copied());
        let mut known: Vec<CharacterSlot> = all.filter(|slot| slot.tag >> 8 == self.generation).collect();
        known.sort_unstable_by_key(|slot| slot.tag);
        known.iter().filter_map(|slot| char::from_u32(slot.code)).collect()
    }

    /// Writes the one-byte numbers of the characters of a text into `row`. Returns `false` if the text has
    /// too many distinct characters; the contents of `row` are then invalid.
    pub(crate) fn read(
        &mut self,
        text: &str,
        side: CharacterSide,
        whitespace: bool,
        row: &mut CharacterRow,
    ) -> bool {
        let room = row.begin(text.len());
        let len = if text.is_ascii() {
            read_ascii(text.as_bytes(), whitespace, room)
        } else if side == CharacterSide::Defines {
            self.read_any::<true>(text, whitespace, room)
        } else {
            self.read_any::<false>(text, whitespace, room)
        };
        row.end(len, side);
        self.next <= LAST_ID + 1
    }

    fn read_any<const DEFINES: bool>(&mut self, text: &str, whitespace: bool, room: &mut [u8]) -> usize {
        let Some(mut numbers) = self.numbers() else { return 0 };
        let steps = &STEPS[usize::from(whitespace)];
        let mut len = 0;
        for c in text.chars() {
            let code = c as u32;
            if code < 128 {
                room[len] = code as u8;
                len += usize::from(steps[code as usize]);
            } else if whitespace || code > LAST_WHITESPACE || !is_whitespace(c) {
                room[len] = numbers.id::<DEFINES>(code);
                len += 1;
            }
        }
        self.next = numbers.next;
        len
    }

    /// Returns references to the tables that number the characters, and copies of the counters. A caller
    /// keeps them in local variables, which the compiler can hold in registers.
    fn numbers(&mut self) -> Option<CharacterNumbers<'_>> {
        Some(CharacterNumbers {
            low: self.low.first_chunk_mut()?,
            slots: self.slots.first_chunk_mut()?,
            generation: self.generation << 8,
            next: self.next,
        })
    }
}

impl CharacterNumbers<'_> {
    /// Returns the one-byte number of a code point outside ASCII. After too many different code points the
    /// numbers are no longer unique, which [`Alphabet::read`] detects.
    #[inline(always)]
    fn id<const DEFINES: bool>(&mut self, code: u32) -> u8 {
        let fresh = self.generation | (self.next & 0xFF);
        if let Some(tag) = self.low.get_mut(code as usize) {
            // A branch here would be unpredictable.
            let known = *tag & !0xFF == self.generation;
            if !DEFINES {
                return select_unpredictable(known, *tag as u8, UNKNOWN);
            }
            *tag = select_unpredictable(known, *tag, fresh);
            self.next += u32::from(!known);
            return *tag as u8;
        }
        let mut at = (code.wrapping_mul(0x9E37_79B1) >> (u32::BITS - SLOTS.trailing_zeros())) as usize;
        // The loop ends, because free slots remain: there are fewer numbers than slots.
        loop {
            let slot = &mut self.slots[at % SLOTS];
            if slot.tag & !0xFF != self.generation {
                if !DEFINES || self.next > LAST_ID {
                    self.next = self.next.saturating_add(u32::from(DEFINES));
                    return UNKNOWN;
                }
                *slot = CharacterSlot { code, tag: fresh };
                self.next += 1;
            }
            if slot.code == code {
                return slot.tag as u8;
            }
            at += 1;
        }
    }
}

/// Copies the ASCII characters of `text` to `room` and returns the number of copied bytes. If `whitespace` is
/// `false`, whitespace is left out: every byte is written, but the position does not advance. This avoids a
/// branch.
#[inline]
fn read_ascii(text: &[u8], whitespace: bool, room: &mut [u8]) -> usize {
    if whitespace {
        room[..text.len()].copy_from_slice(text);
        return text.len();
    }
    let mut len = 0;
    for &byte in text {
        room[len] = byte;
        len += usize::from(STEPS[0][usize::from(byte) % 128]);
    }
    len
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(alphabet: &mut Alphabet, text: &str, side: CharacterSide, whitespace: bool) -> Option<Vec<u8>> {
        let mut row = CharacterRow::default();
        alphabet.read(text, side, whitespace, &mut row).then(|| row.guarded()[1..=row.len()].to_vec())
    }

    #[test]
    fn whitespace_is_pythons() {
        for c in (0..=0x10_FFFF).filter_map(char::from_u32) {
            assert_eq!(is_whitespace(c), c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c), "{c:?}");
        }
    }

    #[test]
    fn characters_beyond_ascii_are_numbered_as_they_come() {
        let mut alphabet = Alphabet::default();
        alphabet.clear();
        let defined = read(&mut alphabet, "až \u{3000}ř中ža", CharacterSide::Defines, false);
        assert_eq!(defined, Some(vec![b'a', 128, 129, 130, 128, b'a']));
        let looked_up = read(&mut alphabet, "中文ňř\n", CharacterSide::LookedUp, true);
        assert_eq!(looked_up, Some(vec![130, UNKNOWN, UNKNOWN, 129, b'\n']));
        alphabet.clear();
        assert_eq!(read(&mut alphabet, "中", CharacterSide::LookedUp, false), Some(vec![UNKNOWN]));
    }

    #[test]
    fn too_many_characters_are_refused() {
        for start in ['\u{100}', '\u{4E00}'] {
            let text: String = (start..).take(120).collect();
            let mut alphabet = Alphabet::default();
            alphabet.clear();
            assert_eq!(
                read(&mut alphabet, &text, CharacterSide::Defines, false).map(|row| row[119]),
                Some(247)
            );
            assert_eq!(read(&mut alphabet, "\u{10000}", CharacterSide::Defines, false), None);
            alphabet.clear();
            let many: String = (start..).take(20_000).collect();
            assert_eq!(read(&mut alphabet, &many, CharacterSide::Defines, false), None);
            alphabet.clear();
            assert!(read(&mut alphabet, &many, CharacterSide::LookedUp, false).is_some());
        }
    }

    #[test]
    fn generations_that_run_out_begin_anew() {
        let mut alphabet = Alphabet::default();
        alphabet.clear();
        read(&mut alphabet, "ž", CharacterSide::Defines, false);
        alphabet.generation = 0xFF_FFFF;
        alphabet.clear();
        assert_eq!(
            (alphabet.generation, read(&mut alphabet, "ž", CharacterSide::LookedUp, false)),
            (1, Some(vec![UNKNOWN]))
        );
    }
}
