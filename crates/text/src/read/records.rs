//! [`Records`]: the rows of CSV and TSV, strictly.
//!
//! A row ends at a line feed, or a carriage return with a line feed; empty lines are skipped. In CSV a cell that begins
//! with a quote ends with one, and may hold commas, line breaks and doubled quotes; no other cell has a quote in it. In
//! TSV nothing is quoted. A breach of these rules is an error with its line, because a guess would move text from one
//! cell to another.

use super::findings::Findings;
use super::lines::{Lines, append};
use super::source::Source;
use bleuprint_core::{InputError, InputErrorKind, Location, Result, counted};
use memchr::memchr;
use std::sync::Arc;

/// The cell at `index`, from 0, is not UTF-8.
pub(super) fn invalid_cell(index: usize, error: std::str::Utf8Error) -> InputError {
    let (number, byte) = (index + 1, error.valid_up_to() as u64 + 1);
    InputError::malformed(
        format!("cell {number}: {}", InputErrorKind::InvalidUtf8 { byte }).replace("line", "cell"),
    )
}

pub(super) struct Records {
    lines: Lines,
    delimiter: u8,
    quoting: bool,
    start: u64,
    /// The current line, without its line feed.
    line: Vec<u8>,
    /// The cells end to end without quotes, and the end of each.
    cells: Vec<u8>,
    ends: Vec<usize>,
}

impl Records {
    pub(super) fn csv(source: Source) -> Self {
        Self::new(source, b',', true)
    }

    pub(super) fn tsv(source: Source) -> Self {
        Self::new(source, b'\t', false)
    }

    fn new(source: Source, delimiter: u8, quoting: bool) -> Self {
        let (line, cells, ends) = (Vec::new(), Vec::new(), Vec::new());
        Records { lines: Lines::from_source(source), delimiter, quoting, start: 0, line, cells, ends }
    }

    pub(super) fn name(&self) -> &Arc<str> {
        self.lines.name()
    }

    pub(super) fn position(&self) -> Option<(u64, u64)> {
        self.lines.position()
    }

    pub(super) fn findings(&self) -> &Findings {
        self.lines.findings()
    }

    /// The names of the columns, which the first row has.
    ///
    /// # Errors
    /// No row.
    pub(super) fn header(&mut self) -> Result<Vec<String>> {
        if !self.next()? {
            let message = "empty: a table has a header line, which names its columns";
            return Err(InputError::malformed(message).at(Location::file(Arc::clone(self.name()))));
        }
        Ok(self.cells().map(|name| String::from_utf8_lossy(name).trim().to_owned()).collect())
    }

    /// # Errors
    /// A row with another number of cells than the header.
    pub(super) fn require_width(&self, expected: usize) -> Result<()> {
        let found = self.ends.len();
        if found == expected {
            return Ok(());
        }
        let hint = if found > expected && self.quoting { "; a cell with a comma is quoted" } else { "" };
        let message = format!("{}, but the header has {expected}{hint}", counted(found, "column"));
        Err(InputError::malformed(message).at(self.location()))
    }

    /// The error of a header without a column, perhaps since it is separated differently.
    pub(super) fn no_column(&self, name: &str, names: &[String]) -> InputError {
        let others = [(b';', "semicolons"), (b'\t', "tabs"), (b',', "commas")];
        let named = |byte: u8| others.iter().find(|(other, _)| *other == byte).map_or("", |(_, name)| *name);
        let hint = match names {
            [only] => others.iter().find(|(other, _)| only.as_bytes().contains(other)).map(|(_, other)| {
                format!(
                    "; it is separated by {other}, but by its name by {}: .csv has commas, .tsv tabs",
                    named(self.delimiter)
                )
            }),
            _ => None,
        };
        let message = format!("no column `{name}` among {}{}", names.join(", "), hint.unwrap_or_default());
        InputError::malformed(message)
    }

    pub(super) fn location(&self) -> Location {
        Location::line(Arc::clone(self.lines.name()), self.start)
    }

    pub(super) fn cells(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let cell = self.cells.get(start..end).unwrap_or_default();
            start = end;
            cell
        })
    }

    /// Reads the next row; `false` at the end.
    pub(super) fn next(&mut self) -> Result<bool> {
        self.cells.clear();
        self.ends.clear();
        loop {
            if !self.next_line()? {
                return Ok(false);
            }
            if !matches!(self.line[..], [] | [b'\r']) {
                break;
            }
        }
        self.start = self.lines.read();
        let mut at = 0;
        while let Some(next) = self.cell(at)? {
            at = next;
        }
        Ok(true)
    }

    /// Takes the cell at byte `at` of the line. Returns the start of the next one, if any.
    fn cell(&mut self, at: usize) -> Result<Option<usize>> {
        let end = match self.quoting && self.line.get(at) == Some(&b'"') {
            true => self.quoted(at + 1)?,
            false => self.plain(at)?,
        };
        match self.line.get(end..).unwrap_or_default() {
            [] | [b'\r'] => {
                self.ends.push(self.cells.len());
                Ok(None)
            }
            [delimiter, ..] if *delimiter == self.delimiter => {
                self.ends.push(self.cells.len());
                Ok(Some(end + 1))
            }
            _ => Err(self.malformed("text after the closing quote; a quote within a quoted cell is doubled")),
        }
    }

    /// Takes the unquoted cell at byte `at`. Returns its end.
    fn plain(&mut self, at: usize) -> Result<usize> {
        let rest = self.line.get(at..).unwrap_or_default();
        let cell = match memchr(self.delimiter, rest) {
            Some(end) => &rest[..end],
            None => rest.strip_suffix(b"\r").unwrap_or(rest),
        };
        if self.quoting && memchr(b'"', cell).is_some() {
            return Err(self
                .malformed("a quote in a cell that does not begin with one; quote the cell and double it"));
        }
        if memchr(b'\r', cell).is_some() {
            return Err(self.malformed("a carriage return without a line feed after it, which ends no row"));
        }
        append(&mut self.cells, cell).map_err(|error| error.at(self.lines.location()))?;
        Ok(at + cell.len())
    }

    /// Takes the cell whose opening quote precedes byte `at`. Returns its end, after the closing quote, possibly on a
    /// later line.
    fn quoted(&mut self, mut at: usize) -> Result<usize> {
        let opened = self.lines.location();
        loop {
            let rest = self.line.get(at..).unwrap_or_default();
            let end = memchr(b'"', rest);
            let piece = &rest[..end.unwrap_or(rest.len())];
            append(&mut self.cells, piece).map_err(|error| error.at(opened.clone()))?;
            match end {
                Some(end) => {
                    at += end + 1;
                    if self.line.get(at) != Some(&b'"') {
                        return Ok(at);
                    }
                    self.cells.push(b'"');
                    at += 1;
                }
                None => {
                    if !self.next_line()? {
                        return Err(self.malformed_at(opened, "a quote that opens here and never closes"));
                    }
                    self.cells.push(b'\n');
                    at = 0;
                }
            }
        }
    }

    fn next_line(&mut self) -> Result<bool> {
        self.line.clear();
        self.lines.next_bytes(Some(&mut self.line))
    }

    fn malformed(&self, what: &str) -> InputError {
        self.malformed_at(self.lines.location(), what)
    }

    fn malformed_at(&self, place: Location, what: &str) -> InputError {
        InputError::malformed(format!("cell {}: {what}", self.ends.len() + 1)).at(place)
    }
}
