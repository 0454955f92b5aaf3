//! [`NgramWins`]: the n-grams that one system gets right and the other does not.

use std::collections::HashMap;

/// How often an n-gram occurs in the references.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Frequency {
    /// Once.
    Once,
    /// 2 to 5 times.
    Rare,
    /// 6 to 50 times.
    Medium,
    /// More often.
    Frequent,
}

impl Frequency {
    /// The class of a count.
    pub fn of(count: u64) -> Self {
        match count {
            0..=1 => Frequency::Once,
            2..=5 => Frequency::Rare,
            6..=50 => Frequency::Medium,
            _ => Frequency::Frequent,
        }
    }

    /// The name of the class, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Frequency::Once => "once",
            Frequency::Rare => "rare",
            Frequency::Medium => "medium",
            Frequency::Frequent => "frequent",
        }
    }
}

/// One n-gram on which the systems differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NgramWin {
    /// Its tokens.
    pub tokens: Vec<String>,
    /// Matches of the first system, each segment's at most as many as in the reference that has it most often.
    pub first: u64,
    /// Matches of the second.
    pub second: u64,
    /// How often the references have it: the greatest count of each segment's references, summed.
    pub references: u64,
}

impl NgramWin {
    /// How common it is in the references.
    pub fn frequency(&self) -> Frequency {
        Frequency::of(self.references)
    }
}

/// Counts the clipped matches of every n-gram for two systems, segment by segment.
///
/// The sums over all n-grams of one order are the clipped counts of BLEU.
///
/// ```
/// use bleuprint_eval::NgramWins;
/// let mut wins = NgramWins::new(2);
/// wins.add(&["the", "cat"], &["a", "cat"], &[&["the", "cat", "sat"]]);
/// let list = wins.differing();
/// assert_eq!(list.iter().map(|win| win.tokens.join(" ")).collect::<Vec<_>>(), ["the", "the cat"]);
/// assert!(list.iter().all(|win| (win.first, win.second) == (1, 0)));
/// ```
#[derive(Debug, Clone)]
pub struct NgramWins {
    max_order: usize,
    ids: HashMap<String, u32>,
    words: Vec<String>,
    counts: HashMap<Vec<u32>, [u64; 3]>,
}

impl NgramWins {
    /// N-grams of orders 1 to `max_order`.
    pub fn new(max_order: usize) -> Self {
        NgramWins { max_order, ids: HashMap::new(), words: Vec::new(), counts: HashMap::new() }
    }

    /// Adds a segment: the tokens of the two hypotheses and of the references.
    pub fn add(&mut self, first: &[&str], second: &[&str], references: &[&[&str]]) {
        let first = self.intern(first);
        let second = self.intern(second);
        let references: Vec<Vec<u32>> = references.iter().map(|reference| self.intern(reference)).collect();
        for order in 1..=self.max_order {
            let mut limits: HashMap<&[u32], u64> = HashMap::new();
            for reference in &references {
                for (ngram, count) in ngrams(reference, order) {
                    let limit = limits.entry(ngram).or_default();
                    *limit = count.max(*limit);
                }
            }
            let (first, second) = (ngrams(&first, order), ngrams(&second, order));
            for (ngram, limit) in limits {
                let clipped =
                    |counts: &HashMap<&[u32], u64>| counts.get(ngram).map_or(0, |&count| count.min(limit));
                let counts = self.counts.entry(ngram.to_vec()).or_default();
                counts[0] += clipped(&first);
                counts[1] += clipped(&second);
                counts[2] += limit;
            }
        }
    }

    fn intern(&mut self, tokens: &[&str]) -> Vec<u32> {
        let NgramWins { ids, words, .. } = self;
        let id = |token: &&str| match ids.get(*token) {
            Some(&id) => id,
            None => {
                let id = words.len() as u32;
                ids.insert((*token).to_owned(), id);
                words.push((*token).to_owned());
                id
            }
        };
        tokens.iter().map(id).collect()
    }

    /// The n-grams whose matches differ: the largest differences first, those of the first system before those of
    /// the second, then by the tokens.
    pub fn differing(&self) -> Vec<NgramWin> {
        let win = |(ngram, &[first, second, references]): (&Vec<u32>, &[u64; 3])| NgramWin {
            tokens: ngram.iter().map(|&id| self.words[id as usize].clone()).collect(),
            first,
            second,
            references,
        };
        let differ = |(_, counts): &(&Vec<u32>, &[u64; 3])| counts[0] != counts[1];
        let mut wins: Vec<NgramWin> = self.counts.iter().filter(differ).map(win).collect();
        let key =
            |win: &NgramWin| (core::cmp::Reverse(win.first.abs_diff(win.second)), win.first < win.second);
        wins.sort_by(|one, other| key(one).cmp(&key(other)).then_with(|| one.tokens.cmp(&other.tokens)));
        wins
    }

    /// The matches of both systems over all n-grams of one order and frequency class.
    pub fn by_frequency(&self, order: usize) -> Vec<(Frequency, [u64; 2])> {
        let mut classes: std::collections::BTreeMap<Frequency, [u64; 2]> = std::collections::BTreeMap::new();
        for (_, [first, second, references]) in self.counts.iter().filter(|(ngram, _)| ngram.len() == order) {
            let sums = classes.entry(Frequency::of(*references)).or_default();
            *sums = [sums[0] + first, sums[1] + second];
        }
        classes.into_iter().collect()
    }
}

fn ngrams(tokens: &[u32], order: usize) -> HashMap<&[u32], u64> {
    let mut counts = HashMap::new();
    tokens.windows(order).for_each(|ngram| *counts.entry(ngram).or_default() += 1);
    counts
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::*;

    fn words(text: &[u8]) -> Vec<&'static str> {
        text.iter().map(|byte| ["a", "b", "c"][usize::from(byte % 3)]).collect()
    }

    quickcheck! {
        fn matches_add_up_to_the_clipped_counts(first: Vec<u8>, second: Vec<u8>, one: Vec<u8>, other: Vec<u8>) -> bool {
            let [first, second, one, other] = [first, second, one, other].map(|text| words(&text));
            let mut wins = NgramWins::new(4);
            wins.add(&first, &second, &[&one, &other]);
            let mut scratch = bleuprint_ngram::Scratch::default();
            let mut clipped = |hypothesis: &[&str]| {
                let mut clipped = [0; 4];
                bleuprint_ngram::overlap(&mut scratch, hypothesis, &[&one[..], &other[..]], &mut clipped);
                clipped
            };
            let expected = [clipped(&first), clipped(&second)];
            (0..4).all(|order| {
                let classes = wins.by_frequency(order + 1);
                (0..2).all(|system| {
                    classes.iter().map(|(_, sums)| sums[system]).sum::<u64>() == expected[system][order]
                })
            })
        }
    }

    #[test]
    fn wins_are_listed_by_size() {
        let mut wins = NgramWins::new(1);
        wins.add(&["x", "y"], &["z"], &[&["x", "y", "z"]]);
        wins.add(&["x"], &["z"], &[&["x", "y", "z"]]);
        let list: Vec<_> =
            wins.differing().iter().map(|win| (win.tokens[0].clone(), win.first, win.second)).collect();
        assert_eq!(list, [("x".to_owned(), 2, 0), ("z".to_owned(), 0, 2), ("y".to_owned(), 1, 0)]);
        assert_eq!(Frequency::of(51), Frequency::Frequent);
    }
}
