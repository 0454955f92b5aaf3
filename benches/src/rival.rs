//! Rivals of the n-gram kernel: the usual way to count n-grams, and a lower bound for the cost of any way.

use std::collections::HashMap;
use std::hash::Hash;

use ahash::RandomState;

/// Computes clipped counts with hash maps from slices of tokens to counts, as in every BLEU for Rust that we
/// know: one growing map per side for the n-grams of all orders.
pub fn slice_map<T: Hash + Eq>(
    state: &RandomState,
    hypothesis: &[T],
    references: &[&[T]],
    clipped: &mut [u64],
) {
    let all = |tokens| {
        let mut counts: HashMap<&[T], u64, _> = HashMap::with_hasher(state.clone());
        for order in 1..=clipped.len() {
            <[T]>::windows(tokens, order).for_each(|gram| *counts.entry(gram).or_insert(0) += 1);
        }
        counts
    };
    // Clipping allows an n-gram as often as in the reference that has it most often.
    let mut allowed = HashMap::with_hasher(state.clone());
    for reference in references {
        for (gram, count) in all(reference) {
            allowed.entry(gram).and_modify(|most| *most = count.max(*most)).or_insert(count);
        }
    }
    let counts = all(hypothesis);
    clipped.fill(0);
    for (gram, count) in counts {
        clipped[gram.len() - 1] += allowed.get(gram).map_or(0, |&most| count.min(most));
    }
}

/// Computes clipped counts with the best form of slice maps: one map per side and order, with the right
/// capacity from the start.
pub fn slice_maps<T: Hash + Eq>(
    state: &RandomState,
    hypothesis: &[T],
    references: &[&[T]],
    clipped: &mut [u64],
) {
    for (order, clipped) in (1..).zip(clipped) {
        let longest = references.iter().map(|reference| reference.len()).max().unwrap_or(0);
        let mut allowed: HashMap<&[T], u64, _> = HashMap::with_capacity_and_hasher(longest, state.clone());
        for (index, reference) in references.iter().enumerate() {
            // The first reference needs no maximum, which saves the usual case of one reference a second
            // map.
            if index == 0 {
                reference.windows(order).for_each(|gram| *allowed.entry(gram).or_insert(0) += 1);
                continue;
            }
            for (gram, count) in counts(state, reference, order) {
                let most = allowed.entry(gram).or_insert(0);
                *most = count.max(*most);
            }
        }
        *clipped = counts(state, hypothesis, order)
            .into_iter()
            .map(|(gram, count)| allowed.get(gram).map_or(0, |&most| count.min(most)))
            .sum();
    }
}

fn counts<'t, T: Hash + Eq>(
    state: &RandomState,
    tokens: &'t [T],
    order: usize,
) -> HashMap<&'t [T], u64, RandomState> {
    let mut counts = HashMap::with_capacity_and_hasher(tokens.len(), state.clone());
    for gram in tokens.windows(order) {
        *counts.entry(gram).or_insert(0) += 1;
    }
    counts
}

/// Lower bound for any kernel: clipped counts of order 1 against one reference, with one look-up per token
/// in a table that is never cleared. Every exact method visits every token at least once, so none can be
/// much faster.
#[derive(Debug, Default)]
pub struct Unigrams {
    slots: Vec<RivalSlot>,
    generation: u32,
}

#[derive(Debug, Default, Clone, Copy)]
struct RivalSlot {
    generation: u32,
    id: u32,
    left: u32,
}

impl Unigrams {
    /// Returns the clipped count of order 1.
    pub fn overlap(&mut self, hypothesis: &[u32], reference: &[u32]) -> u64 {
        let slots = (2 * reference.len()).next_power_of_two().max(16);
        // After the last generation, old slots could look current, so the table starts anew.
        if self.slots.len() < slots || self.generation == u32::MAX {
            self.slots = vec![RivalSlot::default(); slots.max(self.slots.len())];
            self.generation = 0;
        }
        // A new generation invalidates all slots, so the table needs no clearing.
        self.generation += 1;
        let shift = 32 - slots.trailing_zeros();
        for &id in reference {
            let at = self.find(id, shift, slots - 1);
            let slot = &mut self.slots[at];
            let left = if slot.generation == self.generation { slot.left } else { 0 };
            *slot = RivalSlot { generation: self.generation, id, left: left + 1 };
        }
        let mut clipped = 0;
        for &id in hypothesis {
            let at = self.find(id, shift, slots - 1);
            let slot = &mut self.slots[at];
            // There is no branch on the text, which would cost more than the rest.
            let matches = slot.generation == self.generation && slot.left > 0;
            slot.left -= u32::from(matches);
            clipped += u64::from(matches);
        }
        clipped
    }

    /// Returns the slot of the id, or the empty slot for it. At least half of the slots are empty.
    #[inline]
    fn find(&self, id: u32, shift: u32, mask: usize) -> usize {
        // Fibonacci hashing: the multiplier is 2^32 divided by the golden ratio.
        let mut at = (id.wrapping_mul(0x9E37_79B9) >> shift) as usize;
        while self.slots[at].generation == self.generation && self.slots[at].id != id {
            at = (at + 1) & mask;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bleuprint_testkit::random::Rng;

    #[test]
    fn rivals_count_what_the_naive_twin_counts() {
        let mut rng = Rng::new(5);
        let state = RandomState::with_seeds(1, 2, 3, 4);
        let mut unigrams = Unigrams::default();
        for _ in 0..500 {
            let mut ids = || (0..rng.below(60)).map(|_| rng.below(9) as u32).collect::<Vec<u32>>();
            let hypothesis = ids();
            let one = ids();
            let other = ids();
            let mut naive = [0; 4];
            let mut map = [0; 4];
            let mut maps = [0; 4];
            bleuprint::ngram::naive::overlap(&hypothesis, &[&one, &other], &mut naive);
            slice_map(&state, &hypothesis, &[&one, &other], &mut map);
            slice_maps(&state, &hypothesis, &[&one, &other], &mut maps);
            assert_eq!((naive, naive), (map, maps));
            bleuprint::ngram::naive::overlap(&hypothesis, &[&one], &mut naive);
            assert_eq!(unigrams.overlap(&hypothesis, &one), naive[0]);
        }
    }
}
