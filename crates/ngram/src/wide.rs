//! Counts clipped n-gram matches of a reference of up to 128 tokens, with [masks](crate::masks) of two words.
//!
//! Four orders, as in BLEU, are counted at once: each has a lane of two vectors, one for the first 64 positions of
//! the reference and one for the others. A shift takes the lane of each order from the order below:
//!
//! ```text
//!               order 1   order 2   order 3   order 4
//! ends before   E1        E2        E3        E4
//! shifted       all       E1 << 1   E2 << 1   E3 << 1
//! ends          and the mask of the token
//! ```
//!
//! The bits that leave the first word enter the second word. An occurrence claims a position of the second word
//! only if the first word has no free one. Masks of 128 bits as scalars are slower than the
//! [ladder](crate::ladder), because each of their operations is two or three.

use crate::masks::{MaskSlot, WIDTH as WORD, probe, tag};
use alloc::vec::Vec;
use core::hint::select_unpredictable;

/// Highest number of tokens of the shorter sequence.
pub(crate) const WIDTH: usize = 2 * WORD;

/// Highest number of n-gram orders.
pub(crate) const ORDERS: usize = 4;

/// Mask of a token that the reference lacks. The choice between two addresses takes fewer instructions than the
/// choice between masks.
const NONE: &[u64; 2] = &[0; 2];

/// One word for each n-gram order.
type Orders = [u64; ORDERS];

/// Hash table of `S` slots (a power of two) from the tokens of a reference of up to [`WIDTH`] tokens to their
/// positions, as bits of two words.
#[derive(Debug, Clone, Default)]
pub(crate) struct WideMasks<const S: usize> {
    /// The list is empty before the first segment; then it has `S` slots, the type's parameter.
    slots: Vec<MaskSlot<[u64; 2]>>,
    generation: u32,
}

impl<const S: usize> WideMasks<S> {
    /// Replaces the tokens by those of another reference. A new generation frees the slots of earlier ones; the
    /// table itself is cleared only when the generation numbers run out.
    pub(crate) fn load(&mut self, reference: &[u32]) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 || self.slots.len() != S {
            self.slots.clear();
            self.slots.resize(S, MaskSlot::default());
            self.generation = 1;
        }
        let Some(slots) = self.slots.first_chunk_mut::<S>() else { return };
        for (position, &token) in (0..).zip(reference) {
            let (at, same) = probe(slots, self.generation, token);
            let slot = &mut slots[at % S];
            // `wrapping` and not checked shifts: the position is in one of the words, and a check would be a branch.
            let bit = 1u64.wrapping_shl(position);
            let is_first = position < u64::BITS;
            let first = select_unpredictable(same, slot.mask[0], 0) | if is_first { bit } else { 0 };
            let second = select_unpredictable(same, slot.mask[1], 0) | if is_first { 0 } else { bit };
            *slot = MaskSlot { tag: tag(self.generation, token), mask: [first, second] };
        }
    }

    fn slots(&self) -> Option<&[MaskSlot<[u64; 2]>; S]> {
        self.slots.first_chunk()
    }
}

/// Counts the clipped n-gram matches of a hypothesis and the loaded reference, for at most [`ORDERS`] orders.
pub(crate) fn count<const S: usize>(masks: &WideMasks<S>, hypothesis: &[u32], clipped: &mut [u64]) {
    let orders = clipped.len().min(ORDERS);
    clipped[..orders].copy_from_slice(&count_orders(masks, hypothesis)[..orders]);
}

fn count_orders<const S: usize>(masks: &WideMasks<S>, hypothesis: &[u32]) -> Orders {
    #[cfg(all(any(test, feature = "std"), target_arch = "x86_64"))]
    if std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("popcnt") {
        #[allow(
            unsafe_code,
            reason = "three fifths of the time of `count_portable`, which is the safe version"
        )]
        // SAFETY: the processor has these instructions.
        return unsafe { count_by_avx2(masks, hypothesis) };
    }
    count_portable(masks, hypothesis)
}

fn count_portable<const S: usize>(masks: &WideMasks<S>, hypothesis: &[u32]) -> Orders {
    let Some(slots) = masks.slots() else { return Orders::default() };
    let mut ends = [Orders::default(); 2];
    let mut claimed = [Orders::default(); 2];
    for &token in hypothesis {
        let (at, is_known) = probe(slots, masks.generation, token);
        let mask = select_unpredictable(is_known, &slots[at % S].mask, NONE);
        // From the highest order down, so that the order below still has the ends of the previous token.
        for order in (0..ORDERS).rev() {
            let before = |word: usize| if order == 0 { u64::MAX } else { ends[word][order - 1] };
            let carried = before(0) >> (WORD - 1);
            let first = before(0) << 1 | u64::from(order == 0);
            let second = before(1) << 1 | carried;
            ends[0][order] = first & mask[0];
            ends[1][order] = second & mask[1];
        }
        for order in 0..ORDERS {
            let free = [ends[0][order] & !claimed[0][order], ends[1][order] & !claimed[1][order]];
            // `x & -x` is the lowest set bit.
            claimed[0][order] |= free[0] & free[0].wrapping_neg();
            let second = free[1] & free[1].wrapping_neg();
            claimed[1][order] |= if free[0] == 0 { second } else { 0 };
        }
    }
    positions(claimed)
}

/// Counts like [`count_portable`], with a vector of 256 bits for each word of the four orders.
#[cfg(all(any(test, feature = "std"), target_arch = "x86_64"))]
#[target_feature(enable = "avx2,popcnt")]
fn count_by_avx2<const S: usize>(masks: &WideMasks<S>, hypothesis: &[u32]) -> Orders {
    use core::arch::x86_64::{
        __m256i, _mm256_add_epi64, _mm256_and_si256, _mm256_andnot_si256, _mm256_cmpeq_epi64,
        _mm256_extract_epi64, _mm256_or_si256, _mm256_permute4x64_epi64, _mm256_set_epi64x,
        _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_srli_epi64, _mm256_sub_epi64,
    };
    /// Lanes 0, 0, 1 and 2: each order gets the lane of the order below.
    const FROM_BELOW: i32 = 0b10_01_00_00;

    let Some(slots) = masks.slots() else { return Orders::default() };
    let zero = _mm256_setzero_si256();
    // Every position is the end of the n-gram of order 0.
    let all = _mm256_set_epi64x(0, 0, 0, -1);
    let mut ends = [zero; 2];
    let mut claimed = [zero; 2];
    for &token in hypothesis {
        let (at, is_known) = probe(slots, masks.generation, token);
        let mask = select_unpredictable(is_known, &slots[at % S].mask, NONE);
        let below = [
            _mm256_permute4x64_epi64::<FROM_BELOW>(ends[0]),
            _mm256_permute4x64_epi64::<FROM_BELOW>(ends[1]),
        ];
        let carried = _mm256_srli_epi64::<63>(below[0]);
        // A sum of a number with itself is its shift by one.
        let first = _mm256_or_si256(_mm256_add_epi64(below[0], below[0]), all);
        let second = _mm256_or_si256(_mm256_add_epi64(below[1], below[1]), _mm256_or_si256(carried, all));
        ends[0] = _mm256_and_si256(first, _mm256_set1_epi64x(mask[0] as i64));
        ends[1] = _mm256_and_si256(second, _mm256_set1_epi64x(mask[1] as i64));
        let free = [_mm256_andnot_si256(claimed[0], ends[0]), _mm256_andnot_si256(claimed[1], ends[1])];
        let first = _mm256_and_si256(free[0], _mm256_sub_epi64(zero, free[0]));
        let second = _mm256_and_si256(free[1], _mm256_sub_epi64(zero, free[1]));
        let is_none_free = _mm256_cmpeq_epi64(free[0], zero);
        claimed[0] = _mm256_or_si256(claimed[0], first);
        claimed[1] = _mm256_or_si256(claimed[1], _mm256_and_si256(second, is_none_free));
    }
    let lanes = |vector: __m256i| {
        [
            _mm256_extract_epi64::<0>(vector) as u64,
            _mm256_extract_epi64::<1>(vector) as u64,
            _mm256_extract_epi64::<2>(vector) as u64,
            _mm256_extract_epi64::<3>(vector) as u64,
        ]
    };
    positions([lanes(claimed[0]), lanes(claimed[1])])
}

/// Returns the number of claimed positions of each order.
#[inline(always)]
fn positions([first, second]: [Orders; 2]) -> Orders {
    let mut positions = Orders::default();
    for order in 0..ORDERS {
        positions[order] = u64::from(first[order].count_ones() + second[order].count_ones());
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::*;

    quickcheck::quickcheck! {
        /// Compares both kernels with the quadratic reference implementation, for references of up to 128 tokens
        /// with few and with many distinct tokens.
        fn both_kernels_count_what_the_definition_does(hypothesis: Vec<u16>, reference: Vec<u16>, letters: u8) -> bool {
            let letters = u32::from(letters % 40) + 1;
            let fold = |tokens: &Vec<u16>| -> Vec<u32> {
                tokens.repeat(4).iter().map(|&token| u32::from(token) % letters).collect()
            };
            let hypothesis = fold(&hypothesis);
            let reference = fold(&reference);
            let reference = &reference[..reference.len().min(WIDTH)];
            let mut masks = WideMasks::<1024>::default();
            let mut expected = Orders::default();
            crate::naive::overlap(&hypothesis, &[reference], &mut expected);
            // References of up to 64 tokens are prepared in another way.
            let prepared = crate::PreparedIds::new(&mut crate::Scratch::default(), &[reference], ORDERS);
            let mut of_prepared = Orders::default();
            prepared.overlap(&mut crate::Scratch::default(), &hypothesis, &mut of_prepared);
            assert_eq!(of_prepared, expected);
            // Twice, because a table is used again.
            (0..2).all(|_| {
                let mut counted = Orders::default();
                masks.load(reference);
                count(&masks, &hypothesis, &mut counted);
                counted == expected && count_portable(&masks, &hypothesis) == expected
            })
        }
    }

    #[test]
    fn a_match_goes_on_from_the_first_word_to_the_second() {
        let reference: Vec<u32> = (0..WIDTH as u32).collect();
        let mut masks = WideMasks::<1024>::default();
        for (hypothesis, expected) in [
            (&reference[..], [128, 127, 126, 125]),
            (&reference[62..67], [5, 4, 3, 2]),
            (&[63, 63, 64, 64], [2, 1, 0, 0]),
            (&[127, 200, 0], [2, 0, 0, 0]),
        ] {
            let mut counted = Orders::default();
            masks.load(&reference);
            count(&masks, hypothesis, &mut counted);
            assert_eq!(counted, expected, "{hypothesis:?}");
            assert_eq!(count_portable(&masks, hypothesis), expected, "{hypothesis:?}");
        }
    }

    #[test]
    fn a_repeated_token_claims_the_second_word_after_the_first() {
        let mut masks = WideMasks::<1024>::default();
        let mut counted = [0; 3];
        masks.load(&[7; 100]);
        count(&masks, &[7; 300], &mut counted);
        assert_eq!(counted, [100, 99, 98]);
        masks.load(&[7; 128]);
        count(&masks, &[7; 70], &mut counted);
        assert_eq!(counted, [70, 69, 68]);
    }
}
