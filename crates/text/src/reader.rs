//! [`ReaderEntry`]: a file format that is read as segments of text or data. [`PartedText`]: a text that
//! consists of separate parts, such as the utterances of a session.

use std::fmt;
use std::sync::Arc;

use bleuprint_core::{Case, Result};

#[cfg(feature = "jsonl")]
use crate::read::FieldReader;
use crate::read::SegmentReader;
use crate::{Chain, NormalizerFindings, Tokenizer};

/// The description of a file format and its reader. Every command that reads segments offers it as a
/// command-line option.
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
///     has_outputs: false,
///     options: &[],
///     open: |files| Ok(ReadSegments::Texts(bleuprint_text::read::open_segments(files.reference, &Default::default())?)),
/// }];
/// assert_eq!(Family::new("mine", "Of my own").readers(PAIRS).readers[0].name, "pairs");
/// ```
#[derive(Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "closed: a constant of a family")]
pub struct ReaderEntry {
    /// The name of the command-line option that selects this file format, such as `speakers`.
    pub name: &'static str,
    /// The help text of the command-line option that selects this file format.
    pub help: &'static str,
    /// A description of the content of files in this format, in the plural, such as `sessions of speakers`.
    pub of: &'static str,
    /// The metrics that can score files of this format, for error messages, such as `cpwer or orcwer`.
    pub metrics: &'static str,
    /// Content of the segments in files of this format: plain text, text that consists of parts, or data.
    pub gives: SegmentKind,
    /// The placeholder, such as `FILE`, for the value of the command-line option that selects this format.
    /// With `Some`, the option takes one file for each system, and the references are in the file of
    /// `--segments`. With `None`, the option is a flag: the references are one file, and the systems' outputs
    /// are the files of `--input`.
    pub value: Option<&'static str>,
    /// `true` if the file of the references may have the outputs of systems too, so that the user may leave out
    /// `--input`.
    pub has_outputs: bool,
    /// Further command-line options that only apply to files of this format.
    pub options: &'static [ReaderOption],
    /// The function that opens the reference file and the files of the systems.
    pub open: fn(&ReaderFiles<'_>) -> Result<ReadSegments>,
}

/// A command-line option that applies only to files of one format.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "closed: a constant of a family")]
pub struct ReaderOption {
    /// The name of the command-line option.
    pub name: &'static str,
    /// The name of the option's value in the help text, such as `FILE` for a file. A flag has no value.
    pub value: Option<&'static str>,
    /// The accepted values of the command-line option. An empty list accepts any value.
    pub choices: &'static [&'static str],
    /// `true` if the value of the option is the path of a file with source texts, which some metrics need.
    pub has_sources: bool,
    /// The help text of the command-line option.
    pub help: &'static str,
}

/// The files and command-line options that the user gave for a file format.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "closed: files and options are all that is given")]
pub struct ReaderFiles<'f> {
    /// The path of the file with the references.
    pub reference: &'f str,
    /// The paths of the files with the system outputs, one file for each system. Readers that can join files
    /// split each text with [`SystemFiles`](crate::read::SystemFiles).
    pub systems: &'f [String],
    /// The command-line options that the user gave, as pairs of name and value. The value of a flag is empty.
    /// The general option `--references` is among them.
    pub options: &'f [(&'static str, String)],
    /// The names of the metrics that score the segments. A reader can reject texts with marks that these
    /// metrics do not support, such as braces around alternatives.
    pub metrics: &'f [String],
    /// `true` if the metrics take texts, for readers of [`SegmentKind::TextsOrForm`].
    pub texts: bool,
}

impl<'f> ReaderFiles<'f> {
    /// Returns the value of the command-line option with this name, or `None` if the user did not give it. The
    /// name may be without the family that is written in front of a name that two families have.
    pub fn option(&self, name: &str) -> Option<&'f str> {
        let is_named = |known: &str| known.rsplit('/').next() == Some(name);
        self.options.iter().find(|(known, _)| is_named(known)).map(|(_, value)| &**value)
    }
}

/// Content of the segments in files of a format: plain text, text in parts (such as the utterances of a
/// session), or structured data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "closed: programs read all kinds")]
pub enum SegmentKind {
    /// Segments of plain text: a hypothesis and its references.
    Texts,
    /// Segments whose texts consist of several parts, such as the utterances of a session. The string is the
    /// name of this kind of text, such as `sessions` ([`PartedText::name`]).
    Parted(&'static str),
    /// Segments of structured data instead of text. The string names the data type of the metric
    /// (`Form::NAME`).
    Form(&'static str),
    /// Segments of structured data, or of plain text if the metrics take texts.
    TextsOrForm(&'static str),
}

impl SegmentKind {
    /// Returns the name of the data type, if the segments can be structured data.
    pub fn form(self) -> Option<&'static str> {
        match self {
            SegmentKind::Form(name) | SegmentKind::TextsOrForm(name) => Some(name),
            SegmentKind::Texts | SegmentKind::Parted(_) => None,
        }
    }
}

/// A reader of the segments in the files that the user gave.
#[expect(clippy::exhaustive_enums, reason = "closed: programs read all kinds")]
pub enum ReadSegments {
    /// Reader of segments whose texts are plain, or consist of parts, such as the utterances of a session.
    Texts(Box<dyn SegmentReader + Send>),
    /// Reader of segments of structured data, as records with the keys `system`, `id`, `hypothesis`,
    /// `reference` and `source`.
    #[cfg(feature = "jsonl")]
    Records(FieldReader),
}

/// A kind of text that consists of parts, such as a session that consists of utterances. Each part is
/// normalized and tokenized separately.
#[derive(Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "closed: a constant of a family")]
pub struct PartedText {
    /// The name by which metrics request this kind of text, such as `sessions`.
    pub name: &'static str,
    /// A function that creates a tokenizer for texts that consist of parts, such as utterances. Its arguments
    /// are the tokenizer for one part, the case of letters and the normalizers. The created tokenizer applies
    /// them to each part separately.
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
