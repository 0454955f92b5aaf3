//! The sources of METEOR's synonyms: WordNet, a table, or anything that implements [`Synonyms`].

use std::collections::HashMap;

/// A source of synonyms.
///
/// It must give the same answer to the same question for as long as it lives, as METEOR keeps answers.
pub trait Synonyms: Send + Sync {
    /// The name of the source in signatures and state keys; sources with different answers have different names.
    fn name(&self) -> &str;

    /// Hands each synonym of `word` to `each`, in any order, as often as it likes; the word itself need not be there.
    ///
    /// The word is in lower case and stemmed, as NLTK's METEOR asks; so are the words that synonyms are matched
    /// with, which is why most of WordNet's never match.
    fn synonyms(&self, word: &str, each: &mut dyn FnMut(&str));
}

/// Synonyms by word, from a table of the user's own.
///
/// ```
/// use bleuprint_metrics::meteor::{Synonyms, SynonymTable};
/// let table = SynonymTable::new([("car", ["auto", "automobil"])]);
/// let mut found = Vec::new();
/// table.synonyms("car", &mut |word| found.push(word.to_owned()));
/// assert_eq!(found, ["auto", "automobil"]);
/// ```
pub struct SynonymTable {
    words: HashMap<String, Vec<String>>,
    name: String,
}

impl SynonymTable {
    /// A table from pairs of a word and its synonyms; several pairs of one word add up.
    pub fn new<W: Into<String>, S: IntoIterator<Item: Into<String>>>(
        pairs: impl IntoIterator<Item = (W, S)>,
    ) -> Self {
        let (mut words, mut hash) = (HashMap::<String, Vec<String>>::new(), 0);
        for (word, synonyms) in pairs {
            let word = word.into();
            hash = fingerprint(hash, word.as_bytes());
            let entry = words.entry(word).or_default();
            for synonym in synonyms {
                let synonym = synonym.into();
                hash = fingerprint(hash, synonym.as_bytes());
                entry.push(synonym);
            }
            hash = fingerprint(hash, b"");
        }
        SynonymTable { words, name: format!("table#{hash:016x}") }
    }
}

impl Synonyms for SynonymTable {
    fn name(&self) -> &str {
        &self.name
    }

    fn synonyms(&self, word: &str, each: &mut dyn FnMut(&str)) {
        self.words.get(word).into_iter().flatten().for_each(|synonym| each(synonym));
    }
}

/// The hash of a piece of a resource (FNV-1a of 64 bits) on top of that of the pieces before. It protects nothing:
/// it keeps scores of different resources from being compared by accident.
pub fn fingerprint(before: u64, bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    let start = before.rotate_left(1) ^ 0xCBF2_9CE4_8422_2325;
    let length = (bytes.len() as u64).to_le_bytes();
    bytes.iter().chain(&length).fold(start, |hash, &byte| step(hash, byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_that_differ_have_different_names() {
        let name = |pairs: &[(&str, &[&str])]| {
            let pairs = pairs.iter().map(|(word, all)| (*word, all.iter().copied()));
            SynonymTable::new(pairs).name().to_owned()
        };
        assert_eq!(name(&[("a", &["b"])]), name(&[("a", &["b"])]));
        assert_ne!(name(&[("a", &["b"])]), name(&[("a", &["b", "c"])]));
        assert_ne!(name(&[("a", &["b", "c"])]), name(&[("a", &["b"]), ("c", &[])]));
        assert_ne!(name(&[]), name(&[("a", &[])]));
    }
}
