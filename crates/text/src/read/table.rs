//! [`Table`]: segments from CSV or TSV with a header line.
//!
//! Columns by name: `hypothesis` (or `hyp`); any number of `reference`, `references` or `reference_<anything>`, also `ref`
//! and `ref_<anything>`; optional `source` (or `src`), `id`, `system`, `document` and `domain`. References may be absent,
//! for metrics that need none. An unknown column near one of these names is an error; others are listed by
//! [`SegmentReader::findings`]. Every row has the columns of the header. Labels have no whitespace at their ends. An empty
//! cell of a reference is an error unless [`EmptyReferences`] says differently. Quotes are read strictly:
//! an unclosed quote, or text after a closing one, is an error.

use super::findings::Findings;
use super::keys::{HYPOTHESES, REFERENCES, check_unknown, renamed};
use super::records::Records;
use super::segment::{EmptyReferences, Segment, SegmentOptions, SegmentReader, label, reuse};
use bleuprint_core::{InputError, Location, Result};

pub(super) struct Table {
    records: Records,
    roles: Vec<Role>,
    names: Vec<String>,
    empty: EmptyReferences,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Hypothesis,
    Reference,
    Source,
    Id,
    System,
    Document,
    Domain,
    Ignored,
}

impl Table {
    pub(super) fn new(mut records: Records, options: &SegmentOptions) -> Result<Self> {
        let names = records.header()?;
        let roles = roles(&names).and_then(|roles| {
            let lacks = |role| !roles.contains(&role);
            let missing = match () {
                () if lacks(Role::Hypothesis) => Some(("hypothesis", HYPOTHESES)),
                () if options.needs_references && lacks(Role::Reference) => Some(("reference", REFERENCES)),
                () => None,
            };
            let Some((name, others)) = missing else { return Ok(roles) };
            let hint = renamed(names.iter().map(String::as_str), name, others);
            Err(InputError::malformed(format!("{}{hint}", records.no_column(name, &names))))
        });
        let roles = roles.map_err(|error| error.at(records.location()))?;
        Ok(Table { records, roles, names, empty: options.empty_references })
    }

    /// The text of a cell by its role, `None` for an empty reference that counts as missing.
    fn text<'c>(&self, index: usize, role: Role, cell: &'c [u8]) -> Result<Option<&'c str>> {
        let text = std::str::from_utf8(cell).map_err(|error| super::records::invalid_cell(index, error))?;
        let name = self.names.get(index).map_or("", String::as_str);
        if matches!(role, Role::Id | Role::System | Role::Document | Role::Domain) {
            return label(name, text).map(Some);
        }
        let text = crate::whitespace::rstrip(text);
        let keeps = role != Role::Reference
            || !text.is_empty()
            || self.empty.keeps(&format!("cell {}, of the column `{name}`,", index + 1))?;
        Ok(keeps.then_some(text))
    }
}

impl SegmentReader for Table {
    fn next(&mut self, segment: &mut Segment) -> Result<bool> {
        if !self.records.next()? {
            return Ok(false);
        }
        self.records.require_width(self.roles.len())?;
        segment.references.resize(self.roles.iter().filter(|&&role| role == Role::Reference).count(), None);
        segment.clear_all_but_texts();
        let mut references = segment.references.iter_mut();
        for (index, (cell, &role)) in self.records.cells().zip(&self.roles).enumerate() {
            let slot = match role {
                Role::Hypothesis => Some(&mut segment.hypothesis),
                Role::Reference => references.next(),
                Role::Source => Some(&mut segment.source),
                Role::Id => Some(&mut segment.id),
                Role::System => Some(&mut segment.system),
                Role::Document => Some(&mut segment.document),
                Role::Domain => Some(&mut segment.domain),
                Role::Ignored => None,
            };
            let Some(slot) = slot else { continue };
            match self.text(index, role, cell).map_err(|error| error.at(self.location()))? {
                Some(text) => reuse(slot).push_str(text),
                None => *slot = None,
            }
        }
        Ok(true)
    }

    fn location(&self) -> Location {
        self.records.location()
    }

    fn position(&self) -> Option<(u64, u64)> {
        self.records.position()
    }

    fn findings(&self) -> Findings {
        let mut findings = self.records.findings().clone();
        let ignored = self.roles.iter().zip(&self.names).filter(|(role, _)| **role == Role::Ignored);
        ignored.for_each(|(_, name)| findings.ignore(name));
        findings
    }
}

pub(super) fn is_header(line: &str, delimiter: char) -> bool {
    let roles: Vec<Role> = line.split(delimiter).map(|name| role(name.trim().trim_matches('"'))).collect();
    roles.contains(&Role::Hypothesis) && roles.iter().filter(|role| **role != Role::Ignored).count() > 1
}

fn roles(names: &[String]) -> Result<Vec<Role>> {
    let roles: Vec<Role> = names.iter().map(|name| role(name)).collect();
    for (name, _) in names.iter().zip(&roles).filter(|(_, role)| **role == Role::Ignored) {
        if ["hypothesis_ids", "reference_ids"].contains(&name.as_str()) {
            let message = format!("the column `{name}`: ids are read from JSON Lines, and not from tables");
            return Err(InputError::malformed(message));
        }
        check_unknown("column", name, KNOWN.iter().map(|(name, _)| *name))?;
    }
    let count = |role| roles.iter().filter(|&&other| other == role).count();
    // Of references there may be several, of a name only one.
    let twice = |at: &usize| {
        let alone = !matches!(roles[*at], Role::Reference | Role::Ignored);
        names[..*at].contains(&names[*at]) || alone && count(roles[*at]) > 1
    };
    if let Some(twice) = (0..names.len()).find(twice) {
        return Err(InputError::malformed(format!("more than one column `{}`", names[twice])));
    }
    Ok(roles)
}

const KNOWN: [(&str, Role); 11] = [
    ("hypothesis", Role::Hypothesis),
    ("hyp", Role::Hypothesis),
    ("reference", Role::Reference),
    ("references", Role::Reference),
    ("ref", Role::Reference),
    ("source", Role::Source),
    ("src", Role::Source),
    ("id", Role::Id),
    ("system", Role::System),
    ("document", Role::Document),
    ("domain", Role::Domain),
];

fn role(name: &str) -> Role {
    match KNOWN.iter().find(|(known, _)| *known == name) {
        Some((_, role)) => *role,
        None if is_numbered_reference(name) => Role::Reference,
        None => Role::Ignored,
    }
}

pub(super) fn is_numbered_reference(name: &str) -> bool {
    name != "reference_ids" && (name.starts_with("reference_") || name.starts_with("ref_"))
}
