//! [`ReaderEntry`]: a file format that a family of metrics reads as segments. [`PartedText`]: a text whose
//! parts are tokenized one by one.

use std::fmt;
use std::sync::Arc;

use bleuprint_core::{Case, Result};

#[cfg(feature = "jsonl")]
use crate::read::FieldReader;
use crate::read::SegmentReader;
use crate::{Chain, NormalizerFindings, Tokenizer};

/// A reader of a file format, selected by a command-line option. Every command that reads segments offers it.
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
    /// The name of the command-line option, such as `speakers`.
    pub name: &'static str,
    /// The help text of the option.
    pub help: &'static str,
    /// The contents of the files, in the plural, such as `sessions of speakers`.
    pub of: &'static str,
    /// The metrics that take these segments, for error messages, such as `cpwer or orcwer`.
    pub metrics: &'static str,
    /// The kind of segments that the reader produces.
    pub gives: SegmentKind,
    /// The placeholder for the value of the reader's command-line option in the help text. With `Some`, the
    /// option takes the systems' files as values, and the references come from the file of `--segments`. With
    /// `None`, the option is a flag without a value: the references are one file, and the outputs of the
    /// systems are the files of `--input`.
    pub value: Option<&'static str>,
    /// Further command-line options that belong to the reader.
    pub options: &'static [ReaderOption],
    /// The function that opens the files.
    pub open: fn(&ReaderFiles<'_>) -> Result<ReadSegments>,
}

/// A command-line option that belongs to a reader.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "closed: a constant of a family")]
pub struct ReaderOption {
    /// The name of the option.
    pub name: &'static str,
    /// The name of the option's value in the help text, such as `FILE` for a file. A flag has no value.
    pub value: Option<&'static str>,
    /// The accepted values of the option. An empty list accepts any value.
    pub choices: &'static [&'static str],
    /// `true` if the option's value is the file with the sources of the segments, which some metrics need.
    pub has_sources: bool,
    /// The help text of the option.
    pub help: &'static str,
}

/// The files and option values that the user gave for a reader.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "closed: files and options are all that is given")]
pub struct ReaderFiles<'f> {
    /// The path of the file with the references.
    pub reference: &'f str,
    /// The paths of the files with the outputs, one file for each system.
    pub systems: &'f [String],
    /// The options that were given, as pairs of name and value. The value of a flag is empty.
    pub options: &'f [(&'static str, String)],
}

impl<'f> ReaderFiles<'f> {
    /// Returns the value of the option with this name, or `None` if the option was not given.
    pub fn option(&self, name: &str) -> Option<&'f str> {
        self.options.iter().find(|(known, _)| *known == name).map(|(_, value)| &**value)
    }
}

/// The kind of segments that a reader produces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "closed: programs read all kinds")]
pub enum SegmentKind {
    /// Plain texts.
    Texts,
    /// Texts with parts, as defined by the [`PartedText`] of this name.
    Parted(&'static str),
    /// Data of the form with this name (`Form::NAME`): a data type that a metric defines.
    Form(&'static str),
}

/// The segments that a reader has opened.
#[expect(clippy::exhaustive_enums, reason = "closed: programs read all kinds")]
pub enum ReadSegments {
    /// Plain texts, or texts with parts.
    Texts(Box<dyn SegmentReader + Send>),
    /// Records with the keys of JSON Lines: `system`, `id`, `hypothesis`, `reference`, `source`.
    #[cfg(feature = "jsonl")]
    Records(FieldReader),
}

/// A kind of text with parts, such as the utterances of a session. Each part is normalized and tokenized
/// separately.
#[derive(Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "closed: a constant of a family")]
pub struct PartedText {
    /// The name by which metrics request this kind of text, such as `sessions`.
    pub name: &'static str,
    /// Returns a tokenizer for texts of this kind. It normalizes each part, changes its case and splits it
    /// with the given tokenizer.
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
