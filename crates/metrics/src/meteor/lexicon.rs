//! Cache of words for METEOR: their numbers, stems and synonyms, each looked up once, for up to
//! [`MOST_WORDS`] words.

use std::collections::HashMap;
use std::sync::Arc;

use ahash::RandomState;

use super::synonyms::Synonyms;

/// Largest number of words that METEOR keeps with their stems and synonyms, about the vocabulary of a
/// language.
const MOST_WORDS: usize = 1 << 18;

#[derive(Debug, Default)]
pub(super) struct MeteorLexicon {
    numbers: HashMap<Arc<str>, u32, RandomState>,
    entries: Vec<LexiconEntry>,
    /// Id of the lower-case form of each token that is not in lower case.
    lowered: HashMap<Box<str>, u32, RandomState>,
    buffer: String,
}

#[derive(Debug)]
struct LexiconEntry {
    word: Arc<str>,
    stem: Option<u32>,
    synonyms: Option<Arc<[u32]>>,
}

impl MeteorLexicon {
    /// Clears the cache of words before a segment if it has grown beyond its limit.
    pub(super) fn begin(&mut self) {
        if self.entries.len() > MOST_WORDS {
            self.numbers.clear();
            self.entries.clear();
        }
        // `lowered` holds numbers of `entries`, so it is cleared with them.
        if self.entries.is_empty() || self.lowered.len() > MOST_WORDS {
            self.lowered.clear();
        }
    }

    pub(super) fn lowered(&mut self, token: &str) -> u32 {
        if token.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
            return self.number(token);
        }
        if let Some(&number) = self.lowered.get(token) {
            return number;
        }
        // The token is converted as a whole, because a capital sigma at the end of a word has its own
        // lower-case form.
        let number = self.number(&token.to_lowercase());
        self.lowered.insert(token.into(), number);
        number
    }

    pub(super) fn stem(&mut self, number: u32) -> u32 {
        let entry = &self.entries[number as usize];
        if let Some(stem) = entry.stem {
            return stem;
        }
        let mut text = core::mem::take(&mut self.buffer);
        bleuprint_stem::porter(&entry.word, &mut text);
        let stem = self.number(&text);
        self.buffer = text;
        self.entries[number as usize].stem = Some(stem);
        stem
    }

    pub(super) fn synonyms(&mut self, number: u32, source: &dyn Synonyms) -> Arc<[u32]> {
        let entry = &self.entries[number as usize];
        if let Some(synonyms) = &entry.synonyms {
            return Arc::clone(synonyms);
        }
        let word = Arc::clone(&entry.word);
        let mut found = Vec::new();
        source.synonyms(&word, &mut |synonym| found.push(self.number(synonym)));
        found.sort_unstable();
        found.dedup();
        let found: Arc<[u32]> = found.into();
        self.entries[number as usize].synonyms = Some(Arc::clone(&found));
        found
    }

    fn number(&mut self, word: &str) -> u32 {
        if let Some(&number) = self.numbers.get(word) {
            return number;
        }
        let number = self.entries.len() as u32;
        let word: Arc<str> = word.into();
        self.numbers.insert(Arc::clone(&word), number);
        self.entries.push(LexiconEntry { word, stem: None, synonyms: None });
        number
    }
}
