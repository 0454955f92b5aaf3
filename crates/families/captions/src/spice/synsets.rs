//! Sources of SPICE's synsets (sets of synonyms): WordNet, a table of ids, or any implementation of
//! [`Synsets`].

use std::collections::HashMap;

use bleuprint_core::ConfigError;
use bleuprint_metrics::meteor::{Synonyms, WordNet, fingerprint};

/// Source of synsets (sets of synonyms). Two words are synonyms if they have a synset in common.
pub trait Synsets: Send + Sync {
    /// Returns the name of this source, which is part of metric signatures and of the keys of stored
    /// statistics. Sources with different synsets need different names.
    fn name(&self) -> &str;

    /// Calls `each` with the id of every synset of `word`, in any order; repeated ids are allowed. `word` is
    /// lowercase, with `_` instead of spaces. An unknown word has no synset.
    fn synsets(&self, word: &str, each: &mut dyn FnMut(u64));
}

impl Synsets for WordNet {
    fn name(&self) -> &str {
        Synonyms::name(self)
    }

    fn synsets(&self, word: &str, each: &mut dyn FnMut(u64)) {
        self.ids(word, each);
    }
}

/// Table that maps words to synset ids, supplied by the user.
///
/// ```
/// use bleuprint_captions::spice::{SynsetTable, Synsets};
/// let table = SynsetTable::parse("ids.txt", "car 7 9\nstand_on 11\n").unwrap();
/// let mut found = Vec::new();
/// table.synsets("car", &mut |id| found.push(id));
/// assert_eq!(found, [7, 9]);
/// let error = SynsetTable::parse("ids.txt", "car 7\nauto seven\n").err().unwrap().to_string();
/// assert!(error.contains("ids.txt, line 2: `seven` is no id, a whole number up to 18446744073709551615"), "{error}");
/// ```
pub struct SynsetTable {
    words: HashMap<String, Vec<u64>>,
    name: String,
}

impl SynsetTable {
    /// Creates a table from pairs of a word and its ids. Words are lowercase, with `_` instead of spaces. If
    /// a word occurs in several pairs, it gets all their ids.
    pub fn new<W: Into<String>, I: IntoIterator<Item = u64>>(
        pairs: impl IntoIterator<Item = (W, I)>,
    ) -> Self {
        let (mut words, mut hash) = (HashMap::<String, Vec<u64>>::new(), 0);
        for (word, ids) in pairs {
            let word = word.into();
            hash = fingerprint(hash, word.as_bytes());
            let entry = words.entry(word).or_default();
            for id in ids {
                hash = fingerprint(hash, &id.to_le_bytes());
                entry.push(id);
            }
            // The empty piece separates the ids of one word from the next word.
            hash = fingerprint(hash, b"");
        }
        SynsetTable { words, name: format!("table#{hash:016x}") }
    }

    /// Parses a table of synset ids: each line has a word and its ids, separated by spaces. Blank lines are
    /// skipped. `file` is the file's name for error messages.
    ///
    /// # Errors
    /// Returns [`ConfigError::Resource`] with file and line if an id is invalid.
    pub fn parse(file: &str, text: &str) -> Result<Self, ConfigError> {
        let mut pairs = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let mut fields = line.split_ascii_whitespace();
            let Some(word) = fields.next() else { continue };
            let ids = fields.map(|field| field.parse::<u64>().map_err(|_| malformed(file, number, field)));
            pairs.push((word, ids.collect::<Result<Vec<_>, _>>()?));
        }
        Ok(SynsetTable::new(pairs))
    }
}

impl Synsets for SynsetTable {
    fn name(&self) -> &str {
        &self.name
    }

    fn synsets(&self, word: &str, each: &mut dyn FnMut(u64)) {
        self.words.get(word).into_iter().flatten().for_each(|id| each(*id));
    }
}

fn malformed(file: &str, line: u64, field: &str) -> ConfigError {
    ConfigError::Resource {
        what: "the table of synsets".to_owned(),
        reason: format!("{file}, line {line}: `{field}` is no id, a whole number up to {}", u64::MAX),
        hint: "write a word and the ids of its synsets on each line, with spaces between".to_owned(),
    }
}
