//! [`SubtitleCutter`]: splits subtitles into words and breaks (ends of lines and subtitles), each with the
//! time of its subtitle.

use std::collections::HashMap;

use bleuprint_core::{ConfigError, Result};
use bleuprint_text::tokenize::{Tercom, TercomOptions};
use bleuprint_text::{
    Chain, Normalizer as _, Normalizers, TokenBuffer, Tokenizer, TokenizerOptions, lowercase, whitespace,
};

use crate::Subtitles;
use crate::given::{TimeOrder, require_duration};

/// The token id of the break at the end of a line. The break after a subtitle has the id 1; words have larger
/// ids.
const LINE: u32 = 0;
const BLOCK: u32 = 1;

/// A word or a break of a subtitle, with the time in which the subtitle is shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SubtitleToken {
    id: u32,
    start: f64,
    end: f64,
}

impl SubtitleToken {
    /// Compares a token of the hypothesis with a token of the reference: `Some(true)` if they may be aligned
    /// as a match, `Some(false)` as a substitution. Returns `None` if their subtitles do not overlap in time,
    /// or if one token is a word and the other the end of a line or subtitle.
    pub(crate) fn pair(self, other: SubtitleToken) -> Option<bool> {
        // Two subtitles overlap if each starts before the other ends. Comparing both tests with each other
        // is the program's formula.
        let overlap = (self.start < other.end) == (other.start < self.end);
        (overlap && (self.id <= BLOCK) == (other.id <= BLOCK)).then_some(self.id == other.id)
    }
}

/// The tokens (words and breaks) of all subtitles of the hypothesis or the reference.
#[derive(Debug, Default)]
pub(crate) struct SubtitleSide {
    pub(crate) tokens: Vec<SubtitleToken>,
    /// For each subtitle that has tokens: its start and end in seconds, and the position after its last token
    /// in `tokens`.
    pub(crate) subtitles: Vec<(f64, f64, usize)>,
}

/// The tokenizer and the normalizer for subtitles in a language without spaces between words.
pub(crate) struct SubtitleLanguage {
    pub(crate) name: &'static str,
    tokenizer: Box<dyn Tokenizer>,
    /// The normalizer that removes all punctuation before words are split.
    punctuation: Chain,
}

impl SubtitleLanguage {
    pub(crate) fn from_tokenizer(name: &str, options: &TokenizerOptions) -> Result<Self, ConfigError> {
        let (name, tokenizer) = match name {
            "zh" => ("zh", "zh"),
            "ja" => ("ja", "ja-mecab"),
            "ko" => ("ko", "ko-mecab"),
            _ => return Err(ConfigError::out_of_range("language", name, "none, zh, ja or ko")),
        };
        let tokenizer = bleuprint_text::tokenizer(tokenizer, options)?;
        Ok(SubtitleLanguage { name, tokenizer, punctuation: Normalizers::default().build("punct")? })
    }
}

/// Splits the subtitles of the hypothesis and the reference into tokens, and gives equal words the same id.
pub(crate) struct SubtitleCutter<'l> {
    cased: bool,
    tercom: Option<Tercom>,
    language: Option<&'l SubtitleLanguage>,
    buffer: TokenBuffer,
    ids: HashMap<String, u32>,
    word: String,
    /// Two buffers: the current word without its punctuation, and working memory for removing the
    /// punctuation.
    bare: [String; 2],
}

impl<'l> SubtitleCutter<'l> {
    pub(crate) fn new(cased: bool, language: Option<&'l SubtitleLanguage>) -> Self {
        let tercom = || Tercom::new(TercomOptions { normalized: true, ..TercomOptions::default() });
        SubtitleCutter {
            cased,
            tercom: (cased && language.is_none()).then(tercom),
            language,
            buffer: TokenBuffer::default(),
            ids: HashMap::new(),
            word: String::new(),
            bare: Default::default(),
        }
    }

    pub(crate) fn cut(&mut self, subtitles: &Subtitles) -> Result<SubtitleSide> {
        let mut side = SubtitleSide::default();
        let mut order = TimeOrder::default();
        for subtitle in &subtitles.0 {
            order.next(subtitle.start, subtitle.end)?;
            let before = side.tokens.len();
            let mut push =
                |id| side.tokens.push(SubtitleToken { id, start: subtitle.start, end: subtitle.end });
            for line in subtitle.text.split('\n') {
                let line = without_tags(line);
                let mut words = whitespace::split(&line).peekable();
                // A line without words has no break either, as in the program.
                if words.peek().is_none() {
                    continue;
                }
                words.try_for_each(|word| self.words(word, &mut push))?;
                push(LINE);
            }
            // The break after the last line is the break of the subtitle.
            if let Some(last) = side.tokens[before..].last_mut() {
                require_duration(subtitle.start, subtitle.end)?;
                last.id = BLOCK;
                side.subtitles.push((subtitle.start, subtitle.end, side.tokens.len()));
            }
        }
        Ok(side)
    }

    /// Passes the ids of a word's tokens to `push`. A word (text between white space) is one token, unless a
    /// tokenizer splits it into several.
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
                // Both sides share the map, so equal words have equal ids.
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

    /// Removes punctuation from the current word, unless the word consists of punctuation.
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

/// Returns a line of a subtitle without tags of one letter, such as `<i>` and `</b>`.
fn without_tags(line: &str) -> String {
    let mut kept = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('<') {
        let tag = &rest[at + 1..];
        let mut inner = tag.strip_prefix('/').unwrap_or(tag).chars();
        let letter = inner.next().filter(|c| c.is_alphanumeric() || *c == '_');
        // A `<` that begins no tag stays in the text.
        let is_tag = letter.is_some() && inner.next() == Some('>');
        let end = if is_tag { rest.len() - inner.as_str().len() } else { at + 1 };
        kept.push_str(&rest[..if is_tag { at } else { end }]);
        rest = &rest[end..];
    }
    kept + rest
}
