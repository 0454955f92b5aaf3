//! [`Text`]: a whole file in memory, for scoring many systems against the same references.

use super::lines::invalid_utf8;
use super::source::{Source, io_error, open};
use crate::whitespace::rstrip;
use bleuprint_core::InputError;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// The lines of one file, in one piece of memory. Lines end at LF only; see [`crate::Newlines::Lf`].
///
/// Read, not memory-mapped: a map of a file that someone truncates meanwhile ends the program.
///
/// ```
/// use bleuprint_text::Text;
/// let text = Text::new("one \r\n\ntwo", "example");
/// assert_eq!((text.len(), text.line(0), text.line(1), text.line(2)), (3, "one", "", "two"));
/// ```
#[derive(Debug, Clone)]
pub struct Text {
    text: String,
    /// Where each line ends: at its LF, or at the end of the text.
    ends: Vec<usize>,
    name: Arc<str>,
}

impl Text {
    /// Reads a file, compressed or not; `-` is standard input.
    ///
    /// # Errors
    ///
    /// A file that cannot be read; bytes that are not UTF-8, with file, line and byte.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, InputError> {
        let Source { mut reader, name } = open(path)?;
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).map_err(|error| io_error(&error, &name))?;
        Self::from_bytes(bytes, name)
    }

    /// The lines of bytes that are already in memory; `name` is what errors call them.
    ///
    /// # Errors
    ///
    /// Bytes that are not UTF-8, with line and byte.
    pub fn from_bytes(bytes: Vec<u8>, name: impl Into<Arc<str>>) -> Result<Self, InputError> {
        let name = name.into();
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Self::new(text, name)),
            Err(error) => {
                let valid = error.utf8_error().valid_up_to();
                let before = &error.as_bytes()[..valid];
                let line_start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
                let line = 1 + memchr::memchr_iter(b'\n', before).count() as u64;
                Err(invalid_utf8(valid - line_start, &name, line))
            }
        }
    }

    /// The lines of a text; `name` is what errors call it.
    pub fn new(text: impl Into<String>, name: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        let mut ends: Vec<usize> = memchr::memchr_iter(b'\n', text.as_bytes()).collect();
        if ends.last().map_or(0, |end| end + 1) < text.len() {
            ends.push(text.len());
        }
        Text { text, ends, name: name.into() }
    }

    /// The name of the file in errors.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// The number of lines.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The line at `index`, counted from 0, without the whitespace at its end; `None` beyond the last.
    pub fn get(&self, index: usize) -> Option<&str> {
        let end = *self.ends.get(index)?;
        let start = match index.checked_sub(1) {
            Some(before) => self.ends[before] + 1,
            None => 0,
        };
        self.text.get(start..end).map(rstrip)
    }

    /// As [`Text::get`], but empty beyond the last line: for callers that have compared the lengths.
    pub fn line(&self, index: usize) -> &str {
        self.get(index).unwrap_or_default()
    }

    /// The lines in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len()).map(|index| self.line(index))
    }
}
