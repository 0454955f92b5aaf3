//! [`Findings`]: likely mistakes in text.

use super::encoding::MARK;
use memchr::memmem::Finder;

/// Likely mistakes in a text that was read, for warnings.
///
/// ```
/// use bleuprint_text::Lines;
/// let mut lines = Lines::new("\u{feff}a\nb\n\u{feff}c\n\0\n".as_bytes(), "example");
/// while lines.advance()? {}
/// let findings = lines.findings();
/// assert!(findings.leading_mark);
/// assert_eq!((findings.mark, findings.nul), (Some(3), Some(4)));
/// # Ok::<(), bleuprint_core::InputError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct Findings {
    /// The stream begins with a byte order mark that was kept: a character of the first token.
    pub leading_mark: bool,
    /// The first line, from 1, with a byte order mark elsewhere: a sign of joined files.
    pub mark: Option<u64>,
    /// The first line with a NUL: the file was cut off while it was written, or is in another encoding.
    pub nul: Option<u64>,
    /// The keys or columns that no reader knows, by first occurrence.
    pub ignored: Vec<String>,
    /// Sentences of the readers of families, each with its file.
    pub notes: Vec<String>,
}

impl Findings {
    /// Notes a key or column that is not read; beyond a limit the last place says that there are more.
    pub(super) fn ignore(&mut self, name: &str) {
        const MOST: usize = 8;
        let dots = "..";
        if self.ignored.iter().any(|known| known == name || known == dots) {
            return;
        }
        self.ignored.push(if self.ignored.len() < MOST { name.to_owned() } else { dots.to_owned() });
    }
}

#[derive(Debug)]
pub(super) struct Search {
    mark: Finder<'static>,
    pub(super) found: Findings,
}

impl Default for Search {
    fn default() -> Self {
        Search { mark: Finder::new(MARK), found: Findings::default() }
    }
}

impl Search {
    /// Looks through whole lines, the first of which has this number, from 1.
    pub(super) fn look(&mut self, lines: &[u8], first: u64) {
        let line = |at: usize| first + memchr::memchr_iter(b'\n', &lines[..at]).count() as u64;
        let skipped = match first == 1 && lines.starts_with(MARK) {
            true => MARK.len(),
            false => 0,
        };
        self.found.leading_mark |= skipped > 0;
        if self.found.mark.is_none() {
            self.found.mark = self.mark.find(&lines[skipped..]).map(|at| line(at + skipped));
        }
        if self.found.nul.is_none() {
            self.found.nul = memchr::memchr(0, lines).map(line);
        }
    }
}
