//! [`TermList`]: a list of terms (names, products, ..) of one word or more, with their categories.

use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasherDefault, Hash, Hasher};

use bleuprint_core::{ConfigError, Result, Segment};
use bleuprint_text::whitespace;

use crate::like::{back, front};

/// List of terms, such as names, whose recognition is measured, each with a category.
///
/// In a file, each line is a term; its words are separated by white space. A tab and a category may follow.
/// Empty lines are skipped. Either all terms have a category, or none. Terms must have the letter case and
/// the normalization of the words that the metric receives.
///
/// ```
/// use bleuprint_recognition::TermList;
/// let list = TermList::parse("terms.tsv", "new york\tplace\nann\tperson\n").unwrap();
/// assert_eq!(list.categories(), ["person", "place"]);
/// let error = TermList::parse("terms.tsv", "ann\tperson\nann\tplace").unwrap_err().to_string();
/// assert!(error.contains("line 2: the term `ann` has the categories `person` and `place`"), "{error}");
/// ```
#[derive(Debug, Clone, Default)]
pub struct TermList {
    terms: Vec<Vec<String>>,
    /// Category of each term, as an index into the list `categories`.
    of: Vec<usize>,
    categories: Vec<String>,
    /// Terms of the list by their first word, longest first.
    starts: HashMap<String, Vec<u32>, BuildHasherDefault<WordHasher>>,
    /// Number of words of the longest term of the list.
    longest: usize,
}

/// Hashes the terms and their categories, so that metrics with different lists have different keys.
impl Hash for TermList {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.terms, &self.of, &self.categories).hash(state);
    }
}

/// Fast hash function for words. Every token is looked up, and the user supplies the terms, so protection
/// against chosen keys is not needed.
#[derive(Debug, Clone, Copy, Default)]
struct WordHasher(u64);

impl WordHasher {
    #[inline]
    fn add(&mut self, word: u64) {
        // The multiplier is 2^64 divided by the golden ratio, as in Fibonacci hashing and rustc's FxHash.
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

impl Hasher for WordHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (pieces, rest) = bytes.as_chunks::<8>();
        pieces.iter().for_each(|piece| self.add(u64::from_le_bytes(*piece)));
        // Two overlapping halves cover 4 to 7 bytes. Copying `rest.len()` bytes would be a function call.
        let word = match (rest.first_chunk::<4>(), rest.last_chunk::<4>(), rest) {
            (Some(first), Some(last), _) => {
                u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32
            }
            (.., [first, .., last]) => {
                u64::from(*first) | u64::from(rest[rest.len() / 2]) << 8 | u64::from(*last) << 16
            }
            (.., [only]) => u64::from(*only),
            _ => return,
        };
        // The length tells apart words that the overlapping reads would make equal.
        self.add(word ^ (bytes.len() as u64) << 56);
    }

    #[inline]
    fn write_u8(&mut self, byte: u8) {
        self.0 ^= u64::from(byte);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

/// List of words that applies to a segment: the list for all segments, or the words of the segment's source,
/// sorted.
pub(crate) enum ListedWords<'s> {
    Corpus(&'s TermList),
    Own(Vec<&'s str>),
}

impl<'s> ListedWords<'s> {
    pub(crate) fn from_segment<T: AsRef<str>>(
        list: Option<&'s TermList>,
        segment: Segment<'s, [T]>,
    ) -> Result<Self> {
        Ok(match list {
            Some(list) => ListedWords::Corpus(list),
            None => {
                let mut words: Vec<&str> = segment.source()?.iter().map(AsRef::as_ref).collect();
                words.sort_unstable();
                ListedWords::Own(words)
            }
        })
    }

    pub(crate) fn has(&self, word: &str) -> bool {
        match self {
            ListedWords::Corpus(list) => list.has_word(word),
            ListedWords::Own(words) => words.binary_search(&word).is_ok(),
        }
    }
}

/// An occurrence of a term of the list in a sequence of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TermOccurrence {
    pub(crate) start: usize,
    pub(crate) len: usize,
    pub(crate) term: usize,
}

impl TermList {
    /// Parses a list of terms from the text of a file; `file` is its name in errors.
    ///
    /// # Errors
    /// Returns [`ConfigError::Resource`] with file and line if a term is empty, has two categories, or has
    /// no category although others have one; if there are more than 2^20 terms; or if there is no term.
    pub fn parse(file: &str, text: &str) -> Result<Self, ConfigError> {
        const MOST: usize = 1 << 20;
        let refuse = |line: usize, reason: String| {
            Err(ConfigError::Resource {
                what: format!("the terms of `{file}`"),
                reason: format!("line {line}: {reason}"),
                hint: "each line must be a term, or a term, a tab and its category".to_owned(),
            })
        };
        let mut known = HashMap::<Vec<String>, usize>::new();
        let mut read: Vec<(Vec<String>, &str)> = Vec::new();
        // A byte order mark from an editor is not part of the first term.
        for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
            if line.trim().is_empty() {
                continue;
            }
            let (term, category) = line.split_once('\t').unwrap_or((line, ""));
            let (term, category): (Vec<String>, _) =
                (whitespace::split(term).map(str::to_owned).collect(), category.trim());
            if term.is_empty() {
                return refuse(number, "the term is empty".to_owned());
            }
            let shown = term.join(" ");
            // An empty category among named ones would be pooled silently under no name.
            if read.first().is_some_and(|(_, other)| other.is_empty() != category.is_empty()) {
                return refuse(
                    number,
                    format!("`{shown}` and the terms before it must all have a category, or none"),
                );
            }
            if let Some(&place) = known.get(&term) {
                let other = read[place].1;
                if other != category {
                    let reason = format!("the term `{shown}` has the categories `{other}` and `{category}`");
                    return refuse(number, reason);
                }
                continue;
            }
            if read.len() == MOST {
                return refuse(number, format!("more than {MOST} terms"));
            }
            known.insert(term.clone(), read.len());
            read.push((term, category));
        }
        if read.is_empty() {
            return refuse(1, "the file has no term".to_owned());
        }
        Ok(TermList::from_lines(read))
    }

    /// Creates a list of terms of one word each.
    pub(crate) fn of_words<T: AsRef<str>>(words: &[T]) -> Self {
        let mut words: Vec<_> = words.iter().map(|word| (vec![word.as_ref().to_owned()], "")).collect();
        words.sort_unstable();
        words.dedup();
        TermList::from_lines(words)
    }

    fn from_lines(mut read: Vec<(Vec<String>, &str)>) -> Self {
        // Sorted terms make lists with the same lines in another order equal, and their signatures too.
        read.sort_unstable();
        let categories: BTreeSet<&str> = read.iter().map(|(_, category)| *category).collect();
        let categories: Vec<String> = categories.into_iter().map(str::to_owned).collect();
        let place = |category: &str| categories.binary_search_by(|other| (**other).cmp(category));
        let of = read.iter().map(|(_, category)| place(category).unwrap_or_default()).collect();
        let terms: Vec<Vec<String>> = read.into_iter().map(|(term, _)| term).collect();
        let mut starts = HashMap::<String, Vec<u32>, _>::default();
        for (number, term) in (0..).zip(&terms) {
            starts.entry(term[0].clone()).or_default().push(number);
        }
        for numbers in starts.values_mut() {
            numbers.sort_by_key(|&number| std::cmp::Reverse(terms[number as usize].len()));
        }
        let longest = terms.iter().map(Vec::len).max().unwrap_or_default();
        TermList { terms, of, categories, starts, longest }
    }

    /// Returns the number of terms, such as names, whose recognition is measured with this list.
    pub(crate) fn len(&self) -> usize {
        self.terms.len()
    }

    /// Returns the categories of the terms, sorted by bytes. If terms have no category, there is one empty
    /// category.
    pub fn categories(&self) -> &[String] {
        &self.categories
    }

    /// Returns the words of the term with index `term`. Terms are numbered in the order of their bytes.
    pub(crate) fn term(&self, term: usize) -> String {
        self.terms[term].join(" ")
    }

    pub(crate) fn category_of(&self, term: usize) -> usize {
        self.of[term]
    }

    /// Returns `true` if the list contains the term that consists of this word alone.
    fn has_word(&self, word: &str) -> bool {
        let last = self.starts.get(word).and_then(|numbers| numbers.last());
        last.is_some_and(|&number| self.terms[number as usize].len() == 1)
    }

    /// Rejects a list with terms of several words, for a metric of single words; `metric` is its name in the
    /// error.
    pub(crate) fn require_words(&self, metric: &str) -> Result<(), ConfigError> {
        match self.terms.iter().find(|term| term.len() > 1) {
            None => Ok(()),
            Some(term) => Err(ConfigError::Conflict(format!(
                "{metric} takes single words, but the term `{}` has several; use the metric `terms` for it",
                term.join(" ")
            ))),
        }
    }

    /// Finds the terms of the list in a sequence of tokens from left to right, longest first, without
    /// overlap.
    pub(crate) fn occurrences<T: AsRef<str>>(&self, tokens: &[T]) -> Vec<TermOccurrence> {
        let mut found = Vec::new();
        let mut start = 0;
        while start < tokens.len() {
            let term = self.term_at(&tokens[start..]);
            let len = term.map_or(1, |term| self.terms[term].len());
            found.extend(term.map(|term| TermOccurrence { start, len, term }));
            start += len;
        }
        found
    }

    /// Returns the index of the longest term with which the tokens begin.
    #[inline]
    fn term_at<T: AsRef<str>>(&self, tokens: &[T]) -> Option<usize> {
        let fits = |&&number: &&u32| {
            let term = &self.terms[number as usize];
            term.len() <= tokens.len() && term.iter().zip(tokens).all(|(own, other)| own == other.as_ref())
        };
        let numbers = self.starts.get(tokens.first()?.as_ref())?;
        numbers.iter().find(fits).map(|&number| number as usize)
    }

    /// Finds the terms of the list in a hypothesis, given the terms `known` of its reference; the result
    /// equals [`occurrences`](Self::occurrences). It is faster: terms within the words that both texts have
    /// in common at the start or the end are copied from the reference.
    pub(crate) fn occurrences_like<T: AsRef<str> + Eq>(
        &self,
        hypothesis: &[T],
        reference: &[T],
        known: &[TermOccurrence],
    ) -> Vec<TermOccurrence> {
        let front = front(reference, hypothesis);
        let back = back(&reference[front..], &hypothesis[front..]);
        // A term that starts before `sure` ends within the equal front, so it is the same on both sides.
        let sure = (front + 1).saturating_sub(self.longest);
        let kept = known.partition_point(|one| one.start < sure);
        let mut found = known[..kept].to_vec();
        let mut start = found.last().map_or(sure, |last| sure.max(last.start + last.len));
        let mut rest = known[kept..].iter().peekable();
        while start < hypothesis.len() {
            // The rest is equal to the end of the reference. If no term of the reference crosses this place,
            // its terms can be copied.
            let from_end = hypothesis.len() - start;
            if from_end <= back {
                let place = reference.len() - from_end;
                while rest.next_if(|one| one.start + one.len <= place).is_some() {}
                if rest.peek().is_none_or(|one| one.start >= place) {
                    let shifted =
                        |one: &TermOccurrence| TermOccurrence { start: one.start - place + start, ..*one };
                    found.extend(rest.map(shifted));
                    break;
                }
            }
            let term = self.term_at(&hypothesis[start..]);
            let len = term.map_or(1, |term| self.terms[term].len());
            found.extend(term.map(|term| TermOccurrence { start, len, term }));
            start += len;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_term_hides_those_within() {
        let list =
            TermList::parse("f", "\u{feff}new york\nnew york city\nyork\n\ncity hall\n york \n").unwrap();
        let found = |text: &str| {
            let tokens: Vec<&str> = text.split(' ').collect();
            let found = list.occurrences(&tokens);
            found.iter().map(|one| (one.start, list.term(one.term))).collect::<Vec<_>>()
        };
        assert_eq!(list.len(), 4);
        assert_eq!(found("new york city hall"), [(0, "new york city".to_owned())]);
        assert_eq!(found("a new york york"), [(1, "new york".to_owned()), (3, "york".to_owned())]);
        assert_eq!(found("new city hall"), [(1, "city hall".to_owned())]);
        assert!(list.has_word("york") && !list.has_word("new") && !list.has_word("hall"));
        assert!(list.require_words("m").unwrap_err().to_string().contains("`city hall`"));
    }

    quickcheck::quickcheck! {
        fn those_of_a_hypothesis_are_found_as_if_alone(front: Vec<u8>, middles: (Vec<u8>, Vec<u8>), back: Vec<u8>) -> bool {
            let list = TermList::parse("f", "a\na b\na b c\nb c a b\nc c\n").unwrap();
            let words = |middle: &[u8]| -> Vec<&str> {
                let bytes = front.iter().chain(middle).chain(&back);
                bytes.map(|byte| ["a", "b", "c", "d"][usize::from(byte % 4)]).collect()
            };
            let reference = words(&middles.0);
            let hypothesis = words(&middles.1);
            let known = list.occurrences(&reference);
            list.occurrences_like(&hypothesis, &reference, &known) == list.occurrences(&hypothesis)
        }

        fn words_of_every_length_are_looked_up(words: Vec<String>) -> bool {
            let words: Vec<String> = words.iter().map(|word| word.split_whitespace().collect()).collect();
            let words: Vec<String> = words.into_iter().filter(|word: &String| !word.is_empty()).collect();
            let list = TermList::of_words(&words);
            words.iter().all(|word| list.has_word(word) && !list.has_word(&format!("{word}{word}\u{0}")))
        }
    }

    #[test]
    fn wrong_lines_are_named() {
        for (text, message) in [
            ("", "the file has no term"),
            ("a\n\t person", "line 2: the term is empty"),
            ("a\tb\nc", "line 2: `c` and the terms before it must all have a category, or none"),
            ("a\tb\n\na\tc", "line 3: the term `a` has the categories `b` and `c`"),
        ] {
            let error = TermList::parse("terms.tsv", text).unwrap_err().to_string();
            assert!(error.contains(message) && error.contains("`terms.tsv`"), "{error}");
        }
    }
}
