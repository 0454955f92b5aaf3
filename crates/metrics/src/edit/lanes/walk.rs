//! Counts the hits and edits of four pairs of sequences at once, by a walk back over their tables.
//!
//! The walk counts only its steps. The numbers of hits, substitutions, deletions and insertions follow from
//! the steps, the distance and the lengths, without comparing tokens.

use super::super::EditCounts;
use super::super::strip::WORD;
use super::distance::{DistanceColumn, RISING, sweep};
use super::{LANES, LaneGroup, LaneKernel, Lanes, lanes};

/// Kernel that counts the edits of the alignment that [`align`](super::super::align::align) chooses. The
/// sequences of a pair must differ in the first and in the last token.
///
/// The table has an additional row 0, along which the distance rises by one.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct CountLanes {
    /// Edit-distance tables of four pairs of sequences, stored as differences between neighbouring rows. Each
    /// entry holds 64 rows of one column. Columns start at 0, which is never read.
    cells: Vec<LaneRows>,
    column: Vec<DistanceColumn>,
}

/// Differences between neighbouring rows of an edit-distance table, for 64 rows of one column and four pairs
/// of sequences. A row belongs to a reference token, a column to a hypothesis token.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
pub(super) struct LaneRows {
    /// Bit set of the rows of this column of the edit-distance table whose distance is one more than in the
    /// row above.
    pub(super) more: Lanes,
    /// Bit set of the rows of the previous column of the edit-distance table whose distance is one less than
    /// in the row above. Row 0 is always set, so that a walk back ends in front of the first column.
    pub(super) less_before: Lanes,
}

impl LaneKernel for CountLanes {
    type Found = EditCounts;

    /// Row 0 ends the walk.
    const FIRST_ROW: usize = 1;
    /// The choice among equally good alignments depends on the sides.
    const IS_SYMMETRIC: bool = false;

    #[inline(always)]
    fn compute(&mut self, masks: &[Lanes], group: &LaneGroup<'_>) -> [EditCounts; LANES] {
        let CountLanes { cells, column } = self;
        let needed = (group.ends()[LANES - 1] + 1) * group.words;
        if cells.len() < needed {
            cells.resize(needed, LaneRows::default());
        }
        let cells = &mut cells[..needed];
        // Row 0 has no row above it, so its bit is clear.
        let mut start = RISING;
        start.0 = [u64::MAX - 1; LANES];
        let kept = &mut cells[group.words..];
        let distances = match group.words {
            // Arrays of known length stay in registers; longer columns use memory.
            1 => sweep::<CountLanes, _>(masks, group, kept, &mut [start]),
            2 => sweep::<CountLanes, _>(masks, group, kept, &mut [start, RISING]),
            3 => sweep::<CountLanes, _>(masks, group, kept, &mut [start, RISING, RISING]),
            words => {
                column.clear();
                column.resize(words, RISING);
                column[0] = start;
                sweep::<CountLanes, _>(masks, group, kept, &mut column[..])
            }
        };
        let deletions = walk(cells, group);
        lanes!(|lane| {
            let rows = group.rows[lane].len() as u64;
            let columns = group.columns[lane].len() as u64;
            // Each step but a deletion moves one column, each but an insertion one row: the lengths determine
            // the rest.
            let insertions = deletions[lane] + columns - rows;
            let substitutions = distances[lane] - deletions[lane] - insertions;
            let hits = rows - deletions[lane] - substitutions;
            EditCounts { hits, substitutions, deletions: deletions[lane], insertions }
        })
    }
}

/// Walks back from the end over the edit-distance tables of four pairs of sequences. Returns the number of
/// deletions in the alignment of each pair.
///
/// Let `D(i, j)` be the distance of the first `i` reference and `j` hypothesis tokens. A step deletes if
/// `D(i, j) = D(i - 1, j) + 1`. Otherwise it inserts if `D(i, j - 1) < D(i - 1, j - 1)`; otherwise it pairs
/// two tokens.
///
/// A position `(i, j)` in a table is stored as one number: `j` times the number of bits of a column, plus
/// `i`.
#[inline(always)]
fn walk(cells: &[LaneRows], group: &LaneGroup<'_>) -> Lanes {
    let column = group.words * WORD;
    let mut places: [usize; LANES] =
        lanes!(|lane| group.columns[lane].len() * column + group.rows[lane].len());
    let mut steps: Lanes = [0; LANES];
    let step = |lane: usize, place: usize| {
        let cell = &cells[place / WORD];
        let more = cell.more[lane] >> (place % WORD);
        let less = cell.less_before[lane] >> (place % WORD);
        // One row is one bit, one column is `column` bits: a pair steps back both. A deletion steps back one
        // row, and no branch depends on it, because it could not be predicted.
        let no_deletion = ((more & 1) as usize).wrapping_sub(1);
        1 + (no_deletion & (column - (less & 1) as usize))
    };
    while places.iter().all(|&place| place >= column) {
        places = lanes!(|lane| places[lane] - step(lane, places[lane]));
        steps.iter_mut().for_each(|steps| *steps += 1);
    }
    // Lanes that have ended take steps of 0, without an unpredictable branch for each lane.
    while places.iter().any(|&place| place >= column) {
        for lane in 0..LANES {
            let goes_on = places[lane] >= column;
            places[lane] -= if goes_on { step(lane, places[lane]) } else { 0 };
            steps[lane] += u64::from(goes_on);
        }
    }
    // Every step but a deletion goes back one column. The rows above the last position are deletions too.
    lanes!(|lane| steps[lane] + places[lane] as u64 - group.columns[lane].len() as u64)
}
