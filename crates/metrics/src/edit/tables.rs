//! [`ErrorTables`]: counts of confused, deleted and inserted words over many alignments of hypotheses with
//! references.

use std::collections::HashMap;
use std::sync::Arc;

use ahash::RandomState;
use bleuprint_core::{Result, Stats as _};
use smallvec::SmallVec;

use super::{Alignment, EditCounts, EditOperation};

// Enough to look an error up, and small for frequent words.
const PLACES: usize = 3;

/// Words of a chunk (run of equal edit steps), as their ids in the tables; mostly one or two.
type Phrase = SmallVec<[u32; 4]>;

/// Number of times that a word error occurred, and the first segments with the error.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Occurrences {
    /// Number of occurrences of the word error.
    pub count: u64,
    /// First segments with an occurrence of the word error, at most three, as the segment numbers given when
    /// alignments were added.
    pub segments: Vec<usize>,
}

/// Numbers of hits and errors of one word, over all alignments in the tables.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WordErrors {
    /// Number of occurrences of the word in references that are aligned with the same word in the hypothesis.
    pub hits: u64,
    /// Occurrences of the word in references that are aligned with a different word in the hypothesis.
    pub substituted: Occurrences,
    /// Occurrences of the word in hypotheses that are aligned with a different word in the reference.
    pub substitute: Occurrences,
    /// Occurrences of the word in references that the hypothesis lacks (deletions).
    pub deleted: Occurrences,
    /// Occurrences of the word in hypotheses that the reference lacks (insertions).
    pub inserted: Occurrences,
}

impl WordErrors {
    /// Returns the number of occurrences of the word in references.
    pub fn in_references(&self) -> u64 {
        self.hits + self.substituted.count + self.deleted.count
    }
}

/// Counts of edit errors by word and by phrase, over many alignments; tables can be merged.
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
    /// Id of each word in these tables, which is its index in `words`.
    numbers: HashMap<Arc<str>, u32, RandomState>,
    words: Vec<(Arc<str>, WordErrors)>,
    confusions: HashMap<[u32; 2], Occurrences, RandomState>,
    /// For each edit operation with its reference words and hypothesis words, the number of times it occurred
    /// and the order of its first appearance.
    phrases: HashMap<(EditOperation, Phrase, Phrase), (u64, usize), RandomState>,
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
    /// Counts the hits and errors of an alignment of these words, for the segment with the given number.
    ///
    /// # Errors
    /// Returns an error if there are more than 2^64 words.
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
            if chunk.operation == EditOperation::Hit {
                own.iter().for_each(|word| self.word_mut(word).hits += 1);
                continue;
            }
            let own: Phrase = own.iter().map(|word| self.number(word)).collect();
            let other: Phrase = other.iter().map(|word| self.number(word)).collect();
            self.add_errors(segment, chunk.operation, &own, &other);
            let next = self.phrases.len();
            self.phrases.entry((chunk.operation, own, other)).or_insert((0, next)).0 += 1;
        }
        Ok(())
    }

    fn add_errors(
        &mut self,
        segment: usize,
        operation: EditOperation,
        reference: &[u32],
        hypothesis: &[u32],
    ) {
        let mut add = |word: u32, kind: fn(&mut WordErrors) -> &mut Occurrences| {
            kind(&mut self.words[word as usize].1).add(segment);
        };
        match operation {
            EditOperation::Hit => {}
            EditOperation::Deletion => {
                reference.iter().for_each(|&word| add(word, |errors| &mut errors.deleted))
            }
            EditOperation::Insertion => {
                hypothesis.iter().for_each(|&word| add(word, |errors| &mut errors.inserted))
            }
            EditOperation::Substitution => {
                for (&own, &other) in reference.iter().zip(hypothesis) {
                    add(own, |errors| &mut errors.substituted);
                    add(other, |errors| &mut errors.substitute);
                    self.confusions.entry([own, other]).or_default().add(segment);
                }
            }
        }
    }

    fn number(&mut self, word: &str) -> u32 {
        // Most words are known and need no copy.
        if let Some(&number) = self.numbers.get(word) {
            return number;
        }
        // A corpus of 2^32 distinct words does not fit the memory of their errors.
        let (word, number): (Arc<str>, _) = (word.into(), self.words.len() as u32);
        self.words.push((word.clone(), WordErrors::default()));
        self.numbers.insert(word, number);
        number
    }

    fn word_mut(&mut self, word: &str) -> &mut WordErrors {
        let number = self.number(word);
        &mut self.words[number as usize].1
    }

    /// Adds the error counts of `other`, whose segments must come after the segments counted here.
    ///
    /// # Errors
    /// Returns an error if there are more than 2^64 words.
    pub fn merge(&mut self, other: &ErrorTables) -> Result<()> {
        self.counts.merge(&other.counts)?;
        self.segments += other.segments;
        self.with_errors += other.with_errors;
        let numbers: Vec<u32> = other.words.iter().map(|(word, _)| self.number(word)).collect();
        for (&number, (_, errors)) in numbers.iter().zip(&other.words) {
            let own = &mut self.words[number as usize].1;
            own.hits += errors.hits;
            own.substituted.merge(&errors.substituted);
            own.substitute.merge(&errors.substitute);
            own.deleted.merge(&errors.deleted);
            own.inserted.merge(&errors.inserted);
        }
        for (pair, occurrences) in &other.confusions {
            let pair = pair.map(|word| numbers[word as usize]);
            self.confusions.entry(pair).or_default().merge(occurrences);
        }
        let mut phrases: Vec<_> = other.phrases.iter().collect();
        // A hash map has no stable order; new phrases must be numbered in order of appearance.
        phrases.sort_by_key(|(_, (_, order))| *order);
        let renumbered = |phrase: &Phrase| phrase.iter().map(|&word| numbers[word as usize]).collect();
        for ((operation, own, other), (count, _)) in phrases {
            let next = self.phrases.len();
            let phrase = (*operation, renumbered(own), renumbered(other));
            self.phrases.entry(phrase).or_insert((0, next)).0 += count;
        }
        Ok(())
    }

    /// Returns the edit counts summed over all alignments.
    pub fn counts(&self) -> EditCounts {
        self.counts
    }

    /// Returns the number of segments whose alignments were added.
    pub fn segments(&self) -> u64 {
        self.segments
    }

    /// Returns the number of segments with at least one word error.
    pub fn segments_with_errors(&self) -> u64 {
        self.with_errors
    }

    /// Returns the hits and errors of a word, or `None` if no alignment contains the word.
    pub fn word(&self, word: &str) -> Option<&WordErrors> {
        self.numbers.get(word).map(|&number| &self.words[number as usize].1)
    }

    /// Returns every word with its hits and errors. Words with most errors come first; ties are in the order
    /// of the words.
    pub fn words(&self) -> Vec<(&str, &WordErrors)> {
        let errors = |errors: &&WordErrors| {
            errors.substituted.count + errors.substitute.count + errors.deleted.count + errors.inserted.count
        };
        sorted(self.words.iter().map(|(word, errors)| (&**word, errors)), errors)
    }

    /// Returns the confused pairs, a reference word and the different hypothesis word aligned with it, with
    /// their occurrences. The most frequent come first; ties are in the order of the words.
    pub fn confusions(&self) -> Vec<((&str, &str), &Occurrences)> {
        let pairs = self.confusions.iter();
        sorted(pairs.map(|(&[own, other], all)| ((self.text(own), self.text(other)), all)), |all| all.count)
    }

    /// Returns the number of times that the reference word `reference` was replaced by the hypothesis word
    /// `hypothesis`, a substitution.
    pub fn confused(&self, reference: &str, hypothesis: &str) -> u64 {
        let pair = (self.numbers.get(reference), self.numbers.get(hypothesis));
        let (Some(&own), Some(&other)) = pair else { return 0 };
        self.confusions.get(&[own, other]).map_or(0, |occurrences| occurrences.count)
    }

    /// Returns the words with at least one occurrence of the error that `kind` selects, such as deletions.
    /// The most frequent come first; ties are in the order of the words.
    pub fn words_of(&self, kind: fn(&WordErrors) -> &Occurrences) -> Vec<(&str, &Occurrences)> {
        let all = self.words.iter().map(|(word, errors)| (&**word, kind(errors)));
        sorted(all.filter(|(_, occurrences)| occurrences.count > 0), |all| all.count)
    }

    /// Iterates over runs of consecutive edits of one kind: the reference phrase, the hypothesis phrase and
    /// the number of times. The most frequent come first; ties are in order of first appearance, like in
    /// jiwer. `between` joins the tokens of a phrase.
    pub fn phrases(
        &self,
        operation: EditOperation,
        between: &str,
    ) -> impl Iterator<Item = (String, String, u64)> {
        let own = self.phrases.iter().filter(move |((kind, ..), _)| *kind == operation);
        let mut all: Vec<_> = own.collect();
        all.sort_unstable_by_key(|(_, (count, order))| (std::cmp::Reverse(*count), *order));
        let written = move |phrase: &[u32]| {
            let words: Vec<&str> = phrase.iter().map(|&word| self.text(word)).collect();
            words.join(between)
        };
        all.into_iter().map(move |((_, own, other), (count, _))| (written(own), written(other), *count))
    }

    fn text(&self, word: u32) -> &str {
        &self.words[word as usize].0
    }
}

fn sorted<K: Ord + Copy, V>(all: impl Iterator<Item = (K, V)>, count: impl Fn(&V) -> u64) -> Vec<(K, V)> {
    let mut all: Vec<(K, V)> = all.collect();
    all.sort_by_key(|(key, value)| (std::cmp::Reverse(count(value)), *key));
    all
}
