//! [`PageNgrams`]: the n-grams in which systems differ most, for the lists of every pair.

use serde::Serialize;

/// N-grams that are listed for at least one pair of systems, with the matches of all systems, so that any
/// pair can be listed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageNgrams {
    /// Tokens of each n-gram, separated by spaces; the longest n-grams come first, then the order of the
    /// tokens.
    pub texts: Vec<String>,
    /// Number of occurrences of each n-gram in the references.
    pub references: Vec<u64>,
    /// Number of matches of each n-gram with the references, for each system.
    pub matches: Vec<Vec<u64>>,
}

impl PageNgrams {
    /// Number of n-grams listed for each system of a pair.
    pub const MOST: usize = 15;

    /// Returns the n-grams that `first` matches more often than `second`, as the page lists them. They are
    /// ordered by `(a − b)/√(a + b)`, the largest first. An n-gram within a listed n-gram with the same two
    /// counts is left out.
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
