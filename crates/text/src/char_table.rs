//! A two-level table from code points to small class numbers, filled at compile time from ranges.
//!
//! The source code writes the classes as ranges, which are easy to review. A lookup is two loads without a
//! search. All blocks of 256 code points with a single class share one stored block for that class.

use crate::whitespace::is_whitespace_code;

/// Number of shared blocks of a two-level character table. In shared block `n`, all 256 code points have
/// class `n`.
const UNIFORM: usize = 8;
/// Number of entries in the table's first level: one for each block of 256 code points, up to U+10FFFF.
const INDEX: usize = 0x1100;

/// A lookup table that assigns each Unicode code point a small class number, such as 1 for letters. Code
/// points outside the filled ranges have class 0.
pub(crate) struct CharTable<const BLOCKS: usize> {
    index: [u8; INDEX],
    blocks: [[u8; 256]; BLOCKS],
    used: usize,
}

impl<const BLOCKS: usize> CharTable<BLOCKS> {
    /// Creates a table in which every code point has class 0.
    ///
    /// `BLOCKS` is the number of stored blocks of 256 code points. The first 8 blocks each have one class
    /// throughout; each range of 256 code points with several classes needs another block. A `static` table
    /// with too few blocks fails to compile.
    pub(crate) const fn new() -> Self {
        let mut blocks = [[0; 256]; BLOCKS];
        let mut class = 0;
        while class < UNIFORM {
            blocks[class] = [class as u8; 256];
            class += 1;
        }
        CharTable { index: [0; INDEX], blocks, used: UNIFORM }
    }

    /// Returns the table with `class` assigned to all code points in these inclusive ranges.
    pub(crate) const fn fill_ranges(mut self, ranges: &[(u32, u32)], class: u8) -> Self {
        let mut at = 0;
        while at < ranges.len() {
            self = self.fill(ranges[at].0, ranges[at].1, 1, class);
            at += 1;
        }
        self
    }

    /// Returns the table with `class` assigned to the whitespace characters of Python, whose last code point
    /// is U+3000.
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

    /// Returns the table with `class` assigned to every `step`-th code point from `first` to `last`, both
    /// inclusive.
    pub(crate) const fn fill(mut self, first: u32, last: u32, step: u32, class: u8) -> Self {
        let mut code = first;
        while code <= last {
            let row = (code >> 8) as usize;
            let whole = code & 0xFF == 0 && code + 0xFF <= last && step == 1;
            // A range that covers a whole row changes only the index of the row, as long as the row still has
            // a shared block.
            if whole && (self.index[row] as usize) < UNIFORM {
                self.index[row] = class;
                code += 0x100;
                continue;
            }
            let mut block = self.index[row] as usize;
            // The first single code point of a row copies the shared block, so that the other rows keep
            // theirs.
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

    /// Returns the class of a code point, or 0 above U+10FFFF.
    #[inline(always)]
    pub(crate) fn class(&self, code: u32) -> u8 {
        match self.index.get((code >> 8) as usize) {
            Some(&block) => self.blocks[block as usize][(code & 0xFF) as usize],
            None => 0,
        }
    }
}

/// Returns the code point that starts at byte `at`, and its length in bytes.
///
/// `bytes` must be UTF-8 and `at` a character boundary. Any other input gives a wrong number, never a panic.
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

/// Returns the code point that ends before byte `at`, or `None` at the start of the text.
#[inline]
pub(crate) fn decode_before(bytes: &[u8], at: usize) -> Option<u32> {
    let mut start = at.checked_sub(1)?;
    // Continuation bytes of UTF-8 have the form 10xxxxxx.
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
