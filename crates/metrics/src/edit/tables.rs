//! [`ErrorTables`]: the words that are confused, left out and added, over many alignments.

use std::collections::HashMap;

use ahash::RandomState;
use bleuprint_core::{Result, Stats as _};

use super::{Alignment, Chunk, EditCounts, Operation};

const PLACES: usize = 3;

/// The count of an event, and its first place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Occurrences {
    /// The number.
    pub count: u64,
    /// The first segments, at most three, by the numbers they were added under.
    pub segments: Vec<usize>,
}

/// The errors of a word.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WordErrors {
    /// Occurrences in references that were hit.
    pub hits: u64,
    /// Occurrences in references with another word in their place.
    pub substituted: Occurrences,
    /// Occurrences in hypotheses in the place of another word.
    pub substitute: Occurrences,
    /// Occurrences in references that the hypothesis lacks.
    pub deleted: Occurrences,
    /// Occurrences in hypotheses that the reference has not.
    pub inserted: Occurrences,
}

impl WordErrors {
    /// Its number in references.
    pub fn in_references(&self) -> u64 {
        self.hits + self.substituted.count + self.deleted.count
    }
}

/// Tables of errors by word and by phrase. Their sums are the counts of the alignments, and tables merge.
///
/// ```
/// use bleuprint_metrics::edit::{ErrorTables, alignment};
/// let (reference, hypothesis) = (["the", "cat", "sat", "down"], ["a", "cat", "sat"]);
/// let mut tables = ErrorTables::default();
/// tables.add(0, &alignment(&reference, &hypothesis).unwrap(), &reference, &hypothesis).unwrap();
/// assert_eq!(tables.confusions()[0].0, ("the", "a"));
/// assert_eq!(tables.word("down").unwrap().deleted.count, 1);
/// assert_eq!((tables.segments(), tables.segments_with_errors(), tables.counts().hits), (1, 1, 2));
/// ```
#[derive(Debug, Clone, Default)]
pub struct ErrorTables {
    words: HashMap<String, usize, RandomState>,
    errors: Vec<WordErrors>,
    confusions: HashMap<(String, String), Occurrences, RandomState>,
    /// By operation, phrase of the reference and phrase of the hypothesis: number and order of appearance.
    phrases: HashMap<(Operation, String, String), (u64, usize), RandomState>,
    counts: EditCounts,
    segments: u64,
    with_errors: u64,
}

impl Occurrences {
    fn add(&mut self, segment: usize) {
        self.count += 1;
        self.keep(segment);
    }

    fn keep(&mut self, segment: usize) {
        if self.segments.len() < PLACES && !self.segments.contains(&segment) {
            self.segments.push(segment);
        }
    }

    fn merge(&mut self, other: &Occurrences) {
        self.count += other.count;
        other.segments.iter().for_each(|&segment| self.keep(segment));
    }
}

impl ErrorTables {
    /// Adds an alignment of these words, under the number of its segment.
    ///
    /// # Errors
    /// More than 2^64 words.
    pub fn add(
        &mut self,
        segment: usize,
        alignment: &Alignment,
        reference: &[&str],
        hypothesis: &[&str],
    ) -> Result<()> {
        self.counts.merge(&alignment.counts())?;
        self.segments += 1;
        self.with_errors += u64::from(alignment.counts().edits() > 0);
        for chunk in &alignment.chunks {
            let own = reference.get(chunk.reference.clone()).unwrap_or_default();
            let other = hypothesis.get(chunk.hypothesis.clone()).unwrap_or_default();
            self.add_words(segment, chunk, own, other);
            if chunk.operation != Operation::Hit {
                let next = self.phrases.len();
                let key = (chunk.operation, own.join(PHRASE_SEPARATOR), other.join(PHRASE_SEPARATOR));
                self.phrases.entry(key).or_insert((0, next)).0 += 1;
            }
        }
        Ok(())
    }

    fn add_words(&mut self, segment: usize, chunk: &Chunk, reference: &[&str], hypothesis: &[&str]) {
        match chunk.operation {
            Operation::Hit => reference.iter().for_each(|word| self.entry(word).hits += 1),
            Operation::Deletion => reference.iter().for_each(|word| self.entry(word).deleted.add(segment)),
            Operation::Insertion => hypothesis.iter().for_each(|word| self.entry(word).inserted.add(segment)),
            Operation::Substitution => {
                for (own, other) in reference.iter().zip(hypothesis) {
                    self.entry(own).substituted.add(segment);
                    self.entry(other).substitute.add(segment);
                    let pair = ((*own).to_owned(), (*other).to_owned());
                    self.confusions.entry(pair).or_default().add(segment);
                }
            }
        }
    }

    fn entry(&mut self, word: &str) -> &mut WordErrors {
        // Most words are known, and need no copy.
        let place = match self.words.get(word) {
            Some(&place) => place,
            None => {
                self.errors.push(WordErrors::default());
                self.words.insert(word.to_owned(), self.errors.len() - 1);
                self.errors.len() - 1
            }
        };
        &mut self.errors[place]
    }

    /// Adds the tables of other segments, which come after these.
    ///
    /// # Errors
    /// More than 2^64 words.
    pub fn merge(&mut self, other: &ErrorTables) -> Result<()> {
        self.counts.merge(&other.counts)?;
        self.segments += other.segments;
        self.with_errors += other.with_errors;
        for (word, &place) in &other.words {
            let (own, errors) = (self.entry(word), &other.errors[place]);
            own.hits += errors.hits;
            own.substituted.merge(&errors.substituted);
            own.substitute.merge(&errors.substitute);
            own.deleted.merge(&errors.deleted);
            own.inserted.merge(&errors.inserted);
        }
        for (pair, occurrences) in &other.confusions {
            self.confusions.entry(pair.clone()).or_default().merge(occurrences);
        }
        let mut phrases: Vec<_> = other.phrases.iter().collect();
        phrases.sort_by_key(|(_, (_, order))| *order);
        for (phrase, (count, _)) in phrases {
            let next = self.phrases.len();
            self.phrases.entry(phrase.clone()).or_insert((0, next)).0 += count;
        }
        Ok(())
    }

    /// The sums.
    pub fn counts(&self) -> EditCounts {
        self.counts
    }

    /// The number of segments.
    pub fn segments(&self) -> u64 {
        self.segments
    }

    /// The number of segments with an error.
    pub fn segments_with_errors(&self) -> u64 {
        self.with_errors
    }

    /// The errors of a word; none for a word that was not seen.
    pub fn word(&self, word: &str) -> Option<&WordErrors> {
        self.words.get(word).map(|&place| &self.errors[place])
    }

    /// Every word: the most errors first, then by the word.
    pub fn words(&self) -> Vec<(&str, &WordErrors)> {
        let errors = |errors: &&WordErrors| {
            errors.substituted.count + errors.substitute.count + errors.deleted.count + errors.inserted.count
        };
        sorted(self.words.iter().map(|(word, &place)| (word.as_str(), &self.errors[place])), errors)
    }

    /// Words of references with the words in their place: the most frequent first, then by the words.
    pub fn confusions(&self) -> Vec<((&str, &str), &Occurrences)> {
        let pairs = self.confusions.iter();
        sorted(pairs.map(|((own, other), all)| ((own.as_str(), other.as_str()), all)), |all| all.count)
    }

    /// The number of times that a word of a reference has this one in its place.
    pub fn confused(&self, reference: &str, hypothesis: &str) -> u64 {
        let pair = (reference.to_owned(), hypothesis.to_owned());
        self.confusions.get(&pair).map_or(0, |occurrences| occurrences.count)
    }

    /// The words with occurrences of a kind: the most frequent first, then by the word.
    pub fn words_of(&self, kind: fn(&WordErrors) -> &Occurrences) -> Vec<(&str, &Occurrences)> {
        let all = self.words.iter().map(|(word, &place)| (word.as_str(), kind(&self.errors[place])));
        sorted(all.filter(|(_, occurrences)| occurrences.count > 0), |all| all.count)
    }

    /// Whole chunks of an operation, phrases of reference and hypothesis with `between` between their tokens: the most
    /// frequent first, then in order of appearance. So jiwer counts.
    pub fn phrases(&self, operation: Operation, between: &str) -> Vec<(String, String, u64)> {
        let own = self.phrases.iter().filter(|((kind, ..), _)| *kind == operation);
        let mut all: Vec<_> = own.collect();
        all.sort_by_key(|(_, (count, order))| (std::cmp::Reverse(*count), *order));
        let written = |phrase: &str| phrase.replace(PHRASE_SEPARATOR, between);
        all.into_iter().map(|((_, own, other), (count, _))| (written(own), written(other), *count)).collect()
    }
}

const PHRASE_SEPARATOR: &str = "\u{1f}";

fn sorted<K: Ord + Copy, V>(all: impl Iterator<Item = (K, V)>, count: impl Fn(&V) -> u64) -> Vec<(K, V)> {
    let mut all: Vec<(K, V)> = all.collect();
    all.sort_by_key(|(key, value)| (std::cmp::Reverse(count(value)), *key));
    all
}
