//! Tokenizers, which split lines of text into tokens. Each has a separate file and one line in the registry.
//!
//! Tokens are byte ranges of the line itself if the text is unchanged. If a tokenizer changes the text, as
//! `13a` does for `&quot;`, they are byte ranges of the [`TokenBuffer`]. The buffer is reused from line to
//! line, so a line needs no allocation once the buffer has grown.

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
pub use python::run_in_python;
pub use registry::tokenizer;
pub use tercom::{Tercom, TercomOptions};
pub use tokenizers::Tokenizers;

use std::sync::Arc;

use bleuprint_core::{Case, ConfigError, InputError, Result};

/// A function that splits a line of text into tokens.
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
    /// Returns the token space, an identifier of the tokenizer with its version or model: `13a`,
    /// `ja-mecab-0.996-IPA`, `spm#1f0c..`. It is the value of `tok:` in a score's signature and in the key of
    /// its statistics. Tokens of different spaces must not be compared, and their counts must not be merged.
    fn token_space(&self) -> &str;

    /// Returns the tokens of one line. The caller must have lower-cased the line if that is required.
    ///
    /// The line may have trailing whitespace, which the tokenizer drops itself, as sacreBLEU does.
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

    /// Returns the case of letters that the tokenizer itself applies, as set by [`TokenizerOptions::case`].
    /// Callers then pass the line unchanged, and record this case as the case of the tokens. Returns `None`
    /// if callers must change the case themselves.
    fn case(&self) -> Option<Case> {
        None
    }

    /// Returns `true` if trailing whitespace, such as a no-break space, can be part of a token. Readers then
    /// drop only the line feed; see [`crate::LineReader::with_line_ends`].
    fn raw_lines(&self) -> bool {
        false
    }

    /// Returns `true` if the tokenizer rejects some lines, because they must have a form such as a list of
    /// ids. Error messages then name the file of the line.
    fn refuses_lines(&self) -> bool {
        false
    }

    /// Returns `true` if the tokenizer has numeric ids for its tokens, which [`Tokenizer::ids`] returns.
    fn has_ids(&self) -> bool {
        false
    }

    /// Returns `true` if tokens with equal [`Tokenizer::ids`] are equal, so that ids can replace tokens. It
    /// is `false` for models that give all unknown pieces one id.
    fn ids_are_tokens(&self) -> bool {
        false
    }

    /// Appends the numeric ids of a line's tokens to `ids`.
    ///
    /// # Errors
    /// Returns the errors of [`Tokenizer::tokenize`], and an error for every line if the tokenizer has no ids
    /// ([`Tokenizer::has_ids`]).
    fn ids(&self, line: &str, buffer: &mut TokenBuffer, ids: &mut Vec<u32>) -> Result<()> {
        let _ = (line, buffer, ids);
        Err(InputError::malformed(format!("the tokenizer `{}` has no ids", self.token_space())))
    }
}

/// A tokenizer made of two functions: one trims the line, and one splits it. Its tokens are slices of the
/// line.
struct PieceCutter {
    token_space: String,
    /// Function that returns the part of a line that is split into tokens, such as the line without trailing
    /// whitespace.
    trim: fn(&str) -> &str,
    /// Function that splits the trimmed line into tokens, and adds their byte ranges to the given list.
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

/// Implements [`Tokenizer`] for pointer types, such as a box that holds a tokenizer.
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
