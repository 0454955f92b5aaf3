//! Reads the table of paraphrases: pairs of phrases in file order, found by hash and then compared as text.

use ahash::RandomState;
use bleuprint_core::ConfigError;

use super::fingerprint::{fingerprint, malformed};

/// Table of paraphrases (pairs of phrases), such as METEOR's `paraphrase-en.gz`.
///
/// The table keeps the text as it is, plus 12 bytes for each pair. The English table has 5,274,084 pairs in
/// 272 MB of text; it takes 335 MB, and 400 MB while it is read.
#[derive(Debug, Clone)]
pub struct Paraphrases {
    text: Box<str>,
    hashes: RandomState,
    /// Paraphrase pairs, grouped into hash buckets by source phrase; each bucket keeps the order of the file.
    pairs: Vec<ParaphrasePair>,
    /// For each hash bucket, the index in `pairs` of its first pair of phrases; the last entry is the length
    /// of `pairs`.
    starts: Vec<u32>,
    /// Number of words in the longest phrase of the paraphrase table.
    longest: usize,
    name: String,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ParaphrasePair {
    /// Hash key of the source phrase; `target` is the hash key of its paraphrase.
    pub(super) source: u32,
    pub(super) target: u32,
    /// Byte offset in the table's text of the line with the source phrase; the paraphrase is on the next
    /// line.
    place: u32,
}

/// Hash of a phrase, which is updated word by word.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Phrase(u64);

impl Phrase {
    /// Returns the hash of this phrase extended by one word; `word` is the word's hash.
    pub(super) fn with(self, word: u64) -> Phrase {
        // The rotation makes the hash depend on the order of words. The multiplier is 2^64 divided by the
        // golden ratio, which spreads equal low bits.
        Phrase((self.0.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// Returns the upper half of the phrase's hash: the key that finds the phrase's pairs in the paraphrase
    /// table.
    pub(super) fn key(self) -> u32 {
        // The multiplication mixes the upper bits best.
        (self.0 >> 32) as u32
    }
}

const WHAT: &str = "the table of paraphrases";

impl Paraphrases {
    /// Parses the unpacked text of a paraphrase table. Each pair has three lines: its probability, a phrase
    /// and its paraphrase, with spaces between words. The probability is not used, but must look like a
    /// number.
    ///
    /// # Errors
    /// Returns [`ConfigError::Resource`] with file, line and value if the number of lines is not a multiple
    /// of three. Also returns it for an invalid probability, a phrase without words, and a text of 4 GiB or
    /// more.
    pub fn parse(file: &str, text: impl Into<Box<str>>) -> Result<Self, ConfigError> {
        let text = text.into();
        // Offsets of pairs are 32-bit, which keeps the five million pairs of English small.
        if u32::try_from(text.len()).is_err() {
            let reason = format!("{file} has {} bytes, at most {} are read", text.len(), u32::MAX);
            return Err(ConfigError::Resource { what: WHAT.to_owned(), reason, hint: "cut it".to_owned() });
        }
        let mut table = Paraphrases {
            name: format!("table#{:016x}", fingerprint([text.as_bytes()])),
            text,
            hashes: RandomState::new(),
            pairs: Vec::new(),
            starts: Vec::new(),
            longest: 0,
        };
        let pairs = table.read(file)?;
        table.fill(&pairs);
        Ok(table)
    }

    /// Reads the paraphrase pairs from the text, in file order.
    fn read(&mut self, file: &str) -> Result<Vec<ParaphrasePair>, ConfigError> {
        // The lines of a pair have 52 bytes on average in the English table, so this capacity rarely grows.
        let mut pairs = Vec::with_capacity(self.text.len() / 48);
        let bad = |number, reason: &str| malformed(WHAT, file, number, reason);
        let mut number = 1_u64;
        let mut place = 0;
        let mut longest = 0;
        while place < self.text.len() {
            let (probability, start) = line_at(&self.text, place);
            if !looks_like_number(probability) {
                return Err(bad(number, &format!("`{probability}` is no probability")));
            }
            let mut keys = [0; 2];
            let mut next = start;
            for (key, line) in keys.iter_mut().zip(number + 1..) {
                if next >= self.text.len() {
                    return Err(bad(number, "two phrases must follow"));
                }
                let phrase;
                (phrase, next) = line_at(&self.text, next);
                let mut hash = Phrase::default();
                let mut words = 0;
                for word in words_of(phrase) {
                    hash = hash.with(self.hash(word));
                    words += 1;
                }
                if words == 0 {
                    return Err(bad(line, "a phrase without words"));
                }
                longest = longest.max(words);
                *key = hash.key();
            }
            let [source, target] = keys;
            pairs.push(ParaphrasePair { source, target, place: start as u32 });
            number += 3;
            place = next;
        }
        self.longest = longest;
        Ok(pairs)
    }

    /// Sorts the paraphrase pairs into hash buckets; each bucket keeps file order.
    fn fill(&mut self, pairs: &[ParaphrasePair]) {
        // A counting sort: it is stable, and stability keeps the order of candidates that decides ties.
        self.starts = vec![0; pairs.len().next_power_of_two() + 1];
        for pair in pairs {
            let bucket = self.bucket(pair.source);
            self.starts[bucket + 1] += 1;
        }
        for bucket in 1..self.starts.len() {
            self.starts[bucket] += self.starts[bucket - 1];
        }
        let mut free = self.starts.clone();
        self.pairs = vec![ParaphrasePair::default(); pairs.len()];
        for pair in pairs {
            let place = &mut free[self.bucket(pair.source)];
            self.pairs[*place as usize] = *pair;
            *place += 1;
        }
    }

    fn bucket(&self, key: u32) -> usize {
        // Scales the key to the number of buckets with a multiplication instead of a division.
        ((u64::from(key) * (self.starts.len() as u64 - 1)) >> 32) as usize
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn longest(&self) -> usize {
        self.longest
    }

    /// Returns the hash of a word, for [`Phrase::with`].
    pub(super) fn hash(&self, word: &[u8]) -> u64 {
        self.hashes.hash_one(word)
    }

    /// Returns, in file order, the pairs whose source phrase may have this hash key. The list has all pairs
    /// with the key, and may have pairs with other keys.
    pub(super) fn pairs(&self, source: u32) -> &[ParaphrasePair] {
        let bucket = self.bucket(source);
        let [start, end] = [0, 1].map(|step| self.starts[bucket + step] as usize);
        &self.pairs[start..end]
    }

    /// Returns the texts of a pair: the source phrase and its paraphrase.
    pub(super) fn texts(&self, pair: &ParaphrasePair) -> [&str; 2] {
        let (source, next) = line_at(&self.text, pair.place as usize);
        [source, line_at(&self.text, next).0]
    }
}

/// Returns the line that begins at byte offset `place`, and the offset of the next line.
fn line_at(text: &str, place: usize) -> (&str, usize) {
    let rest = &text[place..];
    let end = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
    let line = &rest[..end];
    (line.strip_suffix('\r').unwrap_or(line), place + end + 1)
}

/// Returns the words of a phrase as bytes.
pub(super) fn words_of(phrase: &str) -> impl Iterator<Item = &[u8]> {
    phrase.as_bytes().split(|byte| *byte == b' ').filter(|word| !word.is_empty())
}

fn looks_like_number(text: &str) -> bool {
    // The program parses the number but never uses it, so a check of the characters is enough and much
    // faster.
    let part = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'-' | b'+');
    text.bytes().any(|byte| byte.is_ascii_digit()) && text.bytes().all(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(table: &Paraphrases, phrase: &str) -> u32 {
        words_of(phrase).fold(Phrase::default(), |phrase, word| phrase.with(table.hash(word))).key()
    }

    #[test]
    fn paraphrases_come_in_the_order_of_the_file() {
        let table = Paraphrases::parse("t", "0.5\na b\nc\n1\na\nd e\n0\na  b\na\r\n").unwrap();
        let found = |phrase| {
            let source = key(&table, phrase);
            table.pairs(source).iter().filter(move |pair| pair.source == source).map(|pair| {
                let [_, text] = table.texts(pair);
                assert_eq!(pair.target, key(&table, text));
                text
            })
        };
        assert_eq!(found("a b").collect::<Vec<_>>(), ["c", "a"]);
        assert_eq!(found("a").collect::<Vec<_>>(), ["d e"]);
        assert_eq!((found("c").count(), table.longest()), (0, 2));
        let empty = Paraphrases::parse("t", "").unwrap();
        assert!(empty.pairs(7).is_empty());
    }

    #[test]
    fn lines_of_another_form_are_refused_with_their_place() {
        for (text, message) in [
            ("0.5\na\nb\nx\na\nb\n", "t.gz, line 4: `x` is no probability"),
            ("0.5\na\nb\n0.5\na\n", "t.gz, line 4: two phrases must follow"),
            ("0.5\na\nb\n0.5", "t.gz, line 4: two phrases must follow"),
            ("0.5\na\n \n", "t.gz, line 3: a phrase without words"),
            ("0.5\na\nb\n\n", "t.gz, line 4: `` is no probability"),
        ] {
            let error = Paraphrases::parse("t.gz", text).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
