//! [`Tokens`]: the words and breaks of one side, with the times of their subtitles.

use std::collections::HashMap;

use bleuprint_core::{ConfigError, Result};
use bleuprint_text::tokenize::{Tercom, TercomOptions};
use bleuprint_text::{
    Chain, Normalizer as _, Normalizers, TokenBuffer, Tokenizer, TokenizerOptions, lowercase, whitespace,
};

use crate::Subtitles;
use crate::given::Order;

/// Ids of breaks; those of words follow.
const LINE: u32 = 0;
const BLOCK: u32 = 1;

/// One token, and the time of its subtitle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    id: u32,
    start: f64,
    end: f64,
}

impl Token {
    /// A match or a substitution; none if the two may not be a pair.
    pub(crate) fn pair(self, other: Token) -> Option<bool> {
        let overlap = (self.start < other.end) == (other.start < self.end);
        (overlap && (self.id <= BLOCK) == (other.id <= BLOCK)).then_some(self.id == other.id)
    }
}

/// The tokens of a side, subtitle by subtitle.
#[derive(Debug, Default)]
pub(crate) struct Side {
    pub(crate) tokens: Vec<Token>,
    /// Start, end, and the number of tokens up to the end of each subtitle that has some.
    pub(crate) subtitles: Vec<(f64, f64, usize)>,
}

/// The cut of words in a language without spaces between them.
pub(crate) struct Language {
    pub(crate) name: &'static str,
    tokenizer: Box<dyn Tokenizer>,
    /// The deletion of all punctuation.
    punctuation: Chain,
}

impl Language {
    pub(crate) fn of(name: &str, options: &TokenizerOptions) -> Result<Self, ConfigError> {
        let (name, tokenizer) = match name {
            "zh" => ("zh", "zh"),
            "ja" => ("ja", "ja-mecab"),
            "ko" => ("ko", "ko-mecab"),
            _ => return Err(ConfigError::out_of_range("language", name, "none, zh, ja or ko")),
        };
        let tokenizer = bleuprint_text::tokenizer(tokenizer, options)?;
        Ok(Language { name, tokenizer, punctuation: Normalizers::default().build("punct")? })
    }
}

/// Makes tokens of both sides, with ids in common.
pub(crate) struct Cutter<'l> {
    cased: bool,
    tercom: Option<Tercom>,
    language: Option<&'l Language>,
    buffer: TokenBuffer,
    ids: HashMap<String, u32>,
    word: String,
    /// The word without punctuation, and memory for its deletion.
    bare: [String; 2],
}

impl<'l> Cutter<'l> {
    pub(crate) fn new(cased: bool, language: Option<&'l Language>) -> Self {
        let tercom = || Tercom::new(TercomOptions { normalized: true, ..TercomOptions::default() });
        Cutter {
            cased,
            tercom: (cased && language.is_none()).then(tercom),
            language,
            buffer: TokenBuffer::default(),
            ids: HashMap::new(),
            word: String::new(),
            bare: Default::default(),
        }
    }

    pub(crate) fn cut(&mut self, subtitles: &Subtitles) -> Result<Side> {
        let (mut side, mut order) = (Side::default(), Order::default());
        for subtitle in &subtitles.0 {
            order.next(subtitle.start, subtitle.end)?;
            let before = side.tokens.len();
            let mut push = |id| side.tokens.push(Token { id, start: subtitle.start, end: subtitle.end });
            for line in subtitle.text.split('\n') {
                let line = without_tags(line);
                let mut words = whitespace::split(&line).peekable();
                if words.peek().is_none() {
                    continue;
                }
                words.try_for_each(|word| self.words(word, &mut push))?;
                push(LINE);
            }
            // The break of the last line is that of the subtitle.
            if let Some(last) = side.tokens[before..].last_mut() {
                last.id = BLOCK;
                side.subtitles.push((subtitle.start, subtitle.end, side.tokens.len()));
            }
        }
        Ok(side)
    }

    /// The words of one between white space: several where a tokenizer cuts it.
    fn words(&mut self, word: &str, push: &mut impl FnMut(u32)) -> Result<()> {
        self.word.clear();
        if self.cased {
            self.word.push_str(word);
        } else {
            lowercase(word, &mut self.word);
            self.delete_punctuation();
        }
        let ids = &mut self.ids;
        let mut id = |word: &str| match ids.get(word) {
            Some(id) => *id,
            None => {
                let next = BLOCK + 1 + ids.len() as u32;
                ids.insert(word.to_owned(), next);
                next
            }
        };
        let tercom = self.tercom.as_ref().map(|tercom| -> &dyn Tokenizer { tercom });
        match self.language.map(|language| &*language.tokenizer).or(tercom) {
            None => push(id(&self.word)),
            Some(tokenizer) => {
                tokenizer.tokenize(&self.word, &mut self.buffer)?.iter().for_each(|token| push(id(token)));
            }
        }
        Ok(())
    }

    /// Unless nothing else is in the word.
    fn delete_punctuation(&mut self) {
        let [bare, spare] = &mut self.bare;
        bare.clone_from(&self.word);
        match self.language {
            None => bare.retain(|c| !(c.is_ascii_punctuation() || c == '…')),
            Some(language) => language.punctuation.normalize(bare, spare),
        }
        if !bare.is_empty() {
            core::mem::swap(bare, &mut self.word);
        }
    }
}

/// A line without `<i>`, `</b>` and all other tags of one character.
fn without_tags(line: &str) -> String {
    let (mut kept, mut rest) = (String::with_capacity(line.len()), line);
    while let Some(at) = rest.find('<') {
        let tag = &rest[at + 1..];
        let mut inner = tag.strip_prefix('/').unwrap_or(tag).chars();
        let letter = inner.next().filter(|c| c.is_alphanumeric() || *c == '_');
        let is_tag = letter.is_some() && inner.next() == Some('>');
        let end = if is_tag { rest.len() - inner.as_str().len() } else { at + 1 };
        kept.push_str(&rest[..if is_tag { at } else { end }]);
        rest = &rest[end..];
    }
    kept + rest
}
