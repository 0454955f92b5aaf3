//! [`FileKind`]: file formats that are not lines of text, recognized by the name of a file and its first
//! lines.
//!
//! The lines of such a file have mark-up, times or ids next to the texts. Hypotheses and references share
//! them, so a score over the lines means nothing.

mod looks;

use std::borrow::Cow;

use bleuprint_core::{InputError, Location, Result};

use super::compressed::{decompressed, ends_with};
use super::encoding::Encoding;

/// Number of bytes at the start of a file that are examined.
pub(super) const HEAD: usize = 1 << 13;

/// A file format that is not lines of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileKind {
    /// JSON Lines: one JSON object on each line.
    JsonLines,
    /// JSON: the whole file is one JSON value.
    Json,
    /// SegLST: a JSON list of the utterances of sessions.
    SegLst,
    /// A table with commas between its cells.
    Csv,
    /// A table with tabs between its cells.
    Tsv,
    /// SGML of mteval: a source, reference or test set.
    Sgml,
    /// XML, such as the test sets of WMT, TMX or XLIFF.
    Xml,
    /// HTML.
    Html,
    /// SubRip subtitles.
    Srt,
    /// WebVTT subtitles.
    Vtt,
    /// STM: utterances of speakers with times.
    Stm,
    /// CTM: recognized words with times.
    Ctm,
    /// RTTM: turns of speakers.
    Rttm,
    /// TRN: texts with the id of the utterance in parentheses at the end.
    Trn,
}

/// The description of a file format: its name, its file name extensions and the advice in error messages.
struct KindEntry {
    kind: FileKind,
    name: &'static str,
    /// The file name extensions of the format, such as `.srt`.
    ends: &'static [&'static str],
    /// Advice for error messages: how to score a file of this format instead of scoring its lines as texts.
    remedy: &'static str,
}

const EXTRACT: &str = "extract the text of its segments to a file with one text on each line";
const TABLE: &str = "the option --segments reads tables with columns such as `hypothesis` and `reference`";

/// All recognized file formats. Lines of one format may also have the signs of another one, as SegLST is
/// JSON. The more specific format then comes first.
#[rustfmt::skip]
const KINDS: &[KindEntry] = &[
    KindEntry { kind: FileKind::Html, name: "HTML", ends: &[".html", ".htm", ".xhtml"], remedy: EXTRACT },
    KindEntry { kind: FileKind::Sgml, name: "SGML of mteval", ends: &[".sgm", ".sgml"], remedy: "the option --markup reads it" },
    KindEntry {
        kind: FileKind::Xml, name: "XML", ends: &[".xml", ".tmx", ".xlf", ".xliff", ".ttml"],
        remedy: "the option --markup reads test sets of WMT; of other XML, extract the text to a file with one text on each line",
    },
    KindEntry { kind: FileKind::Vtt, name: "WebVTT", ends: &[".vtt"], remedy: "the option --subtitles reads it" },
    KindEntry { kind: FileKind::Srt, name: "SRT", ends: &[".srt"], remedy: "the option --subtitles reads it" },
    KindEntry { kind: FileKind::SegLst, name: "SegLST", ends: &[".json", ".seglst"], remedy: "the option --speakers reads it" },
    KindEntry {
        kind: FileKind::JsonLines, name: "JSON Lines", ends: &[".jsonl", ".ndjson", ".json"],
        remedy: "the option --segments reads its keys, such as `hypothesis` and `references`",
    },
    KindEntry {
        kind: FileKind::Json, name: "JSON", ends: &[".json"],
        remedy: "write one object on each line, as `jq -c '.[]'` does, which the option --segments reads",
    },
    KindEntry { kind: FileKind::Rttm, name: "RTTM", ends: &[".rttm"], remedy: "the option --turns reads it" },
    KindEntry { kind: FileKind::Stm, name: "STM", ends: &[".stm"], remedy: "the options --transcripts and --speakers read it" },
    KindEntry { kind: FileKind::Ctm, name: "CTM", ends: &[".ctm"], remedy: "the options --transcripts and --speakers read it" },
    KindEntry { kind: FileKind::Trn, name: "TRN", ends: &[".trn"], remedy: "the option --transcripts reads it" },
    KindEntry { kind: FileKind::Tsv, name: "a table with tabs", ends: &[".tsv", ".tab"], remedy: TABLE },
    KindEntry { kind: FileKind::Csv, name: "CSV", ends: &[".csv"], remedy: TABLE },
];

impl FileKind {
    /// Returns the format that the first lines of a file show, or `None` for lines of text. If the lines fit
    /// several formats, the extension of the file name decides.
    ///
    /// ```
    /// use bleuprint_text::read::FileKind;
    /// let srt = "1\n00:00:01,000 --> 00:00:02,000\nhello\n";
    /// assert_eq!(FileKind::detect("a.txt", srt), Some(FileKind::Srt));
    /// assert_eq!(FileKind::detect("a.srt", "1\nhello\n"), None);
    /// ```
    pub fn detect(name: &str, head: &str) -> Option<Self> {
        let lines = looks::HeadLines::new(head);
        let named = |entry: &&KindEntry| entry.is_named(name) && lines.look_like(entry.kind, true);
        let any = |entry: &&KindEntry| lines.look_like(entry.kind, false);
        KINDS.iter().find(named).or_else(|| KINDS.iter().find(any)).map(|entry| entry.kind)
    }

    /// Returns the format that the extension of a file names, or `None` for other extensions.
    ///
    /// ```
    /// use bleuprint_text::read::FileKind;
    /// assert_eq!((FileKind::named("a.SRT"), FileKind::named("a.txt")), (Some(FileKind::Srt), None));
    /// ```
    pub fn named(file: &str) -> Option<Self> {
        KINDS.iter().find(|entry| entry.is_named(file)).map(|entry| entry.kind)
    }

    /// Returns the name of the format for messages.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// Returns the advice for error messages: how to score a file of this format. It is a part of a sentence.
    pub fn remedy(self) -> &'static str {
        self.entry().remedy
    }

    /// Returns `true` if the extension of the file is one of this format. The extension of a compression
    /// format may follow.
    pub fn is_named(self, file: &str) -> bool {
        self.entry().is_named(file)
    }

    fn entry(self) -> &'static KindEntry {
        // Every variant has an entry, which a test checks; the fallback is never used.
        KINDS.iter().find(|entry| entry.kind == self).unwrap_or(&KINDS[0])
    }
}

impl KindEntry {
    fn is_named(&self, file: &str) -> bool {
        let file = decompressed(file);
        self.ends.iter().any(|end| ends_with(file, end))
    }
}

/// The kind of lines that a file should have, such as texts or tab-separated columns. Readers report files of
/// other formats.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "closed: a file has texts, columns or anything")]
pub enum ExpectedLines {
    /// One text on each line. A file of another format is an error if its name and its first lines agree on
    /// that format; otherwise the reader reports a warning.
    #[default]
    Texts,
    /// Tab-separated columns. A file of another format is an error if its name and its first lines agree on
    /// that format; otherwise the reader reports a warning.
    Columns,
    /// Lines of any kind: the user requires that the file is read as texts, whatever its format.
    Any,
}

/// Options for reading a file of text that the user gives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct TextOptions {
    /// The encoding of the file, which decides if a byte order mark at the start is skipped.
    pub encoding: Encoding,
    /// The kind of lines that the file should have.
    pub expected: ExpectedLines,
}

impl TextOptions {
    /// Creates the options for a file of texts in this encoding. If `plain` is `true`, a file of any format
    /// is read as lines of text.
    pub fn new(encoding: Encoding, plain: bool) -> Self {
        TextOptions { encoding, expected: if plain { ExpectedLines::Any } else { ExpectedLines::Texts } }
    }

    /// Returns the options for a file of tab-separated columns. Options that accept lines of any format are
    /// returned unchanged.
    #[must_use]
    pub fn of_columns(self) -> Self {
        let any = self.expected == ExpectedLines::Any;
        TextOptions { expected: if any { self.expected } else { ExpectedLines::Columns }, ..self }
    }
}

impl ExpectedLines {
    /// Returns the format that the first bytes of a file show, or `None` if they show lines of the expected
    /// kind.
    pub(super) fn unlike(self, name: &str, head: &[u8]) -> Option<FileKind> {
        if self == ExpectedLines::Any {
            return None;
        }
        let found = FileKind::detect(name, &whole_lines(head));
        found.filter(|kind| !(self == ExpectedLines::Columns && *kind == FileKind::Tsv))
    }

    /// Returns an error if the name and the first bytes of a file agree on a format other than the expected
    /// one.
    pub(super) fn check(self, name: &str, head: &[u8]) -> Result<()> {
        match self.unlike(name, head).filter(|kind| kind.is_named(name)) {
            None => Ok(()),
            Some(kind) => Err(InputError::malformed(format!(
                "{} by its name and its first lines, and not one text on each line: {}; --plain reads the lines as they are",
                kind.name(),
                kind.remedy()
            ))
            .at(Location::file(name))),
        }
    }
}

/// Returns the first bytes of a file as text. If the file continues, the last line is dropped, because it may
/// be incomplete; a single line is kept.
fn whole_lines(head: &[u8]) -> Cow<'_, str> {
    let head = &head[..head.len().min(HEAD)];
    let end = if head.len() < HEAD { None } else { memchr::memrchr(b'\n', head) };
    String::from_utf8_lossy(&head[..end.unwrap_or(head.len())])
}

#[cfg(test)]
mod tests;
