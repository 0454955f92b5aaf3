//! `lines:NAME`: a tokenizer that applies the tokenizer `NAME` to each line of a text; line feeds separate
//! the lines as tokens.
//!
//! Rule: the text is split at U+000A, `NAME` tokenizes each line, and a line feed is a token between two
//! lines. No other tokenizer gives a line feed, so a metric over sentences, such as ROUGE-Lsum, can recover
//! the lines. A text without line feeds has exactly the tokens of `NAME`.
//!
//! Singular cases: an empty line has no tokens but keeps its line feed. Errors: Returns the errors of `NAME`,
//! and an error if the tokens have 4 GiB or more in total. Source: rouge_score 0.1.2 splits summaries at line
//! feeds, unless it is configured to split sentences.

use super::buffer::{TokenBuffer, TokenSpans, Tokens, check_len};
use super::{Takes, Tokenizer, TokenizerEntry, TokenizerRequest};
use bleuprint_core::{Case, ConfigError, Result};

pub(super) const ENTRY: TokenizerEntry = TokenizerEntry::new(
    "lines",
    "lines:NAME: lines one by one, by the tokenizer NAME, with line feeds as tokens between them",
    build,
)
.agrees_with("rouge_score 0.1.2")
.takes(&[Takes::TokenizerInName]);

fn build(request: &TokenizerRequest<'_>) -> Result<Box<dyn Tokenizer>, ConfigError> {
    let Some(name) = request.argument else {
        let message = "the tokenizer `lines` needs another one for the lines, as in `lines:rouge`";
        return Err(ConfigError::Conflict(message.to_owned()));
    };
    let of_line = request.tokenizers.build(name, request.options)?;
    Ok(Box::new(LineTokens { token_space: format!("lines:{}", of_line.token_space()), of_line }))
}

/// The tokens of all lines that were tokenized so far, with their text.
#[derive(Default)]
struct LineParts {
    text: String,
    spans: TokenSpans,
}

struct LineTokens {
    of_line: Box<dyn Tokenizer>,
    token_space: String,
}

impl Tokenizer for LineTokens {
    fn token_space(&self) -> &str {
        &self.token_space
    }

    fn case(&self) -> Option<Case> {
        self.of_line.case()
    }

    fn raw_lines(&self) -> bool {
        self.of_line.raw_lines()
    }

    fn tokenize<'a>(&self, line: &'a str, buffer: &'a mut TokenBuffer) -> Result<Tokens<'a>> {
        if memchr::memchr(b'\n', line.as_bytes()).is_none() {
            return self.of_line.tokenize(line, buffer);
        }
        // The inner tokenizer uses the buffer for each line, so the tokens of all lines are collected in
        // separate memory.
        let LineParts { mut text, mut spans } = std::mem::take(buffer.scratch());
        text.clear();
        spans.clear();
        let mut add = |token: &str| {
            spans.push(text.len(), text.len() + token.len());
            text.push_str(token);
        };
        for (number, line) in line.split('\n').enumerate() {
            if number > 0 {
                add("\n");
            }
            self.of_line.tokenize(line, buffer)?.iter().for_each(&mut add);
        }
        check_len(&text)?;
        let parts = buffer.scratch();
        *parts = LineParts { text, spans };
        let LineParts { text, spans } = parts;
        Tokens::new(text, spans)
    }
}
