//! `ptb`: a tokenizer for image captions, with the tokens that the COCO evaluation counts.
//!
//! Rule: the Penn Treebank tokens of Stanford's tokenizer, in lower case and without punctuation.
//!
//! - Words, numbers, abbreviations, addresses and emoticons are the longest match of one list of rules.
//! - Contractions are split (`ca n't`, `it 's`, `gon na`).
//! - Brackets are written `-lrb-`, `-rrb-`, `-lsb-`, `-lcb-` .., and currency signs as in the Treebank (`£`
//!   is `#`, `€` is `$`).
//!
//! Then quotation marks, backquotes and the tokens `.`, `?`, `!`, `,`, `:`, `;`, `-`, `--` and `...` are
//! dropped. Brackets are kept, because the evaluation drops only their names in capitals. Runs such as `!!`
//! and `?!` are kept.
//!
//! Singular cases: an empty line and a line of punctuation alone have no tokens. Emoji, control characters
//! and characters added after Unicode 6 separate tokens and are dropped. A token with spaces inside, such as
//! an HTML tag or `1 1/2`, is split at the spaces, as in COCO's BLEU and CIDEr.
//!
//! Each line is tokenized separately. Stanford's program reads all captions as one text. It therefore drops
//! the period of an initial at the end of a caption (`.. and John F.`) if the next caption begins with an
//! article or pronoun.
//!
//! | known difference, in rare text | the program | here |
//! |---|---|---|
//! | a telephone number before a year, `555-1234 1990s` | `1990 s` | `1990s` |
//! | `&apos;` in a contraction, `it&apos;s` | `it 's` | `it s` |
//!
//! Errors: Returns an error for a line of 4 GiB or more. The crate feature `ptb` is required. Source:
//! `PTBTokenizer` of Stanford CoreNLP 3.4.1 with `-preserveLines -lowerCase`, as pycocoevalcap 1.2 runs it,
//! compared on 500 000 lines.

use super::TokenizerEntry;

#[cfg(feature = "ptb")]
mod classes;
#[cfg(feature = "ptb")]
mod lexer;
#[cfg(feature = "ptb")]
mod rules;
#[cfg(all(test, feature = "ptb"))]
mod tests;

pub(super) const ENTRY: TokenizerEntry = TokenizerEntry::new(
    "ptb",
    "Penn Treebank tokens in lower case without punctuation, as the COCO evaluation of captions",
    build,
)
.aliases(&["coco"])
.agrees_with("PTBTokenizer of pycocoevalcap 1.2")
.needs("ptb", cfg!(feature = "ptb"));

#[cfg(not(feature = "ptb"))]
fn build(_: &super::TokenizerRequest<'_>) -> Result<Box<dyn super::Tokenizer>, bleuprint_core::ConfigError> {
    Err(super::entry::feature_missing("the tokenizer `ptb`", "ptb"))
}

#[cfg(feature = "ptb")]
use enabled::build;

#[cfg(feature = "ptb")]
mod enabled {
    use super::super::buffer::{TokenBuffer, Tokens, check_len};
    use super::super::{Tokenizer, TokenizerRequest};
    use super::ENTRY;
    use super::classes::{class, rewritten};
    use super::lexer::{LEXER, PtbLexer, next};
    use super::rules::Action;
    use bleuprint_core::{ConfigError, InputError, Result};
    use regex_automata::hybrid::dfa::Cache;

    pub(super) fn build(_: &TokenizerRequest<'_>) -> Result<Box<dyn Tokenizer>, ConfigError> {
        let unusable = |reason: &String| ConfigError::Resource {
            what: "the tokenizer `ptb`".to_owned(),
            reason: reason.clone(),
            hint: "its rules need regex-automata 0.4".to_owned(),
        };
        Ok(Box::new(Ptb { lexer: LEXER.as_ref().map_err(unusable)? }))
    }

    struct Ptb {
        lexer: &'static PtbLexer,
    }

    /// The punctuation tokens that the COCO caption evaluation drops.
    const PUNCTUATION: [&str; 13] = ["''", "'", "``", "`", ".", "?", "!", ",", ":", "-", "--", "...", ";"];

    /// Working memory for one line: the classes and byte positions of its characters, and the current token.
    #[derive(Default)]
    struct PtbScratch {
        cache: Option<Cache>,
        classes: Vec<u8>,
        starts: Vec<u32>,
        token: String,
    }

    impl Tokenizer for Ptb {
        fn token_space(&self) -> &str {
            ENTRY.name
        }

        fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
            check_len(line)?;
            let mut scratch = std::mem::take(buffer.scratch::<PtbScratch>());
            let done = self.cut(line, buffer, &mut scratch);
            *buffer.scratch() = scratch;
            done?;
            check_len(&buffer.text)?;
            buffer.own_tokens()
        }
    }

    impl Ptb {
        fn cut(&self, line: &str, buffer: &mut TokenBuffer, scratch: &mut PtbScratch) -> Result<()> {
            let PtbScratch { cache, classes, starts, token } = scratch;
            let cache = cache.get_or_insert_with(|| self.lexer.automaton.create_cache());
            classes.clear();
            starts.clear();
            for (start, c) in line.char_indices() {
                classes.push(class(c));
                starts.push(start as u32);
            }
            // A line break follows the last character, since some rules match the end of a line.
            classes.push(b'\n');
            let byte = |at: usize| starts.get(at).map_or(line.len(), |start| *start as usize);
            buffer.text.clear();
            buffer.spans.clear();
            let mut at = 0;
            while at < starts.len() {
                let (end, action) = next(self.lexer, cache, classes, at).map_err(InputError::malformed)?;
                token.clear();
                write(&line[byte(at)..byte(end)], action, token);
                // A match may contain spaces; its pieces are compared with the dropped tokens one by one.
                for piece in token.split_whitespace().filter(|piece| !PUNCTUATION.contains(piece)) {
                    let start = buffer.text.len();
                    buffer.text.push_str(piece);
                    buffer.spans.push(start, buffer.text.len());
                }
                at = end;
            }
            Ok(())
        }
    }

    fn write(matched: &str, action: Action, token: &mut String) {
        match action {
            Action::Drop => {}
            Action::As(text) => token.push_str(text),
            Action::Verbatim => token.push_str(&matched.to_lowercase()),
            Action::Token | Action::Apostrophe => {
                let quote = if action == Action::Apostrophe { ascii_quote } else { |_| None };
                // Lower-casing may change the number of characters, so it comes before the replacements.
                for c in matched.to_lowercase().chars() {
                    match quote(c).or_else(|| rewritten(c)) {
                        Some(text) => token.push_str(text),
                        None => token.push(c),
                    }
                }
            }
        }
    }

    /// Returns the ASCII form of a typographic quotation mark, as in the Penn Treebank.
    fn ascii_quote(c: char) -> Option<&'static str> {
        match c {
            '\u{91}' | '\u{2018}' | '\u{2039}' | '\u{201B}' => Some("`"),
            '\u{92}' | '\u{2019}' | '\u{203A}' => Some("'"),
            '\u{93}' | '\u{201C}' | '\u{AB}' => Some("``"),
            '\u{94}' | '\u{201D}' | '\u{BB}' => Some("''"),
            _ => None,
        }
    }
}
