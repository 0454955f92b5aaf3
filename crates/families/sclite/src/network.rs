//! [`Network`]: parses a text with alternatives, such as `{ a / b } c`, into a word graph. Each word lists
//! the words that may precede it.

use bleuprint_core::{InputError, Result};

use crate::options::{Optional, ScliteSettings};

/// Largest nesting depth of braces in a text with alternatives.
const MOST_LEVELS: usize = 100;

/// Largest number of words, and of arcs between words, in the word graph of a text with alternatives. With
/// this limit, `f32` holds the cost of every alignment exactly, unless it includes an empty alternative `@`,
/// whose cost is a fraction.
const MOST_ARCS: usize = 1 << 19;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NetworkRole {
    Plain,
    /// Word in parentheses, which a speaker may leave out.
    Optional,
    /// Empty word `@`, an alternative without any words.
    Nothing,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct NetworkWord<'t> {
    /// Word as it is displayed.
    pub(crate) text: &'t str,
    /// Word as it is compared: without the parentheses that mark an optional word.
    pub(crate) plain: &'t str,
    /// Hash of the word as it is compared; a comparison of hashes quickly finds that two words differ.
    hash: u64,
    pub(crate) role: NetworkRole,
    before: Span,
}

/// Start and end of a range of [`Network::arcs`], which holds the positions of the words that may precede one
/// word.
type Span = (u32, u32);

/// Word graph of a text with alternatives. Word positions count from 1; position 0 is the start of the text.
#[derive(Debug)]
pub(crate) struct Network<'t> {
    pub(crate) words: Vec<NetworkWord<'t>>,
    arcs: Vec<u32>,
    last: Span,
}

/// Opening brace of a group of alternatives, `{ a / b }`, whose closing brace has not been read yet.
struct OpenBrace {
    at: usize,
    /// Range of [`Network::arcs`] that holds the positions of the words that may come right before this group
    /// of alternatives.
    entry: Span,
    /// For each alternative of this group that has been read to its end: the range of [`Network::arcs`] that
    /// holds the positions of its last words.
    ends: Vec<Span>,
    /// `true` if at least one word of the current alternative has been read.
    filled: bool,
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

impl<'t> Network<'t> {
    /// Parses the texts of a reference and a hypothesis into word graphs.
    ///
    /// # Errors
    /// Returns the errors of [`Network::parse`].
    pub(crate) fn both(
        reference: &'t str,
        hypothesis: &'t str,
        settings: ScliteSettings,
    ) -> Result<[Self; 2]> {
        Ok([Network::parse(reference, settings)?, Network::parse(hypothesis, settings)?])
    }

    /// Returns an error if the alternatives in a text are malformed. File readers call it, so that the error
    /// can name the line.
    ///
    /// # Errors
    /// Returns the errors of [`Network::parse`].
    pub(crate) fn check(text: &str) -> Result<()> {
        if text.contains(['{', '}']) {
            Network::parse(text, ScliteSettings::default()).map(drop)
        } else {
            Ok(())
        }
    }

    /// Parses a text with alternatives into a word graph.
    ///
    /// # Errors
    /// Returns an error with the number of the character if braces do not match, if an alternative has no
    /// word, or if a brace is within a word. Returns an error if a limit is exceeded.
    fn parse(text: &'t str, settings: ScliteSettings) -> Result<Self> {
        let fault = |at: usize, what: &str| {
            // People count characters, so the byte position is converted.
            let character = text[..at].chars().count() + 1;
            Err(InputError::malformed(format!("character {character}: {what}")))
        };
        let mut network = Network { words: Vec::new(), arcs: vec![0], last: (0, 1) };
        let mut open: Vec<OpenBrace> = Vec::new();
        let mut at = 0;
        while let Some(&byte) = text.as_bytes().get(at) {
            match (byte, open.last_mut()) {
                _ if is_space(byte) => at += 1,
                (b'{', _) => {
                    if open.len() == MOST_LEVELS {
                        return fault(at, &format!("more than {MOST_LEVELS} nested braces"));
                    }
                    open.push(OpenBrace { at, entry: network.last, ends: Vec::new(), filled: false });
                    at += 1;
                }
                (b'/' | b'}', Some(brace)) => {
                    if !brace.filled {
                        return fault(at, "an alternative without a word; write `@` for nothing");
                    }
                    brace.ends.push(network.last);
                    // The next alternative starts again at the positions before the brace.
                    (network.last, brace.filled) = (brace.entry, false);
                    if byte == b'}' {
                        let ends = open.pop().map(|brace| brace.ends).unwrap_or_default();
                        network.join(&ends)?;
                        open.last_mut().into_iter().for_each(|outer| outer.filled = true);
                    }
                    at += 1;
                }
                (b'}', None) => return fault(at, "this brace closes nothing"),
                (_, brace) => {
                    // A slash outside of braces is part of a word, for example `and/or`.
                    let within = brace.is_some();
                    brace.into_iter().for_each(|brace| brace.filled = true);
                    let ends = |&byte: &u8| is_space(byte) || byte == b'}' || within && byte == b'/';
                    let rest = &text.as_bytes()[at..];
                    let end = at + rest.iter().position(ends).unwrap_or(rest.len());
                    let word = &text[at..end];
                    if let Some(brace) = word.find('{') {
                        return fault(at + brace, "a brace within a word; write a space before it");
                    }
                    network.push(word, settings)?;
                    at = end;
                }
            }
        }
        match open.last() {
            Some(brace) => fault(brace.at, "this brace is not closed"),
            None => Ok(network),
        }
    }

    /// Returns the positions of the words that may come right before the word at `position`; after
    /// alternatives there are several. `position` must not be 0, the start of the text.
    pub(crate) fn before(&self, position: usize) -> &[u32] {
        self.span(self.words[position - 1].before)
    }

    /// Returns the positions of the words with which a reading of the text can end. There are several if the
    /// text ends with alternatives, as in `{ a / b }`.
    pub(crate) fn last(&self) -> &[u32] {
        self.span(self.last)
    }

    fn span(&self, (from, to): Span) -> &[u32] {
        &self.arcs[from as usize..to as usize]
    }

    fn push(&mut self, word: &'t str, settings: ScliteSettings) -> Result<()> {
        // sclite compares `word*` as `word`; an asterisk alone stays a word.
        let text = word.strip_suffix('*').filter(|rest| !rest.is_empty()).unwrap_or(word);
        let within = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let (role, plain) = match within.filter(|_| settings.optional != Optional::Word) {
            Some(plain) => (NetworkRole::Optional, plain),
            None if text == "@" => (NetworkRole::Nothing, text),
            None => (NetworkRole::Plain, text),
        };
        // The bytes as digits of a number, with FNV's prime as the base: words of up to eight letters rarely
        // have the same hash.
        let hash =
            plain.bytes().fold(0_u64, |hash, byte| hash.wrapping_mul(0x100_0000_01B3) ^ u64::from(byte));
        self.words.push(NetworkWord { text, plain, hash, role, before: self.last });
        self.arcs.push(self.words.len() as u32);
        self.last = (self.arcs.len() as u32 - 1, self.arcs.len() as u32);
        self.require_few()
    }

    /// Ends a group of alternatives: the last words of all alternatives, in the order of the text, become the
    /// possible predecessors of the word after the group.
    fn join(&mut self, ends: &[Span]) -> Result<()> {
        let from = self.arcs.len();
        for &(one, other) in ends {
            self.arcs.extend_from_within(one as usize..other as usize);
            self.require_few()?;
        }
        self.last = (from as u32, self.arcs.len() as u32);
        Ok(())
    }

    fn require_few(&self) -> Result<()> {
        if self.arcs.len() <= MOST_ARCS {
            return Ok(());
        }
        Err(InputError::limit(
            "the words of a text and the ends of its alternatives",
            self.arcs.len(),
            "at most 2^19",
        ))
    }
}

/// Returns `true` if two words match. With `fragments`, `go-` matches words that begin with `go`, and `-ing`
/// words that end with `ing`. If both words are fragments, only `one`, the reference word, is treated as a
/// fragment.
pub(crate) fn same(one: &NetworkWord<'_>, other: &NetworkWord<'_>, fragments: bool) -> bool {
    let fragment = || begins(one.plain, other.plain).or_else(|| begins(other.plain, one.plain));
    one.hash == other.hash && one.plain == other.plain || fragments && fragment() == Some(true)
}

/// Returns whether `word` begins or ends with `fragment`, such as `go-` or `-ing`, ignoring the hyphen.
/// Returns `None` if `fragment` does not begin or end with a hyphen.
fn begins(fragment: &str, word: &str) -> Option<bool> {
    // A single hyphen is a word, and would otherwise match everything.
    if fragment.len() < 2 {
        return None;
    }
    let end = fragment.strip_prefix('-').map(|end| word.ends_with(end));
    end.or_else(|| fragment.strip_suffix('-').map(|start| word.starts_with(start)))
}
