//! [`ColumnTable`]: a reader of segments (a hypothesis with its references) from CSV or TSV with a header
//! line.
//!
//! Columns by name:
//!
//! - `hypothesis` (or `hyp`), which is required;
//! - any number of `reference`, `references`, `reference_<anything>`, `ref` and `ref_<anything>`, or none for
//!   metrics that need no references;
//! - optionally `source` (or `src`), `id`, `system`, `document`, `domain` and `speaker`.
//!
//! An unknown column similar to one of these names is an error; [`SegmentReader::findings`] lists the other
//! unknown columns. Every row has the columns of the header. The cells of `id`, `system`, `document` and
//! `domain` must not have whitespace at their ends. An empty cell of a reference is an error, unless
//! [`EmptyReferences`] allows it. Quotes are read strictly: an unclosed quote, or text after a closing quote,
//! is an error.

use super::column_names::{SegmentColumns, is_displaced, is_numbered_reference};
use super::findings::Findings;
use super::keys::{HYPOTHESES, REFERENCES, check_unknown, renamed};
use super::records::RecordReader;
use super::segment::{EmptyReferences, ReadSegment, SegmentOptions, SegmentReader, label, reuse};
use bleuprint_core::{InputError, Location, Result};

/// A reader of segments (a hypothesis with its references) from the rows of a CSV or TSV table.
pub(super) struct ColumnTable {
    /// The reader of the rows of the table.
    records: RecordReader,
    /// The meaning of each column of the table, such as reference or id.
    roles: Vec<ColumnRole>,
    /// The name of each column of the table.
    names: Vec<String>,
    empty: EmptyReferences,
    /// `true` if the current row cannot be read, but the rows after it may.
    failed: bool,
}

/// The meaning of a column in a table of hypotheses and references.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnRole {
    Hypothesis,
    Reference,
    Source,
    Id,
    System,
    Document,
    Domain,
    Speaker,
    Ignored,
}

impl ColumnTable {
    pub(super) fn new(mut records: RecordReader, options: &SegmentOptions) -> Result<Self> {
        let names = records.header()?;
        let columns = &options.columns;
        let usual: Vec<String> = names.iter().map(|name| columns.usual(name).into_owned()).collect();
        let given = columns.require(names.iter().map(String::as_str));
        let roles = given.and_then(|()| roles(&usual, &is_displaced)).and_then(|roles| {
            let lacks = |role| !roles.contains(&role);
            // The first missing column is reported; a hypothesis is needed by every metric.
            let missing = match () {
                () if lacks(ColumnRole::Hypothesis) => Some(("hypothesis", HYPOTHESES)),
                () if options.needs_references && lacks(ColumnRole::Reference) => {
                    Some(("reference", REFERENCES))
                }
                () => None,
            };
            let Some((name, others)) = missing else { return Ok(roles) };
            let hint = renamed(names.iter().map(String::as_str), name, others);
            Err(InputError::malformed(format!("{}{hint}", records.no_column(name, &names))))
        });
        let roles = roles.map_err(|error| error.at(records.location()))?;
        Ok(ColumnTable { records, roles, names, empty: options.empty_references, failed: false })
    }

    /// Returns the text of a table cell, without trailing whitespace. In a cell with an id or a name,
    /// whitespace at an end is an error instead.
    ///
    /// Returns `None` for an empty reference that counts as missing.
    fn text<'c>(&self, index: usize, role: ColumnRole, cell: &'c [u8]) -> Result<Option<&'c str>> {
        let text = std::str::from_utf8(cell).map_err(|error| super::records::invalid_cell(index, error))?;
        let name = self.names.get(index).map_or("", String::as_str);
        // Labels are checked instead of stripped, so that a stray space does not make a second system.
        if role.is_label() {
            return label(name, text).map(Some);
        }
        let text = crate::whitespace::rstrip(text);
        let keeps = role != ColumnRole::Reference
            || !text.is_empty()
            || self.empty.keeps(&format!("cell {}, of the column `{name}`,", index + 1))?;
        Ok(keeps.then_some(text))
    }
}

impl SegmentReader for ColumnTable {
    fn next(&mut self, segment: &mut ReadSegment) -> Result<bool> {
        self.failed = false;
        if !self.records.next()? {
            return Ok(false);
        }
        let filled = self.fill(segment);
        self.failed = filled.is_err();
        filled.map(|()| true)
    }

    fn location(&self) -> Location {
        self.records.location()
    }

    fn position(&self) -> Option<(u64, u64)> {
        self.records.position()
    }

    fn findings(&self) -> Findings {
        let mut findings = self.records.findings().clone();
        let ignored = self.roles.iter().zip(&self.names).filter(|(role, _)| **role == ColumnRole::Ignored);
        ignored.for_each(|(_, name)| findings.ignore(name));
        findings
    }

    fn recovers(&self) -> bool {
        self.failed && !self.records.has_failed()
    }
}

impl ColumnRole {
    /// Returns `true` for a column of ids or names, in which white space at the ends is an error.
    fn is_label(self) -> bool {
        matches!(
            self,
            ColumnRole::Id
                | ColumnRole::System
                | ColumnRole::Document
                | ColumnRole::Domain
                | ColumnRole::Speaker
        )
    }
}

impl ColumnTable {
    /// Stores the cells of the current row in `segment`.
    fn fill(&self, segment: &mut ReadSegment) -> Result<()> {
        self.records.require_width(self.roles.len())?;
        segment
            .references
            .resize(self.roles.iter().filter(|&&role| role == ColumnRole::Reference).count(), None);
        segment.clear_all_but_texts();
        let mut references = segment.references.iter_mut();
        for (index, (cell, &role)) in self.records.cells().zip(&self.roles).enumerate() {
            let slot = match role {
                ColumnRole::Hypothesis => Some(&mut segment.hypothesis),
                ColumnRole::Reference => references.next(),
                ColumnRole::Source => Some(&mut segment.source),
                ColumnRole::Id => Some(&mut segment.id),
                ColumnRole::System => Some(&mut segment.system),
                ColumnRole::Document => Some(&mut segment.document),
                ColumnRole::Domain => Some(&mut segment.domain),
                ColumnRole::Speaker => Some(&mut segment.speaker),
                ColumnRole::Ignored => None,
            };
            let Some(slot) = slot else { continue };
            match self.text(index, role, cell).map_err(|error| error.at(self.location()))? {
                Some(text) => reuse(slot).push_str(text),
                None => *slot = None,
            }
        }
        Ok(())
    }
}

/// Returns `true` if a line is the header of a table with hypotheses, whose parts the file may name otherwise.
pub(super) fn is_header(line: &str, delimiter: char, columns: &SegmentColumns) -> bool {
    let names = line.split(delimiter).map(|name| name.trim().trim_matches('"'));
    let roles: Vec<ColumnRole> = names.map(|name| role(&columns.usual(name))).collect();
    roles.contains(&ColumnRole::Hypothesis)
        && roles.iter().filter(|role| **role != ColumnRole::Ignored).count() > 1
}

/// Returns the role of each column of a table, such as hypothesis or reference. `is_other` returns `true` for
/// further column names that the caller uses itself.
pub(super) fn roles(names: &[String], is_other: &dyn Fn(&str) -> bool) -> Result<Vec<ColumnRole>> {
    let role = |name: &String| if is_other(name) { ColumnRole::Ignored } else { role(name) };
    let roles: Vec<ColumnRole> = names.iter().map(role).collect();
    // A column that is ignored silently may be a misspelled one, so each is compared with the known names.
    let ignored = names.iter().zip(&roles).filter(|(_, role)| **role == ColumnRole::Ignored);
    for (name, _) in ignored.filter(|(name, _)| !is_other(name)) {
        if ["hypothesis_ids", "reference_ids"].contains(&name.as_str()) {
            let message = format!("the column `{name}`: ids are read from JSON Lines, and not from tables");
            return Err(InputError::malformed(message));
        }
        let known = KNOWN.iter().filter(|(_, role)| *role != ColumnRole::Speaker).map(|(name, _)| *name);
        check_unknown("column", name, known)?;
    }
    let count = |role| roles.iter().filter(|&&other| other == role).count();
    // There may be several columns of references, but each name must be unique.
    let twice = |at: &usize| {
        let alone = !matches!(roles[*at], ColumnRole::Reference | ColumnRole::Ignored);
        names[..*at].contains(&names[*at]) || alone && count(roles[*at]) > 1
    };
    if let Some(twice) = (0..names.len()).find(twice) {
        return Err(InputError::malformed(format!("more than one column `{}`", names[twice])));
    }
    Ok(roles)
}

const KNOWN: [(&str, ColumnRole); 13] = [
    ("hypothesis", ColumnRole::Hypothesis),
    ("hyp", ColumnRole::Hypothesis),
    ("reference", ColumnRole::Reference),
    ("references", ColumnRole::Reference),
    ("ref", ColumnRole::Reference),
    ("refs", ColumnRole::Reference),
    ("source", ColumnRole::Source),
    ("src", ColumnRole::Source),
    ("id", ColumnRole::Id),
    ("system", ColumnRole::System),
    ("document", ColumnRole::Document),
    ("domain", ColumnRole::Domain),
    ("speaker", ColumnRole::Speaker),
];

fn role(name: &str) -> ColumnRole {
    match KNOWN.iter().find(|(known, _)| *known == name) {
        Some((_, role)) => *role,
        None if is_numbered_reference(name) => ColumnRole::Reference,
        None => ColumnRole::Ignored,
    }
}
