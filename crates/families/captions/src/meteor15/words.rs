//! METEOR's list of function words, and a lexicon that computes the properties of each word once.

use std::collections::{HashMap, HashSet};

use ahash::RandomState;

use super::Meteor15;
use super::fingerprint::fingerprint;
use super::paraphrases::words_of;

/// METEOR 1.5's list of English function words, which the original program uses for every language.
const ENGLISH: &str = "the , . to of and a in that for \" is on 's it with was as said at he by be from have has are his but an \
    this not i will \u{2019} they ) -rrb- ( -lrb- who their had we which were been more or s its would about new one after you : \
    also up when there than $ all out her people she year two - can if last first \u{201C} over other \u{201D} into some what \
    so -- no time years could ? 't \u{2014} '";

/// Function words, such as `the`, which have a lower weight than other words in METEOR.
#[derive(Debug, Clone)]
pub struct FunctionWords(HashSet<Box<str>, RandomState>);

impl Default for FunctionWords {
    fn default() -> Self {
        FunctionWords::new(ENGLISH)
    }
}

impl FunctionWords {
    /// Creates the set of function words from a text with lowercase words, separated by white space.
    pub fn new(words: &str) -> Self {
        FunctionWords(words.split_whitespace().map(Box::from).collect())
    }

    /// Returns `true` if the word, in upper or lower case, is a function word.
    pub(super) fn contains(&self, word: &str) -> bool {
        self.0.contains(&*word.to_lowercase())
    }

    pub(super) fn name(&self) -> String {
        let sum = self.0.iter().map(|word| fingerprint([word.as_bytes()])).fold(0, u64::wrapping_add);
        format!("words#{sum:016x}")
    }
}

/// Largest number of words in the lexicon, about the vocabulary of a language; a larger lexicon is cleared.
const MOST_WORDS: usize = 1 << 18;

#[derive(Debug, Default)]
pub(super) struct MatchLexicon {
    numbers: HashMap<Box<str>, u32, RandomState>,
    words: Vec<MeteorWord>,
    stems: HashMap<Box<str>, u32, RandomState>,
}

#[derive(Debug)]
pub(super) struct MeteorWord {
    pub(super) stem: u32,
    /// Sorted ids of the WordNet synsets that contain the word.
    pub(super) synsets: Vec<u32>,
    // One bit for each id, by a hash. Two words whose bits do not overlap have no synset in common.
    pub(super) bits: u64,
    /// Hash of the word, by which the paraphrase table finds phrases.
    pub(super) hash: u64,
    text: Box<str>,
    pub(super) function: bool,
    pub(super) units: u64,
}

impl MatchLexicon {
    /// Clears the lexicon if it has grown too large. Call it only between segments, because word ids then
    /// become invalid.
    pub(super) fn begin(&mut self) {
        // Word numbers are valid within one segment only, so the lexicon may be cleared between segments but
        // not inside of one.
        if self.words.len() > MOST_WORDS {
            *self = MatchLexicon::default();
        }
    }

    pub(super) fn word(&self, number: u32) -> &MeteorWord {
        &self.words[number as usize]
    }

    /// Returns `true` if the words with these ids are the words of `phrase`.
    pub(super) fn spells(&self, words: &[u32], phrase: &str) -> bool {
        words_of(phrase).eq(words.iter().map(|word| self.word(*word).text.as_bytes()))
    }

    pub(super) fn number(&mut self, meteor: &Meteor15, word: &str) -> u32 {
        if let Some(&number) = self.numbers.get(word) {
            return number;
        }
        let made = self.look_up(meteor, word);
        let number = self.words.len() as u32;
        self.words.push(made);
        self.numbers.insert(word.into(), number);
        number
    }

    fn look_up(&mut self, meteor: &Meteor15, word: &str) -> MeteorWord {
        let stem = match &meteor.stemmer {
            Some(stemmer) => self.stem(&stemmer.stem(word)),
            None => 0,
        };
        let synsets = meteor.synsets.as_ref().map_or_else(Vec::new, |synsets| synsets.ids(word));
        MeteorWord {
            stem,
            // The multiplier is 2^32 divided by the golden ratio; its top six bits choose one of 64 bits.
            bits: synsets.iter().fold(0, |bits, id| bits | 1 << (id.wrapping_mul(0x9E37_79B9) >> 26)),
            synsets,
            hash: meteor.paraphrases.as_ref().map_or(0, |table| table.hash(word.as_bytes())),
            text: word.into(),
            function: meteor.function_words.contains(word),
            units: word.encode_utf16().count() as u64,
        }
    }

    fn stem(&mut self, stem: &str) -> u32 {
        let new = self.stems.len() as u32;
        match self.stems.get(stem) {
            Some(&number) => number,
            None => *self.stems.entry(stem.into()).or_insert(new),
        }
    }
}
