//! N-gram tables of references of any length, built once for many hypotheses.
//!
//! The tables hold all n-grams of each order, with their largest count in any single reference. A hypothesis
//! looks up its tokens first, then the pairs of found neighbours, and so on until no n-gram is left.
//! [`ladder`](crate::ladder) builds such tables for a single hypothesis.

use crate::index::Index;
use crate::ladder::{LadderSide, LadderTallies};
use crate::rows::ReferenceRows;
use alloc::vec::Vec;

/// Tables of the n-grams of the references for every order, up to the highest order that occurs in a
/// reference.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rungs {
    tokens: Index<u32>,
    /// Hash tables from n-grams to ids, one for each order from 2 on. The key of an n-gram is a pair of ids:
    /// of the n-gram without its last token, and of the n-gram without its first token.
    pairs: Vec<Index<u64>>,
    /// Largest count of each n-gram in any single reference, indexed by order and by the number of the
    /// n-gram.
    most: Vec<Vec<u32>>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Climber {
    alive: LadderSide,
    keys: Vec<u64>,
    seen: SeenCounts,
}

/// Counts of how often each n-gram of the current order was seen in the hypothesis. Each order starts a new
/// round; counts of earlier rounds are ignored, so nothing need be cleared.
#[derive(Debug, Clone, Default)]
struct SeenCounts {
    round: u32,
    /// Count of each n-gram: the round in which it was last counted (high half), and the count in that round
    /// (low half). Each n-gram order is a round.
    counts: Vec<u64>,
}

impl Rungs {
    pub(crate) fn new(references: ReferenceRows<'_>, max_order: usize) -> Self {
        let mut rungs = Rungs { tokens: Index::compact(), ..Rungs::default() };
        let mut side = LadderSide::default();
        let mut ends = Vec::new();
        let mut tokens = Vec::new();
        for reference in references.iter() {
            let start = ends.last().copied().unwrap_or(0);
            side.positions.extend((start..).take(reference.len()));
            ends.push(start + reference.len() as u32 + 1);
            tokens.extend_from_slice(reference);
        }
        rungs.tokens.number(tokens.iter().copied(), &mut side.numbers);
        let mut distinct = rungs.tokens.len();
        let mut keys = Vec::new();
        let mut tallies = LadderTallies::default();
        for order in 1..=max_order {
            if side.numbers.is_empty() {
                break;
            }
            tallies.count(distinct, &LadderSide::default(), &side, &ends);
            rungs.most.push(tallies.most().to_vec());
            if order < max_order {
                let mut pairs = Index::compact();
                side.join(&mut keys);
                pairs.number(keys.iter().copied(), &mut side.numbers);
                distinct = pairs.len();
                rungs.pairs.push(pairs);
            }
        }
        rungs
    }

    /// Counts the clipped n-gram matches of a hypothesis with the references of these tables, like
    /// [`overlap`](crate::overlap()).
    pub(crate) fn overlap(&self, climber: &mut Climber, hypothesis: &[u32], clipped: &mut [u64]) {
        let Climber { alive, keys, seen } = climber;
        clipped.fill(0);
        alive.clear();
        alive
            .append_found(&self.tokens, hypothesis.iter().enumerate().map(|(at, &token)| (at as u32, token)));
        let mut pairs = self.pairs.iter();
        for (clipped, most) in clipped.iter_mut().zip(&self.most) {
            *clipped = seen.claim(&alive.numbers, most);
            // An order without a match ends the climb: longer n-grams contain its n-grams.
            let Some(pairs) = pairs.next().filter(|_| *clipped > 0) else { return };
            alive.join(keys);
            alive.keep_found(pairs, keys);
        }
    }
}

impl SeenCounts {
    /// Returns the number of clipped matches among the hypothesis n-grams `numbers`. `most[n]` is the largest
    /// count of n-gram `n` in any single reference; at most that many occurrences match.
    fn claim(&mut self, numbers: &[u32], most: &[u32]) -> u64 {
        self.round = self.round.wrapping_add(1);
        // After 2^32 rounds old entries would look current, so they are cleared once.
        if self.round == 0 {
            self.counts.fill(0);
            self.round = 1;
        }
        if self.counts.len() < most.len() {
            self.counts.resize(most.len(), 0);
        }
        let start = u64::from(self.round) << 32;
        let counts = &mut self.counts[..most.len()];
        let count = |&number: &u32| {
            let seen = &mut counts[number as usize];
            *seen = (*seen).max(start) + 1;
            u64::from(*seen as u32 <= most[number as usize])
        };
        numbers.iter().map(count).sum()
    }
}
