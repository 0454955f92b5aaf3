//! [`Lines`]: one stream of text, line by line, in constant memory.

use super::encoding::Encoding;
use super::findings::{Findings, Search};
use super::source::{Source, fill, open_as};
use crate::whitespace::rstrip;
use bleuprint_core::{InputError, InputErrorKind, Location, Result};
use std::path::Path;
use std::sync::Arc;

/// Line endings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Newlines {
    /// LF alone, as sacreBLEU reads files. CR, VT, FF, NEL and U+2028 do not end a line (CR disappears at the end of
    /// one, with the other whitespace there).
    #[default]
    Lf,
    /// LF, CR LF or CR alone, as Python reads standard input and so sacreBLEU its hypotheses there.
    Universal,
}

/// The fault of a stream whose lines end in CR alone. One line or several: both would be a guess.
pub(super) const CARRIAGE_RETURNS: &str =
    "carriage returns and no line feed: as in files of the old Mac OS; convert the line ends to line feeds";

/// The number of bytes checked and copied at once: a reader may have a whole file in memory.
const MOST_CHECKED: usize = 1 << 16;

/// Reads the lines of one stream, each without trailing whitespace.
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
    /// Whole checked lines of the stream, from `start` on; the rest is still in the source.
    piece: String,
    start: usize,
    /// The line found by [`Lines::advance`]: its place in the piece, or the line itself.
    found: Option<(usize, usize)>,
    alone: String,
    newlines: Newlines,
    /// Whitespace at the end of lines is kept.
    line_ends: bool,
    /// The last line ended in CR: a following LF belongs to it.
    after_cr: bool,
    /// The line ends so far, to tell a stream whose lines end in CR alone.
    ends: Ends,
    read: u64,
    search: Box<Search>,
    /// The first error, which every later call gives again.
    failed: Option<InputError>,
}

#[derive(Debug, Default)]
struct Ends {
    lf: bool,
    cr_last: bool,
    /// A CR with something other than LF after it.
    cr_within: bool,
}

impl Ends {
    fn look(&mut self, bytes: &[u8]) {
        if self.lf || bytes.is_empty() {
            return;
        }
        self.lf = memchr::memchr(b'\n', bytes).is_some();
        self.cr_within |= self.cr_last && bytes[0] != b'\n';
        let before_last = memchr::memchr(b'\r', bytes).is_some_and(|at| at + 1 < bytes.len());
        self.cr_within |= before_last;
        self.cr_last = bytes.ends_with(b"\r");
    }

    fn are_carriage_returns(&self) -> bool {
        !self.lf && self.cr_within
    }
}

impl Lines {
    /// Opens a file, compressed or not; `-` is standard input.
    ///
    /// # Errors
    /// A file that cannot be opened.
    pub fn open(path: impl AsRef<Path>, encoding: Encoding) -> Result<Self> {
        open_as(path.as_ref(), encoding).map(Self::from_source)
    }

    /// Reads from any source; errors call it `name`.
    pub fn new(reader: impl std::io::BufRead + Send + 'static, name: impl Into<Arc<str>>) -> Self {
        Self::from_source(Source::new(reader, name))
    }

    pub(crate) fn from_source(source: Source) -> Self {
        Lines {
            source,
            piece: String::new(),
            start: 0,
            found: None,
            alone: String::new(),
            newlines: Newlines::Lf,
            line_ends: false,
            after_cr: false,
            ends: Ends::default(),
            read: 0,
            search: Box::default(),
            failed: None,
        }
    }

    /// Sets the line endings.
    #[must_use]
    pub fn with_newlines(mut self, newlines: Newlines) -> Self {
        self.newlines = newlines;
        self
    }

    /// Keeps trailing whitespace or drops it; if kept, only the line ending is dropped. For tokenizers with
    /// [`raw_lines`](crate::Tokenizer::raw_lines).
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

    /// The number of lines read so far.
    pub fn read(&self) -> u64 {
        self.read
    }

    /// The number of bytes read of a file, as stored and in whole pieces, and its size; `None` if unknown, as for
    /// standard input. For showing progress.
    pub fn position(&self) -> Option<(u64, u64)> {
        self.source.position()
    }

    /// Likely mistakes found so far, perhaps in lines ahead of the last one.
    pub fn findings(&self) -> &Findings {
        &self.search.found
    }

    /// The place of the last line.
    pub fn location(&self) -> Location {
        self.source.line(self.read)
    }

    /// Reads the next line into `line`, replacing its content; `false` at the end.
    ///
    /// # Errors
    /// Bytes that are not UTF-8, with file, line and byte; a line too long for the memory; lines that end in CR alone,
    /// at the end; errors of the operating system or of a decompressor, again at every further call.
    pub fn next(&mut self, line: &mut String) -> Result<bool> {
        self.check()?;
        let more = self.next_into(line);
        self.keep(more)
    }

    fn check(&self) -> Result<()> {
        self.failed.clone().map_or(Ok(()), Err)
    }

    fn keep<T>(&mut self, result: Result<T>) -> Result<T> {
        self.failed = result.as_ref().err().cloned();
        result
    }

    fn next_into(&mut self, line: &mut String) -> Result<bool> {
        let Some((start, end)) = self.next_in_piece()? else { return self.next_alone(line) };
        line.clear();
        if line.try_reserve(end - start).is_err() {
            return Err(no_memory(end - start).at(self.location()));
        }
        line.push_str(&self.piece[start..end]);
        Ok(true)
    }

    /// Reads the next line for [`Lines::line`]; `false` at the end. As [`Lines::next`], without a copy.
    ///
    /// # Errors
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
    pub fn advance(&mut self) -> Result<bool> {
        self.found = None;
        self.check()?;
        let more = self.advance_in_piece();
        self.keep(more)
    }

    fn advance_in_piece(&mut self) -> Result<bool> {
        self.found = self.next_in_piece()?;
        if self.found.is_some() {
            return Ok(true);
        }
        let mut line = std::mem::take(&mut self.alone);
        let more = self.next_alone(&mut line);
        self.alone = line;
        more
    }

    /// The line last read by [`Lines::advance`]; empty after the end and after an error.
    pub fn line(&self) -> &str {
        match self.found {
            Some((start, end)) => self.piece.get(start..end).unwrap_or_default(),
            None => &self.alone,
        }
    }

    fn next_alone(&mut self, line: &mut String) -> Result<bool> {
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

    /// The place of the next line in the checked piece, if present.
    fn next_in_piece(&mut self) -> Result<Option<(usize, usize)>> {
        if !self.has_piece()? {
            return Ok(None);
        }
        let (start, rest) = (self.start, &self.piece[self.start..]);
        let Some(end) = memchr::memchr(b'\n', rest.as_bytes()) else { return Ok(None) };
        self.start += end + 1;
        self.read += 1;
        let line = if self.line_ends { &rest[..end] } else { rstrip(&rest[..end]) };
        Ok(Some((start, start + line.len())))
    }

    /// `true` if the next line is checked, or can be now together with all whole lines in memory: in one call, which a
    /// crate vectorizes. A fault in one of them is reported when that line is read alone.
    fn has_piece(&mut self) -> Result<bool> {
        if self.start < self.piece.len() {
            return Ok(true);
        }
        if self.newlines != Newlines::Lf {
            return Ok(false);
        }
        let chunk = fill(&mut self.source.reader, &self.source.name)?;
        let chunk = &chunk[..chunk.len().min(MOST_CHECKED)];
        let Some(last) = memchr::memrchr(b'\n', chunk) else { return Ok(false) };
        let Ok(lines) = simdutf8::basic::from_utf8(&chunk[..=last]) else { return Ok(false) };
        self.piece.clear();
        if self.piece.try_reserve(lines.len()).is_err() {
            return Ok(false);
        }
        self.piece.push_str(lines);
        self.start = 0;
        self.ends.lf = true;
        self.search.look(lines.as_bytes(), self.read + 1);
        self.source.reader.consume(last + 1);
        Ok(true)
    }

    /// Reads to the end and returns the number of lines in all. Their text is not checked.
    ///
    /// # Errors
    /// Errors of the operating system or of a decompressor.
    pub fn count_rest(&mut self) -> Result<u64> {
        self.check()?;
        self.read += memchr::memchr_iter(b'\n', &self.piece.as_bytes()[self.start..]).count() as u64;
        self.start = self.piece.len();
        while self.next_bytes(None)? {}
        Ok(self.read)
    }

    /// Reads the bytes of the next line, without its ending; without a buffer, skips them.
    pub(super) fn next_bytes(&mut self, mut into: Option<&mut Vec<u8>>) -> Result<bool> {
        let mut any = false;
        loop {
            let chunk = fill(&mut self.source.reader, &self.source.name)?;
            if chunk.is_empty() {
                self.after_cr = false;
                self.read += u64::from(any);
                if self.ends.are_carriage_returns() {
                    let name = Arc::clone(&self.source.name);
                    return Err(InputError::malformed(CARRIAGE_RETURNS).at(Location::file(name)));
                }
                self.look_at(into.as_deref().filter(|_| any));
                return Ok(any);
            }
            if std::mem::take(&mut self.after_cr) && chunk[0] == b'\n' {
                self.ends.lf = true;
                self.source.reader.consume(1);
                continue;
            }
            any = true;
            let end = match self.newlines {
                Newlines::Lf => memchr::memchr(b'\n', chunk),
                Newlines::Universal => memchr::memchr2(b'\n', b'\r', chunk),
            };
            self.ends.look(&chunk[..end.map_or(chunk.len(), |end| end + 1)]);
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
            self.look_at(into.as_deref());
            return Ok(true);
        }
    }

    fn look_at(&mut self, line: Option<&Vec<u8>>) {
        if let Some(line) = line {
            self.search.look(line, self.read);
        }
    }
}

/// Adds bytes of input to a buffer; lack of memory is an error, not the end of the program.
pub(super) fn append(bytes: &mut Vec<u8>, piece: &[u8]) -> Result<()> {
    if bytes.try_reserve(piece.len()).is_err() {
        return Err(no_memory(bytes.len()));
    }
    bytes.extend_from_slice(piece);
    Ok(())
}

/// Refuses a line of JSON of many megabytes if memory for its values is foreseeably short. A parser asks for memory piece by
/// piece, and ends the program if it gets none. `per_value` is the memory of a value, in a list that may just have doubled;
/// texts are counted apart.
///
/// # Errors
/// The length of the line, and the memory that its values may take.
pub fn require_memory_to_parse(line: &[u8], per_value: usize) -> Result<()> {
    /// Shorter lines are not checked: their memory is negligible.
    const MANY: usize = 1 << 20;
    /// A text as it is parsed, and two copies.
    const PER_BYTE: usize = 3;
    let length = line.len();
    if length < MANY {
        return Ok(());
    }
    // As many values as commas, or more commas: those within texts.
    let values = memchr::memchr_iter(b',', line).count() + 1;
    let bytes = length.saturating_mul(PER_BYTE).saturating_add(values.saturating_mul(per_value));
    if Vec::<u8>::new().try_reserve_exact(bytes).is_ok() {
        return Ok(());
    }
    let message =
        format!("there is no memory for the values of a line of {length} bytes, which may take {bytes}");
    Err(InputError::malformed(message))
}

pub(super) fn no_memory(bytes: usize) -> InputError {
    InputError::malformed(format!("there is no memory for it: more than {bytes} bytes"))
}

/// Bytes that are not UTF-8: the offset `byte`, from 0, precedes the first one of `line`, from 1.
pub(super) fn invalid_utf8(byte: usize, name: &Arc<str>, line: u64) -> InputError {
    let kind = InputErrorKind::InvalidUtf8 { byte: byte as u64 + 1 };
    InputError::from(kind).at(Location::line(Arc::clone(name), line))
}

/// The character at a byte of a line, counted from 1.
pub(super) fn column(line: &str, byte: usize) -> usize {
    let bytes = line.as_bytes().get(..byte).unwrap_or(line.as_bytes());
    // Every character has one byte that is no continuation byte.
    1 + bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
}
