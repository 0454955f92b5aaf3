//! Prepared references of any length: the rungs of a [ladder](crate::ladder), built in advance.
//!
//! Without a hypothesis no n-gram can be left out, so every rung holds all n-grams of its order, with the most in
//! any one reference. A hypothesis climbs them: it looks up its tokens, then the pairs of neighbours that were
//! found, and so on, and stops where nothing is left.

use crate::index::Index;
use crate::ladder::{Side, Tallies};
use crate::rows::Rows;
use alloc::vec::Vec;

/// The n-grams of every order, up to the highest one that any reference has.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rungs {
    tokens: Index<u32>,
    /// Of the orders from 2.
    pairs: Vec<Index<u64>>,
    /// By order and number, the most in any one reference.
    most: Vec<Vec<u32>>,
}

/// Reused rows for climbing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Climber {
    alive: Side,
    keys: Vec<u64>,
    /// How many of each n-gram of the present order there were; all 0 in between.
    seen: Vec<u32>,
}

impl Rungs {
    /// `O(tokens · max_order)`.
    pub(crate) fn new(references: Rows<'_>, max_order: usize) -> Self {
        let (mut rungs, mut side, mut ends) = (Rungs::default(), Side::default(), Vec::new());
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
                let mut pairs = Index::default();
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
            *clipped = claim(&alive.numbers, most, seen);
            let Some(pairs) = pairs.next().filter(|_| *clipped > 0) else { return };
            alive.join(keys);
            alive.keep_found(pairs, keys);
        }
    }
}

/// How many of the n-grams, by number, stay within the most of each.
fn claim(numbers: &[u32], most: &[u32], seen: &mut Vec<u32>) -> u64 {
    if seen.len() < most.len() {
        seen.resize(most.len(), 0);
    }
    let mut matches = 0;
    for &number in numbers {
        let number = number as usize;
        matches += u64::from(seen[number] < most[number]);
        seen[number] += 1;
    }
    for &number in numbers {
        seen[number as usize] = 0;
    }
    matches
}
