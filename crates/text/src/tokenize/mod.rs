//! Tokenizers: one file each, one line each in the registry.
//!
//! A tokenizer cuts a line into tokens. Tokens are spans of the line itself if the text is unchanged; if a tokenizer
//! changes the text (`13a` with `&quot;`, say), they are spans of the [`TokenBuffer`], which is reused from line to
//! line, so a line costs no allocation once the buffer has grown.

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

pub use buffer::{Spans, TokenBuffer, Tokens};
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
/// struct Fields;
/// impl Tokenizer for Fields {
///     fn token_space(&self) -> &str {
///         "fields"
///     }
///     fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
///         buffer.cut(line, |line, spans| spans.push_pieces(line, line.split(',')))
///     }
/// }
/// let mut buffer = TokenBuffer::default();
/// let tokens = Fields.tokenize("a b,c", &mut buffer)?;
/// assert_eq!(tokens.iter().collect::<Vec<_>>(), ["a b", "c"]);
/// # Ok::<(), bleuprint_core::InputError>(())
/// ```
pub trait Tokenizer: Send + Sync {
    /// The token space: the `tok:` of the signature and of the state key, such as `13a`, `ja-mecab-0.996-IPA` or
    /// `spm#1f0c..`. Tokens of different spaces must not be compared, nor their counts merged.
    fn token_space(&self) -> &str;

    /// The tokens of one line, already lower-cased if requested.
    ///
    /// Lines are passed as read: the tokenizer drops trailing whitespace itself, as sacreBLEU does.
    ///
    /// # Errors
    /// A line of 4 GiB or more, or a limit of a model or dictionary. Other lines are never refused.
    fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>>;

    /// The tokens of a reference: those of [`Tokenizer::tokenize`], except in programs that treat references
    /// differently from hypotheses.
    ///
    /// # Errors
    /// As for [`Tokenizer::tokenize`].
    fn tokenize_reference<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
        self.tokenize(line, buffer)
    }

    /// The case that the tokenizer applies itself, as set by [`TokenizerOptions::case`]; callers then leave the text
    /// unchanged and declare that case. `None` from a tokenizer that leaves case to its callers.
    fn case(&self) -> Option<Case> {
        None
    }

    /// `true` if whitespace that Python's `rstrip` removes can be part of a token, as a no-break space can in Perl:
    /// readers then drop only the line feed, see [`crate::Lines::with_line_ends`].
    fn raw_lines(&self) -> bool {
        false
    }

    /// `true` if a line can be refused for its content, as one of ids or of tuples: doors then name its file.
    fn refuses_lines(&self) -> bool {
        false
    }

    /// `true` if the tokenizer has its own ids for its tokens, given by [`Tokenizer::ids`].
    fn has_ids(&self) -> bool {
        false
    }

    /// `true` if equal [`Tokenizer::ids`] mean equal tokens, so that ids may replace them. Not for models whose unknown
    /// pieces share an id.
    fn ids_are_tokens(&self) -> bool {
        false
    }

    /// Appends the tokenizer's own ids for the tokens of a line.
    ///
    /// # Errors
    /// As for [`Tokenizer::tokenize`]; and any line of a tokenizer without ids ([`Tokenizer::has_ids`]).
    fn ids(&self, line: &str, buffer: &mut TokenBuffer, ids: &mut Vec<u32>) -> Result<()> {
        let _ = (line, buffer, ids);
        Err(InputError::malformed(format!("the tokenizer `{}` has no ids of its own", self.token_space())))
    }
}

/// A tokenizer by one function, whose tokens are pieces of the line.
struct Cutter {
    token_space: String,
    /// The part of the line to cut.
    trim: fn(&str) -> &str,
    cut: fn(&str, &mut Spans),
}

impl Cutter {
    fn boxed(
        token_space: impl Into<String>,
        trim: fn(&str) -> &str,
        cut: fn(&str, &mut Spans),
    ) -> Result<Box<dyn Tokenizer>, ConfigError> {
        Ok(Box::new(Cutter { token_space: token_space.into(), trim, cut }))
    }
}

impl Tokenizer for Cutter {
    fn token_space(&self) -> &str {
        &self.token_space
    }

    fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
        buffer.cut((self.trim)(line), self.cut)
    }
}

/// A pointer to a tokenizer is a tokenizer.
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
