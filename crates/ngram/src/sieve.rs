//! Counts n-gram matches of long segments with 64-bit masks, as soon as few enough n-grams can still match.
//!
//! An n-gram can still match if the hypothesis and the references both have it. The references may be too
//! long for a mask of 64 bits, but their n-grams that can still match often fit. Then the
//! [masks](crate::masks) count this order and all higher orders. They take each of these n-grams as one
//! token: two neighbouring tokens are an (n + 1)-gram, three are an (n + 2)-gram, and so on.
//!
//! In the example, `a` and `the` cannot match. The other reference tokens get a bit each, and bit 3 stays
//! free, so that no n-gram extends over the gap. The mask of a hypothesis token has the token's bit: `mat`
//! has bit 4, so its mask is 16.
//!
//! ```text
//! reference    a  cat  sat  on  a  mat            hypothesis  the  cat  sat  on  the  mat
//! bit          .   0    1    2  .   4             mask         0    1    2    4   0   16
//! ```

use crate::claims::{self, MaskFields, Room};
use crate::ladder::LadderSide;
use crate::masks::WIDTH;
use alloc::vec::Vec;

/// Tables for counting n-gram matches with bit masks. `of` has, for each n-gram, a mask of its positions in
/// the references. `row` has, for each hypothesis position, the mask of the n-gram that begins there.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sieve {
    of: Vec<u64>,
    row: Vec<u64>,
    room: Room,
}

impl Sieve {
    /// Counts the clipped matches of this n-gram order and all higher orders, and returns `true`. Returns
    /// `false` without counting if the references' n-grams that can still match do not fit a mask of 64 bits.
    ///
    /// An empty list of hypothesis positions means that the hypothesis still has all its n-grams.
    pub(crate) fn count(
        &mut self,
        distinct: usize,
        [hypothesis, references]: [&LadderSide; 2],
        ends: &[u32],
        clipped: &mut [u64],
    ) -> bool {
        if references.numbers.len() > WIDTH || !self.fill(distinct, references) {
            return false;
        }
        let fields = if ends.len() > 1 { fields(references, ends) } else { MaskFields::default() };
        let masks = hypothesis.numbers.iter().map(|&number| self.of[number as usize]);
        if hypothesis.positions.is_empty() {
            claims::count(fields, masks, clipped, &mut self.room);
            return true;
        }
        self.row.clear();
        // At worst every n-gram is followed by a gap, so twice as many places suffice. Gaps are 0: no n-gram
        // crosses them.
        self.row.resize(2 * hypothesis.numbers.len(), 0);
        let mut used = 0;
        for (place, mask) in hypothesis.packed().zip(masks) {
            self.row[place] = mask;
            used = place + 1;
        }
        claims::count(fields, self.row[..used].iter().copied(), clipped, &mut self.room);
        true
    }

    /// Computes the bit mask of reference positions for each n-gram number. Returns `false`, with the masks
    /// unspecified, if there are more than 64 positions.
    fn fill(&mut self, distinct: usize, references: &LadderSide) -> bool {
        self.of.clear();
        self.of.resize(distinct, 0);
        let mut last = 0;
        for (place, &number) in references.packed().zip(&references.numbers) {
            self.of[number as usize] |= 1u64.wrapping_shl(place as u32);
            last = place;
        }
        last < WIDTH
    }
}

/// Returns which bits of a 64-bit mask belong to which reference, when the n-grams that can still match are
/// placed side by side. A free bit between two references prevents matches across both.
fn fields(references: &LadderSide, ends: &[u32]) -> MaskFields {
    let mut fields = MaskFields::default();
    let mut reference = 0;
    let mut begun = false;
    for (bit, &position) in references.packed().zip(&references.positions) {
        while ends.get(reference).is_some_and(|&end| end <= position) {
            (reference, begun) = (reference + 1, false);
        }
        if !begun {
            begun = true;
            fields.count += 1;
            fields.lows |= 1 << bit;
            fields.guards |= (1 << bit) >> 1;
        }
    }
    fields
}
