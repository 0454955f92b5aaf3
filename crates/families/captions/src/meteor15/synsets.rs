//! Synonyms: words by the ids of their synsets, from the lists of METEOR's jar or from WordNet's files.

use std::collections::HashMap;

use ahash::RandomState;
use bleuprint_core::ConfigError;

use super::fingerprint::{fingerprint, malformed};

/// Words with the ids of their synsets, and exceptions to the rules of endings.
///
/// An id is the offset of a synset, without its part of speech, as in METEOR 1.5: 282 ids of WordNet 3.0 are of several parts
/// of speech, so that 472 of 70,511 pairs of plain words are synonyms there by accident (`get` and `low`). WordNet 3.0 takes
/// about 20 MB.
#[derive(Debug, Clone, Default)]
pub struct WordnetSynsets {
    words: HashMap<Box<str>, Vec<u32>, RandomState>,
    /// Inflected form to bases.
    exceptions: HashMap<Box<str>, Vec<Box<str>>, RandomState>,
}

const WHAT: &str = "the list of synonyms";

/// METEOR's rules, the endings of nouns, verbs and adjectives in this order.
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
    /// Reads the two lists of the jar: `synonym/english.synsets`, a line with a word and one with its ids in turn, and
    /// `synonym/english.exceptions`, a line with a base and one with its forms.
    ///
    /// # Errors
    /// [`ConfigError::Resource`] with file, line and value.
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

    /// Reads a WordNet 3 database folder, of which `read` gives the files `index.noun` and `noun.exc`, and those of `verb`, `adj`
    /// and `adv`.
    ///
    /// # Errors
    /// [`ConfigError::Resource`] with file, line and value; whatever `read` fails with.
    pub fn wordnet(read: impl Fn(&str) -> Result<String, ConfigError>) -> Result<Self, ConfigError> {
        let mut synsets = WordnetSynsets::default();
        for part in ["noun", "verb", "adj", "adv"] {
            let file = format!("index.{part}");
            for (number, line) in (1_u64..).zip(read(&file)?.lines()) {
                // The licence begins with blanks.
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

    /// A name by content: the jar's lists and WordNet 3.0, which they are made of, have the same.
    pub(super) fn name(&self) -> String {
        let words = self.words.iter().map(|(word, ids)| {
            let ids: Vec<u8> = ids.iter().flat_map(|id| id.to_le_bytes()).collect();
            fingerprint([word.as_bytes(), &ids])
        });
        let exceptions = self.exceptions.iter().map(|(form, bases)| {
            fingerprint([form.as_bytes()].into_iter().chain(bases.iter().map(|base| base.as_bytes())))
        });
        let sum = words.chain(exceptions).fold(0, u64::wrapping_add);
        format!("synsets#{sum:016x}")
    }

    /// The ids of a word, in order: its own, and those of its bases by the exceptions, or else of its base by the rules.
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
        if word.ends_with("ss") || word.encode_utf16().count() <= 2 {
            return None;
        }
        let made = |(ending, base): &(&str, &str)| Some([word.strip_suffix(ending)?, base].concat());
        let mut bases = ENDINGS.iter().filter_map(made);
        bases.find(|base| self.words.contains_key(base.as_str()))
    }
}

/// Two lines at a time, with the number of the second.
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

/// A line `lemma part count pointers (symbol)*pointers senses tagged (offset)*count`.
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
