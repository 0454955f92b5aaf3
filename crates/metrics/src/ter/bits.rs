//! Computes TER's edit distance within the beam of columns near the diagonal, a row at a time in one machine
//! word.
//!
//! Within the beam, as in the whole table, neighbouring cells of a row differ by at most one. If a best
//! path reaches a cell from its neighbour or diagonally, another path reaches the neighbour at a cost of at
//! most one more. That path stays inside the beam. A row is therefore one number and two sets of columns:
//! columns greater by one than the column before, and columns less by one. The beam is at most 51 columns
//! wide, so each set fits into a machine word. The recurrence of Myers 1999 computes the next row from
//! them. It must not use cells outside the beam:
//!
//! - On the left, the column before the first counts as greater by one, in this row and in the row above.
//!   A path from that column is then never cheaper than a path from the row above.
//! - On the right, the row above continues with ones. A path from there is then never cheaper than a path
//!   from the left, except diagonally at an equal word: the code clears these bits.

use super::beam::Beam;
use super::masks::MaskPlace;
use super::table::{EqualWords, Moved, TableStep, TerTable};

/// Largest ratio of reference length to hypothesis length for which TER's distance table is computed with bit
/// masks of 64 columns. Each row has up to 51 columns near the diagonal, and the columns move right by about
/// this ratio from row to row. One mask must contain the columns of two neighbouring rows.
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
    /// Number of columns by which this row of the distance table starts further right than the row above.
    /// Each row holds only columns near the diagonal.
    shift: u32,
    /// Bit mask of the columns of this row of the distance table whose diagonal neighbour, one row up and one
    /// column left, was computed.
    diagonal: u64,
    /// Bit mask of the unused bits of a machine word: those after the last column of this row of the distance
    /// table.
    beyond: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct BitsState {
    /// Bit mask of the columns whose distance is greater by one than in the column before. Bit 0 is 0; bits
    /// after the last column are 1.
    more: u64,
    /// Bit mask of the columns whose distance is less by one than in the column before. Bit 0 is 1; bits
    /// after the last column are 0.
    less: u64,
    first: u32,
}

/// Row of TER's distance table, kept as a starting point for shifted hypotheses and for tracing back the best
/// path.
#[derive(Debug, Clone, Copy, Default)]
struct StoredRow {
    state: BitsState,
    /// Bit mask of the columns of the distance table whose distance equals the diagonal neighbour's, one row
    /// up and one column left.
    level: u64,
    /// Bit mask of the columns in which the row above falls: its distance in the column is less than in the
    /// column before.
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
        // Rows up to `start` are unaffected by the shift, so the computation begins at the stored row.
        let places = self.places[middle..end].iter().chain(&self.places[start..middle]);
        for (shape, &place) in self.shapes[start + 1..].iter().zip(places) {
            state = state.next(shape, masks.window(place, shape.start)).0;
        }
        let rest = self.places[end..].iter().zip(&self.rows[end..]);
        for (shape, (&place, row)) in self.shapes[end + 1..].iter().zip(rest) {
            // The shifted block ends above this row, so all later words are in their old places. If the
            // differences within the row match the stored row, all later rows differ from the stored rows
            // by the same constant.
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
        // The order pair, deletion, insertion is sacreBLEU's. It selects one of several best paths, and the
        // path decides which shifts are candidates, so it is part of the score.
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
    /// Returns the next row of the distance table, and a bit mask of its columns whose distance equals the
    /// diagonal neighbour's, one row up and one column left.
    #[inline(always)]
    fn next(self, shape: &TableShape, occurrences: u64) -> (BitsState, u64) {
        let BitsState { more, less, first } = self;
        let above_more = more >> shape.shift;
        let above_less = less >> shape.shift;
        let equal = occurrences & shape.diagonal;
        // The addition carries a match through a run of columns that grow in the row above, as in Myers
        // 1999. Carries beyond the word are dropped: they belong to columns outside the beam.
        let level = (((equal & above_more).wrapping_add(above_more)) ^ above_more) | equal | above_less;
        let below_more = (above_less | !(level | above_more)) << 1;
        let below_less = (level & above_more) << 1;
        // Distance in the row above, one column before the first column of the new row.
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
