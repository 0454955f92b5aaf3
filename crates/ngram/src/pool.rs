//! Conversion of lists of sequences with any token type to numeric token ids.

use crate::intern::MAX_TOKENS;
use crate::overlap::total;
use crate::{Interner, token};
use alloc::vec::Vec;
use core::hash::Hash;

/// Calls `work` with two lists of sequences, converted to token ids. Equal tokens have equal ids, within and
/// between the lists. `u32` tokens are passed unchanged, others are numbered.
///
/// Returns `None` without a call of `work` if there are more than 2^31 tokens and sequences.
///
/// ```
/// let (left, right): ([&[&str]; 1], [&[&str]; 2]) = ([&["a", "b"]], [&["b"], &["c", "a"]]);
/// let equal = bleuprint_ngram::with_ids(&left, &right, |left, right| left[0][0] == right[1][1]);
/// assert_eq!(equal, Some(true));
/// ```
pub fn with_ids<T: Hash + Eq, R>(
    left: &[&[T]],
    right: &[&[T]],
    work: impl FnOnce(&[&[u32]], &[&[u32]]) -> R,
) -> Option<R> {
    let lengths = left.iter().chain(right).map(|sequence| sequence.len());
    if total(0, lengths) > MAX_TOKENS {
        return None;
    }
    if let (Some((_, left)), Some((_, right))) = (token::as_ids(&[], left), token::as_ids(&[], right)) {
        return Some(work(left, right));
    }
    let all: Vec<&[T]> = left.iter().chain(right).copied().collect();
    let mut interner = Interner::default();
    interner.intern_segment(&[], &all);
    let ids: Vec<&[u32]> = interner.references().collect();
    let (left, right) = ids.split_at(left.len());
    Some(work(left, right))
}
