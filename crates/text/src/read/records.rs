//! [`RecordReader`]: a strict reader of the rows of CSV and TSV.
//!
//! A row ends at a line feed, which may have a carriage return before it. Empty lines are skipped. In CSV, a
//! cell that begins with a quote ends with a quote, and may contain commas, line breaks and doubled quotes;
//! other cells must not contain a quote. TSV has no quoting. A violation is an error with its line, because a
//! guess could move text from one cell to another.

use super::findings::Findings;
use super::lines::{LineReader, append};
use super::source::Source;
use bleuprint_core::{InputError, InputErrorKind, Location, Result, counted};
use memchr::memchr;
use std::sync::Arc;

/// Returns the error for a table cell that is not UTF-8; `index` is the position of the cell in its row, from
/// 0.
pub(super) fn invalid_cell(index: usize, error: std::str::Utf8Error) -> InputError {
    let number = index + 1;
    let byte = error.valid_up_to() as u64 + 1;
    InputError::malformed(
        format!("cell {number}: {}", InputErrorKind::InvalidUtf8 { byte }).replace("line", "cell"),
    )
}

/// A reader of the rows of a CSV or TSV table.
pub(super) struct RecordReader {
    lines: LineReader,
    /// The byte between the cells of a row: a comma or a tab.
    delimiter: u8,
    /// `true` if a cell may be enclosed in double quotes, as in CSV.
    quoting: bool,
    /// The number of the line on which the current table row starts.
    start: u64,
    /// The bytes of the current line, without its line feed.
    line: Vec<u8>,
    /// The bytes of all cells of the current table row, one cell after the other, without quotes.
    cells: Vec<u8>,
    /// The end of each cell of the current table row, as a byte offset in `cells`, which holds the text of
    /// all cells of the row.
    ends: Vec<usize>,
    /// The indices of the quoted cells of the current row, in ascending order.
    quoted: Vec<usize>,
    /// `true` if the end of the current row is unknown, so that no row after it can be read.
    failed: bool,
}

impl RecordReader {
    pub(super) fn csv(source: Source) -> Self {
        Self::new(source, b',', true)
    }

    pub(super) fn tsv(source: Source) -> Self {
        Self::new(source, b'\t', false)
    }

    fn new(source: Source, delimiter: u8, quoting: bool) -> Self {
        let line = Vec::new();
        let cells = Vec::new();
        let ends = Vec::new();
        RecordReader {
            lines: LineReader::from_source(source),
            delimiter,
            quoting,
            start: 0,
            line,
            cells,
            ends,
            quoted: Vec::new(),
            failed: false,
        }
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

    /// Reads the first row of the table. Returns its cells, which are the names of the columns.
    ///
    /// # Errors
    /// Returns an error if the table is empty.
    pub(super) fn header(&mut self) -> Result<Vec<String>> {
        if !self.next()? {
            let message = "empty: a table has a header line, which names its columns";
            return Err(InputError::malformed(message).at(Location::file(Arc::clone(self.name()))));
        }
        Ok(self.cells().map(|name| String::from_utf8_lossy(name).trim().to_owned()).collect())
    }

    /// Checks that the current table row has `expected` cells.
    ///
    /// # Errors
    /// Returns an error if the number of cells differs from `expected`.
    pub(super) fn require_width(&self, expected: usize) -> Result<()> {
        let found = self.ends.len();
        if found == expected {
            return Ok(());
        }
        let hint = if found > expected && self.quoting { "; a cell with a comma is quoted" } else { "" };
        let message = format!("{}, but the header has {expected}{hint}", counted(found, "column"));
        Err(InputError::malformed(message).at(self.location()))
    }

    /// Returns the error for a table header that lacks the column `name`. The error has a hint if the header
    /// seems to use another separator than the file name suggests.
    pub(super) fn no_column(&self, name: &str, names: &[String]) -> InputError {
        let others = [(b';', "semicolons"), (b'\t', "tabs"), (b',', "commas")];
        let named = |byte: u8| others.iter().find(|(other, _)| *other == byte).map_or("", |(_, name)| *name);
        // A header with one column that contains another separator was probably saved in the other format.
        let hint = match names {
            [only] => others.iter().find(|(other, _)| only.as_bytes().contains(other)).map(|(_, other)| {
                format!(
                    "; the header is separated by {other}, but the name of the file means {}: .csv has commas, .tsv tabs",
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

    /// Returns `true` if the cell with this index was quoted in the file.
    #[cfg(feature = "jsonl")]
    pub(super) fn is_quoted(&self, index: usize) -> bool {
        self.quoted.binary_search(&index).is_ok()
    }

    /// Reads the next row of the table; `cells` then returns its cells. Returns `false` at the end.
    pub(super) fn next(&mut self) -> Result<bool> {
        let read = self.next_row();
        self.failed = read.is_err();
        read
    }

    /// Returns `true` if the last row could not be read, so that no row after it can.
    pub(super) fn has_failed(&self) -> bool {
        self.failed
    }

    fn next_row(&mut self) -> Result<bool> {
        self.cells.clear();
        self.ends.clear();
        self.quoted.clear();
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

    /// Reads the table cell that starts at byte `at` of the line. Returns the start of the next cell, or
    /// `None` after the last cell of the row.
    fn cell(&mut self, at: usize) -> Result<Option<usize>> {
        let end = if self.quoting && self.line.get(at) == Some(&b'"') {
            self.quoted.push(self.ends.len());
            self.read_quoted(at + 1)?
        } else {
            self.plain(at)?
        };
        // A carriage return at the end of the line belongs to the line end.
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

    /// Reads the table cell without quotes that starts at byte `at` of the line, and returns its end.
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

    /// Reads the quoted table cell whose opening quote is just before byte `at`. Returns the position after
    /// the closing quote, which may be on a later line.
    fn read_quoted(&mut self, mut at: usize) -> Result<usize> {
        let opened = self.lines.location();
        loop {
            let rest = self.line.get(at..).unwrap_or_default();
            let end = memchr(b'"', rest);
            let piece = &rest[..end.unwrap_or(rest.len())];
            append(&mut self.cells, piece).map_err(|error| error.at(opened.clone()))?;
            match end {
                Some(end) => {
                    at += end + 1;
                    // A quote directly after this one makes the two an escaped quote within the cell.
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
                    // The line break is part of the cell, and was dropped by the reader of lines.
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
