//! [`NgramMatches`]: counts, for every n-gram of the references, how many times each of several systems
//! matches it. Matches are clipped as in BLEU.

#[cfg(feature = "store")]
pub(crate) mod differing;
#[cfg(all(test, feature = "store"))]
mod tests;

use std::collections::HashMap;

use ahash::RandomState;

/// Greatest order of the counted n-grams: the ids of four tokens, 32 bits each, are packed into a 128-bit
/// integer.
const MAX_ORDER: usize = 4;

/// Counter of the clipped matches of every n-gram of orders 1 to 4 with the references, for several systems,
/// segment by segment.
///
/// The matches of all n-grams of one order add up to the clipped counts of BLEU.
///
/// ```
/// use bleuprint_eval::NgramMatches;
/// let mut matches = NgramMatches::new(2);
/// matches.add(&[&["the", "cat"], &["a", "cat"]], &[&["the", "cat", "sat"]]);
/// let ngrams = matches.finish();
/// let won = ngrams.surest(0, 1, 15);
/// // "the cat" contains "cat", which has the same counts, so only the longer n-gram is listed.
/// assert_eq!(won.iter().map(|&ngram| ngrams.tokens(ngram)).collect::<Vec<_>>(), [["the", "cat"]]);
/// assert_eq!(ngrams.counts(won[0]), [1, 1, 0]);
/// ```
#[derive(Debug, Clone)]
pub struct NgramMatches {
    systems: usize,
    ids: HashMap<String, u32, RandomState>,
    words: Vec<String>,
    /// Start index in `counts` of each n-gram's counts. The key is the token ids, packed into 128 bits.
    places: HashMap<u128, usize, RandomState>,
    /// Counts of each n-gram, one n-gram after another: occurrences in the references, then the matches of
    /// each system.
    counts: Vec<u64>,
}

impl NgramMatches {
    /// Creates a counter without segments, for this number of systems.
    pub fn new(systems: usize) -> Self {
        NgramMatches {
            systems,
            ids: HashMap::default(),
            words: Vec::new(),
            places: HashMap::default(),
            counts: Vec::new(),
        }
    }

    /// Adds a segment, given by the tokens of each system's hypothesis and of each reference. A missing
    /// hypothesis matches nothing.
    pub fn add(&mut self, hypotheses: &[&[&str]], references: &[&[&str]]) {
        let mut limits: Vec<(u128, u64)> = Vec::new();
        for reference in references {
            // BLEU's clipping: an n-gram counts at most as often as in the reference that has it most often.
            limits = merged(&limits, &self.ngrams(reference), u64::max);
        }
        let place = |&(ngram, limit): &(u128, u64)| {
            let place = self.place(ngram);
            self.counts[place] += limit;
            place
        };
        let places: Vec<usize> = limits.iter().map(place).collect();
        for (system, hypothesis) in hypotheses.iter().take(self.systems).enumerate() {
            let own = self.ngrams(hypothesis);
            // Both lists are sorted by the packed n-gram, so one pass over the two finds all common n-grams.
            let mut at = 0;
            for (ngram, count) in own {
                while limits.get(at).is_some_and(|(other, _)| *other < ngram) {
                    at += 1;
                }
                if let Some(&(other, limit)) = limits.get(at)
                    && other == ngram
                {
                    self.counts[places[at] + 1 + system] += count.min(limit);
                }
            }
        }
    }

    /// Returns the start index of an n-gram's counts. A new n-gram gets a row of zeros at the end.
    fn place(&mut self, ngram: u128) -> usize {
        let stride = self.systems + 1;
        let next = self.places.len() * stride;
        let place = *self.places.entry(ngram).or_insert(next);
        if place == next {
            self.counts.resize(next + stride, 0);
        }
        place
    }

    fn id(&mut self, token: &str) -> u32 {
        if let Some(&id) = self.ids.get(token) {
            return id;
        }
        self.words.push(token.to_owned());
        // Ids begin at 1, because 0 marks an unused position of a packed n-gram.
        let id = self.words.len() as u32;
        self.ids.insert(token.to_owned(), id);
        id
    }

    /// Returns the distinct n-grams of a text with their counts, ordered by token ids. N-grams are packed
    /// into integers.
    fn ngrams(&mut self, tokens: &[&str]) -> Vec<(u128, u64)> {
        let tokens: Vec<u32> = tokens.iter().map(|token| self.id(token)).collect();
        let orders = 1..=MAX_ORDER;
        let mut packed: Vec<u128> = orders.flat_map(|order| tokens.windows(order).map(pack)).collect();
        packed.sort_unstable();
        packed.chunk_by(|one, other| one == other).map(|run| (run[0], run.len() as u64)).collect()
    }

    /// Returns the table of all n-grams that some system matches: the longest first, and n-grams of one
    /// length in the order of their tokens.
    pub fn finish(self) -> NgramTable {
        let mut order: Vec<usize> = (0..self.words.len()).collect();
        order.sort_by(|&one, &other| self.words[one].cmp(&self.words[other]));
        let mut ranks = vec![0_u32; self.words.len()];
        for (rank, word) in order.iter().enumerate() {
            // Ids number words in the order of occurrence. Ranks number them alphabetically, so that the
            // table does not depend on the order of segments.
            ranks[*word] = rank as u32 + 1;
        }
        let stride = self.systems + 1;
        let matched = |place: &usize| self.counts[place + 1..place + stride].iter().any(|count| *count > 0);
        let mut ngrams: Vec<(usize, u128, usize)> = self
            .places
            .iter()
            .filter(|(_, place)| matched(place))
            .map(|(packed, place)| {
                let ids = unpack(*packed);
                let ranked: Vec<u32> = ids.iter().map(|&id| ranks[id as usize - 1]).collect();
                // `MAX_ORDER - length` sorts the longest n-grams first.
                (MAX_ORDER - ids.len(), pack(&ranked), *place)
            })
            .collect();
        ngrams.sort_unstable();
        let counts = ngrams.iter().flat_map(|(_, _, place)| self.counts[*place..place + stride].to_vec());
        NgramTable {
            counts: counts.collect(),
            ngrams: ngrams.iter().map(|(_, packed, _)| *packed).collect(),
            words: order.into_iter().map(|word| self.words[word].clone()).collect(),
            systems: self.systems,
        }
    }
}

/// Packs up to four token ids into one integer with the first token in the highest bits, so that packed
/// n-grams sort like their tokens.
fn pack(tokens: &[u32]) -> u128 {
    let shifted = |(place, &token): (usize, &u32)| u128::from(token) << (96 - 32 * place);
    tokens.iter().enumerate().map(shifted).sum()
}

fn unpack(packed: u128) -> Vec<u32> {
    (0..MAX_ORDER).map(|place| (packed >> (96 - 32 * place)) as u32).take_while(|&token| token > 0).collect()
}

fn merged(one: &[(u128, u64)], other: &[(u128, u64)], join: impl Fn(u64, u64) -> u64) -> Vec<(u128, u64)> {
    let mut all: Vec<(u128, u64)> = one.iter().chain(other).copied().collect();
    all.sort_unstable_by_key(|(ngram, _)| *ngram);
    let joined = |run: &[(u128, u64)]| {
        let count = run.iter().map(|(_, count)| *count).reduce(&join);
        (run[0].0, count.unwrap_or(0))
    };
    all.chunk_by(|one, other| one.0 == other.0).map(joined).collect()
}

/// N-gram that one system matches more often than another system, with both numbers of matches.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct NgramWin {
    /// Tokens of the n-gram.
    pub tokens: Vec<String>,
    /// Number of the first system's matches of this n-gram, clipped as in BLEU by the count in the
    /// references.
    pub first: u64,
    /// Number of the second system's matches of this n-gram, clipped as in BLEU by the count in the
    /// references.
    pub second: u64,
    /// Number of occurrences of the n-gram in the references: for each segment the greatest count in one
    /// reference, summed over segments.
    pub references: u64,
    /// Points of the metric that the first system would lose if it had the second system's matches of this
    /// n-gram. `None` for metrics that do not count clipped matches by order.
    pub points: Option<f64>,
}

impl NgramWin {
    /// Returns the class of the n-gram's frequency in the references: `once`, `rare` (2 to 5), `medium` (6 to
    /// 50) or `frequent`.
    pub fn frequency(&self) -> &'static str {
        match self.references {
            0..=1 => "once",
            2..=5 => "rare",
            6..=50 => "medium",
            _ => "frequent",
        }
    }
}

/// Table of n-grams with the number of times that each system matches them; [`NgramMatches::finish`] returns
/// it.
#[derive(Debug, Clone)]
pub struct NgramTable {
    systems: usize,
    words: Vec<String>,
    ngrams: Vec<u128>,
    counts: Vec<u64>,
}

impl NgramTable {
    /// Returns the tokens of the n-gram with this index, or an empty list beyond the last n-gram.
    pub fn tokens(&self, ngram: usize) -> Vec<&str> {
        let ids = self.ngrams.get(ngram).map(|packed| unpack(*packed)).unwrap_or_default();
        ids.iter().filter_map(|&id| self.words.get(id as usize - 1)).map(String::as_str).collect()
    }

    /// Returns the counts of an n-gram. The first count is the number of its occurrences in the references:
    /// for each segment the greatest count in one reference, summed. Then follow the matches of each system,
    /// clipped in each segment by that count.
    pub fn counts(&self, ngram: usize) -> &[u64] {
        self.counts.chunks(self.systems + 1).nth(ngram).unwrap_or(&[])
    }

    fn matches(&self, ngram: usize, system: usize) -> u64 {
        self.counts(ngram)[1 + system]
    }

    /// Returns at most `most` n-grams that the system `first` matches more often than `second`. They are
    /// ordered by `(a − b)/√(a + b)` for `a` and `b` matches of the two systems, the largest first. An n-gram
    /// is left out if it is part of a listed n-gram with the same two counts.
    pub fn surest(&self, first: usize, second: usize, most: usize) -> Vec<usize> {
        let candidate = |ngram: usize| {
            let one = self.matches(ngram, first);
            let other = self.matches(ngram, second);
            // Under equal chances each of the a + b matches is a fair coin, so a − b has the standard
            // deviation √(a + b).
            (one > other).then(|| ((one - other) as f64 / ((one + other) as f64).sqrt(), ngram))
        };
        let mut candidates: Vec<(f64, usize)> = (0..self.ngrams.len()).filter_map(candidate).collect();
        let surer =
            |one: &(f64, usize), other: &(f64, usize)| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1));
        // Some of the front n-grams are parts of others and drop out; four times the wanted number is usually
        // enough.
        let mut kept = 4 * most;
        loop {
            // Only the front is sorted: there may be many candidates, and few are listed.
            if kept < candidates.len() {
                candidates.select_nth_unstable_by(kept, surer);
            }
            let front = kept.min(candidates.len());
            candidates[..front].sort_unstable_by(surer);
            let listed = self.without_parts(
                candidates[..front].iter().map(|(_, ngram)| *ngram),
                [first, second],
                most,
            );
            if listed.len() == most || front == candidates.len() {
                return listed;
            }
            // Too many dropped out: try again with a longer front. The result is the same as that of a full
            // sort.
            kept *= 4;
        }
    }

    fn without_parts(
        &self,
        surest: impl Iterator<Item = usize>,
        systems: [usize; 2],
        most: usize,
    ) -> Vec<usize> {
        let counts = |ngram: usize| systems.map(|system| self.matches(ngram, system));
        let mut listed: Vec<(usize, Vec<u32>)> = Vec::new();
        for ngram in surest {
            let own = unpack(self.ngrams[ngram]);
            let part = |(longer, ids): &(usize, Vec<u32>)| {
                counts(*longer) == counts(ngram) && ids.windows(own.len()).any(|part| part == own)
            };
            if !listed.iter().any(part) {
                listed.push((ngram, own));
            }
            if listed.len() == most {
                break;
            }
        }
        listed.into_iter().map(|(ngram, _)| ngram).collect()
    }
}
