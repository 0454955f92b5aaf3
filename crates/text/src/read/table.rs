//! [`Table`]: segments from CSV or TSV with a header line.
//!
//! Columns by name: `hypothesis`; any number of `reference`, `references` or `reference_<anything>`, also `ref` and
//! `ref_<anything>`; optional `id`, `system`, `document` and `domain`. Others are ignored. Every row has the columns of
//! the header. A table cannot mark a reference as missing: an empty cell is an empty reference. Quotes are read
//! strictly: an unclosed quote, or text after a closing one, is an error.

use super::records::Records;
use super::segment::{Segment, SegmentReader, reuse};
use super::source::Source;
use bleuprint_core::{InputError, InputErrorKind, Location, Result};
use std::io::BufRead;
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
    records: Records,
    roles: Vec<Role>,
}

/// The meaning of a column.
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
        let name = self.records.name();
        f.debug_struct("Table").field("name", name).field("roles", &self.roles).finish_non_exhaustive()
    }
}

impl Table {
    /// Reads comma-separated values, quoted where necessary.
    ///
    /// # Errors
    ///
    /// A header without a hypothesis or without references, or with a name repeated that must be unique.
    pub fn csv(reader: impl BufRead + Send + 'static, name: impl Into<Arc<str>>) -> Result<Self> {
        Self::new(Records::csv(Source::new(reader, name)))
    }

    /// Reads tab-separated values, which are never quoted.
    ///
    /// # Errors
    ///
    /// As [`Table::csv`].
    pub fn tsv(reader: impl BufRead + Send + 'static, name: impl Into<Arc<str>>) -> Result<Self> {
        Self::new(Records::tsv(Source::new(reader, name)))
    }

    pub(super) fn new(mut records: Records) -> Result<Self> {
        if !records.next()? {
            let message = "empty: a table has a header line, which names its columns";
            return Err(InputError::malformed(message).at(Location::file(Arc::clone(records.name()))));
        }
        let roles = roles(&records).map_err(|error| error.at(records.location()))?;
        Ok(Table { records, roles })
    }
}

impl SegmentReader for Table {
    fn next(&mut self, segment: &mut Segment) -> Result<bool> {
        if !self.records.next()? {
            return Ok(false);
        }
        let (found, expected) = (self.records.cells().len(), self.roles.len());
        if found != expected {
            let columns = if found == 1 { "column" } else { "columns" };
            let message = format!("{found} {columns}, but the header has {expected}");
            return Err(InputError::malformed(message).at(self.location()));
        }
        segment.references.resize(self.roles.iter().filter(|&&role| role == Role::Reference).count(), None);
        segment.clear_all_but_texts();
        let mut references = segment.references.iter_mut();
        for (index, (cell, role)) in self.records.cells().zip(&self.roles).enumerate() {
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
                let (number, byte) = (index + 1, error.valid_up_to() + 1);
                let message = format!("cell {number}: invalid UTF-8 at byte {byte} of the cell");
                InputError::malformed(message).at(self.location())
            })?;
            reuse(slot).push_str(crate::whitespace::rstrip(text));
        }
        Ok(true)
    }

    fn location(&self) -> Location {
        self.records.location()
    }

    fn position(&self) -> Option<(u64, u64)> {
        self.records.position()
    }
}

/// Whether a line can be the header of a table with cells between tabs or commas.
pub(super) fn is_header(line: &str, delimiter: char) -> bool {
    let roles: Vec<Role> = line.split(delimiter).map(|name| role(name.trim().trim_matches('"'))).collect();
    roles.contains(&Role::Hypothesis) && roles.contains(&Role::Reference)
}

/// The meaning of each column of the header.
fn roles(header: &Records) -> Result<Vec<Role>> {
    let names: Vec<_> = header.cells().map(|name| String::from_utf8_lossy(name).trim().to_owned()).collect();
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
        assert_eq!(error.to_string(), "f: line 3: 1 column, but the header has 2");
    }
}
