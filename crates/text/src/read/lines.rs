//! [`LineReader`]: a reader of one stream of text, line by line, in constant memory.

use super::encoding::Encoding;
use super::findings::{FindingSearch, Findings};
use super::kind::{FileKind, HEAD, TextOptions};
use super::source::{Source, fill, open_as};
use crate::whitespace::rstrip;
use bleuprint_core::{InputError, InputErrorKind, Location, Result};
use std::path::Path;
use std::sync::Arc;

/// The line endings that a reader recognizes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Newlines {
    /// Lines end at LF alone, as sacreBLEU reads files. CR, VT, FF, NEL and U+2028 do not end a line. A CR at
    /// the end of a line is dropped with the other whitespace there.
    #[default]
    Lf,
    /// Lines end at LF, CR LF or CR, as Python (and therefore sacreBLEU) reads standard input.
    Universal,
}

/// The error message for a file whose lines end in CR alone. The reader refuses to guess if it is one line or
/// several.
pub(super) const CARRIAGE_RETURNS: &str =
    "carriage returns and no line feed: as in files of the old Mac OS; convert the line ends to line feeds";

/// Maximum number of bytes that are checked for UTF-8 and copied at once. Without a limit, a source in memory
/// would be copied as a whole.
const MOST_CHECKED: usize = 1 << 16;

/// A reader of the lines of one stream. Trailing whitespace of each line is dropped.
///
/// An empty line counts as a line, and so does a last line without a line feed. An empty stream has no lines.
///
/// ```
/// use bleuprint_text::LineReader;
/// let mut lines = LineReader::new(&b"one \r\n\ntwo"[..], "example");
/// let (mut line, mut all) = (String::new(), Vec::new());
/// while lines.next(&mut line)? {
///     all.push(line.clone());
/// }
/// assert_eq!(all, ["one", "", "two"]);
/// # Ok::<(), bleuprint_core::InputError>(())
/// ```
#[derive(Debug)]
pub struct LineReader {
    source: Source,
    /// Buffer of whole lines that were read ahead and checked for UTF-8. `start` is the offset of its first
    /// unread line. All bytes after the buffer are still in the source.
    piece: String,
    start: usize,
    /// The byte range of the current line in the buffer `piece`, or `None` if the line is not in that buffer.
    /// The current line is then stored in `alone`.
    found: Option<(usize, usize)>,
    alone: String,
    newlines: Newlines,
    /// `true` if whitespace at the end of lines is kept.
    line_ends: bool,
    /// `true` if the previous line ended in CR, so that a following LF belongs to the same line ending.
    after_cr: bool,
    /// The line endings seen so far, to detect a stream whose lines end in CR alone.
    ends: Ends,
    /// The number of lines read so far.
    read: u64,
    search: Box<FindingSearch>,
    /// The first error of the stream, which every later call returns again.
    failed: Option<InputError>,
}

/// Flags for the kinds of line endings that were seen in a stream.
#[derive(Debug, Default)]
struct Ends {
    lf: bool,
    cr_last: bool,
    /// `true` if the stream contained a CR that is not followed by LF.
    cr_within: bool,
}

impl Ends {
    fn look(&mut self, bytes: &[u8]) {
        // One LF shows that the stream has ordinary lines, so nothing more needs to be searched.
        if self.lf || bytes.is_empty() {
            return;
        }
        self.lf = memchr::memchr(b'\n', bytes).is_some();
        self.cr_within |= self.cr_last && bytes[0] != b'\n';
        // A CR at the very end of the bytes may be followed by LF in the next bytes; `cr_last` remembers it.
        let before_last = memchr::memchr(b'\r', bytes).is_some_and(|at| at + 1 < bytes.len());
        self.cr_within |= before_last;
        self.cr_last = bytes.ends_with(b"\r");
    }

    fn are_carriage_returns(&self) -> bool {
        !self.lf && self.cr_within
    }
}

impl LineReader {
    /// Opens a file to read its lines. The file may be compressed; `-` is standard input.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened.
    pub fn open(path: impl AsRef<Path>, encoding: Encoding) -> Result<Self> {
        open_as(path.as_ref(), encoding).map(Self::from_source)
    }

    /// Opens a file of texts, one on each line. A file of another format, such as SRT or JSON Lines, is an
    /// error if its name and its first lines agree on the format. If only its lines show the format,
    /// [`LineReader::findings`] reports it.
    ///
    /// ```
    /// use bleuprint_text::LineReader;
    /// let folder = bleuprint_testkit::Folder::new();
    /// let path = folder.file("a.jsonl", "{\"text\": \"a b\"}\n");
    /// let error = LineReader::open_text(&path, Default::default()).unwrap_err();
    /// assert!(error.to_string().contains("JSON Lines by its name and its first lines"));
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`LineReader::open`], and an error for a file of another format.
    pub fn open_text(path: impl AsRef<Path>, options: TextOptions) -> Result<Self> {
        let mut lines = Self::open(path, options.encoding)?;
        let name = Arc::clone(lines.name());
        // Only names of other formats can be errors; reading ahead from a pipe could block here.
        if lines.position().is_some() && FileKind::named(&name).is_some() {
            options.expected.check(&name, &lines.source.peek(HEAD)?)?;
        }
        lines.search.expect(name, options.expected);
        Ok(lines)
    }

    /// Creates a reader of any byte source. Error messages name the source `name`.
    pub fn new(reader: impl std::io::BufRead + Send + 'static, name: impl Into<Arc<str>>) -> Self {
        Self::from_source(Source::new(reader, name))
    }

    pub(crate) fn from_source(source: Source) -> Self {
        LineReader {
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

    /// Sets the line endings that the reader recognizes: LF only, or also CR LF and CR.
    #[must_use]
    pub fn with_newlines(mut self, newlines: Newlines) -> Self {
        self.newlines = newlines;
        self
    }

    /// Sets whether whitespace at the end of lines is kept. If it is kept, only the line ending is dropped;
    /// tokenizers with [`raw_lines`](crate::Tokenizer::raw_lines) need this.
    ///
    /// ```
    /// use bleuprint_text::LineReader;
    /// let mut line = String::new();
    /// LineReader::new("a\u{a0}\r\n".as_bytes(), "example").with_line_ends(true).next(&mut line)?;
    /// assert_eq!(line, "a\u{a0}\r");
    /// # Ok::<(), bleuprint_core::InputError>(())
    /// ```
    #[must_use]
    pub fn with_line_ends(mut self, keep: bool) -> Self {
        self.line_ends = keep;
        self
    }

    /// Returns the name of the stream, usually the path of the file, as error messages show it.
    pub fn name(&self) -> &Arc<str> {
        &self.source.name
    }

    /// Returns the number of lines read so far.
    pub fn read(&self) -> u64 {
        self.read
    }

    /// Returns the number of bytes read so far and the size of the file, both as stored on disk, to show
    /// progress. Returns `None` if the size is unknown, as for standard input. Bytes are read ahead in whole
    /// blocks.
    pub fn position(&self) -> Option<(u64, u64)> {
        self.source.position()
    }

    /// Returns `true` if the stream cannot be read any more.
    #[cfg(feature = "jsonl")]
    pub(super) fn has_failed(&self) -> bool {
        self.failed.is_some()
    }

    /// Returns the likely mistakes found so far in the file. The search may be ahead of the line that was
    /// read last.
    pub fn findings(&self) -> &Findings {
        &self.search.found
    }

    /// Returns the file and the number of the line that was read last.
    pub fn location(&self) -> Location {
        self.source.line(self.read)
    }

    /// Reads the next line into `line`, replacing its content. Returns `false` at the end of the stream.
    ///
    /// # Errors
    /// Returns an error with file, line and byte if bytes are not UTF-8. Returns an error if a line does not
    /// fit in memory, and at the end if all lines ended in CR alone. Errors of the operating system and of
    /// decompression are returned again at every further call.
    pub fn next(&mut self, line: &mut String) -> Result<bool> {
        self.check()?;
        let more = self.next_into(line);
        self.keep(more)
    }

    fn check(&self) -> Result<()> {
        match &self.failed {
            None => Ok(()),
            Some(error) => Err(error.clone()),
        }
    }

    fn keep<T>(&mut self, result: Result<T>) -> Result<T> {
        if let Err(error) = &result {
            self.failed = Some(error.clone());
        }
        result
    }

    fn next_into(&mut self, line: &mut String) -> Result<bool> {
        let Some((start, end)) = self.next_in_piece()? else { return self.next_alone(line) };
        line.clear();
        // A failed allocation would abort the program; this check makes it an error with the line.
        if line.try_reserve(end - start).is_err() {
            return Err(no_memory(end - start).at(self.location()));
        }
        line.push_str(&self.piece[start..end]);
        Ok(true)
    }

    /// Reads the next line, which [`LineReader::line`] then returns. Returns `false` at the end. Unlike
    /// [`LineReader::next`], it does not copy the line.
    ///
    /// # Errors
    /// Returns the errors of [`LineReader::next`].
    ///
    /// ```
    /// use bleuprint_text::LineReader;
    /// let mut lines = LineReader::new(&b"one \ntwo"[..], "example");
    /// assert!(lines.advance()? && lines.line() == "one");
    /// assert!(lines.advance()? && lines.line() == "two");
    /// assert!(!lines.advance()? && lines.line() == "");
    /// # Ok::<(), bleuprint_core::InputError>(())
    /// ```
    pub fn advance(&mut self) -> Result<bool> {
        self.found = None;
        self.check()?;
        // Nearly all lines are in the buffer already, and taking one of them cannot fail.
        self.found = self.take_line();
        if self.found.is_some() {
            return Ok(true);
        }
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

    /// Returns the line that [`LineReader::advance`] has read last. It is empty after the end and after an error.
    #[inline]
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

    /// Returns the byte range in `piece` of the next line, or `None` if the buffer `piece` has no further
    /// line.
    fn next_in_piece(&mut self) -> Result<Option<(usize, usize)>> {
        Ok(if self.has_piece()? { self.take_line() } else { None })
    }

    /// Returns the byte range in `piece` of the next line, or `None` if all lines of the buffer were read.
    #[inline]
    fn take_line(&mut self) -> Option<(usize, usize)> {
        let start = self.start;
        let rest = self.piece.get(start..)?;
        let end = memchr::memchr(b'\n', rest.as_bytes())?;
        self.start += end + 1;
        self.read += 1;
        let line = if self.line_ends { &rest[..end] } else { rstrip(&rest[..end]) };
        Some((start, start + line.len()))
    }

    /// If the buffer `piece` has no unread line, reads whole lines into it and checks them for UTF-8. Returns
    /// `true` if the buffer then has an unread line.
    fn has_piece(&mut self) -> Result<bool> {
        if self.start < self.piece.len() {
            return Ok(true);
        }
        // Other line ends are rare; they are always read line by line.
        if self.newlines != Newlines::Lf {
            return Ok(false);
        }
        let chunk = fill(&mut self.source.reader, &self.source.name)?;
        let chunk = &chunk[..chunk.len().min(MOST_CHECKED)];
        // Only whole lines are checked here. A line longer than the buffer is read by `next_alone`.
        let Some(last) = memchr::memrchr(b'\n', chunk) else { return Ok(false) };
        // One call checks many lines, which the crate does with vector instructions. If it finds a fault, the
        // lines are read one by one, so that the error names the right line.
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

    /// Reads to the end of the stream and returns the total number of lines. Lines are not checked for UTF-8.
    ///
    /// # Errors
    /// Returns the errors of the operating system and of decompression.
    pub fn count_rest(&mut self) -> Result<u64> {
        self.check()?;
        self.read += memchr::memchr_iter(b'\n', &self.piece.as_bytes()[self.start..]).count() as u64;
        self.start = self.piece.len();
        while self.next_bytes(None)? {}
        Ok(self.read)
    }

    /// Appends the bytes of the next line, without its line ending, to `into`. If `into` is `None`, the line
    /// is skipped. Returns `false` at the end of the stream.
    pub(super) fn next_bytes(&mut self, mut into: Option<&mut Vec<u8>>) -> Result<bool> {
        let mut any = false;
        loop {
            let chunk = fill(&mut self.source.reader, &self.source.name)?;
            if chunk.is_empty() {
                self.after_cr = false;
                // A last line without a line feed counts as a line.
                self.read += u64::from(any);
                if self.ends.are_carriage_returns() {
                    let name = Arc::clone(&self.source.name);
                    return Err(InputError::malformed(CARRIAGE_RETURNS).at(Location::file(name)));
                }
                self.look_at(into.as_deref().filter(|_| any));
                return Ok(any);
            }
            // This LF belongs to the CR that ended the previous line.
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
            // The line continues in the next block of the source.
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

/// Appends `piece` to `bytes`. Returns an error if memory is insufficient, instead of aborting the program.
pub(super) fn append(bytes: &mut Vec<u8>, piece: &[u8]) -> Result<()> {
    if bytes.try_reserve(piece.len()).is_err() {
        return Err(no_memory(bytes.len()));
    }
    bytes.extend_from_slice(piece);
    Ok(())
}

/// Checks that the values of a long JSON line fit in memory, because a JSON parser aborts the program if an
/// allocation fails. Lines shorter than 1 MiB are not checked. `per_value` is the estimated memory in bytes
/// of one parsed value. It includes the spare capacity of a growing list, but not the bytes of texts, which
/// are estimated from the length of the line.
///
/// # Errors
/// Returns an error with the length of the line and the memory that its values may need.
pub fn require_memory_to_parse(line: &[u8], per_value: usize) -> Result<()> {
    /// Minimum length in bytes of a line for which memory is checked. The memory of shorter lines is
    /// negligible.
    const MANY: usize = 1 << 20;
    /// Estimated bytes of memory for each byte of a line: one for the parsed text, and two for copies of it.
    const PER_BYTE: usize = 3;
    let length = line.len();
    if length < MANY {
        return Ok(());
    }
    // Every value but the first follows a comma. Commas within texts are counted too, so the estimate is an
    // upper bound.
    let values = memchr::memchr_iter(b',', line).count() + 1;
    let bytes = length.saturating_mul(PER_BYTE).saturating_add(values.saturating_mul(per_value));
    // The memory is reserved and freed at once: it only shows whether it is available.
    if Vec::<u8>::new().try_reserve_exact(bytes).is_ok() {
        return Ok(());
    }
    let message = format!(
        "the values of a line of {length} bytes may need {bytes} bytes of memory, which are not available"
    );
    Err(InputError::malformed(message))
}

pub(super) fn no_memory(bytes: usize) -> InputError {
    InputError::malformed(format!("does not fit in memory: more than {bytes} bytes"))
}

/// Returns the error for bytes that are not UTF-8. `byte` is the offset in the line, from 0, of the first
/// wrong byte, and `line` is counted from 1.
pub(super) fn invalid_utf8(byte: usize, name: &Arc<str>, line: u64) -> InputError {
    let kind = InputErrorKind::InvalidUtf8 { byte: byte as u64 + 1 };
    InputError::from(kind).at(Location::line(Arc::clone(name), line))
}

/// Returns the column, counted in characters from 1, of the character at a byte offset of a line.
pub(super) fn column(line: &str, byte: usize) -> usize {
    let bytes = line.as_bytes().get(..byte).unwrap_or(line.as_bytes());
    // Every character has exactly one byte that is not a continuation byte.
    1 + bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
}
