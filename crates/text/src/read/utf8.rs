//! Decoding of UTF-8 bytes that arrive in large pieces. Each piece is checked once with vector instructions.

use super::lines::no_memory;
use bleuprint_core::{InputError, Result};

/// A decoder of UTF-8 that arrives in pieces. Between two pieces it keeps the start of an incomplete
/// character, at most three bytes.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    rest: Vec<u8>,
}

/// The reason why bytes could not be decoded as text.
#[derive(Debug)]
pub(super) enum NotText {
    /// The bytes are not UTF-8. The valid text before the first wrong byte was appended.
    Invalid,
    /// Memory ran out while the text was stored.
    Memory(InputError),
}

impl Decoder {
    /// Decodes a piece of UTF-8 and appends it to `text`. An incomplete character at the end is kept for the
    /// next piece.
    pub(super) fn append(&mut self, mut bytes: &[u8], text: &mut String) -> Result<(), NotText> {
        reserve(text, bytes.len() + self.rest.len()).map_err(NotText::Memory)?;
        // Bytes are added one at a time until the character begun in the last piece is complete.
        while let Some((&byte, others)) = bytes.split_first().filter(|_| !self.rest.is_empty()) {
            self.rest.push(byte);
            bytes = others;
            match std::str::from_utf8(&self.rest) {
                Ok(character) => {
                    text.push_str(character);
                    self.rest.clear();
                }
                Err(error) if error.error_len().is_none() => {}
                Err(_) => return Err(NotText::Invalid),
            }
        }
        let (whole, begun) = bytes.split_at(whole_characters(bytes));
        self.rest.extend_from_slice(begun);
        match simdutf8::basic::from_utf8(whole) {
            Ok(piece) => text.push_str(piece),
            // The fast check only says that a fault exists; the standard library finds its position.
            Err(_) => {
                let valid = std::str::from_utf8(whole).map_or_else(|error| error.valid_up_to(), str::len);
                text.push_str(std::str::from_utf8(&whole[..valid]).unwrap_or_default());
                return Err(NotText::Invalid);
            }
        }
        Ok(())
    }

    pub(super) fn is_complete(&self) -> bool {
        self.rest.is_empty()
    }
}

/// Reserves space in `text` for more bytes. Returns an error if memory is insufficient, instead of aborting
/// the program.
fn reserve(text: &mut String, bytes: usize) -> Result<()> {
    text.try_reserve(bytes).map_err(|_| no_memory(text.len()))
}

// A character has at most four bytes, so an incomplete one begins within the last three.
fn whole_characters(bytes: &[u8]) -> usize {
    for (behind, &byte) in (1..=3).zip(bytes.iter().rev()) {
        let len = match byte {
            0x80..=0xBF => continue,
            0..=0x7F => 1,
            0xC0..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xFF => 4,
        };
        return if len > behind { bytes.len() - behind } else { bytes.len() };
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    /// Decodes the bytes in pieces of `size` bytes. Returns the text before the first invalid byte, and
    /// whether all bytes are valid.
    fn decoded(bytes: &[u8], size: usize) -> (String, bool) {
        let mut decoder = Decoder::default();
        let mut text = String::new();
        let whole = bytes.chunks(size).all(|piece| decoder.append(piece, &mut text).is_ok());
        (text, whole && decoder.is_complete())
    }

    fn expected(bytes: &[u8]) -> (String, bool) {
        let valid = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
        (String::from_utf8_lossy(&bytes[..valid]).into_owned(), valid == bytes.len())
    }

    quickcheck! {
        fn any_cut_gives_the_same(text: String, broken: Option<(usize, u8)>, size: usize) -> bool {
            let mut bytes = text.into_bytes();
            if let Some((at, byte)) = broken && !bytes.is_empty() {
                let at = at % bytes.len();
                bytes[at] = byte;
            }
            decoded(&bytes, size % 7 + 1) == expected(&bytes) && decoded(&bytes, 1 << 20) == expected(&bytes)
        }
    }

    #[test]
    fn every_beginning_of_a_character_waits_for_the_rest() {
        for character in ["a", "é", "中", "𝄞"] {
            let text = format!("x{character}{character}y");
            for end in 0..=text.len() {
                for size in 1..=text.len() {
                    assert_eq!(decoded(&text.as_bytes()[..end], size), expected(&text.as_bytes()[..end]));
                }
            }
        }
        for bytes in
            [&b"\xff"[..], b"a\xc3(", b"\xe4\xb8", b"\xf0\x9d\x84", b"\x80", b"\xed\xa0\x80", b"\xc0\xaf"]
        {
            for size in 1..=bytes.len() {
                assert_eq!(decoded(bytes, size), expected(bytes), "{bytes:?}");
            }
        }
    }
}
