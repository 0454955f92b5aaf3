//! WordNet's dictionary files, and the synonyms that NLTK's METEOR finds in them.
//!
//! The files come from a WordNet database folder: `index.noun`, `data.noun` and `noun.exc`, and the same
//! for `verb`, `adj` and `adv`. NLTK ships Princeton's version 3.0. [`WordNet::parse`] reads their texts.
//!
//! *Looking up.* In each part of speech, the forms of a word are the word itself and its bases. The bases
//! are the word's entry in the exception list, or else the results of applying the rules of [`PARTS`] once
//! to its ending. The synonyms are all words of all synsets of all forms, as the files spell them, without
//! expressions of several words.

use std::collections::HashMap;

use bleuprint_core::ConfigError;

use super::synonyms::{Synonyms, fingerprint};

/// Part of speech in WordNet: its suffix in file names, and its word endings with their replacements in a
/// base form.
struct PartOfSpeech {
    suffix: &'static str,
    endings: &'static [(&'static str, &'static str)],
}

/// Parts of speech with their rules for endings (WordNet's `morphy`).
const PARTS: [PartOfSpeech; 4] = [
    PartOfSpeech {
        suffix: "noun",
        endings: &[
            ("s", ""),
            ("ses", "s"),
            ("ves", "f"),
            ("xes", "x"),
            ("zes", "z"),
            ("ches", "ch"),
            ("shes", "sh"),
            ("men", "man"),
            ("ies", "y"),
        ],
    },
    PartOfSpeech {
        suffix: "verb",
        endings: &[
            ("s", ""),
            ("ies", "y"),
            ("es", "e"),
            ("es", ""),
            ("ed", "e"),
            ("ed", ""),
            ("ing", "e"),
            ("ing", ""),
        ],
    },
    PartOfSpeech { suffix: "adj", endings: &[("er", ""), ("est", ""), ("er", "e"), ("est", "e")] },
    PartOfSpeech { suffix: "adv", endings: &[] },
];

/// WordNet database in memory, a source of METEOR's synonyms.
pub struct WordNet {
    parts: Vec<Loaded>,
    name: String,
}

#[derive(Default)]
struct Loaded {
    /// Ids of the synsets (sets of synonyms) of each base form.
    index: HashMap<Box<str>, Box<[u32]>>,
    /// Words of each synset (set of synonyms), without expressions of several words.
    synsets: Vec<Box<[Box<str>]>>,
    exceptions: HashMap<Box<str>, Box<[Box<str>]>>,
}

impl WordNet {
    /// Parses the twelve files of a WordNet database. `read` is called once with the name of each file and
    /// returns its text.
    ///
    /// # Errors
    /// Returns [`ConfigError::Resource`] with file and line if a line is malformed or names a missing
    /// synset. Returns the errors of `read`.
    pub fn parse(mut read: impl FnMut(&str) -> Result<String, ConfigError>) -> Result<WordNet, ConfigError> {
        let mut parts = Vec::new();
        let mut hash = 0;
        for PartOfSpeech { suffix, .. } in &PARTS {
            let mut text = |name: String| {
                let text = read(&name)?;
                hash = fingerprint(hash, text.as_bytes());
                Ok::<_, ConfigError>((name, text))
            };
            let mut part = Loaded::default();
            let numbers = part.read_data(&text(format!("data.{suffix}"))?)?;
            part.read_index(&text(format!("index.{suffix}"))?, &numbers)?;
            part.read_exceptions(&text(format!("{suffix}.exc"))?.1);
            parts.push(part);
        }
        Ok(WordNet { parts, name: format!("wordnet#{hash:016x}") })
    }
}

impl WordNet {
    /// Calls `each` with the ids of the synsets (sets of synonyms) of a word and of its base forms. All parts
    /// of speech are searched, as METEOR 1.5 and SPICE do. An expression of several words is passed with `_`
    /// between its words.
    ///
    /// If the word is in an exception list, its base forms are the entries of that list. Otherwise the rules
    /// of WordNet replace the word's ending; the first result that is in the dictionary is the base form.
    pub fn ids(&self, word: &str, each: &mut dyn FnMut(u64)) {
        let mut all = |lemma: &str| {
            for (number, part) in (0_u64..).zip(&self.parts) {
                part.index
                    .get(lemma)
                    .into_iter()
                    .flatten()
                    // Synset numbers are counted anew in each part of speech; the upper half of an id keeps
                    // them apart.
                    .for_each(|id| each(number << 32 | u64::from(*id)));
            }
        };
        all(word);
        let mut bases = self.parts.iter().filter_map(|part| part.exceptions.get(word)).flatten().peekable();
        if bases.peek().is_some() {
            bases.for_each(|base| all(base));
        } else if let Some(base) = self.base(word) {
            all(&base);
        }
    }

    /// Returns the base form of a word. WordNet's rules replace the word's ending, and the first result that
    /// is in the dictionary under some part of speech is returned.
    fn base(&self, word: &str) -> Option<String> {
        if word.ends_with("ss") || word.chars().count() <= 2 {
            return None;
        }
        // METEOR 1.5 and SPICE lack the rule for `ves`, which NLTK has.
        let endings = PARTS.iter().flat_map(|part| part.endings).filter(|(ending, _)| *ending != "ves");
        let mut bases =
            endings.filter_map(|(ending, base)| Some([word.strip_suffix(ending)?, base].concat()));
        bases.find(|base| self.parts.iter().any(|part| part.index.contains_key(base.as_str())))
    }
}

impl Synonyms for WordNet {
    fn name(&self) -> &str {
        &self.name
    }

    fn synonyms(&self, word: &str, each: &mut dyn FnMut(&str)) {
        for (part, PartOfSpeech { endings, .. }) in self.parts.iter().zip(&PARTS) {
            part.synonyms(word, each);
            if let Some(bases) = part.exceptions.get(word) {
                bases.iter().for_each(|base| part.synonyms(base, each));
                continue;
            }
            for (ending, base) in *endings {
                if let Some(start) = word.strip_suffix(ending) {
                    part.synonyms(&[start, base].concat(), each);
                }
            }
        }
    }
}

impl Loaded {
    fn synonyms(&self, lemma: &str, each: &mut dyn FnMut(&str)) {
        for &synset in self.index.get(lemma).into_iter().flatten() {
            self.synsets[synset as usize].iter().for_each(|word| each(word));
        }
    }

    /// Reads a WordNet data file. Its lines have the form `offset file type count word id word id ..`;
    /// `count` is the number of pairs of a word and an id, in hexadecimal. Returns the synset number of each
    /// offset.
    fn read_data(&mut self, file: &(String, String)) -> Result<HashMap<u64, u32>, ConfigError> {
        let mut numbers = HashMap::new();
        for (number, line) in entries(&file.1) {
            let mut fields = line.split_ascii_whitespace();
            let mut next = || fields.next().ok_or_else(|| malformed(&file.0, number, "too few fields"));
            let offset = next()?;
            let offset = offset.parse().map_err(|_| malformed(&file.0, number, "no offset at its start"))?;
            let count = [next()?, next()?, next()?][2];
            let count = usize::from_str_radix(count, 16)
                .map_err(|_| malformed(&file.0, number, "no number of words"))?;
            let mut words = Vec::new();
            for _ in 0..count {
                let word = without_marker(next()?);
                next()?;
                // An expression has several words and never equals a single token, so it is no synonym
                // here.
                if !word.contains('_') {
                    words.push(word.into());
                }
            }
            numbers.insert(offset, self.synsets.len() as u32);
            self.synsets.push(words.into());
        }
        Ok(numbers)
    }

    /// Reads a WordNet index file. Its lines have the form
    /// `lemma part count pointers symbol .. senses tagged offset ..`. `count` is the number of offsets, and
    /// `pointers` is the number of symbols.
    fn read_index(
        &mut self,
        file: &(String, String),
        numbers: &HashMap<u64, u32>,
    ) -> Result<(), ConfigError> {
        for (number, line) in entries(&file.1) {
            let mut fields = line.split_ascii_whitespace();
            let mut next = || fields.next().ok_or_else(|| malformed(&file.0, number, "too few fields"));
            let lemma = next()?;
            let count = |field: &str| {
                field
                    .parse::<usize>()
                    .map_err(|_| malformed(&file.0, number, "no number where one should be"))
            };
            let synsets = count([next()?, next()?][1])?;
            let skipped = count(next()?)?.saturating_add(2);
            for _ in 0..skipped {
                next()?;
            }
            let mut found = Vec::new();
            for _ in 0..synsets {
                let offset = next()?;
                let synset = offset.parse().ok().and_then(|offset| numbers.get(&offset));
                let unknown = || malformed(&file.0, number, &format!("offset {offset} leads to no synset"));
                found.push(*synset.ok_or_else(unknown)?);
            }
            self.index.insert(lemma.into(), found.into());
        }
        Ok(())
    }

    /// Reads a WordNet exception list, whose lines have the form `form base..`: an irregular form and its
    /// base forms.
    fn read_exceptions(&mut self, text: &str) {
        for line in text.lines() {
            let mut words = line.split_ascii_whitespace();
            if let Some(form) = words.next() {
                self.exceptions.insert(form.into(), words.map(Box::from).collect());
            }
        }
    }
}

/// Returns the lines of a WordNet file with their numbers from 1, without the lines of the licence, which
/// begin with a space.
fn entries(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty() && !line.starts_with(' '))
}

/// Returns the word without the marker of syntactic position that some WordNet adjectives have, as in
/// `galore(ip)`.
fn without_marker(word: &str) -> &str {
    match word.split_once('(') {
        Some((bare, _)) if word.ends_with(')') => bare,
        _ => word,
    }
}

fn malformed(file: &str, line: usize, reason: &str) -> ConfigError {
    ConfigError::Resource {
        what: "the WordNet database".to_owned(),
        reason: format!("{file}, line {line}: {reason}"),
        hint: "give the folder of a WordNet 3 database, with index, data and exception files".to_owned(),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    const FILES: &[(&str, &str)] = &[
        (
            "data.noun",
            "  1 a licence\n00000100 05 n 02 car 0 motor_car 0 000 | a\n00000200 05 n 03 auto 0 car 1 Benz 0 000 | b\n",
        ),
        ("index.noun", "auto n 1 0 1 0 00000200\ncar n 2 1 @ 2 0 00000100 00000200\n"),
        ("noun.exc", "carsies car\n"),
        ("data.verb", "00000001 30 v 01 run 0 00 | c\n"),
        ("index.verb", "run v 1 0 1 0 00000001\n"),
        ("verb.exc", ""),
        ("data.adj", "00000007 00 a 02 glad(p) 0 happi 1 000 | d\n"),
        ("index.adj", "glad a 1 0 1 0 00000007\n"),
        ("adj.exc", ""),
        ("data.adv", ""),
        ("index.adv", ""),
        ("adv.exc", ""),
    ];

    fn file(name: &str) -> Result<String, ConfigError> {
        let found = FILES.iter().find(|(known, _)| *known == name);
        Ok(found.map(|(_, text)| (*text).to_owned()).unwrap_or_default())
    }

    fn synonyms(wordnet: &WordNet, word: &str) -> Vec<String> {
        let mut words = Vec::new();
        wordnet.synonyms(word, &mut |word| words.push(word.to_owned()));
        words
    }

    #[test]
    fn synsets_of_all_forms_give_their_single_words() {
        let wordnet = WordNet::parse(file).unwrap();
        assert_eq!(synonyms(&wordnet, "auto"), ["auto", "car", "Benz"]);
        assert_eq!(synonyms(&wordnet, "cars"), ["car", "auto", "car", "Benz"]);
        assert_eq!(synonyms(&wordnet, "glader"), ["glad", "happi"]);
        assert!(synonyms(&wordnet, "happi").is_empty() && synonyms(&wordnet, "").is_empty());
    }

    #[test]
    fn exceptions_take_the_place_of_rules() {
        assert_eq!(synonyms(&WordNet::parse(file).unwrap(), "carsies"), ["car", "auto", "car", "Benz"]);
    }

    #[test]
    fn other_files_have_another_name() {
        let one = WordNet::parse(file).unwrap();
        let same = WordNet::parse(file).unwrap();
        let other = WordNet::parse(|name| Ok(file(name)?.replace("Benz", "Ford"))).unwrap();
        assert_eq!(one.name(), same.name());
        assert_ne!(one.name(), other.name());
    }

    #[test]
    fn lines_of_another_form_are_refused_with_their_place() {
        let broken = [
            ("data.noun", "x 05 n 01 a 0\n", "data.noun, line 1: no offset"),
            ("data.noun", "\n00000100 05 n zz a 0\n", "data.noun, line 2: no number of words"),
            ("data.noun", "00000100 05 n 02 a 0\n", "data.noun, line 1: too few fields"),
            ("index.noun", "a n 1 0 1 0 00000300\n", "offset 00000300 leads to no synset"),
            ("index.noun", "a n x\n", "no number where one should be"),
            ("index.noun", "a n 1 99999999999999999 1\n", "too few fields"),
        ];
        for (name, text, message) in broken {
            let parsed =
                WordNet::parse(|asked| if asked == name { Ok(text.to_owned()) } else { file(asked) });
            let error = parsed.err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.contains(message), "{error}");
        }
    }
}
