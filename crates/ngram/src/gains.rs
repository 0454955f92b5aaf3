//! Marks the matching n-grams of a hypothesis at their last token, so that the clipped counts of every prefix
//! can be summed from the marks.

use crate::index::Index;
use crate::intern::MAX_TOKENS;
use crate::overlap::total;
use alloc::vec;
use alloc::vec::Vec;

/// Highest n-gram order that [`gains`] supports: each order takes one bit of a 64-bit mask per token.
pub const MOST_GAIN_ORDERS: usize = 64;

/// Returns a bit mask for each token of the hypothesis. Bit `n - 1` is set if the n-gram of order `n` that
/// ends at the token is a clipped match.
///
/// Tokens are read from first to last, so a prefix has as many clipped matches of order `n` as tokens with
/// bit `n - 1`. Returns `None` if there are more than 2^31 tokens, or for an order above
/// [`MOST_GAIN_ORDERS`]. Time `O(tokens · max_order)`.
///
/// ```
/// let gains = bleuprint_ngram::gains(&[7, 7, 8, 9], &[&[7, 8, 9]], 2).unwrap();
/// // The second 7 is one too many; `7 8` and `8 9` are completed by the last two.
/// assert_eq!(gains, [0b01, 0b00, 0b11, 0b11]);
/// ```
pub fn gains(hypothesis: &[u32], references: &[&[u32]], max_order: usize) -> Option<Vec<u64>> {
    let mut lengths: Vec<usize> =
        core::iter::once(hypothesis.len()).chain(references.iter().map(|r| r.len())).collect();
    if max_order > MOST_GAIN_ORDERS || total(0, lengths.iter().copied()) > MAX_TOKENS {
        return None;
    }
    let mut gains = vec![0; hypothesis.len()];
    let tokens: Vec<u32> =
        core::iter::once(hypothesis).chain(references.iter().copied()).flatten().copied().collect();
    let mut index = Index::<u32>::default();
    let mut numbers = Vec::new();
    index.number(tokens.iter().copied(), &mut numbers);
    let mut pairs = Index::<u64>::default();
    let mut keys = Vec::new();
    let mut distinct = index.len();
    for order in 0..max_order {
        let mut most = most_in_a_reference(&numbers, &lengths, distinct);
        for (&number, gain) in numbers[..lengths[0]].iter().zip(gains.iter_mut().skip(order)) {
            let left = &mut most[number as usize];
            *gain |= u64::from(*left > 0) << order;
            *left = left.saturating_sub(1);
        }
        // Neighbours form the n-grams of the next order, one fewer per sequence.
        keys.clear();
        for (sequence, length) in rows(&numbers, &lengths).zip(&lengths) {
            debug_assert_eq!(sequence.len(), *length);
            keys.extend(sequence.windows(2).map(|pair| u64::from(pair[0]) << 32 | u64::from(pair[1])));
        }
        lengths.iter_mut().for_each(|length| *length = length.saturating_sub(1));
        if lengths[0] == 0 {
            break;
        }
        pairs.number(keys.iter().copied(), &mut numbers);
        distinct = pairs.len();
    }
    Some(gains)
}

fn rows<'n>(numbers: &'n [u32], lengths: &'n [usize]) -> impl Iterator<Item = &'n [u32]> {
    lengths.iter().scan(numbers, |rest, &length| {
        let (row, others) = rest.split_at(length);
        *rest = others;
        Some(row)
    })
}

fn most_in_a_reference(numbers: &[u32], lengths: &[usize], distinct: usize) -> Vec<u32> {
    // For each number, the latest reference that has it, and the count in that reference so far.
    let mut most = vec![0; distinct];
    let mut seen = vec![(0, 0); distinct];
    for (reference, row) in rows(numbers, lengths).enumerate().skip(1) {
        for &number in row {
            let (latest, count) = &mut seen[number as usize];
            *count = if *latest == reference { *count + 1 } else { 1 };
            *latest = reference;
            let most = &mut most[number as usize];
            *most = (*most).max(*count);
        }
    }
    most
}
