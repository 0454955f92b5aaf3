//! Tokens that are the longest runs of bytes of one class, found 64 bytes at a time: behind `rouge` and `jiwer`.
//!
//! The bytes of a block that belong to tokens form a set, one bit per byte. A token starts at a bit behind a gap, and a gap
//! at a bit behind a token, so both are read off the set without a branch per byte.

use super::buffer::Spans;
use super::sets::bits;
use crate::char_table::decode;
use wide::u8x16;

/// The bytes of tokens.
pub(super) trait ByteClass {
    /// Marks the bytes of tokens by their highest bit. Bytes behind the text are spaces.
    fn tokens(bytes: u8x16) -> u8x16;

    /// Marks the bytes that may begin a character beyond this class, of which [`ByteClass::is_beyond`] is asked.
    #[inline(always)]
    fn doubts(_: u8x16) -> u8x16 {
        u8x16::splat(0)
    }

    /// Text with this character must be cut differently.
    fn is_beyond(_: u32) -> bool {
        false
    }
}

const BLOCK: usize = u64::BITS as usize;

/// Pushes the tokens; `false`, with unspecified tokens pushed, for text with a character beyond the class.
pub(super) fn try_cut<C: ByteClass>(text: &str, spans: &mut Spans) -> bool {
    let bytes = text.as_bytes();
    let (mut starts, mut ends) = (0, 0);
    let mut inside = false;
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    let mut last = [b' '; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    for (number, block) in blocks.iter().chain([&last]).enumerate() {
        let offset = number * BLOCK;
        let (tokens, doubts) = sets::<C>(block);
        if doubts != 0 && is_beyond::<C>(bytes, offset, doubts) {
            return false;
        }
        let before = tokens << 1 | u64::from(inside);
        spans.push_bits(offset, (tokens & !before, &mut starts), (!tokens & before, &mut ends));
        inside = tokens >> 63 != 0;
    }
    debug_assert_eq!(starts, ends, "the last block ends in a space");
    spans.set_len(ends);
    true
}

/// As [`try_cut`], for classes that nothing is beyond.
pub(super) fn cut<C: ByteClass>(text: &str, spans: &mut Spans) {
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
