//! [`byte_kinds`]: finds which kinds of rare bytes a text has, such as tabs. Most texts have none, and need no
//! closer look for the mistakes that these bytes point to.

/// Bit flag of a text that contains a tab.
pub(super) const TAB: u8 = 1;
/// Bit flag of a text with a byte that marks of vocabularies contain, such as the `@` of `Haus@@`.
pub(super) const MARK: u8 = 2;
/// Bit flag of a text with an opening square bracket, as in `[noise]`. Such a text has [`MARK`] too, because
/// of special tokens such as `[UNK]`.
pub(super) const BRACKET: u8 = 4;
/// Bit flag of a text with a character that is not ASCII.
pub(super) const WIDE: u8 = 128;

/// First byte of the characters `▁` (U+2581) and `⁇` (U+2047) in UTF-8, which occur in the marks of
/// vocabularies.
const MARK_LEAD: u8 = 0xE2;

/// Number of bytes that are examined side by side. The compiler turns a loop over so many bytes into
/// instructions on vectors.
const BLOCK: usize = 16;

/// Returns the flags of one byte; 0 for most bytes. Bytes beyond ASCII have their highest bit in common with
/// [`WIDE`].
const fn kinds_of(byte: u8) -> u8 {
    (if byte == b'\t' { TAB } else { 0 })
        | (if byte == b'@' { MARK } else { 0 })
        | (if byte == b'<' { MARK } else { 0 })
        | (if byte == MARK_LEAD { MARK } else { 0 })
        | (if byte == b'[' { MARK | BRACKET } else { 0 })
        | byte & WIDE
}

/// Returns the kinds of rare bytes in a text: a sum of the flags [`TAB`], [`MARK`], [`BRACKET`] and [`WIDE`].
pub(super) fn byte_kinds(text: &str) -> u8 {
    let bytes = text.as_bytes();
    // The last block overlaps the one before, which changes no flag.
    let Some(last) = bytes.last_chunk::<BLOCK>() else {
        return bytes.iter().fold(0, |kinds, byte| kinds | kinds_of(*byte));
    };
    let mut kinds = [0; BLOCK];
    for block in bytes.as_chunks::<BLOCK>().0.iter().chain([last]) {
        for (kinds, byte) in kinds.iter_mut().zip(block) {
            *kinds |= kinds_of(*byte);
        }
    }
    kinds.into_iter().fold(0, |all, kinds| all | kinds)
}

/// Returns `true` if a byte of a text satisfies a condition. The last bytes are examined first, as most texts
/// end in punctuation, then all bytes from the start. A condition that is a comparison or a range is tested on
/// several bytes at once.
pub(super) fn has_byte(text: &str, is_sought: impl Fn(u8) -> bool) -> bool {
    let bytes = text.as_bytes();
    let has = |bytes: &[u8]| bytes.iter().any(|byte| is_sought(*byte));
    let has_block = |block: &[u8; BLOCK]| block.iter().fold(false, |has, byte| has | is_sought(*byte));
    match bytes.last_chunk::<BLOCK>() {
        None => has(bytes),
        Some(last) => has_block(last) || bytes.as_chunks::<BLOCK>().0.iter().any(has_block),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    quickcheck::quickcheck! {
        fn kinds_and_searches_are_those_of_single_bytes(text: String, rare: Vec<u8>, at: usize) -> bool {
            let kinds: String =
                rare.iter().map(|one| ['\t', '@', '<', '[', '▁', '⁇', 'x', ' '][usize::from(one % 8)]).collect();
            let plain = "a plain text of several blocks.".repeat(at % 3);
            [&text, &kinds, &plain, &(plain.clone() + &kinds), &(kinds.clone() + &plain)].iter().all(|text| {
                let expected = text.bytes().fold(0, |kinds, byte| kinds | kinds_of(byte));
                let is_searched = |sought: u8| has_byte(text, |byte| byte == sought) == text.bytes().any(|byte| byte == sought);
                byte_kinds(text) == expected && (0..=255).all(is_searched)
            })
        }
    }

    #[test]
    fn kinds_are_those_of_the_bytes_of_marks() {
        for byte in 0..=u8::MAX {
            let expected = [
                (byte == b'\t', TAB),
                (matches!(byte, b'@' | b'<' | b'[' | MARK_LEAD), MARK),
                (byte == b'[', BRACKET),
                (!byte.is_ascii(), WIDE),
            ];
            let expected = expected.into_iter().filter(|(has, _)| *has).map(|(_, flag)| flag).sum::<u8>();
            assert_eq!(kinds_of(byte), expected, "{byte}");
        }
        assert_eq!(byte_kinds("A text without any of them, but long."), 0);
        assert_eq!(byte_kinds("a [noise] that ▁somebody makes\t"), 0x80 | TAB | MARK | BRACKET);
    }
}
