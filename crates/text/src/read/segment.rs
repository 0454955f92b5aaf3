//! [`ReadSegment`]: one hypothesis with its references, as read from a file. [`SegmentReader`]: the trait of
//! readers of such segments.

use super::column_names::SegmentColumns;
use super::findings::Findings;
use super::ids::IdFilter;
use bleuprint_core::{ConfigError, InputError, Location, Result};
use std::str::FromStr;

/// One segment as read from a file: a hypothesis with its references, source and labels. Readers reuse its
/// memory for the next segment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct ReadSegment {
    /// The text of the hypothesis, or `None` if the input has only token ids.
    pub hypothesis: Option<String>,
    /// The reference texts of one hypothesis. An empty string is a reference without tokens; `None` is a
    /// missing reference.
    pub references: Vec<Option<String>>,
    /// The source text of the segment, such as the sentence to translate.
    pub source: Option<String>,
    /// The hypothesis as a sequence of token ids, or `None` if the input has only text.
    pub hypothesis_ids: Option<Vec<u32>>,
    /// The references as sequences of token ids; `None` is a missing reference. It is empty if the input has
    /// only texts.
    pub reference_ids: Vec<Option<Vec<u32>>>,
    /// The id of the segment, as the input file gives it.
    pub id: Option<String>,
    /// The name of the system that produced the hypothesis.
    pub system: Option<String>,
    /// The name of the document to which the segment belongs.
    pub document: Option<String>,
    /// The name of the domain to which the segment belongs, such as `news`.
    pub domain: Option<String>,
    /// The name of the speaker of the segment, for transcribed speech.
    pub speaker: Option<String>,
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
        for slot in [&mut self.id, &mut self.system, &mut self.document, &mut self.domain, &mut self.speaker]
        {
            *slot = None;
        }
    }
}

/// How readers treat empty references: an empty text next to another reference that is not empty, and an
/// empty reference cell in a table.
///
/// An empty reference changes scores, unlike a missing one. It can be the reference closest in length to a
/// short hypothesis, which cancels BLEU's brevity penalty. Its length also counts in TER's mean reference
/// length.
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
    /// `error`: an empty reference is an error, which reports the position of the reference.
    #[default]
    Refuse,
    /// `missing`: an empty reference counts as missing.
    Missing,
    /// `keep`: an empty reference is kept as a reference without tokens, as in sacreBLEU.
    Keep,
}

impl EmptyReferences {
    /// The values of the option `empty-references`: what readers do with empty references.
    pub const NAMES: [&str; 3] = ["error", "missing", "keep"];

    /// Returns `true` if empty references are kept and `false` if they count as missing. Returns an error if
    /// they are rejected; `what` names the reference in its message.
    pub(super) fn keeps(self, what: &str) -> Result<bool> {
        match self {
            EmptyReferences::Keep => Ok(true),
            EmptyReferences::Missing => Ok(false),
            EmptyReferences::Refuse => Err(Self::refused(what)),
        }
    }

    /// Returns `true` if this setting drops the empty references of a segment: it is `Missing`, and another
    /// reference of the segment is not empty. `empty` has one item for each reference: whether it is empty,
    /// or `None` if it is missing.
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

    /// Drops, keeps or rejects the empty references of a segment, depending on this setting. `references` are
    /// the references of the segment. `empty` returns whether a reference is empty, or `None` if it is
    /// missing. Empty references are never dropped if all references are empty.
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

    /// Returns the error for an empty reference; `what` names the reference, such as `reference 2`.
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

/// Options for reading files with hypotheses and references.
#[derive(Debug, Clone, Default)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct SegmentOptions {
    /// The filter that drops special token ids, such as padding, from JSON Lines.
    pub ids: IdFilter,
    /// How empty references are treated: rejected, kept or counted as missing.
    pub empty_references: EmptyReferences,
    /// `true` if a table must have a column of references; a header without one is then an error.
    pub needs_references: bool,
    /// `true` if the texts in JSON Lines are labels. A label may also be written as a whole number or a truth
    /// value; the numbers 1 and 1.0 both give the label `1`.
    pub labels: bool,
    /// The columns or keys of the parts of a segment, where the file names them otherwise.
    pub columns: SegmentColumns,
}

/// A reader of segments (a hypothesis with its references), one after the other, in constant memory.
pub trait SegmentReader {
    /// Reads the next segment into `segment`, replacing its content. Returns `false` at the end.
    ///
    /// # Errors
    /// Returns any error of the input with its location. After an error the reader cannot be used any more, unless
    /// it [`recovers`](SegmentReader::recovers).
    fn next(&mut self, segment: &mut ReadSegment) -> Result<bool>;

    /// Returns the file and line of the segment that was read last.
    fn location(&self) -> Location;

    /// Returns the line of the segment that was read last, which is the line of its
    /// [`location`](SegmentReader::location) without the name of the file.
    fn line(&self) -> Option<u64> {
        self.location().line
    }

    /// Returns the number of bytes read and the size of the input file, to show progress. Returns `None` if
    /// the size is unknown.
    fn position(&self) -> Option<(u64, u64)> {
        None
    }

    /// Returns the likely mistakes found so far in the input, such as unknown columns.
    fn findings(&self) -> Findings {
        Findings::default()
    }

    /// Returns `true` if the last error concerned a single segment, so that [`SegmentReader::next`] can read the
    /// segments after it. By default no reader can.
    fn recovers(&self) -> bool {
        false
    }
}

impl<R: SegmentReader + ?Sized> SegmentReader for Box<R> {
    fn next(&mut self, segment: &mut ReadSegment) -> Result<bool> {
        (**self).next(segment)
    }

    method!(fn location(&self) -> Location);
    method!(fn line(&self) -> Option<u64>);
    method!(fn position(&self) -> Option<(u64, u64)>);
    method!(fn findings(&self) -> Findings);
    method!(fn recovers(&self) -> bool);
}

pub(super) fn reuse(slot: &mut Option<String>) -> &mut String {
    let text = slot.get_or_insert_default();
    text.clear();
    text
}

/// Returns the label unchanged if it has no whitespace at its ends. Such whitespace would make two systems
/// out of one name.
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
