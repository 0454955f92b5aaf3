//! The table of paraphrases: pairs of phrases in the order of their file, found by hashes of phrases and compared as text.

use ahash::RandomState;
use bleuprint_core::ConfigError;

use super::fingerprint::{fingerprint, malformed};

/// Pairs of phrases, as of METEOR's `paraphrase-en.gz`.
///
/// The text stays as it is, next to 12 bytes for each pair: the English table, 5,274,084 pairs in 272 MB of text, takes
/// 335 MB, and 400 MB while it is read.
#[derive(Debug, Clone)]
pub struct Paraphrases {
    text: Box<str>,
    hashes: RandomState,
    /// By bucket, in each bucket in the order of the file.
    pairs: Vec<ParaphrasePair>,
    /// For each bucket of sources, its place in `pairs`; the last is the end.
    starts: Vec<u32>,
    /// The number of words of the longest phrase.
    longest: usize,
    name: String,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ParaphrasePair {
    /// The keys of its phrases.
    pub(super) source: u32,
    pub(super) target: u32,
    /// The line of the source in the text; that of the target follows.
    place: u32,
}

/// The hash of a phrase that grows by words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Phrase(u64);

impl Phrase {
    /// The phrase with one more word, of this hash.
    pub(super) fn with(self, word: u64) -> Phrase {
        Phrase((self.0.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// The half that pairs are found by.
    pub(super) fn key(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

const WHAT: &str = "the table of paraphrases";

impl Paraphrases {
    /// Reads the unpacked table: three lines for each pair, with its probability, a phrase and its paraphrase, words between blanks.
    /// The probability is not used, but it must look like one.
    ///
    /// # Errors
    /// [`ConfigError::Resource`] with file, line and value: for another number of lines, a probability that is no number, a phrase
    /// without words; and for 4 GiB and more.
    pub fn parse(file: &str, text: impl Into<Box<str>>) -> Result<Self, ConfigError> {
        let text = text.into();
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

    /// The pairs in the order of the file.
    fn read(&mut self, file: &str) -> Result<Vec<ParaphrasePair>, ConfigError> {
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

    /// Sorts pairs by bucket, in their order.
    fn fill(&mut self, pairs: &[ParaphrasePair]) {
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
        ((u64::from(key) * (self.starts.len() as u64 - 1)) >> 32) as usize
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn longest(&self) -> usize {
        self.longest
    }

    /// The hash of a word, for [`Phrase::with`].
    pub(super) fn hash(&self, word: &[u8]) -> u64 {
        self.hashes.hash_one(word)
    }

    /// All pairs whose source has this key, and others, in the order of the file.
    pub(super) fn pairs(&self, source: u32) -> &[ParaphrasePair] {
        let bucket = self.bucket(source);
        let [start, end] = [0, 1].map(|step| self.starts[bucket + step] as usize);
        &self.pairs[start..end]
    }

    /// The phrases of a pair.
    pub(super) fn texts(&self, pair: &ParaphrasePair) -> [&str; 2] {
        let (source, next) = line_at(&self.text, pair.place as usize);
        [source, line_at(&self.text, next).0]
    }
}

/// The line that begins at a place, and the place of the next.
fn line_at(text: &str, place: usize) -> (&str, usize) {
    let rest = &text[place..];
    let end = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
    let line = &rest[..end];
    (line.strip_suffix('\r').unwrap_or(line), place + end + 1)
}

/// The words of a phrase, as bytes.
pub(super) fn words_of(phrase: &str) -> impl Iterator<Item = &[u8]> {
    phrase.as_bytes().split(|byte| *byte == b' ').filter(|word| !word.is_empty())
}

fn looks_like_number(text: &str) -> bool {
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
