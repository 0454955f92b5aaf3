//! [`ReaderEntry`]: a format of files that a family reads as segments; [`PartedText`]: texts whose parts are cut one by one.

use std::fmt;
use std::sync::Arc;

use bleuprint_core::{Case, Result};

#[cfg(feature = "jsonl")]
use crate::read::Fields;
use crate::read::SegmentReader;
use crate::{Chain, NormalizerFindings, Tokenizer};

/// A reader of files, by an option of the program. Every command that takes segments takes it.
///
/// ```
/// use bleuprint_text::{Family, ReadSegments, ReaderEntry, SegmentKind};
///
/// static PAIRS: &[ReaderEntry] = &[ReaderEntry {
///     name: "pairs",
///     help: "The file of --segments has lines of two texts",
///     of: "pairs of texts",
///     metrics: "wer",
///     gives: SegmentKind::Texts,
///     value: None,
///     options: &[],
///     open: |files| Ok(ReadSegments::Texts(bleuprint_text::read::open_segments(files.reference, &Default::default())?)),
/// }];
/// assert_eq!(Family::new("mine", "Of my own").readers(PAIRS).readers[0].name, "pairs");
/// ```
#[derive(Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "closed: a constant of a family")]
pub struct ReaderEntry {
    /// The option: `speakers`.
    pub name: &'static str,
    /// Its help.
    pub help: &'static str,
    /// The contents of the files, in the plural: `sessions of speakers`.
    pub of: &'static str,
    /// Metrics of these segments, for errors: `cpwer or orcwer`.
    pub metrics: &'static str,
    /// The kind of the segments.
    pub gives: SegmentKind,
    /// The name of its values, the files of the systems; the references are then the file of `--segments`. Without one, the option
    /// is a flag: the references are a file, and the outputs those of `--input`.
    pub value: Option<&'static str>,
    /// Its further options.
    pub options: &'static [ReaderOption],
    /// Opens the files.
    pub open: fn(&ReaderFiles<'_>) -> Result<ReadSegments>,
}

/// An option of a reader.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "closed: a constant of a family")]
pub struct ReaderOption {
    /// The name.
    pub name: &'static str,
    /// The name of its value: `FILE` for a file. A flag has none.
    pub value: Option<&'static str>,
    /// The values that there are; any if empty.
    pub choices: &'static [&'static str],
    /// True for the file of the sources of segments, which some metrics need.
    pub has_sources: bool,
    /// The help.
    pub help: &'static str,
}

/// The files that were given to a reader.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "closed: files and options are all that is given")]
pub struct ReaderFiles<'f> {
    /// The references.
    pub reference: &'f str,
    /// The outputs, a file for each system.
    pub systems: &'f [String],
    /// The options with their values; a flag that was given has an empty one.
    pub options: &'f [(&'static str, String)],
}

impl<'f> ReaderFiles<'f> {
    /// The value of an option.
    pub fn option(&self, name: &str) -> Option<&'f str> {
        self.options.iter().find(|(known, _)| *known == name).map(|(_, value)| &**value)
    }
}

/// The kind of the segments of a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "closed: programs read all kinds")]
pub enum SegmentKind {
    /// Texts.
    Texts,
    /// Texts with parts: those of a [`PartedText`] of this name.
    Parted(&'static str),
    /// Data of a form of this name (`Form::NAME`).
    Form(&'static str),
}

/// The segments of a reader.
#[expect(clippy::exhaustive_enums, reason = "closed: programs read all kinds")]
pub enum ReadSegments {
    /// Texts, those with parts among them.
    Texts(Box<dyn SegmentReader + Send>),
    /// Records with the keys of JSON Lines: `system`, `id`, `hypothesis`, `reference`, `source`.
    #[cfg(feature = "jsonl")]
    Records(Fields),
}

/// Texts with parts, as the utterances of a session, each of which is normalized and cut by itself.
#[derive(Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "closed: a constant of a family")]
pub struct PartedText {
    /// The name, by which metrics ask for it: `sessions`.
    pub name: &'static str,
    /// The tokenizer of such texts, whose parts are normalized and then cut by a tokenizer in this case.
    pub cut: Cut,
}

type Cut = fn(Arc<dyn Tokenizer>, Case, Option<(Chain, NormalizerFindings)>) -> Arc<dyn Tokenizer>;

impl fmt::Debug for ReaderEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReaderEntry").field("name", &self.name).finish_non_exhaustive()
    }
}

impl fmt::Debug for PartedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PartedText").field("name", &self.name).finish_non_exhaustive()
    }
}
