//! A two-level table from code points to small classes, filled at compile time from ranges.
//!
//! Classes are written and reviewed as ranges, and looked up in the table: two loads, no search. Uniform blocks of 256
//! code points share one block per class.

use crate::whitespace::is_whitespace_code;

/// Classes 0..UNIFORM may share a block.
const UNIFORM: usize = 8;
/// 256 code points each, up to U+10FFFF.
const INDEX: usize = 0x1100;

/// Classes of code points; class 0 is everything outside the ranges.
pub(crate) struct CharTable<const BLOCKS: usize> {
    index: [u8; INDEX],
    blocks: [[u8; 256]; BLOCKS],
    used: usize,
}

impl<const BLOCKS: usize> CharTable<BLOCKS> {
    /// A table in which everything is of class 0.
    ///
    /// `BLOCKS` includes the 8 shared blocks; a `static` table with too few fails to compile.
    pub(crate) const fn new() -> Self {
        let mut blocks = [[0; 256]; BLOCKS];
        let mut class = 0;
        while class < UNIFORM {
            blocks[class] = [class as u8; 256];
            class += 1;
        }
        CharTable { index: [0; INDEX], blocks, used: UNIFORM }
    }

    /// The table with `class` on these inclusive ranges.
    pub(crate) const fn fill_ranges(mut self, ranges: &[(u32, u32)], class: u8) -> Self {
        let mut at = 0;
        while at < ranges.len() {
            self = self.fill(ranges[at].0, ranges[at].1, 1, class);
            at += 1;
        }
        self
    }

    /// The table with `class` on white space, which ends at U+3000.
    pub(crate) const fn fill_whitespace(mut self, class: u8) -> Self {
        let mut code = 0;
        while code <= 0x3000 {
            if is_whitespace_code(code) {
                self = self.fill(code, code, 1, class);
            }
            code += 1;
        }
        self
    }

    /// The table with `class` on every `step`-th code point from `first` to `last`, both inclusive.
    pub(crate) const fn fill(mut self, first: u32, last: u32, step: u32, class: u8) -> Self {
        let mut code = first;
        while code <= last {
            let row = (code >> 8) as usize;
            let whole = code & 0xFF == 0 && code + 0xFF <= last && step == 1;
            if whole && (self.index[row] as usize) < UNIFORM {
                self.index[row] = class;
                code += 0x100;
                continue;
            }
            let mut block = self.index[row] as usize;
            if block < UNIFORM {
                self.blocks[self.used] = self.blocks[block];
                block = self.used;
                self.index[row] = block as u8;
                self.used += 1;
            }
            self.blocks[block][(code & 0xFF) as usize] = class;
            code += step;
        }
        self
    }

    /// The class of a code point; 0 beyond U+10FFFF.
    #[inline(always)]
    pub(crate) fn class(&self, code: u32) -> u8 {
        match self.index.get((code >> 8) as usize) {
            Some(&block) => self.blocks[block as usize][(code & 0xFF) as usize],
            None => 0,
        }
    }
}

/// The code point that starts at `at`, and its length in bytes.
///
/// `bytes` must be UTF-8 and `at` a boundary; anything else gives a wrong number, never a panic.
#[inline(always)]
pub(crate) fn decode(bytes: &[u8], at: usize) -> (u32, usize) {
    let byte = |offset: usize| -> u32 {
        match bytes.get(at + offset) {
            Some(&byte) => byte as u32,
            None => 0,
        }
    };
    let lead = byte(0);
    match lead {
        0..=0xBF => (lead, 1),
        0xC0..=0xDF => ((lead & 0x1F) << 6 | (byte(1) & 0x3F), 2),
        0xE0..=0xEF => ((lead & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F), 3),
        _ => {
            let high = (lead & 0x07) << 18 | (byte(1) & 0x3F) << 12;
            (high | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F), 4)
        }
    }
}

/// The code point that ends before `at`; `None` at the start of the text.
#[inline]
pub(crate) fn decode_before(bytes: &[u8], at: usize) -> Option<u32> {
    let mut start = at.checked_sub(1)?;
    while start > 0 && bytes[start] & 0xC0 == 0x80 {
        start -= 1;
    }
    Some(decode(bytes, start).0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_point_decodes_to_itself() {
        let mut text = String::new();
        for c in (0..=0x10FFFF).filter_map(char::from_u32) {
            text.clear();
            text.push('x');
            text.push(c);
            assert_eq!(decode(text.as_bytes(), 1), (c as u32, c.len_utf8()));
            assert_eq!(decode_before(text.as_bytes(), text.len()), Some(c as u32));
        }
        assert_eq!(decode_before(b"", 0), None);
    }

    #[test]
    fn ranges_with_and_without_steps_are_found_again() {
        let table = CharTable::<16>::new().fill(0x41, 0x47, 2, 1).fill(0x4E00, 0x9FBB, 1, 2);
        let members = |class| (0..=0x10FFFF).filter(|&code| table.class(code) == class).collect::<Vec<u32>>();
        assert_eq!(members(1), [0x41, 0x43, 0x45, 0x47]);
        assert_eq!(members(2), (0x4E00..=0x9FBB).collect::<Vec<u32>>());
        assert_eq!(table.class(u32::MAX), 0);
    }
}
