//! [`Lines`]: one stream of text, line by line, in constant memory.

use super::source::{Source, io_error, open};
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
    newlines: Newlines,
    bytes: Vec<u8>,
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
        Self::from_source(Source { reader: Box::new(reader), name: name.into() })
    }

    /// Reads from an open source.
    pub fn from_source(source: Source) -> Self {
        Lines { source, newlines: Newlines::Lf, bytes: Vec::new(), after_cr: false, read: 0 }
    }

    /// With another rule for what ends a line.
    #[must_use]
    pub fn with_newlines(mut self, newlines: Newlines) -> Self {
        self.newlines = newlines;
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

    /// Where the line that was read last is.
    pub fn location(&self) -> Location {
        Location::line(Arc::clone(self.name()), self.read)
    }

    /// Reads the next line into `line`, replacing what was there; `false` at the end.
    ///
    /// # Errors
    ///
    /// Bytes that are not UTF-8, with file, line and byte; what the operating system or a decompressor reports.
    pub fn next(&mut self, line: &mut String) -> Result<bool, InputError> {
        line.clear();
        if !self.next_bytes()? {
            return Ok(false);
        }
        match std::str::from_utf8(&self.bytes) {
            Ok(text) => line.push_str(rstrip(text)),
            Err(error) => return Err(invalid_utf8(error.valid_up_to(), self.name(), self.read)),
        }
        Ok(true)
    }

    /// Reads to the end and says how many lines there were in all. Their text is not looked at.
    ///
    /// # Errors
    ///
    /// What the operating system or a decompressor reports.
    pub fn count_rest(&mut self) -> Result<u64, InputError> {
        while self.next_bytes()? {}
        Ok(self.read)
    }

    /// Reads the bytes of the next line, without what ends it.
    fn next_bytes(&mut self) -> Result<bool, InputError> {
        self.bytes.clear();
        let mut any = false;
        loop {
            let chunk = match self.source.reader.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(io_error(&error, &self.source.name)),
            };
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
            let Some(end) = end else {
                let len = chunk.len();
                self.bytes.extend_from_slice(chunk);
                self.source.reader.consume(len);
                continue;
            };
            self.after_cr = chunk[end] == b'\r';
            self.bytes.extend_from_slice(&chunk[..end]);
            self.source.reader.consume(end + 1);
            self.read += 1;
            return Ok(true);
        }
    }
}

/// Bytes that are not UTF-8: the first is `byte` of `line`, which is counted from 1.
pub(super) fn invalid_utf8(byte: usize, name: &Arc<str>, line: u64) -> InputError {
    let kind = InputErrorKind::InvalidUtf8 { byte: byte as u64 };
    InputError::new(kind).at(Location::line(Arc::clone(name), line))
}
