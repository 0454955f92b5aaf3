//! [`ReadSegment`]: one hypothesis with its references, as read. [`SegmentReader`]: the trait of readers of
//! segments.

use super::findings::Findings;
use super::ids::IdFilter;
use bleuprint_core::{ConfigError, InputError, Location, Result};
use std::str::FromStr;

/// One segment as read from a file. Readers reuse its memory for the next segment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct ReadSegment {
    /// The text of the hypothesis, or `None` if the input gives only ids.
    pub hypothesis: Option<String>,
    /// The references. An empty string is a reference without tokens; `None` is a missing reference.
    pub references: Vec<Option<String>>,
    /// The source text of the segment.
    pub source: Option<String>,
    /// The hypothesis as token ids, if the input gives them.
    pub hypothesis_ids: Option<Vec<u32>>,
    /// The references as token ids, if the input gives them.
    pub reference_ids: Vec<Option<Vec<u32>>>,
    /// The id of the segment in the input.
    pub id: Option<String>,
    /// The system that produced the hypothesis.
    pub system: Option<String>,
    /// The document to which the segment belongs.
    pub document: Option<String>,
    /// The domain to which the segment belongs.
    pub domain: Option<String>,
}

impl ReadSegment {
    /// Returns an iterator over the references that are not missing.
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

/// The treatment of an empty reference next to a non-empty reference of the same segment, and of an empty
/// cell of a table.
///
/// An empty reference changes scores, unlike a missing one. It is the reference closest in length to a short
/// hypothesis, which cancels BLEU's brevity penalty, and its length counts in the mean of TER.
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
    /// `error`: the reference is an error that names its place.
    #[default]
    Refuse,
    /// `missing`: the reference counts as missing.
    Missing,
    /// `keep`: the reference is kept without tokens, as in sacreBLEU.
    Keep,
}

impl EmptyReferences {
    /// The names of the variants in options.
    pub const NAMES: [&str; 3] = ["error", "missing", "keep"];

    /// Returns `true` if empty references are kept, `false` if they count as missing, and the error about
    /// `what` if they are rejected.
    pub(super) fn keeps(self, what: &str) -> Result<bool> {
        match self {
            EmptyReferences::Keep => Ok(true),
            EmptyReferences::Missing => Ok(false),
            EmptyReferences::Refuse => Err(Self::refused(what)),
        }
    }

    /// Returns `true` if the empty references of a segment are dropped because others are not empty. `empty`
    /// has one item for each reference: whether it is empty, or `None` if it is missing already.
    ///
    /// # Errors
    /// Returns the index of the first empty reference if empty references are rejected.
    pub fn leaves_out(self, empty: impl IntoIterator<Item = Option<bool>>) -> Result<bool, usize> {
        let mut first = None;
        let mut filled = false;
        for (index, empty) in empty.into_iter().enumerate() {
            match empty {
                Some(true) => first = first.or(Some(index)),
                Some(false) => filled = true,
                None => {}
            }
        }
        // Empty references alone are accepted: then no other reference contradicts them.
        match (self, first.filter(|_| filled)) {
            (EmptyReferences::Refuse, Some(index)) => Err(index),
            (meaning, gap) => Ok(gap.is_some() && meaning == EmptyReferences::Missing),
        }
    }

    /// Applies this treatment to the references of a segment. `empty` returns whether a reference is empty,
    /// or `None` if it is missing, as in [`EmptyReferences::leaves_out`].
    ///
    /// # Errors
    /// Returns an error with the number of the first empty reference if empty references are rejected.
    pub fn settle<T>(self, references: &mut Vec<T>, empty: impl Fn(&T) -> Option<bool>) -> Result<()> {
        match self.leaves_out(references.iter().map(&empty)) {
            Ok(false) => {}
            Ok(true) => references.retain(|reference| empty(reference) != Some(true)),
            Err(index) => return Err(Self::refused(&format!("reference {}", index + 1))),
        }
        Ok(())
    }

    /// Returns the error of an empty reference; `what` names its place.
    pub fn refused(what: &str) -> InputError {
        InputError::malformed(format!(
            "{what} is an empty reference; the option empty-references accepts it as missing (`missing`) or as a \
             reference without tokens, as in sacreBLEU (`keep`)"
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

/// Options for files of whole segments.
#[derive(Debug, Clone, Default)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct SegmentOptions {
    /// The filter for token ids in JSON Lines.
    pub ids: IdFilter,
    /// The treatment of empty references.
    pub empty_references: EmptyReferences,
    /// `true` if a table without a column of references is rejected at its header.
    pub needs_references: bool,
}

/// A reader of segments, one after the other, in constant memory.
pub trait SegmentReader {
    /// Reads the next segment into `segment`, replacing its content. Returns `false` at the end.
    ///
    /// # Errors
    /// Returns any error of the input with its location. After an error the reader cannot be used any more.
    fn next(&mut self, segment: &mut ReadSegment) -> Result<bool>;

    /// Returns the location of the last segment.
    fn location(&self) -> Location;

    /// Returns the number of bytes read and the size of the input, to show progress. Returns `None` if they
    /// are unknown.
    fn position(&self) -> Option<(u64, u64)> {
        None
    }

    /// Returns the likely mistakes found so far.
    fn findings(&self) -> Findings {
        Findings::default()
    }
}

impl<R: SegmentReader + ?Sized> SegmentReader for Box<R> {
    fn next(&mut self, segment: &mut ReadSegment) -> Result<bool> {
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

/// Returns the label if it has no whitespace at its ends. Such whitespace would make two systems of one name.
///
/// # Errors
/// Returns an error if the label has whitespace at an end.
pub(super) fn label<'t>(key: &str, text: &'t str) -> Result<&'t str> {
    let trimmed = crate::whitespace::strip(text);
    if trimmed.len() == text.len() {
        return Ok(text);
    }
    let message = format!("the {key} `{text}` has whitespace at an end; did you mean `{trimmed}`?");
    Err(InputError::malformed(message))
}
