//! The distance within the beam, a row at a time in one machine word.
//!
//! Neighbours in a row differ by at most one, in the beam as in the whole table: where a path to a cell comes from
//! its neighbour or diagonally, there is one to the neighbour that costs at most one more and stays inside. So a
//! row is a number and two sets of columns: those greater by one than the column before, and those less by one. As
//! the beam is at most 51 columns wide, each set is a machine word, and the recurrence of Myers 1999 makes the next
//! row of it. It must not see cells outside:
//!
//! - On the left, the column before the first is taken to be greater by one, in this row and the one above. Coming
//!   from there then never is cheaper than coming from above.
//! - On the right, the row above is taken to go on with ones. Coming from there then never is cheaper than coming
//!   from the left, save diagonally at an equal word: such bits are cleared.

use super::beam::Beam;
use super::masks::MaskPlace;
use super::table::{EqualWords, Moved, TableStep, TerTable};

/// The most words of the reference per word of the hypothesis: the shift between rows, which need 51 bits from there on.
const MAX_RATIO: usize = 12;

#[derive(Debug, Clone, Default)]
pub(super) struct TerBits {
    shapes: Vec<TableShape>,
    rows: Vec<StoredRow>,
    places: Vec<MaskPlace>,
    distance: u32,
}

#[derive(Debug, Clone, Copy, Default)]
struct TableShape {
    start: u32,
    /// Columns by which it starts further on than the one above.
    shift: u32,
    /// Columns whose diagonal neighbour exists, as bits.
    diagonal: u64,
    /// Bits beyond the last column.
    beyond: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct BitsState {
    /// Columns greater by one than the column before. 0 for the first column, ones beyond the last.
    more: u64,
    /// Columns less by one than the column before. 1 for the first column, zeros beyond the last.
    less: u64,
    first: u32,
}

/// A stored row, to start candidates from and to walk back over.
#[derive(Debug, Clone, Copy, Default)]
struct StoredRow {
    state: BitsState,
    /// Columns equal to the column before in the row above.
    level: u64,
    /// Columns of the row above that are less than the column before.
    less_above: u64,
}

impl TerBits {
    pub(super) fn fits(beam: &Beam) -> bool {
        let (n, m) = beam.lengths();
        n > 0 && m / MAX_RATIO < n
    }

    pub(super) fn lay(&mut self, beam: &Beam) {
        let rows = beam.rows();
        self.shapes.clear();
        self.shapes.push(TableShape::default());
        self.shapes.extend(rows.windows(2).map(|pair| {
            let [above, row] = [pair[0], pair[1]];
            TableShape {
                start: row.start,
                shift: row.start - above.start,
                diagonal: low_bits(above.end - row.start + 1),
                beyond: !low_bits(row.end - row.start),
            }
        }));
        self.rows.clear();
        self.rows.resize(rows.len(), StoredRow::default());
        // Row 0 goes up by one from column to column.
        self.rows[0].state = BitsState { more: !1, less: 1, first: 0 };
    }

    fn last(&self, state: BitsState) -> u32 {
        let beyond = self.shapes[self.shapes.len() - 1].beyond;
        state.first + (state.more & !beyond).count_ones() - (state.less & !1).count_ones()
    }
}

impl TerTable<EqualWords<'_>> for TerBits {
    fn fill(&mut self, words: &[u32], pairs: &EqualWords<'_>, from: usize) -> u32 {
        let masks = pairs.masks;
        self.places.truncate(from);
        self.places.extend(words[from..].iter().map(|&word| masks.place(word)));
        let mut state = self.rows[from].state;
        let rows = self.rows[from + 1..].iter_mut();
        for ((row, shape), &place) in rows.zip(&self.shapes[from + 1..]).zip(&self.places[from..]) {
            let less_above = state.less >> shape.shift;
            let (next, level) = state.next(shape, masks.window(place, shape.start));
            state = next;
            *row = StoredRow { state, level, less_above };
        }
        self.distance = self.last(state);
        self.distance
    }

    fn moved(&mut self, pairs: &EqualWords<'_>, moved: Moved) -> u32 {
        let masks = pairs.masks;
        let Moved { start, middle, end } = moved;
        let mut state = self.rows[start].state;
        let places = self.places[middle..end].iter().chain(&self.places[start..middle]);
        for (shape, &place) in self.shapes[start + 1..].iter().zip(places) {
            state = state.next(shape, masks.window(place, shape.start)).0;
        }
        let rest = self.places[end..].iter().zip(&self.rows[end..]);
        for (shape, (&place, row)) in self.shapes[end + 1..].iter().zip(rest) {
            // The rows below are those of the table, but for a constant.
            if (state.more, state.less) == (row.state.more, row.state.less) {
                return self.distance + state.first - row.state.first;
            }
            state = state.next(shape, masks.window(place, shape.start)).0;
        }
        self.last(state)
    }

    fn step(&self, i: usize, j: usize, pair: Option<bool>) -> TableStep {
        if i == 0 {
            return TableStep::Insert;
        }
        let row = &self.rows[i];
        let shape = &self.shapes[i];
        let bit = 1 << (j as u32 - shape.start);
        // The first column has no diagonal neighbour unless the row starts further on.
        let diagonal = shape.diagonal & bit != 0 && (bit > 1 || shape.shift > 0);
        if diagonal && (pair == Some(true) || row.level & bit == 0) {
            TableStep::Pair
        } else if row.less_above & bit != 0 {
            TableStep::Delete
        } else {
            TableStep::Insert
        }
    }
}

impl BitsState {
    /// The row below, and the columns in which it equals the column before in this one.
    #[inline(always)]
    fn next(self, shape: &TableShape, occurrences: u64) -> (BitsState, u64) {
        let BitsState { more, less, first } = self;
        let above_more = more >> shape.shift;
        let above_less = less >> shape.shift;
        let equal = occurrences & shape.diagonal;
        let level = (((equal & above_more).wrapping_add(above_more)) ^ above_more) | equal | above_less;
        let below_more = (above_less | !(level | above_more)) << 1;
        let below_less = (level & above_more) << 1;
        // The number in the column before the first, in the row above.
        let before = match shape.shift {
            0 => first + 1,
            1 => first,
            shift => {
                let passed = low_bits(shift) & !1;
                first + (more & passed).count_ones() - (less & passed).count_ones()
            }
        };
        let state = BitsState {
            more: (below_less | !(level | below_more) | shape.beyond) & !1,
            less: below_more & level & !shape.beyond | 1,
            first: before + 1 - (level & 1) as u32,
        };
        (state, level)
    }
}

fn low_bits(count: u32) -> u64 {
    if count < 64 { (1 << count) - 1 } else { u64::MAX }
}
