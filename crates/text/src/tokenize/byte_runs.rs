//! Fast tokenization of text into runs of bytes, such as letters, 64 bytes at a time. The tokenizers `rouge`
//! and `jiwer` use it.
//!
//! The bytes of a block that belong to tokens form a set with one bit per byte. A token starts at a set bit
//! after a clear bit, and ends at a clear bit after a set bit. Both are computed for the whole block without
//! a branch per byte.

use super::buffer::TokenSpans;
use super::sets::bits;
use crate::char_table::decode;
use wide::u8x16;

/// A rule by which a tokenizer decides, byte by byte, if a byte is part of a token or a separator. Each
/// maximal run of token bytes is a token.
pub(super) trait ByteClass {
    /// Classifies 16 bytes of text: the highest bit of byte `i` of the result is set if `bytes[i]` is part of
    /// a token. After the end of the text, `bytes` has spaces.
    fn tokens(bytes: u8x16) -> u8x16;

    /// Marks bytes that may start a character that must be decoded before it is classified, such as unusual
    /// whitespace. [`ByteClass::is_beyond`] then tests the character. The default marks none.
    #[inline(always)]
    fn doubts(_: u8x16) -> u8x16 {
        u8x16::splat(0)
    }

    /// Returns `true` if a text with this code point cannot be tokenized byte by byte. A slower tokenizer is
    /// then used for the text.
    fn is_beyond(_: u32) -> bool {
        false
    }
}

const BLOCK: usize = u64::BITS as usize;

/// Tokenizes `text` byte by byte: the rule `C` decides if a byte is part of a token or a separator. Returns
/// `false` if the text has a character that `C` cannot classify by its bytes.
///
/// After `false` the contents of `spans` are undefined.
pub(super) fn try_cut<C: ByteClass>(text: &str, spans: &mut TokenSpans) -> bool {
    let bytes = text.as_bytes();
    let mut starts = 0;
    let mut ends = 0;
    let mut inside = false;
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    // The last block is filled up with spaces, so that it ends the last token.
    let mut last = [b' '; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    for (number, block) in blocks.iter().chain([&last]).enumerate() {
        let offset = number * BLOCK;
        let (tokens, doubts) = sets::<C>(block);
        if doubts != 0 && is_beyond::<C>(bytes, offset, doubts) {
            return false;
        }
        // Each bit moves to the next byte; `inside` carries the last bit of the previous block.
        let before = tokens << 1 | u64::from(inside);
        spans.push_bits(offset, (tokens & !before, &mut starts), (!tokens & before, &mut ends));
        inside = tokens >> 63 != 0;
    }
    debug_assert_eq!(starts, ends, "the last block ends in a space");
    spans.set_len(ends);
    true
}

/// Tokenizes `text` byte by byte: the rule `C` decides if a byte is part of a token or a separator. `C` must
/// classify all characters; [`try_cut`] is for rules that cannot.
pub(super) fn cut<C: ByteClass>(text: &str, spans: &mut TokenSpans) {
    let cut = try_cut::<C>(text, spans);
    debug_assert!(cut, "nothing is beyond the class");
}

#[inline(always)]
fn sets<C: ByteClass>(block: &[u8; BLOCK]) -> (u64, u64) {
    let (quarters, _) = block.as_chunks::<16>();
    quarters.iter().enumerate().fold((0, 0), |(tokens, doubts), (number, quarter)| {
        let bytes = u8x16::new(*quarter);
        let at = 16 * number;
        (tokens | bits(C::tokens(bytes)) << at, doubts | bits(C::doubts(bytes)) << at)
    })
}

// Few texts have such characters, so the check of each one stays out of the loop above.
#[cold]
fn is_beyond<C: ByteClass>(bytes: &[u8], offset: usize, mut doubts: u64) -> bool {
    while doubts != 0 {
        let (code, _) = decode(bytes, offset + doubts.trailing_zeros() as usize);
        if C::is_beyond(code) {
            return true;
        }
        doubts &= doubts - 1;
    }
    false
}
