//! `rouge` and `rouge-stem`: tokenizers with the tokens of Google's rouge_score. `rouge155` and
//! `rouge155-stem`: tokenizers with the tokens of ROUGE-1.5.5.
//!
//! Rule: the line is lower-cased, and the tokens are the runs of `a` to `z` and `0` to `9`. `rouge-stem`
//! replaces each token of more than three characters by its Porter stem.
//!
//! Only characters that are ASCII after lower-casing are kept. `naïve` gives `na` and `ve`, the Kelvin sign
//! gives `k`, `İ` gives `i`, the underscore separates, and Chinese text has no tokens. ROUGE-1.5.5
//! lower-cases A to Z only, so there the Kelvin sign and `İ` separate.
//!
//! Singular cases: a line without such characters has no tokens. Errors: Returns an error for a line of 4 GiB
//! or more.
//! Source: rouge_score 0.1.2 with its default tokenizer, without and with `use_stemmer` (NLTK 3.10.4).

use super::buffer::{TokenBuffer, Tokens};
use super::byte_runs::{self, ByteClass};
use super::sets::within;
use super::{Tokenizer, TokenizerEntry};
use bleuprint_core::Result;
use memchr::memmem::Finder;
use std::sync::LazyLock;
use wide::u8x16;

pub(super) const ENTRY: TokenizerEntry = TokenizerEntry::new(
    "rouge",
    "runs of ASCII letters and digits in lower case, the default of rouge_score",
    |_| Ok(Box::new(Rouge { name: ENTRY.name, stem: false, ascii: false })),
)
.agrees_with("rouge_score 0.1.2");

pub(super) const STEMMED: TokenizerEntry = TokenizerEntry::new(
    "rouge-stem",
    "as rouge, with Porter stems of words of more than three letters",
    |_| Ok(Box::new(Rouge { name: STEMMED.name, stem: true, ascii: false })),
)
.agrees_with("rouge_score 0.1.2");

pub(super) const PERL: TokenizerEntry = TokenizerEntry::new(
    "rouge155",
    "as rouge, with A to Z alone in lower case, the default of ROUGE-1.5.5",
    |_| Ok(Box::new(Rouge { name: PERL.name, stem: false, ascii: true })),
)
.agrees_with("ROUGE-1.5.5");

pub(super) const PERL_STEMMED: TokenizerEntry = TokenizerEntry::new(
    "rouge155-stem",
    "as rouge155, with Porter stems of words of more than three letters",
    |_| Ok(Box::new(Rouge { name: PERL_STEMMED.name, stem: true, ascii: true })),
)
.agrees_with("ROUGE-1.5.5");

struct Rouge {
    name: &'static str,
    stem: bool,
    /// `true` if only the letters A to Z are lower-cased, as in ROUGE-1.5.5.
    ascii: bool,
}

/// The two characters beyond ASCII whose lower case contains an ASCII letter: the Kelvin sign and `İ`. For
/// each, a searcher, the character and its lower case.
// The searchers are built once, since building one takes as long as searching a line.
static FINDERS: LazyLock<[(Finder<'static>, &str, &str); 2]> = LazyLock::new(|| {
    [("\u{212A}", "k"), ("\u{130}", "i\u{307}")].map(|(from, to)| (Finder::new(from), from, to))
});

/// Maximum length in characters of tokens that are never stemmed.
const NEVER_STEMMED: usize = 3;

impl Tokenizer for Rouge {
    fn token_space(&self) -> &str {
        self.name
    }

    fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
        buffer.text.clear();
        buffer.text.push_str(line);
        // Full lower-casing is not needed: all other letters beyond ASCII only separate tokens.
        if !self.ascii && !line.is_ascii() {
            for (finder, from, to) in FINDERS.iter() {
                if finder.find(line.as_bytes()).is_some() {
                    buffer.replace(from, to);
                }
            }
        }
        buffer.text.make_ascii_lowercase();
        buffer.cut_own(byte_runs::cut::<LowerAlphanumeric>)?;
        if self.stem {
            stem_all(buffer);
        }
        buffer.own_tokens()
    }
}

/// Rule for splitting a text byte by byte: lower-case ASCII letters and digits form tokens, and every other
/// byte separates them.
struct LowerAlphanumeric;

impl ByteClass for LowerAlphanumeric {
    #[inline(always)]
    fn tokens(bytes: u8x16) -> u8x16 {
        within(bytes, b'a', b'z') | within(bytes, b'0', b'9')
    }
}

#[derive(Default)]
struct Stem(String);

/// Replaces all tokens in the buffer by their stems: writes the stems one after the other and updates the
/// byte ranges of the tokens.
fn stem_all(buffer: &mut TokenBuffer) {
    let TokenBuffer { text, spare, spans, scratches } = buffer;
    let Stem(stem) = scratches.get();
    spare.clear();
    spans.rewrite(|start, end| {
        let from = spare.len();
        if end - start > NEVER_STEMMED {
            bleuprint_stem::porter(&text[start..end], stem);
            spare.push_str(stem);
        } else {
            spare.push_str(&text[start..end]);
        }
        // A stem is never empty, and is at most one letter longer than the word.
        (from < spare.len()).then_some((from, spare.len()))
    });
    std::mem::swap(text, spare);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokenize::buffer::TokenSpans;

    #[test]
    fn letters_that_become_ascii_survive_wherever_they_are() {
        for before in 0..70 {
            let line = format!("{}3\u{212A}b \u{130}T„я“", "ы".repeat(before));
            let mut buffer = TokenBuffer::default();
            for (ascii, expected) in [(false, &["3kb", "i", "t"][..]), (true, &["3", "b", "t"])] {
                let rouge = Rouge { name: "rouge", stem: false, ascii };
                let tokens = rouge.tokenize(&line, &mut buffer).unwrap();
                assert_eq!(tokens.iter().collect::<Vec<_>>(), expected);
            }
        }
    }

    quickcheck::quickcheck! {
        fn tokens_are_the_runs(text: String, ascii: Vec<u8>) -> bool {
            let ascii: String = ascii.iter().map(|byte| char::from(byte & 0x7F)).collect();
            let text = format!("{text}{ascii}{text}");
            let mut spans = TokenSpans::default();
            byte_runs::cut::<LowerAlphanumeric>(&text, &mut spans);
            let naive = text.split(|c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit()));
            spans.iter().map(|(start, end)| &text[start..end]).eq(naive.filter(|run| !run.is_empty()))
        }
    }
}
