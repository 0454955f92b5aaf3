//! `tercom`: the tokenizer of TER.
//!
//! Rule, each step by its option:
//! 1. lower-case, unless `case_sensitive`;
//! 2. `normalized`: delete a line feed with the dash after it, unescape as `13a`, then the symbol, punctuation and
//!    dash rules of `13a`, and cut before `'s` where a space, a symbol or the end of the line follows;
//!    with `asian_support` also isolate Han characters and East Asian punctuation;
//! 3. `no_punct`: delete `. , ? : ; ! " ( )` from the tokens; with `asian_support` East Asian punctuation as well;
//! 4. split at whitespace.
//!
//! Singular cases: an empty or blank line has no tokens; a token of nothing but deleted punctuation disappears;
//! `asian_support` alone does nothing. With `normalized` the rule is not idempotent (`x's.` gives `x's .`, and that
//! `x 's .`), and sacreBLEU applies it twice to references: see [`Tercom::tokenize_reference`].
//! Errors: a line of 4 GiB or more.
//! Source: sacreBLEU 2.6.0, TER, compared under all sixteen option sets.
//!
//! ```
//! use bleuprint_text::tokenize::{Tercom, TercomOptions};
//! use bleuprint_text::{TokenBuffer, Tokenizer};
//! let mut buffer = TokenBuffer::default();
//! let plain = Tercom::new(TercomOptions::default());
//! assert_eq!(plain.tokenize("A B C D.", &mut buffer)?.to_string(), "a b c d.");
//! let normalized = Tercom::new(TercomOptions { normalized: true, ..Default::default() });
//! assert_eq!(normalized.tokenize("Jim's car; dogs' 's", &mut buffer)?.to_string(), "jim 's car ; dogs' 's");
//! # Ok::<(), bleuprint_core::InputError>(())
//! ```

use super::Tokenizer;
use super::buffer::{TokenBuffer, Tokens};
use super::none::WhitespaceRules;
use super::registry::{TokenizerEntry, TokenizerOptions};
use super::runs::{self, MARK, Rules, SPACE, SYMBOL, WIDE, WORD};
use super::v13a::unescape;
use crate::lowercase;
use crate::whitespace::{is_whitespace_code, rstrip};
use bleuprint_core::{ConfigError, InputError};

pub(super) const ENTRY: TokenizerEntry = TokenizerEntry {
    name: "tercom",
    aliases: &["ter"],
    summary: "the tokenizer of TER, lower-casing by default",
    source: "sacreBLEU 2.6.0",
    feature: None,
    build,
};

fn build(options: &TokenizerOptions) -> Result<Box<dyn Tokenizer>, ConfigError> {
    Ok(Box::new(Tercom::new(options.tercom)))
}

/// The options of [`Tercom`], all off by default as in sacreBLEU.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct TercomOptions {
    /// Cut off punctuation.
    pub normalized: bool,
    /// Delete punctuation.
    pub no_punct: bool,
    /// Let both know East Asian text.
    pub asian_support: bool,
    /// Keep capital letters.
    pub case_sensitive: bool,
}

/// The tokenizer of TER.
#[derive(Debug, Clone)]
pub struct Tercom {
    options: TercomOptions,
    token_space: String,
}

impl Tercom {
    /// A tokenizer with these options. The token space is `tercom`, followed by the options that are on.
    pub fn new(options: TercomOptions) -> Self {
        let mut token_space = String::from("tercom");
        let names = [
            (options.normalized, "-norm"),
            (options.no_punct, "-nopunct"),
            (options.asian_support, "-asian"),
            (options.case_sensitive, "-case"),
        ];
        token_space.extend(names.iter().filter(|(on, _)| *on).map(|(_, name)| *name));
        Tercom { options, token_space }
    }

    /// The options.
    pub fn options(&self) -> TercomOptions {
        self.options
    }

    /// The tokens of a reference: sacreBLEU tokenizes references twice, and with `normalized` twice is not once.
    ///
    /// ```
    /// use bleuprint_text::tokenize::{Tercom, TercomOptions};
    /// use bleuprint_text::{TokenBuffer, Tokenizer};
    /// let tercom = Tercom::new(TercomOptions { normalized: true, ..Default::default() });
    /// let mut buffer = TokenBuffer::default();
    /// assert_eq!(tercom.tokenize("x's.", &mut buffer)?.to_string(), "x's .");
    /// assert_eq!(tercom.tokenize_reference("x's.", &mut buffer)?.to_string(), "x 's .");
    /// # Ok::<(), bleuprint_core::InputError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A line of 4 GiB or more.
    pub fn tokenize_reference<'a>(
        &self,
        line: &'a str,
        buffer: &'a mut TokenBuffer,
    ) -> Result<Tokens<'a>, InputError> {
        if !self.options.normalized {
            return self.tokenize(line, buffer);
        }
        let mut once = std::mem::take(&mut buffer.line);
        once.clear();
        let joined = self.tokenize(line, buffer).map(|tokens| tokens.join(&mut once));
        let done = joined.and_then(|()| self.tokenize_into(&once, buffer));
        buffer.line = once;
        done?;
        Ok(buffer.own_tokens())
    }

    /// Leaves text and spans in the buffer.
    fn tokenize_into(&self, line: &str, buffer: &mut TokenBuffer) -> Result<(), InputError> {
        let options = self.options;
        let line = rstrip(line);
        if options.case_sensitive {
            buffer.text.clear();
            buffer.text.push_str(line);
        } else {
            lowercase(line, &mut buffer.text);
        }
        if options.normalized {
            buffer.replace("\n-", "");
            unescape(buffer);
            match options.asian_support {
                false => buffer.cut_own(runs::cut::<TercomRules<false>>)?,
                true => buffer.cut_own(runs::cut::<TercomRules<true>>)?,
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

    fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>, InputError> {
        self.tokenize_into(line, buffer)?;
        Ok(buffer.own_tokens())
    }
}

/// Rewrites the buffer's tokens without punctuation and without those that it leaves empty.
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

/// East Asian punctuation and its full-width relatives.
const fn is_asian_punctuation(code: u32) -> bool {
    matches!(code,
        0x3001 | 0x3002 | 0x3008..=0x3011 | 0x3014..=0x301F | 0x30FB | 0xFF61..=0xFF65
        | 0xFF01 | 0xFF02 | 0xFF08 | 0xFF09 | 0xFF0C | 0xFF0E | 0xFF1A | 0xFF1B | 0xFF1F)
}

/// What `asian_support` isolates besides punctuation. The upper end of the range that begins with U+3200 is
/// sacreBLEU's.
const fn is_asian(code: u32) -> bool {
    matches!(code,
        0x2E80..=0x2EFF | 0x31C0..=0x31EF | 0x3200..=0x3F22 | 0x3400..=0x4DBF
        | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0xFE30..=0xFE4F)
}

/// The text is padded with spaces, so its edges are not numbers.
struct TercomRules<const ASIAN: bool>;

impl<const ASIAN: bool> Rules for TercomRules<ASIAN> {
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
    while asian && lead < 0xF0 {
        if matches!(lead, 0xE2..=0xE9 | 0xEF) {
            bytes[lead] = WIDE;
        }
        lead += 1;
    }
    bytes
}
