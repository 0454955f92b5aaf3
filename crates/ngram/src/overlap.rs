//! Counts clipped n-gram matches, and chooses the fastest algorithm for each segment.
//!
//! Tokens become 32-bit numbers, in a way that depends on their type:
//!
//! ```text
//! u32             read directly                                        (token.rs)
//! other integers  copied if they fit 32 bits                           (token.rs)
//! other types     numbered by hash                                     (hashed.rs)
//!                 numbered by comparison if two tokens share a hash    (intern.rs)
//! ```
//!
//! Two algorithms count the n-grams. Short references use bit masks of 64 or 128 token positions. Long references
//! use the "ladder": hash tables, order by order, that keep only n-grams that can still match at the next
//! order.
//!
//! ```text
//! references of up to 64 positions   bit masks                         (masks.rs, claims.rs)
//! one reference of 65 to 128 tokens  bit masks, up to order 4          (masks.rs, wide.rs)
//! longer references                  the ladder                        (ladder.rs, index.rs)
//!                                    bit masks once few n-grams remain (sieve.rs)
//! ```
//!
//! With a single reference, hypothesis and reference may be swapped, because `min(a, b) = min(b, a)`. The
//! shorter of them serves as the reference.

use crate::claims::{self, MaskFields};
use crate::intern::MAX_TOKENS;
use crate::ladder::Ladder;
use crate::rows::{Flat, ReferenceRows};
use crate::{Scratch, masks, naive, token, wide};
use alloc::vec::Vec;
use core::hash::Hash;

/// Counts the clipped n-gram matches of one segment, for every order from 1 to `clipped.len()`, into
/// `clipped`.
///
/// `clipped[n - 1] = Σ over distinct n-grams of the hypothesis of min(count in the hypothesis, max over the references of the count in that reference)`.
///
/// Without references, with an empty hypothesis or only empty references, and for orders above the length of
/// the hypothesis or of every reference, the count is 0. Expected time `O(tokens · orders)`, less if few
/// n-grams match.
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
    if let Some((hypothesis, references)) = token::as_ids(hypothesis, references) {
        return overlap_ids(scratch, hypothesis, ReferenceRows::Borrowed(references), clipped);
    }
    let total =
        references.iter().fold(hypothesis.len(), |sum, reference| sum.saturating_add(reference.len()));
    if size_of::<T>() == 0 || total > MAX_TOKENS {
        return unusual(hypothesis, references, clipped);
    }
    if token::is_integer::<T>() {
        let mut flat = core::mem::take(&mut scratch.interner.flat);
        let fits = copy_values(&mut flat, hypothesis, references);
        if fits {
            overlap_ids(scratch, flat.hypothesis(), flat.references(), clipped);
        }
        scratch.interner.flat = flat;
        if fits {
            return;
        }
    }
    overlap_hashed(scratch, hypothesis, references, clipped);
}

/// Counts the clipped n-gram matches of tokens that are not integers: by hash, or interned if hashes collide.
#[inline]
fn overlap_hashed<T: Hash + Eq>(
    scratch: &mut Scratch,
    hypothesis: &[T],
    references: &[&[T]],
    clipped: &mut [u64],
) {
    let Scratch { interner, hashed, ladder, .. } = scratch;
    let counted = match references {
        [reference] if hypothesis.len() < reference.len() => {
            hashed.overlap(ladder, reference, &[hypothesis], clipped)
        }
        _ => hashed.overlap(ladder, hypothesis, references, clipped),
    };
    if !counted {
        interner.intern_segment(hypothesis, references);
        ladder.overlap(interner.flat.hypothesis(), interner.flat.references(), clipped);
    }
}

/// Copies the values of integer tokens into one row of 32-bit ids. Returns `false` if some values do not fit.
#[inline]
fn copy_values<T: Hash>(flat: &mut Flat, hypothesis: &[T], references: &[&[T]]) -> bool {
    flat.clear();
    let mut fits = token::append_values(hypothesis, &mut flat.ids);
    flat.end();
    for reference in references {
        fits &= token::append_values(reference, &mut flat.ids);
        flat.end();
    }
    fits
}

/// Counts the clipped n-gram matches of unusual tokens. Zero-sized tokens are all equal, so the lengths
/// decide; more than 2^31 other tokens need the naive algorithm.
#[cold]
fn unusual<T: Eq>(hypothesis: &[T], references: &[&[T]], clipped: &mut [u64]) {
    if size_of::<T>() > 0 {
        return naive::overlap(hypothesis, references, clipped);
    }
    let longest = references.iter().map(|reference| reference.len()).max().unwrap_or(0);
    let shorter = longest.min(hypothesis.len());
    for (shortening, clipped) in clipped.iter_mut().enumerate() {
        *clipped = shorter.saturating_sub(shortening) as u64;
    }
}

/// Counts the clipped n-gram matches of numeric token ids, to which all token types are converted.
pub(crate) fn overlap_ids(
    scratch: &mut Scratch,
    hypothesis: &[u32],
    references: ReferenceRows<'_>,
    clipped: &mut [u64],
) {
    let Scratch { masks, wide_masks, room, ladder, .. } = scratch;
    if references.len() == 1 {
        let reference = references.get(0);
        let swap = hypothesis.len() < reference.len();
        let (long, short) = if swap { (reference, hypothesis) } else { (hypothesis, reference) };
        if short.len() > masks::WIDTH {
            if short.len() <= wide::WIDTH && clipped.len() <= wide::ORDERS {
                wide_masks.load(short);
                return wide::count(wide_masks, long, clipped);
            }
            return overlap_long(ladder, long, ReferenceRows::Borrowed(&[short]), clipped);
        }
        masks.clear();
        masks.append(short);
        claims::count(MaskFields::default(), long.iter().map(masks.lookup()), clipped, room);
    } else if masks::fit(references) {
        masks.load(references);
        claims::count(masks.fields(), hypothesis.iter().map(masks.lookup()), clipped, room);
    } else {
        overlap_long(ladder, hypothesis, references, clipped);
    }
}

fn overlap_long(ladder: &mut Ladder, hypothesis: &[u32], references: ReferenceRows<'_>, clipped: &mut [u64]) {
    if total(hypothesis.len(), references.iter().map(<[u32]>::len)) > MAX_TOKENS {
        let references: Vec<&[u32]> = references.iter().collect();
        return naive::overlap(hypothesis, &references, clipped);
    }
    ladder.overlap(hypothesis, references, clipped);
}

/// Returns the length of a segment's sequences laid end to end: all tokens, and one free position after each
/// reference, so that no n-gram crosses from one sequence to the next.
pub(crate) fn total(hypothesis: usize, references: impl Iterator<Item = usize>) -> usize {
    references.fold(hypothesis, |sum, reference| sum.saturating_add(reference).saturating_add(1))
}
