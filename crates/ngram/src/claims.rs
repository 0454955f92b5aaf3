//! Counting on masks: every occurrence in the hypothesis claims a free position; see [`masks`](crate::masks).

use crate::bits::Bits;
use crate::masks::{Fields, Masks};
use alloc::vec::Vec;

/// Room for high orders, reused from segment to segment: for each hypothesis token its mask, and the set of
/// positions where the n-gram that ends at it ends in the references.
#[derive(Debug, Clone, Default)]
pub(crate) struct Room<B> {
    masks: Vec<B>,
    ends: Vec<B>,
}

/// The orders that are counted in one pass.
const TOGETHER: usize = 4;

/// Clipped matches of every order against the references in `masks`.
pub(crate) fn count<B: Bits, const S: usize>(
    masks: &Masks<B, S>,
    hypothesis: &[u32],
    clipped: &mut [u64],
    room: &mut Room<B>,
) {
    match (clipped.len() <= TOGETHER, masks.fields.count <= 1) {
        (true, true) => match clipped {
            [a] => [*a] = together_alone(masks, hypothesis).map(B::count),
            [a, b] => [*a, *b] = together_alone(masks, hypothesis).map(B::count),
            [a, b, c] => [*a, *b, *c] = together_alone(masks, hypothesis).map(B::count),
            [a, b, c, d] => [*a, *b, *c, *d] = together_alone(masks, hypothesis).map(B::count),
            _ => {}
        },
        (true, false) => together(masks, hypothesis, clipped),
        (false, true) => one_by_one::<B, S, false>(masks, hypothesis, clipped, room),
        (false, false) => one_by_one::<B, S, true>(masks, hypothesis, clipped, room),
    }
}

/// Up to four orders of one reference in one pass, all state in registers. (A structure per order instead of these
/// two arrays costs half as much again: the compiler then does not see the lanes.)
fn together_alone<B: Bits, const S: usize, const N: usize>(
    masks: &Masks<B, S>,
    hypothesis: &[u32],
) -> [B; N] {
    let (mut ends, mut claimed) = ([B::default(); N], [B::default(); N]);
    let mask_of = masks.lookup();
    for &token in hypothesis {
        let mask = mask_of(token);
        for order in (1..N).rev() {
            ends[order] = ends[order - 1].up() & mask;
        }
        ends[0] = mask;
        for order in 0..N {
            let free = ends[order] & !claimed[order];
            claimed[order] = claimed[order] | free & B::default().minus(free);
        }
    }
    claimed
}

/// The same for several references.
fn together<B: Bits, const S: usize>(masks: &Masks<B, S>, hypothesis: &[u32], clipped: &mut [u64]) {
    let Fields { lows, guards, .. } = masks.fields;
    let (mut ends, mut claimed) = ([B::default(); TOGETHER], [B::default(); TOGETHER]);
    let mut matches = [0u64; TOGETHER];
    let mask_of = masks.lookup();
    for &token in hypothesis {
        let mask = mask_of(token);
        for order in (1..TOGETHER).rev() {
            ends[order] = ends[order - 1].up() & mask;
        }
        ends[0] = mask;
        for order in 0..TOGETHER {
            let free = ends[order] & !claimed[order];
            claimed[order] = claimed[order] | free & !(free | guards).minus(lows);
            matches[order] += u64::from(free != B::default());
        }
    }
    for (clipped, matches) in clipped.iter_mut().zip(matches) {
        *clipped = matches;
    }
}

/// Any number of orders, a pass for each until one has no match.
fn one_by_one<B: Bits, const S: usize, const MANY: bool>(
    masks: &Masks<B, S>,
    hypothesis: &[u32],
    clipped: &mut [u64],
    room: &mut Room<B>,
) {
    room.masks.clear();
    room.masks.extend(hypothesis.iter().copied().map(masks.lookup()));
    room.ends.clone_from(&room.masks);
    clipped.fill(0);
    for clipped in clipped {
        let mut claims = Claims::<B, MANY>::new(&masks.fields);
        let mut before = B::default();
        for (ends, &mask) in room.ends.iter_mut().zip(&room.masks) {
            claims.claim(*ends);
            // Turns into the set of the next order as soon as it is claimed from.
            (before, *ends) = (*ends, before.up() & mask);
        }
        *clipped = claims.granted();
        if *clipped == 0 {
            return;
        }
    }
}

/// The claims of one order.
#[derive(Debug, Clone, Copy)]
struct Claims<B, const MANY: bool> {
    lows: B,
    guards: B,
    claimed: B,
    matches: u64,
}

impl<B: Bits, const MANY: bool> Claims<B, MANY> {
    #[inline]
    fn new(fields: &Fields<B>) -> Self {
        Claims { lows: fields.lows, guards: fields.guards, claimed: B::default(), matches: 0 }
    }

    /// Claims the lowest free one of the positions, in each field where `MANY`.
    #[inline]
    fn claim(&mut self, positions: B) {
        let free = positions & !self.claimed;
        if MANY {
            self.matches += u64::from(free != B::default());
            let lowered = (free | self.guards).minus(self.lows);
            self.claimed = self.claimed | free & !lowered;
        } else {
            let lowest = free & B::default().minus(free);
            self.claimed = self.claimed | lowest;
        }
    }

    #[inline]
    fn granted(self) -> u64 {
        if MANY { self.matches } else { self.claimed.count() }
    }
}
