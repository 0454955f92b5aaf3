//! [`Lines`]: one stream of text, line by line, in constant memory.

use super::source::{Source, fill, open};
use crate::whitespace::rstrip;
use bleuprint_core::{InputError, InputErrorKind, Location};
use std::path::Path;
use std::sync::Arc;

/// What ends a line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Newlines {
    /// LF alone, as sacreBLEU reads files. CR, VT, FF, NEL and U+2028 do not end a line (CR disappears at the end of
    /// one, with the other whitespace there).
    #[default]
    Lf,
    /// LF, CR LF or CR alone, as Python reads standard input and so sacreBLEU its hypotheses there.
    Universal,
}

/// So many bytes are checked at once and copied: a reader may have all of a file in memory.
const MOST_CHECKED: usize = 1 << 16;

/// Reads the lines of one stream, each without the whitespace at its end.
///
/// Empty lines are lines; a last line without a line feed is one; a stream of no bytes has none.
///
/// ```
/// use bleuprint_text::Lines;
/// let mut lines = Lines::new(&b"one \r\n\ntwo"[..], "example");
/// let (mut line, mut all) = (String::new(), Vec::new());
/// while lines.next(&mut line)? {
///     all.push(line.clone());
/// }
/// assert_eq!(all, ["one", "", "two"]);
/// # Ok::<(), bleuprint_core::InputError>(())
/// ```
#[derive(Debug)]
pub struct Lines {
    source: Source,
    /// Whole lines of the stream that have been checked, from `start` on; what follows them is still in the source.
    piece: String,
    start: usize,
    /// The line that [`Lines::advance`] found: where in the piece it lies, or else itself.
    found: Option<(usize, usize)>,
    alone: String,
    newlines: Newlines,
    /// Whether whitespace at the end of lines is kept.
    line_ends: bool,
    /// The last line ended in CR: a LF that follows belongs to it.
    after_cr: bool,
    read: u64,
}

impl Lines {
    /// Opens a file, compressed or not; `-` is standard input.
    ///
    /// # Errors
    ///
    /// A file that cannot be opened.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, InputError> {
        open(path).map(Self::from_source)
    }

    /// Reads from anything; `name` is what errors call it.
    pub fn new(reader: impl std::io::BufRead + Send + 'static, name: impl Into<Arc<str>>) -> Self {
        Self::from_source(Source::new(reader, name))
    }

    /// Reads from an open source.
    pub fn from_source(source: Source) -> Self {
        Lines {
            source,
            piece: String::new(),
            start: 0,
            found: None,
            alone: String::new(),
            newlines: Newlines::Lf,
            line_ends: false,
            after_cr: false,
            read: 0,
        }
    }

    /// With another rule for what ends a line.
    #[must_use]
    pub fn with_newlines(mut self, newlines: Newlines) -> Self {
        self.newlines = newlines;
        self
    }

    /// Keeps the whitespace at the end of lines, or not; only what ends a line is dropped then. For tokenizers whose
    /// [`raw_lines`](crate::Tokenizer::raw_lines) says so.
    ///
    /// ```
    /// use bleuprint_text::Lines;
    /// let mut line = String::new();
    /// Lines::new("a\u{a0}\r\n".as_bytes(), "example").with_line_ends(true).next(&mut line)?;
    /// assert_eq!(line, "a\u{a0}\r");
    /// # Ok::<(), bleuprint_core::InputError>(())
    /// ```
    #[must_use]
    pub fn with_line_ends(mut self, keep: bool) -> Self {
        self.line_ends = keep;
        self
    }

    /// The name of the stream in errors.
    pub fn name(&self) -> &Arc<str> {
        &self.source.name
    }

    /// How many lines have been read.
    pub fn read(&self) -> u64 {
        self.read
    }

    /// How many bytes of a file have been read, in pieces and as they lie in it, and how many it has; `None` where that is
    /// not known, as for standard input. For showing progress.
    pub fn position(&self) -> Option<(u64, u64)> {
        self.source.position()
    }

    /// Where the line that was read last is.
    pub fn location(&self) -> Location {
        self.source.line(self.read)
    }

    /// Reads the next line into `line`, replacing what was there; `false` at the end.
    ///
    /// # Errors
    ///
    /// Bytes that are not UTF-8, with file, line and byte; a line for which there is no memory; what the operating system
    /// or a decompressor reports.
    pub fn next(&mut self, line: &mut String) -> Result<bool, InputError> {
        let Some((start, end)) = self.next_in_piece() else { return self.next_alone(line) };
        line.clear();
        if line.try_reserve(end - start).is_err() {
            return Err(no_memory(end - start).at(self.location()));
        }
        line.push_str(&self.piece[start..end]);
        Ok(true)
    }

    /// Reads the next line, for [`Lines::line`] to show where it lies; `false` at the end. As [`Lines::next`], without a
    /// copy.
    ///
    /// # Errors
    ///
    /// Those of [`Lines::next`].
    ///
    /// ```
    /// use bleuprint_text::Lines;
    /// let mut lines = Lines::new(&b"one \ntwo"[..], "example");
    /// assert!(lines.advance()? && lines.line() == "one");
    /// assert!(lines.advance()? && lines.line() == "two");
    /// assert!(!lines.advance()? && lines.line() == "");
    /// # Ok::<(), bleuprint_core::InputError>(())
    /// ```
    pub fn advance(&mut self) -> Result<bool, InputError> {
        self.found = self.next_in_piece();
        if self.found.is_some() {
            return Ok(true);
        }
        let mut line = std::mem::take(&mut self.alone);
        let more = self.next_alone(&mut line);
        self.alone = line;
        more
    }

    /// The line that [`Lines::advance`] has read last; empty after the last one, and after an error.
    pub fn line(&self) -> &str {
        match self.found {
            Some((start, end)) => self.piece.get(start..end).unwrap_or_default(),
            None => &self.alone,
        }
    }

    /// Reads the next line, which the checked piece has not.
    fn next_alone(&mut self, line: &mut String) -> Result<bool, InputError> {
        let mut bytes = std::mem::take(line).into_bytes();
        bytes.clear();
        if !self.next_bytes(Some(&mut bytes))? {
            *line = String::from_utf8(bytes).unwrap_or_default();
            return Ok(false);
        }
        *line = String::from_utf8(bytes)
            .map_err(|error| invalid_utf8(error.utf8_error().valid_up_to(), self.name(), self.read))?;
        if !self.line_ends {
            line.truncate(rstrip(line).len());
        }
        Ok(true)
    }

    /// Where in the checked piece the next line lies, if it has one.
    fn next_in_piece(&mut self) -> Option<(usize, usize)> {
        if !self.has_piece() {
            return None;
        }
        let (start, rest) = (self.start, &self.piece[self.start..]);
        let end = memchr::memchr(b'\n', rest.as_bytes())?;
        self.start += end + 1;
        self.read += 1;
        let line = if self.line_ends { &rest[..end] } else { rstrip(&rest[..end]) };
        Some((start, start + line.len()))
    }

    /// Whether the next line has been checked already, or can be now with all whole lines that are in memory: at once, as
    /// that is what a crate does with vectors. What is wrong with one of them is told where it is read alone.
    fn has_piece(&mut self) -> bool {
        if self.start < self.piece.len() {
            return true;
        }
        if self.newlines != Newlines::Lf {
            return false;
        }
        let Ok(chunk) = self.source.reader.fill_buf() else { return false };
        let chunk = &chunk[..chunk.len().min(MOST_CHECKED)];
        let Some(last) = memchr::memrchr(b'\n', chunk) else { return false };
        let Ok(lines) = simdutf8::basic::from_utf8(&chunk[..=last]) else { return false };
        self.piece.clear();
        if self.piece.try_reserve(lines.len()).is_err() {
            return false;
        }
        self.piece.push_str(lines);
        self.start = 0;
        self.source.reader.consume(last + 1);
        true
    }

    /// Reads to the end and says how many lines there were in all. Their text is not looked at.
    ///
    /// # Errors
    ///
    /// What the operating system or a decompressor reports.
    pub fn count_rest(&mut self) -> Result<u64, InputError> {
        self.read += memchr::memchr_iter(b'\n', &self.piece.as_bytes()[self.start..]).count() as u64;
        self.start = self.piece.len();
        while self.next_bytes(None)? {}
        Ok(self.read)
    }

    /// Reads the bytes of the next line, without what ends it; where there is nothing to read them into, over them.
    pub(super) fn next_bytes(&mut self, mut into: Option<&mut Vec<u8>>) -> Result<bool, InputError> {
        let mut any = false;
        loop {
            let chunk = fill(&mut self.source.reader, &self.source.name)?;
            if chunk.is_empty() {
                self.after_cr = false;
                self.read += u64::from(any);
                return Ok(any);
            }
            if std::mem::take(&mut self.after_cr) && chunk[0] == b'\n' {
                self.source.reader.consume(1);
                continue;
            }
            any = true;
            let end = match self.newlines {
                Newlines::Lf => memchr::memchr(b'\n', chunk),
                Newlines::Universal => memchr::memchr2(b'\n', b'\r', chunk),
            };
            let piece = &chunk[..end.unwrap_or(chunk.len())];
            if let Some(bytes) = &mut into {
                append(bytes, piece).map_err(|error| {
                    error.at(Location::line(Arc::clone(&self.source.name), self.read + 1))
                })?;
            }
            let Some(end) = end else {
                let len = chunk.len();
                self.source.reader.consume(len);
                continue;
            };
            self.after_cr = chunk[end] == b'\r';
            self.source.reader.consume(end + 1);
            self.read += 1;
            return Ok(true);
        }
    }
}

/// Adds bytes of input to what is in memory; an error, and not the end of the program, where there is no memory.
pub(super) fn append(bytes: &mut Vec<u8>, piece: &[u8]) -> Result<(), InputError> {
    if bytes.try_reserve(piece.len()).is_err() {
        return Err(no_memory(bytes.len()));
    }
    bytes.extend_from_slice(piece);
    Ok(())
}

fn no_memory(bytes: usize) -> InputError {
    InputError::malformed(format!("there is no memory for it: more than {bytes} bytes"))
}

/// Bytes that are not UTF-8: `byte` of them, counted from 0, come before the first one of `line`, counted from 1.
pub(super) fn invalid_utf8(byte: usize, name: &Arc<str>, line: u64) -> InputError {
    let kind = InputErrorKind::InvalidUtf8 { byte: byte as u64 + 1 };
    InputError::new(kind).at(Location::line(Arc::clone(name), line))
}

/// The character at a byte of a line, counted from 1.
pub(super) fn column(line: &str, byte: usize) -> usize {
    let bytes = line.as_bytes().get(..byte).unwrap_or(line.as_bytes());
    // Every character has one byte that does not continue another.
    1 + bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
}
