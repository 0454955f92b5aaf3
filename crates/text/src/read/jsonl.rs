//! [`JsonLines`]: one JSON object per line and segment.
//!
//! | key | value |
//! |---|---|
//! | `hypothesis` (or `hyp`) | text |
//! | `references` (or `refs`) | array of texts, with `null` for a missing one; or one text |
//! | `reference` (or `ref`) | one text |
//! | `hypothesis_ids` | array of integers |
//! | `reference_ids` | array of arrays of integers, with `null` for a missing one |
//! | `source` (or `src`) | text |
//! | `id`, `system`, `document`, `domain` | text, number, true or false; a number counts as written |
//!
//! The hypothesis is required as text or ids; references may be absent, for metrics that need none. A key of the table
//! given twice is an error, and so is an unknown key that is near one of the table; other keys are listed by
//! [`SegmentReader::findings`]. An empty reference next to others is an error unless [`EmptyReferences`](super::EmptyReferences) says differently. Labels have no whitespace at their ends. `null` is the same as an absent key. Blank lines
//! are skipped.

use super::findings::Findings;
use super::json::{Row, Value};
use super::keys::{HYPOTHESES, renamed};
use super::lines::{Lines, require_memory_to_parse};
use super::segment::{Segment, SegmentOptions, SegmentReader};
use crate::whitespace::strip;
use bleuprint_core::{InputError, Location, Result};

#[derive(Debug)]
pub(super) struct JsonLines {
    lines: Lines,
    line: String,
    options: SegmentOptions,
    ignored: Findings,
}

/// The memory of a reference of a few letters: two lists of texts, one of them doubling, and the letters of both.
const PER_VALUE: usize = 240;

impl JsonLines {
    pub(super) fn new(lines: Lines, options: SegmentOptions) -> Self {
        JsonLines { lines, line: String::new(), options, ignored: Findings::default() }
    }

    fn fill(&mut self, segment: &mut Segment) -> Result<()> {
        require_memory_to_parse(self.line.as_bytes(), PER_VALUE)?;
        let Row { hypothesis, references, reference, hypothesis_ids, reference_ids, source, labels, others } =
            Row::parse(&self.line)?;
        others.iter().for_each(|key| self.ignored.ignore(key));
        if hypothesis.is_none() && hypothesis_ids.is_none() {
            let hint = renamed(others.iter().map(|key| &**key), "hypothesis", HYPOTHESES);
            return Err(InputError::malformed(format!("neither `hypothesis` nor `hypothesis_ids`{hint}")));
        }
        segment.references = match (references, reference) {
            (Some(_), Some(_)) => return Err(InputError::malformed("both `references` and `reference`")),
            (Some(references), None) => references.texts()?,
            (None, Some(reference)) => vec![Some(reference.text()?)],
            (None, None) => Vec::new(),
        };
        let reference_ids = reference_ids.map(|ids| ids.id_lists()).transpose()?.unwrap_or_default();
        segment.source = source.map(|value| value.text()).transpose()?;
        segment.hypothesis = hypothesis.map(|value| value.text()).transpose()?;
        let filtered = |ids: Vec<i64>| self.options.ids.apply(&ids);
        segment.hypothesis_ids =
            hypothesis_ids.map(|value| value.ids()).transpose()?.map(filtered).transpose()?;
        segment.reference_ids.clear();
        for ids in reference_ids {
            segment.reference_ids.push(ids.map(filtered).transpose()?);
        }
        let meaning = self.options.empty_references;
        meaning.settle(&mut segment.references, |one| Some(strip(one.as_ref()?).is_empty()))?;
        meaning.settle(&mut segment.reference_ids, |one| Some(one.as_ref()?.is_empty()))?;
        let label = |value: Option<Value<'_>>| value.map(|value| value.label()).transpose();
        let [id, system, document, domain] = labels;
        segment.id = label(id)?;
        segment.system = label(system)?;
        segment.document = label(document)?;
        segment.domain = label(domain)?;
        Ok(())
    }
}

impl SegmentReader for JsonLines {
    fn next(&mut self, segment: &mut Segment) -> Result<bool> {
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

    fn position(&self) -> Option<(u64, u64)> {
        self.lines.position()
    }

    fn findings(&self) -> Findings {
        Findings { ignored: self.ignored.ignored.clone(), ..self.lines.findings().clone() }
    }
}
