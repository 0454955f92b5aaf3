//! Computes the fewest edits of four pairs of sequences at once, without an alignment.

use super::super::strip::WORD;
use super::walk::LaneRows;
use super::{LANES, LaneGroup, LaneKernel, Lanes, lanes, rows_of};

/// Column of 64 rows of an edit-distance table in each lane: the rows whose distance is one more than in the
/// row above, and the rows whose distance is one less.
pub(super) type DistanceColumn = (Lanes, Lanes);

/// Column in which the distance rises by one from row to row, like the first column of a table.
pub(super) const RISING: DistanceColumn = ([u64::MAX; LANES], [0; LANES]);

/// Kernel that computes the fewest edits.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct DistanceLanes {
    column: Vec<DistanceColumn>,
}

impl LaneKernel for DistanceLanes {
    type Found = u64;

    const FIRST_ROW: usize = 0;
    const IS_SYMMETRIC: bool = true;

    #[inline(always)]
    fn compute(&mut self, masks: &[Lanes], group: &LaneGroup<'_>) -> Lanes {
        match group.words {
            // Arrays of known length stay in registers; longer columns use memory.
            1 => sweep::<DistanceLanes, _>(masks, group, &mut [], &mut [RISING; 1]),
            2 => sweep::<DistanceLanes, _>(masks, group, &mut [], &mut [RISING; 2]),
            3 => sweep::<DistanceLanes, _>(masks, group, &mut [], &mut [RISING; 3]),
            4 => sweep::<DistanceLanes, _>(masks, group, &mut [], &mut [RISING; 4]),
            words => {
                self.column.clear();
                self.column.resize(words, RISING);
                sweep::<DistanceLanes, _>(masks, group, &mut [], &mut self.column[..])
            }
        }
    }
}

/// Computes the edit-distance tables of four pairs of sequences, and returns the distance of each pair.
/// `column` is the column before the first hypothesis token, and then working memory; the compiler keeps a
/// short array in registers. Every column is stored in `cells`, unless `cells` is empty.
#[inline(always)]
pub(super) fn sweep<K: LaneKernel, C: AsMut<[DistanceColumn]> + ?Sized>(
    masks: &[Lanes],
    group: &LaneGroup<'_>,
    cells: &mut [LaneRows],
    column: &mut C,
) -> Lanes {
    let column = column.as_mut();
    let words = column.len();
    let mut distances: Lanes = [0; LANES];
    let mut cells = cells.chunks_exact_mut(words);
    let mut from = 0;
    for to in group.ends() {
        let tokens = group.tokens(from, to);
        for at in 0..to - from {
            let equals = rows_of(masks, &tokens, at, words);
            let mut cells = cells.next();
            // In the row above the first, the distance rises by one with every column.
            let mut above = ([1; LANES], [0; LANES]);
            for word in 0..words {
                let before = column[word];
                let (now, below) = advance(lanes!(|lane| equals[lane][word][lane]), before, above);
                column[word] = now;
                above = below;
                if let Some(cells) = &mut cells {
                    cells[word] = LaneRows { more: now.0, less_before: before.1 };
                }
            }
            if let Some(cells) = cells {
                cells[0].less_before.iter_mut().for_each(|less| *less |= 1);
            }
        }
        for (lane, found) in distances.iter_mut().enumerate() {
            if group.columns[lane].len() == to {
                *found = distance(column, K::FIRST_ROW + group.rows[lane].len(), to, lane);
            }
        }
        from = to;
    }
    distances
}

/// Computes the next column of the distance table in every vector lane, with the same operations as
/// [`advance`](super::super::strip::advance). Returns the column, and the steps along its last row.
///
/// Columns are values and not references: the compiler stored a vector behind a reference in parts, and
/// waited for them when it loaded the vector again.
#[inline(always)]
fn advance(
    equals: Lanes,
    (more, less): DistanceColumn,
    (up, down): (Lanes, Lanes),
) -> (DistanceColumn, (Lanes, Lanes)) {
    let level_or_less: Lanes = lanes!(|lane| equals[lane] | less[lane]);
    let equal: Lanes = lanes!(|lane| equals[lane] | down[lane]);
    let carried: Lanes = lanes!(|lane| (equal[lane] & more[lane]).wrapping_add(more[lane]));
    let level: Lanes = lanes!(|lane| (carried[lane] ^ more[lane]) | equal[lane]);
    let step_up: Lanes = lanes!(|lane| less[lane] | !(level[lane] | more[lane]));
    let step_down: Lanes = lanes!(|lane| more[lane] & level[lane]);
    let above_up: Lanes = lanes!(|lane| step_up[lane] << 1 | up[lane]);
    let above_down: Lanes = lanes!(|lane| step_down[lane] << 1 | down[lane]);
    let more: Lanes = lanes!(|lane| above_down[lane] | !(level_or_less[lane] | above_up[lane]));
    let less: Lanes = lanes!(|lane| above_up[lane] & level_or_less[lane]);
    let below = (lanes!(|lane| step_up[lane] >> (WORD - 1)), lanes!(|lane| step_down[lane] >> (WORD - 1)));
    ((more, less), below)
}

/// Returns the distance of the first `rows` rows of a lane in this column, the last of `columns`.
#[inline(always)]
fn distance(column: &[DistanceColumn], rows: usize, columns: usize, lane: usize) -> u64 {
    // In row 0 the distance is the number of columns. Every row adds or subtracts at most one.
    let mut distance = columns as u64;
    for (word, (more, less)) in column.iter().enumerate().take(rows.div_ceil(WORD)) {
        // Rows after the last one do not count.
        let counted = u64::MAX >> (WORD - (rows - word * WORD).min(WORD));
        distance += u64::from((more[lane] & counted).count_ones());
        distance -= u64::from((less[lane] & counted).count_ones());
    }
    distance
}
