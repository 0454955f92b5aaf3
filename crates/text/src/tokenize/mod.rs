//! Tokenizers. Each has a separate file and one line in the registry.
//!
//! A tokenizer splits a line into tokens. Tokens are spans of the line itself if the text is unchanged. If a
//! tokenizer changes the text, as `13a` does for `&quot;`, they are spans of the [`TokenBuffer`]. The buffer
//! is reused from line to line, so a line needs no allocation once the buffer has grown.

mod ascii_space;
mod buffer;
mod byte_runs;
mod bytes;
mod character;
mod codepoint;
mod entry;
mod grapheme;
mod hash;
mod hf;
mod ids;
mod intl;
mod jiwer;
mod language;
mod lines;
mod mecab;
mod mixed;
mod mteval;
mod none;
mod ptb;
mod python;
mod registry;
mod rouge;
mod runs;
mod scratch;
mod sets;
mod spm;
mod squad;
mod tercom;
mod tokenizers;
mod v13a;
mod word;
mod zh;
mod zh_jieba;

pub use buffer::{TokenBuffer, TokenSpans, Tokens};
pub use entry::{Takes, TokenizerEntry, TokenizerOptions, TokenizerRequest};
pub(crate) use hash::hash;
pub use language::tokenizer_for_pair;
pub use registry::tokenizer;
pub use tercom::{Tercom, TercomOptions};
pub use tokenizers::Tokenizers;

use std::sync::Arc;

use bleuprint_core::{Case, ConfigError, InputError, Result};

/// A function from lines to tokens.
///
/// ```
/// use bleuprint_core::Result;
/// use bleuprint_text::{TokenBuffer, Tokenizer, Tokens};
///
/// /// One token per comma-separated field.
/// struct FieldReader;
/// impl Tokenizer for FieldReader {
///     fn token_space(&self) -> &str {
///         "fields"
///     }
///     fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
///         buffer.cut(line, |line, spans| spans.push_pieces(line, line.split(',')))
///     }
/// }
/// let mut buffer = TokenBuffer::default();
/// let tokens = FieldReader.tokenize("a b,c", &mut buffer)?;
/// assert_eq!(tokens.iter().collect::<Vec<_>>(), ["a b", "c"]);
/// # Ok::<(), bleuprint_core::InputError>(())
/// ```
pub trait Tokenizer: Send + Sync {
    /// Returns the token space: the value of `tok:` in the signature and the state key, such as `13a`,
    /// `ja-mecab-0.996-IPA` or `spm#1f0c..`. Tokens of different spaces must not be compared, and their
    /// counts must not be merged.
    fn token_space(&self) -> &str;

    /// Returns the tokens of one line. The caller has lower-cased the line if required.
    ///
    /// Lines are passed as they were read. The tokenizer drops trailing whitespace itself, as sacreBLEU does.
    ///
    /// # Errors
    /// Returns an error if the line has 4 GiB or more, or exceeds a limit of a model or dictionary. Every
    /// other line is accepted, unless [`Tokenizer::refuses_lines`] is `true`.
    fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>>;

    /// Returns the tokens of a reference. They are the tokens of [`Tokenizer::tokenize`], except for programs
    /// that treat references differently from hypotheses.
    ///
    /// # Errors
    /// Returns the errors of [`Tokenizer::tokenize`].
    fn tokenize_reference<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
        self.tokenize(line, buffer)
    }

    /// Returns the case that the tokenizer applies itself, as set by [`TokenizerOptions::case`]; callers then
    /// leave the text unchanged and record this case. Returns `None` if callers must change the case.
    fn case(&self) -> Option<Case> {
        None
    }

    /// Returns `true` if whitespace that Python's `rstrip` removes can be part of a token, such as a no-break
    /// space in Perl. Readers then drop only the line feed; see [`crate::LineReader::with_line_ends`].
    fn raw_lines(&self) -> bool {
        false
    }

    /// Returns `true` if a line can be invalid for this tokenizer, such as a line of ids or tuples. Error
    /// messages then name the file of the line.
    fn refuses_lines(&self) -> bool {
        false
    }

    /// Returns `true` if the tokenizer assigns ids to its tokens, which [`Tokenizer::ids`] returns.
    fn has_ids(&self) -> bool {
        false
    }

    /// Returns `true` if equal [`Tokenizer::ids`] mean equal tokens, so that ids can replace tokens. This is
    /// `false` for models whose unknown pieces share an id.
    fn ids_are_tokens(&self) -> bool {
        false
    }

    /// Appends the tokenizer's ids for the tokens of a line to `ids`.
    ///
    /// # Errors
    /// Returns the errors of [`Tokenizer::tokenize`], and an error for every line if the tokenizer has no ids
    /// ([`Tokenizer::has_ids`]).
    fn ids(&self, line: &str, buffer: &mut TokenBuffer, ids: &mut Vec<u32>) -> Result<()> {
        let _ = (line, buffer, ids);
        Err(InputError::malformed(format!("the tokenizer `{}` has no ids", self.token_space())))
    }
}

/// A tokenizer made of one function, whose tokens are pieces of the line.
struct PieceCutter {
    token_space: String,
    /// Returns the part of the line to split.
    trim: fn(&str) -> &str,
    /// Pushes the tokens of that part.
    cut: fn(&str, &mut TokenSpans),
}

impl PieceCutter {
    fn boxed(
        token_space: impl Into<String>,
        trim: fn(&str) -> &str,
        cut: fn(&str, &mut TokenSpans),
    ) -> Result<Box<dyn Tokenizer>, ConfigError> {
        Ok(Box::new(PieceCutter { token_space: token_space.into(), trim, cut }))
    }
}

impl Tokenizer for PieceCutter {
    fn token_space(&self) -> &str {
        &self.token_space
    }

    fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
        buffer.cut((self.trim)(line), self.cut)
    }
}

/// Implements [`Tokenizer`] for pointers to a tokenizer.
macro_rules! forward {
    ($($pointer:ty),+) => {$(
        impl<K: Tokenizer + ?Sized> Tokenizer for $pointer {
            method!(fn token_space(&self) -> &str);
            method!(fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>>);
            method!(fn tokenize_reference<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>>);
            method!(fn case(&self) -> Option<Case>);
            method!(fn raw_lines(&self) -> bool);
            method!(fn refuses_lines(&self) -> bool);
            method!(fn has_ids(&self) -> bool);
            method!(fn ids_are_tokens(&self) -> bool);
            method!(fn ids(&self, line: &str, buffer: &mut TokenBuffer, ids: &mut Vec<u32>) -> Result<()>);
        }
    )+};
}

forward!(&K, Box<K>, Arc<K>);
