//! Sources of METEOR's synonyms: WordNet, a table, or anything that implements [`Synonyms`].

use std::collections::HashMap;

/// Source of the synonyms that METEOR matches.
///
/// A source must return the same synonyms for a word during its whole life, because METEOR caches them.
pub trait Synonyms: Send + Sync {
    /// Returns the name of this synonym source in signatures and statistics keys. Sources with different
    /// synonyms need different names.
    fn name(&self) -> &str;

    /// Calls `each` with every synonym of `word`, in any order. Synonyms may be repeated, and the word itself
    /// need not be among them.
    ///
    /// The word is in lower case and stemmed, as in NLTK's METEOR. Synonyms are compared with stems, so
    /// most of WordNet's synonyms never match.
    fn synonyms(&self, word: &str, each: &mut dyn FnMut(&str));
}

/// Synonyms by word, from a table that the user gives.
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
    /// Creates a table from pairs of a word and its synonyms. Several pairs with the same word are joined.
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
            // An empty piece marks the end of the pair, so that a synonym is not mistaken for the next
            // word.
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

/// Returns the 64-bit FNV-1a hash of a part of a resource, such as a synonym list, combined with the hash
/// `before` of the earlier parts. The hash prevents accidental comparisons of scores under different
/// resources; it is not cryptographic.
pub fn fingerprint(before: u64, bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    let start = before.rotate_left(1) ^ 0xCBF2_9CE4_8422_2325;
    // The length separates pieces: `ab`, `c` and `a`, `bc` have different hashes.
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
