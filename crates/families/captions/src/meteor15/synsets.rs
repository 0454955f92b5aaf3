//! Reads WordNet synonyms: the synset ids of words, from METEOR's jar file or from WordNet's files.

use std::collections::HashMap;

use ahash::RandomState;
use bleuprint_core::ConfigError;

use super::fingerprint::{fingerprint, malformed};

/// Ids of the WordNet synsets (sets of synonyms) of each word, and the base forms of irregular words.
///
/// An id is the offset of a synset without its part of speech, as in METEOR 1.5. In WordNet 3.0, 282 ids
/// occur in several parts of speech. Therefore 472 of 70,511 pairs of plain words are synonyms by accident,
/// such as `get` and `low`. WordNet 3.0 takes about 20 MB.
#[derive(Debug, Clone, Default)]
pub struct WordnetSynsets {
    words: HashMap<Box<str>, Vec<u32>, RandomState>,
    /// Base forms of each irregular word form, such as `go` for `went`.
    exceptions: HashMap<Box<str>, Vec<Box<str>>, RandomState>,
}

const WHAT: &str = "the list of synonyms";

/// METEOR's rules for base forms: pairs of an ending and its replacement, for nouns, then verbs, then
/// adjectives.
const ENDINGS: [(&str, &str); 20] = [
    ("s", ""),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
    ("s", ""),
    ("ies", "y"),
    ("es", "e"),
    ("es", ""),
    ("ed", "e"),
    ("ed", ""),
    ("ing", "e"),
    ("ing", ""),
    ("er", ""),
    ("est", ""),
    ("er", "e"),
    ("est", "e"),
];

impl WordnetSynsets {
    /// Parses the two synonym files in METEOR's jar file, each given as name and text. In
    /// `synonym/english.synsets` lines with a word and lines with its ids alternate. In
    /// `synonym/english.exceptions` lines with a base form and lines with its irregular forms alternate.
    ///
    /// # Errors
    /// Returns [`ConfigError::Resource`] with file, line and value for an invalid line.
    pub fn parse(synsets: (&str, &str), exceptions: (&str, &str)) -> Result<Self, ConfigError> {
        let mut read = WordnetSynsets::default();
        for (number, word, ids) in pairs(synsets)? {
            for id in ids.split_ascii_whitespace() {
                let bad = || malformed(WHAT, synsets.0, number, &format!("`{id}` is no id, a whole number"));
                read.words.entry(word.into()).or_default().push(id.parse().map_err(|_| bad())?);
            }
        }
        for (_, base, forms) in pairs(exceptions)? {
            forms.split_ascii_whitespace().for_each(|form| read.except(form, base));
        }
        read.sort();
        Ok(read)
    }

    /// Reads a WordNet 3 database. `read` returns the text of a file of a given name: `index.noun` and
    /// `noun.exc`, and the corresponding files for `verb`, `adj` and `adv`.
    ///
    /// # Errors
    /// Returns [`ConfigError::Resource`] with file, line and value for an invalid line. Returns the errors of
    /// `read`.
    pub fn wordnet(read: impl Fn(&str) -> Result<String, ConfigError>) -> Result<Self, ConfigError> {
        let mut synsets = WordnetSynsets::default();
        for part in ["noun", "verb", "adj", "adv"] {
            let file = format!("index.{part}");
            for (number, line) in (1_u64..).zip(read(&file)?.lines()) {
                // The lines of the licence begin with blanks.
                if line.starts_with(' ') || line.trim().is_empty() {
                    continue;
                }
                let (word, ids) = offsets(line).map_err(|reason| malformed(WHAT, &file, number, &reason))?;
                synsets.words.entry(word.into()).or_default().extend(ids);
            }
            for line in read(&format!("{part}.exc"))?.lines() {
                let mut words = line.split_ascii_whitespace();
                if let Some(form) = words.next() {
                    words.for_each(|base| synsets.except(form, base));
                }
            }
        }
        synsets.sort();
        Ok(synsets)
    }

    fn except(&mut self, form: &str, base: &str) {
        self.exceptions.entry(form.into()).or_default().push(base.into());
    }

    fn sort(&mut self) {
        for ids in self.words.values_mut() {
            ids.sort_unstable();
            ids.dedup();
        }
        for bases in self.exceptions.values_mut() {
            bases.sort_unstable();
            bases.dedup();
        }
    }

    /// Returns a name of the synonym data that depends only on its content. METEOR's files and the WordNet
    /// 3.0 files from which they were made get the same name.
    pub(super) fn name(&self) -> String {
        let words = self.words.iter().map(|(word, ids)| {
            let ids: Vec<u8> = ids.iter().flat_map(|id| id.to_le_bytes()).collect();
            fingerprint([word.as_bytes(), &ids])
        });
        let exceptions = self.exceptions.iter().map(|(form, bases)| {
            fingerprint([form.as_bytes()].into_iter().chain(bases.iter().map(|base| base.as_bytes())))
        });
        // A wrapping sum ignores the order, which maps do not have.
        let sum = words.chain(exceptions).fold(0, u64::wrapping_add);
        format!("synsets#{sum:016x}")
    }

    /// Returns the sorted synset ids of a word and of its base forms. If the word is in the list of irregular
    /// forms, its base forms come from there; otherwise the ending rules give at most one.
    pub(super) fn ids(&self, word: &str) -> Vec<u32> {
        let own = |word: &str| self.words.get(word).into_iter().flatten().copied();
        let mut ids: Vec<u32> = own(word).collect();
        match self.exceptions.get(word) {
            Some(bases) => bases.iter().for_each(|base| ids.extend(own(base))),
            None => ids.extend(self.base(word).iter().flat_map(|base| own(base))),
        }
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    fn base(&self, word: &str) -> Option<String> {
        // WordNet's own rules spare words in `ss` and words of at most two characters. Java counts UTF-16
        // units.
        if word.ends_with("ss") || word.encode_utf16().count() <= 2 {
            return None;
        }
        let made = |(ending, base): &(&str, &str)| Some([word.strip_suffix(ending)?, base].concat());
        let mut bases = ENDINGS.iter().filter_map(made);
        // The first rule whose base is a known word wins.
        bases.find(|base| self.words.contains_key(base.as_str()))
    }
}

/// Splits a text into pairs of lines, each with the line number of its second line.
fn pairs<'t>(file: (&str, &'t str)) -> Result<Vec<(u64, &'t str, &'t str)>, ConfigError> {
    let mut lines = (1_u64..).zip(file.1.lines());
    let mut pairs = Vec::new();
    while let Some((number, first)) = lines.next() {
        let (number, second) = lines.next().ok_or_else(|| {
            malformed(WHAT, file.0, number, &format!("no line follows `{first}`, with its ids or forms"))
        })?;
        pairs.push((number, first.trim(), second));
    }
    Ok(pairs)
}

/// Parses a line of WordNet's index,
/// `lemma part count pointers (symbol)*pointers senses tagged (offset)*count`, and returns its lemma and
/// offsets.
fn offsets(line: &str) -> Result<(&str, Vec<u32>), String> {
    let fields: Vec<&str> = line.split_ascii_whitespace().collect();
    let number = |at: usize| {
        let field = fields.get(at).ok_or("too few fields")?;
        field.parse::<u32>().map_err(|_| format!("`{field}` is no number"))
    };
    let count = number(2)? as usize;
    let pointers = number(3)? as usize;
    let first = pointers.saturating_add(6);
    let expected = first.saturating_add(count);
    if fields.len() != expected {
        return Err(format!("{} fields, expected {expected}", fields.len()));
    }
    let ids = (first..expected).map(number).collect::<Result<_, _>>()?;
    Ok((fields[0], ids))
}
