//! The fast scanner of the tokenizers `13a` and `zh`, which handles 64 bytes at a time as bit sets of
//! positions.
//!
//! The positions of each class form a set with one bit per byte, computed with vector instructions. The rules
//! of `13a` are then operations on sets, without data-dependent branches:
//!
//! ```text
//! text      He said 1,000-2.          isolated  = symbols | punctuation not between digits | dashes after digits
//! spaces    ..^....^.........         cuts      = isolated | isolated << 1
//! isolated  .............^.^          starts    = not a space, and after a space or at a cut
//! starts    ^..^....^....^^^          ends      = after a byte that is no space, and at a space or a cut
//! ```
//!
//! Every token has one bit in each of the last two sets, so both sets are read in parallel. Some cases cannot
//! be expressed by these operations: control characters, text to be rewritten, and several punctuation
//! characters before a number. The slower scanner in [`runs`](super::runs) handles these cases, and the tests
//! compare the two scanners.

use super::buffer::TokenSpans;
use super::runs::{self, RunRules, SPACE, SYMBOL};
use crate::char_table::decode;
use wide::u8x16;

/// Rules of a tokenizer for the fast scanner, which processes 64 bytes at a time as bit sets. This trait
/// lists the UTF-8 lead bytes of characters beyond ASCII that may be symbols or whitespace. [`RunRules`] has
/// all other rules.
///
/// The tokenizer must classify ASCII bytes like `13a`, and no character beyond ASCII as a number or
/// punctuation.
pub(super) trait SetRules: RunRules {
    /// `true` if `&` and `<` may begin an entity or a tag that the tokenizer rewrites.
    const REWRITES: bool;
    /// Range (first and last) of UTF-8 lead bytes whose characters are all symbols. The range is empty if the
    /// first is above the last.
    const SYMBOL_LEADS: (u8, u8);
    /// Ranges (first and last) of UTF-8 lead bytes that may begin whitespace or a symbol, besides the lead
    /// bytes in `SYMBOL_LEADS`. Characters with such a lead byte are classified one by one.
    const OTHER_LEADS: [(u8, u8); 3];
}

/// Tokenizes `text` by the rules `R`. Returns `false` at a byte of the class [`REWRITE`](runs::REWRITE), such
/// as `&` of `&quot;`, if the text must be rewritten first; the contents of `spans` are then undefined.
#[inline]
pub(super) fn try_cut<R: SetRules>(text: &str, spans: &mut TokenSpans) -> bool {
    if cut_sets::<R>(text.as_bytes(), spans) {
        return true;
    }
    spans.clear();
    runs::try_cut::<R>(text, spans)
}

/// Tokenizes `text` by the rules `R`, which must not rewrite text.
#[inline]
pub(super) fn cut<R: SetRules>(text: &str, spans: &mut TokenSpans) {
    let cut = try_cut::<R>(text, spans);
    debug_assert!(cut, "only rules with a class of bytes to stop at stop");
}

const BLOCK: usize = u64::BITS as usize;

/// Tokenizes `bytes` by operations on bit sets. Returns `false` if the text has bytes that need the slower
/// scanner.
fn cut_sets<R: SetRules>(bytes: &[u8], spans: &mut TokenSpans) -> bool {
    let mut before = CarriedBits {
        digit: false,
        number: R::EDGE_IS_NUMBER,
        punct: false,
        text: false,
        spaces: 0,
        cuts: 0,
    };
    let mut starts = 0;
    let mut ends = 0;
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    for (number, block) in blocks.iter().enumerate() {
        let offset = number * BLOCK;
        let sets = ClassSets::from_block::<R>(block);
        let Some((s, e)) = before.step::<R>(sets, bytes, offset, BLOCK) else { return false };
        spans.push_bits(offset, (s, &mut starts), (e, &mut ends));
    }
    let offset = bytes.len() - rest.len();
    if !rest.is_empty() {
        // The last 64 bytes are classified again and shifted, which avoids a copy.
        let sets = match bytes.last_chunk() {
            Some(last) => ClassSets::from_block::<R>(last).last(rest.len()),
            None => {
                let mut block = [b' '; BLOCK];
                block[..rest.len()].copy_from_slice(rest);
                ClassSets::from_block::<R>(&block)
            }
        };
        let Some((s, e)) = before.step::<R>(sets, bytes, offset, rest.len()) else { return false };
        spans.push_bits(offset, (s, &mut starts), (e, &mut ends));
    }
    if before.text {
        // The last block was full, so no space after it has ended the last token.
        spans.push_bits(bytes.len(), (0, &mut starts), (1, &mut ends));
    }
    debug_assert_eq!(starts, ends);
    spans.set_len(ends);
    true
}

/// Bit sets of a block of 64 bytes, one for each class of bytes. A set bit marks a byte of the class; the
/// lowest bit is the first byte.
struct ClassSets {
    digits: u64,
    spaces: u64,
    /// Bit set of the bytes `.` and `,` in a block of 64 bytes.
    puncts: u64,
    dashes: u64,
    /// Bit set of the ASCII characters in a block of 64 bytes that are always separate tokens.
    symbols: u64,
    /// Bit set of the UTF-8 lead bytes in a block of 64 bytes whose characters are all symbols.
    symbol_leads: u64,
    /// Bit set of the UTF-8 lead bytes in a block of 64 bytes that may begin a symbol or whitespace. Such a
    /// character must be decoded to find its class.
    other_leads: u64,
    /// `true` if the block of 64 bytes has a byte that the fast scanner cannot handle. The slower scanner then
    /// reads the text.
    is_odd: bool,
}

impl ClassSets {
    #[inline(always)]
    fn from_block<R: SetRules>(block: &[u8; BLOCK]) -> Self {
        let (quarters, _) = block.as_chunks::<16>();
        let mut sets = ClassSets {
            digits: 0,
            spaces: 0,
            puncts: 0,
            dashes: 0,
            symbols: 0,
            symbol_leads: 0,
            other_leads: 0,
            is_odd: false,
        };
        let mut all_odd = u8x16::splat(0);
        for (number, quarter) in quarters.iter().enumerate() {
            let bytes = u8x16::new(*quarter);
            let add = |set: &mut u64, found: u8x16| *set |= bits(found) << (16 * number);
            let digits = within(bytes, b'0', b'9');
            // Setting bit 0x20 makes letters lower-case, and moves no other byte into the range.
            let letters = within(bytes | u8x16::splat(0x20), b'a', b'z');
            let words = digits | letters | equal(bytes, b'\'');
            let spaces = equal(bytes, b' ');
            let dashes = equal(bytes, b'-');
            let puncts = equal(bytes, b'.') | equal(bytes, b',');
            let mut odd = within(bytes, 0, 0x1F) | equal(bytes, 0x7F);
            if R::REWRITES {
                odd = odd | equal(bytes, b'&') | equal(bytes, b'<');
            }
            add(&mut sets.digits, digits);
            add(&mut sets.spaces, spaces);
            add(&mut sets.puncts, puncts);
            add(&mut sets.dashes, dashes);
            all_odd |= odd;
            // All bytes beyond ASCII have the highest bit, and are no ASCII symbols.
            add(&mut sets.symbols, words | spaces | puncts | dashes | odd | bytes);
            let (first, last) = R::SYMBOL_LEADS;
            if first <= last {
                add(&mut sets.symbol_leads, within(bytes, first, last));
            }
            let [one, two, three] = R::OTHER_LEADS.map(|(first, last)| within(bytes, first, last));
            add(&mut sets.other_leads, one | two | three);
        }
        sets.symbols = !sets.symbols;
        sets.is_odd = bits(all_odd) != 0;
        sets
    }

    /// Returns the bit sets of the last `len` bytes, given the bit sets of the last 64 bytes of a text. Bit 0
    /// then is the first of these `len` bytes, and the bits from `len` on are marked as spaces.
    #[inline(always)]
    fn last(self, len: usize) -> Self {
        let down = (BLOCK - len) as u32;
        ClassSets {
            digits: self.digits >> down,
            spaces: self.spaces >> down | !(u64::MAX >> down),
            puncts: self.puncts >> down,
            dashes: self.dashes >> down,
            symbols: self.symbols >> down,
            symbol_leads: self.symbol_leads >> down,
            other_leads: self.other_leads >> down,
            // Odd bytes before the last `len` bytes have sent their own block to the slower scanner already.
            is_odd: self.is_odd,
        }
    }
}

/// Facts about a block of 64 bytes that the scanner needs to tokenize the next block, such as the class of
/// its last byte.
struct CarriedBits {
    /// `true` if the last byte of the previous block was a digit.
    digit: bool,
    /// `true` if a number precedes this block of 64 bytes, because the last byte of the previous block was a
    /// digit. In the first block it is `true` if the rules treat the start of the text as a number.
    number: bool,
    /// `true` if the last byte of the previous block was `.` or `,`.
    punct: bool,
    /// `true` if the last byte of the previous block was part of a token.
    text: bool,
    /// Bit set of the whitespace at the start of this block. These bytes belong to a whitespace character of
    /// several bytes, which began in the previous block.
    spaces: u64,
    /// Bit set of token boundaries in the first bytes of this block. They result from a character of several
    /// bytes that began in the previous block.
    cuts: u64,
}

impl CarriedBits {
    /// Returns two bit sets with the starts and ends of tokens in a block of `len` bytes at `offset`. Returns
    /// `None` if the text needs the slower scanner.
    #[inline(always)]
    fn step<R: SetRules>(
        &mut self,
        sets: ClassSets,
        bytes: &[u8],
        offset: usize,
        len: usize,
    ) -> Option<(u64, u64)> {
        let ClassSets { digits, mut spaces, puncts, dashes, symbols, symbol_leads, mut other_leads, is_odd } =
            sets;
        let next = bytes.get(offset + len).map_or(R::EDGE_IS_NUMBER, u8::is_ascii_digit);
        let after_digits = digits << 1;
        let after_numbers = after_digits | u64::from(self.number);
        let before_numbers = digits >> 1 | u64::from(next) << (len - 1);
        // Punctuation directly after other punctuation. Before a number, the rule depends on the length of
        // the run, which sets do not know.
        let in_runs = puncts & (puncts << 1 | u64::from(self.punct));
        if is_odd || in_runs & before_numbers != 0 {
            return None;
        }
        // Below, each isolated byte has a boundary before and after it, hence the shift by one; symbols of
        // `SYMBOL_LEADS` have three bytes.
        let isolated = symbols
            | puncts & !(after_numbers & before_numbers)
            | dashes & (after_digits | u64::from(self.digit));
        spaces |= self.spaces;
        let mut cuts = self.cuts | isolated | isolated << 1 | symbol_leads | symbol_leads << 3;
        (self.spaces, self.cuts) = (0, isolated >> 63 | symbol_leads >> 61);
        while other_leads != 0 {
            let at = other_leads.trailing_zeros();
            other_leads &= other_leads - 1;
            let (code, len) = decode(bytes, offset + at as usize);
            let class = R::wide(code);
            // Bits beyond this block belong to the next one.
            let place = |bits: u64| (bits << at, (u128::from(bits) << at >> 64) as u64);
            if class == SPACE {
                let (here, there) = place((1 << len) - 1);
                (spaces, self.spaces) = (spaces | here, self.spaces | there);
            } else if class == SYMBOL {
                let (here, there) = place(1 | 1 << len);
                (cuts, self.cuts) = (cuts | here, self.cuts | there);
            }
        }
        let text = !spaces;
        let starts = text & (cuts | spaces << 1 | u64::from(!self.text));
        let ends = (text << 1 | u64::from(self.text)) & (cuts | spaces);
        let last = |set: u64| set >> (len - 1) & 1 != 0;
        (self.digit, self.number, self.punct) = (last(digits), last(digits), last(puncts));
        self.text = text >> 63 != 0;
        Some((starts, ends))
    }
}

#[inline(always)]
pub(super) fn equal(bytes: u8x16, byte: u8) -> u8x16 {
    bytes.cmp_eq(u8x16::splat(byte))
}

#[inline(always)]
pub(super) fn within(bytes: u8x16, first: u8, last: u8) -> u8x16 {
    let above = bytes - u8x16::splat(first);
    above.min(u8x16::splat(last - first)).cmp_eq(above)
}

/// Gathers the highest bit of each of 16 bytes into one number.
#[inline(always)]
pub(super) fn bits(bytes: u8x16) -> u64 {
    bytes.move_mask() as u32 as u64 & 0xFFFF
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokenize::v13a::V13aRules;
    use crate::tokenize::zh::ChineseRules;
    use quickcheck::{Arbitrary, Gen, QuickCheck};

    /// A random test text of several blocks of 64 bytes, with all characters that the tokenizer rules
    /// distinguish.
    #[derive(Debug, Clone)]
    struct Dense(String);

    impl Arbitrary for Dense {
        fn arbitrary(g: &mut Gen) -> Self {
            const COMMON: [char; 8] = ['a', 'Z', ' ', ' ', '7', '.', ',', '-'];
            const OTHERS: [char; 28] = [
                '\'', '&', '<', '\n', '\t', '\u{7f}', '\u{1c}', '$', '/', ':', '@', '[', '`', '{', '~', 'é',
                '中', '。', '一', '龻', '龼', '，', '\u{a0}', '\u{85}', '\u{3000}', '\u{2009}', '“', '𝄞',
            ];
            let rare = *g.choose(&[2_u8, 8, 60]).unwrap_or(&8);
            let len = usize::arbitrary(g) % 300;
            let pick = |g: &mut Gen| match u8::arbitrary(g) % rare {
                0 => *g.choose(&OTHERS).unwrap_or(&'b'),
                _ => *g.choose(&COMMON).unwrap_or(&'b'),
            };
            Dense((0..len).map(|_| pick(g)).collect())
        }

        fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
            Box::new(self.0.shrink().map(Dense))
        }
    }

    type Told = Option<Vec<(usize, usize)>>;

    /// Returns the tokens of the fast scanner over bit sets, and the tokens of the slower scanner. Each is
    /// `None` if its scanner cannot handle the text.
    fn both<R: SetRules>(text: &str) -> (Told, Told) {
        let mut sets = TokenSpans::default();
        let mut runs = TokenSpans::default();
        // A remainder of another line, which must not survive.
        runs::try_cut::<R>("x y z", &mut sets);
        sets.clear();
        let told = cut_sets::<R>(text.as_bytes(), &mut sets).then(|| sets.iter().collect());
        (told, runs::try_cut::<R>(text, &mut runs).then(|| runs.iter().collect()))
    }

    fn agree<R: SetRules>(text: &str) -> bool {
        let (sets, runs) = both::<R>(text);
        sets.is_none() || sets == runs
    }

    #[test]
    fn sets_tell_what_the_scanner_of_runs_tells() {
        fn agree_on(Dense(text): Dense) -> bool {
            agree::<V13aRules<true>>(&text) && agree::<V13aRules>(&text) && agree::<ChineseRules>(&text)
        }
        QuickCheck::new().tests(20_000).quickcheck(agree_on as fn(Dense) -> bool);
    }

    /// Checks that the fast scanner over bit sets and the slower scanner agree on every character. The
    /// character is tried at several positions of a 64-byte block and behind the block.
    #[test]
    fn every_character_is_of_its_class_at_every_place() {
        let step = bleuprint_testkit::draws(1, 61) as u32;
        let asked = (0..=0x10FFFF_u32).filter(|code| *code < 0x3_0000 || code.is_multiple_of(step));
        for c in asked.filter_map(char::from_u32) {
            let all = c as u32 >= 0x3100;
            for before in
                [0, 61, 62, 63].into_iter().skip(if all { 2 } else { 0 }).take(if all { 1 } else { 4 })
            {
                let text = format!("{}{c}b{c}", "a".repeat(before));
                assert!(agree::<V13aRules<true>>(&text) && agree::<ChineseRules>(&text), "{c:?} at {before}");
            }
        }
    }

    #[test]
    fn ordinary_text_is_told() {
        for text in
            ["", "The cat sat.", "Ceny, tj. 1.000,50 Kč (10-20 %), „stouply“…", "他在2019年发表了《BLEU》。"]
        {
            for text in [text.to_owned(), text.repeat(9)] {
                let (sets, runs) = both::<V13aRules<true>>(&text);
                assert!(sets.is_some() && sets == runs, "{text}");
                let (sets, runs) = both::<ChineseRules>(&text);
                assert!(sets.is_some() && sets == runs, "{text}");
            }
        }
    }

    #[test]
    fn symbol_leads_lead_symbols_only() {
        let (first, last) = ChineseRules::SYMBOL_LEADS;
        let code = |lead: u8, others: u32| u32::from(lead & 0xF) << 12 | others;
        for code in (first..=last).flat_map(|lead| (0..0x1000).map(move |others| code(lead, others))) {
            assert_eq!(ChineseRules::wide(code), SYMBOL);
        }
    }
}
