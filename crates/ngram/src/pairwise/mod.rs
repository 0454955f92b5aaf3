//! Clipped n-gram counts of all pairs: each of many hypotheses with every single one of many references.
//!
//! [`overlap`](crate::overlap()) called pair by pair looks every token up again for each reference. Here the
//! n-grams of all references are numbered once, the n-grams of the hypotheses are looked up once, and 64
//! references are counted at a time. In such a block, every n-gram has a row of 64 counts, one per reference:
//!
//! ```text
//!                reference  0  1  2  3 .. 63            hypothesis   the the cat
//! the                       2  1  2  0 ..  1            the, twice   min(2, row) = 2 1 2 0 .. 1
//! cat                       1  1  0  0 ..  1            cat, once    min(1, row) = 1 1 0 0 .. 1
//! any other                 0  0  0  0 ..  0            clipped      the sum     = 3 2 2 0 .. 2
//! ```
//!
//! This is the definition of clipped counts, for 64 pairs in a few instructions. Counts are bytes if no
//! reference is longer than 255 tokens, else 16 or 32 bits wide. Loops over arrays add and compare the
//! counts; compilers vectorize such loops for any instruction set. Neither the length of the sequences nor
//! the order is limited. (Bit masks of eight references side by side take ten times as long without wide
//! vectors and four times with them, and hold only 64 positions.)
//!
//! ```text
//! lists.rs     the n-grams of many sequences as numbers, each with its count
//! block.rs     64 references as rows, and the counting
//! ```
//!
//! Time: `O(tokens · orders)` first, then `O(hypotheses · blocks · n-grams of a hypothesis)`.

mod block;
mod lists;
mod sums;

pub use block::ReferenceBlock;
pub use lists::{HypothesisNgrams, NumberedReferences};
pub use sums::ReferenceSums;

/// Number of references that are counted together as a block. With one byte per reference, the counts of an
/// n-gram fill a cache line.
pub const WIDTH: usize = 64;

/// Clipped matches of the n-grams of one order, between one hypothesis and each reference of a block.
pub type Counts = [u32; WIDTH];

/// Counts the clipped n-gram matches of every hypothesis with every single reference, for orders from 1 to
/// `max_order`.
///
/// Calls `each(hypothesis, first, counts)` for every hypothesis and every block of [`WIDTH`] references: with
/// the index of the hypothesis, the index of the first reference, and the counts for every order. The counts
/// of the last block are padded with 0. All hypotheses are counted with one block before the next, so a
/// matrix need not fit memory. Returns `false`, without a call, if the sequences are too large: see
/// [`NumberedReferences::new`].
///
/// This function is the simple way to use [`NumberedReferences`], [`HypothesisNgrams`] and
/// [`ReferenceBlock`]. Use them directly to share references between threads or to pass hypotheses in
/// portions.
///
/// ```
/// use bleuprint_ngram::pairwise::overlap_all;
/// let (hypotheses, references): ([&[u32]; 2], [&[u32]; 3]) = ([&[7, 7, 8], &[8]], [&[7, 8], &[8, 7, 7], &[]]);
/// let mut matches = [[0; 3]; 2];
/// assert!(overlap_all(&hypotheses, &references, 2, |hypothesis, first, counts| {
///     assert_eq!(first, 0);
///     matches[hypothesis].copy_from_slice(&counts[0][..3]);
/// }));
/// assert_eq!(matches, [[2, 3, 0], [1, 1, 0]]);
/// ```
#[must_use]
pub fn overlap_all(
    hypotheses: &[&[u32]],
    references: &[&[u32]],
    max_order: usize,
    mut each: impl FnMut(usize, usize, &[Counts]),
) -> bool {
    let Some(references) = NumberedReferences::new(references, max_order) else { return false };
    let mut looked_up = HypothesisNgrams::default();
    let mut block = ReferenceBlock::default();
    if !looked_up.look_up(&references, hypotheses) {
        return false;
    }
    let mut counts = alloc::vec![[0; WIDTH]; max_order];
    for (number, first) in (0..references.len()).step_by(WIDTH).enumerate() {
        block.load(&references, number);
        for hypothesis in 0..hypotheses.len() {
            block.overlap(&looked_up, hypothesis, &mut counts);
            each(hypothesis, first, &counts);
        }
    }
    true
}
