//! [`JsonLines`]: one JSON object per line and segment.
//!
//! | key | value |
//! |---|---|
//! | `hypothesis` (or `hyp`) | text |
//! | `references` (or `refs`) | list of texts, with `null` for a missing one; or one text |
//! | `reference` (or `ref`) | one text |
//! | `hypothesis_ids` | list of integers |
//! | `reference_ids` | list of lists of integers, with `null` for a missing one |
//! | `id`, `system`, `document`, `domain` | text or integer, all optional |
//!
//! Text or ids of the hypothesis must be there, and so must references of the same kind. Other keys are
//! ignored; keys that occur twice are an error. Blank lines are skipped.

use super::ids::IdFilter;
use super::lines::Lines;
use super::segment::{Segment, SegmentReader};
use bleuprint_core::{InputError, Location};
use serde::Deserialize;
use std::path::Path;

/// Reads segments from JSON Lines.
///
/// ```
/// use bleuprint_text::{Lines, read::{JsonLines, Segment, SegmentReader}};
/// let line = r#"{"id": 7, "hypothesis": "a b", "references": ["a c", null, ""], "system": "x"}"#;
/// let mut reader = JsonLines::new(Lines::new(line.as_bytes(), "example"));
/// let mut segment = Segment::default();
/// assert!(reader.next(&mut segment)?);
/// assert_eq!(segment.references, [Some("a c".to_owned()), None, Some(String::new())]);
/// assert_eq!((segment.id.as_deref(), segment.system.as_deref()), (Some("7"), Some("x")));
/// assert!(!reader.next(&mut segment)?);
/// # Ok::<(), bleuprint_core::InputError>(())
/// ```
#[derive(Debug)]
pub struct JsonLines {
    lines: Lines,
    line: String,
    filter: IdFilter,
}

#[derive(Deserialize)]
struct Row {
    #[serde(alias = "hyp")]
    hypothesis: Option<String>,
    #[serde(alias = "refs")]
    references: Option<OneOrMany>,
    #[serde(alias = "ref")]
    reference: Option<String>,
    hypothesis_ids: Option<Vec<i64>>,
    reference_ids: Option<Vec<Option<Vec<i64>>>>,
    id: Option<Label>,
    system: Option<Label>,
    document: Option<Label>,
    domain: Option<Label>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<Option<String>>),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Label {
    Text(String),
    Integer(i64),
}

impl Label {
    fn into_text(self) -> String {
        match self {
            Label::Text(text) => text,
            Label::Integer(number) => number.to_string(),
        }
    }
}

impl JsonLines {
    /// Reads from a stream of lines.
    pub fn new(lines: Lines) -> Self {
        JsonLines { lines, line: String::new(), filter: IdFilter::default() }
    }

    /// Opens a file, compressed or not; `-` is standard input.
    ///
    /// # Errors
    ///
    /// A file that cannot be opened.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, InputError> {
        Lines::open(path).map(Self::new)
    }

    /// With ids that do not count.
    #[must_use]
    pub fn with_id_filter(mut self, filter: IdFilter) -> Self {
        self.filter = filter;
        self
    }

    fn fill(&self, segment: &mut Segment) -> Result<(), InputError> {
        let row: Row =
            serde_json::from_str(&self.line).map_err(|error| InputError::malformed(error.to_string()))?;
        if row.hypothesis.is_none() && row.hypothesis_ids.is_none() {
            return Err(InputError::malformed("neither `hypothesis` nor `hypothesis_ids`"));
        }
        segment.references = match (row.references, row.reference) {
            (Some(_), Some(_)) => return Err(InputError::malformed("both `references` and `reference`")),
            (Some(OneOrMany::Many(references)), None) => references,
            (Some(OneOrMany::One(reference)), None) | (None, Some(reference)) => vec![Some(reference)],
            (None, None) => Vec::new(),
        };
        if row.hypothesis.is_some() && row.hypothesis_ids.is_none() && segment.references.is_empty() {
            return Err(bleuprint_core::InputErrorKind::NoReferences.into());
        }
        if row.hypothesis.is_none() && row.reference_ids.as_ref().is_none_or(Vec::is_empty) {
            return Err(bleuprint_core::InputErrorKind::NoReferences.into());
        }
        segment.hypothesis = row.hypothesis;
        segment.hypothesis_ids = row.hypothesis_ids.map(|ids| self.filter.apply(&ids)).transpose()?;
        segment.reference_ids.clear();
        for ids in row.reference_ids.into_iter().flatten() {
            segment.reference_ids.push(ids.map(|ids| self.filter.apply(&ids)).transpose()?);
        }
        segment.id = row.id.map(Label::into_text);
        segment.system = row.system.map(Label::into_text);
        segment.document = row.document.map(Label::into_text);
        segment.domain = row.domain.map(Label::into_text);
        Ok(())
    }
}

impl SegmentReader for JsonLines {
    fn next(&mut self, segment: &mut Segment) -> Result<bool, InputError> {
        while self.lines.next(&mut self.line)? {
            if !self.line.is_empty() {
                self.fill(segment).map_err(|error| error.at(self.location()))?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn location(&self) -> Location {
        self.lines.location()
    }
}
