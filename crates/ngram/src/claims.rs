//! Counting on masks: every occurrence in the hypothesis claims a free position; see [`masks`](crate::masks).

use crate::bits::Bits;
use crate::masks::{Fields, Masks};
use alloc::vec::Vec;

/// Room for high orders, reused from segment to segment: for each hypothesis token its mask, and the set of
/// positions where the n-gram that ends at it ends in the references.
#[derive(Debug, Clone, Default)]
pub(crate) struct Room<const W: usize> {
    masks: Vec<Bits<W>>,
    ends: Vec<Bits<W>>,
}

/// The orders that are counted in one pass.
const TOGETHER: usize = 4;

/// Clipped matches of every order against the references in `masks`.
pub(crate) fn count<const W: usize>(
    masks: &Masks<W>,
    hypothesis: &[u32],
    clipped: &mut [u64],
    room: &mut Room<W>,
) {
    match (clipped.len() <= TOGETHER, masks.fields.count <= 1) {
        (true, true) => together::<W, false>(masks, hypothesis, clipped),
        (true, false) => together::<W, true>(masks, hypothesis, clipped),
        (false, true) => one_by_one::<W, false>(masks, hypothesis, clipped, room),
        (false, false) => one_by_one::<W, true>(masks, hypothesis, clipped, room),
    }
}

/// Up to four orders in one pass, all state in registers.
fn together<const W: usize, const MANY: bool>(masks: &Masks<W>, hypothesis: &[u32], clipped: &mut [u64]) {
    let mut claims = [Claims::<W, MANY>::new(&masks.fields); TOGETHER];
    let mut ends = [Bits::<W>::ZERO; TOGETHER];
    for &token in hypothesis {
        let mask = masks.get(token);
        for order in (1..TOGETHER).rev() {
            ends[order] = ends[order - 1].up().and(mask);
        }
        ends[0] = mask;
        for (claims, ends) in claims.iter_mut().zip(ends) {
            claims.claim(ends);
        }
    }
    for (clipped, claims) in clipped.iter_mut().zip(claims) {
        *clipped = claims.granted();
    }
}

/// Any number of orders, a pass for each until one has no match.
fn one_by_one<const W: usize, const MANY: bool>(
    masks: &Masks<W>,
    hypothesis: &[u32],
    clipped: &mut [u64],
    room: &mut Room<W>,
) {
    room.masks.clear();
    room.masks.extend(hypothesis.iter().map(|&token| masks.get(token)));
    room.ends.clone_from(&room.masks);
    clipped.fill(0);
    for clipped in clipped {
        let mut claims = Claims::<W, MANY>::new(&masks.fields);
        let mut before = Bits::ZERO;
        for (ends, &mask) in room.ends.iter_mut().zip(&room.masks) {
            claims.claim(*ends);
            // Turns into the set of the next order as soon as it is claimed from.
            (before, *ends) = (*ends, before.up().and(mask));
        }
        *clipped = claims.granted();
        if *clipped == 0 {
            return;
        }
    }
}

/// The claims of one order.
#[derive(Debug, Clone, Copy)]
struct Claims<const W: usize, const MANY: bool> {
    lows: Bits<W>,
    guards: Bits<W>,
    claimed: Bits<W>,
    matches: u64,
}

impl<const W: usize, const MANY: bool> Claims<W, MANY> {
    #[inline]
    fn new(fields: &Fields<W>) -> Self {
        Claims { lows: fields.lows, guards: fields.guards, claimed: Bits::ZERO, matches: 0 }
    }

    /// Claims the lowest free one of the positions, in each field where `MANY`.
    #[inline]
    fn claim(&mut self, positions: Bits<W>) {
        let free = positions.and_not(self.claimed);
        if MANY {
            self.matches += u64::from(free.any());
            let lowered = free.or(self.guards).minus(self.lows);
            self.claimed = self.claimed.or(free.and_not(lowered));
        } else {
            let lowest = free.and(Bits::ZERO.minus(free));
            self.claimed = self.claimed.or(lowest);
        }
    }

    #[inline]
    fn granted(self) -> u64 {
        if MANY { self.matches } else { self.claimed.count() }
    }
}
