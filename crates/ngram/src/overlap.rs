//! The dispatch: which path counts which segment.

use crate::intern::{Flat, MAX_TOKENS};
use crate::{Scratch, naive, token};
use core::hash::Hash;

/// Clipped n-gram matches of one segment, for every order from 1 to `clipped.len()`.
///
/// `clipped[n - 1] = Σ over distinct n-grams of the hypothesis of min(count in the hypothesis, max over the
/// references of the count in that one reference)`. What `clipped` held before is overwritten.
///
/// Singular cases: no reference, an empty reference or hypothesis, an order above a length: no matches, 0.
/// Expected time `O(tokens · orders)`, less where few n-grams match.
///
/// ```
/// use bleuprint_ngram::{Scratch, overlap};
///
/// let mut clipped = [0; 4];
/// let words = |text: &'static str| text.split(' ').collect::<Vec<_>>();
/// let references = [words("the cat is on the mat"), words("there is a cat on the mat")];
/// let references: Vec<&[_]> = references.iter().map(Vec::as_slice).collect();
/// overlap(&mut Scratch::default(), &words("the the the cat on the mat"), &references, &mut clipped);
/// assert_eq!(clipped, [5, 4, 2, 1]); // "the" twice, not four times
/// ```
#[inline]
pub fn overlap<T: Hash + Eq>(
    scratch: &mut Scratch,
    hypothesis: &[T],
    references: &[&[T]],
    clipped: &mut [u64],
) {
    let total =
        references.iter().fold(hypothesis.len(), |sum, reference| sum.saturating_add(reference.len()));
    if total > MAX_TOKENS {
        return naive::overlap(hypothesis, references, clipped);
    }
    if !copy_values(&mut scratch.interner.flat, hypothesis, references) {
        scratch.interner.intern_segment(hypothesis, references);
    }
    overlap_flat(scratch, clipped);
}

/// Takes the segment as it is where its tokens are small integers; `false` where they need interning.
#[inline]
fn copy_values<T: Hash>(flat: &mut Flat, hypothesis: &[T], references: &[&[T]]) -> bool {
    if !token::is_integer::<T>() {
        return false;
    }
    flat.clear();
    core::iter::once(&hypothesis).chain(references).all(|sequence| {
        let fits = token::append_values(sequence, &mut flat.ids);
        flat.end();
        fits
    })
}

/// The one core under every token type: counts the segment that lies in the scratch.
fn overlap_flat(scratch: &mut Scratch, clipped: &mut [u64]) {
    let Scratch { interner, ladder, .. } = scratch;
    ladder.overlap(interner.flat.hypothesis(), interner.flat.references(), clipped);
}
