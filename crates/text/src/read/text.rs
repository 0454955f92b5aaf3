//! [`FileText`]: the lines of a whole file in memory, for scoring many systems with the same references.

use super::encoding::Encoding;
use super::findings::{FindingSearch, Findings};
use super::kind::{ExpectedLines, TextOptions};
use super::lines::{CARRIAGE_RETURNS, invalid_utf8};
use super::source::{Source, fill, open_as};
use super::utf8::{Decoder, NotText};
use crate::whitespace::rstrip;
use bleuprint_core::{InputError, Location, Result};
use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;

/// The lines of one file in one piece of memory, each without trailing whitespace.
///
/// Lines end at LF only; see [`crate::Newlines::Lf`]. The file is read, not memory-mapped, because the
/// program would crash if a mapped file were truncated meanwhile.
///
/// ```
/// use bleuprint_text::FileText;
/// let text = FileText::new("one \r\n\ntwo", "example");
/// assert_eq!((text.len(), text.line(0), text.line(1), text.line(2)), (3, "one", "", "two"));
/// ```
#[derive(Debug, Clone)]
pub struct FileText {
    text: String,
    lines: Vec<(usize, usize)>,
    name: Arc<str>,
    expected: ExpectedLines,
}

impl FileText {
    /// Reads all lines of a file into memory. The file may be compressed; `-` is standard input.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, if its lines end in CR alone, or if bytes are not UTF-8.
    /// The error for invalid UTF-8 names the file, the line and the byte.
    pub fn open(path: impl AsRef<Path>, encoding: Encoding) -> Result<Self> {
        Self::read(open_as(path.as_ref(), encoding)?)
    }

    /// Reads all lines of a file of texts, one text on each line. A file of another format, such as JSON
    /// Lines, is an error if its name and its first lines agree on the format. Otherwise
    /// [`FileText::findings`] reports it.
    ///
    /// # Errors
    /// Returns the errors of [`FileText::open`], and an error for a file of another format.
    pub fn open_text(path: impl AsRef<Path>, options: TextOptions) -> Result<Self> {
        let text = Self::open(path, options.encoding)?;
        options.expected.check(&text.name, text.text.as_bytes())?;
        Ok(FileText { expected: options.expected, ..text })
    }

    fn read(Source { mut reader, name, .. }: Source) -> Result<Self> {
        let mut decoder = Decoder::default();
        let mut text = String::new();
        loop {
            let bytes = fill(&mut reader, &name)?;
            if bytes.is_empty() {
                // An incomplete character at the very end is invalid, although each piece was valid so far.
                return if !decoder.is_complete() {
                    Err(invalid_after(&text, &name))
                } else if has_carriage_returns(&text) {
                    Err(InputError::malformed(CARRIAGE_RETURNS).at(Location::file(name)))
                } else {
                    Ok(Self::of_string(text, name))
                };
            }
            decoder.append(bytes, &mut text).map_err(|error| match error {
                NotText::Invalid => invalid_after(&text, &name),
                NotText::Memory(error) => error.at(Location::file(Arc::clone(&name))),
            })?;
            let len = bytes.len();
            reader.consume(len);
        }
    }

    /// Splits a text into lines. Error messages name the text `name`.
    pub fn new(text: impl Into<String>, name: impl Into<Arc<str>>) -> Self {
        Self::of_string(text.into(), name.into())
    }

    fn of_string(text: String, name: Arc<str>) -> Self {
        let mut lines = Vec::new();
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', text.as_bytes()) {
            lines.push((start, start + rstrip(&text[start..end]).len()));
            start = end + 1;
        }
        // A last line without a line feed counts as a line.
        if start < text.len() {
            lines.push((start, start + rstrip(&text[start..]).len()));
        }
        FileText { text, lines, name, expected: ExpectedLines::Any }
    }

    /// Appends a line; its trailing whitespace is kept.
    pub fn push(&mut self, line: &str) {
        let start = self.text.len();
        self.text.push_str(line);
        self.lines.push((start, self.text.len()));
    }

    /// Returns the likely mistakes in the text, such as NUL characters.
    pub fn findings(&self) -> Findings {
        let mut search = FindingSearch::default();
        search.expect(Arc::clone(&self.name), self.expected);
        search.look(self.text.as_bytes(), 1);
        search.found
    }

    /// Returns the name of the file, as error messages show it.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Returns the number of lines of the text.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Returns `true` if the file has no lines.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Returns the line at `index`, counted from 0, or `None` beyond the last line.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&str> {
        let &(start, end) = self.lines.get(index)?;
        self.text.get(start..end)
    }

    /// Returns the line at `index`, counted from 0, or an empty text beyond the last line. Use it after a
    /// check that the files have the same number of lines.
    #[inline]
    pub fn line(&self, index: usize) -> &str {
        self.get(index).unwrap_or_default()
    }

    /// Returns an iterator over the lines of the text, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.lines.iter().map(|&(start, end)| self.text.get(start..end).unwrap_or_default())
    }
}

fn has_carriage_returns(text: &str) -> bool {
    // One carriage return at the end of the text is whitespace, and no sign of such line ends.
    text.strip_suffix('\r').unwrap_or(text).contains('\r') && !text.contains('\n')
}

/// Returns the error for bytes that are not UTF-8; `before` is the valid text in front of them.
fn invalid_after(before: &str, name: &Arc<str>) -> InputError {
    let line_start = memchr::memrchr(b'\n', before.as_bytes()).map_or(0, |at| at + 1);
    let line = 1 + memchr::memchr_iter(b'\n', before.as_bytes()).count() as u64;
    invalid_utf8(before.len() - line_start, name, line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_line_feeds_end_lines() {
        let text = FileText::new("a\u{b}b\u{c}c\u{85}d\u{2028}e\rf\r\n\n\n", "x");
        assert_eq!(text.iter().collect::<Vec<_>>(), ["a\u{b}b\u{c}c\u{85}d\u{2028}e\rf", "", ""]);
        assert!(FileText::new("", "x").is_empty());
        assert_eq!(FileText::new("\n", "x").len(), 1);
    }
}
