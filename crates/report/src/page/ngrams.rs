//! [`PageNgrams`]: the n-grams that tell systems apart, from which any pair is listed.

use serde::Serialize;

/// The n-grams that are listed for some pair of systems, with the matches of all systems: any pair is listed from them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageNgrams {
    /// The tokens of each, with spaces between; the longest first, then by their tokens.
    pub texts: Vec<String>,
    /// For each, its count in the references.
    pub references: Vec<u64>,
    /// For each system, the matches of each.
    pub matches: Vec<Vec<u64>>,
}

impl PageNgrams {
    /// The number of n-grams listed for each system of a pair.
    pub const MOST: usize = 15;

    /// The n-grams that `first` matches more often than `second`, as the page lists them: those first that chance explains
    /// least, by `(a − b)/√(a + b)`, without those that are part of a listed one with the same two counts.
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
