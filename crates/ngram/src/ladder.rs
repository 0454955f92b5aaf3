//! The path for any length: one rung per order, on each only the n-grams that can still match.

use crate::index::Index;
use crate::rows::Rows;
use alloc::vec::Vec;

/// The tables of this path, reused from segment to segment.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ladder {
    index: Index,
    /// The n-grams of the present order that occur in the hypothesis: its own, then those of the references.
    hypothesis: Vec<Gram>,
    references: Vec<Gram>,
    /// Where each reference ends, in positions and in `references`.
    ends: Vec<(u32, usize)>,
    tallies: Vec<Tally>,
}

/// An n-gram by its start and its key, or its number among the distinct ones of its order.
#[derive(Debug, Clone, Copy)]
struct Gram {
    position: u32,
    key: u64,
}

/// What is known of one distinct n-gram.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    in_hypothesis: u32,
    /// In the reference that is being read, and the most in any reference before.
    in_reference: u32,
    reference: u32,
    most: u32,
}

impl Ladder {
    /// See [`overlap`](crate::overlap()).
    pub(crate) fn overlap(&mut self, hypothesis: &[u32], references: Rows<'_>, clipped: &mut [u64]) {
        self.load(hypothesis, references);
        for (order, clipped) in clipped.iter_mut().enumerate() {
            if order > 0 {
                self.climb();
            }
            *clipped = self.count();
        }
    }

    /// The tokens themselves are the keys of order 1.
    fn load(&mut self, hypothesis: &[u32], references: Rows<'_>) {
        let gram = |(position, &token): (u32, &u32)| Gram { position, key: token.into() };
        self.hypothesis.clear();
        self.hypothesis.extend((0..).zip(hypothesis).map(gram));
        self.references.clear();
        self.ends.clear();
        let mut start = 0;
        for reference in references.iter() {
            self.references.extend((start..).zip(reference).map(gram));
            // One position is left out, so that no n-gram runs from one reference into the next.
            start += reference.len() as u32 + 1;
            self.ends.push((start, self.references.len()));
        }
    }

    /// From order n to n + 1: two n-grams that overlap but for one token make the key of the (n + 1)-gram.
    fn climb(&mut self) {
        join(&mut self.hypothesis);
        join(&mut self.references);
        for (position, end) in &mut self.ends {
            *end = self.references.partition_point(|gram| gram.position < *position);
        }
    }

    /// Clipped matches of the order whose keys are loaded; keeps only the n-grams that both sides have.
    fn count(&mut self) -> u64 {
        self.number();
        self.tally();
        self.hypothesis.retain(|gram| self.tallies[gram.key as usize].most > 0);
        self.tallies.iter().map(|tally| u64::from(tally.in_hypothesis.min(tally.most))).sum()
    }

    /// Replaces the keys by numbers; drops the n-grams of references that the hypothesis has not.
    fn number(&mut self) {
        self.index.begin(self.hypothesis.len());
        for gram in &mut self.hypothesis {
            gram.key = self.index.insert(gram.key).unwrap_or(0).into();
        }
        for gram in &mut self.references {
            gram.key = self.index.find(gram.key).map_or(u64::MAX, u64::from);
        }
    }

    fn tally(&mut self) {
        self.tallies.clear();
        self.tallies.resize(self.index.len(), Tally::default());
        for gram in &self.hypothesis {
            self.tallies[gram.key as usize].in_hypothesis += 1;
        }
        let mut start = 0;
        for (reference, &(_, end)) in (1..).zip(&self.ends) {
            for gram in &self.references[start..end] {
                let Some(tally) = self.tallies.get_mut(gram.key as usize) else { continue };
                tally.in_reference = if tally.reference == reference { tally.in_reference + 1 } else { 1 };
                tally.reference = reference;
                tally.most = tally.most.max(tally.in_reference);
            }
            start = end;
        }
        self.references.retain(|gram| gram.key != u64::MAX);
    }
}

/// Neighbours become one n-gram of the next order.
fn join(grams: &mut Vec<Gram>) {
    let mut kept = 0;
    for i in 1..grams.len() {
        let (left, right) = (grams[i - 1], grams[i]);
        if left.position + 1 == right.position {
            grams[kept] = Gram { position: left.position, key: left.key << 32 | right.key };
            kept += 1;
        }
    }
    grams.truncate(kept);
}
