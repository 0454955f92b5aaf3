//! Prepared references of any length: the rungs of a [ladder](crate::ladder), built in advance.
//!
//! Without a hypothesis no n-gram can be left out, so every rung holds all n-grams of its order, with their largest
//! count in any one reference. A hypothesis climbs them: it looks up its tokens, then the pairs of found neighbours,
//! and so on until nothing is left.

use crate::index::Index;
use crate::ladder::{Side, Tallies};
use crate::rows::Rows;
use alloc::vec::Vec;

/// The n-grams of every order, up to the highest that occurs in a reference.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rungs {
    tokens: Index<u32>,
    /// For the orders from 2.
    pairs: Vec<Index<u64>>,
    /// By order and number, the largest count in any one reference.
    most: Vec<Vec<u32>>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Climber {
    alive: Side,
    keys: Vec<u64>,
    seen: Seen,
}

/// The count so far of each n-gram of the current order, without clearing in between.
#[derive(Debug, Clone, Default)]
struct Seen {
    round: u32,
    /// The round in the high half, the count in the low one; those of earlier rounds are 0.
    counts: Vec<u64>,
}

impl Rungs {
    pub(crate) fn new(references: Rows<'_>, max_order: usize) -> Self {
        let (mut rungs, mut side, mut ends) =
            (Rungs { tokens: Index::compact(), ..Rungs::default() }, Side::default(), Vec::new());
        let mut tokens = Vec::new();
        for reference in references.iter() {
            let start = ends.last().copied().unwrap_or(0);
            side.positions.extend((start..).take(reference.len()));
            ends.push(start + reference.len() as u32 + 1);
            tokens.extend_from_slice(reference);
        }
        rungs.tokens.number(tokens.iter().copied(), &mut side.numbers);
        let (mut distinct, mut keys, mut tallies) = (rungs.tokens.len(), Vec::new(), Tallies::default());
        for order in 1..=max_order {
            if side.numbers.is_empty() {
                break;
            }
            tallies.count(distinct, &Side::default(), &side, &ends);
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

    /// As [`overlap`](crate::overlap()).
    pub(crate) fn overlap(&self, climber: &mut Climber, hypothesis: &[u32], clipped: &mut [u64]) {
        let Climber { alive, keys, seen } = climber;
        clipped.fill(0);
        alive.clear();
        alive
            .append_found(&self.tokens, hypothesis.iter().enumerate().map(|(at, &token)| (at as u32, token)));
        let mut pairs = self.pairs.iter();
        for (clipped, most) in clipped.iter_mut().zip(&self.most) {
            *clipped = seen.claim(&alive.numbers, most);
            let Some(pairs) = pairs.next().filter(|_| *clipped > 0) else { return };
            alive.join(keys);
            alive.keep_found(pairs, keys);
        }
    }
}

impl Seen {
    /// The number of n-grams, given by number, within the limit of each.
    fn claim(&mut self, numbers: &[u32], most: &[u32]) -> u64 {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.counts.fill(0);
            self.round = 1;
        }
        if self.counts.len() < most.len() {
            self.counts.resize(most.len(), 0);
        }
        let (start, counts) = (u64::from(self.round) << 32, &mut self.counts[..most.len()]);
        let count = |&number: &u32| {
            let seen = &mut counts[number as usize];
            *seen = (*seen).max(start) + 1;
            u64::from(*seen as u32 <= most[number as usize])
        };
        numbers.iter().map(count).sum()
    }
}
