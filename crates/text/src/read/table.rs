//! [`Table`]: segments from CSV or TSV with a header line.
//!
//! Columns by name: `hypothesis`; any number of `reference`, `references` or `reference_<anything>`, also `ref`
//! and `ref_<anything>`; optional `id`, `system`, `document` and `domain`. Others are ignored. Every row has the
//! columns of the header. A table cannot say that a reference is missing: an empty cell is an empty reference.

use super::segment::{Segment, SegmentReader, reuse};
use super::source::{Source, open};
use bleuprint_core::{InputError, InputErrorKind, Location};
use csv::{ByteRecord, ErrorKind, Reader, ReaderBuilder};
use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;

/// Reads segments from a table.
///
/// ```
/// use bleuprint_text::read::{Segment, SegmentReader, Table};
/// let csv = "id,hypothesis,reference_1,reference_2\n1,\"a, b\",a b,\n";
/// let mut table = Table::csv(csv.as_bytes(), "example.csv")?;
/// let mut segment = Segment::default();
/// assert!(table.next(&mut segment)?);
/// assert_eq!(segment.hypothesis.as_deref(), Some("a, b"));
/// assert_eq!(segment.references, [Some("a b".to_owned()), Some(String::new())]);
/// # Ok::<(), bleuprint_core::InputError>(())
/// ```
pub struct Table {
    reader: Reader<Box<dyn BufRead + Send>>,
    name: Arc<str>,
    roles: Vec<Role>,
    record: ByteRecord,
    line: u64,
}

/// What a column is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Hypothesis,
    Reference,
    Id,
    System,
    Document,
    Domain,
    Ignored,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("name", &self.name).field("roles", &self.roles).finish_non_exhaustive()
    }
}

impl Table {
    /// Reads comma-separated values, quoted where necessary.
    ///
    /// # Errors
    ///
    /// A header without a hypothesis or without references, or with a name twice that may stand there once.
    pub fn csv(reader: impl BufRead + Send + 'static, name: impl Into<Arc<str>>) -> Result<Self, InputError> {
        Self::new(Source { reader: Box::new(reader), name: name.into() }, b',')
    }

    /// Reads tab-separated values, which are never quoted.
    ///
    /// # Errors
    ///
    /// As [`Table::csv`].
    pub fn tsv(reader: impl BufRead + Send + 'static, name: impl Into<Arc<str>>) -> Result<Self, InputError> {
        Self::new(Source { reader: Box::new(reader), name: name.into() }, b'\t')
    }

    /// Opens a file, compressed or not, as TSV if its name says so and as CSV otherwise.
    ///
    /// # Errors
    ///
    /// A file that cannot be opened, and those of [`Table::csv`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, InputError> {
        let name = path.as_ref().to_string_lossy();
        let plain = name.strip_suffix(".gz").or(name.strip_suffix(".zst")).unwrap_or(&name);
        let delimiter = if plain.ends_with(".tsv") || plain.ends_with(".tab") { b'\t' } else { b',' };
        Self::new(open(&path)?, delimiter)
    }

    fn new(source: Source, delimiter: u8) -> Result<Self, InputError> {
        let Source { reader, name } = source;
        let mut builder = ReaderBuilder::new();
        builder.delimiter(delimiter).quoting(delimiter == b',');
        let mut reader = builder.from_reader(reader);
        let header = reader.byte_headers().map_err(|error| table_error(&error, &name, 1))?;
        let roles = roles(header).map_err(|error| error.at(Location::line(Arc::clone(&name), 1)))?;
        Ok(Table { reader, name, roles, record: ByteRecord::new(), line: 1 })
    }
}

impl SegmentReader for Table {
    fn next(&mut self, segment: &mut Segment) -> Result<bool, InputError> {
        let more = self.reader.read_byte_record(&mut self.record);
        self.line = self.record.position().map_or(self.line, csv::Position::line);
        if !more.map_err(|error| table_error(&error, &self.name, self.line))? {
            return Ok(false);
        }
        segment.references.resize(self.roles.iter().filter(|&&role| role == Role::Reference).count(), None);
        segment.clear_all_but_texts();
        let mut references = segment.references.iter_mut();
        for (index, (cell, role)) in self.record.iter().zip(&self.roles).enumerate() {
            let slot = match role {
                Role::Hypothesis => Some(&mut segment.hypothesis),
                Role::Reference => references.next(),
                Role::Id => Some(&mut segment.id),
                Role::System => Some(&mut segment.system),
                Role::Document => Some(&mut segment.document),
                Role::Domain => Some(&mut segment.domain),
                Role::Ignored => None,
            };
            let Some(slot) = slot else { continue };
            let text = std::str::from_utf8(cell).map_err(|error| {
                let (column, byte) = (index + 1, error.valid_up_to());
                let message = format!("column {column} is not UTF-8 at its byte {byte}");
                InputError::malformed(message).at(Location::line(Arc::clone(&self.name), self.line))
            })?;
            reuse(slot).push_str(crate::whitespace::rstrip(text));
        }
        Ok(true)
    }

    fn location(&self) -> Location {
        Location::line(Arc::clone(&self.name), self.line)
    }
}

/// What each column of the header is for.
fn roles(header: &ByteRecord) -> Result<Vec<Role>, InputError> {
    let names: Vec<_> = header.iter().map(|name| String::from_utf8_lossy(name).trim().to_owned()).collect();
    let roles: Vec<Role> = names.iter().map(|name| role(name)).collect();
    let count = |role| roles.iter().filter(|&&other| other == role).count();
    if let Some(twice) = roles
        .iter()
        .zip(&names)
        .find(|(role, _)| !matches!(role, Role::Reference | Role::Ignored) && count(**role) > 1)
    {
        return Err(InputError::malformed(format!("more than one column `{}`", twice.1)));
    }
    if count(Role::Hypothesis) == 0 {
        return Err(InputError::malformed(format!("no column `hypothesis` among {}", names.join(", "))));
    }
    if count(Role::Reference) == 0 {
        return Err(InputErrorKind::NoReferences.into());
    }
    Ok(roles)
}

fn role(name: &str) -> Role {
    match name {
        "hypothesis" | "hyp" => Role::Hypothesis,
        "reference" | "references" | "ref" => Role::Reference,
        "id" => Role::Id,
        "system" => Role::System,
        "document" => Role::Document,
        "domain" => Role::Domain,
        _ if name.starts_with("reference_") || name.starts_with("ref_") => Role::Reference,
        _ => Role::Ignored,
    }
}

fn table_error(error: &csv::Error, name: &Arc<str>, line: u64) -> InputError {
    let line = error.position().map_or(line, csv::Position::line);
    let kind = match error.kind() {
        ErrorKind::Io(error) => InputErrorKind::Io(error.to_string()),
        ErrorKind::UnequalLengths { expected_len, len, .. } => {
            InputErrorKind::Malformed(format!("{len} columns, but the header has {expected_len}"))
        }
        _ => InputErrorKind::Malformed(error.to_string()),
    };
    InputError::new(kind).at(Location::line(Arc::clone(name), line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_checked() {
        for (header, message) in [
            ("a,reference\n", "f: line 1: no column `hypothesis` among a, reference"),
            ("hypothesis,a\n", "f: line 1: no references: every segment needs at least one"),
            ("hypothesis,hyp,ref\n", "f: line 1: more than one column `hypothesis`"),
        ] {
            assert_eq!(Table::csv(header.as_bytes(), "f").unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn rows_have_the_columns_of_the_header() {
        let mut table = Table::tsv(&b"hyp\tref\na\tb\n\"a\n"[..], "f").unwrap();
        let mut segment = Segment::default();
        assert!(table.next(&mut segment).unwrap());
        let error = table.next(&mut segment).unwrap_err();
        assert_eq!(error.to_string(), "f: line 3: 1 columns, but the header has 2");
    }
}
