//! The sources of SPICE's synsets: WordNet, a table of given ids, or anything that implements [`Synsets`].

use std::collections::HashMap;

use bleuprint_core::ConfigError;
use bleuprint_metrics::meteor::{Synonyms, WordNet, fingerprint};

/// A source of synsets: two words with one in common are synonyms.
pub trait Synsets: Send + Sync {
    /// The name of the source in signatures and state keys; sources with different answers have different names.
    fn name(&self) -> &str;

    /// Hands the id of each synset of `word` to `each`, in any order, as often as it likes. The word is in lower case,
    /// with `_` for spaces; an unknown word has none.
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

/// Synsets by word, from a table of the user's own.
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
    /// A table from pairs of a word, in lower case and with `_` for spaces, and its ids; several pairs of one word add up.
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
            hash = fingerprint(hash, b"");
        }
        SynsetTable { words, name: format!("table#{hash:016x}") }
    }

    /// A table from the text of `file`: a word and its ids on each line, with spaces between. Blank lines are passed over.
    ///
    /// # Errors
    /// [`ConfigError::Resource`] with file and line where an id is none.
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
