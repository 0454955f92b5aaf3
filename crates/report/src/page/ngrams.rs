//! [`PageNgrams`]: n-grams whose number of matches differs most between two systems; the report lists them
//! for each pair.

use serde::Serialize;

/// N-grams that the report lists for at least one pair of systems, with the number of matches of every
/// system.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageNgrams {
    /// Tokens of each n-gram, joined by spaces. Longer n-grams come first; n-grams of equal length are sorted
    /// by their tokens.
    pub texts: Vec<String>,
    /// Number of occurrences of each n-gram in the references.
    pub references: Vec<u64>,
    /// Number of matches of each n-gram with the references, in one list for each system.
    pub matches: Vec<Vec<u64>>,
}

impl PageNgrams {
    /// Largest number of n-grams in a list of n-grams that one system matches more often than another.
    pub const MOST: usize = 15;

    /// Returns the indices of the n-grams that system `first` matches more often than system `second`. They
    /// are sorted by `(a − b)/√(a + b)`, largest first, where `a` and `b` are the two numbers of matches.
    /// Leaves out an n-gram that is contained in a listed n-gram with equal `a` and `b`.
    ///
    /// ```
    /// use bleuprint_report::page::PageNgrams;
    /// let ngrams = PageNgrams {
    ///     texts: ["the cat", "a", "the"].map(str::to_owned).to_vec(),
    ///     references: vec![2, 1, 2],
    ///     matches: vec![vec![2, 1, 2], vec![0, 0, 0]],
    /// };
    /// assert_eq!(ngrams.won(0, 1), [0, 1]);
    /// assert!(ngrams.won(1, 0).is_empty());
    /// ```
    pub fn won(&self, first: usize, second: usize) -> Vec<usize> {
        let (Some(one), Some(other)) = (self.matches.get(first), self.matches.get(second)) else {
            return Vec::new();
        };
        let sureness = |ngram: usize| {
            let one = one[ngram] as f64;
            let other = other[ngram] as f64;
            (one - other) / (one + other).sqrt()
        };
        let mut order: Vec<usize> =
            (0..self.texts.len()).filter(|&ngram| one[ngram] > other[ngram]).collect();
        order.sort_by(|&left, &right| sureness(right).total_cmp(&sureness(left)).then(left.cmp(&right)));
        let mut listed: Vec<usize> = Vec::new();
        for ngram in order {
            // Spaces around both texts make sure that only whole tokens match.
            let text = format!(" {} ", self.texts[ngram]);
            let part = |longer: &usize| {
                let equal = (one[*longer], other[*longer]) == (one[ngram], other[ngram]);
                equal && format!(" {} ", self.texts[*longer]).contains(&text)
            };
            if !listed.iter().any(part) {
                listed.push(ngram);
            }
            if listed.len() == Self::MOST {
                break;
            }
        }
        listed
    }
}
