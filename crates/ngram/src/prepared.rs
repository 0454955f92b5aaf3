//! References prepared once, matched against many hypotheses.

use crate::{Scratch, overlap};
use alloc::vec::Vec;
use core::hash::Hash;

/// References whose share of the work is done, over any token type; made by [`prepare`].
#[derive(Debug, Clone)]
pub struct Prepared<'r, T> {
    references: &'r [&'r [T]],
    max_order: usize,
}

/// Does the work that depends on the references alone, for orders up to `max_order`.
///
/// ```
/// use bleuprint_ngram::{Scratch, prepare};
///
/// let mut scratch = Scratch::default();
/// let references: [&[&str]; 2] = [&["a", "cat"], &["the", "cat", "sat"]];
/// let prepared = prepare(&mut scratch, &references, 2);
/// let mut clipped = [0; 2];
/// prepared.overlap(&mut scratch, &["the", "cat"], &mut clipped);
/// assert_eq!(clipped, [2, 1]);
/// prepared.overlap(&mut scratch, &["the", "dog"], &mut clipped);
/// assert_eq!(clipped, [1, 0]);
/// ```
pub fn prepare<'r, T: Hash + Eq>(
    _scratch: &mut Scratch,
    references: &'r [&'r [T]],
    max_order: usize,
) -> Prepared<'r, T> {
    Prepared { references, max_order }
}

impl<'r, T: Hash + Eq> Prepared<'r, T> {
    /// As [`overlap`](crate::overlap()) against the prepared references; orders above `max_order` come out as 0.
    pub fn overlap(&self, scratch: &mut Scratch, hypothesis: &[T], clipped: &mut [u64]) {
        let (counted, beyond) = clipped.split_at_mut(self.max_order.min(clipped.len()));
        overlap(scratch, hypothesis, self.references, counted);
        beyond.fill(0);
    }
}

impl<'r, T> Prepared<'r, T> {
    /// The highest order that was prepared.
    pub fn max_order(&self) -> usize {
        self.max_order
    }

    /// The references.
    pub fn references(&self) -> &'r [&'r [T]] {
        self.references
    }
}

/// References of ids whose share of the work is done: owned, for sharing between threads.
///
/// ```
/// use bleuprint_ngram::{PreparedIds, Scratch};
///
/// let prepared = PreparedIds::new(&mut Scratch::default(), &[&[7, 8, 9], &[7, 7]], 2);
/// let mut clipped = [0; 2];
/// prepared.overlap(&mut Scratch::default(), &[7, 7, 8, 1], &mut clipped);
/// assert_eq!(clipped, [3, 2]);
/// assert_eq!(prepared.reference_lengths(), [3, 2]);
/// ```
#[derive(Debug, Clone)]
pub struct PreparedIds {
    references: Vec<Vec<u32>>,
    lengths: Vec<usize>,
    max_order: usize,
}

impl PreparedIds {
    /// Does the work that depends on the references alone, for orders up to `max_order`.
    pub fn new(_scratch: &mut Scratch, references: &[&[u32]], max_order: usize) -> Self {
        PreparedIds {
            references: references.iter().map(|reference| reference.to_vec()).collect(),
            lengths: references.iter().map(|reference| reference.len()).collect(),
            max_order,
        }
    }

    /// As [`overlap`](crate::overlap()) against the prepared references; orders above `max_order` come out as 0.
    pub fn overlap(&self, scratch: &mut Scratch, hypothesis: &[u32], clipped: &mut [u64]) {
        let references: Vec<&[u32]> = self.references.iter().map(Vec::as_slice).collect();
        let (counted, beyond) = clipped.split_at_mut(self.max_order.min(clipped.len()));
        overlap(scratch, hypothesis, &references, counted);
        beyond.fill(0);
    }

    /// The highest order that was prepared.
    pub fn max_order(&self) -> usize {
        self.max_order
    }

    /// The length of each reference.
    pub fn reference_lengths(&self) -> &[usize] {
        &self.lengths
    }
}
