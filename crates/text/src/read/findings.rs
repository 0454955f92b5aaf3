//! [`Findings`]: likely mistakes in a file, such as NUL characters or unknown columns, for warnings.

use super::encoding::MARK;
use super::kind::{ExpectedLines, FileKind, HEAD};
use memchr::memmem::Finder;
use std::sync::Arc;

/// Number of first lines that are examined for other formats.
const MOST_LINES: usize = 32;

/// Likely mistakes in a file, such as NUL characters or unknown columns, for warnings.
///
/// ```
/// use bleuprint_text::LineReader;
/// let mut lines = LineReader::new("\u{feff}a\nb\n\u{feff}c\n\0\n".as_bytes(), "example");
/// while lines.advance()? {}
/// let findings = lines.findings();
/// assert!(findings.leading_mark);
/// assert_eq!((findings.mark, findings.nul), (Some(3), Some(4)));
/// # Ok::<(), bleuprint_core::InputError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct Findings {
    /// `true` if the file begins with a byte order mark that was kept as a character of the first token.
    pub leading_mark: bool,
    /// The first line, from 1, with a byte order mark that is not at the start of the file: a sign that files
    /// were concatenated.
    pub mark: Option<u64>,
    /// The first line, from 1, with a NUL character: a sign that the file was cut off while it was written,
    /// or is not UTF-8.
    pub nul: Option<u64>,
    /// The format that the first lines of a file of texts seem to have, or `None` for plain texts. If the
    /// extension of the file agreed, the file would be an error instead.
    pub looks_like: Option<FileKind>,
    /// The names of keys or columns in the file that the reader ignores because it does not know them, in
    /// order of first occurrence.
    pub ignored: Vec<String>,
    /// Further warnings from the readers of metric families, each a sentence with the name of its file.
    pub notes: Vec<String>,
    /// Numbers of things, such as sessions, that the reader left out of the data or added to it.
    pub left_out: Vec<LeftOut>,
}

/// Part of the data that a reader left out or added, because an option that the user gave requires it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "closed: two numbers and a sentence")]
pub struct LeftOut {
    /// Number of things, such as sessions, that the reader left out or added.
    pub count: u64,
    /// Total number of things of this kind, such as all sessions.
    pub of: u64,
    /// The end of the sentence, after the two numbers: what the things are, and what happened to them. In
    /// `2 of 3 sessions are left out` it is `sessions are left out`.
    pub what: String,
}

/// Displays a sentence, such as `2 of 3 sessions are left out, because one side lacks them`.
impl std::fmt::Display for LeftOut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {} {}", self.count, self.of, self.what)
    }
}

impl Findings {
    /// Adds the name of an ignored key or column to the warnings. After eight names, one entry `..`
    /// represents all others.
    pub(super) fn ignore(&mut self, name: &str) {
        const MOST: usize = 8;
        let dots = "..";
        if self.ignored.iter().any(|known| known == name || known == dots) {
            return;
        }
        self.ignored.push(if self.ignored.len() < MOST { name.to_owned() } else { dots.to_owned() });
    }
}

/// A search for likely mistakes, such as NUL characters, in the lines of a file.
#[derive(Debug)]
pub(super) struct FindingSearch {
    mark: Finder<'static>,
    pub(super) found: Findings,
    /// The first bytes of a file that should be plain text, until they are enough to recognize other formats.
    head: Option<FileHead>,
}

/// The first bytes of a file that should be plain text.
#[derive(Debug)]
struct FileHead {
    name: Arc<str>,
    expected: ExpectedLines,
    bytes: Vec<u8>,
}

impl Default for FindingSearch {
    fn default() -> Self {
        FindingSearch { mark: Finder::new(MARK), found: Findings::default(), head: None }
    }
}

impl FindingSearch {
    /// Starts to check whether the first lines of the file have another format than the expected one.
    pub(super) fn expect(&mut self, name: Arc<str>, expected: ExpectedLines) {
        self.head = Some(FileHead { name, expected, bytes: Vec::new() });
    }

    /// Examines the first lines of the file for signs of another format. A call gets one line or several.
    fn look_at_head(&mut self, lines: &[u8]) {
        let Some(head) = &mut self.head else { return };
        let missing = HEAD - head.bytes.len().min(HEAD);
        head.bytes.extend_from_slice(&lines[..lines.len().min(missing)]);
        if !lines.ends_with(b"\n") {
            head.bytes.push(b'\n');
        }
        self.found.looks_like = head.expected.unlike(&head.name, &head.bytes);
        // Whole blocks of lines are enough at once; single lines need a few more.
        if head.bytes.len() >= HEAD || memchr::memchr_iter(b'\n', &head.bytes).count() >= MOST_LINES {
            self.head = None;
        }
    }

    /// Searches whole lines for likely mistakes; `first` is the number of the first line in `lines`, from 1.
    pub(super) fn look(&mut self, lines: &[u8], first: u64) {
        if self.head.is_some() {
            self.look_at_head(lines);
        }
        // Line numbers are counted only for a finding, so the search of clean text is one pass for each
        // mistake.
        let line = |at: usize| first + memchr::memchr_iter(b'\n', &lines[..at]).count() as u64;
        let skipped = if first == 1 && lines.starts_with(MARK) { MARK.len() } else { 0 };
        self.found.leading_mark |= skipped > 0;
        if self.found.mark.is_none() {
            self.found.mark = self.mark.find(&lines[skipped..]).map(|at| line(at + skipped));
        }
        if self.found.nul.is_none() {
            self.found.nul = memchr::memchr(0, lines).map(line);
        }
    }
}
