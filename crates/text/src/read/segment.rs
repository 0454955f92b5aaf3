//! [`Segment`]: one hypothesis with its references, as read; and the trait of its readers.

use super::findings::Findings;
use super::ids::IdFilter;
use bleuprint_core::{ConfigError, InputError, Location, Result};
use std::str::FromStr;

/// One segment as read. Readers reuse its memory from one segment to the next.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct Segment {
    /// The text of the hypothesis; `None` if the input gives ids only.
    pub hypothesis: Option<String>,
    /// The references. An empty string is a reference without tokens; a missing reference is `None`.
    pub references: Vec<Option<String>>,
    /// The source of the hypothesis.
    pub source: Option<String>,
    /// The hypothesis as ids, if the input gives them.
    pub hypothesis_ids: Option<Vec<u32>>,
    /// The references as ids, if the input gives them.
    pub reference_ids: Vec<Option<Vec<u32>>>,
    /// The name of the segment in the input.
    pub id: Option<String>,
    /// The system that made the hypothesis.
    pub system: Option<String>,
    /// The document it belongs to.
    pub document: Option<String>,
    /// The domain it belongs to.
    pub domain: Option<String>,
}

impl Segment {
    /// The references present.
    pub fn present_references(&self) -> impl Iterator<Item = &str> {
        self.references.iter().filter_map(Option::as_deref)
    }

    pub(super) fn clear_all_but_texts(&mut self) {
        self.hypothesis_ids = None;
        self.reference_ids.clear();
        self.source = None;
        for slot in [&mut self.id, &mut self.system, &mut self.document, &mut self.domain] {
            *slot = None;
        }
    }
}

/// The meaning of an empty reference next to one of the same segment that is not empty, and of an empty cell of a table.
///
/// An empty reference is no missing one: it is the closest in length to a short hypothesis, so that BLEU's brevity
/// penalty vanishes, and its length counts in the mean of TER.
///
/// ```
/// use bleuprint_text::read::EmptyReferences;
/// assert_eq!("missing".parse(), Ok(EmptyReferences::Missing));
/// assert_eq!(EmptyReferences::default(), EmptyReferences::Refuse);
/// assert!("drop".parse::<EmptyReferences>().is_err());
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum EmptyReferences {
    /// `error`: an error that names the place.
    #[default]
    Refuse,
    /// `missing`: no reference.
    Missing,
    /// `keep`: a reference without tokens, as for sacreBLEU.
    Keep,
}

impl EmptyReferences {
    /// The names.
    pub const NAMES: [&str; 3] = ["error", "missing", "keep"];

    /// `true` if an empty reference is kept; the error if it is refused.
    pub(super) fn keeps(self, what: &str) -> Result<bool> {
        match self {
            EmptyReferences::Keep => Ok(true),
            EmptyReferences::Missing => Ok(false),
            EmptyReferences::Refuse => Err(Self::refused(what)),
        }
    }

    /// If the empty references of a segment are left out: those next to others that are not. `empty` says of each
    /// reference if it is empty, and is None for one that is missing already.
    ///
    /// # Errors
    /// The index of the first empty reference that is refused.
    pub fn leaves_out(self, empty: impl IntoIterator<Item = Option<bool>>) -> Result<bool, usize> {
        let (mut first, mut filled) = (None, false);
        for (index, empty) in empty.into_iter().enumerate() {
            match empty {
                Some(true) => first = first.or(Some(index)),
                Some(false) => filled = true,
                None => {}
            }
        }
        match (self, first.filter(|_| filled)) {
            (EmptyReferences::Refuse, Some(index)) => Err(index),
            (meaning, gap) => Ok(gap.is_some() && meaning == EmptyReferences::Missing),
        }
    }

    /// The references of a segment by this meaning; `empty` is that of [`EmptyReferences::leaves_out`].
    ///
    /// # Errors
    /// An empty reference that is refused, with its number.
    pub fn settle<T>(self, references: &mut Vec<T>, empty: impl Fn(&T) -> Option<bool>) -> Result<()> {
        match self.leaves_out(references.iter().map(&empty)) {
            Ok(false) => {}
            Ok(true) => references.retain(|reference| empty(reference) != Some(true)),
            Err(index) => return Err(Self::refused(&format!("reference {}", index + 1))),
        }
        Ok(())
    }

    /// The error of an empty reference.
    pub fn refused(what: &str) -> InputError {
        InputError::malformed(format!(
            "{what} is an empty reference; by choice (empty-references) it is none (`missing`), or one without tokens, as \
             for sacreBLEU (`keep`)"
        ))
    }
}

impl FromStr for EmptyReferences {
    type Err = ConfigError;

    fn from_str(name: &str) -> Result<Self, ConfigError> {
        match name {
            "error" => Ok(EmptyReferences::Refuse),
            "missing" => Ok(EmptyReferences::Missing),
            "keep" => Ok(EmptyReferences::Keep),
            _ => Err(ConfigError::unknown_name("meaning of empty references", name, Self::NAMES)),
        }
    }
}

/// Options of files of whole segments.
#[derive(Debug, Clone, Default)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct SegmentOptions {
    /// The ids in JSON Lines that do not count.
    pub ids: IdFilter,
    /// The meaning of empty references.
    pub empty_references: EmptyReferences,
    /// A table without a column of references is refused at its header.
    pub needs_references: bool,
}

/// Reads segments one after the other, in constant memory.
pub trait SegmentReader {
    /// Reads the next segment into `segment`, replacing its content; `false` at the end.
    ///
    /// # Errors
    /// Any fault of the input, with its place. After an error the reader is unusable.
    fn next(&mut self, segment: &mut Segment) -> Result<bool>;

    /// The place of the last segment.
    fn location(&self) -> Location;

    /// The number of bytes read and the size of the input, for showing progress; `None` if unknown.
    fn position(&self) -> Option<(u64, u64)> {
        None
    }

    /// Likely mistakes found so far.
    fn findings(&self) -> Findings {
        Findings::default()
    }
}

impl<R: SegmentReader + ?Sized> SegmentReader for Box<R> {
    fn next(&mut self, segment: &mut Segment) -> Result<bool> {
        (**self).next(segment)
    }

    method!(fn location(&self) -> Location);
    method!(fn position(&self) -> Option<(u64, u64)>);
    method!(fn findings(&self) -> Findings);
}

pub(super) fn reuse(slot: &mut Option<String>) -> &mut String {
    let text = slot.get_or_insert_default();
    text.clear();
    text
}

/// A label as it is written. Whitespace at an end is no part of a name: with it, one system would be two.
///
/// # Errors
/// Such whitespace.
pub(super) fn label<'t>(key: &str, text: &'t str) -> Result<&'t str> {
    let trimmed = crate::whitespace::strip(text);
    if trimmed.len() == text.len() {
        return Ok(text);
    }
    let message = format!("the {key} `{text}` has whitespace at an end; did you mean `{trimmed}`?");
    Err(InputError::malformed(message))
}
