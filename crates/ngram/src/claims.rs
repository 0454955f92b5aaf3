//! Counts clipped n-gram matches with bit masks: every n-gram occurrence in the hypothesis claims a free
//! reference position with the same n-gram. [`masks`](crate::masks) explains why the claims are the clipped
//! count.

use alloc::vec::Vec;

/// The layout of a segment's references in a mask of 64 bits: one bit for each reference token, and a free
/// bit after each reference.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct MaskFields {
    pub(crate) count: usize,
    /// Bit mask that marks the first position of each reference. The field `guards` marks the free bit after
    /// each reference.
    pub(crate) lows: u64,
    pub(crate) guards: u64,
}

/// Buffers for counting more than four n-gram orders, reused from segment to segment. They hold two bit masks
/// of reference positions per hypothesis token: of the token, and of the n-gram that ends at it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Room {
    masks: Vec<u64>,
    ends: Vec<u64>,
}

/// Counts the clipped matches of every n-gram order. `masks` holds, for each hypothesis token, the bit mask
/// of its positions in the references.
#[inline]
pub(crate) fn count(
    fields: MaskFields,
    masks: impl Iterator<Item = u64>,
    clipped: &mut [u64],
    room: &mut Room,
) {
    // Up to four orders, as in BLEU, are counted in one pass with arrays of known size, which stay in
    // registers.
    match clipped {
        [] => {}
        [a] => [*a] = together(fields, masks),
        [a, b] => [*a, *b] = together(fields, masks),
        [a, b, c] => [*a, *b, *c] = together(fields, masks),
        [a, b, c, d] => [*a, *b, *c, *d] = together(fields, masks),
        _ => {
            room.masks.clear();
            room.masks.extend(masks);
            one_by_one(fields, clipped, room);
        }
    }
}

#[inline]
fn together<const N: usize>(fields: MaskFields, masks: impl Iterator<Item = u64>) -> [u64; N] {
    if fields.count > 1 { several(fields, masks) } else { alone(masks) }
}

/// Counts the clipped matches of all n-gram orders with a single reference, in one pass over the hypothesis.
/// The two plain arrays matter: with a structure per order, or the state of an order spread over variables,
/// the compiled code takes 50 % longer.
#[inline]
fn alone<const N: usize>(masks: impl Iterator<Item = u64>) -> [u64; N] {
    let mut ends = [0u64; N];
    let mut claimed = [0u64; N];
    for mask in masks {
        // From the highest order down, so that `ends[order - 1]` is still the value of the previous token.
        for order in (1..N).rev() {
            ends[order] = ends[order - 1] << 1 & mask;
        }
        ends[0] = mask;
        for order in 0..N {
            let free = ends[order] & !claimed[order];
            // `x & -x` is the lowest set bit: the occurrence claims the first free position, or none.
            claimed[order] |= free & free.wrapping_neg();
        }
    }
    claimed.map(|claimed| claimed.count_ones().into())
}

/// Counts the clipped matches of all n-gram orders with several references, in one pass over the hypothesis.
/// Each n-gram occurrence claims one position in every reference that has a free one.
#[inline]
fn several<const N: usize>(fields: MaskFields, masks: impl Iterator<Item = u64>) -> [u64; N] {
    let mut ends = [0u64; N];
    let mut claimed = [0u64; N];
    let mut matches = [0u64; N];
    for mask in masks {
        for order in (1..N).rev() {
            ends[order] = ends[order - 1] << 1 & mask;
        }
        ends[0] = mask;
        for order in 0..N {
            let free = ends[order] & !claimed[order];
            claimed[order] |= free & !(free | fields.guards).wrapping_sub(fields.lows);
            matches[order] += u64::from(free != 0);
        }
    }
    matches
}

/// Counts the clipped matches of each n-gram order in a separate pass, and stops after the first order
/// without a match.
fn one_by_one(fields: MaskFields, clipped: &mut [u64], room: &mut Room) {
    room.ends.clone_from(&room.masks);
    clipped.fill(0);
    for clipped in clipped {
        [*clipped] = together(fields, room.ends.iter().copied());
        if *clipped == 0 {
            return;
        }
        let mut before = 0;
        for (ends, &mask) in room.ends.iter_mut().zip(&room.masks) {
            (before, *ends) = (*ends, before << 1 & mask);
        }
    }
}
