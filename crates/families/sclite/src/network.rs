//! [`Network`]: the words of a text with alternatives, each with the words that may come before it.

use bleuprint_core::{InputError, Result};

use crate::options::{Optional, Settings};

/// The most braces within each other.
const MOST_LEVELS: usize = 100;

/// The most words and arcs of a side: costs of paths are then whole numbers of 32 bits, but for those of `@`.
const MOST_ARCS: usize = 1 << 19;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Plain,
    /// A word in parentheses that may be left out.
    Optional,
    /// `@`.
    Nothing,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Word<'t> {
    /// As it is shown.
    pub(crate) text: &'t str,
    /// As it is compared: without the parentheses of an optional word.
    pub(crate) plain: &'t str,
    /// Equal for equal plain words, and rarely for others.
    hash: u64,
    pub(crate) role: Role,
    before: Span,
}

/// A list of positions within [`Network::arcs`].
type Span = (u32, u32);

/// Position 0 is the start, and position k the word k - 1.
#[derive(Debug)]
pub(crate) struct Network<'t> {
    pub(crate) words: Vec<Word<'t>>,
    arcs: Vec<u32>,
    last: Span,
}

/// An open brace.
struct Open {
    at: usize,
    /// The positions before it.
    entry: Span,
    /// The last positions of the alternatives that are complete.
    ends: Vec<Span>,
    /// True if the alternative has a word.
    filled: bool,
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

impl<'t> Network<'t> {
    /// Those of a reference and a hypothesis.
    ///
    /// # Errors
    /// Those of [`Network::parse`].
    pub(crate) fn both(reference: &'t str, hypothesis: &'t str, settings: Settings) -> Result<[Self; 2]> {
        Ok([Network::parse(reference, settings)?, Network::parse(hypothesis, settings)?])
    }

    /// Refuses a text whose alternatives are malformed, while its line is known.
    ///
    /// # Errors
    /// Those of [`Network::parse`].
    pub(crate) fn check(text: &str) -> Result<()> {
        if text.contains(['{', '}']) { Network::parse(text, Settings::default()).map(drop) } else { Ok(()) }
    }

    /// Reads a text.
    ///
    /// # Errors
    /// Braces that do not match, alternatives without words, a brace within a word, and the limits, with the character.
    fn parse(text: &'t str, settings: Settings) -> Result<Self> {
        let fault = |at: usize, what: &str| {
            let character = text[..at].chars().count() + 1;
            Err(InputError::malformed(format!("character {character}: {what}")))
        };
        let mut network = Network { words: Vec::new(), arcs: vec![0], last: (0, 1) };
        let mut open: Vec<Open> = Vec::new();
        let mut at = 0;
        while let Some(&byte) = text.as_bytes().get(at) {
            match (byte, open.last_mut()) {
                _ if is_space(byte) => at += 1,
                (b'{', _) => {
                    if open.len() == MOST_LEVELS {
                        return fault(at, &format!("more than {MOST_LEVELS} braces within each other"));
                    }
                    open.push(Open { at, entry: network.last, ends: Vec::new(), filled: false });
                    at += 1;
                }
                (b'/' | b'}', Some(brace)) => {
                    if !brace.filled {
                        return fault(at, "an alternative without a word; `@` is nothing");
                    }
                    brace.ends.push(network.last);
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

    /// The positions before a position that is not the start.
    pub(crate) fn before(&self, position: usize) -> &[u32] {
        self.span(self.words[position - 1].before)
    }

    /// The last positions.
    pub(crate) fn last(&self) -> &[u32] {
        self.span(self.last)
    }

    fn span(&self, (from, to): Span) -> &[u32] {
        &self.arcs[from as usize..to as usize]
    }

    fn push(&mut self, word: &'t str, settings: Settings) -> Result<()> {
        let text = word.strip_suffix('*').filter(|rest| !rest.is_empty()).unwrap_or(word);
        let within = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let (role, plain) = match within.filter(|_| settings.optional != Optional::Word) {
            Some(plain) => (Role::Optional, plain),
            None if text == "@" => (Role::Nothing, text),
            None => (Role::Plain, text),
        };
        // The bytes in the order of the text, as digits: words of up to eight letters rarely meet.
        let hash =
            plain.bytes().fold(0_u64, |hash, byte| hash.wrapping_mul(0x100_0000_01B3) ^ u64::from(byte));
        self.words.push(Word { text, plain, hash, role, before: self.last });
        self.arcs.push(self.words.len() as u32);
        self.last = (self.arcs.len() as u32 - 1, self.arcs.len() as u32);
        self.require_few()
    }

    /// The ends of alternatives as one list, in the order of the text.
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

/// True if words of both sides are the same. A fragment of the reference alone decides; else one of the hypothesis.
pub(crate) fn same(one: &Word<'_>, other: &Word<'_>, fragments: bool) -> bool {
    let fragment = || begins(one.plain, other.plain).or_else(|| begins(other.plain, one.plain));
    one.hash == other.hash && one.plain == other.plain || fragments && fragment() == Some(true)
}

/// If the first is a fragment, true if it is one of the second.
fn begins(fragment: &str, word: &str) -> Option<bool> {
    if fragment.len() < 2 {
        return None;
    }
    let end = fragment.strip_prefix('-').map(|end| word.ends_with(end));
    end.or_else(|| fragment.strip_suffix('-').map(|start| word.starts_with(start)))
}
