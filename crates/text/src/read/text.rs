//! [`Text`]: a whole file in memory, for scoring many systems against the same references.

use super::encoding::Encoding;
use super::findings::{Findings, Search};
use super::lines::{CARRIAGE_RETURNS, invalid_utf8};
use super::source::{Source, fill, open_as};
use super::utf8::{Decoder, NotText};
use crate::whitespace::rstrip;
use bleuprint_core::{InputError, Location, Result};
use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;

/// The lines of one file, in one piece of memory, each without trailing whitespace.
///
/// Lines end at LF only; see [`crate::Newlines::Lf`]. The file is read, not memory-mapped: if a mapped file is
/// truncated meanwhile, the program dies.
///
/// ```
/// use bleuprint_text::Text;
/// let text = Text::new("one \r\n\ntwo", "example");
/// assert_eq!((text.len(), text.line(0), text.line(1), text.line(2)), (3, "one", "", "two"));
/// ```
#[derive(Debug, Clone)]
pub struct Text {
    text: String,
    lines: Vec<(usize, usize)>,
    name: Arc<str>,
}

impl Text {
    /// Reads a file, compressed or not; `-` is standard input.
    ///
    /// # Errors
    /// A file that cannot be read; bytes that are not UTF-8, with file, line and byte; lines that end in CR alone.
    pub fn open(path: impl AsRef<Path>, encoding: Encoding) -> Result<Self> {
        Self::read(open_as(path.as_ref(), encoding)?)
    }

    fn read(Source { mut reader, name, .. }: Source) -> Result<Self> {
        let (mut decoder, mut text) = (Decoder::default(), String::new());
        loop {
            let bytes = fill(&mut reader, &name)?;
            if bytes.is_empty() {
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

    /// The lines of a text; errors call it `name`.
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
        if start < text.len() {
            lines.push((start, start + rstrip(&text[start..]).len()));
        }
        Text { text, lines, name }
    }

    /// Adds a line unchanged.
    pub fn push(&mut self, line: &str) {
        let start = self.text.len();
        self.text.push_str(line);
        self.lines.push((start, self.text.len()));
    }

    /// Likely mistakes in it.
    pub fn findings(&self) -> Findings {
        let mut search = Search::default();
        search.look(self.text.as_bytes(), 1);
        search.found
    }

    /// The name of the file in errors.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// The number of lines.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// It has no lines.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The line at `index`, counted from 0; `None` beyond the last.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&str> {
        let &(start, end) = self.lines.get(index)?;
        self.text.get(start..end)
    }

    /// As [`Text::get`], but empty beyond the last line: for callers that have compared the lengths.
    #[inline]
    pub fn line(&self, index: usize) -> &str {
        self.get(index).unwrap_or_default()
    }

    /// The lines in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.lines.iter().map(|&(start, end)| self.text.get(start..end).unwrap_or_default())
    }
}

fn has_carriage_returns(text: &str) -> bool {
    text.strip_suffix('\r').unwrap_or(text).contains('\r') && !text.contains('\n')
}

/// The error of bytes after this text that are not UTF-8.
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
        let text = Text::new("a\u{b}b\u{c}c\u{85}d\u{2028}e\rf\r\n\n\n", "x");
        assert_eq!(text.iter().collect::<Vec<_>>(), ["a\u{b}b\u{c}c\u{85}d\u{2028}e\rf", "", ""]);
        assert!(Text::new("", "x").is_empty());
        assert_eq!(Text::new("\n", "x").len(), 1);
    }
}
