//! `zh-jieba`: Chinese words, as the jieba segmenter finds them.
//!
//! Rule: jieba's exact mode with its default dictionary and its hidden Markov model for unknown words; what is all
//! whitespace is dropped.
//!
//! Singular cases: an empty or blank line has no tokens. Errors: a line of 4 GiB or more. Needs the feature `jieba`.
//! Source: the `jieba-rs` 0.11 crate, named in the token space; sacreBLEU has no such tokenizer.
//!
//! ```
//! use bleuprint_text::{TokenBuffer, TokenizerOptions, tokenizer};
//! match tokenizer("zh-jieba", &TokenizerOptions::default()) {
//!     Ok(jieba) => {
//!         let mut buffer = TokenBuffer::default();
//!         assert_eq!(jieba.tokenize("我们中出了一个叛徒", &mut buffer)?.to_string(), "我们 中出 了 一个 叛徒");
//!     }
//!     Err(error) => assert!(error.to_string().contains("the feature `jieba`")),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::Tokenizer;
use super::registry::{TokenizerEntry, TokenizerOptions};
use bleuprint_core::ConfigError;

pub(super) const ENTRY: TokenizerEntry = TokenizerEntry {
    name: "zh-jieba",
    aliases: &["jieba"],
    summary: "Chinese words, by jieba",
    source: "jieba-rs 0.11",
    feature: Some("jieba"),
    build,
};

#[cfg(not(feature = "jieba"))]
fn build(_: &TokenizerOptions) -> Result<Box<dyn Tokenizer>, ConfigError> {
    Err(super::registry::feature_missing("`zh-jieba`", "jieba"))
}

#[cfg(feature = "jieba")]
fn build(_: &TokenizerOptions) -> Result<Box<dyn Tokenizer>, ConfigError> {
    Ok(Box::new(enabled::JiebaWords::new()))
}

#[cfg(feature = "jieba")]
mod enabled {
    use super::super::Tokenizer;
    use super::super::buffer::{TokenBuffer, Tokens};
    use crate::whitespace::is_python_whitespace;
    use bleuprint_core::InputError;
    use jieba_rs::Jieba;

    pub(super) struct JiebaWords(Jieba);

    impl JiebaWords {
        pub(super) fn new() -> Self {
            JiebaWords(Jieba::new())
        }
    }

    impl Tokenizer for JiebaWords {
        fn token_space(&self) -> &str {
            "zh-jieba-0.11"
        }

        fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>, InputError> {
            buffer.cut(line, |line, spans| {
                for token in self.0.cut(line, true) {
                    if !token.word.chars().all(is_python_whitespace) {
                        spans.push(token.byte_start, token.byte_end);
                    }
                }
            })
        }
    }
}
