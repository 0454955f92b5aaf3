//! Counting on masks: every occurrence in the hypothesis claims a free position; [`masks`](crate::masks) says why.

use alloc::vec::Vec;

/// The layout of the references in a mask of 64 bits.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Fields {
    pub(crate) count: usize,
    /// The lowest bit of each reference, and the free bit behind each.
    pub(crate) lows: u64,
    pub(crate) guards: u64,
}

/// Room for high orders, reused from segment to segment: the mask of each hypothesis token, and the end positions in
/// the references of the n-gram that ends at it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Room {
    masks: Vec<u64>,
    ends: Vec<u64>,
}

/// Clipped matches of every order, given the masks of the hypothesis tokens.
#[inline]
pub(crate) fn count(fields: Fields, masks: impl Iterator<Item = u64>, clipped: &mut [u64], room: &mut Room) {
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
fn together<const N: usize>(fields: Fields, masks: impl Iterator<Item = u64>) -> [u64; N] {
    if fields.count > 1 { several(fields, masks) } else { alone(masks) }
}

/// All orders of one reference in one pass. (Two plain arrays: with a structure per order, or the state of an order
/// spread over variables, the compiled code takes half as long again.)
#[inline]
fn alone<const N: usize>(masks: impl Iterator<Item = u64>) -> [u64; N] {
    let (mut ends, mut claimed) = ([0u64; N], [0u64; N]);
    for mask in masks {
        for order in (1..N).rev() {
            ends[order] = ends[order - 1] << 1 & mask;
        }
        ends[0] = mask;
        for order in 0..N {
            let free = ends[order] & !claimed[order];
            claimed[order] |= free & free.wrapping_neg();
        }
    }
    claimed.map(|claimed| claimed.count_ones().into())
}

/// The same for several references: one claim in each reference with a free position.
#[inline]
fn several<const N: usize>(fields: Fields, masks: impl Iterator<Item = u64>) -> [u64; N] {
    let (mut ends, mut claimed, mut matches) = ([0u64; N], [0u64; N], [0u64; N]);
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

/// Any number of orders: one pass per order, up to the first without a match.
fn one_by_one(fields: Fields, clipped: &mut [u64], room: &mut Room) {
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
