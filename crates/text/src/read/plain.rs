//! The usual line of JSON Lines in one pass: an object of known keys with texts, which are decoded where they stand.
//!
//! Anything else, faults among it, is left to [`json`](super::json), which has the places of all values for its errors.

use super::json::known;
use super::segment::{Segment, label};

/// Fills a segment from a line, or returns `false`; the segment is then without meaning.
pub(super) fn fill(line: &str, segment: &mut Segment) -> bool {
    let values = Cursor { line, at: 0 }.object();
    let Some(Values { texts: [hypothesis, reference, source], references, labels }) = values else {
        return false;
    };
    if hypothesis.is_none() || reference.is_some() && references.is_some() {
        return false;
    }
    segment.clear_all_but_texts();
    segment.hypothesis = hypothesis;
    segment.references = references.unwrap_or_else(|| reference.into_iter().map(Some).collect());
    segment.source = source;
    [segment.id, segment.system, segment.document, segment.domain] = labels;
    true
}

#[derive(Default)]
struct Values {
    /// Hypothesis, reference and source.
    texts: [Option<String>; 3],
    references: Option<Vec<Option<String>>>,
    labels: [Option<String>; 4],
}

struct Cursor<'l> {
    line: &'l str,
    at: usize,
}

impl<'l> Cursor<'l> {
    fn object(mut self) -> Option<Values> {
        let (mut values, mut seen) = (Values::default(), 0_u32);
        self.take(b'{')?;
        loop {
            let key = self.key()?;
            if seen & 1 << key != 0 {
                return None;
            }
            seen |= 1 << key;
            self.take(b':')?;
            self.value(key, &mut values)?;
            match self.next()? {
                b',' => {}
                b'}' => break,
                _ => return None,
            }
        }
        self.peek().is_none().then_some(values)
    }

    fn key(&mut self) -> Option<usize> {
        self.take(b'"')?;
        let key = known(self.piece()?)?;
        self.take(b'"')?;
        Some(key)
    }

    /// Reads the value of a key by its number in the order of [`Row`](super::json::Row).
    fn value(&mut self, key: usize, values: &mut Values) -> Option<()> {
        if self.peek()? == b'n' {
            return self.null();
        }
        match key {
            0 => values.texts[0] = Some(self.text()?),
            1 => values.references = Some(self.texts()?),
            2 => values.texts[1] = Some(self.text()?),
            5 => values.texts[2] = Some(self.text()?),
            6.. => values.labels[key - 6] = Some(self.label()?),
            _ => return None,
        }
        Some(())
    }

    fn texts(&mut self) -> Option<Vec<Option<String>>> {
        if self.peek()? == b'"' {
            return Some(vec![Some(self.text()?)]);
        }
        self.take(b'[')?;
        let mut texts = Vec::new();
        if self.peek()? == b']' {
            self.at += 1;
            return Some(texts);
        }
        loop {
            texts.push(if self.peek()? == b'n' {
                self.null()?;
                None
            } else {
                Some(self.text()?)
            });
            match self.next()? {
                b',' => {}
                b']' => return Some(texts),
                _ => return None,
            }
        }
    }

    /// A text, or a whole number as it is written.
    fn label(&mut self) -> Option<String> {
        if self.peek()? == b'"' {
            return self.text().filter(|text| label("", text).is_ok());
        }
        let rest = &self.line[self.at..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let is_number = digits == 1 || digits > 1 && !rest.starts_with('0');
        self.at += digits;
        // A fraction or an exponent is no end of a value.
        is_number.then(|| rest[..digits].to_owned())
    }

    fn text(&mut self) -> Option<String> {
        self.take(b'"')?;
        let mut text = self.piece()?.to_owned();
        loop {
            match self.byte()? {
                b'"' => {
                    self.at += 1;
                    return Some(text);
                }
                b'\\' => text.push(self.escape()?),
                _ => text.push_str(self.piece()?),
            }
        }
    }

    /// The text up to the next quote or backslash. Control characters have no place in it.
    fn piece(&mut self) -> Option<&'l str> {
        let rest = &self.line[self.at..];
        let piece = &rest[..memchr::memchr2(b'"', b'\\', rest.as_bytes())?];
        self.at += piece.len();
        let least = piece.bytes().fold(u8::MAX, u8::min);
        (least >= b' ').then_some(piece)
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
            b'u' => return self.code_point(),
            _ => return None,
        })
    }

    fn code_point(&mut self) -> Option<char> {
        let unit = self.unit()?;
        if !(0xD800..0xDC00).contains(&unit) {
            return char::from_u32(unit);
        }
        self.line.as_bytes()[self.at..].strip_prefix(b"\\u")?;
        self.at += 2;
        let low = self.unit()?;
        (0xDC00..0xE000)
            .contains(&low)
            .then(|| char::from_u32(0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00)))?
    }

    fn unit(&mut self) -> Option<u32> {
        let digits: &[u8; 4] = self.line.as_bytes().get(self.at..)?.first_chunk()?;
        self.at += 4;
        let digit = |at: usize| u32::from(DIGITS[usize::from(digits[at])]);
        let (a, b, c, d) = (digit(0), digit(1), digit(2), digit(3));
        (a | b | c | d < 16).then_some(a << 12 | b << 8 | c << 4 | d)
    }

    fn null(&mut self) -> Option<()> {
        self.line.as_bytes()[self.at..].strip_prefix(b"null")?;
        self.at += 4;
        Some(())
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.next()? == byte).then_some(())
    }

    /// The next byte that is no space, and the place behind it.
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

/// The values of hexadecimal digits, and 255 for other bytes.
const DIGITS: [u8; 256] = {
    let (mut digits, mut byte) = ([u8::MAX; 256], 0);
    while byte < 256 {
        if let Some(digit) = (byte as u8 as char).to_digit(16) {
            digits[byte] = digit as u8;
        }
        byte += 1;
    }
    digits
};
