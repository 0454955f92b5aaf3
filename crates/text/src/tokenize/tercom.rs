//! `tercom`: the tokenizer of the translation edit rate (TER).
//!
//! Rule, in this order; steps 1 and 2 apply only if their option is set:
//!
//! 1. `normalized`: a line feed and a dash directly after it are deleted, and entities are unescaped as in
//!    `13a`. Then the symbol, punctuation and dash rules of `13a` apply, and `'s` becomes a token if a space,
//!    a symbol or the end of the line follows. With `asian_support`, Han characters and East Asian
//!    punctuation are separate tokens too.
//! 2. `no_punct`: the characters `. , ? : ; ! " ( )` are deleted from the tokens; with `asian_support`, East
//!    Asian punctuation too.
//! 3. In every case, the line is split at whitespace.
//!
//! In names, the options follow in this order: `tercom-norm-nopunct-asian`. The caller lower-cases the text,
//! which is TER's default; see [`bleuprint_core::Case`].
//!
//! Singular cases: an empty or blank line has no tokens; a token that consists only of deleted punctuation
//! disappears; `asian_support` alone has no effect. With `normalized` the rule is not idempotent: `x's.`
//! gives `x's .`, and a second pass gives `x 's .`. sacreBLEU applies it twice to references, and so does
//! [`Tokenizer::tokenize_reference`]. Errors: Returns an error for a line of 4 GiB or more.
//!
//! Source: sacreBLEU 2.6.0, TER, compared under all sixteen sets of options.

use super::buffer::{TokenBuffer, Tokens};
use super::none::WhitespaceRules;
use super::runs::{self, MARK, RunRules, SPACE, SYMBOL, WIDE, WORD};
use super::v13a::unescape;
use super::{Takes, Tokenizer, TokenizerEntry, TokenizerRequest};
use crate::whitespace::{is_whitespace_code, rstrip};
use bleuprint_core::{ConfigError, Result};

pub(super) const ENTRY: TokenizerEntry = TokenizerEntry::new(
    "tercom",
    "the tokenizer of TER; tercom-norm-nopunct-asian, or some of these, with its options",
    build,
)
.aliases(&["ter"])
.agrees_with("sacreBLEU 2.6.0")
.takes(&[Takes::OptionsInName]);

fn build(request: &TokenizerRequest<'_>) -> Result<Box<dyn Tokenizer>, ConfigError> {
    let Some(given) = request.argument else { return Ok(Box::new(Tercom::new(TercomOptions::default()))) };
    let name = format!("tercom-{given}");
    // Every set of options but the empty one; only the canonical order of the options is a name.
    let mut all = (1..8_u8).map(|bits| TercomOptions {
        normalized: bits & 1 > 0,
        no_punct: bits & 2 > 0,
        asian_support: bits & 4 > 0,
    });
    let options =
        all.find(|options| options.name() == name).ok_or_else(|| request.tokenizers.unknown(&name))?;
    Ok(Box::new(Tercom::new(options)))
}

/// The options of the tokenizer [`Tercom`] for the translation edit rate (TER). All are off by default, as in
/// sacreBLEU.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_structs, reason = "built with `..Default::default()`")]
pub struct TercomOptions {
    /// `true` if the tokenizer separates punctuation from words.
    pub normalized: bool,
    /// `true` if the tokenizer deletes punctuation.
    pub no_punct: bool,
    /// `true` if `normalized` and `no_punct` also apply to East Asian text. It has no effect alone.
    pub asian_support: bool,
}

impl TercomOptions {
    /// Returns the name of the tokenizer with these options: `tercom`, followed by the active options.
    ///
    /// ```
    /// use bleuprint_text::tokenize::TercomOptions;
    /// let options = TercomOptions { normalized: true, asian_support: true, ..Default::default() };
    /// assert_eq!(options.name(), "tercom-norm-asian");
    /// ```
    pub fn name(self) -> String {
        let marks = [(self.normalized, "-norm"), (self.no_punct, "-nopunct"), (self.asian_support, "-asian")];
        let marks = marks.iter().filter(|(on, _)| *on).map(|(_, mark)| *mark);
        std::iter::once("tercom").chain(marks).collect()
    }
}

/// The tokenizer of the translation edit rate (TER).
#[derive(Debug, Clone)]
pub struct Tercom {
    options: TercomOptions,
    token_space: String,
}

impl Tercom {
    /// Creates a tokenizer for the translation edit rate with these options.
    pub fn new(options: TercomOptions) -> Self {
        Tercom { options, token_space: options.name() }
    }

    /// Tokenizes the line, and leaves the rewritten text and the byte ranges of the tokens in the buffer.
    fn tokenize_into(&self, line: &str, buffer: &mut TokenBuffer) -> Result<()> {
        let options = self.options;
        buffer.text.clear();
        buffer.text.push_str(rstrip(line));
        if options.normalized {
            buffer.replace("\n-", "");
            unescape(buffer);
            if options.asian_support {
                buffer.cut_own(runs::cut::<TercomRules<true>>)?
            } else {
                buffer.cut_own(runs::cut::<TercomRules<false>>)?
            };
        } else {
            buffer.cut_own(runs::cut::<WhitespaceRules>)?;
        }
        if options.no_punct {
            delete_punctuation(buffer, options.asian_support);
        }
        Ok(())
    }
}

impl Tokenizer for Tercom {
    fn token_space(&self) -> &str {
        &self.token_space
    }

    fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
        if self.options == TercomOptions::default() {
            // Without options the line is unchanged, so its tokens need no copy.
            return buffer.cut(line, runs::cut::<WhitespaceRules>);
        }
        self.tokenize_into(line, buffer)?;
        buffer.own_tokens()
    }

    fn tokenize_reference<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
        if !self.options.normalized {
            return self.tokenize(line, buffer);
        }
        // sacreBLEU preprocesses references twice, which matters only for the rule that is not idempotent.
        let Once(mut once) = std::mem::take(buffer.scratch());
        once.clear();
        let joined = self.tokenize(line, buffer).map(|tokens| tokens.join(&mut once));
        let done = joined.and_then(|()| self.tokenize_into(&once, buffer));
        *buffer.scratch() = Once(once);
        done?;
        buffer.own_tokens()
    }
}

/// Buffer for the text of a reference between two tokenizations. sacreBLEU tokenizes each reference twice for
/// TER, and the second time can change the tokens again.
#[derive(Default)]
struct Once(String);

/// Deletes punctuation from the buffer's tokens, and drops tokens that become empty.
fn delete_punctuation(buffer: &mut TokenBuffer, asian: bool) {
    let TokenBuffer { text, spare, spans, .. } = buffer;
    spare.clear();
    spans.rewrite(|start, end| {
        let from = spare.len();
        let token = text.get(start..end).unwrap_or_default();
        spare.extend(token.chars().filter(|&c| !is_punctuation(c, asian)));
        (from < spare.len()).then_some((from, spare.len()))
    });
    std::mem::swap(text, spare);
}

fn is_punctuation(c: char, asian: bool) -> bool {
    matches!(c, '.' | ',' | '?' | ':' | ';' | '!' | '"' | '(' | ')')
        || asian && is_asian_punctuation(c as u32)
}

/// Returns `true` for East Asian punctuation, including full-width forms.
const fn is_asian_punctuation(code: u32) -> bool {
    matches!(code,
        0x3001 | 0x3002 | 0x3008..=0x3011 | 0x3014..=0x301F | 0x30FB | 0xFF61..=0xFF65
        | 0xFF01 | 0xFF02 | 0xFF08 | 0xFF09 | 0xFF0C | 0xFF0E | 0xFF1A | 0xFF1B | 0xFF1F)
}

/// Returns `true` for East Asian characters that `asian_support` makes separate tokens, apart from
/// punctuation. The range that begins at U+3200 ends at U+3F22, as in sacreBLEU.
const fn is_asian(code: u32) -> bool {
    matches!(code,
        0x2E80..=0x2EFF | 0x31C0..=0x31EF | 0x3200..=0x3F22 | 0x3400..=0x4DBF
        | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0xFE30..=0xFE4F)
}

/// The rules by which TER's option `normalized` separates punctuation. TER adds spaces around the text, so
/// its start and end do not count as numbers.
struct TercomRules<const ASIAN: bool>;

impl<const ASIAN: bool> RunRules for TercomRules<ASIAN> {
    const BYTES: &'static [u8; 256] = &bytes(ASIAN);
    const EDGE_IS_NUMBER: bool = false;

    #[inline(always)]
    fn wide(code: u32) -> u8 {
        if is_whitespace_code(code) {
            SPACE
        } else if ASIAN && (is_asian(code) || is_asian_punctuation(code)) {
            SYMBOL
        } else {
            WORD
        }
    }

    #[inline]
    fn cut_before(bytes: &[u8], at: usize) -> bool {
        // sacreBLEU's patterns cut `'s` before a space, the end of the line, or a symbol, which its earlier
        // pattern has surrounded with spaces.
        match (bytes.get(at + 1), bytes.get(at + 2)) {
            (Some(b's'), None | Some(b' ' | b'\n')) => true,
            (Some(b's'), Some(&next)) => next.is_ascii() && Self::BYTES[next as usize] == SYMBOL,
            _ => false,
        }
    }
}

const fn bytes(asian: bool) -> [u8; 256] {
    let mut bytes = runs::bytes_of_13a();
    bytes[b'\'' as usize] = MARK;
    let mut lead = 0xE2;
    // Lead bytes of the East Asian ranges above.
    while asian && lead < 0xF0 {
        if matches!(lead, 0xE2..=0xE9 | 0xEF) {
            bytes[lead] = WIDE;
        }
        lead += 1;
    }
    bytes
}
