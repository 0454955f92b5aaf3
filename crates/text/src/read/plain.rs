//! A fast parser for the most common form of a JSON Lines object: known keys whose values are strings.
//!
//! Every other line, also a malformed one, is left to the full parser in [`json`](super::json), which can
//! report the position of an error.

use super::json::known;
use super::segment::{ReadSegment, label, reuse};
use wide::u8x16;

/// Parses a JSON line into `segment`, reusing its memory. Returns `false` if the line needs the full JSON
/// parser; the content of `segment` is then undefined.
pub(super) fn fill(line: &str, segment: &mut ReadSegment) -> bool {
    let Some(given) = (Cursor { line, at: 0 }).object(segment) else { return false };
    let is_given = |key: usize| given & 1 << key != 0;
    // A missing hypothesis or two keys for references are errors, which the other parser reports.
    if !is_given(HYPOTHESIS) || is_given(REFERENCES) && is_given(REFERENCE) {
        return false;
    }
    if !is_given(REFERENCES) {
        segment.references.truncate(usize::from(is_given(REFERENCE)));
    }
    segment.hypothesis_ids = None;
    segment.reference_ids.clear();
    let ReadSegment { source, id, system, document, domain, speaker, .. } = segment;
    for (slot, key) in [source, id, system, document, domain, speaker].into_iter().zip(SOURCE..) {
        if !is_given(key) {
            *slot = None;
        }
    }
    true
}

/// Index of the JSON key `hypothesis` in [`JsonRow`](super::json::JsonRow). The next constants are the
/// indices of further keys; the indices of labels follow `SOURCE`.
const HYPOTHESIS: usize = 0;
const REFERENCES: usize = 1;
const REFERENCE: usize = 2;
const SOURCE: usize = 5;

/// The position of the fast parser in a JSON line. Every method returns `None` if the line needs the full
/// parser.
struct Cursor<'l> {
    line: &'l str,
    at: usize,
}

impl Cursor<'_> {
    /// Parses a JSON object into `segment`. Returns a bit set of the keys with a value other than null; bit
    /// `i` is the key with index `i`.
    fn object(mut self, segment: &mut ReadSegment) -> Option<u32> {
        let mut given = 0;
        let mut seen = 0_u32;
        self.take(b'{')?;
        loop {
            let key = self.key()?;
            // A key that occurs twice is an error, which the other parser reports.
            if seen & 1 << key != 0 {
                return None;
            }
            seen |= 1 << key;
            self.take(b':')?;
            if self.peek()? == b'n' {
                self.null()?;
            } else {
                self.value(key, segment)?;
                given |= 1 << key;
            }
            match self.next()? {
                b',' => {}
                b'}' => break,
                _ => return None,
            }
        }
        self.peek().is_none().then_some(given)
    }

    fn key(&mut self) -> Option<usize> {
        self.take(b'"')?;
        let key = known(self.piece()?)?;
        self.take(b'"')?;
        Some(key)
    }

    fn value(&mut self, key: usize, segment: &mut ReadSegment) -> Option<()> {
        let ReadSegment { hypothesis, references, source, id, system, document, domain, speaker, .. } =
            segment;
        match key {
            HYPOTHESIS => self.text(reuse(hypothesis)),
            REFERENCES if self.peek()? == b'"' => self.one_text(references),
            REFERENCES => self.texts(references),
            REFERENCE => self.one_text(references),
            SOURCE => self.text(reuse(source)),
            6 => self.label(reuse(id)),
            7 => self.label(reuse(system)),
            8 => self.label(reuse(document)),
            9 => self.label(reuse(domain)),
            10 => self.label(reuse(speaker)),
            _ => None,
        }
    }

    fn one_text(&mut self, references: &mut Vec<Option<String>>) -> Option<()> {
        references.resize(1, None);
        self.text(reuse(&mut references[0]))
    }

    fn texts(&mut self, references: &mut Vec<Option<String>>) -> Option<()> {
        self.take(b'[')?;
        if self.peek()? == b']' {
            self.at += 1;
            // An empty list is one missing reference, as in the full parser.
            references.clear();
            references.push(None);
            return Some(());
        }
        for index in 0.. {
            references.resize(references.len().max(index + 1), None);
            if self.peek()? == b'n' {
                self.null()?;
                references[index] = None;
            } else {
                self.text(reuse(&mut references[index]))?;
            }
            match self.next()? {
                b',' => {}
                b']' => {
                    references.truncate(index + 1);
                    break;
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// Reads a JSON string or a whole number, and stores it in `own` as text.
    fn label(&mut self, own: &mut String) -> Option<()> {
        if self.peek()? == b'"' {
            self.text(own)?;
            return label("", own).is_ok().then_some(());
        }
        let rest = &self.line[self.at..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let is_number = digits == 1 || digits > 1 && !rest.starts_with('0');
        self.at += digits;
        own.push_str(&rest[..digits]);
        // After a fraction or an exponent, the caller finds no comma or brace and gives up.
        is_number.then_some(())
    }

    /// Reads a JSON string and stores its content in `text`, which must be empty.
    fn text(&mut self, text: &mut String) -> Option<()> {
        self.take(b'"')?;
        loop {
            text.push_str(self.piece()?);
            if self.byte()? == b'"' {
                self.at += 1;
                return Some(());
            }
            self.escapes(text)?;
        }
    }

    /// Decodes consecutive JSON escapes, such as `\u0434`, and single spaces between them.
    fn escapes(&mut self, text: &mut String) -> Option<()> {
        loop {
            // Text in other scripts may be all escapes. Searching for the next backslash after every word
            // would take longer than decoding the word.
            let rest = self.line.as_bytes().get(self.at..)?;
            if let [b'\\', b'u', a, b, c, d, ..] = *rest
                && let Some(letter) = unit([a, b, c, d]).and_then(char::from_u32)
            {
                text.push(letter);
                self.at += 6;
            // Patterns and not `starts_with`, which is a call wherever the compiler does not inline it.
            } else if let [b'\\', ..] = *rest {
                text.push(self.escape()?);
            } else if let [b' ', b'\\', ..] = *rest {
                text.push(' ');
                self.at += 1;
            } else {
                return Some(());
            }
        }
    }

    /// Reads the text up to the next quote or backslash and stops before that character. Returns `None` if
    /// the text has control characters, which JSON forbids.
    fn piece(&mut self) -> Option<&str> {
        let end = next_stop(self.line.as_bytes(), self.at)?;
        let piece = self.line.get(self.at..end)?;
        self.at = end;
        (self.byte()? >= b' ').then_some(piece)
    }

    fn escape(&mut self) -> Option<char> {
        self.at += 1;
        let letter = self.byte()?;
        self.at += 1;
        Some(match letter {
            b'"' | b'\\' | b'/' => char::from(letter),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.pair(),
            _ => return None,
        })
    }

    /// Decodes a surrogate pair: a character that is written as two `\u` escapes. The first `\u` has been
    /// read already.
    fn pair(&mut self) -> Option<char> {
        let high = self.unit()?;
        self.line.as_bytes()[self.at..].strip_prefix(b"\\u")?;
        self.at += 2;
        let low = self.unit()?;
        let is_pair = (0xD800..0xDC00).contains(&high) && (0xDC00..0xE000).contains(&low);
        is_pair.then(|| char::from_u32(0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00)))?
    }

    fn unit(&mut self) -> Option<u32> {
        let digits = self.line.as_bytes().get(self.at..)?.first_chunk()?;
        self.at += 4;
        unit(*digits)
    }

    fn null(&mut self) -> Option<()> {
        self.line.as_bytes()[self.at..].strip_prefix(b"null")?;
        self.at += 4;
        Some(())
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.next()? == byte).then_some(())
    }

    /// Returns the next byte that is not whitespace, and advances the position to the byte after it.
    fn next(&mut self) -> Option<u8> {
        let next = self.peek()?;
        self.at += 1;
        Some(next)
    }

    fn peek(&mut self) -> Option<u8> {
        while matches!(self.byte()?, b' ' | b'\t' | b'\r' | b'\n') {
            self.at += 1;
        }
        self.byte()
    }

    fn byte(&self) -> Option<u8> {
        self.line.as_bytes().get(self.at).copied()
    }
}

/// Number of bytes that are examined at once.
const BLOCK: usize = 16;

/// Returns the position from `start` of the next byte that ends a piece of a JSON string: a quote, a backslash
/// or a control character. One pass looks for all three, which matters for short pieces between escapes.
fn next_stop(line: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    while let Some(block) = line.get(at..)?.first_chunk() {
        let stops = stops(block);
        if stops != 0 {
            return Some(at + stops.trailing_zeros() as usize);
        }
        at += BLOCK;
    }
    let Some(last) = line.last_chunk() else {
        return line[at..].iter().position(|&byte| is_stop(byte)).map(|found| at + found);
    };
    // The last block is examined again, and the bits of bytes before `at` are shifted out.
    let stops = stops(last) >> (BLOCK - (line.len() - at));
    (stops != 0).then(|| at + stops.trailing_zeros() as usize)
}

fn is_stop(byte: u8) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\'
}

/// Returns a bit set of the bytes of a block for which [`is_stop`] is `true`; bit 0 is the first byte.
#[inline(always)]
fn stops(block: &[u8; BLOCK]) -> u32 {
    let bytes = u8x16::new(*block);
    let controls = bytes.min(u8x16::splat(b' ' - 1)).cmp_eq(bytes);
    let ends = bytes.cmp_eq(u8x16::splat(b'"')) | bytes.cmp_eq(u8x16::splat(b'\\'));
    (controls | ends).move_mask() as u32 & 0xFFFF
}

/// Returns the value of four hexadecimal digits, or `None` if one of the bytes is not a hexadecimal digit.
fn unit(digits: [u8; 4]) -> Option<u32> {
    let digit = |at: usize| u32::from(DIGITS[usize::from(digits[at])]);
    let a = digit(0);
    let b = digit(1);
    let c = digit(2);
    let d = digit(3);
    // A byte that is no digit has the value 255, so the test of all four is one comparison.
    (a | b | c | d < 16).then_some(a << 12 | b << 8 | c << 4 | d)
}

/// The value of each byte as a hexadecimal digit; bytes that are not digits have the value 255.
const DIGITS: [u8; 256] = {
    let mut digits = [u8::MAX; 256];
    let mut byte = 0;
    while byte < 256 {
        if let Some(digit) = (byte as u8 as char).to_digit(16) {
            digits[byte] = digit as u8;
        }
        byte += 1;
    }
    digits
};

#[cfg(test)]
mod tests {
    use super::*;

    quickcheck::quickcheck! {
        /// Compares the search in blocks with a search byte by byte, in lines whose stops are far apart.
        fn the_next_stop_is_the_first_byte_that_stops(line: Vec<u8>, stops: Vec<u8>, start: u8) -> bool {
            let mut line: Vec<u8> = line.repeat(3).into_iter().map(|byte| if is_stop(byte) { b'x' } else { byte }).collect();
            for (&at, stop) in stops.iter().take(2).zip([b'"', b'\\', 0, 31].into_iter().cycle().skip(stops.len())) {
                if let Some(byte) = line.get_mut(usize::from(at)) {
                    *byte = stop;
                }
            }
            let start = usize::from(start).min(line.len());
            let expected = line[start..].iter().position(|&byte| is_stop(byte)).map(|found| start + found);
            next_stop(&line, start) == expected
        }
    }

    #[test]
    fn a_stop_is_found_at_every_position_of_every_length() {
        for len in 0..50 {
            for at in 0..len {
                let mut line = vec![b' '; len];
                line[at] = b'"';
                for start in 0..=len {
                    assert_eq!(
                        next_stop(&line, start),
                        Some(at).filter(|&at| at >= start),
                        "{len} {at} {start}"
                    );
                }
            }
        }
    }
}
